//! What comes of judging a plan from outside, in the caller's words.

use super::evaluation::{Known, evaluation, objective};
use super::names::Names;
use super::problem::Decoded;
use super::read::ReadPlan;
use crate::wire::mistakes::{Code, Mistake, Mistakes};
use crate::wire::path::Path;
use crate::wire::planning;
use crate::wire::values::{Time, shown};
use anytime::Pulse;
use patrol::Violation;
use patrol::verify::At;
use stratagem_proto::v1 as pb;

/// What comes of checking a plan; `None`: it is not wanted any more.
pub(crate) fn verdict(
    decoded: &Decoded,
    read: &ReadPlan,
    wanted: &Pulse,
) -> Option<pb::VerifyPlanResponse> {
    let Decoded { problem, names } = decoded;
    let checked = patrol::verify::terms_until(problem, &read.plan, wanted)?;
    let checked = checked.map(|terms| {
        let cost = patrol::verify::cost(&problem.objective(), &terms);
        Some(objective((problem, names), Known::All(cost, &terms)))
    });
    Some(planning::verdict(checked, |one| pb::PlanViolation {
        code: one.code().into(),
        message: told(names, one),
        field: field(read, one),
    }))
}

/// How good a plan is; `None`: it is not wanted any more.
///
/// # Errors
/// All rules that it breaks.
pub(crate) fn evaluated(
    decoded: &Decoded,
    read: &ReadPlan,
    wanted: &Pulse,
) -> Option<Result<pb::EvaluatePatrolResponse, Mistakes>> {
    let Decoded { problem, names } = decoded;
    let evaluated = patrol::evaluate_until(problem, &read.plan, wanted)?;
    let evaluated = evaluated.map_err(|broken| {
        let mut wrong = Mistakes::default();
        let plan_at = Path::root("plan");
        for one in &broken {
            let field = field(read, one);
            let separator = if field.is_empty() { "" } else { "." };
            wrong.add_unless_known(Mistake {
                field: format!("{plan_at}{separator}{field}"),
                code: Code::Rule(one.code()),
                description: told(names, one),
            });
        }
        wrong
    });
    Some(evaluated.map(|evaluated| pb::EvaluatePatrolResponse {
        evaluation: Some(evaluation(names, &evaluated)),
        mixture_evaluation: None,
    }))
}

/// Path in the plan; empty where the rule is about all of it.
pub(super) fn field(read: &ReadPlan, broken: &Violation) -> String {
    let (Some(guard), stop) = broken.at() else {
        return String::new();
    };
    let route = format!("routes[{}]", read.at[guard]);
    match stop {
        Some(At::Prefix(stop)) => format!("{route}.prefix[{stop}]"),
        Some(At::Cycle(stop)) => format!("{route}.cycle[{stop}]"),
        None => match broken {
            Violation::CycleEmpty { .. } | Violation::CycleInstant { .. } => {
                format!("{route}.cycle")
            }
            _ => route,
        },
    }
}

/// One sentence.
pub(super) fn told(names: &Names, broken: &Violation) -> String {
    let clock = names.clock;
    let vertex = |vertex: usize| shown(names.vertex(vertex));
    let guard = |guard: usize| shown(names.guard(guard));
    let time = |ticks: u64| Time(clock.micros(ticks));
    match *broken {
        Violation::Swap {
            one,
            other,
            from,
            to,
            tick,
        } => {
            let (one, other, when) = (guard(one), guard(other), time(tick));
            let (from, to) = (vertex(from), vertex(to));
            format!(
                "guards {one} and {other} pass each other between {from} and {to} around {when}"
            )
        }
        Violation::GapMissing {
            vertex: at,
            longest,
            wanted,
        } => {
            let (at, longest, wanted) = (vertex(at), time(longest), time(wanted.into()));
            format!("{at} is out of sight for at most {longest}, {wanted} are asked for")
        }
        // About numbers that have no names.
        Violation::RouteCount { .. }
        | Violation::TooLong { .. }
        | Violation::TooMuchWork { .. } => broken.to_string(),
        ref other => told_of_route(names, other),
    }
}

/// One sentence about a rule that one guard breaks.
fn told_of_route(names: &Names, broken: &Violation) -> String {
    let vertex = |vertex: usize| shown(names.vertex(vertex));
    let time = |ticks: u32| Time(names.clock.micros(ticks.into()));
    let who = match broken.at() {
        (Some(guard), _) => shown(names.guard(guard)),
        (None, _) => String::new(),
    };
    match *broken {
        Violation::CycleEmpty { .. } => format!("guard {who} has no cycle"),
        Violation::CycleInstant { .. } => format!("the cycle of guard {who} takes no time"),
        Violation::Start {
            vertex: begins,
            start,
            ..
        } => {
            let (begins, start) = (vertex(begins), vertex(start));
            format!("the route of guard {who} begins at {begins}, but it is at {start}")
        }
        Violation::NoEdge { from, to, .. } => {
            format!("there is no edge from {} to {}", vertex(from), vertex(to))
        }
        Violation::Stay { ticks, .. } => {
            let ticks = time(ticks);
            format!("guard {who} stays for {ticks}, but nobody may stay")
        }
        Violation::PauseShort {
            vertex: at,
            ticks,
            least,
            ..
        } => {
            let (at, ticks, least) = (vertex(at), time(ticks), time(least));
            format!("guard {who} stays at {at} for {ticks}, at least {least} are asked for")
        }
        // About numbers that have no names.
        ref other => other.to_string(),
    }
}
