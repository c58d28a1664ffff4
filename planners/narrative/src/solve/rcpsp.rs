//! Project scheduling under resource constraints, with proof.
//!
//! # Problem
//! A task lasts from its start to its end, a time between its shortest and its longest duration
//! that is ours to choose. Lags are minimum times from one start or end to another; with a negative
//! least they are maximal lags. A task holds its demand of a resource from its start, included, to
//! its end, excluded, or to the end of the schedule when it consumes it. No more is held than there
//! is at any moment. A task that takes no time holds nothing, but consumes. The makespan, the time
//! of the last end, is minimised.
//!
//! # Method
//! Clause learning over bounds of starts ([`super::cdcl`]); time-table propagation with
//! explanations at one moment, after Schutt, Feydy, Stuckey, Wallace, "Explaining the cumulative
//! propagator", Constraints 16 (2011), and "Solving RCPSP/max by lazy clause generation", Journal
//! of Scheduling 16 (2013). The first schedules come from serial generation by priority rules,
//! after Kolisch, Hartmann, "Heuristic algorithms for the resource-constrained project scheduling
//! problem" (1999). Differences: bounds are literals by themselves; pairs of tasks that exclude
//! each other are ordered by Booleans.
//!
//! # Guarantees
//! * Same tasks and same limits of conflicts: same answer.
//! * `Optimal` and `Infeasible` are concluded with proof only.
//!
//! # Units
//! Times: any whole unit. They are divided by what divides all of them, so that a finer unit costs
//! nothing.
//!
//! # Limits
//! Times are within [`TIME_MAX`].

mod branch;
mod cycle;
mod model;
mod serial;
mod state;
#[cfg(test)]
mod tests;
mod theory;
mod timetable;

pub use super::cdcl::Beat;

/// Largest time, duration and lag, either way.
pub const TIME_MAX: i64 = 1 << 56;

/// How much of a resource a task holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Demand {
    /// Index of the resource.
    pub resource: usize,
    /// How much, 0 or above.
    pub amount: i64,
    /// Whether it is never given back.
    pub consumed: bool,
}

/// Something to be scheduled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Task {
    /// Its shortest duration, 0 or above.
    pub shortest: i64,
    /// Its longest duration, the shortest or above.
    pub longest: i64,
    /// Its earliest start.
    pub release: i64,
    /// Its latest end. `None`: the horizon.
    pub deadline: Option<i64>,
    /// What it holds, each resource at most once.
    pub demands: Vec<Demand>,
}

/// A moment of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Point {
    /// The start of the task with this index.
    Start(usize),
    /// The end of the task with this index.
    End(usize),
}

/// `time(to) >= time(from) + least`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lag {
    /// From when.
    pub from: Point,
    /// To when.
    pub to: Point,
    /// Least difference; negative ones are allowed.
    pub least: i64,
}

/// What is to be scheduled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tasks {
    /// All tasks.
    pub tasks: Vec<Task>,
    /// All lags.
    pub lags: Vec<Lag>,
    /// How much there is of each resource, 0 or above.
    pub capacities: Vec<i64>,
    /// Everything ends by this.
    pub horizon: i64,
}

/// When everything happens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schedule {
    /// The start of each task.
    pub starts: Vec<i64>,
    /// The end of each task.
    pub ends: Vec<i64>,
    /// The last end, 0 without tasks.
    pub makespan: i64,
}

/// What is known about tasks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// No schedule has a smaller makespan.
    Optimal(Schedule),
    /// A schedule, and a bound below which no makespan is.
    Feasible(Schedule, i64),
    /// There is no schedule.
    Infeasible,
    /// No schedule was found; every one has at least this makespan.
    Unknown(i64),
}

/// How hard the search worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Conflicts.
    pub conflicts: u64,
    /// The makespan of the best schedule by priority rules, if one was found.
    pub first: Option<i64>,
    /// The bound that was proved without search.
    pub root: i64,
}

/// Who follows a search, on the same thread: be quick.
pub trait Listener {
    /// Whether to go on. Each [`Beat::Conflict`] is one iteration.
    fn go_on(&mut self, beat: Beat) -> bool;

    /// A schedule of smaller makespan than all before.
    fn improved(&mut self, schedule: &Schedule) {
        let _ = schedule;
    }

    /// No makespan is below this; larger than all before.
    fn proved(&mut self, bound: i64) {
        let _ = bound;
    }
}

/// Schedules tasks.
///
/// `warm` is a schedule to begin with, starts and ends; one that breaks a rule is used as a hint of
/// what to try.
///
/// # Panics
/// When an index names nothing, a time is beyond [`TIME_MAX`], a duration or an amount is negative,
/// or the longest duration is below the shortest.
///
/// # Examples
/// ```
/// use narrative::solve::rcpsp::{Beat, Demand, Listener, Outcome, Task, Tasks, solve};
/// struct Patient;
/// impl Listener for Patient {
///     fn go_on(&mut self, _: Beat) -> bool {
///         true
///     }
/// }
/// // Two actors, three scenes of 5 minutes that take one each.
/// let demands = vec![Demand { resource: 0, amount: 1, consumed: false }];
/// let scene = Task { shortest: 5, longest: 5, demands, ..Task::default() };
/// let tasks = Tasks { tasks: vec![scene; 3], capacities: vec![2], horizon: 60, ..Tasks::default() };
/// let (outcome, _) = solve(&tasks, None, &mut Patient);
/// assert!(matches!(outcome, Outcome::Optimal(schedule) if schedule.makespan == 10));
/// ```
pub fn solve(
    tasks: &Tasks,
    warm: Option<&Schedule>,
    listener: &mut dyn Listener,
) -> (Outcome, Effort) {
    branch::solve(tasks, warm, listener)
}

/// Says which rule a schedule breaks first, in words for people; none: it keeps all.
#[must_use]
pub fn broken(tasks: &Tasks, schedule: &Schedule) -> Option<String> {
    model::broken(tasks, schedule)
}
