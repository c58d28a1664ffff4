//! What came of a search for stories, for the wire.

use super::explain::unmet;
use super::plan::plan;
use super::request::level;
use crate::rpc::contract::GenerateStory;
use crate::rpc::{Asked, Now};
use crate::run::Outcome;
use crate::wire::report::common;
use crate::wire::solve;
use ::story::Story;
use anytime::Conclusion;
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
    let cost = best.map(|best| best.cost);
    // What is proved to be the best is its own bound.
    let bound = match (outcome.conclusion, cost) {
        (Conclusion::Optimal, Some(cost)) => {
            Some((cost, outcome.bound.map_or("exhausted", |bound| bound.1)))
        }
        _ => outcome.bound,
    };
    let (bound, gap) = bound_and_gap(cost, bound);
    let explanation = match best {
        Some(_) => account.and_then(|account| unmet(problem, account)),
        None => Some(none_found(outcome.conclusion)),
    };
    pb::GenerateStoryResponse {
        event: None,
        plan: best.map(|best| plan(problem, names, &best.plan, best.cost, account)),
        report: Some(pb::SolveReport {
            objective: best.map(|best| objective(best.cost, best.plan.actions.len(), account)),
            bound,
            gap,
            explanation,
            ..common(asked, outcome)
        }),
    }
}

/// Why there is no story.
pub(super) fn none_found(conclusion: Conclusion) -> pb::Explanation {
    let summary = match conclusion {
        Conclusion::Infeasible => "In no story everything happens that has to happen.",
        _ => {
            "No story was found in which everything happens that has to; nor is it proved that \
             there is none."
        }
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

fn bound_and_gap(
    best: Option<Cost>,
    bound: Option<(Cost, &'static str)>,
) -> (Option<pb::ProvedBound>, Option<f64>) {
    let score = bound.map(|(cost, _)| solve::score("score", cost.score(), ""));
    let (bound, gap) = solve::bound_and_gap(best, bound, |cost| vec![level(cost)]);
    let bound = bound.map(|bound| pb::ProvedBound {
        terms: score.into_iter().collect(),
        ..bound
    });
    (bound, gap)
}

/// A step of a stream for the wire, before the last.
pub(crate) fn update(
    asked: &Asked<GenerateStory>,
    event: pb::SolveEvent,
    now: &Now<'_, GenerateStory>,
) -> pb::GenerateStoryResponse {
    let (problem, names) = (&*asked.request.problem, &*asked.request.names);
    let (bound, gap) = bound_and_gap(now.best.map(|best| best.cost), now.bound);
    let improved = now.improved();
    pb::GenerateStoryResponse {
        event: Some(pb::SolveEvent {
            objective: now
                .best
                .map(|best| objective(best.cost, best.plan.actions.len(), None)),
            bound,
            gap,
            ..event
        }),
        plan: improved.map(|best| plan(problem, names, &best.plan, best.cost, None)),
        report: None,
    }
}
