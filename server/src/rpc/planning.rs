//! `PlanningService`.

use super::{Parts, stubs, take};
use crate::status::Refusal;
use crate::wire::planning::{takes_long, to_verify, verdict};
use prost::Message as _;
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};

/// The service.
pub(crate) struct Planning(pub(super) Parts);

#[tonic::async_trait]
impl stubs::planning_service_server::PlanningService for Planning {
    async fn verify_plan(
        &self,
        request: Request<pb::VerifyPlanRequest>,
    ) -> Result<Response<pb::VerifyPlanResponse>, Status> {
        let (_, message) = take(request);
        let check = |message| to_verify(message).map(|checked| verdict(&checked));
        let (size, long) = (message.encoded_len(), takes_long(&message));
        let check = move || check(message);
        let verdict = match long {
            true => self.0.blocking.elsewhere(check).await?,
            false => self.0.blocking.run(size, check).await?,
        };
        Ok(Response::new(verdict.map_err(Refusal::Mistakes)?))
    }
}
