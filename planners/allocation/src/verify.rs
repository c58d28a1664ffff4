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
mod load;
mod now;
mod rests;
mod schedule;
mod violation;

pub use certificate::{CertificateCheck, Refuted, certificate};
pub use schedule::{RouteTimes, schedule, timeline};
pub use violation::{CouplingViolation, Violation};

use crate::plan::{Cost, Plan, Route, Terms};
use crate::problem::{Agent, Micros, Problem, Task};

/// Cost of a plan.
///
/// A plan that leaves tasks out can be valid: see [`is_partial`].
///
/// # Errors
/// All violations: first of agents and tasks, then route by route, then of breaks and couplings,
/// then of the previous plan.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Violation>> {
    terms(problem, plan).map(|terms| problem.cost(&terms))
}

/// Terms of a plan's cost.
///
/// # Errors
/// All violations, as [`verify`].
pub fn terms(problem: &Problem, plan: &Plan) -> Result<Terms, Vec<Violation>> {
    let mut broken = Vec::new();
    agents_once(problem, plan, &mut broken);
    tasks_once(problem, plan, &mut broken);
    let mut ends_us = vec![0; plan.routes.len()];
    for (index, route) in plan.routes.iter().enumerate() {
        if let Some(agent) = problem.agents().get(route.agent) {
            stops(problem, plan, index, agent, &mut broken);
            ends_us[index] = end(problem, plan, index, agent, &mut broken);
            load::check(problem, plan, index, agent, &mut broken);
        }
    }
    rests::check(problem, plan, &ends_us, &mut broken);
    coupling::check(problem, plan, &mut broken);
    committed(problem, plan, &mut broken);
    changes(problem, plan, &mut broken);
    if broken.is_empty() {
        Ok(count::terms(problem, plan))
    } else {
        Err(broken)
    }
}

/// Whether a plan leaves out a mandatory task of a strict problem ([`Problem::is_strict`]).
#[must_use]
pub fn is_partial(problem: &Problem, plan: &Plan) -> bool {
    let done = count::done(problem, plan);
    let mut tasks = problem.tasks().iter().zip(&done);
    problem.is_strict() && tasks.any(|(task, done)| task.drop_penalty_micro.is_none() && !done)
}

fn agents_once(problem: &Problem, plan: &Plan, broken: &mut Vec<Violation>) {
    let mut routes = vec![None; problem.agents().len()];
    let mut before = None;
    for (route, one) in plan.routes.iter().enumerate() {
        let agent = one.agent;
        match routes.get_mut(agent) {
            None => broken.push(Violation::AgentUnknown { route, agent }),
            Some(Some(first)) => {
                let first = *first;
                broken.push(Violation::AgentRepeated {
                    route,
                    agent,
                    first,
                });
            }
            Some(seen) => {
                *seen = Some(route);
                if let Some(before) = before.filter(|before| agent < *before) {
                    broken.push(Violation::RouteOrder {
                        route,
                        agent,
                        before,
                    });
                }
                before = Some(agent);
            }
        }
        if one.stops.is_empty() {
            broken.push(Violation::RouteEmpty { route, agent });
        }
    }
}

fn tasks_once(problem: &Problem, plan: &Plan, broken: &mut Vec<Violation>) {
    let mut places = vec![None; problem.tasks().len()];
    for (route, one) in plan.routes.iter().enumerate() {
        for (stop, task) in one.stops.iter().map(|s| s.task).enumerate() {
            match places.get_mut(task) {
                None => broken.push(Violation::TaskUnknown { route, stop, task }),
                Some(Some((first_route, first_stop))) => broken.push(Violation::TaskRepeated {
                    route,
                    stop,
                    task,
                    first_route: *first_route,
                    first_stop: *first_stop,
                }),
                Some(seen) => *seen = Some((route, stop)),
            }
        }
    }
}

