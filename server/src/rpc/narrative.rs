//! `NarrativeService`.

use super::method::{Asked, Method, RequestOf};
use super::stream::{Now, Streamed, Updates};
use super::{Parts, stubs};
use crate::codec::Encoded;
use crate::run::{NarrativePlanner as Planner, Outcome};
use crate::wire::mistakes::Mistakes;
use crate::wire::narrative::{Names, answer, limits, request, strategies, update};
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};

/// The service.
pub(crate) struct Narrative(pub(super) Parts);

/// Both methods: the stream ends with the answer of the unary one.
pub(crate) struct ScheduleNarrative;

impl Method for ScheduleNarrative {
    const NAME: &'static str = "stratagem.v1.NarrativeService/ScheduleNarrative";
    type Planner = Planner;
    type Names = Names;
    type Request = pb::ScheduleNarrativeRequest;
    type Answer = pb::ScheduleNarrativeResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Planner>) -> Self::Answer {
        answer(asked, outcome)
    }
}

impl Streamed for ScheduleNarrative {
    const STREAM: &'static str = "stratagem.v1.NarrativeService/StreamScheduleNarrative";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        update(asked, event, now)
    }
}

#[tonic::async_trait]
impl stubs::narrative_service_server::NarrativeService for Narrative {
    type StreamScheduleNarrativeStream = Updates<ScheduleNarrative>;

    async fn schedule_narrative(
        &self,
        request: Request<Encoded<pb::ScheduleNarrativeRequest>>,
    ) -> Result<Response<Encoded<pb::ScheduleNarrativeResponse>>, Status> {
        self.0.unary::<ScheduleNarrative>(request).await
    }

    async fn stream_schedule_narrative(
        &self,
        request: Request<Encoded<pb::ScheduleNarrativeRequest>>,
    ) -> Result<Response<Updates<ScheduleNarrative>>, Status> {
        self.0.stream::<ScheduleNarrative>(request).await
    }
}
