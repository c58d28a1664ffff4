//! Cheapest ways by one price, or by one and then another.

use super::key::{Key, Waiting, bits};
use crate::problem::{Arc, Problem};
use std::collections::BinaryHeap;

/// What an arc costs.
pub(crate) type Price<'p> = &'p dyn Fn(&Arc) -> u64;

/// What the cheapest way costs from a vertex to each, or from each to it; none where there is none.
pub(crate) fn far(
    problem: &Problem,
    start: usize,
    (onwards, price): (bool, Price<'_>),
) -> Vec<Option<u64>> {
    let price = |arc: &Arc| (price(arc), 0);
    let ways = if onwards {
        Cheapest::From(&price)
    } else {
        Cheapest::To(&price)
    };
    let all = cheapest(problem, &[((0, 0), start)], ways);
    all.into_iter().map(|it| it.map(|it| it.0)).collect()
}

/// Which ways, and what an arc costs: what counts first, and what counts where that is equal.
#[derive(Clone, Copy)]
pub(super) enum Cheapest<'c> {
    /// From the starts to each vertex.
    From(&'c dyn Fn(&Arc) -> (u64, u64)),
    /// From each vertex to the starts.
    To(&'c dyn Fn(&Arc) -> (u64, u64)),
}

/// What the cheapest path costs between each vertex and one of the starts, with what has been paid
/// there; `None` where no path exists.
pub(super) fn cheapest(
    problem: &Problem,
    starts: &[((u64, u64), usize)],
    ways: Cheapest<'_>,
) -> Vec<Option<(u64, u64)>> {
    let (Cheapest::From(price) | Cheapest::To(price)) = ways;
    let max = |one: (u64, u64), other: (u64, u64)| (one.0.max(other.0), one.1.max(other.1));
    let arc = problem.spec().arcs.iter().map(price).fold((0, 0), max);
    let start = starts.iter().map(|start| start.0).fold((0, 0), max);
    // No cheapest way comes to a vertex twice. Fits: sums of this number of prices do.
    let steps = problem.spec().vertices as u64;
    let most = (start.0 + arc.0 * steps, start.1 + arc.1 * steps);
    match bits(most) {
        Some(bits) => cheapest_by::<u64>((problem, bits), starts, ways),
        None => cheapest_by::<u128>((problem, u64::BITS), starts, ways),
    }
}

/// The same, with keys of some kind in the queue.
fn cheapest_by<K: Key>(
    (problem, bits): (&Problem, u32),
    starts: &[((u64, u64), usize)],
    ways: Cheapest<'_>,
) -> Vec<Option<(u64, u64)>> {
    let mut paid = vec![None; problem.spec().vertices];
    let mut open = BinaryHeap::with_capacity(paid.len());
    let waiting = |both, vertex| Waiting {
        key: K::of(both, bits),
        what: (vertex as u32, 0),
    };
    for (so_far, here) in starts {
        if paid[*here].is_none_or(|paid| *so_far < paid) {
            paid[*here] = Some(*so_far);
            open.push(waiting(*so_far, *here));
        }
    }
    while let Some(next) = open.pop() {
        let (so_far, here) = (next.key.both(bits), next.what.0 as usize);
        if paid[here].is_some_and(|paid| paid < so_far) {
            continue;
        }
        let (arcs, price) = match ways {
            Cheapest::From(price) => (problem.arcs_from(here), price),
            Cheapest::To(price) => (problem.arcs_to(here), price),
        };
        for &arc in arcs {
            let arc = &problem.spec().arcs[arc as usize];
            let to = match ways {
                Cheapest::From(_) => arc.to,
                Cheapest::To(_) => arc.from,
            };
            let more = price(arc);
            let there = (so_far.0 + more.0, so_far.1 + more.1);
            if paid[to].is_none_or(|paid| there < paid) {
                paid[to] = Some(there);
                open.push(waiting(there, to));
            }
        }
    }
    paid
}
