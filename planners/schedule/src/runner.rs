//! The planner, as the runner sees it.

use crate::{Conflict, Cost, Params, Plan, Problem, conflict, solve, verify};
use anytime::{Pulse, Runnable};

anytime::planner! {
    /// The planner, as its runner sees it.
    pub struct Schedule;
}

impl Runnable for Schedule {
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
