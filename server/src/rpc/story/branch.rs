//! Stories with choices.

use super::super::method::{Asked, Method, RequestOf};
use super::super::stream::{Now, Streamed};
use crate::run::{BranchPlanner, Outcome};
use crate::wire::mistakes::Mistakes;
use crate::wire::story as wire;
use stratagem_proto::v1 as pb;

/// Both methods that give a story choices.
pub(crate) struct BranchStory;

impl Method for BranchStory {
    const NAME: &'static str = "stratagem.v1.StoryService/BranchStory";
    type Planner = BranchPlanner;
    type Names = wire::Names;
    type Request = pb::BranchStoryRequest;
    type Answer = pb::BranchStoryResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::branch_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        wire::branch_limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::branch_request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<BranchPlanner>) -> Self::Answer {
        wire::branch_answer(asked, outcome)
    }
}

impl Streamed for BranchStory {
    const STREAM: &'static str = "stratagem.v1.StoryService/StreamBranchStory";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        wire::branch_update(asked, event, now)
    }
}
