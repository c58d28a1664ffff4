//! Giving back the memory of what will not be visited any more.

use crate::tree::{ROOT, Tree};

/// Marks a node that goes.
const GONE: u32 = u32::MAX;

impl<A: Copy, C: Copy + Ord> Tree<A, C> {
    /// Makes `root` the root and forgets everything that is not below it through open links. Closed links
    /// below it stay, as actions without a node.
    ///
    /// In place: needs four bytes a node and eight a block meanwhile. O(nodes + links).
    pub(crate) fn rebase(&mut self, root: u32) {
        self.forget_closed_children();
        let places = self.places(root);
        self.move_links(&places);
        self.move_nodes(&places);
        self.is_full = false;
    }

    /// Gives back what is closed.
    pub(crate) fn reclaim(&mut self) {
        self.rebase(ROOT);
    }

    fn forget_closed_children(&mut self) {
        for node in &self.nodes {
            let closed = (node.start + node.open) as usize..(node.start + node.tried) as usize;
            for link in &mut self.links[closed] {
                link.child = GONE;
            }
        }
    }

    /// The new number of every node. Order is kept, so the new root is number 0 and children
    /// still have higher numbers than their parents.
    fn places(&self, root: u32) -> Vec<u32> {
        let mut places = vec![GONE; self.nodes.len()];
        places[root as usize] = 0;
        let mut count = 0;
        // A parent comes before its children: whether a node stays is known when its turn comes.
        for number in 0..self.nodes.len() {
            if places[number] == GONE {
                continue;
            }
            places[number] = count;
            count += 1;
            for link in self.open_links(&self.nodes[number]) {
                places[link.child as usize] = 0;
            }
        }
        places
    }

    fn move_links(&mut self, places: &[u32]) {
        let mut blocks: Vec<(u32, u32)> = (0_u32..)
            .zip(&self.nodes)
            .filter(|(number, node)| places[*number as usize] != GONE && node.len > 0)
            .map(|(number, node)| (node.start, number))
            .collect();
        blocks.sort_unstable();
        let mut end = 0;
        for (start, number) in blocks {
            let node = &mut self.nodes[number as usize];
            let old = start as usize..(start + node.len) as usize;
            // Blocks move down and in order: none is overwritten before it has moved.
            self.links.copy_within(old, end as usize);
            node.start = end;
            end += node.len;
        }
        self.links.truncate(end as usize);
        for link in &mut self.links {
            if link.child != GONE {
                link.child = places[link.child as usize];
            }
        }
    }

    fn move_nodes(&mut self, places: &[u32]) {
        let mut count = 0;
        let mut bounds = 0;
        for (old, place) in places.iter().enumerate() {
            if *place == GONE {
                continue;
            }
            self.nodes[count] = self.nodes[old];
            count += 1;
            if old < self.bounds.len() {
                self.bounds[bounds] = self.bounds[old];
                bounds += 1;
            }
        }
        self.nodes.truncate(count);
        self.bounds.truncate(bounds);
    }
}
