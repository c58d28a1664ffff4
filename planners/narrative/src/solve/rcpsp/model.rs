//! Tasks as variables, lags and demands, in the coarsest unit.

use super::{Demand, Lag, Point, Schedule, TIME_MAX, Task, Tasks};
use crate::solve::cdcl::{Solver, Theory, Trail, Var};

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

/// The same tasks with times in units of `unit`: rounding loses nothing, since everything may start
/// as early as what comes before allows, which is a sum of multiples of the unit.
pub(super) fn scaled(tasks: &Tasks) -> (Tasks, i64) {
    let mut unit = 0;
    for task in &tasks.tasks {
        for time in [task.shortest, task.longest, task.release.max(0)] {
            unit = gcd(unit, time);
        }
    }
    for lag in &tasks.lags {
        unit = gcd(unit, lag.least.abs());
    }
    let unit = unit.max(1);
    let mut scaled = tasks.clone();
    for task in &mut scaled.tasks {
        task.shortest /= unit;
        task.longest /= unit;
        task.release = task.release.max(0) / unit;
        task.deadline = task.deadline.map(|deadline| deadline.div_euclid(unit));
    }
    for lag in &mut scaled.lags {
        lag.least /= unit;
    }
    scaled.horizon = scaled.horizon.div_euclid(unit);
    (scaled, unit)
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Panics on what makes no sense.
pub(super) fn check(tasks: &Tasks) {
    let time = |time: i64| assert!(time.abs() <= TIME_MAX, "a time beyond the largest");
    time(tasks.horizon);
    for task in &tasks.tasks {
        time(task.release);
        time(task.longest);
        time(task.deadline.unwrap_or(0));
        let Task {
            shortest, longest, ..
        } = *task;
        assert!(0 <= shortest && shortest <= longest, "a duration reversed");
        for demand in &task.demands {
            assert!(demand.resource < tasks.capacities.len(), "no such resource");
            assert!(demand.amount >= 0, "a negative demand");
        }
    }
    for lag in &tasks.lags {
        time(lag.least);
        let (Point::Start(from) | Point::End(from)) = lag.from;
        let (Point::Start(to) | Point::End(to)) = lag.to;
        assert!(from.max(to) < tasks.tasks.len(), "no such task");
    }
}

/// Variables of tasks.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) starts: Vec<Var>,
    pub(super) ends: Vec<View>,
    pub(super) makespan: Var,
    /// Always after the horizon: when what is consumed is given back.
    pub(super) never: View,
}

impl Model {
    /// Makes the variables of tasks; none when one has no time left. The makespan is at most the
    /// horizon.
    pub(super) fn new<T: Theory>(tasks: &Tasks, solver: &mut Solver<T>) -> Option<Self> {
        let horizon = tasks.horizon;
        if horizon < 0 {
            return None;
        }
        let never = View {
            var: solver.new_int(0, 0),
            plus: horizon + 1,
        };
        let mut starts = Vec::new();
        let mut ends = Vec::new();
        for task in &tasks.tasks {
            let end = task
                .deadline
                .map_or(horizon, |deadline| deadline.min(horizon));
            if task.release + task.shortest > end {
                return None;
            }
            let start = solver.new_int(task.release, end - task.shortest);
            let fixed = task.shortest == task.longest;
            starts.push(start);
            ends.push(if fixed {
                View {
                    var: start,
                    plus: task.shortest,
                }
            } else {
                let end = solver.new_int(task.release + task.shortest, end);
                View { var: end, plus: 0 }
            });
        }
        let makespan = solver.new_int(0, horizon);
        Some(Self {
            starts,
            ends,
            makespan,
            never,
        })
    }

    pub(super) fn view(&self, point: Point) -> View {
        match point {
            Point::Start(task) => View {
                var: self.starts[task],
                plus: 0,
            },
            Point::End(task) => self.ends[task],
        }
    }

    /// Until when a task holds something.
    pub(super) fn until(&self, task: usize, demand: &Demand) -> View {
        if demand.consumed {
            self.never
        } else {
            self.ends[task]
        }
    }

    /// The schedule of smallest values.
    pub(super) fn schedule(&self, trail: &Trail) -> Schedule {
        let starts = self.starts.iter().map(|var| trail.min(*var)).collect();
        let ends: Vec<i64> = self.ends.iter().map(|view| view.min(trail)).collect();
        let makespan = ends.iter().copied().max().unwrap_or(0);
        Schedule {
            starts,
            ends,
            makespan,
        }
    }
}

/// All lags of the problem, those of ranges of durations and the last end among them, as `to >=
/// from + least`.
pub(super) fn edges(tasks: &Tasks, model: &Model) -> Vec<(View, View, i64)> {
    let mut edges = Vec::new();
    for Lag { from, to, least } in &tasks.lags {
        edges.push((model.view(*from), model.view(*to), *least));
    }
    let last = View {
        var: model.makespan,
        plus: 0,
    };
    for (index, task) in tasks.tasks.iter().enumerate() {
        let (start, end) = (model.view(Point::Start(index)), model.ends[index]);
        if task.shortest < task.longest {
            edges.push((start, end, task.shortest));
            edges.push((end, start, -task.longest));
        }
        edges.push((end, last, 0));
    }
    edges
}

pub(super) fn broken(tasks: &Tasks, schedule: &Schedule) -> Option<String> {
    let Schedule {
        starts,
        ends,
        makespan,
    } = schedule;
    let count = tasks.tasks.len();
    if starts.len() != count || ends.len() != count {
        return Some("a task without times".into());
    }
    for (index, task) in tasks.tasks.iter().enumerate() {
        let lasts = ends[index].saturating_sub(starts[index]);
        let end = task
            .deadline
            .map_or(tasks.horizon, |d| d.min(tasks.horizon));
        if lasts < task.shortest || lasts > task.longest {
            return Some(format!("task {index} lasts {lasts}"));
        }
        if starts[index] < task.release.max(0) || ends[index] > end || ends[index] > *makespan {
            return Some(format!("task {index} is too early or too late"));
        }
    }
    let time = |point| match point {
        Point::Start(task) => starts[task],
        Point::End(task) => ends[task],
    };
    for lag in &tasks.lags {
        if time(lag.to).saturating_sub(time(lag.from)) < lag.least {
            return Some(format!("{lag:?} is not kept"));
        }
    }
    // What is held grows at starts only.
    for (at, moment) in starts.iter().enumerate() {
        let mut held = vec![0_i64; tasks.capacities.len()];
        for (index, task) in tasks.tasks.iter().enumerate() {
            for demand in &task.demands {
                let on = starts[index] <= *moment && (demand.consumed || *moment < ends[index]);
                held[demand.resource] += i64::from(on).saturating_mul(demand.amount);
            }
        }
        let over = held
            .iter()
            .zip(&tasks.capacities)
            .position(|(held, cap)| held > cap);
        if let Some(resource) = over {
            return Some(format!("resource {resource} at the start of task {at}"));
        }
    }
    None
}
