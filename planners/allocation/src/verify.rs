//! Independent check of a plan. It shares no code with the search.
//!
//! The plan may come from outside, so nothing about it is trusted. The rules are those of the
//! [crate](crate#problem): agents and tasks, then route by route skills, arcs, arrivals, windows,
//! shifts and loads, then breaks and couplings, then the previous plan. Sums of times saturate: a
//! saturated sum is later than the end of every shift, and so are all later sums of its route, so a
//! violation is found in any case.

mod certificate;
mod count;
mod coupling;
mod dual_bound;
mod load;
mod now;
mod rests;
mod schedule;

pub(crate) use count::changes;
pub(crate) use load::overloads;

pub use certificate::{CertificateCheck, Refuted, certificate};
pub use dual_bound::dual_bound;
pub use schedule::{RouteTimes, schedule, timeline};

use crate::plan::{Cost, Plan, Route, Stop, Terms};
use crate::problem::{Agent, Micros, Problem, Task};
use anytime::{Argument, Fault, Path, element, fault, time};

/// Cost of a plan.
///
/// A plan that leaves tasks out can be valid: see [`is_partial`].
///
/// # Errors
/// Every fault, with its path in the contract's `AllocationPlan`: first of agents and tasks, then
/// route by route, then of breaks and couplings, then of the previous plan.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Fault>> {
    terms(problem, plan).map(|terms| problem.cost(&terms))
}

/// Terms of a plan's cost.
///
/// # Errors
/// Every fault, as [`verify`].
pub fn terms(problem: &Problem, plan: &Plan) -> Result<Terms, Vec<Fault>> {
    let mut faults = Vec::new();
    agents_once(problem, plan, &mut faults);
    tasks_once(problem, plan, &mut faults);
    let mut ends_us = vec![0; plan.routes.len()];
    let routes_at = Path::root("routes");
    for (index, route) in plan.routes.iter().enumerate() {
        if let Some(agent) = problem.agents().get(route.agent) {
            let at = routes_at.index(index);
            stops(problem, route, agent, &at, &mut faults);
            ends_us[index] = end(problem, route, agent, &at, &mut faults);
            load::check(problem, route, &at, &mut faults);
        }
    }
    rests::check(problem, plan, &ends_us, &mut faults);
    coupling::check(problem, plan, &mut faults);
    committed(problem, plan, &mut faults);
    too_many_changes(problem, plan, &mut faults);
    if faults.is_empty() {
        Ok(count::terms(problem, plan))
    } else {
        Err(faults)
    }
}

/// Whether a plan leaves out a mandatory task of a strict problem ([`Problem::is_strict`]).
#[must_use]
pub fn is_partial(problem: &Problem, plan: &Plan) -> bool {
    let done = count::done(problem, plan);
    let mut tasks = problem.tasks().iter().zip(&done);
    problem.is_strict() && tasks.any(|(task, done)| task.drop_penalty_micro.is_none() && !done)
}

fn agents_once(problem: &Problem, plan: &Plan, faults: &mut Vec<Fault>) {
    let routes_at = Path::root("routes");
    let mut routes = vec![None; problem.agents().len()];
    let mut before = None;
    for (route, one) in plan.routes.iter().enumerate() {
        let (at, agent) = (routes_at.index(route), element("agent", one.agent));
        match routes.get_mut(one.agent) {
            None => {
                let text = agent.clone();
                faults.push(fault!(
                    "AGENT_UNKNOWN",
                    at,
                    "is of {}, which does not exist",
                    text
                ));
            }
            Some(Some(first)) => faults.push(fault!(
                "AGENT_REPEATED",
                at,
                "is of {}, which has route {} already",
                agent.clone(),
                *first
            )),
            Some(seen) => {
                *seen = Some(route);
                if let Some(before) = before.filter(|before| one.agent < *before) {
                    faults.push(fault!(
                        "ROUTE_ORDER",
                        at,
                        "is of {}, but comes after the route of {}",
                        agent.clone(),
                        element("agent", before)
                    ));
                }
                before = Some(one.agent);
            }
        }
        if one.stops.is_empty() {
            faults.push(fault!("ROUTE_EMPTY", at, "of {} has no stops", agent));
        }
    }
}

