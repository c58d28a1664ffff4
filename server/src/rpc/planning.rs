//! `PlanningService`.

use super::blocking::wanted;
use super::{Parts, stubs, take};
use crate::status::Refusal;
use crate::wire::picture::{picture, to_draw};
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
        let (call, message) = take(request)?;
        let (size, long) = (message.encoded_len(), takes_long(&message));
        let (wanted, _guard) = wanted(&call, self.0.config.budget_max.get());
        let check = move || to_verify(message).map(|checked| verdict(&checked, &wanted));
        let verdict = match long {
            true => self.0.blocking.elsewhere(check).await?,
            false => self.0.blocking.run(size, check).await?,
        };
        let verdict = verdict.map_err(Refusal::Mistakes)?;
        Ok(Response::new(verdict.ok_or(Refusal::Expired)?))
    }

    async fn render_plan(
        &self,
        request: Request<pb::RenderPlanRequest>,
    ) -> Result<Response<pb::RenderPlanResponse>, Status> {
        let (_, message) = take(request)?;
        let draw = move || to_draw(message).map(|drawn| picture(&drawn));
        // Pictures are much larger than what they show.
        let picture = self.0.blocking.elsewhere(draw).await?;
        Ok(Response::new(picture.map_err(Refusal::Mistakes)?))
    }
}
