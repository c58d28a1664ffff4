//! Stories with choices: requests, from the wire, and what came of them, to the wire.

use super::info::BRANCH_STRATEGIES;
use super::plan::{act, style};
use super::problem::{Decoded, problem};
use super::read::acts;
use super::request::{Names, bytes};
use crate::contract::BranchStory;
use crate::method::Asked;
use crate::mistakes::{Code, Mistakes};
use crate::report::common;
use crate::request::{How, Request, identity};
use crate::values::shown;
use crate::{info, solve};
use ::story::branch::StoryBranching;
use anytime::Path;
use anytime::Unnamed;
use anytime::{Found, Outcome};
use std::sync::Arc;
use story::branch::{
    BranchCost, BranchProblem, BranchingStory, CHOICES_MAX, DEPTH_MAX, PATHS_MAX, Params,
    WIDTH_MAX, ink, texts,
};
use story::{Plan, Problem};
use stratagem_proto::v1 as pb;

/// A checked request for choices.
pub(crate) type BranchRequest = Request<StoryBranching, Names>;

/// Most iterations for each continuation.
const ITERATIONS_MAX: usize = 1_000_000;

/// A request for choices.
///
/// # Errors
/// All mistakes.
pub(crate) fn branch_request(
    mut message: pb::BranchStoryRequest,
) -> Result<BranchRequest, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut message)?;
    let how = How::new(message.options.take(), BRANCH_STRATEGIES, &mut wrong);
    let identity = identity("branch story", &message, &how.options, how.name());
    let at = Path::root("problem");
    let given = message.problem.take();
    let decoded = given.and_then(|given| problem(given, &at, &mut wrong));
    let target = target(how.target(1, &mut wrong));
    let read = decoded.and_then(|Decoded { problem, rules }| {
        let given = std::mem::take(&mut message.acts);
        let story = acts(given, &problem, &Path::root("acts"), &mut wrong)?;
        let bytes = bytes(&problem);
        let request = read_request(problem, story, &message.player_id, &mut wrong)?;
        Some((request, rules, bytes))
    });
    let params = params(&message, &how);
    let Some((request, rules, bytes)) = read.filter(|_| wrong.is_empty()) else {
        return Err(wrong);
    };
    Ok(Request {
        bytes,
        problem: Arc::new(request),
        names: Arc::new(Names {
            rules,
            style: style(message.style),
        }),
        strategy: how.name(),
        options: how.options,
        // There is one search after the other.
        width: 1,
        params,
        target,
        identity,
    })
}

fn params(message: &pb::BranchStoryRequest, how: &How<story::Strategy>) -> Params {
    let usual = Params::default();
    let count = |given: Option<i32>, usual: usize| {
        given.map_or(usual, |given| given.unsigned_abs() as usize)
    };
    let iterations = message.max_continuation_iterations;
    Params {
        depth: count(message.max_depth, usual.depth),
        width: count(message.max_width, usual.width),
        choices_max: count(message.max_choices, usual.choices_max),
        iterations: iterations.map_or(usual.iterations, |given| given.unsigned_abs().into()),
        each: story::Params {
            strategy: how.strategy.strategy,
            ..usual.each
        },
    }
}

/// The story and who chooses; `None` when there are mistakes.
fn read_request(
    problem: Problem,
    story: Plan,
    player_id: &str,
    wrong: &mut Mistakes,
) -> Option<BranchProblem> {
    let (acts_at, player_at) = (Path::root("acts"), Path::root("player_id"));
    if story.actions.is_empty() {
        wrong.add(
            &acts_at,
            Code::Required,
            "is required: without acts there is no choice",
        );
        return None;
    }
    let player = match player_id {
        "" => BranchProblem::protagonist(&problem, &story),
        id => problem.entities().iter().position(|e| e.name == id),
    };
    let Some(player) = player else {
        let why = match player_id {
            "" => "is required: no act of this story has an entity".into(),
            id => format!("is {}, which the problem does not have", shown(id)),
        };
        let code = if player_id.is_empty() {
            Code::Required
        } else {
            Code::Unknown
        };
        wrong.add(&player_at, code, why);
        return None;
    };
    match BranchProblem::new(problem, story, player) {
        Ok(request) => Some(request),
        Err(faults) => {
            wrong.add_violations(&faults, &Unnamed, &Path::WHOLE);
            None
        }
    }
}

