//! Satisfiability of differences and disjunctions: a small search, independent of the planner's.
//!
//! A disjunction is about one end of the range of a teammate's node. That end is set by one of
//! several nodes: one of them must be such that all targets of the disjunction tolerate it.

use crate::problem::{Micros, Node};
use stn::Difference;

/// No bound.
const NONE: Micros = Micros::MAX;

/// Entries of tables that one check may touch: a few hundredths of a second.
pub(super) const WORK_MAX: u64 = 10_000_000;

/// Alternatives, of which one must be satisfied, each with all its constraints.
pub(super) type Disjunction = Vec<Vec<Difference>>;

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// All can be satisfied.
    Satisfiable,
    /// They cannot.
    Unsatisfiable,
    /// [`WORK_MAX`] was reached: not checked.
    Unknown,
}

/// Whether `bounds` and one alternative of each disjunction can be satisfied together. `work` is
/// what is left of [`WORK_MAX`]; a contradiction without a decision is found in any case.
pub(super) fn search(
    bounds: &[Difference],
    disjunctions: &[Disjunction],
    work: &mut u64,
) -> Answer {
    // Only nodes at the ends of constraints have a row in the matrix.
    let all = bounds.iter().chain(disjunctions.iter().flatten().flatten());
    let mut nodes: Vec<Node> = all.flat_map(|bound| [bound.from, bound.to]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let row = |node: Node| {
        nodes
            .binary_search(&node)
            .expect("every node was collected")
    };
    let renamed = |bound: &Difference| bound.renamed(row);
    let mut distances = DistanceMatrix::new(nodes.len());
    if !bounds
        .iter()
        .all(|bound| distances.add(renamed(bound), work))
    {
        return Answer::Unsatisfiable;
    }
    let alternative = |alternative: &Vec<Difference>| alternative.iter().map(renamed).collect();
    let disjunctions: Vec<Disjunction> = disjunctions
        .iter()
        .map(|disjunction| disjunction.iter().map(alternative).collect())
        .collect();
    decide(&distances, disjunctions.iter().collect(), work)
}

/// One of the disjunctions is decided in each of its alternatives that are left.
fn decide(distances: &DistanceMatrix, mut open: Vec<&Disjunction>, work: &mut u64) -> Answer {
    let mut distances = distances.clone();
    spend(work, distances.cells());
    let smallest = loop {
        if *work == 0 {
            return Answer::Unknown;
        }
        open.retain(|disjunction| {
            !disjunction
                .iter()
                .any(|alternative| distances.implies(alternative))
        });
        let alternatives = |disjunction: &&Disjunction| {
            disjunction
                .iter()
                .filter(|alternative| distances.allows(alternative))
                .count()
        };
        spend(work, open.iter().map(|disjunction| disjunction.len()).sum());
        let Some((count, at)) = open.iter().map(alternatives).zip(0..).min() else {
            return Answer::Satisfiable;
        };
        match count {
            0 => return Answer::Unsatisfiable,
            1 => {
                let disjunction = open.swap_remove(at);
                let alternative = disjunction
                    .iter()
                    .find(|alternative| distances.allows(alternative));
                if !distances.add_all(alternative.expect("there is one"), work) {
                    return Answer::Unsatisfiable;
                }
            }
            _ => break at,
        }
    };
    let disjunction = open.swap_remove(smallest);
    let mut sure = true;
    for alternative in disjunction
        .iter()
        .filter(|alternative| distances.allows(alternative))
    {
        let mut next = distances.clone();
        if !next.add_all(alternative, work) {
            continue;
        }
        match decide(&next, open.clone(), work) {
            Answer::Satisfiable => return Answer::Satisfiable,
            Answer::Unsatisfiable => {}
            Answer::Unknown => sure = false,
        }
        if *work == 0 {
            return Answer::Unknown;
        }
    }
    if sure {
        Answer::Unsatisfiable
    } else {
        Answer::Unknown
    }
}

fn spend(work: &mut u64, cells: usize) {
    *work = work.saturating_sub(cells as u64);
}

/// Tightest bounds between all nodes that follow from what was added.
#[derive(Clone)]
struct DistanceMatrix {
    nodes: usize,
    distances: Vec<Micros>,
}

impl DistanceMatrix {
    fn new(nodes: usize) -> Self {
        let mut distances = vec![NONE; nodes * nodes];
        for node in 0..nodes {
            distances[node * nodes + node] = 0;
        }
        Self { nodes, distances }
    }

    fn cells(&self) -> usize {
        self.distances.len()
    }

    fn get(&self, from: Node, to: Node) -> Micros {
        self.distances[from * self.nodes + to]
    }

    /// Whether each constraint on its own contradicts nothing.
    fn allows(&self, alternative: &[Difference]) -> bool {
        let fine = |bound: &Difference| {
            let back = self.get(bound.to, bound.from);
            back == NONE || back.saturating_add(bound.weight) >= 0
        };
        alternative.iter().all(fine)
    }

    fn implies(&self, alternative: &[Difference]) -> bool {
        alternative
            .iter()
            .all(|bound| self.get(bound.from, bound.to) <= bound.weight)
    }

    fn add_all(&mut self, alternative: &[Difference], work: &mut u64) -> bool {
        alternative.iter().all(|bound| self.add(*bound, work))
    }

    /// False when it contradicts what is there.
    fn add(&mut self, bound: Difference, work: &mut u64) -> bool {
        if !self.allows(&[bound]) {
            return false;
        }
        if self.implies(&[bound]) {
            return true;
        }
        spend(work, self.cells());
        let Difference { from, to, weight } = bound;
        let after = self.distances[to * self.nodes..][..self.nodes].to_vec();
        for row in self.distances.chunks_exact_mut(self.nodes) {
            if row[from] == NONE {
                continue;
            }
            let reach = row[from].saturating_add(weight);
            for (least, after) in row.iter_mut().zip(&after) {
                if *after != NONE {
                    *least = (*least).min(reach.saturating_add(*after));
                }
            }
        }
        true
    }
}
