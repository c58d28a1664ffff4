//! A project as variables, lags and demands, in the coarsest unit.

use super::modes::{fixed, normalised};
use super::{Activity, Demand, Lag, Point, Project, Schedule, TIME_MAX};
use crate::clause_learning::{Solver, Theory, Trail, Var};

/// `var + plus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct View {
    pub(super) var: Var,
    pub(super) plus: i64,
}

impl View {
    pub(super) fn min(self, trail: &Trail) -> i64 {
        trail.min(self.var) + self.plus
    }

    pub(super) fn max(self, trail: &Trail) -> i64 {
        trail.max(self.var) + self.plus
    }
}

/// The same project with times in units of `unit`. Rounding loses nothing: everything may start as
/// early as what comes before allows, which is a sum of multiples of the unit.
pub(super) fn scaled(project: &Project) -> (Project, i64) {
    let mut unit = 0;
    for activity in &project.activities {
        for time in [activity.shortest, activity.longest, activity.release.max(0)] {
            unit = gcd(unit, time);
        }
        for mode in &activity.modes {
            unit = gcd(unit, mode.duration);
        }
    }
    for lag in &project.lags {
        unit = gcd(unit, lag.least.abs());
    }
    let unit = unit.max(1);
    let mut scaled = project.clone();
    for activity in &mut scaled.activities {
        activity.shortest /= unit;
        activity.longest /= unit;
        for mode in &mut activity.modes {
            mode.duration /= unit;
        }
        activity.release = activity.release.max(0) / unit;
        activity.deadline = activity.deadline.map(|deadline| deadline.div_euclid(unit));
    }
    for lag in &mut scaled.lags {
        lag.least /= unit;
    }
    scaled.horizon = scaled.horizon.div_euclid(unit);
    normalised(&mut scaled);
    (scaled, unit)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Panics on what is invalid.
pub(super) fn check(project: &Project) {
    let time = |time: i64| assert!(time.abs() <= TIME_MAX, "a time beyond the largest");
    time(project.horizon);
    for activity in &project.activities {
        time(activity.release);
        time(activity.longest);
        time(activity.deadline.unwrap_or(0));
        let Activity {
            shortest, longest, ..
        } = *activity;
        assert!(0 <= shortest && shortest <= longest, "a duration reversed");
        for demand in &activity.demands {
            assert!(
                demand.resource < project.capacities.len(),
                "no such resource"
            );
            assert!(demand.amount >= 0, "a negative demand");
        }
        check_modes(project, activity);
    }
    for lag in &project.lags {
        time(lag.least);
        let (Point::Start(from) | Point::End(from)) = lag.from;
        let (Point::Start(to) | Point::End(to)) = lag.to;
        assert!(from.max(to) < project.activities.len(), "no such activity");
    }
}

fn check_modes(project: &Project, activity: &Activity) {
    let modes = activity.modes.iter().flat_map(|mode| &mode.demands);
    let consumed = activity
        .demands
        .iter()
        .chain(modes)
        .any(|demand| demand.consumed);
    let is_single = activity.modes.is_empty();
    assert!(
        is_single || !consumed,
        "an activity with modes that consumes"
    );
    for mode in &activity.modes {
        let range = activity.shortest..=activity.longest;
        assert!(range.contains(&mode.duration), "a mode out of range");
        for demand in &mode.demands {
            assert!(
                demand.resource < project.capacities.len(),
                "no such resource"
            );
            assert!(demand.amount >= 0, "a negative demand");
        }
    }
}

/// Variables of activities.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) starts: Vec<Var>,
    pub(super) ends: Vec<View>,
    /// A Boolean for each mode of each activity.
    pub(super) modes: Vec<Vec<Var>>,
    pub(super) makespan: Var,
    /// Always after the horizon: when what is consumed is given back.
    pub(super) never: View,
}

impl Model {
    /// The variables of all activities; none when one has no time left. The makespan is at most
    /// the horizon.
    pub(super) fn new<T: Theory>(project: &Project, solver: &mut Solver<T>) -> Option<Self> {
        let horizon = project.horizon;
        if horizon < 0 {
            return None;
        }
        let never = View {
            var: solver.new_int(0, 0),
            plus: horizon + 1,
        };
        let mut starts = Vec::new();
        let mut ends = Vec::new();
        for activity in &project.activities {
            let end = activity
                .deadline
                .map_or(horizon, |deadline| deadline.min(horizon));
            if activity.release + activity.shortest > end {
                return None;
            }
            let start = solver.new_int(activity.release, end - activity.shortest);
            let fixed = activity.shortest == activity.longest;
            starts.push(start);
            ends.push(if fixed {
                View {
                    var: start,
                    plus: activity.shortest,
                }
            } else {
                let end = solver.new_int(activity.release + activity.shortest, end);
                View { var: end, plus: 0 }
            });
        }
        let makespan = solver.new_int(0, horizon);
        let mut booleans =
            |activity: &Activity| activity.modes.iter().map(|_| solver.new_bool()).collect();
        let modes = project.activities.iter().map(&mut booleans).collect();
        Some(Self {
            starts,
            ends,
            modes,
            makespan,
            never,
        })
    }

