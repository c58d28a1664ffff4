//! The distance matrix of a network, maintained while bounds change.
//!
//! A relaxation is tried at many amounts. The distances without the bound that it moves are
//! computed once, from those that were known: only paths through that bound are recomputed, as in
//! Ramalingam and Reps, "An incremental algorithm for a generalization of the shortest-path
//! problem", Journal of Algorithms 21 (1996). The bound as it becomes then costs one pass.

use super::reduce::edges;
use crate::problem::{Micros, Network, Node, ORIGIN};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use stn::{Closure, Edge, tight_path};

/// No path. Two of them and a bound add up in 64 bits.
const NONE: Micros = 1 << 61;

/// All-pairs shortest distances, row by row.
#[derive(Debug, Clone)]
pub(crate) struct DistanceMatrix {
    nodes: usize,
    distances: Vec<Micros>,
}

impl DistanceMatrix {
    /// The distances of a network in which every event has a window: all are finite.
    pub(crate) fn new(closure: &Closure) -> Self {
        let nodes = closure.nodes();
        Self {
            nodes,
            distances: (0..nodes)
                .flat_map(|from| closure.row(from))
                .copied()
                .collect(),
        }
    }

    pub(crate) fn row(&self, from: Node) -> &[Micros] {
        &self.distances[from * self.nodes..][..self.nodes]
    }

    fn get(&self, from: Node, to: Node) -> Micros {
        self.distances[from * self.nodes + to]
    }

    /// Adds a bound. False when it contradicts what is there.
    pub(crate) fn add(&mut self, from: Node, to: Node, weight: Micros) -> bool {
        if self.get(to, from) < NONE && self.get(to, from) + weight < 0 {
            return false;
        }
        let after = self.row(to).to_vec();
        for row in self.distances.chunks_exact_mut(self.nodes) {
            let first = row[from] + weight;
            if row[from] == NONE || first >= row[to] {
                continue;
            }
            for (known, rest) in row.iter_mut().zip(&after) {
                // From nowhere stays nowhere, since that is larger than any distance.
                *known = (*known).min(if *rest == NONE { NONE } else { first + rest });
            }
        }
        true
    }

    /// Takes away the edge with id `gone.last()`; those before are gone already.
    pub(crate) fn remove(&mut self, graph: &Graph, gone: &[u32]) {
        let Some((&id, _)) = gone.split_last() else {
            return;
        };
        let edge = graph.edges[id as usize];
        let (u, v, weight) = (edge.from as usize, edge.to as usize, edge.weight);
        if self.get(u, v) < weight {
            return;
        }
        let after = self.row(v).to_vec();
        let before: Vec<Micros> = self.column(u);
        let through = |from: Node, to: Node, known: Micros| {
            let far = before[from] == NONE || after[to] == NONE;
            from != to && !far && before[from] + weight + after[to] == known
        };
        let mut repair = Repair::new(graph, gone);
        // From the origin and to it first: most distances lead through it.
        let mut from_origin = self.row(ORIGIN).to_vec();
        let lost = |to: &Node| through(ORIGIN, *to, from_origin[*to]);
        let lost: Vec<Node> = (0..self.nodes).filter(lost).collect();
        let none = vec![NONE; self.nodes];
        repair.recompute(&mut from_origin, &lost, &none);
        let mut to_origin = self.column(ORIGIN);
        let lost = |from: &Node| through(*from, ORIGIN, to_origin[*from]);
        let lost: Vec<Node> = (0..self.nodes).filter(lost).collect();
        repair.direction = Direction::Backwards;
        repair.recompute(&mut to_origin, &lost, &none);
        repair.direction = Direction::Forwards;
        let mut via = none;
        for (from, row) in self.distances.chunks_exact_mut(self.nodes).enumerate() {
            if before[from] == NONE || before[from] + weight != row[v] {
                continue;
            }
            let lost: Vec<Node> = (0..row.len())
                .filter(|to| through(from, *to, row[*to]))
                .collect();
            for &to in &lost {
                let far = to_origin[from] == NONE || from_origin[to] == NONE;
                via[to] = if far {
                    NONE
                } else {
                    to_origin[from] + from_origin[to]
                };
            }
            repair.recompute(row, &lost, &via);
        }
    }

    fn column(&self, to: Node) -> Vec<Micros> {
        let rows = self.distances.chunks_exact(self.nodes);
        rows.map(|row| row[to]).collect()
    }
}

/// The edges of a network, by index of the bound, and by where they lead.
#[derive(Debug)]
pub(crate) struct Graph {
    edges: Vec<Edge>,
    into: Vec<Vec<u32>>,
    out_of: Vec<Vec<u32>>,
    /// A solution: with it no edge is shorter than 0.
    times: Vec<Micros>,
}

impl Graph {
    pub(crate) fn new(network: &Network, distances: &DistanceMatrix) -> Self {
        let edges = edges(network);
        let mut into = vec![Vec::new(); network.nodes()];
        let mut out_of = vec![Vec::new(); network.nodes()];
        for edge in &edges {
            into[edge.to as usize].push(edge.id);
            out_of[edge.from as usize].push(edge.id);
        }
        Self {
            edges,
            into,
            out_of,
            times: distances.row(ORIGIN).to_vec(),
        }
    }

    /// Where the bound with an index leads.
    pub(crate) fn ends(&self, id: u32) -> (Node, Node) {
        let edge = self.edges[id as usize];
        (edge.from as usize, edge.to as usize)
    }

