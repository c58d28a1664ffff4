//! Sessions whose plans are routes: these are adapted to what has changed, repaired, and improved
//! while the game goes on.

use super::Planning;
use crate::method::{Asked, Method, RequestOf};
use anytime::Found;
use stratagem_proto::v1 as pb;

/// A method that finds routes.
pub trait Routed: Method {
    /// What a plan is shown with, besides the request that it answers.
    type Setting: Send + Sync + 'static;

    /// The question for routes, if it is about those of this method.
    fn question(planning: Planning) -> Option<Box<Question<Self>>>;

    /// The previous plan, adapted to the problem without a search; verified. `None`: it cannot be.
    fn adapted(request: &RequestOf<Self>) -> Option<Found<Self::Planner>>;

    /// A plan as a session shows it, in a view that is empty otherwise; `None`: it cannot be
    /// followed.
    fn shown(
        setting: &Self::Setting,
        asked: &Asked<Self>,
        found: &Found<Self::Planner>,
    ) -> Option<pb::SessionView>;

    /// Whether an adapted plan, after the view before, is to be repaired before it is answered.
    fn needs_repair(before: &pb::SessionView, adapted: &pb::SessionView) -> bool;

    /// The latest time of a session at which it can begin to follow a plan.
    fn latest_us(_: &Self::Setting) -> i64 {
        i64::MAX
    }
}

/// A question for routes.
pub struct Question<M: Routed> {
    /// The request.
    pub request: RequestOf<M>,
    /// What plans are shown with.
    pub setting: M::Setting,
}
