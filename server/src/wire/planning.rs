//! Problems and plans of any planner.

use super::allocation::{self, Decoded};
use super::mistakes::{Code, Mistakes};
use super::path::Path;
use ::allocation::{Plan, Violation};
use stratagem_proto::v1 as pb;

/// Most violations that are sent.
const VIOLATIONS_MAX: usize = 1_000;

/// A problem and a plan for it.
#[derive(Debug)]
pub(crate) enum ToVerify {
    /// Of the allocation planner.
    Allocation(Box<Decoded>, Plan),
}

/// A problem and a plan to check against it.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_verify(request: pb::VerifyPlanRequest) -> Result<ToVerify, Mistakes> {
    let pb::VerifyPlanRequest { problem, plan } = request;
    let mut wrong = Mistakes::default();
    let (problem_at, plan_at) = (Path::root("problem"), Path::root("plan"));
    let problem = wrong
        .required(&problem_at, problem)
        .and_then(|problem| required_kind(&problem_at, problem.kind, &mut wrong));
    let plan = wrong
        .required(&plan_at, plan)
        .and_then(|plan| required_kind(&plan_at, plan.kind, &mut wrong));
    let checked = match (problem, plan) {
        (Some(pb::problem::Kind::Allocation(problem)), Some(pb::plan::Kind::Allocation(plan))) => {
            let decoded = allocation::problem(problem, &problem_at.field("allocation"), &mut wrong);
            decoded.and_then(|decoded| {
                let at = plan_at.field("allocation");
                let plan = allocation::orders(plan, &decoded, &at, &mut wrong)?;
                Some(ToVerify::Allocation(Box::new(decoded), plan))
            })
        }
        (Some(pb::problem::Kind::Allocation(problem)), None) => {
            allocation::problem(problem, &problem_at.field("allocation"), &mut wrong);
            None
        }
        (None, _) => None,
    };
    checked.ok_or(wrong)
}

fn required_kind<T>(at: &Path<'_>, kind: Option<T>, wrong: &mut Mistakes) -> Option<T> {
    if kind.is_none() {
        let why = "names no planner that this server has";
        wrong.add(at, Code::Required, why);
    }
    kind
}

/// Broken rules for the wire.
fn violations(broken: &[Violation]) -> Vec<pb::Violation> {
    let violation = |one: &Violation| pb::Violation {
        code: one.code().into(),
        message: one.to_string(),
        field: match one.at() {
            (Some(route), Some(stop)) => format!("routes[{route}].stops[{stop}]"),
            (Some(route), None) => format!("routes[{route}]"),
            (None, _) => String::new(),
        },
    };
    broken.iter().take(VIOLATIONS_MAX).map(violation).collect()
}

