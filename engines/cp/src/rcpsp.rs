//! Resource-constrained project scheduling with generalised precedences (RCPSP/max), with proof.
//!
//! # Problem
//! An activity lasts from its start to its end; the search chooses its duration between a shortest
//! and a longest one. A lag is a minimal time from one start or end to another; a negative one from
//! b to a is a maximal time from a to b. An activity holds its demand of a resource from its start,
//! included, to its end, excluded, or to the end of the schedule when it consumes it. At no moment
//! is more held than the capacity. Modes are alternatives of duration and demands, one of which is
//! chosen. An activity that takes no time holds nothing, but consumes. The
//! makespan, the time of the last end, is minimised.
//!
//! # Method
//! Clause learning over bounds of starts ([`crate::clause_learning`]); timetable propagation with
//! explanations at one moment, after Schutt, Feydy, Stuckey, Wallace, "Explaining the cumulative
//! propagator", Constraints 16 (2011), and "Solving RCPSP/max by lazy clause generation", Journal
//! of Scheduling 16 (2013). The first schedules come from serial generation by priority rules,
//! after Kolisch, Hartmann, "Heuristic algorithms for the resource-constrained project scheduling
//! problem" (1999). Differences: bounds are literals by themselves; a Boolean orders two activities
//! that exclude each other. [`Population`] improves schedules of large projects.
//!
//! # Guarantees
//! * Same activities and same limits of conflicts: same answer.
//! * `Optimal` and `Infeasible` are concluded with proof only.
//!
//! # Units
//! Times: any whole unit. They are divided by what divides all of them, so that a finer unit costs
//! nothing.
//!
//! # Limits
//! Times are within [`TIME_MAX`].

mod branch_and_bound;
mod genetic;
mod model;
mod modes;
mod positive_cycle;
mod post;
mod propagators;
mod serial_generation;
#[cfg(test)]
mod tests;
mod timetable;

pub use crate::clause_learning::Checkpoint;
pub use genetic::Population;

/// Largest time, duration and lag, either way.
pub const TIME_MAX: i64 = 1 << 56;

/// How much of a resource an activity holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Demand {
    /// Index of the resource.
    pub resource: usize,
    /// How much, 0 or above.
    pub amount: i64,
    /// Whether it is never given back.
    pub consumed: bool,
}

/// An activity of a project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Activity {
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
    /// Alternatives, of which one is chosen. Empty: there is nothing to choose.
    pub modes: Vec<Mode>,
}

/// A mode of an activity (multi-mode scheduling).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Mode {
    /// How long the activity lasts in this mode, between its shortest and its longest duration.
    pub duration: i64,
    /// What the activity holds in this mode besides its own demands, each resource at most once.
    /// An activity with modes consumes nothing.
    pub demands: Vec<Demand>,
}

/// A moment of an activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Point {
    /// The start of the activity with this index.
    Start(usize),
    /// The end of the activity with this index.
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

/// A project: activities, lags, resources.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Project {
    /// All activities.
    pub activities: Vec<Activity>,
    /// All lags.
    pub lags: Vec<Lag>,
    /// How much there is of each resource, 0 or above.
    pub capacities: Vec<i64>,
    /// Everything ends by this.
    pub horizon: i64,
}

/// A schedule: start and end of each activity.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schedule {
    /// The start of each activity.
    pub starts: Vec<i64>,
    /// The end of each activity.
    pub ends: Vec<i64>,
    /// The mode of each activity, 0 for those without modes; may be empty when none has modes.
    pub modes: Vec<usize>,
    /// The last end, 0 without activities.
    pub makespan: i64,
}

/// What a search proved or found.
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
    /// Whether to go on. Each [`Checkpoint::Conflict`] is one iteration.
    fn go_on(&mut self, checkpoint: Checkpoint) -> bool;

    /// A schedule of smaller makespan than all before.
    fn improved(&mut self, schedule: &Schedule) {
        let _ = schedule;
    }

    /// Another schedule, better than the best one or not: requested once after each round of the
    /// search, with the best schedule so far.
    fn suggest(&mut self, best: Option<&Schedule>) -> Option<Schedule> {
        let _ = best;
        None
    }

    /// No makespan is below this; larger than all before.
    fn proved(&mut self, bound: i64) {
        let _ = bound;
    }
}

/// Schedules activities.
///
/// `warm` is a schedule to begin with, starts and ends; one that breaks a rule is used as a hint of
/// what to try.
///
/// # Panics
/// When an index names nothing, a time is beyond [`TIME_MAX`], a duration or an amount is negative,
/// the longest duration is below the shortest, the duration of a mode is not between them, or an
/// activity with modes consumes.
///
/// # Examples
/// ```
/// use cp::rcpsp::{Activity, Checkpoint, Demand, Listener, Outcome, Project, solve};
/// struct Patient;
/// impl Listener for Patient {
///     fn go_on(&mut self, _: Checkpoint) -> bool {
///         true
///     }
/// }
/// // Two actors, three scenes of 5 minutes that take one each.
/// let demands = vec![Demand { resource: 0, amount: 1, consumed: false }];
/// let scene = Activity { shortest: 5, longest: 5, demands, ..Activity::default() };
/// let project = Project {
///     activities: vec![scene; 3],
///     capacities: vec![2],
///     horizon: 60,
///     ..Project::default()
/// };
/// let (outcome, _) = solve(&project, None, &mut Patient);
/// assert!(matches!(outcome, Outcome::Optimal(schedule) if schedule.makespan == 10));
/// ```
pub fn solve(
    project: &Project,
    warm: Option<&Schedule>,
    listener: &mut dyn Listener,
) -> (Outcome, Effort) {
    branch_and_bound::solve(project, warm, listener)
}

/// The first rule that a schedule breaks, in words for people; none: it satisfies all.
#[must_use]
pub fn broken(project: &Project, schedule: &Schedule) -> Option<String> {
    model::broken(project, schedule)
}
