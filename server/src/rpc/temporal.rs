//! `TemporalService`.

use super::method::{Asked, Method, RequestOf};
use super::{Parts, stubs};
use crate::codec::Encoded;
use crate::run::{LevelsPlanner, Outcome, StrongPlanner};
use crate::wire::mistakes::Mistakes;
use crate::wire::temporal::{self as wire, Names};
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};

/// The service.
pub(crate) struct Temporal(pub(super) Parts);

/// One question, with all that is to be known about it.
pub(crate) struct CheckStrongControllability;

impl Method for CheckStrongControllability {
    const NAME: &'static str = "stratagem.v1.TemporalService/CheckStrongControllability";
    type Planner = StrongPlanner;
    type Names = Names;
    type Request = pb::CheckStrongControllabilityRequest;
    type Answer = pb::CheckStrongControllabilityResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::strong_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        wire::limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::strong(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<StrongPlanner>) -> Self::Answer {
        wire::strong_answer(asked, outcome)
    }
}

/// Several questions.
pub(crate) struct CheckControllability;

impl Method for CheckControllability {
    const NAME: &'static str = "stratagem.v1.TemporalService/CheckControllability";
    type Planner = LevelsPlanner;
    type Names = Names;
    type Request = pb::CheckControllabilityRequest;
    type Answer = pb::CheckControllabilityResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::levels_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        wire::limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::levels(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<LevelsPlanner>) -> Self::Answer {
        wire::levels_answer(asked, outcome)
    }
}

#[tonic::async_trait]
impl stubs::temporal_service_server::TemporalService for Temporal {
    async fn check_strong_controllability(
        &self,
        request: Request<Encoded<pb::CheckStrongControllabilityRequest>>,
    ) -> Result<Response<Encoded<pb::CheckStrongControllabilityResponse>>, Status> {
        self.0.unary::<CheckStrongControllability>(request).await
    }

    async fn check_controllability(
        &self,
        request: Request<Encoded<pb::CheckControllabilityRequest>>,
    ) -> Result<Response<Encoded<pb::CheckControllabilityResponse>>, Status> {
        self.0.unary::<CheckControllability>(request).await
    }
}
