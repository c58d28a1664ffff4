//! Cliques of a graph: greedy, then by branch and bound with a colouring bound, within a limit.

/// A graph as a matrix of bits.
pub(super) struct Graph {
    words: usize,
    rows: Vec<Vec<u64>>,
}

impl Graph {
    pub(super) fn new(len: usize) -> Self {
        let words = len.div_ceil(64);
        Self {
            words,
            rows: vec![vec![0; words]; len],
        }
    }

    pub(super) fn connect(&mut self, one: usize, other: usize) {
        self.rows[one][other / 64] |= 1 << (other % 64);
        self.rows[other][one / 64] |= 1 << (one % 64);
    }

    pub(super) fn disconnect(&mut self, one: usize, other: usize) {
        self.rows[one][other / 64] &= !(1 << (other % 64));
        self.rows[other][one / 64] &= !(1 << (one % 64));
    }

    /// The `degree`-core: the nodes that remain after those with fewer than `degree` neighbours are
    /// removed repeatedly.
    fn core(&self, degree: usize) -> Vec<u64> {
        let mut alive = vec![0_u64; self.words];
        for node in 0..self.rows.len() {
            alive[node / 64] |= 1 << (node % 64);
        }
        loop {
            let few = |node: &usize| common_count(&alive, &self.rows[*node]) < degree;
            let removed: Vec<usize> = nodes(&alive).filter(few).collect();
            if removed.is_empty() {
                return alive;
            }
            for node in removed {
                alive[node / 64] &= !(1 << (node % 64));
            }
        }
    }

    /// A clique of more than `over` nodes, rising; `None`: none is found. It need not be a largest
    /// one.
    pub(super) fn clique(&self, over: usize, steps: &mut usize) -> Option<Vec<usize>> {
        let core = self.core(over);
        let mut seeds: Vec<usize> = nodes(&core).collect();
        if seeds.len() <= over {
            return None;
        }
        seeds.sort_by_key(|node| std::cmp::Reverse(common_count(&core, &self.rows[*node])));
        let mut best: Vec<usize> = Vec::new();
        for &seed in seeds.iter().take(SEEDS_MAX) {
            let found = self.greedy(&core, seed, steps)?;
            if found.len() > best.len() {
                best = found;
            }
            if best.len() > over {
                break;
            }
        }
        if best.len() <= over {
            let mut chosen = Vec::new();
            best = self.exact(&core, &mut chosen, over, &mut (*steps / 2))?;
        }
        best.sort_unstable();
        Some(best)
    }

    /// Adds the neighbour with the most common neighbours, ties to the lower index.
    fn greedy(&self, core: &[u64], seed: usize, steps: &mut usize) -> Option<Vec<usize>> {
        let mut clique = vec![seed];
        let mut open = intersection(core, &self.rows[seed]);
        loop {
            let size = open.iter().map(|word| word.count_ones() as usize);
            *steps = steps.checked_sub(size.sum::<usize>() * self.words + 1)?;
            let common = |node: &usize| common_count(&open, &self.rows[*node]);
            let next = nodes(&open).max_by_key(|node| (common(node), std::cmp::Reverse(*node)));
            let Some(next) = next else {
                return Some(clique);
            };
            clique.push(next);
            open = intersection(&open, &self.rows[next]);
        }
    }

    /// A clique of more than `over` nodes that extends the chosen ones. A colouring, in which
    /// neighbours differ, bounds the number of nodes that can be added. After Tomita, Seki,
    /// "An efficient branch-and-bound algorithm for finding a maximum clique", DMTCS 2003.
    fn exact(
        &self,
        open: &[u64],
        chosen: &mut Vec<usize>,
        over: usize,
        steps: &mut usize,
    ) -> Option<Vec<usize>> {
        if chosen.len() > over {
            return Some(chosen.clone());
        }
        let coloured = self.coloured(open);
        *steps = steps.checked_sub((coloured.len() + 1) * self.words)?;
        let mut open = open.to_vec();
        for (colour, node) in coloured.into_iter().rev() {
            if chosen.len() + colour <= over {
                return None;
            }
            chosen.push(node);
            let next = intersection(&open, &self.rows[node]);
            if let Some(found) = self.exact(&next, chosen, over, steps) {
                return Some(found);
            }
            chosen.pop();
            open[node / 64] &= !(1 << (node % 64));
        }
        None
    }

    /// A greedy colouring: colours, from 1, and nodes, by rising colour.
    fn coloured(&self, open: &[u64]) -> Vec<(usize, usize)> {
        let mut left = open.to_vec();
        let mut coloured = Vec::new();
        for colour in 1.. {
            if left.iter().all(|word| *word == 0) {
                break;
            }
            let mut free = left.clone();
            loop {
                let Some(node) = nodes(&free).next() else {
                    break;
                };
                coloured.push((colour, node));
                left[node / 64] &= !(1 << (node % 64));
                free[node / 64] &= !(1 << (node % 64));
                for (free, row) in free.iter_mut().zip(&self.rows[node]) {
                    *free &= !row;
                }
            }
        }
        coloured
    }
}

/// Nodes from which cliques are grown.
const SEEDS_MAX: usize = 8;

fn nodes(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(at, word)| {
        let mut word = *word;
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(64 * at + bit)
        })
    })
}

fn common_count(one: &[u64], other: &[u64]) -> usize {
    let both = one.iter().zip(other).map(|(a, b)| (a & b).count_ones());
    both.sum::<u32>() as usize
}

fn intersection(one: &[u64], other: &[u64]) -> Vec<u64> {
    one.iter().zip(other).map(|(a, b)| a & b).collect()
}

#[cfg(test)]
mod tests {
    use super::Graph;
    use proptest::prelude::*;

    /// Size of the largest clique, by looking at all sets.
    fn largest(len: usize, edges: &[(usize, usize)]) -> usize {
        let is_edge = |a, b| edges.contains(&(a, b)) || edges.contains(&(b, a));
        let is_clique = |set: &u32| {
            let inside = |node: &usize| set >> node & 1 == 1;
            let mut nodes = (0..len).filter(inside);
            nodes.all(|a| (0..a).filter(inside).all(|b| is_edge(a, b)))
        };
        let sizes = (0..1_u32 << len).filter(is_clique).map(u32::count_ones);
        sizes.max().unwrap_or(0) as usize
    }

    proptest! {
        /// Within the limit a clique is found exactly where there is one, and it is one.
        #[test]
        fn cliques_are_found_where_there_are_some(
            edges in prop::collection::vec((0_usize..9, 0_usize..9), 0..30), over in 1_usize..6,
        ) {
            let edges: Vec<_> = edges.into_iter().filter(|(a, b)| a != b).collect();
            let mut graph = Graph::new(9);
            edges.iter().for_each(|(a, b)| graph.connect(*a, *b));
            let found = graph.clique(over, &mut 1_000_000);
            prop_assert_eq!(found.is_some(), largest(9, &edges) > over);
            let found = found.unwrap_or_default();
            for (at, a) in found.iter().enumerate() {
                for b in &found[..at] {
                    prop_assert!(edges.contains(&(*a, *b)) || edges.contains(&(*b, *a)));
                }
            }
        }
    }
}
