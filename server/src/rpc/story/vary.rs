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

    fn limits() -> Vec<pb::Limit> {
        wire::vary_limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::vary_request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<StoriesPlanner>) -> Self::Answer {
        wire::vary_answer(asked, outcome)
    }

    fn report(answer: &mut Self::Answer) -> &mut Option<pb::SolveReport> {
        &mut answer.report
    }
}

impl Streamed for VaryStories {
    const STREAM: &'static str = "stratagem.v1.StoryService/StreamVaryStories";
    type StreamRequest = pb::StreamVaryStoriesRequest;
    type Update = pb::StreamVaryStoriesResponse;

    fn unary(message: Self::StreamRequest) -> Self::Request {
        let pb::StreamVaryStoriesRequest {
            problem,
            options,
            story_count,
            difference_min,
            style,
        } = message;
        pb::VaryStoriesRequest {
            problem,
            options,
            story_count,
            difference_min,
            style,
        }
    }

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Update {
        wire::vary_update(asked, event, now)
    }

    fn last(event: pb::SolveEvent, answer: Self::Answer) -> Self::Update {
        let pb::VaryStoriesResponse { plans, report } = answer;
        pb::StreamVaryStoriesResponse {
            event: Some(event),
            plans,
            report,
        }
    }
}
