//! Maximum flow.

use std::collections::VecDeque;

/// A flow network that is pushed full by shortest paths: Dinic, "Algorithm for solution of a
/// problem of maximum flow in networks with power estimation" (1970). O(nodes^2 * arcs) time.
pub(super) struct FlowNetwork {
    /// Arcs by node, as indices; arc `a ^ 1` is the way back of arc `a`.
    out: Vec<Vec<usize>>,
    to: Vec<usize>,
    left: Vec<u64>,
}

impl FlowNetwork {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            out: vec![Vec::new(); nodes],
            to: Vec::new(),
            left: Vec::new(),
        }
    }

    pub(super) fn arc(&mut self, from: usize, to: usize, capacity: u64) {
        for (from, to, capacity) in [(from, to, capacity), (to, from, 0)] {
            self.out[from].push(self.to.len());
            self.to.push(to);
            self.left.push(capacity);
        }
    }

    /// Pushes all that fits from one node to another, and returns how much that is.
    pub(super) fn push(&mut self, source: usize, sink: usize) -> u64 {
        let mut sum = 0;
        loop {
            let levels = self.levels(source);
            if levels[sink].is_none() {
                return sum;
            }
            let mut tried = vec![0; self.out.len()];
            loop {
                let pushed = self.path(source, sink, &levels, &mut tried);
                if pushed == 0 {
                    break;
                }
                sum += pushed;
            }
        }
    }

    /// Which nodes can still be reached: the near side of a smallest cut, once all is pushed.
    pub(super) fn reached(&self, source: usize) -> Vec<bool> {
        self.levels(source).iter().map(Option::is_some).collect()
    }

    fn levels(&self, source: usize) -> Vec<Option<usize>> {
        let mut levels = vec![None; self.out.len()];
        levels[source] = Some(0);
        let mut queue = VecDeque::from([(source, 0)]);
        while let Some((node, level)) = queue.pop_front() {
            for &arc in &self.out[node] {
                let to = self.to[arc];
                if self.left[arc] > 0 && levels[to].is_none() {
                    levels[to] = Some(level + 1);
                    queue.push_back((to, level + 1));
                }
            }
        }
        levels
    }

    /// Pushes what fits along one path that goes up one level at each step; 0: there is none.
    fn path(
        &mut self,
        source: usize,
        sink: usize,
        levels: &[Option<usize>],
        tried: &mut [usize],
    ) -> u64 {
        let mut arcs: Vec<usize> = Vec::new();
        let mut node = source;
        while node != sink {
            let next = self.out[node][tried[node]..].iter().position(|arc| {
                let up = levels[self.to[*arc]] == levels[node].map(|level| level + 1);
                self.left[*arc] > 0 && up
            });
            if let Some(next) = next {
                tried[node] += next;
                let arc = self.out[node][tried[node]];
                arcs.push(arc);
                node = self.to[arc];
            } else {
                // A dead end: back one step, and never here again.
                tried[node] = self.out[node].len();
                let Some(arc) = arcs.pop() else {
                    return 0;
                };
                node = self.to[arc ^ 1];
                tried[node] += 1;
            }
        }
        let most = arcs.iter().map(|arc| self.left[*arc]).min().unwrap_or(0);
        for arc in arcs {
            self.left[arc] -= most;
            self.left[arc ^ 1] += most;
        }
        most
    }
}
