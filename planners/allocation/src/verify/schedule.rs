//! Times of given routes.

use super::now;
use crate::plan::{Plan, Route, Stop};
use crate::problem::{Agent, Micros, Problem, Task};

/// Times and amounts that follow from a route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteTimes {
    /// Arrival at each stop, after breaks before it, in microseconds from the start of the plan.
    pub arrivals_us: Vec<Micros>,
    /// End of the route: at the end place if there is one, else after the last task.
    pub end_us: Micros,
    /// Travel cost of the route, the arc to the end place included, in millionths.
    pub travel_cost_micro: i64,
    /// Time of travel and work, without waiting and breaks.
    pub busy_us: Micros,
}

/// Arrivals, ends and travel costs of the routes of a valid plan, in the order of the plan.
///
/// # Panics
/// When an agent or a task does not exist: [`verify`](super::verify) the plan before. The result
/// for a plan with other violations is meaningless.
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
        let travel_us = times.travel(problem, agent, here, task.location);
        times.end_us = times
            .end_us
            .max(now::earliest_departure_us(problem, route, position));
        let arrival_us = rested(problem, route, position, times.end_us, travel_us);
        times.arrivals_us.push(arrival_us);
        times.busy_us = times.busy_us.saturating_add(task.service_us);
        times.end_us = stop.start_us.saturating_add(task.service_us);
        here = task.location;
    }
    if !route.stops.is_empty() {
        let end = agent.end;
        let travel_us = end.map_or(0, |end| times.travel(problem, agent, here, end));
        let position = route.stops.len();
        times.end_us = rested(problem, route, position, times.end_us, travel_us);
    }
    times
}

/// Arrival of an agent that leaves at `free_us` for a stop, after the breaks of the route before
/// it. Breaks that do not exist take no time.
fn rested(
    problem: &Problem,
    route: &Route,
    stop: usize,
    free_us: Micros,
    travel_us: Micros,
) -> Micros {
    let mut arrival_us = free_us.saturating_add(travel_us);
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
    /// Adds the cost of an arc, and returns its travel time.
    fn travel(&mut self, problem: &Problem, agent: &Agent, from: usize, to: usize) -> Micros {
        let travel = problem.travel();
        let Some(travel_us) = travel.duration_at_us(from, to, agent.speed_micro) else {
            return 0;
        };
        self.travel_cost_micro = self
            .travel_cost_micro
            .saturating_add(travel.cost_micro(from, to));
        self.busy_us = self.busy_us.saturating_add(travel_us);
        travel_us
    }
}

/// The plan in which these agents do these tasks in these orders, each as early as the one before
/// it allows. Couplings are ignored, and there are no rests.
///
/// Without couplings the earliest starts are optimal in every term of the objective: an earlier
/// start never makes an arrival later.
///
/// Nothing about `orders` is trusted. If a rule cannot be satisfied the start is the earliest that
/// the other rules allow: missing arcs take no time, and missed windows are open. So
/// [`verify`](super::verify) finds the violations. Routes and stops keep their places; sums
/// saturate.
#[must_use]
pub fn schedule(problem: &Problem, orders: &[(usize, Vec<usize>)]) -> Plan {
    let route =
        |(agent, tasks): &(usize, Vec<usize>)| Route::new(*agent, starts(problem, *agent, tasks));
    Plan {
        routes: orders.iter().map(route).collect(),
    }
}

fn starts(problem: &Problem, agent: usize, tasks: &[usize]) -> Vec<Stop> {
    let first = problem.committed(agent).len();
    let agent = problem.agents().get(agent);
    let mut here = agent.map(|a| a.start);
    let mut free_us = agent.map_or(0, |a| a.shift_start_us);
    let mut stops = Vec::with_capacity(tasks.len());
    for (position, &index) in tasks.iter().enumerate() {
        if position == first {
            free_us = free_us.max(problem.now_us());
        }
        let Some(task) = problem.tasks().get(index) else {
            here = None;
            stops.push(Stop {
                task: index,
                start_us: free_us,
            });
            continue;
        };
        let travel_us = agent.zip(here).and_then(|(agent, from)| {
            let travel = problem.travel();
            travel.duration_at_us(from, task.location, agent.speed_micro)
        });
        let start_us = earliest(task, free_us.saturating_add(travel_us.unwrap_or(0)));
        here = Some(task.location);
        free_us = start_us.saturating_add(task.service_us);
        stops.push(Stop {
            task: index,
            start_us,
        });
    }
    stops
}

/// Earliest start at or after `from_us` that the windows allow, or `from_us` if they are all
/// closed.
fn earliest(task: &Task, from_us: Micros) -> Micros {
    let open = task.windows.iter().find(|w| from_us <= w.close_us);
    open.map_or(from_us, |w| from_us.max(w.open_us))
}
