//! Whether a schedule keeps every requirement for all durations: strong controllability after Vidal
//! and Fargier, in closed form over chains of contingent links.

use super::violation::Violation;
use crate::plan::Range;
use crate::problem::{Micros, Network, Node, Source};

/// When each node happens: so long after a node that has a time.
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
    /// The chains of a network. Linear time: every node is settled once.
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
        let mut settled: Vec<_> = chains.into.iter().map(Option::is_none).collect();
        for node in 0..nodes {
            let mut path = Vec::new();
            let mut at = node;
            while !settled[at] {
                path.push(at);
                at = chains
                    .parent(network, at)
                    .expect("a node that is not settled has one");
            }
            for &next in path.iter().rev() {
                chains.settle(network, next);
                settled[next] = true;
            }
        }
        chains
    }

    fn parent(&self, network: &Network, node: Node) -> Option<Node> {
        self.into[node].map(|index| network.contingent()[index].from)
    }

    /// `node` ends a contingent link from a node that is settled.
    fn settle(&mut self, network: &Network, node: Node) {
        let index = self.into[node].expect("it ends a contingent link");
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

    /// Most that `to` may be after `from` beyond what their roots are apart.
    pub(super) fn most(&self, network: &Network, from: Node, to: Node) -> Micros {
        let most = self.after[to].latest_us - self.after[from].earliest_us;
        if self.root[from] != self.root[to] {
            return most;
        }
        let shared = self.after[self.shared(network, from, to)];
        most - shared.latest_us + shared.earliest_us
    }

    /// What every node may do when the roots happen at `times`.
    pub(super) fn ranges(&self, times: &[Option<Micros>]) -> Vec<Range> {
        let range = |(root, after): (&Node, &Range)| {
            let start = times[*root].expect("roots are not Nature's, so they have times");
            Range {
                earliest_us: start + after.earliest_us,
                latest_us: start + after.latest_us,
            }
        };
        self.root.iter().zip(&self.after).map(range).collect()
    }

    /// All requirements that some durations break.
    pub(super) fn broken(&self, network: &Network, times: &[Option<Micros>]) -> Vec<Violation> {
        let start = |node: Node| times[self.root[node]].expect("roots have times");
        let mut broken = Vec::new();
        for bound in network
            .bounds()
            .filter(|bound| is_requirement(bound.source))
        {
            let (from, to) = (bound.from, bound.to);
            let worst_us = start(to) - start(from) + self.most(network, from, to);
            if worst_us > bound.weight_us {
                broken.push(Violation::BoundBroken {
                    from,
                    to,
                    worst_us,
                    bound_us: bound.weight_us,
                });
            }
        }
        broken
    }
}

/// Whether a bound is to be kept by us; those of contingent links Nature keeps.
pub(super) fn is_requirement(source: Source) -> bool {
    !matches!(
        source,
        Source::ContingentLower(_) | Source::ContingentUpper(_)
    )
}
