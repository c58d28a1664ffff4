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

    fn limits() -> Vec<pb::Limit> {
        wire::branch_limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::branch_request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<BranchPlanner>) -> Self::Answer {
        wire::branch_answer(asked, outcome)
    }

    fn report(answer: &mut Self::Answer) -> &mut Option<pb::SolveReport> {
        &mut answer.report
    }
}

impl Streamed for BranchStory {
    const STREAM: &'static str = "stratagem.v1.StoryService/StreamBranchStory";
    type StreamRequest = pb::StreamBranchStoryRequest;
    type Update = pb::StreamBranchStoryResponse;

    fn unary(message: Self::StreamRequest) -> Self::Request {
        let pb::StreamBranchStoryRequest {
            problem,
            acts,
            player_id,
            depth,
            width,
            choice_limit,
            continuation_iteration_limit,
            options,
            style,
        } = message;
        pb::BranchStoryRequest {
            problem,
            acts,
            player_id,
            depth,
            width,
            choice_limit,
            continuation_iteration_limit,
            options,
            style,
        }
    }

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Update {
        wire::branch_update(asked, event, now)
    }

    fn last(event: pb::SolveEvent, answer: Self::Answer) -> Self::Update {
        let pb::BranchStoryResponse {
            branches,
            ink,
            report,
        } = answer;
        pb::StreamBranchStoryResponse {
            event: Some(event),
            branches,
            ink,
            report,
        }
    }
}
