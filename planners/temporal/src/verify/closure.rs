//! What follows from all bounds together, and who comes before whom.

use crate::problem::{Micros, Network, Node, ORIGIN, Owner};

/// No bound. Real bounds stay below 2^59 either way: see
/// [`TIME_MAX_US`](crate::problem::TIME_MAX_US).
const NONE: Micros = Micros::MAX;

/// The tightest bounds between all nodes of a consistent network.
pub(crate) struct Closure {
    nodes: usize,
    /// By from and to, row by row.
    least: Vec<Micros>,
    /// Which nodes are teammates', by node.
    theirs: Vec<bool>,
}

impl Closure {
    /// Floyd-Warshall over all bounds, whoever they bind: O(nodes^3) time, O(nodes^2) memory.
    /// `None`: the network is inconsistent.
    pub(crate) fn new(network: &Network) -> Option<Self> {
        let nodes = network.nodes();
        let mut least = vec![NONE; nodes * nodes];
        for node in 0..nodes {
            least[node * nodes + node] = 0;
        }
        for bound in network.bounds() {
            let cell = &mut least[bound.from * nodes + bound.to];
            *cell = (*cell).min(bound.weight_us);
        }
        let is_theirs = |node| network.owner(node) == Some(Owner::Uncontrollable);
        let mut closure = Self {
            nodes,
            least,
            theirs: (0..nodes).map(is_theirs).collect(),
        };
        for middle in 0..nodes {
            // Walks through a negative cycle could grow without limit; up to the first one that
            // shows, every entry is the length of a simple path.
            if closure.least[middle * nodes + middle] < 0 {
                return None;
            }
            closure.through(middle);
        }
        let consistent = (0..nodes).all(|node| closure.least[node * nodes + node] >= 0);
        consistent.then_some(closure)
    }

    fn through(&mut self, middle: Node) {
        let nodes = self.nodes;
        let row = self.least[middle * nodes..][..nodes].to_vec();
        for from in self.least.chunks_exact_mut(nodes) {
            let first = from[middle];
            if first == NONE {
                continue;
            }
            for (least, second) in from.iter_mut().zip(&row) {
                let sum = if *second == NONE {
                    NONE
                } else {
                    first + *second
                };
                *least = (*least).min(sum);
            }
        }
    }

    /// Most that `to` may be after `from`: the paper's c(from, to).
    ///
    /// # Panics
    /// When nothing bounds it. With teammates every node has a window, so something does.
    pub(crate) fn most(&self, from: Node, to: Node) -> Micros {
        let most = self.least[from * self.nodes + to];
        assert!(most != NONE, "with teammates every node has a window");
        most
    }

    /// Whether `first` precedes `second`: it is never later. Nodes that are always at the same time
    /// stand in a row: ours before the teammates', then by index. The origin precedes everything.
    pub(crate) fn precedes(&self, first: Node, second: Node) -> bool {
        if first == ORIGIN || second == ORIGIN {
            return second != ORIGIN;
        }
        let (after, before) = (self.most(first, second), self.most(second, first));
        if after == 0 && before == 0 {
            let rank = |node: Node| (self.theirs[node], node);
            return rank(first) < rank(second);
        }
        before <= 0
    }

    /// The teammates' nodes.
    pub(crate) fn theirs(&self) -> impl Iterator<Item = Node> {
        (0..self.nodes).filter(|node| self.theirs[*node])
    }

    pub(crate) fn is_theirs(&self, node: Node) -> bool {
        self.theirs.get(node) == Some(&true)
    }

    /// Whether a node is ours, the origin included.
    pub(crate) fn is_ours(&self, node: Node) -> bool {
        self.theirs.get(node) == Some(&false)
    }

    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }
}
