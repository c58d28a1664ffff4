//! Having the server plan and judge patrols.

use super::super::ask::Asking;
use super::super::follow::{Ended, Update};
use super::Guide;
use crate::args::GenerateArgs;
use crate::connect::{Connection, MESSAGE_BYTES_MAX};
use crate::exit::Failure;
use crate::output::patrol::deciding;
use stratagem_proto::v1::{
    EvaluatePatrolRequest, EvaluatePatrolResponse, GeneratePatrolRequest, GeneratePatrolResponse,
    PatrolEvaluation, PatrolPlan, PatrolProblem, SolveEvent, SolveReport,
    StreamGeneratePatrolRequest, StreamGeneratePatrolResponse,
    patrol_service_client::PatrolServiceClient,
};
use tonic::transport::Channel;

const UNARY: &str = "stratagem.v1.PatrolService/GeneratePatrol";
const STREAM: &str = "stratagem.v1.PatrolService/StreamGeneratePatrol";

fn client(channel: Channel) -> PatrolServiceClient<Channel> {
    PatrolServiceClient::new(channel).max_decoding_message_size(MESSAGE_BYTES_MAX)
}

impl Guide<'_> {
    fn asking(&self, args: &GenerateArgs) -> Asking<'_> {
        Asking {
            server: self.server,
            display: self.display,
            budget: args.search.budget,
            interrupted: "interrupted; with --stream the best plan so far is printed",
        }
    }

    /// The answer to one request.
    pub(super) async fn unary(
        &self,
        problem: &PatrolProblem,
        args: &GenerateArgs,
    ) -> Result<GeneratePatrolResponse, Failure> {
        let message = GeneratePatrolRequest {
            problem: Some(problem.clone()),
            options: Some(args.search.options()),
        };
        let call = async |channel, request| client(channel).generate_patrol(request).await;
        self.asking(args).unary(UNARY, message, call).await
    }

    /// The end of a stream, whatever that is, and why there is no report of the server.
    pub(super) async fn stream(
        &self,
        problem: &PatrolProblem,
        args: &GenerateArgs,
    ) -> Result<(GeneratePatrolResponse, Option<Failure>), Failure> {
        let message = StreamGeneratePatrolRequest {
            problem: Some(problem.clone()),
            options: Some(args.search.options()),
        };
        let call = async |channel, request| client(channel).stream_generate_patrol(request).await;
        let message = (message, deciding(problem));
        let ended = self.asking(args).stream(STREAM, message, call).await?;
        let Ended { plan, report, cut } = ended;
        let (plan, evaluation) = plan.map_or((None, None), |told| (told.plan, told.evaluation));
        let answer = GeneratePatrolResponse {
            plan,
            report: Some(report),
            evaluation,
        };
        Ok((answer, cut))
    }

    /// How good a plan is.
    pub(super) async fn judge(
        &self,
        problem: &PatrolProblem,
        plan: &PatrolPlan,
    ) -> Result<EvaluatePatrolResponse, Failure> {
        let connection = Connection::open(self.server).await?;
        let request = EvaluatePatrolRequest {
            problem: Some(problem.clone()),
            plan: Some(plan.clone()),
        };
        let mut client = client(connection.channel());
        connection.quick(client.evaluate_patrol(request)).await
    }
}

/// What a step of a stream tells: a plan and, in the last one, how good it is.
pub(in crate::commands) struct Told {
    plan: Option<PatrolPlan>,
    evaluation: Option<PatrolEvaluation>,
}

impl Update for StreamGeneratePatrolResponse {
    type Plan = Told;

    fn event(&self) -> Option<&SolveEvent> {
        self.event.as_ref()
    }

    fn split(self) -> (Option<SolveEvent>, Option<Told>, Option<SolveReport>) {
        let Self {
            event,
            plan,
            report,
            evaluation,
        } = self;
        let told = plan.is_some().then_some(Told { plan, evaluation });
        (event, told, report)
    }
}
