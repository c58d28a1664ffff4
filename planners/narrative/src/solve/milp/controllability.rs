//! Dynamic controllability of one network, as rows.
//!
//! For each ordered pair of nodes, u(i, j) is the maximum by which j may be later than i in the
//! network of the strategy, and l(i, j) = -u(j, i). Equations 1 to 7 of the paper, after Cui, Yu,
//! Fang, Haslum and Williams, "Optimising bounds in simple temporal networks with uncertainty under
//! dynamic controllability constraints" (ICAPS 2015), corrected: without the corrections they
//! reject networks that are controllable (equation 7 takes l for u) and accept some that are not
//! (two durations with the same start). Reaction is immediate.

use super::program::{Id, Program, Sum, When};
use stn::{Closure, Edge, Refusal};

/// An end of the outcomes of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Known, in units.
    Fixed(i64),
    /// Looked for.
    Open(Id),
}

/// A contingent link, with the outcomes that have to be borne.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContingentRow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) lower: End,
    pub(super) upper: End,
}

/// A network in units.
#[derive(Debug, Clone)]
pub(super) struct Network {
    pub(super) nodes: usize,
    /// Requirements that hold in any case.
    pub(super) edges: Vec<Edge>,
    pub(super) lasting: Vec<ContingentRow>,
}

/// Rows about one network, which count when all of `when` are so.
pub(super) struct ControllabilityRows {
    nodes: usize,
    /// u(i, j), row by row.
    most: Vec<Option<Id>>,
    /// The least that l(j, i) can be, row by row.
    sure: Vec<i64>,
    /// For each link that can vary and each node, its wait.
    waits: Vec<Vec<Option<Id>>>,
    /// Links that can vary.
    varying: Vec<ContingentRow>,
    when: Vec<When>,
}

