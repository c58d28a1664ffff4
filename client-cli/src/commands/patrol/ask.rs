//! Having the server plan and judge patrols.

use super::super::ask::{Answered, Asking};
use super::Guide;
use crate::args::GenerateArgs;
use crate::call::quick;
use crate::connect::Connection;
use crate::exit::Failure;
use crate::output::patrol::{deciding, variety_terms};
use stratagem_proto::v1::{
    EvaluatePatrolRequest, EvaluatePatrolResponse, GeneratePatrolRequest, GeneratePatrolResponse,
    MixPatrolsRequest, MixPatrolsResponse, PatrolMixture, PatrolPlan, PatrolProblem,
    VaryPatrolsRequest, VaryPatrolsResponse,
};

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
        }
    }

    /// The answer to one request, or the end of a stream, whatever that is.
    pub(super) async fn ask(
        &self,
        problem: &PatrolProblem,
        args: &GenerateArgs,
        previous_plan: Option<PatrolPlan>,
    ) -> Answered<GeneratePatrolResponse> {
        let request = GeneratePatrolRequest {
            problem: Some(problem.clone()),
            options: Some(args.search.options()),
            previous_plan,
        };
        let asking = self.asking(args);
        asking.ask(&request, args.stream, deciding(problem)).await
    }

    /// The same for mixtures.
    pub(super) async fn ask_mixture(
        &self,
        problem: &PatrolProblem,
        args: &GenerateArgs,
    ) -> Answered<MixPatrolsResponse> {
        let request = MixPatrolsRequest {
            problem: Some(problem.clone()),
            options: Some(args.search.options()),
            max_plans: args.plans_max,
            max_plan_iterations: args.plan_iterations,
        };
        let terms = vec!["escape".into()];
        self.asking(args).ask(&request, args.stream, terms).await
    }

    /// The same for several plans that differ.
    pub(super) async fn ask_different(
        &self,
        problem: &PatrolProblem,
        args: &GenerateArgs,
    ) -> Answered<VaryPatrolsResponse> {
        let request = VaryPatrolsRequest {
            problem: Some(problem.clone()),
            options: Some(args.search.options()),
            plan_count: args.different,
            min_distance: args.distance,
        };
        let asking = self.asking(args);
        asking.ask(&request, args.stream, variety_terms()).await
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
        quick(&connection, &request).await
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
