//! The dynamic ranges, step by step: what the reduction must agree with.

use crate::problem::{Micros, ORIGIN};
use crate::solve::reduce::Reduction;

/// Whether `times` of our events, by timepoint, work: walks through them in order, narrows the
/// ranges of the teammates' events, carries them through links among these to a fixed point, and
/// compares.
pub(super) fn accepts(reduction: &Reduction<'_>, times: &[Micros]) -> bool {
    let bound = |i, j| reduction.bound(i, j);
    let ours: Vec<_> = reduction
        .ours
        .iter()
        .copied()
        .zip(times.iter().copied())
        .collect();
    let satisfied = |&(p, x): &(usize, Micros)| ours.iter().all(|&(q, y)| y - x <= bound(p, q));
    if !ours.iter().all(satisfied) {
        return false;
    }
    let theirs = &reduction.theirs;
    let before = |i, j| reduction.precedes(i, j);
    let mut low: Vec<Micros> = theirs.iter().map(|i| -bound(*i, ORIGIN)).collect();
    let mut high: Vec<Micros> = theirs.iter().map(|i| bound(ORIGIN, *i)).collect();
    for &(k, x) in ours.iter().filter(|(k, _)| *k != ORIGIN) {
        for (at, &i) in theirs.iter().enumerate() {
            if before(k, i) {
                low[at] = low[at].max(x - bound(i, k));
            }
            if !before(i, k) {
                high[at] = high[at].min(x + bound(k, i));
            }
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (u, &i) in theirs.iter().enumerate() {
            for (v, &j) in theirs.iter().enumerate().filter(|(v, _)| *v != u) {
                let (least, most) = (low[u] - bound(j, i), high[u] + bound(i, j));
                if before(i, j) && low[v] < least {
                    (low[v], changed) = (least, true);
                }
                if !before(j, i) && high[v] > most {
                    (high[v], changed) = (most, true);
                }
            }
        }
    }
    let fits = |at: usize, i: usize| {
        ours.iter().filter(|(j, _)| *j != ORIGIN).all(|&(j, x)| {
            let late = !before(i, j) || x >= high[at] - bound(j, i);
            let early = before(j, i) || x <= low[at] + bound(i, j);
            late && early
        })
    };
    (0..theirs.len()).all(|at| low[at] <= high[at] && fits(at, theirs[at]))
}
