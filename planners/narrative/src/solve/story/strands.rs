//! Where the strands of a group fork.

use super::{Fork, Story, Tree};
use crate::problem::{Narrative, Picks};
use crate::solve::joint_network::fork_between;

/// The strands of one group.
#[derive(Debug)]
pub(crate) struct Strands {
    pub(crate) group: usize,
    tree: Tree,
    /// By storyline of all groups, the strand of this one.
    strand: Vec<usize>,
}

impl Strands {
    /// `None`: stopped.
    pub(super) fn new(
        narrative: &Narrative,
        group: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let alone = narrative.restricted_to(&[group]);
        let tree = Story::new(&alone, go_on)?.tree;
        let strand = |picks: &Picks| {
            let picks = narrative.picks_of(picks, group);
            let strand = alone.storylines().binary_search(&picks);
            strand.expect("what a group picks in a storyline is a strand")
        };
        Some(Self {
            group,
            tree,
            strand: narrative.storylines().iter().map(strand).collect(),
        })
    }

    /// Where the strands of two storylines part; `None`: they are the same.
    pub(crate) fn fork_between(&self, lines: [usize; 2]) -> Option<&Fork> {
        let [one, other] = lines.map(|line| self.strand[line]);
        fork_between(&self.tree, one, other).filter(|_| one != other)
    }
}
