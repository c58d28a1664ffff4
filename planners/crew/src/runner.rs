//! The planner, as the runner sees it.

use crate::explain::{Impossible, explain};
use crate::{Cost, Params, Plan, Problem, solve, verify};
use anytime::{Pulse, Runnable};

anytime::planner! {
    /// The planner, as its runner sees it.
    pub struct Crew;
}

// A plan without a point counts as partial; why some numbers of players are infeasible is reported
// anyway.
impl Runnable for Crew {
    const NAME: &'static str = "crew";
    const NODE_BYTES: usize = 800;
    type Reasons = Vec<Impossible>;

    fn elements(problem: &Problem) -> usize {
        problem.spec().vertices
    }

    fn is_partial(_: &Problem, plan: &Plan) -> bool {
        let mut fronts = plan.events.iter().flatten();
        fronts.all(|front| front.points.is_empty())
    }

    fn explain(problem: &Problem, plan: Option<&Plan>, wanted: &Pulse) -> Option<Vec<Impossible>> {
        explain(problem, plan?, wanted)
    }
}
