//! Recreate: greedy insertion of unassigned units.

use super::insertion::{Blinks, UnitInsertion};
use super::instance::CoupledInstance;
use super::state::State;
use crate::solve::model::Job;
use anytime::Pulse;
use mcts::Rng;
use rand::RngExt;
use rand::seq::SliceRandom;

/// Acceptance rule: limit of the insertion cost of an optional unit.
#[derive(Debug, Clone, Copy)]
enum Acceptance {
    /// Less than its unserved penalty.
    Profitable,
    /// Less than the unserved penalties of the unit and of those that need it.
    WithDependants,
    /// Anything, with probability one half: several units may pay where one does not.
    Any,
}

/// Most tasks of a small problem.
const SMALL_MAX: usize = 20;

/// The order in which units are inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InsertionOrder {
    /// By latest start; units that were left unassigned most often come first.
    EarliestDeadline,
    /// By a randomly chosen criterion.
    Random,
}

/// Inserts all units that fit. Returns false if it was stopped.
pub(super) fn recreate(
    instance: &CoupledInstance<'_>,
    state: &mut State,
    absences: &[u32],
    order: InsertionOrder,
    rng: &mut Rng,
    pulse: &mut Pulse,
) -> bool {
    let is_left = |unit: &u32| {
        let tasks = &instance.units[*unit as usize].tasks;
        tasks.iter().any(|task| !state.is_assigned(*task))
    };
    let mut left: Vec<u32> = (0..instance.units.len() as u32).filter(is_left).collect();
    sort(instance, &mut left, absences, order, rng);
    let acceptance = match (order, rng.random_range(0..10)) {
        (InsertionOrder::EarliestDeadline, _) | (_, 0..5) => Acceptance::Profitable,
        (_, 5..8) => Acceptance::WithDependants,
        _ => Acceptance::Any,
    };
    let share = blinks(instance, rng);
    loop {
        let before = left.len();
        let mut waiting = Vec::new();
        for unit in left {
            if pulse.stop().is_some() {
                return false;
            }
            let needs = &instance.units[unit as usize].needs;
            let is_assigned =
                |need: &u32| state.is_assigned(instance.units[*need as usize].tasks[0]);
            if !needs.iter().all(is_assigned) {
                waiting.push(unit);
                continue;
            }
            let limit = cost_limit(instance, unit, acceptance, rng);
            let random = (order == InsertionOrder::Random).then_some(&mut *rng);
            let blinks = random.map(|rng| Blinks { rng, share });
            UnitInsertion::new(instance, state, unit, blinks).insert(state, limit);
        }
        if waiting.is_empty() || waiting.len() == before {
            return true;
        }
        left = waiting;
    }
}

/// Probability that positions are skipped: usually small. Few tasks have few positions, so small
/// problems need larger probabilities to leave a local optimum.
fn blinks(instance: &CoupledInstance<'_>, rng: &mut Rng) -> f64 {
    match rng.random_range(0..20) {
        0..3 => 0.1,
        3..8 if instance.tasks() <= SMALL_MAX => 0.4,
        _ => 0.01,
    }
}

/// Limit of the insertion cost of a unit, without the unserved penalty that it saves.
fn cost_limit(
    instance: &CoupledInstance<'_>,
    unit: u32,
    acceptance: Acceptance,
    rng: &mut Rng,
) -> f64 {
    let strict = instance.model.problem.is_strict();
    if instance.is_committed[unit as usize] || (strict && instance.is_mandatory(unit)) {
        return f64::INFINITY;
    }
    match acceptance {
        Acceptance::Any if rng.random::<bool>() => f64::INFINITY,
        Acceptance::Profitable | Acceptance::Any => 0.0,
        Acceptance::WithDependants => {
            let needed_by = instance.units[unit as usize].needed_by.iter();
            needed_by
                .map(|other| instance.unserved_penalty(*other))
                .sum()
        }
    }
}

fn sort(
    instance: &CoupledInstance<'_>,
    left: &mut [u32],
    absences: &[u32],
    order: InsertionOrder,
    rng: &mut Rng,
) {
    left.shuffle(rng);
    let draw = rng.random_range(0..12);
    let model = &instance.model;
    let key = |unit: &u32| -> i64 {
        let tasks = &instance.units[*unit as usize].tasks;
        let jobs = tasks.iter().map(|task| &model.jobs[*task as usize]);
        let urgent = || jobs.clone().map(|job| job.latest_us).min().unwrap_or(0);
        match (order, draw) {
            (InsertionOrder::EarliestDeadline, _) | (_, 5..7) => urgent(),
            (_, 0..5) => 0,
            (_, 7..9) => -i64::from(absences[*unit as usize]),
            (_, 9) => -(tasks.len() as i64),
            (_, 10) => -jobs.map(|job| job.demand.iter().sum::<i64>()).sum::<i64>(),
            _ => {
                let home = model.workers[0].start;
                let distance = |job: &Job| model.cost_micro(home, job.location);
                -jobs.map(distance).max().unwrap_or(0)
            }
        }
    };
    left.sort_by_cached_key(key);
    // Committed and mandatory units come first.
    if order == InsertionOrder::EarliestDeadline {
        left.sort_by_key(|unit| std::cmp::Reverse(absences[*unit as usize]));
        left.sort_by_key(|unit| {
            (
                !instance.is_committed[*unit as usize],
                !instance.is_mandatory(*unit),
            )
        });
    }
}
