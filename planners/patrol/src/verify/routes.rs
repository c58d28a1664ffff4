//! Rules of each route alone, in the paths of the contract's `PatrolPlan`.

use crate::plan::{PERIOD_MAX, Plan, Route, Stop};
use crate::problem::Problem;
use anytime::{Fault, Path, Ticker, element, fault, time};

/// Steps of work to check a stop.
const STOP: u64 = 16;

/// Maximum number of broken rules that are reported.
pub const VIOLATIONS_MAX: usize = 1_000;

/// Broken rules of the routes one by one, up to [`VIOLATIONS_MAX`]; `None`: stopped.
pub(super) fn faults(problem: &Problem, plan: &Plan, ticker: &Ticker) -> Option<Vec<Fault>> {
    let mut faults = Vec::new();
    let (given, guards) = (plan.routes.len(), problem.guards().len());
    if given != guards {
        let at = Path::WHOLE;
        faults.push(fault!(
            "ROUTE_COUNT",
            at,
            "has {} routes for {} guards",
            given,
            guards
        ));
    }
    let routes = Path::root("routes");
    for (guard, route) in plan.routes.iter().enumerate().take(guards) {
        check_route(
            problem,
            guard,
            route,
            &routes.index(guard),
            ticker,
            &mut faults,
        )?;
    }
    faults.truncate(VIOLATIONS_MAX);
    Some(faults)
}

fn check_route(
    problem: &Problem,
    guard: usize,
    route: &Route,
    at: &Path<'_>,
    ticker: &Ticker,
    faults: &mut Vec<Fault>,
) -> Option<()> {
    let (prefix_at, cycle_at) = (at.field("prefix"), at.field("cycle"));
    let stops = route.prefix.len() + route.cycle.len();
    if stops as u64 > PERIOD_MAX {
        faults.push(fault!(
            "TOO_MANY_STOPS",
            at,
            "has {} stops, at most {} are allowed",
            stops,
            PERIOD_MAX
        ));
        return Some(());
    }
    let Some(first) = route.cycle.first() else {
        faults.push(fault!("CYCLE_EMPTY", cycle_at, "is empty"));
        return Some(());
    };
    check_start(problem, guard, route, at, faults);
    let prefix = route.prefix.iter().enumerate();
    let cycle = route.cycle.iter().enumerate();
    let prefix = prefix.map(|(index, stop)| (prefix_at.index(index), *stop));
    let cycle = cycle.map(|(index, stop)| (cycle_at.index(index), *stop));
    let mut last: Option<Stop> = None;
    // What the guard has waited before the start counts for its first visit.
    let mut waited = begun_pause(problem, guard, route);
    for (at, stop) in prefix.chain(cycle) {
        ticker.step(STOP).ok()?;
        if faults.len() >= VIOLATIONS_MAX {
            return Some(());
        }
        check_stop(problem, stop, std::mem::take(&mut waited), &at, faults);
        if let Some(last) = last {
            check_edge(problem, last, stop, &at, faults);
        }
        last = Some(stop);
    }
    if let [first, .., last] = route.cycle[..] {
        check_edge(problem, last, first, &cycle_at.index(0), faults);
    } else if first.stay == 0 {
        faults.push(fault!("CYCLE_INSTANT", cycle_at, "takes no time"));
    }
    Some(())
}

/// Checks that a route begins where its guard is.
fn check_start(
    problem: &Problem,
    index: usize,
    route: &Route,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    let guard = problem.guards()[index];
    let mut stops = route.prefix.iter().chain(&route.cycle);
    let Some(first) = stops.next() else { return };
    let [begin, start] = [first.vertex, guard.start].map(|vertex| element("vertex", vertex));
    let name = element("guard", index);
    let Some(next) = guard.next else {
        if first.vertex != guard.start {
            faults.push(fault!(
                "START_WRONG",
                at,
                "begins at {}, but {} is at {}",
                begin,
                name,
                start
            ));
        }
        return;
    };
    let goes_on = stops.next().is_some_and(|stop| stop.vertex == next);
    let is_begun = first.vertex == guard.start && first.stay == 0;
    if !(is_begun && goes_on && !route.prefix.is_empty()) {
        let next = element("vertex", next);
        faults.push(fault!(
            "START_WRONG",
            at,
            "does not begin with a prefix from {} to {}, where {} is on its way",
            start,
            next,
            name
        ));
    }
}

/// Ticks of the pause of the first stop that were over before the start. The cycle comes again, so
/// that they do not count there.
fn begun_pause(problem: &Problem, guard: usize, route: &Route) -> u32 {
    let guard = &problem.guards()[guard];
    match (guard.next, route.prefix.first()) {
        (_, None) => 0,
        (None, Some(_)) => guard.elapsed,
        // It left the vertex before the start.
        (Some(_), Some(_)) => u32::MAX,
    }
}

fn check_stop(problem: &Problem, stop: Stop, waited: u32, at: &Path<'_>, faults: &mut Vec<Fault>) {
    let Stop { vertex, stay } = stop;
    let name = element("vertex", vertex);
    if vertex >= problem.vertices() {
        faults.push(fault!(
            "VERTEX_UNKNOWN",
            at,
            "is at {}, which does not exist",
            name
        ));
        return;
    }
    if stay > 0 && !problem.spec().may_stay {
        let stay = time(stay);
        faults.push(fault!(
            "STAY_FORBIDDEN",
            at,
            "lasts {}, but guards may not stay",
            stay
        ));
    }
    let pause = problem.pause(vertex).saturating_sub(waited);
    if stay < pause {
        let [stay, pause] = [stay, pause].map(time);
        faults.push(fault!(
            "PAUSE_SHORT",
            at,
            "lasts {} at {}, at least {} is required",
            stay,
            name,
            pause
        ));
    }
}

fn check_edge(problem: &Problem, from: Stop, to: Stop, at: &Path<'_>, faults: &mut Vec<Fault>) {
    let (from, to) = (from.vertex, to.vertex);
    let exist = from < problem.vertices() && to < problem.vertices();
    if exist && problem.out_edge(from, to).is_none() {
        let [from, to] = [from, to].map(|vertex| element("vertex", vertex));
        faults.push(fault!(
            "NO_EDGE",
            at,
            "is at {}, to which no edge leads from {}",
            to,
            from
        ));
    }
}