fn tasks_once(problem: &Problem, plan: &Plan, faults: &mut Vec<Fault>) {
    let routes_at = Path::root("routes");
    let mut places = vec![None; problem.tasks().len()];
    for (route, one) in plan.routes.iter().enumerate() {
        let route_at = routes_at.index(route);
        let stops_at = route_at.field("stops");
        for (stop, task) in one.stops.iter().map(|s| s.task).enumerate() {
            let (at, name) = (stops_at.index(stop), element("task", task));
            match places.get_mut(task) {
                None => {
                    faults.push(fault!(
                        "TASK_UNKNOWN",
                        at,
                        "is {}, which does not exist",
                        name
                    ));
                }
                Some(Some((first_route, first_stop))) => faults.push(fault!(
                    "TASK_REPEATED",
                    at,
                    "is {}, which is done at routes[{}].stops[{}] already",
                    name,
                    *first_route,
                    *first_stop
                )),
                Some(seen) => *seen = Some((route, stop)),
            }
        }
    }
}

/// Skills, arcs, arrivals and windows of all stops. Stops at unknown tasks are passed over, with
/// the arcs to and from them.
fn stops(
    problem: &Problem,
    route: &Route,
    agent: &Agent,
    route_at: &Path<'_>,
    faults: &mut Vec<Fault>,
) {
    let stops_at = route_at.field("stops");
    // Location of the agent, and the time from which it is free there.
    let mut here = Some((agent.start, agent.shift_start_us));
    for (stop, one) in route.stops.iter().enumerate() {
        let Some(task) = problem.tasks().get(one.task) else {
            here = None;
            continue;
        };
        let at = stops_at.index(stop);
        let missing = task.skills & !agent.skills;
        if missing != 0 {
            let by = element("agent", route.agent);
            let (lacks, task) = (skills(missing), element("task", one.task));
            faults.push(fault!(
                "SKILLS_MISSING",
                at,
                "is by {}, which lacks {} of {}",
                by,
                lacks,
                task
            ));
        }
        let leaves_us = now::earliest_departure_us(problem, route, stop);
        here = here.map(|(from, free_us)| (from, free_us.max(leaves_us)));
        let free_us = here.map(|(_, free_us)| free_us);
        let rested = rests::before(problem, route, stop, free_us, route_at, faults);
        let past = now::past(problem, route, stop, &at);
        if let (Some((from, free_us)), None) = (here, &past) {
            let (to, start_us) = (task.location, one.start_us);
            let travel_us = problem.travel().duration_at_us(from, to, agent.speed_micro);
            match travel_us.map(|travel_us| arrival(free_us, travel_us, &rested)) {
                None => {
                    let [from, to] = [from, to].map(|it| element("location", it));
                    faults.push(fault!(
                        "NO_WAY",
                        at,
                        "cannot be reached: no arc from {} to {}",
                        from,
                        to
                    ));
                }
                Some(arrival_us) if start_us < arrival_us => {
                    let [start, arrival] = [start_us, arrival_us].map(time);
                    let code = "START_BEFORE_ARRIVAL";
                    faults.push(fault!(
                        code,
                        at,
                        "starts at {}, before the arrival at {}",
                        start,
                        arrival
                    ));
                }
                Some(_) => {}
            }
        }
        faults.extend(past);
        faults.extend(window(task, one, &at));
        here = Some((task.location, one.start_us.saturating_add(task.service_us)));
    }
}

/// The skills of a set of bits.
pub(crate) fn skills(bits: u64) -> Argument {
    let skills = (0..64).filter(|bit| bits >> bit & 1 == 1);
    Argument::List(skills.map(|bit| element("skill", bit)).collect())
}

