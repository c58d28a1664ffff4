//! How likely an intruder is caught who enters at a vertex, for each vertex.

use super::simulation::Simulation;
use super::terms::missed;
use crate::problem::{Motion, PROBABILITY_ONE, Problem, Tick};

/// For each vertex, the capture probability of entry there, of [`PROBABILITY_ONE`], rounded down. `None`:
/// stopped, here and below.
pub(super) fn captures(simulation: &Simulation<'_>) -> Option<Vec<u64>> {
    let (first, end) = simulation.entries();
    let entries = u128::from(end - first);
    let mean = |sum: u128| u64::try_from(sum / entries).expect("at most certain");
    Some(match simulation.problem.intruder().motion {
        Motion::Still => missed(simulation)?
            .into_iter()
            .map(|missed| mean((entries - missed) * u128::from(PROBABILITY_ONE)))
            .collect(),
        _ => {
            let mut sums = vec![0_u128; simulation.problem.vertices()];
            for (entry, times) in simulation.different() {
                let caught = walking(simulation, entry)?;
                sums.iter_mut()
                    .zip(caught)
                    .for_each(|(sum, one)| *sum += u128::from(one) * u128::from(times));
            }
            sums.into_iter().map(mean).collect()
        }
    })
}

/// For each place, the capture probability of entry there at a tick: backwards in time from the
/// last instant.
fn walking(simulation: &Simulation<'_>, entry: Tick) -> Option<Vec<u64>> {
    let problem = simulation.problem;
    let mut caught = vec![0; problem.places()];
    for instant in (0..Tick::from(problem.intruder().instants)).rev() {
        simulation.look(entry + instant, |place| caught[place] = PROBABILITY_ONE)?;
        if instant > 0 {
            simulation.walk()?;
            caught = before(problem, &caught);
        }
    }
    Some(caught)
}

/// One step back: what becomes of each of the parts in which he goes on, on average.
fn before(problem: &Problem, after: &[u64]) -> Vec<u64> {
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
        u64::try_from(mean).expect("at most certain")
    };
    (0..after.len()).map(from).collect()
}
