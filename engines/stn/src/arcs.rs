//! The edges of a network by the node they leave.

use crate::{Edge, Time};

/// An edge seen from the node it leaves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arc {
    /// Where it leads.
    pub(crate) to: u32,
    /// Which edge it is, an index.
    pub(crate) edge: u32,
    /// Its weight, in microseconds.
    pub(crate) weight: Time,
}

/// Compressed rows: the arcs of node `v` are `arcs[begin[v]..begin[v + 1]]`, in the order given.
#[derive(Debug)]
pub(crate) struct Arcs {
    begin: Vec<u32>,
    arcs: Vec<Arc>,
}

impl Arcs {
    /// The arcs of checked edges.
    pub(crate) fn new(nodes: usize, edges: &[Edge]) -> Self {
        let mut begin = vec![0_u32; nodes + 1];
        for edge in edges {
            begin[edge.from as usize + 1] += 1;
        }
        for node in 0..nodes {
            begin[node + 1] += begin[node];
        }
        let none = Arc {
            to: 0,
            edge: 0,
            weight: 0,
        };
        let mut arcs = vec![none; edges.len()];
        let mut next = begin.clone();
        for (index, edge) in edges.iter().enumerate() {
            let slot = &mut next[edge.from as usize];
            arcs[*slot as usize] = Arc {
                to: edge.to,
                edge: u32::try_from(index).expect("edges fit in memory, 24 bytes each"),
                weight: edge.weight,
            };
            *slot += 1;
        }
        Self { begin, arcs }
    }

    /// The number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.begin.len() - 1
    }

    /// The number of arcs.
    pub(crate) fn len(&self) -> usize {
        self.arcs.len()
    }

    /// The arcs that leave `node`.
    pub(crate) fn leaving(&self, node: usize) -> &[Arc] {
        &self.arcs[self.begin[node] as usize..self.begin[node + 1] as usize]
    }

    /// All arcs, to change their weights.
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = (usize, &mut [Arc])> {
        let begin = &self.begin;
        let mut rest = self.arcs.as_mut_slice();
        (0..begin.len() - 1).map(move |node| {
            let count = (begin[node + 1] - begin[node]) as usize;
            let (row, after) = std::mem::take(&mut rest).split_at_mut(count);
            rest = after;
            (node, row)
        })
    }
}