/// How many choices may be missing.
fn target(levels: &[f64]) -> Option<BranchCost> {
    let wanted = *levels.first()?;
    (wanted >= 0.0).then_some(BranchCost {
        // Saturates: the bound holds for all trees.
        missing: wanted as usize,
    })
}

/// Limits of problems, and of choices.
pub(crate) fn branch_limits() -> Vec<pb::ServerLimit> {
    let own = [
        ("choices", CHOICES_MAX),
        ("depth", DEPTH_MAX),
        ("width", WIDTH_MAX),
        ("paths", PATHS_MAX),
        ("continuation_iterations", ITERATIONS_MAX),
    ];
    let mut limits = super::info::limits();
    limits.extend(own.iter().map(info::elements));
    limits
}

/// The answer that an outcome is.
pub(crate) fn branch_answer(
    asked: &Asked<BranchStory>,
    outcome: &Outcome<StoryBranching>,
) -> pb::BranchStoryResponse {
    let best = outcome.best.as_deref();
    let style = asked.request.names.style;
    let none = || pb::Explanation {
        summary: "There was no time to look for choices.".into(),
        ..pb::Explanation::default()
    };
    pb::BranchStoryResponse {
        event: None,
        plan: best.map(|best| branches(asked, &best.plan)),
        ink: best.map_or_else(String::new, |best| {
            ink(&asked.request.problem, &best.plan, style)
        }),
        report: Some(pb::SolveReport {
            explanation: best.is_none().then(none),
            ..common(asked, outcome)
        }),
    }
}

/// The answer so far.
pub(crate) fn branch_step(
    asked: &Asked<BranchStory>,
    best: &Found<StoryBranching>,
) -> Option<pb::BranchStoryResponse> {
    Some(pb::BranchStoryResponse {
        plan: Some(branches(asked, &best.plan)),
        ..pb::BranchStoryResponse::default()
    })
}

/// The objective of choices.
pub(crate) fn branch_objective(found: &Found<StoryBranching>) -> pb::Objective {
    let (tree, cost) = (&found.plan, found.cost);
    // A few thousand at most.
    let term = |name: &str, value: usize| solve::score(name, value as f64, name);
    pb::Objective {
        levels: vec![cost.missing as f64],
        terms: vec![
            term("choices", CHOICES_MAX - cost.missing),
            term("knots", tree.knots.len()),
            term("paths", tree.paths(PATHS_MAX).len()),
        ],
    }
}

/// Choices for the wire.
fn branches(asked: &Asked<BranchStory>, tree: &BranchingStory) -> pb::StoryBranches {
    let (request, style) = (&*asked.request.problem, asked.request.names.style);
    let problem = request.problem();
    // A few thousand at most.
    let index = |index: usize| i32::try_from(index).unwrap_or(i32::MAX);
    let choice = |choice: &story::branch::Choice| pb::StoryChoice {
        act: Some(act(problem, &choice.action)),
        text: texts(problem, std::slice::from_ref(&choice.action), style).join(" "),
        worth: choice.worth,
        knot_index: index(choice.knot),
    };
    let knots = tree.knots.iter().map(|knot| pb::StoryKnot {
        acts: knot.actions.iter().map(|a| act(problem, a)).collect(),
        texts: texts(problem, &knot.actions, style),
        choices: knot.choices.iter().map(choice).collect(),
        next_knot_index: knot.next.map(index),
    });
    pb::StoryBranches {
        player_id: problem.entities()[request.player()].name.clone(),
        knots: knots.collect(),
    }
}
