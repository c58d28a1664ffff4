//! The tree's memory: nodes and links in two arenas, no states.

use crate::recycle::Recycling;
use crate::ucb::{exploration_scale, ucb1};

/// Links that a tree may have, for each node that it may have. When they are used up the tree is
/// full, however many nodes there are; only the root is expanded all the same.
pub const LINKS_PER_NODE: usize = 8;

/// Most nodes that a tree can have: links are numbered with 32 bits.
pub const NODES_MAX: usize = 1 << 28;

/// In place of a child: none, because it is untried, or closed and without a node.
pub(crate) const NONE: u32 = u32::MAX;

/// Statistics of a state that the search has visited.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Node {
    /// Sum of rewards.
    total: f64,
    /// Iterations that came through here. 2^32 do not fit, but take days.
    pub(crate) visits: u32,
    /// Where the block of links starts; `len` is 0 before the second visit.
    pub(crate) start: u32,
    /// Links: one for each action.
    pub(crate) len: u32,
    /// Links that are not untried. The block is: open, then closed up to here, then untried.
    pub(crate) tried: u32,
    /// Links to children that may still hold something better.
    pub(crate) open: u32,
    /// Whether the parent's link is closed. Not set for what is below a closed node.
    pub(crate) is_closed: bool,
}

// The bar of the design is 64 bytes; what is left goes to the cached bound.
const _: () = assert!(size_of::<Node>() == 32, "two nodes a cache line");

/// An action, and the node that it leads to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link<A> {
    pub(crate) action: A,
    pub(crate) child: u32,
}

/// Bytes of one node without its links: 32, and the cached bound if there is a
/// [`Bound`](crate::Bound).
#[must_use]
pub const fn node_bytes<C>(bounded: bool) -> usize {
    size_of::<Node>() + if bounded { size_of::<Option<C>>() } else { 0 }
}

/// Nodes and links. Room that was used once is used again (`recycle.rs`).
#[derive(Debug)]
pub(crate) struct Tree<A, C> {
    pub(crate) nodes: Vec<Node>,
    pub(crate) links: Vec<Link<A>>,
    /// Bounds of nodes. Shorter than `nodes` where the last ones have none.
    pub(crate) bounds: Vec<Option<C>>,
    pub(crate) root: u32,
    nodes_max: usize,
    pub(crate) recycling: Recycling,
}

