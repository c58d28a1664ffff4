//! Routes cut into what an agent does at any moment.

use crate::time::micros;
use std::collections::{BTreeMap, BTreeSet};
use stratagem_proto::v1::{
    AllocationAgent, AllocationPlan, AllocationProblem, AllocationRoute, AllocationStop,
};

/// What an agent does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// On its way.
    Travel,
    /// There too early.
    Wait,
    /// Having a break.
    Rest,
    /// At a task, begun in time.
    Work,
    /// At a task that began after its last window.
    LateWork,
}

/// Something that an agent does from one moment to another, in microseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Activity<'a> {
    pub(super) kind: Kind,
    pub(super) from_us: i64,
    pub(super) to_us: i64,
    /// The task of the work, wait or travel, or the break; empty while travelling to the end place.
    pub(super) task: &'a str,
}

/// One agent's day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub(super) agent: &'a str,
    /// In the order of time. Travel, waiting and breaks of no length are left out, work is not.
    pub(super) activities: Vec<Activity<'a>>,
}

/// The routes of a plan as rows, in the plan's order.
pub(super) fn rows<'a>(problem: &AllocationProblem, plan: &'a AllocationPlan) -> Vec<Row<'a>> {
    let agents: BTreeMap<_, _> = problem.agents.iter().map(|a| (a.id.as_str(), a)).collect();
    let row = |route: &'a AllocationRoute| Row {
        agent: &route.agent_id,
        activities: activities(
            route,
            agents.get(route.agent_id.as_str()).copied(),
            &open(problem, route),
        ),
    };
    plan.routes.iter().map(row).collect()
}

/// The first stop of a route that is not started, and when its agent can leave for it.
struct Open {
    position: usize,
    from_us: i64,
}

fn open(problem: &AllocationProblem, route: &AllocationRoute) -> Open {
    let previous = problem.previous_plan.iter().flat_map(|plan| &plan.routes);
    let own = previous.filter(|previous| previous.agent_id == route.agent_id);
    let started = own.flat_map(|previous| {
        let count = usize::try_from(previous.started_count).unwrap_or(0);
        previous.task_ids.iter().take(count)
    });
    let started: BTreeSet<_> = started.collect();
    let is_started = |stop: &&AllocationStop| started.contains(&stop.task_id);
    Open {
        position: route.stops.iter().take_while(is_started).count(),
        from_us: micros(problem.now_offset.as_ref()),
    }
}

/// First and last moment of all rows; an empty plan lasts from 0 to 0.
pub(super) fn horizon(rows: &[Row<'_>]) -> (i64, i64) {
    let all = || rows.iter().flat_map(|row| &row.activities);
    let from_us = all().map(|a| a.from_us).min().unwrap_or(0);
    let to_us = all().map(|a| a.to_us).max().unwrap_or(0);
    (from_us, to_us)
}

fn activities<'a>(
    route: &'a AllocationRoute,
    agent: Option<&AllocationAgent>,
    open: &Open,
) -> Vec<Activity<'a>> {
    let mut list = Vec::new();
    let mut now_us = agent.map_or(0, |a| micros(a.shift_start_offset.as_ref()));
    if open.position == 0 {
        now_us = now_us.max(open.from_us);
    }
    let mut pass = |kind, to_us: i64, task, always| {
        // A plan whose times run backwards is drawn as if they stood still.
        let to_us = to_us.max(now_us);
        if to_us > now_us || always {
            list.push(Activity {
                kind,
                from_us: now_us,
                to_us,
                task,
            });
        }
        now_us = to_us;
    };
    let rests = |stop: usize| {
        let of = route.rests.iter();
        of.filter(move |rest| usize::try_from(rest.stop_index) == Ok(stop))
    };
    for (position, stop) in route.stops.iter().enumerate() {
        if position == open.position {
            pass(Kind::Wait, open.from_us, &stop.task_id, false);
        }
        for rest in rests(position) {
            let (from, to) = (rest.start_offset.as_ref(), rest.end_offset.as_ref());
            pass(Kind::Travel, micros(from), &stop.task_id, false);
            pass(Kind::Rest, micros(to), &rest.break_id, false);
        }
        let task = stop.task_id.as_str();
        let late = micros(stop.lateness_duration.as_ref()) > 0;
        let work = if late { Kind::LateWork } else { Kind::Work };
        pass(
            Kind::Travel,
            micros(stop.arrival_offset.as_ref()),
            task,
            false,
        );
        pass(Kind::Wait, micros(stop.start_offset.as_ref()), task, false);
        pass(work, micros(stop.departure_offset.as_ref()), task, true);
    }
    for rest in rests(route.stops.len()) {
        let (from, to) = (rest.start_offset.as_ref(), rest.end_offset.as_ref());
        pass(Kind::Travel, micros(from), "", false);
        pass(Kind::Rest, micros(to), &rest.break_id, false);
    }
    pass(Kind::Travel, micros(route.end_offset.as_ref()), "", false);
    list
}
