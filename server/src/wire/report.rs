//! The report of a search: what is the same in all planners.

use super::solve::{self, Timings};
use super::values::duration;
use crate::rpc::{Asked, Method};
use crate::run::steps::Mark;
use crate::run::{Found, Kind, Outcome};
use stratagem_proto::v1 as pb;

/// The report of an outcome, without what only its planner knows: objective, bound, gap and
/// explanation.
pub(crate) fn common<M: Method>(
    asked: &Asked<M>,
    outcome: &Outcome<M::Planner>,
) -> pb::SolveReport {
    let request = &asked.request;
    let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    let reproducible = solve::is_reproducible(outcome.conclusion) && !outcome.cut_short;
    pb::SolveReport {
        status: solve::status(outcome.conclusion, outcome.is_complete()).into(),
        stop_reason: solve::stop_reason(outcome.conclusion).into(),
        objective: None,
        bound: None,
        gap: None,
        explanation: None,
        seed: request.options.seed,
        iterations: i64::try_from(outcome.iterations).unwrap_or(i64::MAX),
        timings: Some(solve::timings(&Timings {
            validate: asked.validate,
            ..outcome.timings
        })),
        strategy: request.strategy.into(),
        threads: count(outcome.threads),
        parallel_width: count(request.width),
        time_budget: Some(duration(asked.budget.length())),
        shared: false,
        reproducible,
        notes: Vec::new(),
    }
}

/// A step of a stream, without what only its planner knows: objective, bound and gap.
pub(crate) fn event<P: Kind>(at: Mark, best: Option<&Found<P>>, is_new: bool) -> pb::SolveEvent {
    pb::SolveEvent {
        sequence: at.sequence,
        elapsed: Some(duration(at.elapsed)),
        found_by: best.map(|best| best.found_by.clone()).unwrap_or_default(),
        heartbeat: !is_new,
        ..pb::SolveEvent::default()
    }
}

/// The last step of a stream, which says what the report says.
pub(crate) fn ended(event: pb::SolveEvent, report: &pb::SolveReport) -> pb::SolveEvent {
    pb::SolveEvent {
        objective: report.objective.clone(),
        bound: report.bound.clone(),
        gap: report.gap,
        iterations: report.iterations,
        ..event
    }
}