    /// The ids of as few bounds as possible that lead from one node to another and add up to their
    /// distance.
    ///
    /// # Panics
    /// When `distances` is that of another network.
    pub(crate) fn path(&self, distances: &DistanceMatrix, from: Node, to: Node) -> Vec<u32> {
        let rest = |node: Node| Some(distances.get(node, to));
        let path = tight_path(&self.edges, &self.out_of, [from, to], rest);
        path.iter().map(|edge| edge.id).collect()
    }
}

/// The direction in which edges are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forwards,
    Backwards,
}

/// Recomputes distances of nodes that lost theirs.
struct Repair<'g> {
    graph: &'g Graph,
    gone: &'g [u32],
    direction: Direction,
    lost: Vec<bool>,
    /// Reduced length, distance, node.
    nearest: BinaryHeap<Reverse<(Micros, Micros, Node)>>,
}

impl<'g> Repair<'g> {
    fn new(graph: &'g Graph, gone: &'g [u32]) -> Self {
        Self {
            graph,
            gone,
            direction: Direction::Forwards,
            lost: vec![false; graph.times.len()],
            nearest: BinaryHeap::new(),
        }
    }

    /// Dijkstra among the lost nodes, from those that are not. The distance of each is at most its
    /// `via`, that over one node: a node no nearer than that leads to nothing nearer either.
    fn recompute(&mut self, known: &mut [Micros], lost: &[Node], via: &[Micros]) {
        let graph = self.graph;
        let (into, out_of) = match self.direction {
            Direction::Forwards => (&graph.into, &graph.out_of),
            Direction::Backwards => (&graph.out_of, &graph.into),
        };
        for &node in lost {
            known[node] = via[node];
            self.lost[node] = true;
        }
        for &node in lost {
            let mut nearest = known[node];
            for edge in remaining(graph, self.gone, &into[node]) {
                let other = other_end(&edge, node);
                if !self.lost[other] && known[other] < NONE {
                    nearest = nearest.min(known[other] + edge.weight);
                }
            }
            if nearest < known[node] {
                known[node] = nearest;
                self.push(nearest, node);
            }
        }
        while let Some(Reverse((_, distance, node))) = self.nearest.pop() {
            if known[node] < distance {
                continue;
            }
            for edge in remaining(graph, self.gone, &out_of[node]) {
                let next = other_end(&edge, node);
                if self.lost[next] && distance + edge.weight < known[next] {
                    known[next] = distance + edge.weight;
                    self.push(known[next], next);
                }
            }
        }
        for &node in lost {
            self.lost[node] = false;
        }
    }

    /// Nearest first by reduced lengths, less a number that is the same for all.
    fn push(&mut self, distance: Micros, node: Node) {
        let time = self.graph.times[node];
        let reduced = match self.direction {
            Direction::Forwards => distance - time,
            Direction::Backwards => distance + time,
        };
        self.nearest.push(Reverse((reduced, distance, node)));
    }
}

/// The edges that are left of some.
fn remaining<'g>(
    graph: &'g Graph,
    gone: &'g [u32],
    ids: &'g [u32],
) -> impl Iterator<Item = Edge> + 'g {
    let left = ids.iter().filter(|id| !gone.contains(id));
    left.map(|id| graph.edges[*id as usize])
}

fn other_end(edge: &Edge, node: Node) -> Node {
    (if edge.from as usize == node {
        edge.to
    } else {
        edge.from
    }) as Node
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Shape, teammates, tiny};
    use crate::problem::{Source, Spec};
    use proptest::prelude::*;

    /// The distances of a network from the beginning, if it is consistent.
    fn closed(spec: Spec) -> Option<DistanceMatrix> {
        let network = Network::new(spec).ok()?;
        let closure = Closure::new(network.nodes(), &edges(&network)).ok()?;
        Some(DistanceMatrix::new(&closure))
    }

    fn moved(spec: &mut Spec, source: Source, by: Micros) -> bool {
        match source {
            Source::LinkUpper(link) => {
                spec.links[link].upper_us = spec.links[link].upper_us.map(|us| us + by);
            }
            Source::LinkLower(link) => {
                spec.links[link].lower_us = spec.links[link].lower_us.map(|us| us - by);
            }
            _ => return false,
        }
        true
    }

    proptest! {
        #[test]
        fn changed_bounds_give_the_distances_of_the_changed_network(
            seed: u64,
            small: bool,
            picks in prop::collection::vec((0_usize..1_000, -30_i64..60), 1..4),
        ) {
            let network = if small { tiny(seed) } else { teammates(seed, &Shape::paper(12)) };
            let distances = closed(network.spec().clone());
            prop_assume!(distances.is_some());
            let mut distances = distances.unwrap();
            let graph = Graph::new(&network, &distances);
            let bounds: Vec<_> = network.bounds().collect();
            let scale = if small { 1 } else { 1_000_000 };
            let (mut spec, mut gone) = (network.spec().clone(), Vec::new());
            let mut back = Vec::new();
            for (pick, by) in picks {
                let at = u32::try_from(pick % bounds.len()).unwrap();
                let bound = bounds[at as usize];
                if gone.contains(&at) || !moved(&mut spec, bound.source, by * scale) {
                    continue;
                }
                gone.push(at);
                distances.remove(&graph, &gone);
                back.push((bound.from, bound.to, bound.weight_us + by * scale));
            }
            let consistent = back
                .iter()
                .all(|(from, to, weight)| distances.add(*from, *to, *weight));
            match closed(spec.clone()) {
                Some(expected) => prop_assert_eq!(&distances.distances, &expected.distances),
                // A lower bound above an upper one makes no network at all.
                None => prop_assert!(!consistent || Network::new(spec).is_err()),
            }
        }
    }
}
