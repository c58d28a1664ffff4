//! What came of a search for levels, for the wire.

use super::explanation::{lacking, none_found};
use super::objective::objective;
use super::plan::{features_of, plan};
use crate::contract::GeneratePuzzle;
use crate::method::Asked;
use crate::report::common;
use ::puzzle::Puzzle;
use anytime::{Found, Outcome};
use stratagem_proto::v1 as pb;

/// The answer that an outcome is.
pub(crate) fn answer(
    asked: &Asked<GeneratePuzzle>,
    outcome: &Outcome<Puzzle>,
) -> pb::GeneratePuzzleResponse {
    let problem = &*asked.request.problem;
    let best = outcome.best.as_deref();
    let explanation = match best {
        Some(best) => lacking(problem, &best.plan),
        None => Some(none_found(outcome.conclusion, outcome.reasons.as_deref())),
    };
    pb::GeneratePuzzleResponse {
        event: None,
        plan: best.map(|best| plan(problem, &best.plan, &features_of(&best.plan))),
        report: Some(pb::SolveReport {
            explanation,
            ..common(asked, outcome)
        }),
    }
}

/// The answer so far.
pub(crate) fn step(
    asked: &Asked<GeneratePuzzle>,
    best: &Found<Puzzle>,
) -> Option<pb::GeneratePuzzleResponse> {
    let features = features_of(&best.plan);
    Some(pb::GeneratePuzzleResponse {
        plan: Some(plan(&asked.request.problem, &best.plan, &features)),
        ..pb::GeneratePuzzleResponse::default()
    })
}

/// The objective of a plan, with the features that have a weight.
pub(crate) fn found_objective(
    asked: &Asked<GeneratePuzzle>,
    found: &Found<Puzzle>,
) -> pb::Objective {
    let features = features_of(&found.plan);
    objective(&asked.request.problem, found.cost, &features)
}
