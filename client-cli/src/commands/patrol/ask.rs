//! Having the server plan and judge patrols.

use super::super::ask::Asking;
use super::super::follow::{Ended, update};
use super::Guide;
use crate::args::GenerateArgs;
use crate::connect::Channel;
use crate::connect::{Connection, MESSAGE_BYTES_MAX};
use crate::exit::Failure;
use crate::output::patrol::{deciding, variety_terms};
use stratagem_proto::v1::{
    EvaluatePatrolRequest, EvaluatePatrolResponse, GeneratePatrolRequest, GeneratePatrolResponse,
    MixPatrolsRequest, MixPatrolsResponse, PatrolEvaluation, PatrolMixture,
    PatrolMixtureEvaluation, PatrolPlan, PatrolProblem, PatrolVariant, VaryPatrolsRequest,
    VaryPatrolsResponse, patrol_service_client::PatrolServiceClient,
};

const UNARY: &str = "stratagem.v1.PatrolService/GeneratePatrol";
const STREAM: &str = "stratagem.v1.PatrolService/StreamGeneratePatrol";
const MIX: &str = "stratagem.v1.PatrolService/MixPatrols";
const VARY: &str = "stratagem.v1.PatrolService/VaryPatrols";
const STREAM_VARY: &str = "stratagem.v1.PatrolService/StreamVaryPatrols";
const STREAM_MIX: &str = "stratagem.v1.PatrolService/StreamMixPatrols";

fn client(channel: Channel) -> PatrolServiceClient<Channel> {
    PatrolServiceClient::new(channel).max_decoding_message_size(MESSAGE_BYTES_MAX)
}

/// What the server made, and why there is no report of it where that is so.
type Answered<A> = Result<(A, Option<Failure>), Failure>;

/// A plan or a mixture that is to be judged.
pub(super) enum Judged<'a> {
    Plan(&'a PatrolPlan),
    Mixture(&'a PatrolMixture),
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

    /// The answer to one request, or the end of a stream, whatever that is.
    pub(super) async fn ask(
        &self,
        problem: &PatrolProblem,
        args: &GenerateArgs,
        previous_plan: Option<PatrolPlan>,
    ) -> Answered<GeneratePatrolResponse> {
        let terms = deciding(problem);
        let message = GeneratePatrolRequest {
            problem: Some(problem.clone()),
            options: Some(args.search.options()),
            previous_plan,
        };
        if !args.stream {
            let call = async |channel, request| client(channel).generate_patrol(request).await;
            let answer = self.asking(args).unary(UNARY, message, call).await?;
            return Ok((answer, None));
        }
        let call = async |channel, request| client(channel).stream_generate_patrol(request).await;
        let asking = self.asking(args);
        let ended = asking.stream(STREAM, message, terms, call).await?;
        let Ended { plan, report, cut } = ended;
        let (plan, evaluation) = plan.unzip();
        let answer = GeneratePatrolResponse {
            event: None,
            plan,
            report: Some(report),
            evaluation: evaluation.flatten(),
        };
        Ok((answer, cut))
    }

    /// The same for mixtures.
    pub(super) async fn ask_mixture(
        &self,
        problem: &PatrolProblem,
        args: &GenerateArgs,
    ) -> Answered<MixPatrolsResponse> {
        let problem = Some(problem.clone());
        let options = Some(args.search.options());
        let max_plans = args.plans_max;
        let max_plan_iterations = args.plan_iterations;
        let message = MixPatrolsRequest {
            problem,
            options,
            max_plans,
            max_plan_iterations,
        };
        if !args.stream {
            let call = async |channel, request| client(channel).mix_patrols(request).await;
            let answer = self.asking(args).unary(MIX, message, call).await?;
            return Ok((answer, None));
        }
        let terms = vec!["escape".into()];
        let call = async |channel, request| client(channel).stream_mix_patrols(request).await;
        let asking = self.asking(args);
        let ended = asking.stream(STREAM_MIX, message, terms, call).await?;
        let Ended { plan, report, cut } = ended;
        let (mixture, evaluation) = plan.unzip();
        let answer = MixPatrolsResponse {
            event: None,
            plan: mixture,
            report: Some(report),
            evaluation: evaluation.flatten(),
        };
        Ok((answer, cut))
    }

    /// The same for several plans that differ.
    pub(super) async fn ask_different(
        &self,
        problem: &PatrolProblem,
        args: &GenerateArgs,
    ) -> Answered<VaryPatrolsResponse> {
        let problem = Some(problem.clone());
        let options = Some(args.search.options());
        let plan_count = args.different;
        let min_distance = args.distance;
        let message = VaryPatrolsRequest {
            problem,
            options,
            plan_count,
            min_distance,
        };
        if !args.stream {
            let call = async |channel, request| client(channel).vary_patrols(request).await;
            let answer = self.asking(args).unary(VARY, message, call).await?;
            return Ok((answer, None));
        }
        let terms = variety_terms();
        let call = async |channel, request| client(channel).stream_vary_patrols(request).await;
        let asking = self.asking(args);
        let ended = asking.stream(STREAM_VARY, message, terms, call).await?;
        let Ended { plan, report, cut } = ended;
        let answer = VaryPatrolsResponse {
            event: None,
            plans: plan.unwrap_or_default(),
            report: Some(report),
        };
        Ok((answer, cut))
    }

    /// How good a plan or a mixture is.
    pub(super) async fn judge(
        &self,
        problem: &PatrolProblem,
        judged: Judged<'_>,
    ) -> Result<EvaluatePatrolResponse, Failure> {
        let connection = Connection::open(self.server).await?;
        let (plan, mixture) = match judged {
            Judged::Plan(plan) => (Some(plan.clone()), None),
            Judged::Mixture(mixture) => (None, Some(mixture.clone())),
        };
        let request = EvaluatePatrolRequest {
            problem: Some(problem.clone()),
            plan,
            mixture,
        };
        let mut client = client(connection.channel());
        connection.quick(client.evaluate_patrol(request)).await
    }

    /// How good what was found is, where its search was cut short, so that nobody has said it.
    /// Nothing when the server does not say it now, or the user interrupts again: what was found
    /// counts for more.
    pub(super) async fn judge_after(
        &self,
        problem: &PatrolProblem,
        judged: Judged<'_>,
    ) -> EvaluatePatrolResponse {
        let judged = tokio::select! {
            judged = self.judge(problem, judged) => judged.ok(),
            _ = tokio::signal::ctrl_c() => None,
        };
        judged.unwrap_or_default()
    }
}

update!(
    GeneratePatrolResponse,
    (PatrolPlan, Option<PatrolEvaluation>),
    |plan, evaluation| plan.map(|plan| (plan, evaluation))
);

update!(VaryPatrolsResponse, Vec<PatrolVariant>, |plans| {
    (!plans.is_empty()).then_some(plans)
});

update!(
    MixPatrolsResponse,
    (PatrolMixture, Option<PatrolMixtureEvaluation>),
    |plan, evaluation| plan.map(|plan| (plan, evaluation))
);
