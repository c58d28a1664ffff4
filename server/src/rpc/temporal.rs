//! `TemporalService`.

use super::method::{Asked, Given, Method};
use super::{Parts, stubs, take};
use crate::run::{LevelsPlanner, Outcome, StrongPlanner};
use crate::wire::temporal::{Names, levels, levels_answer, strong, strong_answer};
use prost::Message;
use stratagem_proto::v1 as pb;
use tonic::{Response, Status};

pub(super) const STRONG: &str = "stratagem.v1.TemporalService/CheckStrongControllability";
pub(super) const LEVELS: &str = "stratagem.v1.TemporalService/CheckControllability";

/// The service.
pub(crate) struct Temporal(pub(super) Parts);

/// One question, with all that is to be known about it.
pub(crate) struct CheckStrongControllability;

impl Method for CheckStrongControllability {
    type Planner = StrongPlanner;
    type Names = Names;
    type Answer = pb::CheckStrongControllabilityResponse;

    fn answer(asked: &Asked<Self>, outcome: &Outcome<StrongPlanner>) -> Self::Answer {
        strong_answer(asked, outcome)
    }

    fn report(answer: &mut Self::Answer) -> &mut pb::SolveReport {
        answer.report.get_or_insert_default()
    }
}

/// Several questions.
pub(crate) struct CheckControllability;

impl Method for CheckControllability {
    type Planner = LevelsPlanner;
    type Names = Names;
    type Answer = pb::CheckControllabilityResponse;

    fn answer(asked: &Asked<Self>, outcome: &Outcome<LevelsPlanner>) -> Self::Answer {
        levels_answer(asked, outcome)
    }

    fn report(answer: &mut Self::Answer) -> &mut pb::SolveReport {
        answer.report.get_or_insert_default()
    }
}

#[tonic::async_trait]
impl stubs::temporal_service_server::TemporalService for Temporal {
    async fn check_strong_controllability(
        &self,
        request: tonic::Request<pb::CheckStrongControllabilityRequest>,
    ) -> Result<Response<pb::CheckStrongControllabilityResponse>, Status> {
        let (given, message) = self.given(STRONG, request);
        let read = move || strong(message);
        self.0
            .unary::<CheckStrongControllability>(given, read)
            .await
    }

    async fn check_controllability(
        &self,
        request: tonic::Request<pb::CheckControllabilityRequest>,
    ) -> Result<Response<pb::CheckControllabilityResponse>, Status> {
        let (given, message) = self.given(LEVELS, request);
        let read = move || levels(message);
        self.0.unary::<CheckControllability>(given, read).await
    }
}

impl Temporal {
    fn given<M: Message>(&self, method: &'static str, request: tonic::Request<M>) -> (Given, M) {
        let (call, message) = take(request);
        let given = Given {
            method,
            call,
            size: message.encoded_len(),
            default: self.0.config.budget_default.get(),
        };
        (given, message)
    }
}
