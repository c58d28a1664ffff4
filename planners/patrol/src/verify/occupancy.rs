//! How guards spend their time, tick by tick.

use super::simulation::Simulation;
use crate::problem::{Entry, PROBABILITY_ONE, Tick};
use std::collections::BTreeMap;

/// What it counts for to note a step.
const STEP: usize = 16;

/// The share, of [`PROBABILITY_ONE`], of all guards' time that is spent between two vertices in this order,
/// by rising step; standing: between a vertex and itself. Each guard's shares are rounded down.
/// `None`: stopped.
pub(super) fn occupancy(simulation: &Simulation<'_>) -> Option<Vec<((usize, usize), u64)>> {
    let guards = simulation.problem.guards().len();
    let instants = Tick::from(simulation.problem.intruder().instants);
    let mut all: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for guard in 0..guards {
        let [first, end] = match simulation.problem.intruder().entry {
            Entry::Start => [0, instants],
            Entry::Mission(last) => [0, Tick::from(last) + instants],
            Entry::Steady => simulation.round(guard),
        };
        let mut ticks: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for tick in first..end {
            simulation.stop_check.spend(STEP)?;
            *ticks.entry(simulation.step(guard, tick)).or_default() += 1;
        }
        for (step, ticks) in ticks {
            let part = u128::from(PROBABILITY_ONE / guards as u64);
            let share = part * u128::from(ticks) / u128::from(end - first);
            *all.entry(step).or_default() += u64::try_from(share).expect("at most all");
        }
    }
    Some(all.into_iter().collect())
}
