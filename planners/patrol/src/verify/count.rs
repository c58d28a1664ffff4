//! What a plan is worth.

use super::play::Play;
use crate::plan::{Terms, UNSEEN};
use crate::problem::{CERTAIN, Motion, Tick};

/// The terms of a plan's cost, from what is seen at each tick.
pub(super) fn terms(play: &Play<'_>) -> Terms {
    let escape = match play.problem.intruder().motion {
        Motion::Still => still(play),
        _ => walking(play),
    };
    let (worst_idleness, mean_idleness) = idleness(play);
    Terms {
        escape,
        worst_idleness,
        mean_idleness,
    }
}

fn still(play: &Play<'_>) -> u64 {
    let (first, end) = play.entries();
    let missed = missed(play);
    let escaped = missed.iter().zip(play.problem.shares());
    let escaped: u128 = escaped
        .map(|(missed, share)| missed * u128::from(*share))
        .sum();
    u64::try_from(escaped / u128::from(end - first)).expect("at most certain")
}

/// For each vertex, the number of entries of who stays there and is not seen in the window.
pub(super) fn missed(play: &Play<'_>) -> Vec<u128> {
    let shares = play.problem.shares();
    let instants = Tick::from(play.problem.intruder().instants);
    let (first, end) = play.entries();
    // Backwards in time: when each vertex is seen next.
    let mut next: Vec<Option<Tick>> = vec![None; shares.len()];
    let mut missed = vec![0_u128; shares.len()];
    for tick in (first..end + instants - 1).rev() {
        play.look(tick, |place| {
            if let Some(next) = next.get_mut(place) {
                *next = Some(tick);
            }
        });
        if tick >= end {
            continue;
        }
        for (missed, next) in missed.iter_mut().zip(&next) {
            let caught = next.is_some_and(|next| next < tick + instants);
            *missed += u128::from(!caught);
        }
    }
    missed
}

/// For each entry: what is left of the intruder's probability after the last instant.
fn walking(play: &Play<'_>) -> u64 {
    let (first, end) = play.entries();
    let escaped: u128 = (first..end).map(|entry| left(play, entry)).sum();
    u64::try_from(escaped / u128::from(end - first)).expect("at most certain")
}

fn left(play: &Play<'_>, entry: Tick) -> u128 {
    let problem = play.problem;
    let mut belief = problem.shares().to_vec();
    belief.resize(problem.places(), 0);
    for instant in 0..Tick::from(problem.intruder().instants) {
        if instant > 0 {
            let before = belief.clone();
            for (place, mass) in before.into_iter().enumerate() {
                let part = mass / problem.parts(place);
                for next in problem.neighbours(place) {
                    belief[*next as usize] += part;
                    belief[place] -= part;
                }
            }
        }
        play.look(entry + instant, |place| belief[place] = 0);
    }
    belief.into_iter().map(u128::from).sum()
}

/// The worst and the mean idleness once the patrol goes round.
fn idleness(play: &Play<'_>) -> (Tick, u128) {
    let shares = play.problem.shares();
    let mut last: Vec<Option<Tick>> = vec![None; shares.len()];
    let (mut worst, mut sum) = (0, vec![0_u128; shares.len()]);
    // The first time round finds out when each vertex was last seen; the second counts.
    let begin = play.prefix + play.period;
    for tick in play.prefix..begin + play.period {
        play.look(tick, |place| {
            if let Some(last) = last.get_mut(place) {
                *last = Some(tick);
            }
        });
        if tick < begin {
            continue;
        }
        for (vertex, last) in last.iter().enumerate().filter(|(v, _)| shares[*v] > 0) {
            let idle = last.map_or(UNSEEN, |last| tick - last);
            worst = idle.max(worst);
            sum[vertex] += u128::from(idle);
        }
    }
    let all = sum.iter().zip(shares);
    let all: u128 = all.map(|(sum, share)| sum * u128::from(*share)).sum();
    debug_assert!(all <= u128::from(UNSEEN) * u128::from(play.period) * u128::from(CERTAIN));
    (worst, all / u128::from(play.period))
}
