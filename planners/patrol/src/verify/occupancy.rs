//! Occupancy: the share of the time of guards on each arc, from the simulation.

use super::simulation::Simulation;
use crate::problem::{Entry, PROBABILITY_ONE, Tick};
use std::collections::BTreeMap;

/// Work to count a tick.
const TICK: u64 = 16;

/// Share of the time of all guards on an arc; standing counts as the arc from a vertex to itself.
pub(crate) struct ArcShare {
    /// First and second vertex.
    pub arc: [usize; 2],
    /// In units of 2^-60.
    pub share: u64,
}

/// Shares by rising arc; each guard's are rounded down. `None`: stopped.
pub(super) fn occupancy(simulation: &Simulation<'_>) -> Option<Vec<ArcShare>> {
    let guards = simulation.problem.guards().len();
    let instants = Tick::from(simulation.problem.intruder().instants);
    let mut shares: BTreeMap<[usize; 2], u64> = BTreeMap::new();
    for guard in 0..guards {
        let [first, end] = match simulation.problem.intruder().entry {
            Entry::Start => [0, instants],
            Entry::Mission(last) => [0, Tick::from(last) + instants],
            Entry::Steady => simulation.cycle(guard),
        };
        let mut ticks: BTreeMap<[usize; 2], u64> = BTreeMap::new();
        for tick in first..end {
            simulation.ticker.step(TICK).ok()?;
            *ticks.entry(simulation.arc(guard, tick)).or_default() += 1;
        }
        for (arc, ticks) in ticks {
            let part = u128::from(PROBABILITY_ONE / guards as u64);
            let share = part * u128::from(ticks) / u128::from(end - first);
            *shares.entry(arc).or_default() += u64::try_from(share).expect("at most one");
        }
    }
    let shares = shares.into_iter();
    Some(shares.map(|(arc, share)| ArcShare { arc, share }).collect())
}
