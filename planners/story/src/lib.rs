//! Story: believable stories that reach their goals.
pub mod errors;
mod machine;
pub mod plan;
pub mod play;
pub mod problem;
pub mod solve;
pub mod spec;
pub mod tree;
pub mod verify;

pub use errors::{ProblemError, Reason};
pub use plan::{Action, Cost, Plan};
pub use play::Play;
pub use problem::Problem;
pub use solve::{Params, Strategy, solve};
pub use spec::Spec;
pub use verify::{Account, Violation, account, verify};

/// The planner, as its runner sees it.
#[derive(Debug, Clone, Copy)]
pub struct Story;

impl anytime::Planner for Story {
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
