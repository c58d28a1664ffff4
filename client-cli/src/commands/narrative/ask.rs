//! Having the server schedule a narrative.

use super::super::ask::Asking;
use super::super::follow::{Ended, update};
use super::Teller;
use crate::args::{ScheduleArgs, SearchArgs, StoryArgs};
use crate::connect::Channel;
use crate::connect::MESSAGE_BYTES_MAX;
use crate::exit::Failure;
use crate::narrative::deciding;
use stratagem_proto::v1::{
    NarrativeConflict, NarrativeDetail, NarrativePlan, NarrativeProblem, NarrativeRelaxation,
    ScheduleNarrativeRequest, ScheduleNarrativeResponse,
    narrative_service_client::NarrativeServiceClient,
};

const UNARY: &str = "stratagem.v1.NarrativeService/ScheduleNarrative";
const STREAM: &str = "stratagem.v1.NarrativeService/StreamScheduleNarrative";

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

/// What came of it.
pub(super) struct Answer {
    pub(super) response: ScheduleNarrativeResponse,
    /// Why there is no report of the server.
    pub(super) cut: Option<Failure>,
}

fn client(channel: Channel) -> NarrativeServiceClient<Channel> {
    NarrativeServiceClient::new(channel).max_decoding_message_size(MESSAGE_BYTES_MAX)
}

impl Teller<'_> {
    fn asking<'b>(&'b self, wishes: Wishes<'b>, interrupted: &'static str) -> Asking<'b> {
        Asking {
            server: self.server,
            display: self.display,
            budget: wishes.search.budget,
            interrupted,
        }
    }

    /// The answer to one request.
    pub(super) async fn unary(
        &self,
        problem: &NarrativeProblem,
        wishes: Wishes<'_>,
    ) -> Result<Answer, Failure> {
        let message = ScheduleNarrativeRequest {
            problem: Some(problem.clone()),
            options: Some(wishes.search.options()),
            detail: Some(wishes.detail),
        };
        let interrupted = "interrupted; with `narrative watch` the best plan so far is printed";
        let asking = self.asking(wishes, interrupted);
        let call = async |channel, request| client(channel).schedule_narrative(request).await;
        let response = asking.unary(UNARY, message, call).await?;
        Ok(Answer {
            response,
            cut: None,
        })
    }

    /// The end of a stream, whatever that is.
    pub(super) async fn stream(
        &self,
        problem: &NarrativeProblem,
        wishes: Wishes<'_>,
    ) -> Result<Answer, Failure> {
        let message = ScheduleNarrativeRequest {
            problem: Some(problem.clone()),
            options: Some(wishes.search.options()),
            detail: Some(wishes.detail),
        };
        let asking = self.asking(wishes, "interrupted");
        let call = async |channel, request| {
            let mut client = client(channel);
            client.stream_schedule_narrative(request).await
        };
        let terms = deciding(problem);
        let ended = asking.stream(STREAM, message, terms, call).await?;
        let Ended { plan, report, cut } = ended;
        let found = plan.unwrap_or_default();
        Ok(Answer {
            response: ScheduleNarrativeResponse {
                event: None,
                plan: found.plan,
                report: Some(report),
                conflict: found.conflict,
                relaxations: found.relaxations,
            },
            cut,
        })
    }
}

/// A step of a stream: a plan, or why there is none.
#[derive(Default)]
pub(in crate::commands) struct Found {
    plan: Option<NarrativePlan>,
    conflict: Option<NarrativeConflict>,
    relaxations: Vec<NarrativeRelaxation>,
}

update!(
    ScheduleNarrativeResponse,
    Found,
    |plan, conflict, relaxations| {
        let something = plan.is_some() || conflict.is_some() || !relaxations.is_empty();
        something.then_some(Found {
            plan,
            conflict,
            relaxations,
        })
    }
);
