//! Having the server plan.

use super::super::ask::{Answered, Asking};
use super::Planner;
use crate::args::PlanHeistArgs;
use crate::output::heist::deciding;
use std::time::Duration;
use stratagem_proto::v1::{HeistPlan, HeistProblem, PlanBurglarRequest, PlanBurglarResponse};

impl Planner<'_> {
    pub(super) fn asking(&self, budget: Option<Duration>) -> Asking<'_> {
        Asking {
            server: self.server,
            display: self.display,
            budget,
        }
    }

    /// The answer to one request or the last of a stream, and the failure that cut the stream off.
    pub(super) async fn ask(
        &self,
        problem: &HeistProblem,
        args: &PlanHeistArgs,
        previous: Option<HeistPlan>,
    ) -> Answered<PlanBurglarResponse> {
        let request = PlanBurglarRequest {
            problem: Some(problem.clone()),
            options: Some(args.search.options()),
            max_gap: args.slack.map(|percent| f64::from(percent) / 100.0),
            previous_plan: previous,
            max_alternatives: args.alternatives.unwrap_or_default(),
        };
        let asking = self.asking(args.search.budget);
        asking.ask(&request, args.stream, deciding(problem)).await
    }
}