/// What comes of the check.
pub(crate) fn verdict(checked: &ToVerify) -> pb::VerifyPlanResponse {
    let ToVerify::Allocation(decoded, plan) = checked;
    let problem = &decoded.problem;
    match ::allocation::verify::terms(problem, plan) {
        Ok(terms) => pb::VerifyPlanResponse {
            valid: true,
            violations: Vec::new(),
            objective: Some(allocation::objective(problem, &terms)),
            partial: ::allocation::verify::is_partial(problem, plan),
        },
        Err(broken) => pb::VerifyPlanResponse {
            violations: violations(&broken),
            ..pb::VerifyPlanResponse::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{to_verify, verdict};
    use stratagem_proto::v1 as pb;

    fn place(x: f64) -> Option<pb::AllocationPlace> {
        let at = pb::allocation_place::At::Point(pb::Point { x, y: 0.0 });
        Some(pb::AllocationPlace { at: Some(at) })
    }

    /// One agent at 0, tasks at 1 and 2 that may start until second 10, some late.
    fn problem() -> Option<pb::Problem> {
        let seconds = |seconds| Some(prost_types::Duration { seconds, nanos: 0 });
        let task = |id: &str, x| pb::AllocationTask {
            id: id.into(),
            place: place(x),
            windows: vec![pb::AllocationWindow {
                open_offset: None,
                close_offset: seconds(10),
            }],
            lateness_max_duration: seconds(5),
            ..Default::default()
        };
        let problem = pb::AllocationProblem {
            agents: vec![pb::AllocationAgent {
                id: "ann".into(),
                start: place(0.0),
                ..Default::default()
            }],
            tasks: vec![task("near", 1.0), task("far", 2.0)],
            ..Default::default()
        };
        let kind = Some(pb::problem::Kind::Allocation(problem));
        Some(pb::Problem { kind })
    }

    /// A plan for `agent`, of tasks with their starts.
    fn plan(agent: &str, stops: &[(&str, Option<i64>)]) -> Option<pb::Plan> {
        let stop = |(task, start): &(&str, Option<i64>)| pb::AllocationStop {
            task_id: (*task).into(),
            start_offset: start.map(|seconds| prost_types::Duration { seconds, nanos: 0 }),
            ..Default::default()
        };
        let route = pb::AllocationRoute {
            agent_id: agent.into(),
            stops: stops.iter().map(stop).collect(),
            ..Default::default()
        };
        let plan = pb::AllocationPlan {
            routes: vec![route],
            ..Default::default()
        };
        let kind = Some(pb::plan::Kind::Allocation(plan));
        Some(pb::Plan { kind })
    }

    fn checked(plan: Option<pb::Plan>) -> Result<pb::VerifyPlanResponse, Vec<String>> {
        let problem = problem();
        let request = pb::VerifyPlanRequest { problem, plan };
        let told = |m: crate::wire::mistakes::Mistake| format!("{} {}", m.field, m.code.name());
        match to_verify(request) {
            Ok(to_verify) => Ok(verdict(&to_verify)),
            Err(wrong) => Err(wrong.into_list().into_iter().map(told).collect()),
        }
    }

    #[test]
    fn starts_are_kept_or_as_early_as_can_be() {
        let terms = |plan| -> Vec<f64> {
            let answer = checked(plan).unwrap();
            assert!(answer.valid && !answer.partial, "{answer:?}");
            answer
                .objective
                .unwrap()
                .terms
                .iter()
                .map(|t| t.value)
                .collect()
        };
        // Unserved, drop penalty, travel cost, makespan, lateness, agents used.
        let early = plan("ann", &[("near", None), ("far", None)]);
        assert_eq!(terms(early), [0.0, 0.0, 2.0, 2.0, 0.0, 1.0]);
        let late = plan("ann", &[("near", Some(9)), ("far", Some(13))]);
        assert_eq!(terms(late), [0.0, 0.0, 2.0, 13.0, 3.0, 1.0]);
    }

    #[test]
    fn broken_rules_are_an_answer_with_places_in_the_plan() {
        let answer = checked(plan("ann", &[("near", Some(9)), ("far", Some(9))])).unwrap();
        assert!(!answer.valid && answer.objective.is_none());
        let broken: Vec<_> = answer
            .violations
            .iter()
            .map(|v| (&*v.code, &*v.field))
            .collect();
        assert_eq!(broken, [("START_BEFORE_ARRIVAL", "routes[0].stops[1]")]);
        let answer = checked(plan("ann", &[("near", None), ("near", None)])).unwrap();
        assert_eq!(answer.violations[0].code, "TASK_REPEATED");
    }

    #[test]
    fn what_is_left_out_makes_a_plan_partial() {
        let answer = checked(plan("ann", &[("near", None)])).unwrap();
        assert!(answer.valid && answer.partial);
    }

    #[test]
    fn plans_that_cannot_be_of_the_problem_are_mistakes() {
        let routes = "plan.allocation.routes[0]";
        for (plan, wanted) in [
            (None, "plan REQUIRED".to_owned()),
            (Some(pb::Plan::default()), "plan REQUIRED".to_owned()),
            (
                plan("eve", &[("near", None)]),
                format!("{routes}.agent_id UNKNOWN"),
            ),
            (
                plan("ann", &[("moon", None)]),
                format!("{routes}.stops[0].task_id UNKNOWN"),
            ),
            (plan("ann", &[("near", Some(-1))]), {
                format!("{routes}.stops[0].start_offset OUT_OF_RANGE")
            }),
            (plan("ann", &[("near", Some(1)), ("far", None)]), {
                format!("{routes}.stops[1].start_offset MIXED")
            }),
        ] {
            assert_eq!(checked(plan).unwrap_err(), [wanted]);
        }
    }
}
