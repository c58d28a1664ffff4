//! `CrewService`.

use super::letter::wanted;
use super::method::{Asked, Method, RequestOf};
use super::{Letter, Parts, stubs};
use crate::codec::Encoded;
use crate::run::{CrewPlanner, Outcome};
use crate::status::Refusal;
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

    fn limits() -> Vec<pb::ServerLimit> {
        wire::limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<CrewPlanner>) -> Self::Answer {
        wire::answer(asked, outcome)
    }
}

#[tonic::async_trait]
impl stubs::crew_service_server::CrewService for Crew {
    async fn assign_crew(
        &self,
        request: Request<Encoded<pb::AssignCrewRequest>>,
    ) -> Result<Response<Encoded<pb::AssignCrewResponse>>, Status> {
        self.0.unary::<AssignCrew>(request).await
    }

    async fn compare_crew_moves(
        &self,
        request: Request<Encoded<pb::CompareCrewMovesRequest>>,
    ) -> Result<Response<Encoded<pb::CompareCrewMovesResponse>>, Status> {
        let letter = Letter::of(request)?;
        let (wanted, _guard) = wanted(&letter.call, self.0.config.budget_max.get());
        // Nothing is searched for long: no slot.
        let work = move |message| {
            let given = wire::to_compare(message).map_err(Refusal::Mistakes)?;
            wire::compared(&given, &wanted)
        };
        self.0.answer(letter, work).await
    }
}
