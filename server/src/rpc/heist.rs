//! `HeistService`.

mod analyze;
mod design;
mod simulate;

pub(crate) use analyze::AnalyzeHeist;
pub(crate) use design::DesignHeist;

use super::method::{Asked, Method, RequestOf};
use super::stream::{Now, Streamed, Updates};
use super::{Parts, stubs};
use crate::codec::Encoded;
use crate::run::{BurglarPlanner, Outcome};
use crate::wire::heist as wire;
use crate::wire::mistakes::Mistakes;
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};

/// The service.
pub(crate) struct Heist(pub(super) Parts);

/// Both methods that plan: the stream ends with the answer of the unary one.
pub(crate) struct PlanBurglar;

impl Method for PlanBurglar {
    const NAME: &'static str = "stratagem.v1.HeistService/PlanBurglar";
    type Planner = BurglarPlanner;
    type Names = wire::Names;
    type Request = pb::PlanBurglarRequest;
    type Answer = pb::PlanBurglarResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        wire::limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<BurglarPlanner>) -> Self::Answer {
        wire::answer(asked, outcome)
    }
}

impl Streamed for PlanBurglar {
    const STREAM: &'static str = "stratagem.v1.HeistService/StreamPlanBurglar";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        wire::update(asked, event, now)
    }
}

#[tonic::async_trait]
impl stubs::heist_service_server::HeistService for Heist {
    type StreamPlanBurglarStream = Updates<PlanBurglar>;
    type StreamDesignHeistStream = Updates<DesignHeist>;
    type SimulateHeistStream = simulate::Ticks;

    async fn plan_burglar(
        &self,
        request: Request<Encoded<pb::PlanBurglarRequest>>,
    ) -> Result<Response<Encoded<pb::PlanBurglarResponse>>, Status> {
        self.0.unary::<PlanBurglar>(request).await
    }

    async fn stream_plan_burglar(
        &self,
        request: Request<Encoded<pb::PlanBurglarRequest>>,
    ) -> Result<Response<Updates<PlanBurglar>>, Status> {
        self.0.stream::<PlanBurglar>(request).await
    }

    async fn design_heist(
        &self,
        request: Request<Encoded<pb::DesignHeistRequest>>,
    ) -> Result<Response<Encoded<pb::DesignHeistResponse>>, Status> {
        self.0.unary::<DesignHeist>(request).await
    }

    async fn stream_design_heist(
        &self,
        request: Request<Encoded<pb::DesignHeistRequest>>,
    ) -> Result<Response<Updates<DesignHeist>>, Status> {
        self.0.stream::<DesignHeist>(request).await
    }

    async fn analyze_heist(
        &self,
        request: Request<Encoded<pb::AnalyzeHeistRequest>>,
    ) -> Result<Response<Encoded<pb::AnalyzeHeistResponse>>, Status> {
        self.0.unary::<AnalyzeHeist>(request).await
    }

    async fn simulate_heist(
        &self,
        request: Request<Encoded<pb::SimulateHeistRequest>>,
    ) -> Result<Response<simulate::Ticks>, Status> {
        self.play(request).await
    }
}
