//! `PlanningService`.

use super::letter::wanted;
use super::{Letter, Parts, stubs};
use crate::codec::Encoded;
use crate::status::Refusal;
use crate::wire::picture::{picture, to_draw};
use crate::wire::planning::{to_verify, verdict};
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};

/// The service.
pub(crate) struct Planning(pub(super) Parts);

#[tonic::async_trait]
impl stubs::planning_service_server::PlanningService for Planning {
    async fn verify_plan(
        &self,
        request: Request<Encoded<pb::VerifyPlanRequest>>,
    ) -> Result<Response<Encoded<pb::VerifyPlanResponse>>, Status> {
        let letter = Letter::of(request)?;
        let (wanted, _guard) = wanted(&letter.call, self.0.config.budget_max.get());
        let check = move |message| {
            let checked = to_verify(message).map_err(Refusal::Mistakes)?;
            verdict(&checked, &wanted).ok_or(Refusal::Expired)
        };
        self.0.answer(letter, check).await
    }

    async fn render_plan(
        &self,
        request: Request<Encoded<pb::RenderPlanRequest>>,
    ) -> Result<Response<Encoded<pb::RenderPlanResponse>>, Status> {
        let draw = |message| {
            let drawn = to_draw(message).map_err(Refusal::Mistakes)?;
            Ok(picture(&drawn))
        };
        self.0.answer(Letter::of(request)?, draw).await
    }
}
