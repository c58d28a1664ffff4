//! `StoryService`.

mod branch;
mod vary;

pub(crate) use branch::BranchStory;
pub(crate) use vary::VaryStories;

use super::method::{Asked, Method, RequestOf};
use super::stream::{Now, Streamed, Updates};
use super::{Letter, Parts, stubs};
use crate::codec::Encoded;
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
        request: Request<Encoded<pb::StreamGenerateStoryRequest>>,
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
        request: Request<Encoded<pb::StreamVaryStoriesRequest>>,
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
        request: Request<Encoded<pb::StreamBranchStoryRequest>>,
    ) -> Result<Response<Updates<BranchStory>>, Status> {
        self.0.stream::<BranchStory>(request).await
    }

    async fn learn_story_domain(
        &self,
        request: Request<Encoded<pb::LearnStoryDomainRequest>>,
    ) -> Result<Response<Updates<LearnStoryDomain>>, Status> {
        let config = Arc::clone(&self.0.config);
        // Books of this server that the request names are put into it.
        let read = move |message| {
            let message = wire::with_books(message, config.books.folder())?;
            LearnStoryDomain::decode(message)
        };
        let letter = Letter::of(request)?;
        self.0.streamed::<LearnStoryDomain>(letter, read).await
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
