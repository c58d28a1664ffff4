//! Cheapest ways by one price, or by one and then another.

use crate::problem::{Arc, Problem};
use std::cmp::Reverse;
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
    let ways = match onwards {
        true => Cheapest::From(&price),
        false => Cheapest::To(&price),
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

/// What the cheapest way costs between each vertex and one of the starts, with what has been paid there; none where there is none.
pub(super) fn cheapest(
    problem: &Problem,
    starts: &[((u64, u64), usize)],
    ways: Cheapest<'_>,
) -> Vec<Option<(u64, u64)>> {
    let mut paid = vec![None; problem.spec().vertices];
    let mut open: BinaryHeap<_> = starts.iter().map(|start| Reverse(*start)).collect();
    while let Some(Reverse((so_far, here))) = open.pop() {
        if paid[here].is_some() {
            continue;
        }
        paid[here] = Some(so_far);
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
            if paid[to].is_none() {
                let more = price(arc);
                open.push(Reverse(((so_far.0 + more.0, so_far.1 + more.1), to)));
            }
        }
    }
    paid
}