/// Skills, arcs, arrivals and windows of all stops. Stops at unknown tasks are passed over, with
/// the arcs to and from them.
fn stops(problem: &Problem, plan: &Plan, route: usize, agent: &Agent, broken: &mut Vec<Violation>) {
    let given = &plan.routes[route];
    // Location of the agent, and the time from which it is free there.
    let mut here = Some((agent.start, agent.shift_start_us));
    for (stop, one) in given.stops.iter().enumerate() {
        let Some(task) = problem.tasks().get(one.task) else {
            here = None;
            continue;
        };
        let missing = task.skills & !agent.skills;
        if missing != 0 {
            broken.push(Violation::SkillsMissing {
                route,
                stop,
                task: one.task,
                missing,
            });
        }
        let leaves_us = now::earliest_departure_us(problem, given, stop);
        here = here.map(|(from, free_us)| (from, free_us.max(leaves_us)));
        let free_us = here.map(|(_, free_us)| free_us);
        let rested = rests::before(problem, plan, route, stop, free_us, broken);
        let past = now::past(problem, plan, route, stop);
        if let (Some((from, free_us)), None) = (here, past) {
            let (to, start_us) = (task.location, one.start_us);
            match problem
                .travel()
                .duration_at_us(from, to, agent.speed_micro)
                .map(|travel_us| arrival(free_us, travel_us, &rested))
            {
                None => broken.push(Violation::NoWay {
                    route,
                    stop,
                    from,
                    to,
                }),
                Some(arrival_us) if start_us < arrival_us => {
                    broken.push(Violation::StartBeforeArrival {
                        route,
                        stop,
                        start_us,
                        arrival_us,
                    });
                }
                Some(_) => {}
            }
        }
        broken.extend(past);
        broken.extend(window(task, one.start_us).map(|wrong| wrong.at(route, stop, one)));
        here = Some((task.location, one.start_us.saturating_add(task.service_us)));
    }
}

/// How a start misses the windows.
enum Missed {
    Early { open_us: Micros },
    Late { latest_us: Micros },
}

impl Missed {
    fn at(self, route: usize, stop: usize, one: &crate::plan::Stop) -> Violation {
        let (task, start_us) = (one.task, one.start_us);
        match self {
            Self::Early { open_us } => Violation::StartOutsideWindows {
                route,
                stop,
                task,
                start_us,
                open_us,
            },
            Self::Late { latest_us } => Violation::StartTooLate {
                route,
                stop,
                task,
                start_us,
                latest_us,
            },
        }
    }
}

fn window(task: &Task, start_us: Micros) -> Option<Missed> {
    let last = task.windows.last()?;
    // At most ten years each: no overflow.
    let latest_us = last.close_us + task.lateness_max_us.unwrap_or(0);
    if start_us > latest_us {
        return Some(Missed::Late { latest_us });
    }
    // The first window that has not closed yet; after the last one the lateness allowed begins.
    let next = task.windows.iter().find(|w| start_us <= w.close_us)?;
    (start_us < next.open_us).then_some(Missed::Early {
        open_us: next.open_us,
    })
}

/// Checks the arc to the end place and the shift. Returns the end of the route, as far as the plan
/// determines it.
fn end(
    problem: &Problem,
    plan: &Plan,
    route: usize,
    agent: &Agent,
    broken: &mut Vec<Violation>,
) -> Micros {
    let given = &plan.routes[route];
    let Some((last, task)) = given
        .stops
        .last()
        .and_then(|last| Some((last, problem.tasks().get(last.task)?)))
    else {
        return 0;
    };
    let free_us = last.start_us.saturating_add(task.service_us);
    let stop = given.stops.len();
    let rested = rests::before(problem, plan, route, stop, Some(free_us), broken);
    let mut end_us = arrival(free_us, 0, &rested);
    if let Some(to) = agent.end {
        let from = task.location;
        match problem.travel().duration_at_us(from, to, agent.speed_micro) {
            None => broken.push(Violation::NoWayToEnd { route, from, to }),
            Some(travel_us) => end_us = arrival(free_us, travel_us, &rested),
        }
    }
    let shift_end_us = agent.shift_end_us;
    if end_us > shift_end_us {
        broken.push(Violation::ShiftExceeded {
            route,
            end_us,
            shift_end_us,
        });
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
fn committed(problem: &Problem, plan: &Plan, broken: &mut Vec<Violation>) {
    for agent in 0..problem.agents().len() {
        let route = plan.routes.iter().position(|r| r.agent == agent);
        for (stop, &task) in problem.committed(agent).iter().enumerate() {
            let planned = route.and_then(|r| plan.routes[r].stops.get(stop));
            if planned.map(|s| s.task) != Some(task) {
                broken.push(Violation::StartedNotKept {
                    agent,
                    route,
                    stop,
                    task,
                });
            }
        }
    }
}

fn changes(problem: &Problem, plan: &Plan, broken: &mut Vec<Violation>) {
    let Some(changes_max) = problem.previous().and_then(|p| p.changes_max) else {
        return;
    };
    let moved = |route: &Route| {
        let before = |task: usize| (task < problem.tasks().len()).then_some(task);
        let tasks = route.stops.iter().filter_map(|s| before(s.task));
        tasks
            .filter_map(|task| problem.previous_agent(task))
            .filter(|agent| *agent != route.agent)
            .count()
    };
    let changes = plan.routes.iter().map(moved).sum();
    if changes > changes_max {
        broken.push(Violation::TooManyChanges {
            changes,
            changes_max,
        });
    }
}
