//! Several different stories.

use super::super::method::{Asked, Method, RequestOf};
use super::super::stream::{Now, Streamed};
use crate::run::{Outcome, StoriesPlanner};
use crate::wire::mistakes::Mistakes;
use crate::wire::story as wire;
use stratagem_proto::v1 as pb;

/// Both methods that look for several stories.
pub(crate) struct VaryStories;

impl Method for VaryStories {
    const NAME: &'static str = "stratagem.v1.StoryService/VaryStories";
    type Planner = StoriesPlanner;
    type Names = wire::Names;
    type Request = pb::VaryStoriesRequest;
    type Answer = pb::VaryStoriesResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        wire::vary_limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::vary_request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<StoriesPlanner>) -> Self::Answer {
        wire::vary_answer(asked, outcome)
    }
}

impl Streamed for VaryStories {
    const STREAM: &'static str = "stratagem.v1.StoryService/StreamVaryStories";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        wire::vary_update(asked, event, now)
    }
}
