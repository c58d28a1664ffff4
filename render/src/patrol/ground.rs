//! Vertices by index, with a place for each.

use super::layout::layout;
use crate::time::micros;
use std::collections::BTreeMap;
use stratagem_proto::v1::{PatrolProblem, PatrolVertex};

/// The graph of a problem, as far as it makes sense.
pub(super) struct Ground<'a> {
    pub(super) problem: &'a PatrolProblem,
    /// Where each vertex is, to the right and downwards.
    pub(super) places: Vec<(f64, f64)>,
    /// Edges between vertices that exist, each with its ticks at speed 1.
    pub(super) edges: Vec<([usize; 2], i64)>,
    /// Length of a tick in microseconds, at least 1.
    pub(super) tick_us: i64,
    index: BTreeMap<&'a str, usize>,
    lengths: BTreeMap<[usize; 2], i64>,
}

impl<'a> Ground<'a> {
    pub(super) fn new(problem: &'a PatrolProblem) -> Self {
        let vertices = problem.vertices.iter().enumerate();
        let index: BTreeMap<_, _> = vertices.map(|(n, v)| (v.id.as_str(), n)).collect();
        let tick_us = match &problem.tick_duration {
            None => 1_000_000,
            some => micros(some.as_ref()).max(1),
        };
        let find = |id: &str| index.get(id).copied();
        let edges = problem.edges.iter().filter_map(|edge| {
            let ends = [find(&edge.from_vertex_id)?, find(&edge.to_vertex_id)?];
            let length = edge.travel_duration.as_ref();
            let ticks = length.map_or(1, |l| (micros(Some(l)) / tick_us).max(1));
            Some((ends, ticks))
        });
        let edges: Vec<_> = edges.collect();
        let both = |([a, b], ticks): &([usize; 2], i64)| [([*a, *b], *ticks), ([*b, *a], *ticks)];
        let lengths = edges.iter().flat_map(both).collect();
        let points = problem.vertices.iter().map(point);
        let places = points.collect::<Option<Vec<_>>>();
        Self {
            problem,
            places: places.unwrap_or_else(|| layout(problem.vertices.len(), &edges)),
            edges,
            tick_us,
            index,
            lengths,
        }
    }

    /// The vertex of an id.
    pub(super) fn find(&self, id: &str) -> Option<usize> {
        self.index.get(id).copied()
    }

    /// Ticks of the edge between two vertices at speed 1; none where there is no edge.
    pub(super) fn length(&self, ends: [usize; 2]) -> Option<i64> {
        self.lengths.get(&ends).copied()
    }

    /// Name of a vertex for people.
    pub(super) fn label(&self, vertex: usize) -> &'a str {
        let vertex = &self.problem.vertices[vertex];
        match vertex.label.as_str() {
            "" => &vertex.id,
            label => label,
        }
    }

    /// Name of a vertex for people, by its id.
    pub(super) fn label_of<'s>(&self, id: &'s str) -> &'s str
    where
        'a: 's,
    {
        self.find(id).map_or(id, |vertex| self.label(vertex))
    }

    /// Whether vertices are tiles of a grid.
    pub(super) fn are_tiles(&self) -> bool {
        let is_whole = |p: &(f64, f64)| p.0.fract() == 0.0 && p.1.fract() == 0.0;
        self.places.iter().all(is_whole) && self.spacing() <= 1.0 && !self.edges.is_empty()
    }

    /// Name of a guard for people: of the n-th where none has the id.
    pub(super) fn guard(&self, id: &'a str) -> &'a str {
        let guard = self.problem.guards.iter().find(|g| g.id == id);
        match guard.map_or("", |g| g.label.as_str()) {
            "" => id,
            label => label,
        }
    }

    /// How far apart neighbours are drawn: the middle one of all edges, 1 where there is none.
    pub(super) fn spacing(&self) -> f64 {
        let far = |([a, b], _): &([usize; 2], i64)| distance(self.places[*a], self.places[*b]);
        let mut lengths: Vec<f64> = self.edges.iter().map(far).filter(|l| *l > 0.0).collect();
        lengths.sort_by(f64::total_cmp);
        lengths.get(lengths.len() / 2).copied().unwrap_or(1.0)
    }
}

pub(super) fn distance(one: (f64, f64), other: (f64, f64)) -> f64 {
    let (x, y) = (one.0 - other.0, one.1 - other.1);
    (x * x + y * y).sqrt()
}

fn point(vertex: &PatrolVertex) -> Option<(f64, f64)> {
    // Beyond this nothing is left of the differences.
    let sane = |n: f64| n.is_finite() && n.abs() < 1e9;
    let point = vertex.point.as_ref()?;
    (sane(point.x) && sane(point.y)).then_some((point.x, point.y))
}