/// The fault of a start outside of the windows and the lateness allowed.
fn window(task: &Task, stop: &Stop, at: &Path<'_>) -> Option<Fault> {
    let last = task.windows.last()?;
    let (start, name) = (time(stop.start_us), element("task", stop.task));
    // At most ten years each: no overflow.
    let latest_us = last.close_us + task.lateness_max_us.unwrap_or(0);
    if stop.start_us > latest_us {
        let latest = time(latest_us);
        return Some(fault!(
            "START_TOO_LATE",
            at,
            "starts at {}, but {} must start by {}",
            start,
            name,
            latest
        ));
    }
    // The first window that has not closed yet; after the last one the lateness allowed begins.
    let next = task.windows.iter().find(|w| stop.start_us <= w.close_us)?;
    (stop.start_us < next.open_us).then(|| {
        fault!(
            "START_OUTSIDE_WINDOWS",
            at,
            "starts at {}, outside of the windows of {}: the next opens at {}",
            start,
            name,
            time(next.open_us)
        )
    })
}

/// Checks the arc to the end place and the shift. Returns the end of the route, as far as the plan
/// determines it.
fn end(
    problem: &Problem,
    route: &Route,
    agent: &Agent,
    at: &Path<'_>,
    faults: &mut Vec<Fault>,
) -> Micros {
    let Some((last, task)) = route
        .stops
        .last()
        .and_then(|last| Some((last, problem.tasks().get(last.task)?)))
    else {
        return 0;
    };
    let free_us = last.start_us.saturating_add(task.service_us);
    let rested = rests::before(problem, route, route.stops.len(), Some(free_us), at, faults);
    let mut end_us = arrival(free_us, 0, &rested);
    if let Some(to) = agent.end {
        let from = task.location;
        match problem.travel().duration_at_us(from, to, agent.speed_micro) {
            None => {
                let [from, to] = [from, to].map(|it| element("location", it));
                faults.push(fault!(
                    "NO_WAY_TO_END",
                    at,
                    "has no arc from {} to the end place, {}",
                    from,
                    to
                ));
            }
            Some(travel_us) => end_us = arrival(free_us, travel_us, &rested),
        }
    }
    if end_us > agent.shift_end_us {
        let [end, shift_end] = [end_us, agent.shift_end_us].map(time);
        faults.push(fault!(
            "SHIFT_EXCEEDED",
            at,
            "ends at {}, after the shift, which ends at {}",
            end,
            shift_end
        ));
    }
    end_us
}

/// Arrival of an agent that leaves at `free_us` and rests during the arc.
fn arrival(free_us: Micros, travel_us: Micros, rested: &rests::Rested) -> Micros {
    let moving_us = travel_us.saturating_add(rested.length_us);
    let arrival_us = free_us.saturating_add(moving_us);
    rested
        .awake_us
        .map_or(arrival_us, |awake_us| arrival_us.max(awake_us))
}

/// Tasks under way stay first, with their agent, in their order, with or without other tasks.
fn committed(problem: &Problem, plan: &Plan, faults: &mut Vec<Fault>) {
    let routes_at = Path::root("routes");
    for agent in 0..problem.agents().len() {
        let route = plan.routes.iter().position(|r| r.agent == agent);
        for (stop, &task) in problem.committed(agent).iter().enumerate() {
            let planned = route.and_then(|r| plan.routes[r].stops.get(stop));
            if planned.map(|s| s.task) == Some(task) {
                continue;
            }
            let mut push = |at: &Path<'_>| {
                faults.push(fault!(
                    "STARTED_NOT_KEPT",
                    at,
                    "must be {}, which is under way, as stop {} of {}",
                    element("task", task),
                    stop,
                    element("agent", agent)
                ));
            };
            match route {
                Some(route) => push(&routes_at.index(route).field("stops").index(stop)),
                None => push(&Path::WHOLE),
            }
        }
    }
}

fn too_many_changes(problem: &Problem, plan: &Plan, faults: &mut Vec<Fault>) {
    let Some(changes_max) = problem.previous().and_then(|p| p.changes_max) else {
        return;
    };
    let changes = count::changes(problem, plan);
    if changes > changes_max {
        faults.push(fault!(
            "TOO_MANY_CHANGES",
            Path::WHOLE,
            "moves {} tasks to another agent, at most {} may",
            changes,
            changes_max
        ));
    }
}
