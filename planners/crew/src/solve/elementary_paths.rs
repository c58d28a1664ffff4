//! Elementary paths: routes that come to no vertex twice, by labels with their visited vertices.
//!
//! Each leg alone has no reason to come back; both together may. It is hard to decide whether any
//! such route exists on graphs with one-way arcs, so that the labels are counted, and what was not
//! searched stays open.

use super::resources::Resources;
use super::shortest_paths::distances_to;
use crate::problem::{Arc, Problem};
use anytime::{Stop, Ticker};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Most labels of one problem.
pub(super) const LABELS_MAX: usize = 200_000;

/// An elementary route, with the vertices of its legs.
#[derive(Debug, Clone)]
pub(super) struct ElementaryRoute {
    pub time: u64,
    pub damage: u64,
    pub fetch: Vec<usize>,
    pub carry: Vec<usize>,
}

/// Ends of both legs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    pub start: usize,
    pub tool: usize,
    pub event: usize,
}

/// For each vertex lower bounds of the time and damage to come: on the leg to the tool, with the
/// leg to the event after it, and on the leg to the event.
#[derive(Debug)]
pub(super) struct Ahead {
    fetch: Vec<Option<Resources>>,
    carry: Vec<Option<Resources>>,
}

impl Ahead {
    /// For a tool and an event at these vertices.
    pub(super) fn new(problem: &Problem, tool: usize, event: usize) -> Self {
        let time = |arc: &Arc| arc.time_us;
        let both = |end, damage: &dyn Fn(&Arc) -> u64| {
            let times = distances_to(problem, end, &time);
            Resources::zip(times, distances_to(problem, end, damage))
        };
        let carry = both(event, &|arc| arc.carry_micro);
        let after = carry[tool];
        let add = |it: Option<Resources>| Some(it? + after?);
        let fetch = both(tool, &|arc| arc.fetch_micro);
        Self {
            fetch: fetch.into_iter().map(add).collect(),
            carry,
        }
    }

    fn rest_from(&self, vertex: usize, has_tool: bool) -> Option<Resources> {
        if has_tool {
            self.carry[vertex]
        } else {
            self.fetch[vertex]
        }
    }
}

/// A path so far.
struct Label {
    so_far: Resources,
    vertex: usize,
    has_tool: bool,
    before: usize,
}

/// All routes that are not dominated, by rising time; and whether none is missing. `left` counts
/// labels.
///
/// # Errors
/// When stopped.
pub(super) fn routes(
    problem: &Problem,
    ahead: &Ahead,
    ends: Ends,
    limits: Resources,
    left: &mut usize,
    ticker: &Ticker,
) -> Result<(Vec<ElementaryRoute>, bool), Stop> {
    let mut search = Search {
        problem,
        ahead,
        ends,
        limits,
        least: u64::MAX,
        labels: Vec::new(),
        visited: Vec::new(),
        kept: BTreeMap::new(),
        open: BinaryHeap::new(),
        routes: Vec::new(),
    };
    search.push(Label {
        so_far: Resources::default(),
        vertex: ends.start,
        has_tool: false,
        before: 0,
    });
    while let Some(Reverse((.., label))) = search.open.pop() {
        ticker.step(1)?;
        match left.checked_sub(1) {
            Some(rest) => *left = rest,
            None => return Ok((search.routes, false)),
        }
        search.follow(label);
    }
    Ok((search.routes, true))
}

struct Search<'s> {
    problem: &'s Problem,
    ahead: &'s Ahead,
    ends: Ends,
    limits: Resources,
    /// Least damage of a route that was found.
    least: u64,
    labels: Vec<Label>,
    /// For each label the visited vertices, as bits; empty until it is followed.
    visited: Vec<Vec<u64>>,
    /// For each vertex, without and with the tool, the labels that were followed.
    kept: BTreeMap<(usize, bool), Vec<usize>>,
    /// By least time and least damage at the end.
    open: BinaryHeap<Reverse<(u64, u64, usize)>>,
    routes: Vec<ElementaryRoute>,
}

impl Search<'_> {
    /// Adds a label, if it may become a route that is not dominated; the tool is taken where it is.
    fn push(&mut self, mut label: Label) {
        label.has_tool |= label.vertex == self.ends.tool;
        let Some(ahead) = self.ahead.rest_from(label.vertex, label.has_tool) else {
            return;
        };
        let end = label.so_far + ahead;
        if end.fit(self.limits) && end.damage < self.least {
            let place = self.labels.len();
            self.open.push(Reverse((end.time, end.damage, place)));
            self.labels.push(label);
            self.visited.push(Vec::new());
        }
    }

    /// Goes on from a label by all arcs, unless another was here that can do whatever this one can.
    fn follow(&mut self, label: usize) {
        let Label {
            so_far,
            vertex,
            has_tool,
            before,
        } = self.labels[label];
        let ahead = self.ahead.rest_from(vertex, has_tool);
        if ahead.is_none_or(|ahead| so_far.damage + ahead.damage >= self.least) {
            return;
        }
        if has_tool && vertex == self.ends.event {
            self.least = so_far.damage;
            self.routes.push(self.route(label));
            return;
        }
        let words = self.problem.spec().vertices.div_ceil(64);
        let mut visited = if label == before {
            vec![0; words]
        } else {
            self.visited[before].clone()
        };
        visited[vertex / 64] |= 1 << (vertex % 64);
        let kept = self.kept.entry((vertex, has_tool)).or_default();
        let beaten = kept.iter().any(|other| {
            let theirs = self.visited[*other].iter().zip(&visited);
            self.labels[*other].so_far.damage <= so_far.damage && { theirs }
                .all(|(other, mine)| other & !mine == 0)
        });
        if beaten {
            return;
        }
        kept.push(label);
        let problem = self.problem;
        for &arc in problem.arcs_from(vertex) {
            let arc = &problem.spec().arcs[arc as usize];
            if visited[arc.to / 64] & (1 << (arc.to % 64)) == 0 {
                let harm = if has_tool {
                    arc.carry_micro
                } else {
                    arc.fetch_micro
                };
                self.push(Label {
                    so_far: so_far + Resources::new(arc.time_us, harm),
                    vertex: arc.to,
                    has_tool,
                    before: label,
                });
            }
        }
        self.visited[label] = visited;
    }

    /// The route that a label is, which has come to the event.
    fn route(&self, label: usize) -> ElementaryRoute {
        let (mut fetch, mut carry) = (Vec::new(), Vec::new());
        let mut here = label;
        loop {
            let it = &self.labels[here];
            if it.has_tool {
                carry.push(it.vertex);
            } else {
                fetch.push(it.vertex);
            }
            if it.before == here {
                break;
            }
            here = it.before;
        }
        carry.reverse();
        fetch.reverse();
        // Where the tool is taken is the end of one leg and the beginning of the other.
        fetch.push(self.ends.tool);
        let Resources { time, damage } = self.labels[label].so_far;
        ElementaryRoute {
            time,
            damage,
            fetch,
            carry,
        }
    }
}
