//! Memory of searches: each search gets a limit of nodes, whose memory is reserved before it
//! begins.
//!
//! What a search needs is estimated from its problem and its planner's records, never from what
//! goes on at the moment: the limit of nodes is part of what an answer depends on.

use crate::Refusal;
use anytime::Runnable;

/// What a search takes whatever it is about: its thread, scratch space, pages of the allocator.
const BASE_BYTES: usize = 16 << 20;
/// A problem's own bytes, and those of what is made of it before a search.
const PROBLEM_COPIES: usize = 4;
/// With fewer nodes than that nothing is searched.
pub const NODES_LEAST: usize = 1_000;

/// What searches may take.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// Bytes for each.
    pub each: usize,
    /// Nodes of each, however many bytes there are.
    pub nodes_max: usize,
}

/// What one search gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Need {
    /// Reserved until its end.
    pub bytes: usize,
    /// As many nodes as fit into them.
    pub nodes_max: usize,
}

impl Memory {
    /// What a search of this problem gets; `bytes` is what the problem takes itself.
    ///
    /// # Errors
    /// It needs more than one may have, and would at any time.
    pub(crate) fn need<P: Runnable>(
        self,
        problem: &P::Problem,
        bytes: usize,
    ) -> Result<Need, Refusal> {
        let pairs = P::pairs(problem).saturating_mul(P::PAIR_BYTES);
        let fixed = fixed(bytes).saturating_add(pairs);
        let least = fixed.saturating_add(NODES_LEAST * P::NODE_BYTES);
        if least > self.each {
            return Err(beyond(least, self.each));
        }
        // Planners without nodes have the limit all the same: it costs them nothing.
        let nodes = (self.each - fixed).checked_div(P::NODE_BYTES);
        let nodes_max = nodes.map_or(self.nodes_max, |nodes| nodes.min(self.nodes_max));
        Ok(Need {
            bytes: fixed + nodes_max * P::NODE_BYTES,
            nodes_max,
        })
    }

    /// What work gets that keeps no nodes.
    ///
    /// # Errors
    /// It needs more than one may have.
    pub(crate) fn plain(self, bytes: usize) -> Result<usize, Refusal> {
        let bytes = fixed(bytes);
        if bytes > self.each {
            Err(beyond(bytes, self.each))
        } else {
            Ok(bytes)
        }
    }
}

fn fixed(bytes: usize) -> usize {
    BASE_BYTES.saturating_add(bytes.saturating_mul(PROBLEM_COPIES))
}

fn beyond(bytes: usize, each: usize) -> Refusal {
    let mib = |bytes: usize| bytes.div_ceil(1 << 20);
    Refusal::SolveTooLarge(format!(
        "a search of this problem needs {} MiB at least, and may take {} MiB here (solve_memory_max)",
        mib(bytes),
        each >> 20
    ))
}
