//! Why a problem is infeasible: a minimal conflict.

use crate::problem::{HORIZON_MAX_US, Point, Problem, Spec};
use crate::solve::instance;
use anytime::{Path, Pulse, Reason, element, fault, time};
use cp::rcpsp::{self, Checkpoint, Listener, Outcome, Project};

/// Conflicts of clause learning that one proof of infeasibility may take.
const CONFLICTS_MAX: u64 = 5_000;

/// A requirement of a problem, which takes part in a conflict. Durations of activities do, too,
/// and are not named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Requirement {
    /// The deadline of the project.
    ProjectDeadline,
    /// The deadline of the activity with this index.
    Deadline(usize),
    /// The release of the activity with this index.
    Release(usize),
    /// The capacity of the resource with this index.
    Capacity(usize),
    /// The minimal lag of the precedence with this index.
    MinimalLag(usize),
    /// The maximal lag of the precedence with this index.
    MaximalLag(usize),
}

impl Requirement {
    /// The requirement as a reason why there is no plan.
    #[must_use]
    pub fn reason(self, spec: &Spec) -> Reason {
        let whole = Path::WHOLE;
        let activities = whole.field("activities");
        match self {
            Self::ProjectDeadline => {
                let at = whole.field("deadline_offset");
                let deadline = time(spec.deadline_us.unwrap_or(0));
                Reason::proved(fault!(
                    "PROJECT_DEADLINE",
                    at,
                    "everything ends by {}",
                    deadline
                ))
            }
            Self::Deadline(index) => {
                let at = activities.index(index);
                let deadline = time(spec.activities[index].deadline_us.unwrap_or(0));
                let activity = element("activity", index);
                let at = at.field("deadline_offset");
                let fault = fault!("DEADLINE", at, "{} ends by {}", activity, deadline);
                Reason::proved(fault).subject("activity", index)
            }
            Self::Release(index) => {
                let at = activities.index(index);
                let release = time(spec.activities[index].release_us);
                let activity = element("activity", index);
                let at = at.field("release_offset");
                let fault = fault!("RELEASE", at, "{} starts at {} or later", activity, release);
                Reason::proved(fault).subject("activity", index)
            }
            Self::Capacity(index) => {
                let (at, it) = (whole.field("resources"), element("resource", index));
                let capacity = spec.resources[index].capacity;
                let at = at.index(index);
                let fault = fault!("CAPACITY", at.field("capacity"), "{} has {}", it, capacity);
                Reason::proved(fault).subject("resource", index)
            }
            Self::MinimalLag(index) => lag(spec, index, false),
            Self::MaximalLag(index) => lag(spec, index, true),
        }
    }
}

/// The minimal or maximal lag of a precedence as a reason.
fn lag(spec: &Spec, index: usize, is_maximal: bool) -> Reason {
    let precedence = &spec.precedences[index];
    let list = Path::root("precedences");
    let at = list.index(index);
    let verb = |point| match point {
        Point::Start(_) => "starts",
        Point::End(_) => "ends",
    };
    let (from, to) = (precedence.from, precedence.to);
    let first = element("activity", from.activity());
    let second = element("activity", to.activity());
    let (does, did) = (verb(to), verb(from));
    let (code, field, limit, lag_us) = if is_maximal {
        ("MAXIMAL_LAG", "upper", "at most", precedence.lag_max_us)
    } else {
        ("MINIMAL_LAG", "lower", "at least", precedence.lag_min_us)
    };
    let (at, lag_us) = (at.field(field), lag_us.unwrap_or(0));
    let fault = if lag_us == 0 && !is_maximal {
        fault!(code, at, "{} {} after {} {}", second, does, first, did)
    } else {
        let lag = time(lag_us);
        fault!(
            code,
            at,
            "{} {} {} {} after {} {}",
            second,
            does,
            limit,
            lag,
            first,
            did
        )
    };
    let reason = Reason::proved(fault).subject("activity", to.activity());
    reason.blocker("activity", from.activity())
}

/// Requirements that no plan satisfies together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The requirements, in the order of [`Requirement`].
    pub requirements: Vec<Requirement>,
    /// Whether it is proved that some plan satisfies any of them but one.
    pub is_minimal: bool,
}

