//! Shortest paths by one price, or by one and then another: Dijkstra's algorithm.

use super::key::{Key, Waiting, bits};
use crate::problem::{Arc, Problem};
use std::collections::BinaryHeap;

/// What an arc costs.
pub(crate) type Price<'p> = &'p dyn Fn(&Arc) -> u64;

/// Distances from a vertex to each; `None` where no path exists.
pub(crate) fn distances_from(
    problem: &Problem,
    start: usize,
    price: Price<'_>,
) -> Vec<Option<u64>> {
    let price = |arc: &Arc| (price(arc), 0);
    distances(problem, start, Cheapest::From(&price))
}

/// Distances from each vertex to one; `None` where no path exists.
pub(crate) fn distances_to(problem: &Problem, end: usize, price: Price<'_>) -> Vec<Option<u64>> {
    let price = |arc: &Arc| (price(arc), 0);
    distances(problem, end, Cheapest::To(&price))
}

fn distances(problem: &Problem, end: usize, paths: Cheapest<'_>) -> Vec<Option<u64>> {
    let all = cheapest(problem, &[((0, 0), end)], paths);
    all.into_iter().map(|it| it.map(|it| it.0)).collect()
}

/// Two prices: what counts first, and what counts where that is equal.
pub(super) type Pair = (u64, u64);

/// Which paths, and what an arc costs.
#[derive(Clone, Copy)]
pub(super) enum Cheapest<'c> {
    /// From the starts to each vertex.
    From(&'c dyn Fn(&Arc) -> Pair),
    /// From each vertex to the starts.
    To(&'c dyn Fn(&Arc) -> Pair),
}

/// What the cheapest path costs between each vertex and one of the starts, with what has been paid
/// there; `None` where no path exists.
pub(super) fn cheapest(
    problem: &Problem,
    starts: &[(Pair, usize)],
    paths: Cheapest<'_>,
) -> Vec<Option<Pair>> {
    let (Cheapest::From(price) | Cheapest::To(price)) = paths;
    let max = |one: Pair, other: Pair| (one.0.max(other.0), one.1.max(other.1));
    let arc = problem.spec().arcs.iter().map(price).fold((0, 0), max);
    let start = starts.iter().map(|start| start.0).fold((0, 0), max);
    // No shortest path comes to a vertex twice. Fits: sums of this number of prices do.
    let steps = problem.spec().vertices as u64;
    let most = (start.0 + arc.0 * steps, start.1 + arc.1 * steps);
    match bits(most) {
        Some(bits) => cheapest_by::<u64>(problem, starts, paths, bits),
        None => cheapest_by::<u128>(problem, starts, paths, u64::BITS),
    }
}

/// The same, with keys of some kind in the queue.
fn cheapest_by<K: Key>(
    problem: &Problem,
    starts: &[(Pair, usize)],
    paths: Cheapest<'_>,
    bits: u32,
) -> Vec<Option<Pair>> {
    let mut paid = vec![None; problem.spec().vertices];
    let mut open = BinaryHeap::with_capacity(paid.len());
    let waiting = |both, vertex| Waiting {
        key: K::pack(both, bits),
        what: (vertex as u32, 0),
    };
    for (so_far, here) in starts {
        if paid[*here].is_none_or(|paid| *so_far < paid) {
            paid[*here] = Some(*so_far);
            open.push(waiting(*so_far, *here));
        }
    }
    while let Some(next) = open.pop() {
        let (so_far, here) = (next.key.unpack(bits), next.what.0 as usize);
        if paid[here].is_some_and(|paid| paid < so_far) {
            continue;
        }
        let (arcs, price) = match paths {
            Cheapest::From(price) => (problem.arcs_from(here), price),
            Cheapest::To(price) => (problem.arcs_to(here), price),
        };
        for &arc in arcs {
            let arc = &problem.spec().arcs[arc as usize];
            let to = match paths {
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