impl<A: Copy, C: Copy + Ord> Tree<A, C> {
    /// A tree with nothing but a root.
    pub(crate) fn new(nodes_max: usize, bound: Option<C>) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            links: Vec::new(),
            bounds: Vec::new(),
            root: 0,
            nodes_max: nodes_max.clamp(1, NODES_MAX),
            recycling: Recycling::default(),
        };
        tree.make(bound);
        tree
    }

    pub(crate) fn bound(&self, node: u32) -> Option<C> {
        self.bounds.get(node as usize).copied().flatten()
    }

    pub(crate) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub(crate) fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// Whether there is room for one more node; makes some where that is possible.
    pub(crate) fn has_room(&mut self) -> bool {
        self.nodes.len() < self.nodes_max || self.recycling.has_node() || self.recycle()
    }

    /// Gives `node` its links, all untried, in this order. False, and nothing done, where there is
    /// no room.
    pub(crate) fn expand(&mut self, node: u32, actions: &[A]) -> bool {
        let len = index(actions.len());
        let links_max = self.nodes_max * LINKS_PER_NODE;
        let links = actions.iter().map(|&action| Link {
            action,
            child: NONE,
        });
        let mut start = index(self.links.len());
        let is_full = self.links.len() + actions.len() > links_max;
        match is_full.then(|| self.recycled_block(len)).flatten() {
            Some(recycled) => {
                start = recycled;
                let block = &mut self.links[start as usize..(start + len) as usize];
                block
                    .iter_mut()
                    .zip(links)
                    .for_each(|(old, new)| *old = new);
            }
            // Without the root's links there would be no tree.
            None if is_full && node != self.root => return false,
            None => {
                reserve(&mut self.links, actions.len(), links_max);
                self.links.extend(links);
            }
        }
        let node = self.node_mut(node);
        node.start = start;
        node.len = len;
        true
    }

    /// Makes a node for the first untried action of `parent`, and returns its number and the slot
    /// of its link.
    pub(crate) fn add_child(&mut self, parent: u32, bound: Option<C>) -> (u32, u32) {
        let child = self.make(bound);
        let node = self.node_mut(parent);
        let (untried, slot) = (node.start + node.tried, node.start + node.open);
        node.tried += 1;
        node.open += 1;
        self.links[untried as usize].child = child;
        // The first closed link, if any, changes places with it.
        self.links.swap(untried as usize, slot as usize);
        (child, slot)
    }

    /// Closes the untried link `slot` of `parent`, which gets no node.
    pub(crate) fn close_untried(&mut self, parent: u32, slot: u32) {
        let node = self.node_mut(parent);
        let first = node.start + node.tried;
        node.tried += 1;
        self.links.swap(slot as usize, first as usize);
    }

    /// Closes the open link `slot` of `parent`.
    pub(crate) fn close_child(&mut self, parent: u32, slot: u32) {
        let node = self.node_mut(parent);
        node.open -= 1;
        let last = node.start + node.open;
        self.links.swap(slot as usize, last as usize);
        let child = self.links[last as usize].child;
        self.node_mut(child).is_closed = true;
        self.recycling.retire(parent, child);
    }

    /// Whether `node` is expanded and has neither open nor untried links.
    pub(crate) fn is_finished(&self, node: u32) -> bool {
        let node = self.node(node);
        node.open == 0 && node.tried == node.len && node.len > 0
    }

    /// The slot of the open link with the highest UCB1 value; the first of equals. `value` is the
    /// exploitation term. There must be an open link.
    pub(crate) fn select(
        &self,
        node: u32,
        exploration: f64,
        value: impl Fn(A, f64, u32) -> f64,
    ) -> u32 {
        let node = self.node(node);
        let scale = exploration_scale(exploration, node.visits);
        let (mut best, mut best_score) = (node.start, f64::NEG_INFINITY);
        for (slot, link) in (node.start..).zip(self.open_links(node)) {
            let child = self.node(link.child);
            let score = ucb1(
                value(link.action, child.mean(), child.visits),
                scale,
                child.visits,
            );
            if score > best_score {
                (best, best_score) = (slot, score);
            }
        }
        best
    }

    /// The slot of the most visited child of `node`; among equals the higher mean, then the lower
    /// number. Among open children only, or among all that have a node.
    pub(crate) fn most_visited(&self, node: u32, only_open: bool) -> Option<u32> {
        let node = self.node(node);
        let end = node.start + if only_open { node.open } else { node.tried };
        let rank = |slot: &u32| {
            let number = self.links[*slot as usize].child;
            let child = self.node(number);
            (child.visits, child.mean(), std::cmp::Reverse(number))
        };
        (node.start..end)
            .filter(|slot| self.links[*slot as usize].child != NONE)
            .max_by(|a, b| {
                let (a, b) = (rank(a), rank(b));
                a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
            })
    }

    /// The least bound of what may still grow, None being the least: no terminal state that is not
    /// under a closed link costs less. Bounds never fall on the way down. O(nodes).
    pub(crate) fn frontier_bound(&self) -> Option<C> {
        let bounds = self.bounds.iter().chain(std::iter::repeat(&None));
        self.nodes
            .iter()
            .zip(bounds)
            .filter(|(node, _)| !node.is_closed && (node.len == 0 || node.untried() > 0))
            .map(|(_, bound)| *bound)
            .min()
            .flatten()
    }

    /// Counts an iteration through `node`.
    pub(crate) fn reward(&mut self, node: u32, reward: f64) {
        let node = self.node_mut(node);
        node.visits = node.visits.saturating_add(1);
        node.total += reward;
    }

    pub(crate) fn open_links(&self, node: &Node) -> &[Link<A>] {
        &self.links[node.start as usize..(node.start + node.open) as usize]
    }

    pub(crate) fn untried_links(&self, node: &Node) -> &[Link<A>] {
        &self.links[(node.start + node.tried) as usize..(node.start + node.len) as usize]
    }

    /// Makes a node. There must be room.
    fn make(&mut self, bound: Option<C>) -> u32 {
        let number = self.recycling.take_node().unwrap_or_else(|| {
            reserve(&mut self.nodes, 1, self.nodes_max);
            self.nodes.push(Node::default());
            index(self.nodes.len() - 1)
        });
        *self.node_mut(number) = Node::default();
        let place = number as usize;
        if place < self.bounds.len() {
            self.bounds[place] = bound;
        } else if bound.is_some() {
            let more = place + 1 - self.bounds.len();
            reserve(&mut self.bounds, more, self.nodes_max);
            self.bounds.resize(place, None);
            self.bounds.push(bound);
        }
        number
    }
}

impl Node {
    /// Mean reward.
    pub(crate) fn mean(&self) -> f64 {
        self.total / f64::from(self.visits)
    }

    /// Untried actions.
    pub(crate) fn untried(&self) -> u32 {
        self.len - self.tried
    }
}

/// Room for `more`: doubles like `Vec` does, but never reserves beyond `max` for nothing.
fn reserve<T>(vec: &mut Vec<T>, more: usize, max: usize) {
    let needed = vec.len() + more;
    if needed > vec.capacity() {
        let capacity = needed.max((2 * vec.capacity()).clamp(64, max.max(64)));
        vec.reserve_exact(capacity - vec.len());
    }
}

fn index(number: usize) -> u32 {
    u32::try_from(number).expect("nodes and links are limited far below 2^32")
}