impl ControllabilityRows {
    /// Writes the rows; `None` when stopped.
    pub(super) fn write(
        program: &mut Program,
        network: &Network,
        when: &[When],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<ControllabilityRows> {
        let varying = network.lasting.iter();
        let varying = varying.filter(|link| link.lower != link.upper).copied();
        let mut block = ControllabilityRows {
            nodes: network.nodes,
            most: Vec::new(),
            sure: vec![0; network.nodes * network.nodes],
            waits: Vec::new(),
            varying: varying.collect(),
            when: when.to_vec(),
        };
        let closed = match Closure::new_within(network.nodes, &edges(program, network), go_on) {
            Ok(closure) => closure?,
            Err(Refusal::Conflict(_)) => {
                program.require(when, 1);
                return Some(block);
            }
            Err(Refusal::Input(_)) => unreachable!("times in units are no larger than before"),
        };
        block.name(program, network, &closed);
        block.close(program);
        for at in 0..block.varying.len() {
            block.precede(program, at);
            block.wait(program, at);
            block.regress(program, at);
        }
        Some(block)
    }

    /// u(i, j).
    pub(super) fn upper(&self, from: usize, to: usize) -> Sum {
        self.name_of(from, to).map_or(Sum::from(0), Sum::from)
    }

    /// The variable of u(i, j), of different nodes of a network that does not contradict itself.
    pub(super) fn name_of(&self, from: usize, to: usize) -> Option<Id> {
        self.most.get(from * self.nodes + to).copied().flatten()
    }

    /// By how much one node is later than another for sure, or less.
    pub(super) fn least_sure(&self, from: u32, to: u32) -> i64 {
        self.sure[to as usize * self.nodes + from as usize]
    }

    /// l(i, j).
    fn lower(&self, from: usize, to: usize) -> Sum {
        -self.upper(to, from)
    }

    /// Makes the variables, between the bounds of the closure.
    fn name(&mut self, program: &mut Program, network: &Network, closed: &Closure) {
        let count = self.nodes;
        self.sure = (0..count)
            .flat_map(|from| closed.row(from).iter().map(|most| -most))
            .collect();
        for from in 0..count {
            for to in 0..count {
                let bounds = (-closed.row(to)[from], closed.row(from)[to]);
                let id = (from != to).then(|| program.add(bounds));
                self.most.push(id);
            }
        }
        for link in &network.lasting {
            let sides = [
                (self.upper(link.from, link.to), end(link.upper)),
                (self.upper(link.to, link.from), -end(link.lower)),
            ];
            for (most, side) in sides {
                program.require(&self.when, most.clone() - side.clone());
                program.require(&self.when, side - most);
            }
        }
        for link in &self.varying {
            let upper = range(program, link.upper);
            let wait = |node: usize| {
                let other = node != link.from && node != link.to;
                // It is at least that of W1. That much above is no use to anybody.
                let lower = upper.0 - closed.row(node)[link.to];
                let most = upper.1 + closed.row(link.to)[node];
                other.then(|| program.add((lower, most)))
            };
            self.waits.push((0..count).map(wait).collect());
        }
    }

    /// SP: shortest paths (equation 1).
    fn close(&self, program: &mut Program) {
        for i in 0..self.nodes {
            for k in (0..self.nodes).filter(|k| *k != i) {
                if i < k {
                    program.require(&self.when, -(self.upper(i, k) + self.upper(k, i)));
                }
                for j in (0..self.nodes).filter(|j| *j != i && *j != k) {
                    let path = self.upper(i, j) + self.upper(j, k);
                    program.require(&self.when, self.upper(i, k) - path);
                }
            }
        }
    }

    fn other_nodes(&self, link: &ContingentRow) -> impl Iterator<Item = usize> + use<> {
        let ends = (link.from, link.to);
        (0..self.nodes).filter(move |node| *node != ends.0 && *node != ends.1)
    }

    /// P: what comes before the end of a link does not depend on it (equations 2 and 3).
    fn precede(&self, program: &mut Program, at: usize) {
        let link = self.varying[at];
        let (i, k) = (link.from, link.to);
        for j in self.other_nodes(&link) {
            let not_before = vec![self.lower(j, k)];
            let before = vec![
                self.upper(i, j) - (self.lower(i, k) - self.lower(j, k)),
                self.upper(i, k) - self.upper(j, k) - self.lower(i, j),
            ];
            program.either(&self.when, not_before, before);
        }
    }

    /// The wait of node j for the link with this index.
    fn wait_of(&self, at: usize, j: usize) -> Sum {
        let id = self.waits[at][j].expect("only other nodes wait for a link");
        Sum::from(id)
    }

    /// W1, W3, W4: a node after the start of a link waits, for a time or for its end (equations 4
    /// and 5, whose minimum is either of two; the last is missing there). The start of the link
    /// itself cannot wait, by R1 and R2 with m = i: no wait is longer than u(i, j), or than l(i, j)
    /// where others pick it.
    fn wait(&self, program: &mut Program, at: usize) {
        let link = self.varying[at];
        let (i, k) = (link.from, link.to);
        for j in self.other_nodes(&link) {
            let wait = self.wait_of(at, j);
            let least = self.upper(i, k) - self.upper(j, k);
            program.require(&self.when, least - wait.clone());
            program.require(&self.when, wait.clone() - self.upper(i, j));
            let for_end = vec![
                self.lower(i, k) - self.lower(i, j),
                self.lower(i, k) - wait.clone(),
            ];
            let for_time = vec![
                wait.clone() - self.lower(i, j),
                wait.clone() - self.lower(i, k),
            ];
            program.either(&self.when, for_end, for_time);
            if self
                .varying
                .iter()
                .any(|other| other.from == i && other.to == j)
            {
                program.require(&self.when, wait - self.lower(i, j));
            }
        }
    }

    /// R1 and R2: what is before something that waits, waits (equations 7 and 6).
    fn regress(&self, program: &mut Program, at: usize) {
        let link = self.varying[at];
        for j in self.other_nodes(&link) {
            let wait = self.wait_of(at, j);
            for m in self.other_nodes(&link).filter(|m| *m != j) {
                let by = |less: Sum| wait.clone() - less - self.wait_of(at, m);
                program.require(&self.when, by(self.upper(m, j)));
                let mut lasting = self.varying.iter();
                if lasting.any(|other| other.from == m && other.to == j) {
                    let none = vec![wait.clone() - self.lower(link.from, link.to)];
                    program.either(&self.when, none, vec![by(self.lower(m, j))]);
                }
            }
        }
    }
}

/// Everything that is sure: requirements, and links with the widest outcomes that they can have.
fn edges(program: &Program, network: &Network) -> Vec<Edge> {
    let mut edges = network.edges.clone();
    for link in &network.lasting {
        let (from, to) = (link.from as u32, link.to as u32);
        edges.push(Edge::new(from, to, range(program, link.upper).1, 0));
        edges.push(Edge::new(to, from, -range(program, link.lower).0, 0));
    }
    edges
}

fn end(end: End) -> Sum {
    match end {
        End::Fixed(time) => Sum::from(time),
        End::Open(id) => Sum::from(id),
    }
}

fn range(program: &Program, end: End) -> (i64, i64) {
    match end {
        End::Fixed(time) => (time, time),
        End::Open(id) => program.bounds(id),
    }
}