    pub(super) fn view(&self, point: Point) -> View {
        match point {
            Point::Start(activity) => View {
                var: self.starts[activity],
                plus: 0,
            },
            Point::End(activity) => self.ends[activity],
        }
    }

    /// Until when an activity holds something.
    pub(super) fn until(&self, activity: usize, demand: &Demand) -> View {
        if demand.consumed {
            self.never
        } else {
            self.ends[activity]
        }
    }

    /// The schedule of smallest values.
    pub(super) fn schedule(&self, trail: &Trail) -> Schedule {
        let starts = self.starts.iter().map(|var| trail.min(*var)).collect();
        let ends: Vec<i64> = self.ends.iter().map(|view| view.min(trail)).collect();
        let makespan = ends.iter().copied().max().unwrap_or(0);
        let chosen = |modes: &Vec<Var>| {
            let mut modes = modes.iter();
            modes.position(|mode| trail.holds(mode.yes())).unwrap_or(0)
        };
        Schedule {
            starts,
            ends,
            modes: self.modes.iter().map(chosen).collect(),
            makespan,
        }
    }
}

/// All lags of the problem, those of ranges of durations and the last end among them, as `to >=
/// from + least`.
pub(super) fn edges(project: &Project, model: &Model) -> Vec<(View, View, i64)> {
    let mut edges = Vec::new();
    for Lag { from, to, least } in &project.lags {
        edges.push((model.view(*from), model.view(*to), *least));
    }
    let last = View {
        var: model.makespan,
        plus: 0,
    };
    for (index, activity) in project.activities.iter().enumerate() {
        let (start, end) = (model.view(Point::Start(index)), model.ends[index]);
        if activity.shortest < activity.longest {
            edges.push((start, end, activity.shortest));
            edges.push((end, start, -activity.longest));
        }
        edges.push((end, last, 0));
    }
    edges
}

pub(super) fn broken(project: &Project, schedule: &Schedule) -> Option<String> {
    let Schedule {
        starts,
        ends,
        makespan,
        modes,
    } = schedule;
    let count = project.activities.len();
    if project
        .activities
        .iter()
        .any(|activity| !activity.modes.is_empty())
    {
        let known = |index: usize| {
            let count = project.activities[index].modes.len();
            count == 0 || modes[index] < count
        };
        if modes.len() != count || !(0..count).all(known) {
            return Some("an activity without a mode".into());
        }
        return broken(&fixed(project, modes), schedule);
    }
    if starts.len() != count || ends.len() != count {
        return Some("an activity without times".into());
    }
    for (index, activity) in project.activities.iter().enumerate() {
        let lasts = ends[index].saturating_sub(starts[index]);
        let end = activity
            .deadline
            .map_or(project.horizon, |d| d.min(project.horizon));
        if lasts < activity.shortest || lasts > activity.longest {
            return Some(format!("activity {index} lasts {lasts}"));
        }
        if starts[index] < activity.release.max(0) || ends[index] > end || ends[index] > *makespan {
            return Some(format!("activity {index} is too early or too late"));
        }
    }
    let time = |point| match point {
        Point::Start(activity) => starts[activity],
        Point::End(activity) => ends[activity],
    };
    for lag in &project.lags {
        if time(lag.to).saturating_sub(time(lag.from)) < lag.least {
            return Some(format!("{lag:?} is not kept"));
        }
    }
    overloaded(project, starts, ends)
}

/// The first moment at which a resource is overloaded.
fn overloaded(project: &Project, starts: &[i64], ends: &[i64]) -> Option<String> {
    let mut changes = vec![Vec::new(); project.capacities.len()];
    for (index, activity) in project.activities.iter().enumerate() {
        for demand in &activity.demands {
            let amount = i128::from(demand.amount);
            if demand.consumed {
                changes[demand.resource].push((starts[index], amount));
            } else if starts[index] < ends[index] {
                changes[demand.resource].push((starts[index], amount));
                changes[demand.resource].push((ends[index], -amount));
            }
        }
    }
    for (resource, mut changes) in changes.into_iter().enumerate() {
        // What ends at a moment gives back first: it is negative.
        changes.sort_unstable();
        let mut held = 0;
        for (moment, change) in changes {
            held += change;
            if held > i128::from(project.capacities[resource]) {
                return Some(format!("resource {resource} at {moment}"));
            }
        }
    }
    None
}
