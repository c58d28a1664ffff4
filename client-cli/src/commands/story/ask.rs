//! Stories and their explanations, from the server.

use super::super::ask::{Answered, Asking};
use super::{Teller, Wanted};
use crate::args::SearchArgs;
use crate::call::quick;
use crate::connect::Connection;
use crate::exit::Failure;
use crate::output::story::deciding;
use stratagem_proto::v1::{
    ExplainStoryRequest, ExplainStoryResponse, GenerateStoryRequest, GenerateStoryResponse,
    StoryPlan,
};

impl Wanted {
    /// The story to begin with.
    fn previous_plan(&self) -> Option<StoryPlan> {
        let acts = self.previous.clone();
        (!acts.is_empty()).then(|| StoryPlan {
            acts,
            ..StoryPlan::default()
        })
    }

    /// The request for a story.
    pub(super) fn request(&self, search: &SearchArgs) -> GenerateStoryRequest {
        GenerateStoryRequest {
            problem: Some(self.problem.clone()),
            options: Some(search.options()),
            previous_plan: self.previous_plan(),
            style: Some(self.style),
        }
    }
}

impl Teller<'_> {
    pub(super) fn asking(&self, search: &SearchArgs) -> Asking<'_> {
        Asking {
            server: self.server,
            display: self.display,
            budget: search.budget,
        }
    }

    /// The answer to one request or, if `streams`, the end of a stream.
    pub(super) async fn ask(
        &self,
        wanted: &Wanted,
        search: &SearchArgs,
        streams: bool,
    ) -> Answered<GenerateStoryResponse> {
        let terms = deciding(&wanted.problem);
        let asking = self.asking(search);
        asking.ask(&wanted.request(search), streams, terms).await
    }

    /// What is known of a story.
    pub(super) async fn explained(&self, wanted: &Wanted) -> Result<ExplainStoryResponse, Failure> {
        let connection = Connection::open(self.server).await?;
        let request = ExplainStoryRequest {
            problem: Some(wanted.problem.clone()),
            acts: wanted.previous.clone(),
            style: Some(wanted.style),
        };
        quick(&connection, &request).await
    }
}
