//! How to search, and what came of it: the same for all planners.

use super::mistakes::{Code, Mistakes};
use super::path::Path;
use super::values::{duration, duration_of_micros};
use anytime::{Conclusion, Stop, THREADS_MAX};
use std::time::Duration;
use stratagem_proto::v1 as pb;

/// Longest time budget that a request may name.
const BUDGET_MAX: Duration = Duration::from_secs(86_400);
/// Most iterations that a request may name.
pub(crate) const ITERATIONS_MAX: i64 = 1_000_000_000_000;
/// Most levels of a target.
const LEVELS_MAX: usize = 8;

/// Who goes first, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Class {
    /// Whenever nobody else wants the slot.
    Low,
    /// The usual class.
    #[default]
    Normal,
    /// A player is waiting.
    High,
}

impl Class {
    /// Its name in metrics.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }
}

/// How to search, as asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Options {
    pub budget: Option<Duration>,
    pub iterations_max: Option<u64>,
    pub seed: i64,
    /// 1 to [`THREADS_MAX`].
    pub threads: usize,
    /// Empty for the default.
    pub strategy: String,
    /// Empty for none.
    pub target: Vec<f64>,
    pub class: Class,
    pub validate_only: bool,
    /// 0 for the strategy's own choice.
    pub width: usize,
}

/// The options of a request; wrong ones are replaced by defaults.
pub(crate) fn options(
    given: Option<pb::SolveOptions>,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Options {
    let pb::SolveOptions {
        time_budget,
        max_iterations,
        seed,
        strategy,
        target,
        priority,
        validate_only,
        engine,
    } = given.unwrap_or_default();
    let max_iterations = max_iterations
        .map(|given| wrong.whole(&at.field("max_iterations"), given, 1..=ITERATIONS_MAX));
    let pb::SolveEngineOptions {
        threads,
        parallel_width,
    } = engine.unwrap_or_default();
    let engine_at = at.field("engine");
    let threads = wrong.count(&engine_at.field("threads"), threads, 1..=THREADS_MAX);
    let width_at = engine_at.field("parallel_width");
    let width = wrong.count(&width_at, parallel_width, 1..=THREADS_MAX);
    Options {
        budget: time_budget.map(|given| budget(given, &at.field("time_budget"), wrong)),
        iterations_max: max_iterations.and_then(|given| u64::try_from(given).ok()),
        seed,
        threads: threads.unwrap_or(1),
        strategy,
        target: target
            .map(|given| levels(&given, &at.field("target"), wrong))
            .unwrap_or_default(),
        class: class(priority, &at.field("priority"), wrong),
        validate_only,
        width: width.unwrap_or(0),
    }
}

fn budget(given: prost_types::Duration, at: &Path<'_>, wrong: &mut Mistakes) -> Duration {
    let most = i64::try_from(BUDGET_MAX.as_micros()).unwrap_or(i64::MAX);
    let micros = wrong.micros(at, given, 1..=most);
    Duration::from_micros(u64::try_from(micros).unwrap_or(1))
}

fn levels(given: &pb::ObjectiveTarget, at: &Path<'_>, wrong: &mut Mistakes) -> Vec<f64> {
    let pb::ObjectiveTarget { levels } = given;
    let at = at.field("levels");
    if levels.is_empty() {
        wrong.add(&at, Code::Required, "is required");
    }
    if !wrong.size(&at, levels.len(), LEVELS_MAX) {
        return Vec::new();
    }
    for (i, level) in levels.iter().enumerate() {
        wrong.number(&at.index(i), *level, f64::MIN..=f64::MAX);
    }
    levels.clone()
}

fn class(given: i32, at: &Path<'_>, wrong: &mut Mistakes) -> Class {
    use pb::Priority;
    match wrong.choice(at, given).unwrap_or_default() {
        Priority::Unspecified | Priority::Normal => Class::Normal,
        Priority::Low => Class::Low,
        Priority::High => Class::High,
    }
}

/// Why the search ended.
pub(crate) fn stop_reason(conclusion: Conclusion) -> pb::StopReason {
    use pb::StopReason as Reason;
    match conclusion {
        Conclusion::Optimal | Conclusion::Infeasible => Reason::Proved,
        Conclusion::Partial(stop) | Conclusion::Stopped(stop) => match stop {
            Stop::Deadline => Reason::Deadline,
            Stop::Iterations => Reason::IterationLimit,
            Stop::Target => Reason::Target,
            Stop::Cancelled => Reason::Cancelled,
            Stop::Draining => Reason::Draining,
            Stop::Yielded => Reason::Yielded,
            Stop::Exhausted => Reason::Exhausted,
        },
    }
}

/// What is known about the answer. `complete`: there is a plan that keeps every rule.
pub(crate) fn status(conclusion: Conclusion, complete: bool) -> pb::SolveStatus {
    use pb::SolveStatus as Status;
    match (conclusion, complete) {
        (Conclusion::Optimal, true) => Status::Optimal,
        (Conclusion::Infeasible | Conclusion::Partial(_), false) => Status::Infeasible,
        (_, true) => Status::Feasible,
        (_, false) => Status::Unknown,
    }
}

/// Whether the same request gives the same plan again.
pub(crate) fn is_reproducible(conclusion: Conclusion) -> bool {
    match conclusion {
        Conclusion::Optimal | Conclusion::Infeasible => true,
        Conclusion::Partial(stop) | Conclusion::Stopped(stop) => stop.is_reproducible(),
    }
}

/// How far a plan may be from the best, as documented in `SolveReport.gap`.
pub(crate) fn gap(levels: &[f64], bound: &[f64]) -> Option<f64> {
    let differs = levels
        .iter()
        .zip(bound)
        .find(|(level, bound)| level != bound);
    match differs {
        None => Some(0.0),
        Some((level, _)) if *level <= 0.0 => None,
        Some((level, bound)) => Some(((level - bound) / level).clamp(0.0, 1.0)),
    }
}

/// A bound for the wire. Planners say in words how it was proved; there it is a name in snake case.
pub(crate) fn bound(levels: Vec<f64>, method: &str) -> pb::ProvedBound {
    pb::ProvedBound {
        levels,
        method: method.replace(' ', "_"),
        terms: Vec::new(),
    }
}

/// Where the time of a request went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Timings {
    pub queue: Duration,
    pub validate: Duration,
    pub solve: Duration,
    pub verify: Duration,
    pub first_plan: Option<Duration>,
    /// Part of the search without slots.
    pub parked: Duration,
}

