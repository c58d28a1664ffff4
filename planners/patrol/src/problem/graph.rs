//! Where guards and intruders can be, and go.

use super::{Edge, Motion, Spec};

/// Index of a place: a vertex, or an inner point of an edge.
pub type Place = u32;

/// A way from a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutEdge {
    /// The neighbour that it leads to.
    pub to: usize,
    /// Ticks that it takes at speed 1.
    pub length: u32,
    /// Index of the edge.
    pub edge: usize,
}

/// Vertices with the ways between them, and edges cut into steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Graph {
    edges: Vec<Vec<OutEdge>>,
    /// Of each edge, its first inner place; they are numbered from its first end.
    inner: Vec<usize>,
    ends: Vec<[usize; 2]>,
    neighbours: Vec<Vec<Place>>,
    links: usize,
    degree_max: u64,
}

impl Graph {
    pub(super) fn new(spec: &Spec) -> Self {
        let mut edges = vec![Vec::new(); spec.vertices];
        for (edge, one) in spec.edges.iter().enumerate() {
            let [a, b] = one.ends;
            let length = one.length;
            edges[a].push(OutEdge {
                to: b,
                length,
                edge,
            });
            edges[b].push(OutEdge {
                to: a,
                length,
                edge,
            });
        }
        for list in &mut edges {
            list.sort_unstable_by_key(|edge| edge.to);
        }
        let mut next = spec.vertices;
        let mut first = |edge: &Edge| {
            let first = next;
            next += edge.length as usize - 1;
            first
        };
        let inner: Vec<usize> = spec.edges.iter().map(&mut first).collect();
        let neighbours = match spec.intruder.motion {
            // Who stays is at a vertex: nobody asks what is next to the inner places.
            Motion::Still => vec![Vec::new(); spec.vertices],
            _ => neighbours(spec, &inner),
        };
        let degree_max = neighbours.iter().map(Vec::len).max().unwrap_or(0) as u64;
        Self {
            edges,
            inner,
            ends: spec.edges.iter().map(|edge| edge.ends).collect(),
            links: neighbours.iter().map(Vec::len).sum(),
            neighbours,
            degree_max,
        }
    }

    pub(super) fn out_edges(&self, vertex: usize) -> &[OutEdge] {
        &self.edges[vertex]
    }

    pub(super) fn places(&self) -> usize {
        self.neighbours.len()
    }

    pub(super) fn neighbours(&self, place: usize) -> &[Place] {
        &self.neighbours[place]
    }

    pub(super) fn links(&self) -> usize {
        self.links
    }

    pub(super) fn degree_max(&self) -> u64 {
        self.degree_max
    }

    /// The place after `gone` steps, at least 1 and below the length, on a way from a vertex.
    pub(super) fn inner_place(&self, from: usize, edge: OutEdge, gone: u32) -> usize {
        let steps = if self.ends[edge.edge][0] == from {
            gone
        } else {
            edge.length - gone
        };
        self.inner[edge.edge] + steps as usize - 1
    }
}

/// What is next to each place, the inner places of edges included.
fn neighbours(spec: &Spec, inner: &[usize]) -> Vec<Vec<Place>> {
    let lengths = spec.edges.iter().map(|edge| edge.length as usize - 1);
    let places = spec.vertices + lengths.sum::<usize>();
    let mut neighbours: Vec<Vec<Place>> = vec![Vec::new(); places];
    for (edge, &first) in spec.edges.iter().zip(inner) {
        let mut last = edge.ends[0];
        for next in (first..first + edge.length as usize - 1).chain([edge.ends[1]]) {
            join(&mut neighbours, last, next);
            last = next;
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
    }
    neighbours
}

fn join(neighbours: &mut [Vec<Place>], one: usize, other: usize) {
    let number = |place: usize| Place::try_from(place).expect("places are limited");
    neighbours[one].push(number(other));
    neighbours[other].push(number(one));
}
