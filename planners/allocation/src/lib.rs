//! Allocation: which agent does which task, and in what order.

pub mod bound;
pub mod errors;
pub mod explain;
pub mod generate;
pub mod plan;
pub mod problem;
pub mod solve;
pub mod travel;
pub mod verify;

pub use bound::{impossible, is_infeasible, lower_bound, stuck};
pub use errors::ProblemError;
pub use plan::{Cost, Plan, Route, Stop, Terms};
pub use problem::Problem;
pub use solve::{Params, Strategy, solve};
pub use verify::{RouteTimes, Violation, is_partial, schedule, timeline, verify};

/// The planner, as its runner sees it.
#[derive(Debug, Clone, Copy)]
pub struct Allocation;

impl anytime::Planner for Allocation {
    type Problem = Problem;
    type Params = Params;
    type Plan = Plan;
    type Cost = Cost;
    type Violation = Violation;

    fn solve(
        problem: &Problem,
        params: &Params,
        control: &mut anytime::Control<'_, Plan, Cost>,
    ) -> Result<anytime::Conclusion, anytime::SolveError> {
        solve(problem, params, control)
    }

    fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Violation>> {
        verify(problem, plan)
    }
}
