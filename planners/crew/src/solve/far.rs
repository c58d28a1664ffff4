//! Cheapest ways by one price.

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
    let mut far = vec![None; problem.spec().vertices];
    let mut open = BinaryHeap::from([Reverse((0, start))]);
    while let Some(Reverse((so_far, here))) = open.pop() {
        if far[here].is_some() {
            continue;
        }
        far[here] = Some(so_far);
        let arcs = match onwards {
            true => problem.arcs_from(here),
            false => problem.arcs_to(here),
        };
        for &arc in arcs {
            let arc = &problem.spec().arcs[arc as usize];
            let to = if onwards { arc.to } else { arc.from };
            if far[to].is_none() {
                open.push(Reverse((so_far + price(arc), to)));
            }
        }
    }
    far
}
