//! What came of a search for levels, for the wire.

use super::explanation::{lacking, none_found};
use super::objective::{bound_and_gap, objective};
use super::plan::{features_of, plan};
use crate::rpc::contract::GeneratePuzzle;
use crate::rpc::{Asked, Now};
use crate::run::Outcome;
use crate::wire::report::common;
use ::puzzle::Puzzle;
use anytime::Conclusion;
use stratagem_proto::v1 as pb;

/// The answer that an outcome is.
pub(crate) fn answer(
    asked: &Asked<GeneratePuzzle>,
    outcome: &Outcome<Puzzle>,
) -> pb::GeneratePuzzleResponse {
    let problem = &*asked.request.problem;
    let best = outcome.best.as_deref();
    let features = best.map(|best| features_of(&best.plan));
    // What is proved to be the best is its own bound.
    let bound = match (outcome.conclusion, best) {
        (Conclusion::Optimal, Some(best)) => Some((
            best.cost,
            outcome.bound.map_or("exhausted", |bound| bound.1),
        )),
        _ => outcome.bound,
    };
    let (bound, gap) = bound_and_gap(best.map(|best| best.cost), bound);
    let explanation = match best {
        Some(best) => lacking(problem, &best.plan),
        None => Some(none_found(outcome.conclusion, outcome.reasons.as_deref())),
    };
    let found = best.zip(features.as_deref());
    pb::GeneratePuzzleResponse {
        event: None,
        plan: found.map(|(best, features)| plan(problem, &best.plan, features)),
        report: Some(pb::SolveReport {
            objective: found.map(|(best, features)| objective(problem, best.cost, Some(features))),
            bound,
            gap,
            explanation,
            ..common(asked, outcome)
        }),
    }
}

/// A step of a stream for the wire, before the last.
pub(crate) fn update(
    asked: &Asked<GeneratePuzzle>,
    event: pb::SolveEvent,
    now: &Now<'_, GeneratePuzzle>,
) -> pb::GeneratePuzzleResponse {
    let problem = &*asked.request.problem;
    let (bound, gap) = bound_and_gap(now.best.map(|best| best.cost), now.bound);
    let improved = now.improved();
    let features = improved.map(|best| features_of(&best.plan));
    pb::GeneratePuzzleResponse {
        event: Some(pb::SolveEvent {
            objective: now
                .best
                .map(|best| objective(problem, best.cost, features.as_deref())),
            bound,
            gap,
            ..event
        }),
        plan: improved
            .zip(features.as_deref())
            .map(|(best, features)| plan(problem, &best.plan, features)),
        report: None,
    }
}
