//! Several patrols that differ.

use super::super::method::{Asked, Method, RequestOf};
use super::super::stream::{Now, Streamed};
use crate::run::{Outcome, VarietyPlanner};
use crate::wire::mistakes::Mistakes;
use crate::wire::patrol::{Names, strategies, vary_answer, vary_limits, vary_request, vary_update};
use stratagem_proto::v1 as pb;

/// Both methods that look for several plans.
pub(crate) struct VaryPatrols;

impl Method for VaryPatrols {
    const NAME: &'static str = "stratagem.v1.PatrolService/VaryPatrols";
    type Planner = VarietyPlanner;
    type Names = Names;
    type Request = pb::VaryPatrolsRequest;
    type Answer = pb::VaryPatrolsResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        vary_limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        vary_request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<VarietyPlanner>) -> Self::Answer {
        vary_answer(asked, outcome)
    }
}

impl Streamed for VaryPatrols {
    const STREAM: &'static str = "stratagem.v1.PatrolService/StreamVaryPatrols";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        vary_update(asked, event, now)
    }
}
