//! A problem as a project of the engine, and schedules of the engine as plans.

use crate::plan::{Plan, ScheduledActivity};
use crate::problem::{Activity, Demand, HORIZON_MAX_US, Point, Precedence, Problem};
use cp::rcpsp::{self, Lag, Mode, Project, Schedule};

/// The project of a problem.
pub(crate) fn project(problem: &Problem) -> Project {
    let spec = problem.spec();
    let lags = spec.precedences.iter().flat_map(Precedence::minimal_lags);
    Project {
        activities: spec.activities.iter().map(activity).collect(),
        lags: lags
            .map(|(from, to, lag_us)| lag(from, to, lag_us))
            .collect(),
        capacities: spec.resources.iter().map(|it| it.capacity).collect(),
        horizon: problem.horizon_us(),
    }
}

/// A minimal lag.
pub(crate) fn lag(from: Point, to: Point, lag_us: i64) -> Lag {
    let point = |point: Point| match point {
        Point::Start(activity) => rcpsp::Point::Start(activity),
        Point::End(activity) => rcpsp::Point::End(activity),
    };
    Lag {
        from: point(from),
        to: point(to),
        least: lag_us,
    }
}

/// An activity. A single mode is nothing to choose: its duration and demands are the activity's.
fn activity(given: &Activity) -> rcpsp::Activity {
    let durations = given.modes.iter().map(|mode| mode.duration_us);
    let mut activity = rcpsp::Activity {
        shortest: durations.clone().min().unwrap_or(0),
        longest: durations.max().unwrap_or(0),
        release: given.release_us,
        deadline: given.deadline_us,
        ..rcpsp::Activity::default()
    };
    if let [mode] = given.modes.as_slice() {
        activity.demands = demands(&mode.demands);
    } else {
        let mode = |mode: &crate::problem::Mode| Mode {
            duration: mode.duration_us,
            demands: demands(&mode.demands),
        };
        activity.modes = given.modes.iter().map(mode).collect();
    }
    activity
}

fn demands(given: &[Demand]) -> Vec<rcpsp::Demand> {
    let demand = |demand: &Demand| rcpsp::Demand {
        resource: demand.resource,
        amount: demand.amount,
        consumed: false,
    };
    given.iter().map(demand).collect()
}

/// The plan of a schedule.
pub(super) fn plan(schedule: &Schedule) -> Plan {
    let starts = schedule.starts.iter().enumerate();
    let activities = starts.map(|(index, start)| ScheduledActivity {
        activity: index,
        start_us: *start,
        mode: schedule.modes.get(index).copied().unwrap_or(0),
    });
    Plan {
        activities: activities.collect(),
    }
}

/// The schedule of a plan; an activity that is missing starts at its release in its first mode, of
/// one that is there twice the last counts. `None`: the plan has an activity or a mode that does
/// not exist.
pub(super) fn schedule(problem: &Problem, plan: &Plan) -> Option<Schedule> {
    let activities = &problem.spec().activities;
    let mut schedule = Schedule {
        starts: activities.iter().map(|it| it.release_us).collect(),
        modes: vec![0; activities.len()],
        ..Schedule::default()
    };
    for it in &plan.activities {
        activities.get(it.activity)?.modes.get(it.mode)?;
        schedule.starts[it.activity] = it.start_us.clamp(0, HORIZON_MAX_US);
        schedule.modes[it.activity] = it.mode;
    }
    let modes = activities.iter().zip(&schedule.modes);
    let durations = modes.map(|(activity, mode)| activity.modes[*mode].duration_us);
    let starts = schedule.starts.iter().zip(durations);
    schedule.ends = starts.map(|(start, duration)| start + duration).collect();
    schedule.makespan = schedule.ends.iter().copied().max().unwrap_or(0);
    Some(schedule)
}
