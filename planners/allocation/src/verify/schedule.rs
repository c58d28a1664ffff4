//! When things happen on given routes.

use super::now;
use crate::plan::{Plan, Route, Stop};
use crate::problem::{Agent, Micros, Problem, Task};

/// What a route says only between its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteTimes {
    /// When the agent gets to each stop, breaks before it included, in microseconds from the start
    /// of the plan.
    pub arrivals_us: Vec<Micros>,
    /// When it is done: at its end place if it has one, else after its last task.
    pub end_us: Micros,
    /// Travel cost of the route, the way to the end place included, in millionths.
    pub travel_cost_micro: i64,
    /// How long it travels and works, all together: neither waiting nor breaks.
    pub busy_us: Micros,
}

/// Arrivals, ends and travel costs of the routes of a valid plan, in the order of the plan.
///
/// # Panics
/// When an agent or a task does not exist: [`verify`](super::verify) the plan before. Of a plan
/// that breaks other rules the answer means nothing.
#[must_use]
pub fn timeline(problem: &Problem, plan: &Plan) -> Vec<RouteTimes> {
    plan.routes.iter().map(|r| times(problem, r)).collect()
}

fn times(problem: &Problem, route: &Route) -> RouteTimes {
    let agent = &problem.agents()[route.agent];
    let mut times = RouteTimes {
        arrivals_us: Vec::with_capacity(route.stops.len()),
        end_us: agent.shift_start_us,
        travel_cost_micro: 0,
        busy_us: 0,
    };
    let mut here = agent.start;
    for (position, stop) in route.stops.iter().enumerate() {
        let task = &problem.tasks()[stop.task];
        let way_us = times.travel(problem, agent, (here, task.location));
        times.end_us = times.end_us.max(now::floor_us(problem, route, position));
        let arrival_us = rested(problem, (route, position), (times.end_us, way_us));
        times.arrivals_us.push(arrival_us);
        times.busy_us = times.busy_us.saturating_add(task.service_us);
        times.end_us = stop.start_us.saturating_add(task.service_us);
        here = task.location;
    }
    if !route.stops.is_empty() {
        let way = agent.end.map(|end| (here, end));
        let way_us = way.map_or(0, |way| times.travel(problem, agent, way));
        let position = route.stops.len();
        times.end_us = rested(problem, (route, position), (times.end_us, way_us));
    }
    times
}

/// When an agent that sets out at `free_us` on a way is there, if it rests before this stop as the
/// route says. Breaks that do not exist take no time.
fn rested(
    problem: &Problem,
    (route, stop): (&Route, usize),
    (free_us, way_us): (Micros, Micros),
) -> Micros {
    let mut arrival_us = free_us.saturating_add(way_us);
    let mut awake_us = Micros::MIN;
    for rest in route.rests.iter().filter(|rest| rest.stop == stop) {
        let length_us = problem.couplings().breaks.get(rest.index);
        let length_us = length_us.map_or(0, |one| one.length_us);
        arrival_us = arrival_us.saturating_add(length_us);
        awake_us = awake_us.max(rest.start_us.saturating_add(length_us));
    }
    arrival_us.max(awake_us)
}

impl RouteTimes {
    /// Pays for the way, and says how long it takes.
    fn travel(&mut self, problem: &Problem, agent: &Agent, (from, to): (usize, usize)) -> Micros {
        let travel = problem.travel();
        let Some(way_us) = travel.duration_at_us(from, to, agent.speed_micro) else {
            return 0;
        };
        self.travel_cost_micro = self
            .travel_cost_micro
            .saturating_add(travel.cost_micro(from, to));
        self.busy_us = self.busy_us.saturating_add(way_us);
        way_us
    }
}

/// A plan in which these agents do these tasks in these orders, each as early as the one before it
/// allows. Couplings are not looked at, and nobody rests.
///
/// Without couplings the earliest start times that satisfy the rules are best for every term of the
/// objective: an earlier start never makes an arrival later.
///
/// Nothing about `orders` is trusted. Where a rule cannot be kept the time is the earliest that the
/// other rules allow, as if ways that are missing took no time and windows that are missed were
/// open, so that [`verify`](super::verify) finds what is wrong. Routes and stops keep their places;
/// sums saturate.
#[must_use]
pub fn schedule(problem: &Problem, orders: &[(usize, Vec<usize>)]) -> Plan {
    let route = |(agent, tasks): &(usize, Vec<usize>)| Route {
        agent: *agent,
        stops: starts(problem, *agent, tasks),
        rests: Vec::new(),
    };
    Plan {
        routes: orders.iter().map(route).collect(),
    }
}

fn starts(problem: &Problem, agent: usize, tasks: &[usize]) -> Vec<Stop> {
    let first = problem.started(agent).len();
    let agent = problem.agents().get(agent);
    let mut here = agent.map(|a| a.start);
    let mut free_us = agent.map_or(0, |a| a.shift_start_us);
    let start = |(position, &index): (usize, &usize)| {
        if position == first {
            free_us = free_us.max(problem.now_us());
        }
        let Some(task) = problem.tasks().get(index) else {
            here = None;
            return Stop {
                task: index,
                start_us: free_us,
            };
        };
        let way_us = agent.zip(here).and_then(|(agent, from)| {
            let travel = problem.travel();
            travel.duration_at_us(from, task.location, agent.speed_micro)
        });
        let start_us = earliest(task, free_us.saturating_add(way_us.unwrap_or(0)));
        here = Some(task.location);
        free_us = start_us.saturating_add(task.service_us);
        Stop {
            task: index,
            start_us,
        }
    };
    tasks.iter().enumerate().map(start).collect()
}

/// Earliest start at or after `from_us` that the windows allow, or `from_us` when they are over.
fn earliest(task: &Task, from_us: Micros) -> Micros {
    let open = task.windows.iter().find(|w| from_us <= w.close_us);
    open.map_or(from_us, |w| from_us.max(w.open_us))
}
