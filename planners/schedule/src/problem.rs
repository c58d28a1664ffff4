//! A validated problem: activities with modes, precedences with time lags, renewable resources.

mod check;

use anytime::Fault;

/// Most activities.
pub const ACTIVITIES_MAX: usize = 2_000;
/// Most modes of an activity.
pub const MODES_MAX: usize = 16;
/// Most precedences.
pub const PRECEDENCES_MAX: usize = 20_000;
/// Most resources.
pub const RESOURCES_MAX: usize = 64;
/// Largest capacity of a resource, and largest demand.
pub const CAPACITY_MAX: i64 = 1_000_000_000;
/// Longest duration and lag, latest release and deadline: ten years.
pub const TIME_MAX_US: i64 = 315_360_000_000_000;
/// Longest horizon ([`Problem::horizon_us`]): about 2,000 years. A deadline of the project shortens
/// the horizon.
pub const HORIZON_MAX_US: i64 = 1 << 56;

/// A project as given: plain data, nothing checked. [`Problem::new`] checks it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spec {
    /// What is to be done, at most [`ACTIVITIES_MAX`].
    pub activities: Vec<Activity>,
    /// Time lags between activities, at most [`PRECEDENCES_MAX`].
    pub precedences: Vec<Precedence>,
    /// Renewable resources, at most [`RESOURCES_MAX`].
    pub resources: Vec<Resource>,
    /// Everything ends by this time, in microseconds, 0 to [`TIME_MAX_US`]. `None`: no limit.
    pub deadline_us: Option<i64>,
}

/// An activity: something that lasts for a time and holds resources meanwhile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Activity {
    /// It starts at this time or later, in microseconds, 0 to [`TIME_MAX_US`].
    pub release_us: i64,
    /// It ends at this time or earlier, in microseconds, 0 to [`TIME_MAX_US`]. `None`: no limit.
    pub deadline_us: Option<i64>,
    /// Alternative ways to do it, of which a plan chooses one: 1 to [`MODES_MAX`].
    pub modes: Vec<Mode>,
}

/// A mode of an activity: a duration, and what it holds for that time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mode {
    /// Duration in microseconds, 0 to [`TIME_MAX_US`]. A mode of duration 0 holds nothing.
    pub duration_us: i64,
    /// What it holds from its start, included, to its end, excluded; each resource at most once.
    pub demands: Vec<Demand>,
}

/// An amount of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Demand {
    /// Index of the resource.
    pub resource: usize,
    /// Amount, 0 to [`CAPACITY_MAX`].
    pub amount: i64,
}

/// A renewable resource: what is given back can be used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resource {
    /// Amount that is there at any time, 0 to [`CAPACITY_MAX`].
    pub capacity: i64,
}

/// The start or the end of an activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Point {
    /// The start of the activity with this index.
    Start(usize),
    /// The end of the activity with this index.
    End(usize),
}

impl Point {
    /// Index of the activity.
    #[must_use]
    pub fn activity(self) -> usize {
        match self {
            Self::Start(activity) | Self::End(activity) => activity,
        }
    }
}

/// A generalised precedence: `lag_min_us <= time(to) - time(from) <= lag_max_us`.
///
/// From the end of one activity to the start of another, with a minimal lag of 0, it is the
/// precedence of everyday life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precedence {
    /// From when.
    pub from: Point,
    /// To when; a point of another activity.
    pub to: Point,
    /// Minimal time lag in microseconds, within [`TIME_MAX_US`] either way. `None`: no limit.
    pub lag_min_us: Option<i64>,
    /// Maximal time lag in microseconds, within [`TIME_MAX_US`] either way. `None`: no limit.
    pub lag_max_us: Option<i64>,
}

impl Precedence {
    /// The precedence "`from` ends before `to` starts".
    #[must_use]
    pub fn finish_to_start(from: usize, to: usize) -> Self {
        Self {
            from: Point::End(from),
            to: Point::Start(to),
            lag_min_us: Some(0),
            lag_max_us: None,
        }
    }

    /// Its limits as minimal lags `(from, to, lag_us)`: the minimal one, and the maximal one, which
    /// is a minimal one in the other direction.
    pub(crate) fn minimal_lags(&self) -> impl Iterator<Item = (Point, Point, i64)> {
        let Self { from, to, .. } = *self;
        let min = self.lag_min_us.map(|lag| (from, to, lag));
        let max = self.lag_max_us.map(|lag| (to, from, -lag));
        min.into_iter().chain(max)
    }
}

/// A valid problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    spec: Spec,
    horizon_us: i64,
}

impl Problem {
    /// Checks a problem.
    ///
    /// # Errors
    /// Every broken rule, with its path in the problem.
    pub fn new(spec: Spec) -> Result<Self, Vec<Fault>> {
        let faults = check::faults(&spec);
        if !faults.is_empty() {
            return Err(faults);
        }
        let horizon_us = horizon_us(&spec);
        Ok(Self { spec, horizon_us })
    }

    /// A part of a valid problem, whose horizon may be beyond [`HORIZON_MAX_US`].
    pub(crate) fn relaxation(spec: Spec) -> Self {
        let horizon_us = horizon_us(&spec);
        Self { spec, horizon_us }
    }

    /// What was given.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// A time by which everything ends in some optimal plan, if there is any plan; in microseconds.
    #[must_use]
    pub fn horizon_us(&self) -> i64 {
        self.horizon_us
    }
}

/// The last release plus, for each activity, the longest of its durations and of the lags that
/// begin at it; the deadline of the project when that is less.
///
/// In an optimal plan that starts everything as early as it can, each moment after the last release
/// lies within an activity or a minimal lag: otherwise all that comes later could start earlier.
fn horizon_us(spec: &Spec) -> i64 {
    let longest = |activity: &Activity| {
        let durations = activity.modes.iter().map(|mode| mode.duration_us);
        durations.max().unwrap_or(0)
    };
    let durations: Vec<i64> = spec.activities.iter().map(longest).collect();
    let mut spans = durations.clone();
    for (from, _, lag_us) in spec.precedences.iter().flat_map(Precedence::minimal_lags) {
        let before = match from {
            Point::Start(_) => 0,
            Point::End(activity) => durations[activity],
        };
        let span = &mut spans[from.activity()];
        *span = lag_us.saturating_add(before).max(*span);
    }
    let releases = spec.activities.iter().map(|activity| activity.release_us);
    let first = releases.max().unwrap_or(0);
    let horizon_us = spans.into_iter().fold(first, i64::saturating_add);
    spec.deadline_us
        .map_or(horizon_us, |deadline_us| deadline_us.min(horizon_us))
}
