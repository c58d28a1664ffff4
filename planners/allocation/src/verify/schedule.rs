//! When things happen on given routes.

use crate::plan::{Plan, Route, Stop};
use crate::problem::{Agent, Micros, Problem, Task};

/// What a route says only between its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteTimes {
    /// When the agent gets to each stop, in microseconds from the start of the plan.
    pub arrivals_us: Vec<Micros>,
    /// When it is done: at its end place if it has one, else after its last task.
    pub end_us: Micros,
    /// Travel cost of the route, the way to the end place included, in millionths.
    pub travel_cost_micro: i64,
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
    };
    let mut here = agent.start;
    for stop in &route.stops {
        let task = &problem.tasks()[stop.task];
        let arrival_us = times.travel(problem, agent, (here, task.location));
        times.arrivals_us.push(arrival_us);
        times.end_us = stop.start_us.saturating_add(task.service_us);
        here = task.location;
    }
    if let Some(end) = agent.end.filter(|_| !route.stops.is_empty()) {
        times.end_us = times.travel(problem, agent, (here, end));
    }
    times
}

impl RouteTimes {
    /// Pays for the way, and says when it ends if it starts now.
    fn travel(&mut self, problem: &Problem, agent: &Agent, (from, to): (usize, usize)) -> Micros {
        let travel = problem.travel();
        let Some(way_us) = travel.duration_at_us(from, to, agent.speed_micro) else {
            return self.end_us;
        };
        self.travel_cost_micro = self
            .travel_cost_micro
            .saturating_add(travel.cost_micro(from, to));
        self.end_us.saturating_add(way_us)
    }
}

/// A plan in which these agents do these tasks in these orders, each as early as the one before it
/// allows.
///
/// Of all start times that keep the rules the earliest are best for every term of the objective:
/// whoever starts earlier arrives no later anywhere.
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
    };
    Plan {
        routes: orders.iter().map(route).collect(),
    }
}

fn starts(problem: &Problem, agent: usize, tasks: &[usize]) -> Vec<Stop> {
    let agent = problem.agents().get(agent);
    let mut here = agent.map(|a| a.start);
    let mut free_us = agent.map_or(0, |a| a.shift_start_us);
    let start = |&index: &usize| {
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
    tasks.iter().map(start).collect()
}

/// Earliest start at or after `from_us` that the windows allow, or `from_us` when they are over.
fn earliest(task: &Task, from_us: Micros) -> Micros {
    let open = task.windows.iter().find(|w| from_us <= w.close_us);
    open.map_or(from_us, |w| from_us.max(w.open_us))
}
