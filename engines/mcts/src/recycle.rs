//! Incremental reuse of the memory of closed nodes: no iteration waits for a collection.
//!
//! A node that is closed goes to the end of a queue. When there is no other room, the first of the
//! queue is taken apart: its own room becomes free, and its open children join the queue. A node
//! joins after all of its children that were closed before it, so a node that comes out
//! finds its parent still there.

use crate::tree::{NONE, Node, Tree};
use std::collections::VecDeque;

/// Nodes that are taken apart, at most, in search of room for one block of links.
const TRIES_MAX: usize = 8;

/// What was closed, and what is free.
#[derive(Debug, Default)]
pub(crate) struct Recycling {
    /// Closed nodes, each with the parent whose closed link still shows it (or [`NONE`]).
    queue: VecDeque<(u32, u32)>,
    nodes: Vec<u32>,
    /// By length, the starts of free blocks of links.
    blocks: Vec<Vec<u32>>,
}

impl Recycling {
    /// `node` will not be visited again; `parent`'s closed link shows it.
    pub(crate) fn retire(&mut self, parent: u32, node: u32) {
        self.queue.push_back((parent, node));
    }

    pub(crate) fn take_node(&mut self) -> Option<u32> {
        self.nodes.pop()
    }

    pub(crate) fn has_node(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// The start of a free block of `len` > 0 links, cut from the shortest that is long enough.
    pub(crate) fn take_block(&mut self, len: u32) -> Option<u32> {
        let mut long_enough = self.blocks.iter_mut().zip(0_u32..).skip(len as usize);
        let (starts, found) = long_enough.find(|(starts, _)| !starts.is_empty())?;
        let start = starts.pop()?;
        self.free_block(start + len, found - len);
        Some(start)
    }

    fn free_block(&mut self, start: u32, len: u32) {
        if len == 0 {
            return;
        }
        let class = len as usize;
        if self.blocks.len() <= class {
            self.blocks.resize_with(class + 1, Vec::new);
        }
        self.blocks[class].push(start);
    }
}

impl<A: Copy, C: Copy + Ord> Tree<A, C> {
    /// Makes the child behind the open link `slot` the root. Everything that is not below it will
    /// be recycled.
    pub(crate) fn commit(&mut self, slot: u32) {
        let old = self.root;
        let start = self.node(old).start;
        // The child goes first; its siblings are closed from the end, so that no slot moves.
        self.links.swap(start as usize, slot as usize);
        while self.node(old).open > 1 {
            self.close_child(old, start + self.node(old).open - 1);
        }
        self.root = self.links[start as usize].child;
        // The old root may not take it along when it is taken apart.
        self.links[start as usize].child = NONE;
        let node = self.node_mut(old);
        node.open = 0;
        node.is_closed = true;
        self.recycling.retire(NONE, old);
    }

    /// Free room for `len` links where something was closed.
    pub(crate) fn recycled_block(&mut self, len: u32) -> Option<u32> {
        let mut start = self.recycling.take_block(len);
        for _ in 0..TRIES_MAX {
            if start.is_some() || !self.recycle() {
                break;
            }
            start = self.recycling.take_block(len);
        }
        start
    }

    /// Takes one closed node apart. False when there is none.
    pub(crate) fn recycle(&mut self) -> bool {
        let Some((parent, number)) = self.recycling.queue.pop_front() else {
            return false;
        };
        if parent != NONE {
            let closed = closed_slots(self.node(parent));
            let shown = self.links[closed]
                .iter_mut()
                .find(|link| link.child == number);
            shown
                .expect("a parent is recycled after its closed children")
                .child = NONE;
        }
        let node = *self.node(number);
        for slot in node.start..node.start + node.open {
            let child = self.links[slot as usize].child;
            self.node_mut(child).is_closed = true;
            self.recycling.retire(NONE, child);
        }
        self.recycling.free_block(node.start, node.len);
        self.recycling.nodes.push(number);
        true
    }
}

fn closed_slots(node: &Node) -> std::ops::Range<usize> {
    (node.start + node.open) as usize..(node.start + node.tried) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LINKS_PER_NODE, Rng};
    use rand::{RngExt, SeedableRng};

    const NODES_MAX: usize = 40;

    /// Every node is free, or waiting, or in the tree; every link is in exactly one block.
    fn check(tree: &Tree<u32, u32>) {
        let mut uses = vec![0; tree.nodes.len()];
        let mut stack: Vec<u32> = tree.recycling.queue.iter().map(|entry| entry.1).collect();
        stack.extend(&tree.recycling.nodes);
        let free = tree.recycling.nodes.len();
        stack.push(tree.root);
        let mut blocks = Vec::new();
        let mut seen = 0;
        while let Some(number) = stack.pop() {
            seen += 1;
            uses[number as usize] += 1;
            let node = tree.node(number);
            if tree.recycling.nodes.contains(&number) {
                continue;
            }
            stack.extend(tree.open_links(node).iter().map(|link| link.child));
            assert!(
                tree.untried_links(node)
                    .iter()
                    .all(|link| link.child == NONE)
            );
            assert!(node.open <= node.tried && node.tried <= node.len);
            for link in &tree.links[closed_slots(node)] {
                let waits = tree.recycling.queue.contains(&(number, link.child));
                assert!(link.child == NONE || waits, "{number} shows {}", link.child);
            }
            blocks.push((node.start, node.len));
        }
        assert!(
            uses.iter().all(|uses| *uses == 1),
            "{uses:?} {free} free, {seen} seen"
        );
        for (starts, len) in tree.recycling.blocks.iter().zip(0_u32..) {
            blocks.extend(starts.iter().map(|start| (*start, len)));
        }
        blocks.retain(|(_, len)| *len > 0);
        blocks.sort_unstable();
        let end = blocks.iter().fold(0, |end, (start, len)| {
            assert_eq!(*start, end);
            start + len
        });
        assert_eq!(end as usize, tree.links.len());
    }

    /// One random descent that grows the tree at its end, or closes something, or commits.
    fn disturb(tree: &mut Tree<u32, u32>, rng: &mut Rng) {
        let mut path = vec![(tree.root, NONE)];
        while let Some(&(here, slot)) = path.last() {
            let node = *tree.node(here);
            if node.len == 0 {
                let actions: Vec<u32> = (0..rng.random_range(1..30)).collect();
                tree.expand(here, &actions);
                return;
            }
            if node.untried() > 0 && rng.random_bool(0.4) {
                let bound = rng.random_bool(0.5).then_some(1);
                if tree.has_room() {
                    tree.add_child(here, bound);
                } else {
                    tree.close_untried(here, node.start + node.tried);
                }
                return;
            }
            if node.open == 0 || rng.random_bool(0.1) {
                match path.get(path.len().wrapping_sub(2)) {
                    Some(&(parent, _)) => tree.close_child(parent, slot),
                    None if node.open > 0 => tree.commit(node.start + node.open - 1),
                    None => {}
                }
                return;
            }
            let slot = node.start + rng.random_range(0..node.open);
            path.push((tree.links[slot as usize].child, slot));
        }
    }

    #[test]
    fn nothing_is_lost_and_nothing_is_used_twice() {
        for seed in 0..50 {
            let mut rng = Rng::seed_from_u64(seed);
            let mut tree = Tree::new(NODES_MAX, None);
            for _ in 0..1000 {
                disturb(&mut tree, &mut rng);
                check(&tree);
                assert!(tree.nodes.len() <= NODES_MAX);
            }
            // The root alone may go beyond, once for each commitment to a node without links.
            assert!(tree.links.len() < 2 * NODES_MAX * LINKS_PER_NODE);
        }
    }
}
