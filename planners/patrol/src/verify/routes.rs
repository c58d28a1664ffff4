//! Whether each route can be walked.

use super::stop_check::StopCheck;
use super::violation::{At, Violation};
use crate::plan::{PERIOD_MAX, Plan, Route, Stop};
use crate::problem::Problem;

/// What it counts for to look at a stop.
const STOP: usize = 16;

/// Most broken rules that are told: more help nobody.
pub const VIOLATIONS_MAX: usize = 1_000;

/// Broken rules of the routes one by one, up to [`VIOLATIONS_MAX`]; `None`: told to stop.
pub(super) fn violations(
    problem: &Problem,
    plan: &Plan,
    stop_check: &StopCheck<'_>,
) -> Option<Vec<Violation>> {
    let mut broken = Vec::new();
    let (given, guards) = (plan.routes.len(), problem.guards().len());
    if given != guards {
        broken.push(Violation::RouteCount { given, guards });
    }
    for (route, one) in plan.routes.iter().enumerate().take(guards) {
        walk(problem, (route, one), stop_check, &mut broken)?;
    }
    broken.truncate(VIOLATIONS_MAX);
    Some(broken)
}

fn walk(
    problem: &Problem,
    (route, one): (usize, &Route),
    stop_check: &StopCheck<'_>,
    broken: &mut Vec<Violation>,
) -> Option<()> {
    let stops = one.prefix.len() + one.cycle.len();
    if stops as u64 > PERIOD_MAX {
        broken.push(Violation::TooManyStops { route, stops });
        return Some(());
    }
    let Some(first) = one.cycle.first() else {
        broken.push(Violation::CycleEmpty { route });
        return Some(());
    };
    let (vertex, start) = (
        one.prefix.first().unwrap_or(first).vertex,
        problem.guards()[route].start,
    );
    if vertex != start {
        broken.push(Violation::Start {
            route,
            vertex,
            start,
        });
    }
    let prefix = one.prefix.iter().enumerate();
    let cycle = one.cycle.iter().enumerate();
    let mut last: Option<Stop> = None;
    let all = prefix
        .map(|(at, stop)| (At::Prefix(at), *stop))
        .chain(cycle.map(|(at, stop)| (At::Cycle(at), *stop)));
    for (at, stop) in all {
        stop_check.spend(STOP)?;
        if broken.len() >= VIOLATIONS_MAX {
            return Some(());
        }
        visit(problem, (route, at, stop), broken);
        if let Some(last) = last {
            step(problem, (route, at), [last, stop], broken);
        }
        last = Some(stop);
    }
    if let [first, .., last] = one.cycle[..] {
        step(problem, (route, At::Cycle(0)), [last, first], broken);
    } else if first.stay == 0 {
        broken.push(Violation::CycleInstant { route });
    }
    Some(())
}

fn visit(
    problem: &Problem,
    (route, at, Stop { vertex, stay }): (usize, At, Stop),
    broken: &mut Vec<Violation>,
) {
    if vertex >= problem.vertices() {
        broken.push(Violation::UnknownVertex { route, at, vertex });
        return;
    }
    let ticks = stay;
    if ticks > 0 && !problem.spec().may_stay {
        broken.push(Violation::Stay { route, at, ticks });
    }
    let least = problem.pause(vertex);
    if stay < least {
        broken.push(Violation::PauseShort {
            route,
            at,
            vertex,
            ticks,
            least,
        });
    }
}

fn step(
    problem: &Problem,
    (route, at): (usize, At),
    [from, to]: [Stop; 2],
    broken: &mut Vec<Violation>,
) {
    let (from, to) = (from.vertex, to.vertex);
    let known = from < problem.vertices() && to < problem.vertices();
    if known && problem.out_edge(from, to).is_none() {
        broken.push(Violation::NoEdge {
            route,
            at,
            from,
            to,
        });
    }
}
