//! `StoryService`.

mod branch;
mod vary;

pub(crate) use branch::BranchStory;
pub(crate) use vary::VaryStories;

use super::method::{Asked, Method, Reading, RequestOf};
use super::stream::{Now, Streamed, Updates};
use super::{Letter, Parts, stubs};
use crate::codec::Encoded;
use crate::run::{LearnPlanner, Outcome, StoryPlanner};
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use crate::wire::story as wire;
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};

/// The service.
pub(crate) struct Story(pub(super) Parts);

/// Both methods that tell stories: the stream ends with the answer of the unary one.
pub(crate) struct GenerateStory;

impl Method for GenerateStory {
    const NAME: &'static str = "stratagem.v1.StoryService/GenerateStory";
    type Planner = StoryPlanner;
    type Names = wire::Names;
    type Request = pb::GenerateStoryRequest;
    type Answer = pb::GenerateStoryResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        wire::limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<StoryPlanner>) -> Self::Answer {
        wire::answer(asked, outcome)
    }
}

impl Streamed for GenerateStory {
    const STREAM: &'static str = "stratagem.v1.StoryService/StreamGenerateStory";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        wire::update(asked, event, now)
    }
}

/// Learning a domain: there is only the stream.
pub(crate) struct LearnStoryDomain;

impl Method for LearnStoryDomain {
    const NAME: &'static str = "stratagem.v1.StoryService/LearnStoryDomain";
    type Planner = LearnPlanner;
    type Names = wire::Named;
    type Request = pb::LearnStoryDomainRequest;
    type Answer = pb::LearnStoryDomainResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::learn_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        wire::book_limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::to_learn(message, None)
    }

    fn read(message: Self::Request, with: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        wire::to_learn(message, with.books)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<LearnPlanner>) -> Self::Answer {
        wire::learned(asked, outcome)
    }
}

impl Streamed for LearnStoryDomain {
    const STREAM: &'static str = Self::NAME;

    fn update(_: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        wire::lesson_update(event, now)
    }
}

#[tonic::async_trait]
impl stubs::story_service_server::StoryService for Story {
    type StreamGenerateStoryStream = Updates<GenerateStory>;
    type StreamVaryStoriesStream = Updates<VaryStories>;
    type StreamBranchStoryStream = Updates<BranchStory>;
    type LearnStoryDomainStream = Updates<LearnStoryDomain>;

    async fn generate_story(
        &self,
        request: Request<Encoded<pb::GenerateStoryRequest>>,
    ) -> Result<Response<Encoded<pb::GenerateStoryResponse>>, Status> {
        self.0.unary::<GenerateStory>(request).await
    }

    async fn stream_generate_story(
        &self,
        request: Request<Encoded<pb::GenerateStoryRequest>>,
    ) -> Result<Response<Updates<GenerateStory>>, Status> {
        self.0.stream::<GenerateStory>(request).await
    }

    async fn vary_stories(
        &self,
        request: Request<Encoded<pb::VaryStoriesRequest>>,
    ) -> Result<Response<Encoded<pb::VaryStoriesResponse>>, Status> {
        self.0.unary::<VaryStories>(request).await
    }

    async fn stream_vary_stories(
        &self,
        request: Request<Encoded<pb::VaryStoriesRequest>>,
    ) -> Result<Response<Updates<VaryStories>>, Status> {
        self.0.stream::<VaryStories>(request).await
    }

    async fn branch_story(
        &self,
        request: Request<Encoded<pb::BranchStoryRequest>>,
    ) -> Result<Response<Encoded<pb::BranchStoryResponse>>, Status> {
        self.0.unary::<BranchStory>(request).await
    }

    async fn stream_branch_story(
        &self,
        request: Request<Encoded<pb::BranchStoryRequest>>,
    ) -> Result<Response<Updates<BranchStory>>, Status> {
        self.0.stream::<BranchStory>(request).await
    }

    async fn learn_story_domain(
        &self,
        request: Request<Encoded<pb::LearnStoryDomainRequest>>,
    ) -> Result<Response<Updates<LearnStoryDomain>>, Status> {
        self.0.stream::<LearnStoryDomain>(request).await
    }

    async fn explain_story(
        &self,
        request: Request<Encoded<pb::ExplainStoryRequest>>,
    ) -> Result<Response<Encoded<pb::ExplainStoryResponse>>, Status> {
        // Nothing is searched: no slot.
        let work = |message| {
            let given = wire::to_explain(message).map_err(Refusal::Mistakes)?;
            wire::explained(&given).map_err(Refusal::Mistakes)
        };
        self.0.answer(Letter::of(request)?, work).await
    }
}
