//! `CrewService`.

use super::method::{Asked, Method, RequestOf};
use super::{Parts, stubs};
use crate::run::{CrewPlanner, Outcome};
use crate::wire::crew as wire;
use crate::wire::mistakes::Mistakes;
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};

/// The service.
pub(crate) struct Crew(pub(super) Parts);

/// All fronts.
pub(crate) struct AssignCrew;

impl Method for AssignCrew {
    const NAME: &'static str = "stratagem.v1.CrewService/AssignCrew";
    type Planner = CrewPlanner;
    type Names = wire::Names;
    type Request = pb::AssignCrewRequest;
    type Answer = pb::AssignCrewResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::strategies()
    }

    fn limits() -> Vec<pb::Limit> {
        wire::limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<CrewPlanner>) -> Self::Answer {
        wire::answer(asked, outcome)
    }

    fn report(answer: &mut Self::Answer) -> &mut Option<pb::SolveReport> {
        &mut answer.report
    }
}

#[tonic::async_trait]
impl stubs::crew_service_server::CrewService for Crew {
    async fn assign_crew(
        &self,
        request: Request<pb::AssignCrewRequest>,
    ) -> Result<Response<pb::AssignCrewResponse>, Status> {
        self.0.unary::<AssignCrew>(request).await
    }
}
