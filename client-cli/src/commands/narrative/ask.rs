//! Having the server schedule a narrative.

use super::super::ask::{Answered, Asking};
use super::Teller;
use crate::args::{ScheduleArgs, SearchArgs, StoryArgs};
use crate::exit::Failure;
use crate::narrative::deciding;
use stratagem_proto::v1::{
    NarrativeDetail, NarrativeProblem, ScheduleNarrativeRequest, ScheduleNarrativeResponse,
};

/// How to search, and what else is wanted.
#[derive(Clone, Copy)]
pub(super) struct Wishes<'a> {
    search: &'a SearchArgs,
    detail: NarrativeDetail,
}

impl<'a> Wishes<'a> {
    /// Those of `schedule` and `watch`.
    pub(super) fn new(args: &'a ScheduleArgs) -> Self {
        Self {
            search: &args.story.search,
            detail: NarrativeDetail {
                with_conflict: None,
                max_relaxations: args.relaxations,
                with_stretches: args.stretches,
            },
        }
    }

    /// A plan or the reason why not, and nothing else.
    pub(super) fn short(args: &'a StoryArgs) -> Self {
        Self {
            search: &args.search,
            detail: NarrativeDetail {
                max_relaxations: Some(0),
                ..NarrativeDetail::default()
            },
        }
    }
}

impl Teller<'_> {
    /// The answer to one request or, if `streams`, the end of a stream.
    pub(super) async fn ask(
        &self,
        problem: &NarrativeProblem,
        wishes: Wishes<'_>,
        streams: bool,
    ) -> Answered<ScheduleNarrativeResponse> {
        let request = ScheduleNarrativeRequest {
            problem: Some(problem.clone()),
            options: Some(wishes.search.options()),
            detail: Some(wishes.detail),
        };
        let asking = Asking {
            server: self.server,
            display: self.display,
            budget: wishes.search.budget,
        };
        asking.ask(&request, streams, deciding(problem)).await
    }

    /// The answer to one request.
    pub(super) async fn once(
        &self,
        problem: &NarrativeProblem,
        wishes: Wishes<'_>,
    ) -> Result<ScheduleNarrativeResponse, Failure> {
        Ok(self.ask(problem, wishes, false).await?.0)
    }
}
