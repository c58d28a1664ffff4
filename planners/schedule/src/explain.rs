//! Why a problem is infeasible: a minimal conflict.

use crate::problem::{HORIZON_MAX_US, Problem, Spec};
use crate::solve::instance;
use anytime::Pulse;
use cp::rcpsp::{self, Checkpoint, Listener, Outcome, Project};
use std::fmt::{Display, Formatter, Result};

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

impl Display for Requirement {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::ProjectDeadline => f.write_str("the deadline of the project"),
            Self::Deadline(activity) => write!(f, "the deadline of activity {activity}"),
            Self::Release(activity) => write!(f, "the release of activity {activity}"),
            Self::Capacity(resource) => write!(f, "the capacity of resource {resource}"),
            Self::MinimalLag(index) => write!(f, "the minimal lag of precedence {index}"),
            Self::MaximalLag(index) => write!(f, "the maximal lag of precedence {index}"),
        }
    }
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
