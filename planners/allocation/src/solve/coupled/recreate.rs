//! Puts units that are left out onto routes.

use super::ground::Ground;
use super::place::{Blinks, Placer};
use super::state::State;
use anytime::Pulse;
use mcts::Rng;
use rand::RngExt;
use rand::seq::SliceRandom;

/// How much units that may be left out may cost.
#[derive(Debug, Clone, Copy)]
enum Price {
    /// Less than leaving them out.
    Fair,
    /// Less than leaving out them and those that need them.
    Hopeful,
    /// Anything, for every second of them: doing several may pay where doing one does not.
    Any,
}

/// Most tasks of a problem that is small.
const SMALL_MAX: usize = 20;

/// The order in which units are put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// By when they have to be done, those that were left out most often before all others.
    Urgent,
    /// Any, drawn by lot.
    Luck,
}

/// Puts all units that it can onto routes. False if it was told to stop.
pub(super) fn recreate(
    ground: &Ground<'_>,
    (state, absences): (&mut State, &[u32]),
    (turn, rng): (Turn, &mut Rng),
    pulse: &mut Pulse,
) -> bool {
    let is_left = |unit: &u32| {
        let tasks = &ground.units[*unit as usize].tasks;
        tasks.iter().any(|task| !state.is_done(*task))
    };
    let mut left: Vec<u32> = (0..ground.units.len() as u32).filter(is_left).collect();
    sort(ground, &mut left, absences, (turn, rng));
    let price = match (turn, rng.random_range(0..10)) {
        (Turn::Urgent, _) | (_, 0..5) => Price::Fair,
        (_, 5..8) => Price::Hopeful,
        _ => Price::Any,
    };
    let share = blinks(ground, rng);
    loop {
        let before = left.len();
        let mut waiting = Vec::new();
        for unit in left {
            if pulse.stop().is_some() {
                return false;
            }
            let needs = &ground.units[unit as usize].needs;
            let is_done = |need: &u32| state.is_done(ground.units[*need as usize].tasks[0]);
            if !needs.iter().all(is_done) {
                waiting.push(unit);
                continue;
            }
            let most = most(ground, unit, (price, rng));
            let luck = (turn == Turn::Luck).then_some(&mut *rng);
            let blinks = luck.map(|rng| Blinks { rng, share });
            Placer::new(ground, (state, unit), blinks).place(state, most);
        }
        if waiting.is_empty() || waiting.len() == before {
            return true;
        }
        left = waiting;
    }
}

/// How often places are passed over: seldom as a rule. Few tasks have few ways to be put back, so
/// there it takes more luck to leave the usual ones.
fn blinks(ground: &Ground<'_>, rng: &mut Rng) -> f64 {
    match rng.random_range(0..20) {
        0..3 => 0.1,
        3..8 if ground.tasks() <= SMALL_MAX => 0.4,
        _ => 0.01,
    }
}

/// What putting a unit back may add to the energy, leaving it out deducted.
fn most(ground: &Ground<'_>, unit: u32, (price, rng): (Price, &mut Rng)) -> f64 {
    let strict = ground.model.problem.is_strict();
    if ground.fixed[unit as usize] || (strict && ground.is_mandatory(unit)) {
        return f64::INFINITY;
    }
    match price {
        Price::Any if rng.random::<bool>() => f64::INFINITY,
        Price::Fair | Price::Any => 0.0,
        Price::Hopeful => {
            let needed_by = ground.units[unit as usize].needed_by.iter();
            needed_by.map(|other| ground.loss(*other)).sum()
        }
    }
}

fn sort(ground: &Ground<'_>, left: &mut [u32], absences: &[u32], (turn, rng): (Turn, &mut Rng)) {
    left.shuffle(rng);
    let luck = rng.random_range(0..12);
    let model = &ground.model;
    let key = |unit: &u32| -> i64 {
        let tasks = &ground.units[*unit as usize].tasks;
        let jobs = tasks.iter().map(|task| &model.jobs[*task as usize]);
        let urgent = || jobs.clone().map(|job| job.latest_us).min().unwrap_or(0);
        match (turn, luck) {
            (Turn::Urgent, _) | (_, 5..7) => urgent(),
            (_, 0..5) => 0,
            (_, 7..9) => -i64::from(absences[*unit as usize]),
            (_, 9) => -(tasks.len() as i64),
            (_, 10) => -jobs.map(|job| job.demand.iter().sum::<i64>()).sum::<i64>(),
            _ => {
                let home = model.workers[0].start;
                let way = |job: &crate::solve::model::Job| model.cost_micro(home, job.location);
                -jobs.map(way).max().unwrap_or(0)
            }
        }
    };
    left.sort_by_cached_key(key);
    // What has to be done comes first at the very beginning.
    if turn == Turn::Urgent {
        left.sort_by_key(|unit| std::cmp::Reverse(absences[*unit as usize]));
        left.sort_by_key(|unit| (!ground.fixed[*unit as usize], !ground.is_mandatory(*unit)));
    }
}
