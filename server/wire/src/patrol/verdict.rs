//! Verification and evaluation of plans and mixed strategies from outside, for the wire.

use super::evaluation::{Known, evaluation, objective};
use super::mixed_strategy::{self, ReadMixedStrategy};
use super::names::{Names, PlanNames};
use super::problem::Decoded;
use super::read::ReadPlan;
use crate::faults::violation;
use crate::mistakes::Mistakes;
use crate::planning;
use anytime::Path;
use anytime::{Fault, Pulse};
use patrol::mixed_strategy::best_response_until;
use patrol::verify::{cost, terms_until};
use stratagem_proto::v1 as pb;

/// A plan or a mixed strategy from outside.
#[derive(Debug)]
pub enum Judged {
    /// A plan.
    Plan(ReadPlan),
    /// A mixed strategy.
    MixedStrategy(ReadMixedStrategy),
}

impl Judged {
    /// Verdict on a plan; `None`: stopped.
    pub(crate) fn verdict(
        &self,
        decoded: &Decoded,
        wanted: &Pulse,
    ) -> Option<pb::VerifyPlanResponse> {
        let Decoded { problem, names } = decoded;
        let verified = match self {
            Self::Plan(read) => terms_until(problem, &read.plan, wanted)?.map(|terms| {
                let cost = cost(&problem.objective(), &terms);
                objective(problem, names, Known::All(cost, &terms))
            }),
            Self::MixedStrategy(read) => best_response_until(problem, &read.mixed, wanted)?
                .map(|response| mixed_strategy::objective(response.capture)),
        };
        let names = self.names(names);
        let verified = verified.map(Some);
        Some(planning::verdict(verified, |fault| {
            violation(fault, &names)
        }))
    }

    /// Evaluation of a plan; `None`: stopped.
    ///
    /// # Errors
    /// All rules that it breaks.
    pub(crate) fn evaluated(
        &self,
        decoded: &Decoded,
        wanted: &Pulse,
    ) -> Option<Result<pb::EvaluatePatrolResponse, Mistakes>> {
        let Decoded { problem, names } = decoded;
        let mut answer = pb::EvaluatePatrolResponse::default();
        let broken = match self {
            Self::Plan(read) => patrol::evaluate_until(problem, &read.plan, wanted)?
                .map(|given| answer.evaluation = Some(evaluation(names, &given))),
            Self::MixedStrategy(read) => {
                best_response_until(problem, &read.mixed, wanted)?.map(|given| {
                    answer.mixture_evaluation = Some(mixed_strategy::evaluation(names, &given));
                })
            }
        };
        let mistakes = |faults: Vec<Fault>| {
            let at = Path::root(match self {
                Self::Plan(_) => "plan",
                Self::MixedStrategy(_) => "mixture",
            });
            let mut wrong = Mistakes::default();
            wrong.add_violations(&faults, &self.names(names), &at);
            wrong
        };
        Some(broken.map(|()| answer).map_err(mistakes))
    }

    fn names<'n>(&'n self, names: &'n Names) -> PlanNames<'n> {
        let routes = match self {
            Self::Plan(read) => vec![&read.routes[..]],
            Self::MixedStrategy(read) => {
                let parts = read.parts.iter();
                parts.map(|part| &part.routes[..]).collect()
            }
        };
        PlanNames { names, routes }
    }
}
