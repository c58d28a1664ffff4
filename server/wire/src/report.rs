//! The report of a search: what is the same in all planners.

use super::solve;
use super::values::duration;
use crate::method::{Asked, CostOf, Method};
use anytime::{Bound, Conclusion, Found, Mark, Outcome, Planner, Snapshot, Timings};
use stratagem_proto::v1 as pb;

/// The report of an outcome, without an explanation.
pub(crate) fn common<M: Method>(
    asked: &Asked<M>,
    outcome: &Outcome<M::Planner>,
) -> pb::SolveReport {
    let request = &asked.request;
    let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    let reproducible = solve::is_reproducible(outcome.conclusion) && !outcome.cut_short;
    let best = outcome.best.as_deref();
    let objective = best.and_then(|best| M::objective(asked, best, outcome.reasons.as_deref()));
    // What is proved to be the best is its own bound.
    let proved = match (outcome.conclusion, best) {
        (Conclusion::Optimal, Some(best)) => {
            let method = outcome.bound.map_or("exhausted", |(_, method)| method);
            Some((best.cost, method))
        }
        // Where there is no plan there is nothing to bound.
        (Conclusion::Infeasible, _) if objective.is_none() => None,
        _ => outcome.bound,
    };
    let (bound, gap) = bound_and_gap(asked, best.map(|best| &best.cost), proved);
    pb::SolveReport {
        status: solve::status(outcome.conclusion, outcome.is_complete()).into(),
        stop_reason: solve::stop_reason(outcome.conclusion).into(),
        objective,
        bound,
        gap,
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
        time_budget: Some(duration(asked.budget)),
        shared: false,
        reproducible,
        notes: Vec::new(),
    }
}

/// A step before the last: its event, and the answer so far if it brings a better plan.
pub fn progress<M: Method>(
    asked: &Asked<M>,
    now: &Snapshot<M::Planner>,
) -> (pb::SolveEvent, Option<M::Answer>) {
    let best = now.best.as_deref();
    let answer = best.filter(|_| now.is_new);
    let answer = answer.and_then(|best| M::step(asked, best));
    let (bound, gap) = bound_and_gap(asked, best.map(|best| &best.cost), now.bound);
    let event = pb::SolveEvent {
        objective: best.and_then(|best| M::objective(asked, best, None)),
        bound,
        gap,
        iterations: i64::try_from(now.iterations).unwrap_or(i64::MAX),
        // What is new may be no plan, but a proof or a reason.
        heartbeat: answer.is_none(),
        ..event(now.at, best, now.is_new)
    };
    (event, answer)
}

/// A bound for the wire, and the gap of the best cost to it. Planners say in words how it was
/// proved; there it is a name in snake case.
fn bound_and_gap<M: Method>(
    asked: &Asked<M>,
    best: Option<&CostOf<M>>,
    proved: Option<Bound<M::Planner>>,
) -> (Option<pb::ProvedBound>, Option<f64>) {
    let Some((cost, method)) = proved else {
        return (None, None);
    };
    let Some(levels) = M::levels(asked, &cost) else {
        return (None, None);
    };
    let best = best.and_then(|best| M::levels(asked, best));
    let gap = best.and_then(|best| solve::gap(&best, &levels));
    let bound = pb::ProvedBound {
        levels,
        method: method.replace(' ', "_"),
        terms: M::bound_terms(&cost),
    };
    (Some(bound), gap)
}

/// An event, without what only its planner knows: objective, bound and gap.
pub fn event<P: Planner>(at: Mark, best: Option<&Found<P>>, is_new: bool) -> pb::SolveEvent {
    pb::SolveEvent {
        sequence: at.sequence,
        elapsed: Some(duration(at.elapsed)),
        found_by: best.map(|best| best.found_by.clone()).unwrap_or_default(),
        heartbeat: !is_new,
        ..pb::SolveEvent::default()
    }
}

/// The last step of a stream, which says what the report says.
pub fn ended(event: pb::SolveEvent, report: &pb::SolveReport) -> pb::SolveEvent {
    pb::SolveEvent {
        objective: report.objective.clone(),
        bound: report.bound.clone(),
        gap: report.gap,
        iterations: report.iterations,
        ..event
    }
}
