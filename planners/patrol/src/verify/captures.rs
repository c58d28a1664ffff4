//! Capture probability by vertex of entry.

use super::simulation::Simulation;
use super::terms::missed;
use crate::problem::{Motion, PROBABILITY_ONE, Problem, Tick};

/// Capture probability by vertex of entry, in units of 2^-60, rounded down. `None`: stopped, here
/// and below.
pub(super) fn captures(simulation: &Simulation<'_>) -> Option<Vec<u64>> {
    let (first, end) = simulation.entries();
    let entries = u128::from(end - first);
    let mean = |sum: u128| u64::try_from(sum / entries).expect("at most one");
    Some(match simulation.problem.intruder().motion {
        Motion::Still => missed(simulation)?
            .into_iter()
            .map(|missed| mean((entries - missed) * u128::from(PROBABILITY_ONE)))
            .collect(),
        _ => {
            let mut sums = vec![0_u128; simulation.problem.vertices()];
            for (entry, times) in simulation.distinct_entries() {
                let caught = dynamic(simulation, entry)?;
                sums.iter_mut()
                    .zip(caught)
                    .for_each(|(sum, one)| *sum += u128::from(one) * u128::from(times));
            }
            sums.into_iter().map(mean).collect()
        }
    })
}

/// Capture probability of a dynamic intruder by place of entry at a tick: backward induction from
/// the last instant.
fn dynamic(simulation: &Simulation<'_>, entry: Tick) -> Option<Vec<u64>> {
    let problem = simulation.problem;
    let mut caught = vec![0; problem.places()];
    for instant in (0..Tick::from(problem.intruder().instants)).rev() {
        simulation.for_each_seen(entry + instant, |place| caught[place] = PROBABILITY_ONE)?;
        if instant > 0 {
            simulation.spend_step()?;
            caught = step_back(problem, &caught);
        }
    }
    Some(caught)
}

/// Capture probabilities before a step of the intruder, from those after it.
fn step_back(problem: &Problem, after: &[u64]) -> Vec<u64> {
    let from = |place: usize| {
        let near = problem.neighbours(place);
        let parts = problem.parts(place);
        let stay = parts - near.len() as u64;
        let there = |to: &u32| after[*to as usize];
        // As many parts, each at most 2^60, fit in 64 bits.
        if parts < 16 {
            return (near.iter().map(there).sum::<u64>() + stay * after[place]) / parts;
        }
        let go: u128 = near.iter().map(|to| u128::from(there(to))).sum();
        let mean = (go + u128::from(stay) * u128::from(after[place])) / u128::from(parts);
        u64::try_from(mean).expect("at most one")
    };
    (0..after.len()).map(from).collect()
}