/// A term of an objective; smaller values of it are better.
pub(crate) fn cost(name: &str, value: f64, unit: &str) -> pb::ObjectiveTerm {
    pb::ObjectiveTerm {
        name: name.into(),
        value,
        unit: unit.into(),
        sense: pb::ObjectiveSense::Minimize.into(),
    }
}

/// A term of an objective; larger values of it are better.
pub(crate) fn score(name: &str, value: f64, unit: &str) -> pb::ObjectiveTerm {
    pb::ObjectiveTerm {
        sense: pb::ObjectiveSense::Maximize.into(),
        ..cost(name, value, unit)
    }
}

/// Times for the wire.
pub(crate) fn timings(timings: &Timings) -> pb::SolveTimings {
    let Timings {
        queue,
        validate,
        solve,
        verify,
        first_plan,
        parked,
    } = *timings;
    pb::SolveTimings {
        queue_duration: Some(duration(queue)),
        validate_duration: Some(duration(validate)),
        solve_duration: Some(duration(solve)),
        verify_duration: Some(duration(verify)),
        first_plan_duration: first_plan.map(duration),
        parked_duration: (parked > Duration::ZERO).then(|| duration(parked)),
    }
}

/// The report of a request that was only to be checked.
pub(crate) fn validated(options: &Options, budget: Duration, times: &Timings) -> pb::SolveReport {
    pb::SolveReport {
        status: pb::SolveStatus::Unknown.into(),
        stop_reason: pb::StopReason::Validated.into(),
        seed: options.seed,
        timings: Some(timings(times)),
        time_budget: Some(duration_of_micros(
            i64::try_from(budget.as_micros()).unwrap_or(i64::MAX),
        )),
        reproducible: true,
        ..pb::SolveReport::default()
    }
}

/// Name of a status for logs and metrics.
pub(crate) fn status_name(status: pb::SolveStatus) -> &'static str {
    short(status.as_str_name(), "SOLVE_STATUS_")
}

/// Name of a stop reason for logs and metrics.
pub(crate) fn stop_name(stop: pb::StopReason) -> &'static str {
    short(stop.as_str_name(), "STOP_REASON_")
}

fn short(name: &'static str, prefix: &str) -> &'static str {
    name.strip_prefix(prefix).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{gap, is_reproducible, options, status, stop_name, stop_reason};
    use crate::wire::mistakes::Mistakes;
    use crate::wire::path::Path;
    use crate::wire::solve::{Class, Options};
    use anytime::{Conclusion, Stop};
    use stratagem_proto::v1 as pb;

    #[test]
    fn the_gap_is_that_of_the_first_level_that_differs() {
        assert_eq!(gap(&[2.0, 8.0], &[1.0, 0.0]), Some(0.5));
        assert_eq!(gap(&[0.0, 8.0], &[0.0, 6.0]), Some(0.25));
        assert_eq!(gap(&[0.0, 8.0], &[0.0, 8.0]), Some(0.0));
        assert_eq!(
            gap(&[0.0, 8.0], &[-1.0, 8.0]),
            None,
            "of nothing there is no share"
        );
        assert_eq!(gap(&[4.0], &[-4.0]), Some(1.0));
    }

    #[test]
    fn status_and_stop_reason_are_two_things() {
        use pb::SolveStatus as S;
        let stopped = Conclusion::Stopped(Stop::Deadline);
        for (conclusion, complete, wanted) in [
            (Conclusion::Optimal, true, S::Optimal),
            (Conclusion::Infeasible, false, S::Infeasible),
            (stopped, true, S::Feasible),
            (stopped, false, S::Unknown),
            // Claims that contradict what is there are not repeated.
            (Conclusion::Optimal, false, S::Unknown),
            (Conclusion::Infeasible, true, S::Feasible),
            (Conclusion::Partial(Stop::Deadline), false, S::Infeasible),
        ] {
            assert_eq!(
                status(conclusion, complete),
                wanted,
                "{conclusion:?} {complete}"
            );
        }
        assert_eq!(stop_name(stop_reason(Conclusion::Optimal)), "PROVED");
        assert_eq!(stop_name(stop_reason(stopped)), "DEADLINE");
        assert!(is_reproducible(Conclusion::Infeasible) && !is_reproducible(stopped));
        assert!(!is_reproducible(Conclusion::Stopped(Stop::Draining)));
        assert!(!is_reproducible(Conclusion::Partial(Stop::Deadline)));
    }

    #[test]
    fn without_options_the_defaults_hold() {
        let mut wrong = Mistakes::default();
        let read = options(None, &Path::root("options"), &mut wrong);
        let wanted = Options {
            threads: 1,
            class: Class::Normal,
            ..Options::default()
        };
        assert_eq!(read, wanted);
        assert!(wrong.is_empty());
    }
}
