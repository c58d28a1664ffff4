//! The one table from HiGHS's model statuses to verdicts.

use crate::{Failure, Verdict};
use anytime::Stop;
use highs_sys::{
    HighsInt, MODEL_STATUS_INFEASIBLE, MODEL_STATUS_LOAD_ERROR, MODEL_STATUS_MODEL_EMPTY,
    MODEL_STATUS_MODEL_ERROR, MODEL_STATUS_NOTSET, MODEL_STATUS_OBJECTIVE_BOUND,
    MODEL_STATUS_OBJECTIVE_TARGET, MODEL_STATUS_OPTIMAL, MODEL_STATUS_POSTSOLVE_ERROR,
    MODEL_STATUS_PRESOLVE_ERROR, MODEL_STATUS_REACHED_INTERRUPT,
    MODEL_STATUS_REACHED_ITERATION_LIMIT, MODEL_STATUS_REACHED_MEMORY_LIMIT,
    MODEL_STATUS_REACHED_SOLUTION_LIMIT, MODEL_STATUS_REACHED_TIME_LIMIT, MODEL_STATUS_SOLVE_ERROR,
    MODEL_STATUS_UNBOUNDED, MODEL_STATUS_UNBOUNDED_OR_INFEASIBLE, MODEL_STATUS_UNKNOWN,
};

/// `kHighsInterrupt` of HiGHS 1.15's HConst.h, which its C interface does not name.
const MODEL_STATUS_INTERNAL_INTERRUPT: HighsInt = 19;

/// Why a solve failed that would fail again.
pub(crate) const LACK_OF_MEMORY: &str = "a lack of memory";

/// What HiGHS's `status` means, when the outside asked to stop for the reason `asked`.
///
/// `Optimal` is still only a claim of the solver.
pub(crate) fn verdict(status: HighsInt, asked: Option<Stop>) -> Verdict {
    let failed = |why| Verdict::Failed(Failure::Solver(why));
    match status {
        MODEL_STATUS_OPTIMAL => Verdict::Optimal,
        MODEL_STATUS_INFEASIBLE => Verdict::Infeasible,
        MODEL_STATUS_UNBOUNDED => Verdict::Unbounded,
        MODEL_STATUS_UNBOUNDED_OR_INFEASIBLE => Verdict::InfeasibleOrUnbounded,
        // A time limit is set only where there is a deadline.
        MODEL_STATUS_REACHED_TIME_LIMIT => Verdict::Stopped(asked.unwrap_or(Stop::Deadline)),
        // HiGHS files its limit on nodes under solutions.
        MODEL_STATUS_REACHED_ITERATION_LIMIT | MODEL_STATUS_REACHED_SOLUTION_LIMIT => {
            Verdict::Stopped(Stop::Iterations)
        }
        MODEL_STATUS_REACHED_INTERRUPT | MODEL_STATUS_INTERNAL_INTERRUPT => asked.map_or(
            failed("an interrupt that nobody asked for"),
            Verdict::Stopped,
        ),
        MODEL_STATUS_REACHED_MEMORY_LIMIT => failed(LACK_OF_MEMORY),
        MODEL_STATUS_NOTSET => failed("no status"),
        MODEL_STATUS_LOAD_ERROR => failed("an error in loading"),
        MODEL_STATUS_MODEL_ERROR => failed("an error in the model"),
        MODEL_STATUS_PRESOLVE_ERROR => failed("an error in presolve"),
        MODEL_STATUS_SOLVE_ERROR => failed("an error in solving"),
        MODEL_STATUS_POSTSOLVE_ERROR => failed("an error in postsolve"),
        // Models without variables are never handed over.
        MODEL_STATUS_MODEL_EMPTY => failed("an empty model"),
        // Neither is ever set.
        MODEL_STATUS_OBJECTIVE_BOUND => failed("a bound on the objective"),
        MODEL_STATUS_OBJECTIVE_TARGET => failed("a target of the objective"),
        MODEL_STATUS_UNKNOWN => failed("numerical trouble"),
        _ => failed("a status that is not in its documentation"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows that `tests/milp/ending.rs` cannot provoke, and those it can, without a solver.
    #[test]
    fn every_status_of_highs_has_its_verdict() {
        let none = |status| verdict(status, None);
        assert_eq!(none(MODEL_STATUS_OPTIMAL), Verdict::Optimal);
        assert_eq!(none(MODEL_STATUS_INFEASIBLE), Verdict::Infeasible);
        assert_eq!(none(MODEL_STATUS_UNBOUNDED), Verdict::Unbounded);
        let either = none(MODEL_STATUS_UNBOUNDED_OR_INFEASIBLE);
        assert_eq!(either, Verdict::InfeasibleOrUnbounded);
        let late = none(MODEL_STATUS_REACHED_TIME_LIMIT);
        assert_eq!(late, Verdict::Stopped(Stop::Deadline));
        for limit in [
            MODEL_STATUS_REACHED_ITERATION_LIMIT,
            MODEL_STATUS_REACHED_SOLUTION_LIMIT,
        ] {
            assert_eq!(none(limit), Verdict::Stopped(Stop::Iterations));
        }
        let interrupts = [
            MODEL_STATUS_REACHED_INTERRUPT,
            MODEL_STATUS_INTERNAL_INTERRUPT,
        ];
        for interrupt in interrupts {
            for reason in [
                Stop::Cancelled,
                Stop::Draining,
                Stop::Deadline,
                Stop::Target,
            ] {
                let stopped = verdict(interrupt, Some(reason));
                assert_eq!(stopped, Verdict::Stopped(reason));
            }
            assert!(matches!(none(interrupt), Verdict::Failed(_)));
        }
        let failures = [
            MODEL_STATUS_NOTSET,
            MODEL_STATUS_LOAD_ERROR,
            MODEL_STATUS_MODEL_ERROR,
            MODEL_STATUS_PRESOLVE_ERROR,
            MODEL_STATUS_SOLVE_ERROR,
            MODEL_STATUS_POSTSOLVE_ERROR,
            MODEL_STATUS_MODEL_EMPTY,
            MODEL_STATUS_OBJECTIVE_BOUND,
            MODEL_STATUS_OBJECTIVE_TARGET,
            MODEL_STATUS_UNKNOWN,
            MODEL_STATUS_REACHED_MEMORY_LIMIT,
        ];
        for failure in failures {
            assert!(matches!(none(failure), Verdict::Failed(_)), "{failure}");
        }
        // Each of 0 to 19 is in exactly one of the lists above.
        assert_eq!(failures.len() + interrupts.len() + 7, 20);
    }

    #[test]
    fn a_failure_does_not_become_a_stop_because_somebody_asked() {
        let stop = Some(Stop::Cancelled);
        assert!(matches!(
            verdict(MODEL_STATUS_SOLVE_ERROR, stop),
            Verdict::Failed(_)
        ));
        assert_eq!(verdict(MODEL_STATUS_OPTIMAL, stop), Verdict::Optimal);
    }

    #[test]
    fn statuses_of_later_versions_are_failures() {
        for status in [-1, 20, HighsInt::MAX] {
            assert!(matches!(verdict(status, None), Verdict::Failed(_)));
        }
    }
}