/// A minimal conflict of an infeasible problem, by a deletion filter: requirements are dropped, in
/// halves first and one by one at last, as long as the rest stays infeasible.
///
/// `None`: the problem is feasible, or the proof takes longer than this search may.
#[must_use]
pub fn conflict(problem: &Problem, pulse: &Pulse) -> Option<Conflict> {
    let spec = problem.spec();
    let mut rest = requirements(spec);
    if verdict(spec, &rest, pulse) != Some(true) {
        return None;
    }
    let mut chunk = rest.len().div_ceil(2).max(1);
    let mut is_minimal = true;
    loop {
        let mut at = 0;
        while at < rest.len() && pulse.beats() {
            let end = (at + chunk).min(rest.len());
            let fewer = [&rest[..at], &rest[end..]].concat();
            // Without any requirement a plan exists.
            if fewer.is_empty() && chunk > 1 {
                break;
            }
            match verdict(spec, &fewer, pulse) {
                Some(true) => rest = fewer,
                known => {
                    is_minimal &= chunk > 1 || known.is_some();
                    at = end;
                }
            }
        }
        if chunk == 1 || !pulse.beats() {
            break;
        }
        chunk = chunk.div_ceil(2);
    }
    Some(Conflict {
        requirements: rest,
        is_minimal: is_minimal && pulse.beats(),
    })
}

/// All requirements, those that people can change most easily first: they are dropped first.
fn requirements(spec: &Spec) -> Vec<Requirement> {
    let mut all = Vec::new();
    all.extend(spec.deadline_us.map(|_| Requirement::ProjectDeadline));
    for (index, activity) in spec.activities.iter().enumerate() {
        all.extend(activity.deadline_us.map(|_| Requirement::Deadline(index)));
        if activity.release_us > 0 {
            all.push(Requirement::Release(index));
        }
    }
    all.extend((0..spec.resources.len()).map(Requirement::Capacity));
    for (index, precedence) in spec.precedences.iter().enumerate() {
        let min = precedence
            .lag_min_us
            .map(|_| Requirement::MinimalLag(index));
        let max = precedence
            .lag_max_us
            .map(|_| Requirement::MaximalLag(index));
        all.extend(min.into_iter().chain(max));
    }
    all.sort_unstable();
    all
}

/// Whether a problem with no other requirements than these is infeasible; `None`: not known.
fn verdict(spec: &Spec, requirements: &[Requirement], pulse: &Pulse) -> Option<bool> {
    let project = relaxed(spec, requirements)?;
    let mut patience = Patience {
        conflicts: CONFLICTS_MAX,
        found: false,
        pulse,
    };
    let (outcome, _) = rcpsp::solve(&project, None, &mut patience);
    match outcome {
        Outcome::Infeasible => Some(true),
        Outcome::Optimal(_) | Outcome::Feasible(..) => Some(false),
        Outcome::Unknown(_) => None,
    }
}

/// Stops a search at its first schedule, or after a number of conflicts.
struct Patience<'p> {
    conflicts: u64,
    found: bool,
    pulse: &'p Pulse,
}

impl Listener for Patience<'_> {
    fn go_on(&mut self, checkpoint: Checkpoint) -> bool {
        if checkpoint == Checkpoint::Conflict {
            self.conflicts = self.conflicts.saturating_sub(1);
        }
        self.conflicts > 0 && !self.found && self.pulse.beats()
    }

    fn improved(&mut self, _: &rcpsp::Schedule) {
        self.found = true;
    }
}

/// The project with these requirements only; `None`: its horizon is beyond the largest.
fn relaxed(spec: &Spec, requirements: &[Requirement]) -> Option<Project> {
    let retained = |requirement| requirements.binary_search(&requirement).is_ok();
    let mut spec = spec.clone();
    if !retained(Requirement::ProjectDeadline) {
        spec.deadline_us = None;
    }
    for (index, activity) in spec.activities.iter_mut().enumerate() {
        if !retained(Requirement::Deadline(index)) {
            activity.deadline_us = None;
        }
        if !retained(Requirement::Release(index)) {
            activity.release_us = 0;
        }
        for mode in &mut activity.modes {
            mode.demands
                .retain(|demand| retained(Requirement::Capacity(demand.resource)));
        }
    }
    for (index, precedence) in spec.precedences.iter_mut().enumerate() {
        if !retained(Requirement::MinimalLag(index)) {
            precedence.lag_min_us = None;
        }
        if !retained(Requirement::MaximalLag(index)) {
            precedence.lag_max_us = None;
        }
    }
    let problem = Problem::relaxation(spec);
    (problem.horizon_us() <= HORIZON_MAX_US).then(|| instance::project(&problem))
}
