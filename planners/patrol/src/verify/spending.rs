//! How guards spend their time, tick by tick.

use super::play::Play;
use crate::problem::{CERTAIN, Entry, Tick};
use std::collections::BTreeMap;

/// What it counts for to note a step.
const STEP: usize = 16;

/// The share, of [`CERTAIN`], of all guards' time that is spent between two vertices in this order,
/// by rising step; standing: between a vertex and itself. Each guard's shares are rounded down.
/// `None`: stopped.
pub(super) fn spending(play: &Play<'_>) -> Option<Vec<((usize, usize), u64)>> {
    let guards = play.problem.guards().len();
    let instants = Tick::from(play.problem.intruder().instants);
    let mut all: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for guard in 0..guards {
        let [first, end] = match play.problem.intruder().entry {
            Entry::Start => [0, instants],
            Entry::Mission(last) => [0, Tick::from(last) + instants],
            Entry::Steady => play.round(guard),
        };
        let mut ticks: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for tick in first..end {
            play.patience.spend(STEP)?;
            *ticks.entry(play.step(guard, tick)).or_default() += 1;
        }
        for (step, ticks) in ticks {
            let part = u128::from(CERTAIN / guards as u64);
            let share = part * u128::from(ticks) / u128::from(end - first);
            *all.entry(step).or_default() += u64::try_from(share).expect("at most all");
        }
    }
    Some(all.into_iter().collect())
}
