//! Dynamic controllability of a small STNU by the reductions of Morris and Muscettola, "Temporal
//! dynamic controllability revisited", AAAI 2005, with a strict lower-case rule, as we may react
//! immediately. Slow and simple: a check of proofs.

use super::differences::Arc;
use crate::problem::{Contingent, Micros, Node};

/// No bound.
const NONE: Micros = Micros::MAX;

/// Whether the network is dynamically controllable. `None`: `work`, in entries of matrices, did not
/// suffice.
pub(super) fn is_controllable(
    nodes: usize,
    arcs: &[Arc],
    links: &[Contingent],
    work: &mut u64,
) -> Option<bool> {
    let mut graph = Graph::new(nodes, arcs, links);
    loop {
        let round = (2 * nodes + links.len()) * nodes * nodes;
        *work = work.checked_sub(round as u64)?;
        if !close(&mut graph.plain, nodes) || !graph.allmax_is_consistent() {
            return Some(false);
        }
        if !graph.reduce() {
            return Some(true);
        }
    }
}

struct Graph<'a> {
    nodes: usize,
    links: &'a [Contingent],
    /// Bounds, row by row.
    plain: Vec<Micros>,
    /// For each contingent link, bounds to its start that hold unless it has ended, by node.
    upper: Vec<Vec<Micros>>,
}

impl<'a> Graph<'a> {
    fn new(nodes: usize, arcs: &[Arc], links: &'a [Contingent]) -> Self {
        let mut plain = vec![NONE; nodes * nodes];
        let mut upper = vec![vec![NONE; nodes]; links.len()];
        for node in 0..nodes {
            plain[node * nodes + node] = 0;
        }
        let own = links.iter().flat_map(|link| {
            [
                (link.from, link.to, link.upper_us),
                (link.to, link.from, -link.lower_us),
            ]
        });
        for (from, to, weight) in arcs.iter().copied().chain(own) {
            lower(&mut plain[from * nodes + to], weight);
        }
        for (upper, link) in upper.iter_mut().zip(links) {
            upper[link.to] = -link.upper_us;
        }
        Self {
            nodes,
            links,
            plain,
            upper,
        }
    }

    fn get(&self, from: Node, to: Node) -> Micros {
        self.plain[from * self.nodes + to]
    }

    /// Whether the AllMax projection is consistent: the longest durations, with all waits that
    /// follow.
    fn allmax_is_consistent(&self) -> bool {
        let mut late = self.plain.clone();
        for (upper, link) in self.upper.iter().zip(self.links) {
            for (node, weight) in upper.iter().enumerate() {
                lower(&mut late[node * self.nodes + link.from], *weight);
            }
        }
        close(&mut late, self.nodes)
    }

    /// One round of all reductions but the one without labels, which is in the closure. False:
    /// nothing changed.
    fn reduce(&mut self) -> bool {
        let mut changed = false;
        for (k, link) in self.links.iter().enumerate() {
            // Upper case.
            for from in 0..self.nodes {
                let through =
                    (0..self.nodes).map(|via| sum(self.get(from, via), self.upper[k][via]));
                let least = through.min().unwrap_or(NONE);
                changed |= lower(&mut self.upper[k][from], least);
            }
            // Cross case.
            for (j, other) in self.links.iter().enumerate() {
                let after = self.upper[k][other.to];
                if j != k && after < 0 {
                    let weight = sum(other.lower_us, after);
                    changed |= lower(&mut self.upper[k][other.from], weight);
                }
            }
            // Label removal: a wait that is over before the link can end.
            for from in 0..self.nodes {
                let weight = self.upper[k][from];
                if weight >= -link.lower_us && weight != NONE {
                    let cell = &mut self.plain[from * self.nodes + link.from];
                    changed |= lower(cell, weight);
                }
            }
            // Lower case.
            for to in 0..self.nodes {
                let after = self.get(link.to, to);
                if after < 0 {
                    let cell = &mut self.plain[link.from * self.nodes + to];
                    changed |= lower(cell, sum(link.lower_us, after));
                }
            }
        }
        changed
    }
}

fn sum(one: Micros, other: Micros) -> Micros {
    if one == NONE || other == NONE {
        NONE
    } else {
        one.saturating_add(other)
    }
}

fn lower(cell: &mut Micros, weight: Micros) -> bool {
    let lower = weight < *cell;
    *cell = (*cell).min(weight);
    lower
}

/// Floyd-Warshall; false as soon as there is a negative cycle.
fn close(least: &mut [Micros], nodes: usize) -> bool {
    for middle in 0..nodes {
        if least[middle * nodes + middle] < 0 {
            return false;
        }
        let rest = least[middle * nodes..][..nodes].to_vec();
        for row in least.chunks_exact_mut(nodes) {
            let first = row[middle];
            for (least, second) in row.iter_mut().zip(&rest) {
                *least = (*least).min(sum(first, *second));
            }
        }
    }
    (0..nodes).all(|node| least[node * nodes + node] >= 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Uncertain, tiny_uncertain, uncertain};
    use crate::problem::Network;
    use crate::verify::differences::bound;
    use crate::verify::nature::is_requirement;

    /// By the reductions, about a whole network.
    fn ours(network: &Network) -> Option<bool> {
        let bounds = network.bounds().filter(|one| is_requirement(one.source));
        let arcs: Vec<Arc> = bounds
            .map(|one| (one.from, one.to, one.weight_us))
            .collect();
        is_controllable(network.nodes(), &arcs, network.contingent(), &mut {
            u64::MAX
        })
    }

    /// By Morris 2014, in the engine.
    fn theirs(network: &Network) -> bool {
        use stn::uncertain::{Contingent, Stnu, dynamic};
        let node = |node: Node| u32::try_from(node).unwrap();
        let bounds = network.bounds().filter(|one| is_requirement(one.source));
        let edge = |one: crate::problem::Bound| {
            assert_eq!(bound(network, one.source), Some(one));
            stn::Edge::new(node(one.from), node(one.to), one.weight_us, 0)
        };
        let links = network.contingent().iter().map(|link| Contingent {
            from: node(link.from),
            to: node(link.to),
            lower: link.lower_us,
            upper: link.upper_us,
            id: 0,
        });
        let stnu = Stnu::new(network.nodes(), bounds.map(edge).collect(), links.collect());
        dynamic(&stnu.unwrap(), &mut || true).holds()
    }

    #[test]
    fn the_reductions_agree_with_the_engine_on_two_thousand_networks() {
        let mut holds = 0;
        for seed in 0..2_000 {
            let network = if seed % 2 == 0 {
                tiny_uncertain(seed)
            } else {
                let shape = Uncertain {
                    ours: 5,
                    contingent: 4,
                    links: 10,
                    chained_percent: 40,
                    slack_s: u32::try_from(seed % 50).unwrap(),
                };
                uncertain(seed, &shape)
            };
            let expected = theirs(&network);
            assert_eq!(ours(&network), Some(expected), "seed {seed}: {network:?}");
            holds += u32::from(expected);
        }
        assert!((300..1_700).contains(&holds), "{holds}");
    }
}
