//! What came of a search for stories, for the wire.

use super::explain::unmet;
use super::plan::plan;
use super::request::level;
use crate::contract::GenerateStory;
use crate::method::Asked;
use crate::report::common;
use crate::solve;
use ::story::Story;
use anytime::Conclusion;
use anytime::{Found, Outcome};
use story::{Account, Cost};
use stratagem_proto::v1 as pb;

/// The answer that an outcome is.
pub(crate) fn answer(
    asked: &Asked<GenerateStory>,
    outcome: &Outcome<Story>,
) -> pb::GenerateStoryResponse {
    let (problem, names) = (&*asked.request.problem, &*asked.request.names);
    let best = outcome.best.as_deref();
    let account = outcome.reasons.as_deref();
    let explanation = match best {
        Some(_) => account.and_then(|account| unmet(problem, account)),
        None => Some(none_found(outcome.conclusion)),
    };
    pb::GenerateStoryResponse {
        event: None,
        plan: best.map(|best| plan(problem, names, &best.plan, best.cost, account)),
        report: Some(pb::SolveReport {
            explanation,
            ..common(asked, outcome)
        }),
    }
}

/// Why there is no story.
pub(super) fn none_found(conclusion: Conclusion) -> pb::Explanation {
    let summary = match conclusion {
        Conclusion::Infeasible => "No story satisfies all required events.",
        // Several stories were wanted, which count only if they are worth something.
        Conclusion::Optimal => "It is proved that no story has a positive score.",
        _ => "No story that satisfies all required events was found; one may still exist.",
    };
    pb::Explanation {
        summary: summary.into(),
        ..pb::Explanation::default()
    }
}

/// A cost with its terms; those of a story that was looked at are all there.
pub(super) fn objective(cost: Cost, acts: usize, account: Option<&Account>) -> pb::Objective {
    let mut terms = vec![
        solve::score("score", cost.score(), ""),
        // At most 50.
        solve::cost("acts", acts as f64, "acts"),
    ];
    if let Some(account) = account {
        terms.push(solve::score("goals", account.goals, ""));
        terms.push(solve::score("believability", account.believability, ""));
    }
    pb::Objective {
        levels: vec![level(cost)],
        terms,
    }
}

/// A bound says the same of the score.
pub(super) fn bound_terms(cost: Cost) -> Vec<pb::ObjectiveTerm> {
    vec![solve::score("score", cost.score(), "")]
}

/// The answer so far.
pub(crate) fn step(
    asked: &Asked<GenerateStory>,
    best: &Found<Story>,
) -> Option<pb::GenerateStoryResponse> {
    let (problem, names) = (&*asked.request.problem, &*asked.request.names);
    Some(pb::GenerateStoryResponse {
        plan: Some(plan(problem, names, &best.plan, best.cost, None)),
        ..pb::GenerateStoryResponse::default()
    })
}
