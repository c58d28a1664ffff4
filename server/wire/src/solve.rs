//! How to search, and what came of it: the same for all planners.

use super::values::{duration, duration_of_micros, rounded_micros};
use anytime::{Conclusion, Stop, Timings};
use std::time::Duration;
use stratagem_proto::v1 as pb;

/// How to search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// Time budget; `None`: the default of the server.
    pub budget: Option<Duration>,
    /// Iteration limit.
    pub iterations_max: Option<u64>,
    /// Seed of all randomness.
    pub seed: i64,
    /// 1 to [`THREADS_MAX`](anytime::THREADS_MAX).
    pub threads: usize,
    /// Empty for the default.
    pub strategy: String,
    /// Empty for none.
    pub target: Vec<f64>,
    /// Which requests go first.
    pub priority: pb::Priority,
    /// Whether nothing is to be searched.
    pub validate_only: bool,
    /// 0 for the strategy's own choice.
    pub width: usize,
}

/// The options of a request whose rules are checked.
pub fn options(given: Option<pb::SolveOptions>) -> Options {
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
    let pb::SolveEngineOptions {
        threads,
        parallel_width,
    } = engine.unwrap_or_default();
    let count = |given: Option<i32>| given.and_then(|given| usize::try_from(given).ok());
    Options {
        budget: time_budget.map(budget),
        iterations_max: max_iterations.and_then(|given| u64::try_from(given).ok()),
        seed,
        threads: count(threads).unwrap_or(1),
        strategy,
        target: target.map(|given| given.levels).unwrap_or_default(),
        priority: pb::Priority::try_from(priority).unwrap_or_default(),
        validate_only,
        width: count(parallel_width).unwrap_or(0),
    }
}

fn budget(given: prost_types::Duration) -> Duration {
    Duration::from_micros(u64::try_from(rounded_micros(&given)).unwrap_or(1))
}

/// Why the search ended.
pub fn stop_reason(conclusion: Conclusion) -> pb::StopReason {
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

/// What is known about the answer. `complete`: there is a plan that satisfies every rule.
pub fn status(conclusion: Conclusion, complete: bool) -> pb::SolveStatus {
    use pb::SolveStatus as Status;
    match (conclusion, complete) {
        (Conclusion::Optimal, true) => Status::Optimal,
        (Conclusion::Infeasible | Conclusion::Partial(_), false) => Status::Infeasible,
        (_, true) => Status::Feasible,
        (_, false) => Status::Unknown,
    }
}

/// Whether the same request gives the same plan again.
pub fn is_reproducible(conclusion: Conclusion) -> bool {
    match conclusion {
        Conclusion::Optimal | Conclusion::Infeasible => true,
        Conclusion::Partial(stop) | Conclusion::Stopped(stop) => stop.is_reproducible(),
    }
}

/// How far a plan may be from the best, as documented in `SolveReport.gap`.
pub fn gap(levels: &[f64], bound: &[f64]) -> Option<f64> {
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

/// A term of an objective; smaller values of it are better.
pub fn cost(name: &str, value: f64, unit: &str) -> pb::ObjectiveTerm {
    pb::ObjectiveTerm {
        name: name.into(),
        value,
        unit: unit.into(),
        sense: pb::ObjectiveSense::Minimize.into(),
    }
}

/// A term of an objective; larger values of it are better.
pub fn score(name: &str, value: f64, unit: &str) -> pb::ObjectiveTerm {
    pb::ObjectiveTerm {
        sense: pb::ObjectiveSense::Maximize.into(),
        ..cost(name, value, unit)
    }
}

/// Times for the wire.
pub fn timings(timings: &Timings) -> pb::SolveTimings {
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
pub fn validated(options: &Options, budget: Duration, times: &Timings) -> pb::SolveReport {
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
pub fn status_name(status: pb::SolveStatus) -> &'static str {
    short(status.as_str_name(), "SOLVE_STATUS_")
}

/// Name of a stop reason for logs and metrics.
pub fn stop_name(stop: pb::StopReason) -> &'static str {
    short(stop.as_str_name(), "STOP_REASON_")
}

fn short(name: &'static str, prefix: &str) -> &'static str {
    name.strip_prefix(prefix).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{gap, is_reproducible, options, status, stop_name, stop_reason};
    use crate::solve::Options;
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
        let read = options(None);
        let wanted = Options {
            threads: 1,
            ..Options::default()
        };
        assert_eq!(read, wanted);
    }
}
