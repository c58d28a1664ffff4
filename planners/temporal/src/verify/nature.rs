//! Strong controllability after Vidal and Fargier: a schedule satisfies all requirements for all
//! durations, in closed form over chains of contingent links.

use super::bound_broken;
use crate::plan::Range;
use crate::problem::{Micros, Network, Node, Source};
use anytime::Fault;
use petgraph::algo::toposort;
use petgraph::graphmap::DiGraphMap;

/// Chains of contingent links: the time of each node after a node of ours.
pub(super) struct Chains {
    /// The contingent link that ends at each node, by index.
    into: Vec<Option<usize>>,
    /// Per node: the first node of its chain, itself when it is no event of Nature.
    root: Vec<Node>,
    /// Per node: links from the root.
    depth: Vec<usize>,
    /// Per node: shortest and longest time from the root.
    after: Vec<Range>,
}

impl Chains {
    /// The chains of a network. Linear time.
    pub(super) fn new(network: &Network) -> Self {
        let nodes = network.nodes();
        let mut chains = Self {
            into: vec![None; nodes],
            root: (0..nodes).collect(),
            depth: vec![0; nodes],
            after: vec![Range::default(); nodes],
        };
        for (index, link) in network.contingent().iter().enumerate() {
            chains.into[link.to] = Some(index);
        }
        let links = network.contingent().iter().map(|link| (link.from, link.to));
        let order = toposort(&DiGraphMap::<Node, ()>::from_edges(links), None);
        for node in order.expect("contingent links form no cycle") {
            chains.extend(network, node);
        }
        chains
    }

    fn parent(&self, network: &Network, node: Node) -> Option<Node> {
        self.into[node].map(|index| network.contingent()[index].from)
    }

    /// Adds `node` to the chain of the link that ends there; the nodes before it are known.
    fn extend(&mut self, network: &Network, node: Node) {
        let Some(index) = self.into[node] else {
            return;
        };
        let link = &network.contingent()[index];
        let before = self.after[link.from];
        self.root[node] = self.root[link.from];
        self.depth[node] = self.depth[link.from] + 1;
        self.after[node] = Range {
            earliest_us: before.earliest_us + link.lower_us,
            latest_us: before.latest_us + link.upper_us,
        };
    }

    /// The first node of the chain at whose end a node is: itself, unless it is Nature's.
    pub(super) fn root(&self, node: Node) -> Node {
        self.root[node]
    }

    /// The last node that the chains of two nodes of one root share: its durations cancel.
    fn shared(&self, network: &Network, mut one: Node, mut other: Node) -> Node {
        while one != other {
            let deeper = if self.depth[one] >= self.depth[other] {
                &mut one
            } else {
                &mut other
            };
            *deeper = self
                .parent(network, *deeper)
                .expect("chains of one root meet at it");
        }
        one
    }

    /// The largest difference from `from` to `to`, beyond the difference of their roots.
    pub(super) fn largest_difference(&self, network: &Network, from: Node, to: Node) -> Micros {
        let largest = self.after[to].latest_us - self.after[from].earliest_us;
        if self.root[from] != self.root[to] {
            return largest;
        }
        let shared = self.after[self.shared(network, from, to)];
        largest - shared.latest_us + shared.earliest_us
    }

    /// The range of each node when the roots happen at `times`.
    pub(super) fn ranges(&self, times: &[Option<Micros>]) -> Vec<Range> {
        let chains = self.root.iter().zip(&self.after);
        let ranges = chains.map(|(root, after)| {
            let start = times[*root].expect("roots are not Nature's, so they have times");
            Range {
                earliest_us: start + after.earliest_us,
                latest_us: start + after.latest_us,
            }
        });
        ranges.collect()
    }

    /// All requirements that some durations violate.
    pub(super) fn broken(&self, network: &Network, times: &[Option<Micros>]) -> Vec<Fault> {
        let start = |node: Node| times[self.root[node]].expect("roots have times");
        let mut broken = Vec::new();
        for bound in network
            .bounds()
            .filter(|bound| is_requirement(bound.source))
        {
            let (from, to) = (bound.from, bound.to);
            let worst_us = start(to) - start(from) + self.largest_difference(network, from, to);
            if worst_us > bound.weight_us {
                broken.push(bound_broken(from, to, worst_us, bound.weight_us));
            }
        }
        broken
    }
}

/// Whether a bound is a requirement; Nature satisfies those of contingent links.
pub(super) fn is_requirement(source: Source) -> bool {
    !matches!(
        source,
        Source::ContingentLower(_) | Source::ContingentUpper(_)
    )
}
