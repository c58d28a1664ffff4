//! Having the server plan.

use super::super::ask::Asking;
use super::super::follow::{Ended, update};
use super::Planner;
use crate::args::PlanHeistArgs;
use crate::connect::Channel;
use crate::connect::MESSAGE_BYTES_MAX;
use crate::exit::Failure;
use crate::output::heist::deciding;
use stratagem_proto::v1::{
    HeistAlternative, HeistOutcome, HeistPlan, HeistProblem, PlanBurglarRequest,
    PlanBurglarResponse, heist_service_client::HeistServiceClient,
};

const UNARY: &str = "stratagem.v1.HeistService/PlanBurglar";
const STREAM: &str = "stratagem.v1.HeistService/StreamPlanBurglar";

pub(super) fn client(channel: Channel) -> HeistServiceClient<Channel> {
    HeistServiceClient::new(channel).max_decoding_message_size(MESSAGE_BYTES_MAX)
}

impl Planner<'_> {
    /// The answer to one request or the last of a stream, and the failure that cut the stream off.
    pub(super) async fn ask(
        &self,
        problem: &HeistProblem,
        args: &PlanHeistArgs,
        previous: Option<HeistPlan>,
    ) -> Result<(PlanBurglarResponse, Option<Failure>), Failure> {
        let asking = Asking {
            server: self.server,
            display: self.display,
            budget: args.search.budget,
            interrupted: "interrupted; with --stream the best plan so far is printed",
        };
        let options = Some(args.search.options());
        let max_gap = args.slack.map(|percent| f64::from(percent) / 100.0);
        let max_alternatives = args.alternatives.unwrap_or_default();
        let message = PlanBurglarRequest {
            problem: Some(problem.clone()),
            options,
            max_gap,
            previous_plan: previous,
            max_alternatives,
        };
        if !args.stream {
            let call = async |channel, request| client(channel).plan_burglar(request).await;
            return Ok((asking.unary(UNARY, message, call).await?, None));
        }
        let call = async |channel, request| client(channel).stream_plan_burglar(request).await;
        let ended = asking
            .stream(STREAM, message, deciding(problem), call)
            .await?;
        let Ended { plan, report, cut } = ended;
        let found = plan.unwrap_or_default();
        let answer = PlanBurglarResponse {
            event: None,
            plan: found.plan,
            report: Some(report),
            alternatives: found.alternatives,
            unavoidable_room_ids: found.unavoidable,
            outcome: found.outcome,
        };
        Ok((answer, cut))
    }
}

/// A step of planning.
#[derive(Default)]
pub(in crate::commands) struct Found {
    plan: Option<HeistPlan>,
    alternatives: Vec<HeistAlternative>,
    unavoidable: Vec<String>,
    outcome: Option<HeistOutcome>,
}

update!(
    PlanBurglarResponse,
    Found,
    |plan, alternatives, unavoidable_room_ids, outcome| {
        plan.is_some().then_some(Found {
            plan,
            alternatives,
            unavoidable: unavoidable_room_ids,
            outcome,
        })
    }
);
