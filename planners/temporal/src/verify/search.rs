//! Whether differences and duties can all be kept: a small search of its own.
//!
//! A duty is to one end of what a teammate's node may do. That end is set by one of several nodes:
//! one of them must be such that all targets of the duty bear it.

use super::differences::Arc;
use crate::problem::{Micros, Node};

/// No bound.
const NONE: Micros = Micros::MAX;

/// Entries of tables that one check may touch: a few hundredths of a second.
pub(super) const WORK_MAX: u64 = 10_000_000;

/// Alternatives, of which one must be kept, each with all its constraints.
pub(super) type Duty = Vec<Vec<Arc>>;

/// What can be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// They can all be kept.
    Kept,
    /// They cannot.
    Broken,
    /// [`WORK_MAX`] was reached: not checked.
    Open,
}

/// Whether `arcs` and one alternative of each duty can be kept together. `work` is what is left of
/// [`WORK_MAX`]; what contradicts itself without a decision is found in any case.
pub(super) fn search(arcs: &[Arc], duties: &[Duty], work: &mut u64) -> Answer {
    // Only nodes that something is said about have a row in the table.
    let said = arcs.iter().chain(duties.iter().flatten().flatten());
    let mut nodes: Vec<Node> = said.flat_map(|(from, to, _)| [*from, *to]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let row = |node: &Node| nodes.binary_search(node).expect("every node was collected");
    let renamed = |(from, to, weight): &Arc| (row(from), row(to), *weight);
    let mut table = Table::new(nodes.len());
    if !arcs.iter().all(|arc| table.add(renamed(arc), work)) {
        return Answer::Broken;
    }
    let way = |way: &Vec<Arc>| way.iter().map(renamed).collect();
    let duties: Vec<Duty> = duties
        .iter()
        .map(|duty| duty.iter().map(way).collect())
        .collect();
    decide(&table, duties.iter().collect(), work)
}

/// One of the duties is decided in each of its ways that are left.
fn decide(table: &Table, mut open: Vec<&Duty>, work: &mut u64) -> Answer {
    let mut table = table.clone();
    spend(work, table.cells());
    let smallest = loop {
        if *work == 0 {
            return Answer::Open;
        }
        open.retain(|duty| !duty.iter().any(|way| table.implies(way)));
        let ways = |duty: &&Duty| duty.iter().filter(|way| table.allows(way)).count();
        spend(work, open.iter().map(|duty| duty.len()).sum());
        let Some((count, at)) = open.iter().map(ways).zip(0..).min() else {
            return Answer::Kept;
        };
        match count {
            0 => return Answer::Broken,
            1 => {
                let duty = open.swap_remove(at);
                let way = duty.iter().find(|way| table.allows(way));
                if !table.add_all(way.expect("there is one"), work) {
                    return Answer::Broken;
                }
            }
            _ => break at,
        }
    };
    let duty = open.swap_remove(smallest);
    let mut sure = true;
    for way in duty.iter().filter(|way| table.allows(way)) {
        let mut next = table.clone();
        if !next.add_all(way, work) {
            continue;
        }
        match decide(&next, open.clone(), work) {
            Answer::Kept => return Answer::Kept,
            Answer::Broken => {}
            Answer::Open => sure = false,
        }
        if *work == 0 {
            return Answer::Open;
        }
    }
    if sure { Answer::Broken } else { Answer::Open }
}

fn spend(work: &mut u64, cells: usize) {
    *work = work.saturating_sub(cells as u64);
}

/// Tightest bounds between all nodes that follow from what was added.
#[derive(Clone)]
struct Table {
    nodes: usize,
    least: Vec<Micros>,
}

impl Table {
    fn new(nodes: usize) -> Self {
        let mut least = vec![NONE; nodes * nodes];
        for node in 0..nodes {
            least[node * nodes + node] = 0;
        }
        Self { nodes, least }
    }

    fn cells(&self) -> usize {
        self.least.len()
    }

    fn at(&self, from: Node, to: Node) -> Micros {
        self.least[from * self.nodes + to]
    }

    /// Whether each constraint on its own contradicts nothing.
    fn allows(&self, way: &[Arc]) -> bool {
        let fine = |&(from, to, weight): &Arc| {
            let back = self.at(to, from);
            back == NONE || back.saturating_add(weight) >= 0
        };
        way.iter().all(fine)
    }

    fn implies(&self, way: &[Arc]) -> bool {
        way.iter()
            .all(|&(from, to, weight)| self.at(from, to) <= weight)
    }

    fn add_all(&mut self, way: &[Arc], work: &mut u64) -> bool {
        way.iter().all(|arc| self.add(*arc, work))
    }

    /// False when it contradicts what is there.
    fn add(&mut self, arc: Arc, work: &mut u64) -> bool {
        if !self.allows(&[arc]) {
            return false;
        }
        if self.implies(&[arc]) {
            return true;
        }
        spend(work, self.cells());
        let (from, to, weight) = arc;
        let after = self.least[to * self.nodes..][..self.nodes].to_vec();
        for row in self.least.chunks_exact_mut(self.nodes) {
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
