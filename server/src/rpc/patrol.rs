//! `PatrolService`.

mod mix;
mod vary;

pub(crate) use mix::MixPatrols;
pub(crate) use vary::VaryPatrols;

use super::letter::wanted;
use super::method::{Asked, Method, RequestOf};
use super::stream::{Now, Streamed, Updates};
use super::{Letter, Parts, stubs};
use crate::codec::Encoded;
use crate::run::{Outcome, PatrolPlanner as Planner};
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use crate::wire::patrol::{
    Names, ToJudge, answer, evaluated, limits, mixture_evaluated, request, strategies, to_evaluate,
    update,
};
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};

/// The service.
pub(crate) struct Patrol(pub(super) Parts);

/// Both methods that search: the stream ends with the answer of the unary one.
pub(crate) struct GeneratePatrol;

impl Method for GeneratePatrol {
    const NAME: &'static str = "stratagem.v1.PatrolService/GeneratePatrol";
    type Planner = Planner;
    type Names = Names;
    type Request = pb::GeneratePatrolRequest;
    type Answer = pb::GeneratePatrolResponse;

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

impl Streamed for GeneratePatrol {
    const STREAM: &'static str = "stratagem.v1.PatrolService/StreamGeneratePatrol";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        update(asked, event, now)
    }
}

#[tonic::async_trait]
impl stubs::patrol_service_server::PatrolService for Patrol {
    type StreamGeneratePatrolStream = Updates<GeneratePatrol>;
    type StreamMixPatrolsStream = Updates<MixPatrols>;
    type StreamVaryPatrolsStream = Updates<VaryPatrols>;

    async fn generate_patrol(
        &self,
        request: Request<Encoded<pb::GeneratePatrolRequest>>,
    ) -> Result<Response<Encoded<pb::GeneratePatrolResponse>>, Status> {
        self.0.unary::<GeneratePatrol>(request).await
    }

    async fn stream_generate_patrol(
        &self,
        request: Request<Encoded<pb::GeneratePatrolRequest>>,
    ) -> Result<Response<Updates<GeneratePatrol>>, Status> {
        self.0.stream::<GeneratePatrol>(request).await
    }

    async fn mix_patrols(
        &self,
        request: Request<Encoded<pb::MixPatrolsRequest>>,
    ) -> Result<Response<Encoded<pb::MixPatrolsResponse>>, Status> {
        self.0.unary::<MixPatrols>(request).await
    }

    async fn stream_mix_patrols(
        &self,
        request: Request<Encoded<pb::MixPatrolsRequest>>,
    ) -> Result<Response<Updates<MixPatrols>>, Status> {
        self.0.stream::<MixPatrols>(request).await
    }

    async fn vary_patrols(
        &self,
        request: Request<Encoded<pb::VaryPatrolsRequest>>,
    ) -> Result<Response<Encoded<pb::VaryPatrolsResponse>>, Status> {
        self.0.unary::<VaryPatrols>(request).await
    }

    async fn stream_vary_patrols(
        &self,
        request: Request<Encoded<pb::VaryPatrolsRequest>>,
    ) -> Result<Response<Updates<VaryPatrols>>, Status> {
        self.0.stream::<VaryPatrols>(request).await
    }

    async fn evaluate_patrol(
        &self,
        request: Request<Encoded<pb::EvaluatePatrolRequest>>,
    ) -> Result<Response<Encoded<pb::EvaluatePatrolResponse>>, Status> {
        let letter = Letter::of(request)?;
        let (wanted, _guard) = wanted(&letter.call, self.0.config.budget_max.get());
        // Nothing is searched: no slot.
        let judge = move |message| {
            let (decoded, judged) = to_evaluate(message).map_err(Refusal::Mistakes)?;
            let evaluated = match judged {
                ToJudge::Plan(read) => evaluated(&decoded, &read, &wanted),
                ToJudge::Mixture(read) => mixture_evaluated(&decoded, &read, &wanted),
            };
            evaluated
                .ok_or(Refusal::Expired)?
                .map_err(Refusal::Mistakes)
        };
        self.0.answer(letter, judge).await
    }
}
