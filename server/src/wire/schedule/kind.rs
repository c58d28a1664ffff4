//! The planner, as the runner sees it.

use crate::run::Kind;
use ::schedule::{Conflict, Plan, Problem, Schedule, conflict};
use anytime::Pulse;

impl Kind for Schedule {
    const NAME: &'static str = "schedule";
    type Reasons = Conflict;

    fn elements(problem: &Problem) -> usize {
        problem.spec().activities.len()
    }

    fn explain(problem: &Problem, plan: Option<&Plan>, wanted: &Pulse) -> Option<Conflict> {
        match plan {
            Some(_) => None,
            None => conflict(problem, wanted),
        }
    }
}
