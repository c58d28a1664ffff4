//! Graph of guards, and its subdivision for dynamic intruders.

use super::{Edge, Motion, Spec};

/// Index of a place of an intruder: a vertex, or an inner point of an edge.
pub type Place = u32;

/// Edge out of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutEdge {
    /// Vertex at the other end.
    pub to: usize,
    /// Travel time in ticks at speed 1.
    pub length: u32,
    /// Index of the edge in [`Spec::edges`].
    pub index: usize,
}

/// Adjacency lists of vertices, and of places: edges are subdivided into steps of one tick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Graph {
    out_edges: Vec<Vec<OutEdge>>,
    /// First inner place of each edge; they are numbered from its first end.
    inner: Vec<usize>,
    ends: Vec<[usize; 2]>,
    neighbours: Vec<Vec<Place>>,
    links: usize,
    degree_max: u64,
}

impl Graph {
    pub(super) fn new(spec: &Spec) -> Self {
        let mut out_edges = vec![Vec::new(); spec.vertices];
        for (index, edge) in spec.edges.iter().enumerate() {
            let ([a, b], length) = (edge.ends, edge.length);
            out_edges[a].push(OutEdge {
                to: b,
                length,
                index,
            });
            out_edges[b].push(OutEdge {
                to: a,
                length,
                index,
            });
        }
        for list in &mut out_edges {
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
            // A stationary intruder is at a vertex: inner places are not needed.
            Motion::Still => vec![Vec::new(); spec.vertices],
            _ => neighbours(spec, &inner),
        };
        let degree_max = neighbours.iter().map(Vec::len).max().unwrap_or(0) as u64;
        Self {
            out_edges,
            inner,
            ends: spec.edges.iter().map(|edge| edge.ends).collect(),
            links: neighbours.iter().map(Vec::len).sum(),
            neighbours,
            degree_max,
        }
    }

    pub(super) fn out_edges(&self, vertex: usize) -> &[OutEdge] {
        &self.out_edges[vertex]
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

    /// Place after `steps` steps, at least 1 and below the length, on an edge out of a vertex.
    pub(super) fn inner_place(&self, from: usize, edge: OutEdge, steps: u32) -> usize {
        let steps = if self.ends[edge.index][0] == from {
            steps
        } else {
            edge.length - steps
        };
        self.inner[edge.index] + steps as usize - 1
    }
}

/// Neighbours of each place, inner places of edges included.
fn neighbours(spec: &Spec, inner: &[usize]) -> Vec<Vec<Place>> {
    let lengths = spec.edges.iter().map(|edge| edge.length as usize - 1);
    let places = spec.vertices + lengths.sum::<usize>();
    let mut neighbours: Vec<Vec<Place>> = vec![Vec::new(); places];
    for (edge, &first) in spec.edges.iter().zip(inner) {
        let mut last = edge.ends[0];
        for next in (first..first + edge.length as usize - 1).chain([edge.ends[1]]) {
            connect(&mut neighbours, last, next);
            last = next;
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
    }
    neighbours
}

fn connect(neighbours: &mut [Vec<Place>], one: usize, other: usize) {
    let number = |place: usize| Place::try_from(place).expect("places are limited");
    neighbours[one].push(number(other));
    neighbours[other].push(number(one));
}
