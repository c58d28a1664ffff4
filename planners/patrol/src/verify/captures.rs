//! How likely an intruder is caught who enters at a vertex, for each vertex.

use super::count::missed;
use super::play::Play;
use crate::problem::{CERTAIN, Motion, Problem, Tick};

/// For each vertex, the capture probability of entry there, of [`CERTAIN`], rounded down. `None`:
/// stopped, here and below.
pub(super) fn captures(play: &Play<'_>) -> Option<Vec<u64>> {
    let (first, end) = play.entries();
    let entries = u128::from(end - first);
    let mean = |sum: u128| u64::try_from(sum / entries).expect("at most certain");
    Some(match play.problem.intruder().motion {
        Motion::Still => missed(play)?
            .into_iter()
            .map(|missed| mean((entries - missed) * u128::from(CERTAIN)))
            .collect(),
        _ => {
            let mut sums = vec![0_u128; play.problem.vertices()];
            for (entry, times) in play.different() {
                let caught = walking(play, entry)?;
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
fn walking(play: &Play<'_>, entry: Tick) -> Option<Vec<u64>> {
    let problem = play.problem;
    let mut caught = vec![0; problem.places()];
    for instant in (0..Tick::from(problem.intruder().instants)).rev() {
        play.look(entry + instant, |place| caught[place] = CERTAIN)?;
        if instant > 0 {
            play.walk()?;
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
