//! Stories and their explanations, from the server.

use super::super::ask::Asking;
use super::super::follow::{Ended, update};
use super::{Teller, Wanted};
use crate::args::SearchArgs;
use crate::connect::Channel;
use crate::connect::{Connection, MESSAGE_BYTES_MAX};
use crate::exit::Failure;
use crate::output::story::deciding;
use stratagem_proto::v1::{
    ExplainStoryRequest, ExplainStoryResponse, GenerateStoryRequest, GenerateStoryResponse,
    StoryPlan, story_service_client::StoryServiceClient,
};

const UNARY: &str = "stratagem.v1.StoryService/GenerateStory";
const STREAM: &str = "stratagem.v1.StoryService/StreamGenerateStory";

pub(super) fn client(channel: Channel) -> StoryServiceClient<Channel> {
    StoryServiceClient::new(channel).max_decoding_message_size(MESSAGE_BYTES_MAX)
}

impl Wanted {
    /// The story to begin with.
    fn previous_plan(&self) -> Option<StoryPlan> {
        let acts = self.previous.clone();
        (!acts.is_empty()).then(|| StoryPlan {
            acts,
            ..StoryPlan::default()
        })
    }

    /// The same as a request for a stream.
    pub(super) fn streamed(&self, search: &SearchArgs) -> GenerateStoryRequest {
        GenerateStoryRequest {
            problem: Some(self.problem.clone()),
            options: Some(search.options()),
            previous_plan: self.previous_plan(),
            style: Some(self.style),
        }
    }
}

impl Teller<'_> {
    pub(super) fn asking(&self, search: &SearchArgs, interrupted: &'static str) -> Asking<'_> {
        Asking {
            server: self.server,
            display: self.display,
            budget: search.budget,
            interrupted,
        }
    }

    /// The answer to one request.
    pub(super) async fn unary(
        &self,
        wanted: &Wanted,
        search: &SearchArgs,
    ) -> Result<GenerateStoryResponse, Failure> {
        let message = GenerateStoryRequest {
            problem: Some(wanted.problem.clone()),
            options: Some(search.options()),
            previous_plan: wanted.previous_plan(),
            style: Some(wanted.style),
        };
        let call = async |channel, request| client(channel).generate_story(request).await;
        let hint = "interrupted; with --stream the best story so far is printed";
        let asking = self.asking(search, hint);
        asking.unary(UNARY, message, call).await
    }

    /// The end of a stream, whatever that is, and why there is no report of the server.
    pub(super) async fn stream(
        &self,
        wanted: &Wanted,
        search: &SearchArgs,
    ) -> Result<(GenerateStoryResponse, Option<Failure>), Failure> {
        let message = wanted.streamed(search);
        let terms = deciding(&wanted.problem);
        let call = async |channel, request| client(channel).stream_generate_story(request).await;
        let asking = self.asking(search, "interrupted");
        let Ended { plan, report, cut } = asking.stream(STREAM, message, terms, call).await?;
        let report = Some(report);
        Ok((
            GenerateStoryResponse {
                event: None,
                plan,
                report,
            },
            cut,
        ))
    }

    /// What is known of a story.
    pub(super) async fn explained(&self, wanted: &Wanted) -> Result<ExplainStoryResponse, Failure> {
        let connection = Connection::open(self.server).await?;
        let mut client = client(connection.channel());
        let call = client.explain_story(ExplainStoryRequest {
            problem: Some(wanted.problem.clone()),
            acts: wanted.previous.clone(),
            style: Some(wanted.style),
        });
        connection.quick(call).await
    }
}

update!(GenerateStoryResponse, StoryPlan, |plan| plan);
