//! Allocation plans: to the wire, and from it for checking.

use super::names::Names;
use super::problem::Decoded;
use super::{ones, problem};
use crate::mistakes::{Code, Mistakes};
use crate::values::{duration_of_micros, read_each, rounded_micros};
use allocation::problem::Problem;
use allocation::verify::{RouteTimes, schedule, timeline};
use allocation::{Plan, Rest, Route, Stop};
use anytime::Path;
use stratagem_proto::v1 as pb;

/// A verified plan for the wire.
pub(crate) fn plan(problem: &Problem, names: &Names, plan: &Plan) -> pb::AllocationPlan {
    let mut done = vec![false; problem.tasks().len()];
    for stop in plan.routes.iter().flat_map(|r| &r.stops) {
        done[stop.task] = true;
    }
    let left = names
        .tasks
        .list()
        .iter()
        .zip(&done)
        .filter(|(_, done)| !**done);
    let times = timeline(problem, plan);
    let routes = plan.routes.iter().zip(&times);
    pb::AllocationPlan {
        routes: routes.map(|(r, t)| route(problem, names, r, t)).collect(),
        unserved_task_ids: left.map(|(id, _)| id.clone()).collect(),
    }
}

fn route(
    problem: &Problem,
    names: &Names,
    route: &Route,
    times: &RouteTimes,
) -> pb::AllocationRoute {
    let stop = |stop: &Stop, arrival_us: i64| {
        let task = &problem.tasks()[stop.task];
        let last = task.windows.last();
        let lateness_us = last.map_or(0, |last| (stop.start_us - last.close_us).max(0));
        pb::AllocationStop {
            task_id: names.tasks.list()[stop.task].clone(),
            arrival_offset: Some(duration_of_micros(arrival_us)),
            start_offset: Some(duration_of_micros(stop.start_us)),
            departure_offset: Some(duration_of_micros(stop.start_us + task.service_us)),
            lateness_duration: Some(duration_of_micros(lateness_us)),
        }
    };
    let stops = route.stops.iter().zip(&times.arrivals_us);
    pb::AllocationRoute {
        agent_id: names.agents.list()[route.agent].clone(),
        stops: stops.map(|(one, us)| stop(one, *us)).collect(),
        end_offset: Some(duration_of_micros(times.end_us)),
        travel_cost: ones(times.travel_cost_micro),
        rests: route
            .rests
            .iter()
            .map(|one| rest(problem, names, one))
            .collect(),
    }
}

fn rest(problem: &Problem, names: &Names, rest: &Rest) -> pb::AllocationRest {
    let length_us = problem.couplings().breaks[rest.index].length_us;
    pb::AllocationRest {
        break_id: names.breaks.list()[rest.index].clone(),
        stop_index: i32::try_from(rest.stop).unwrap_or(i32::MAX),
        start_offset: Some(duration_of_micros(rest.start_us)),
        end_offset: Some(duration_of_micros(rest.start_us + length_us)),
    }
}

/// A plan from outside: not trusted, only readable. `None` when there are mistakes.
///
/// Routes without any start become as early as they can; where the problem has couplings all starts
/// are required.
pub(crate) fn orders(
    given: pb::AllocationPlan,
    decoded: &Decoded,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Plan> {
    // What follows from the routes is computed, not read.
    let pb::AllocationPlan {
        routes,
        unserved_task_ids: _,
    } = given;
    let list = at.field("routes");
    let routes: Vec<_> = routes
        .into_iter()
        .enumerate()
        .map(|(i, given)| read_route(given, decoded, &list.index(i), wrong))
        .collect();
    if !wrong.is_empty() {
        return None;
    }
    let order = |r: &ReadRoute| (r.agent, r.stops.iter().map(|s| s.0).collect());
    let orders: Vec<(usize, Vec<usize>)> = routes.iter().map(order).collect();
    let mut plan = schedule(&decoded.problem, &orders);
    for (route, read) in plan.routes.iter_mut().zip(&routes) {
        for (stop, (_, start_us)) in route.stops.iter_mut().zip(&read.stops) {
            stop.start_us = start_us.unwrap_or(stop.start_us);
        }
        route.rests.clone_from(&read.rests);
    }
    Some(plan)
}

struct ReadRoute {
    agent: usize,
    /// Task and start.
    stops: Vec<(usize, Option<i64>)>,
    rests: Vec<Rest>,
}

fn read_route(
    given: pb::AllocationRoute,
    decoded: &problem::Decoded,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> ReadRoute {
    let pb::AllocationRoute {
        agent_id,
        stops,
        end_offset: _,
        travel_cost: _,
        rests,
    } = given;
    let agent = decoded
        .names
        .agents
        .find(&at.field("agent_id"), &agent_id, wrong);
    let coupled = !decoded.problem.couplings().is_empty();
    let timed = coupled || stops.iter().any(|stop| stop.start_offset.is_some());
    let stops = read_each(stops, &at.field("stops"), |given, at| {
        let pb::AllocationStop {
            task_id,
            start_offset,
            arrival_offset: _,
            departure_offset: _,
            lateness_duration: _,
        } = given;
        let task = decoded
            .names
            .tasks
            .find(&at.field("task_id"), &task_id, wrong);
        let start_at = at.field("start_offset");
        if timed && start_offset.is_none() {
            if coupled {
                let why = "is required where the problem has couplings";
                wrong.add(&start_at, Code::Required, why);
            } else {
                let why = "is missing, but other stops of the route have it";
                wrong.add(&start_at, Code::Mixed, why);
            }
        }
        let start = start_offset.as_ref().map(rounded_micros);
        (task.unwrap_or(0), start)
    });
    let rests = read_each(rests, &at.field("rests"), |one, at| {
        read_rest(one, decoded, at, wrong)
    });
    ReadRoute {
        agent: agent.unwrap_or(0),
        stops,
        rests,
    }
}

fn read_rest(
    given: pb::AllocationRest,
    decoded: &problem::Decoded,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Rest {
    let pb::AllocationRest {
        break_id,
        stop_index,
        start_offset,
        end_offset: _,
    } = given;
    let breaks = &decoded.names.breaks;
    let index = breaks.find(&at.field("break_id"), &break_id, wrong);
    Rest {
        index: index.unwrap_or(0),
        stop: usize::try_from(stop_index).unwrap_or(0),
        start_us: start_offset.as_ref().map_or(0, rounded_micros),
    }
}
