//! Scenes of any planner's problems, plans and responses.

use crate::Scene;
use stratagem_proto::v1::any_problem::Kind as Problem;

/// A response of a method that searches: with a plan, and what is known about it.
pub use stratagem_proto::v1::job_response::Method as Response;

/// A point of a plan that has several, each number from 0. Default: the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Selection {
    /// Of which event.
    pub event: Option<usize>,
    /// For how many players, less 1.
    pub players: Option<usize>,
    /// Which point.
    pub point: Option<usize>,
}

/// A problem that can be drawn, alone and with a response about it.
pub(crate) trait Drawable {
    /// The scene; `None` where there is nothing to draw, or the plan has no such part.
    fn scene(&self, response: Option<&Response>, part: Selection) -> Option<Scene>;
}

macro_rules! planners {
    ($($kind:ident)*) => {
        /// The scene of a problem and of what was found, if anything was; `None` where there is
        /// nothing to draw, or the plan has no such part.
        #[must_use]
        pub fn scene(
            problem: &Problem,
            response: Option<&Response>,
            part: Selection,
        ) -> Option<Scene> {
            match problem {
                $(Problem::$kind(problem) => problem.scene(response, part),)*
            }
        }
    };
}

planners! {
    Allocation
    Crew
    Heist
    Narrative
    Patrol
    Puzzle
    Schedule
    Story
    Temporal
}
