//! `StoryService`.

mod branch;
mod vary;

pub(crate) use branch::BranchStory;
pub(crate) use vary::VaryStories;

use super::method::{Asked, Method, RequestOf};
use super::stream::{Now, Streamed, Updates};
use super::{Parts, stubs, take};
use crate::run::{LearnPlanner, Outcome, StoryPlanner};
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use crate::wire::story as wire;
use std::sync::Arc;
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

    fn limits() -> Vec<pb::Limit> {
        wire::limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<StoryPlanner>) -> Self::Answer {
        wire::answer(asked, outcome)
    }

    fn report(answer: &mut Self::Answer) -> &mut Option<pb::SolveReport> {
        &mut answer.report
    }
}

impl Streamed for GenerateStory {
    const STREAM: &'static str = "stratagem.v1.StoryService/StreamGenerateStory";
    type StreamRequest = pb::StreamGenerateStoryRequest;
    type Update = pb::StreamGenerateStoryResponse;

    fn unary(message: Self::StreamRequest) -> Self::Request {
        let pb::StreamGenerateStoryRequest {
            problem,
            options,
            previous_acts,
            style,
        } = message;
        pb::GenerateStoryRequest {
            problem,
            options,
            previous_acts,
            style,
        }
    }

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Update {
        wire::update(asked, event, now)
    }

    fn last(event: pb::SolveEvent, answer: Self::Answer) -> Self::Update {
        let pb::GenerateStoryResponse { plan, report } = answer;
        pb::StreamGenerateStoryResponse {
            event: Some(event),
            plan,
            report,
        }
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

    fn limits() -> Vec<pb::Limit> {
        wire::book_limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::to_learn(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<LearnPlanner>) -> Self::Answer {
        wire::learned(asked, outcome)
    }

    fn report(answer: &mut Self::Answer) -> &mut Option<pb::SolveReport> {
        &mut answer.report
    }
}

impl Streamed for LearnStoryDomain {
    const STREAM: &'static str = Self::NAME;
    type StreamRequest = pb::LearnStoryDomainRequest;
    type Update = pb::LearnStoryDomainResponse;

    fn unary(message: Self::StreamRequest) -> Self::Request {
        message
    }

    fn update(_: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Update {
        wire::lesson_update(event, now)
    }

    fn last(event: pb::SolveEvent, answer: Self::Answer) -> Self::Update {
        pb::LearnStoryDomainResponse {
            event: Some(event),
            ..answer
        }
    }
}

impl Story {
    /// The same request with the books of this server that it names.
    async fn with_books(
        &self,
        request: Request<pb::LearnStoryDomainRequest>,
    ) -> Result<Request<pb::LearnStoryDomainRequest>, Refusal> {
        if !wire::names_books(request.get_ref()) {
            return Ok(request);
        }
        let (metadata, extensions, message) = request.into_parts();
        let config = Arc::clone(&self.0.config);
        let read = move || wire::with_books(message, config.books.folder());
        let message = self.0.blocking.elsewhere(read).await?;
        let message = message.map_err(Refusal::Mistakes)?;
        Ok(Request::from_parts(metadata, extensions, message))
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
        request: Request<pb::GenerateStoryRequest>,
    ) -> Result<Response<pb::GenerateStoryResponse>, Status> {
        self.0.unary::<GenerateStory>(request).await
    }

    async fn stream_generate_story(
        &self,
        request: Request<pb::StreamGenerateStoryRequest>,
    ) -> Result<Response<Updates<GenerateStory>>, Status> {
        self.0.stream::<GenerateStory>(request).await
    }

    async fn vary_stories(
        &self,
        request: Request<pb::VaryStoriesRequest>,
    ) -> Result<Response<pb::VaryStoriesResponse>, Status> {
        self.0.unary::<VaryStories>(request).await
    }

    async fn stream_vary_stories(
        &self,
        request: Request<pb::StreamVaryStoriesRequest>,
    ) -> Result<Response<Updates<VaryStories>>, Status> {
        self.0.stream::<VaryStories>(request).await
    }

    async fn branch_story(
        &self,
        request: Request<pb::BranchStoryRequest>,
    ) -> Result<Response<pb::BranchStoryResponse>, Status> {
        self.0.unary::<BranchStory>(request).await
    }

    async fn stream_branch_story(
        &self,
        request: Request<pb::StreamBranchStoryRequest>,
    ) -> Result<Response<Updates<BranchStory>>, Status> {
        self.0.stream::<BranchStory>(request).await
    }

    async fn learn_story_domain(
        &self,
        request: Request<pb::LearnStoryDomainRequest>,
    ) -> Result<Response<Updates<LearnStoryDomain>>, Status> {
        let request = self.with_books(request).await?;
        self.0.stream::<LearnStoryDomain>(request).await
    }

    async fn explain_story(
        &self,
        request: Request<pb::ExplainStoryRequest>,
    ) -> Result<Response<pb::ExplainStoryResponse>, Status> {
        let (_, message) = take(request)?;
        // Nothing is searched: no slot.
        let work = move || {
            let given = wire::to_explain(message)?;
            wire::explained(&given)
        };
        let told = self.0.blocking.elsewhere(work).await?;
        Ok(Response::new(told.map_err(Refusal::Mistakes)?))
    }
}
