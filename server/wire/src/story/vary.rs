//! Several different stories: requests, from the wire, and what came of them, to the wire.

use super::answer::none_found;
use super::info::STRATEGIES;
use super::plan::{plan, style};
use super::problem::{Decoded, problem};
use super::request::{Names, bytes, cost, level};
use crate::contract::VaryStories;
use crate::method::Asked;
use crate::mistakes::Mistakes;
use crate::report::common;
use crate::request::{How, Request, identity};
use crate::{info, solve};
use ::story::diverse::DiverseStories;
use anytime::Conclusion;
use anytime::Path;
use anytime::{Found, Outcome};
use std::sync::Arc;
use story::diverse::{DiverseProblem, Losses, Params, STORIES_MAX, StorySet};
use story::{Account, Cost};
use stratagem_proto::v1 as pb;

/// A checked request for several stories.
pub(crate) type VaryRequest = Request<DiverseStories, Names>;

/// What a request means that does not say how many stories, or how different.
const STORIES_DEFAULT: usize = 3;
const DIFFERENCE_DEFAULT: usize = 2;

/// A request for several stories.
///
/// # Errors
/// All mistakes.
pub(crate) fn vary_request(mut message: pb::VaryStoriesRequest) -> Result<VaryRequest, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let how = How::new(message.options.take(), STRATEGIES, &mut wrong);
    let identity = identity("vary stories", &message, &how.options, how.name());
    let pb::VaryStoriesRequest {
        problem: given,
        options: _,
        story_count,
        min_different_acts,
        style: given_style,
    } = message;
    let at = Path::root("problem");
    let decoded = given.and_then(|given| problem(given, &at, &mut wrong));
    let count = |given: i32| given.unsigned_abs() as usize;
    let stories = story_count.map_or(STORIES_DEFAULT, count);
    let difference = min_different_acts.map_or(DIFFERENCE_DEFAULT, count);
    let target = target(how.target(stories, &mut wrong));
    let Some(Decoded { problem, rules }) = decoded.filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    let bytes = bytes(&problem);
    let request = DiverseProblem::new(problem, stories, difference);
    Ok(Request {
        bytes,
        problem: Arc::new(request.expect("both numbers are in range")),
        names: Arc::new(Names {
            rules,
            style: style(given_style),
        }),
        strategy: how.name(),
        options: how.options,
        // There is one search.
        width: 1,
        params: Params {
            each: story::Params {
                strategy: how.strategy.strategy,
                ..story::Params::default()
            },
            known: Vec::new(),
        },
        target,
        identity,
    })
}

/// The losses to stop at: stories without a level may be missing.
fn target(levels: &[f64]) -> Option<Losses> {
    levels.first()?;
    let mut target = Losses::new(&[]);
    for (loss, wanted) in target.each_pico.iter_mut().zip(levels) {
        if *wanted < 1.0 {
            *loss = cost(*wanted)?.loss_pico;
        }
    }
    Some(target)
}

/// Limits of problems, and of the number of stories.
pub(crate) fn vary_limits() -> Vec<pb::ServerLimit> {
    let mut limits = super::info::limits();
    limits.push(info::elements(&("stories", STORIES_MAX)));
    limits
}

/// The answer that an outcome is.
pub(crate) fn vary_answer(
    asked: &Asked<VaryStories>,
    outcome: &Outcome<DiverseStories>,
) -> pb::VaryStoriesResponse {
    let wanted = asked.request.problem.count();
    let best = outcome.best.as_deref();
    let found = best.map_or(0, |best| best.plan.stories.len());
    let explanation = match found {
        0 => Some(none_found(outcome.conclusion)),
        found if found < wanted => Some(too_few(found, wanted, outcome.conclusion)),
        _ => None,
    };
    let accounts = outcome.reasons.as_deref();
    pb::VaryStoriesResponse {
        event: None,
        plans: best.map_or_else(Vec::new, |best| {
            plans(asked, &best.plan, best.cost, accounts.map(Vec::as_slice))
        }),
        report: Some(pb::SolveReport {
            explanation,
            ..common(asked, outcome)
        }),
    }
}

/// The answer so far.
pub(crate) fn vary_step(
    asked: &Asked<VaryStories>,
    best: &Found<DiverseStories>,
) -> Option<pb::VaryStoriesResponse> {
    Some(pb::VaryStoriesResponse {
        plans: plans(asked, &best.plan, best.cost, None),
        ..pb::VaryStoriesResponse::default()
    })
}

/// Why there are fewer stories than wanted.
fn too_few(found: usize, wanted: usize, conclusion: Conclusion) -> pb::Explanation {
    let why = match conclusion {
        Conclusion::Optimal => "no other story that differs from these has a positive score",
        _ => "no more were found; others may still exist",
    };
    pb::Explanation {
        summary: format!("{found} of {wanted} stories: {why}."),
        ..pb::Explanation::default()
    }
}

/// Stories for the wire, with what is known of each.
fn plans(
    asked: &Asked<VaryStories>,
    stories: &StorySet,
    losses: Losses,
    accounts: Option<&[Account]>,
) -> Vec<pb::StoryPlan> {
    let (problem, names) = (asked.request.problem.problem(), &*asked.request.names);
    let stories = stories.stories.iter().zip(losses.each_pico).enumerate();
    let plans = stories.map(|(index, (story, loss_pico))| {
        let account = accounts.and_then(|all| all.get(index));
        plan(problem, names, story, Cost { loss_pico }, account)
    });
    plans.collect()
}

/// What each of the stories that are wanted lacks; all, where there is none.
pub(super) fn levels(wanted: usize, losses: Losses) -> Vec<f64> {
    let each = losses.each_pico.iter().take(wanted);
    each.map(|loss_pico| match *loss_pico {
        u64::MAX => 1.0,
        loss_pico => level(Cost { loss_pico }),
    })
    .collect()
}

/// The objective of stories.
pub(crate) fn vary_objective(
    asked: &Asked<VaryStories>,
    found: &Found<DiverseStories>,
) -> pb::Objective {
    let (losses, count) = (found.cost, found.plan.stories.len());
    // At most 10.
    let mut terms = vec![solve::score("stories", count as f64, "stories")];
    let score = |index: usize| {
        let loss_pico = losses.each_pico[index];
        Cost { loss_pico }.score()
    };
    if count > 0 {
        terms.push(solve::score("best_score", score(0), ""));
        terms.push(solve::score("least_score", score(count - 1), ""));
    }
    pb::Objective {
        levels: levels(asked.request.problem.count(), losses),
        terms,
    }
}
