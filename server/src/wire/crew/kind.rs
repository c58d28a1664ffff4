//! The planner, as the runner sees it.

use crate::run::Kind;
use ::crew::Crew;
use anytime::Pulse;

// A plan without a point counts as partial; why some numbers of players are infeasible is reported
// anyway.
impl Kind for Crew {
    const NAME: &'static str = "crew";
    const NODE_BYTES: usize = 800;
    type Reasons = Vec<::crew::explain::Impossible>;

    fn elements(problem: &::crew::Problem) -> usize {
        problem.spec().vertices
    }

    fn is_partial(_: &::crew::Problem, plan: &::crew::Plan) -> bool {
        let mut fronts = plan.events.iter().flatten();
        fronts.all(|front| front.points.is_empty())
    }

    fn explain(
        problem: &::crew::Problem,
        plan: Option<&::crew::Plan>,
        wanted: &Pulse,
    ) -> Option<Vec<::crew::explain::Impossible>> {
        ::crew::explain::explain(problem, plan?, wanted)
    }
}
