//! Routes that come to no vertex twice: labels that remember where they were.
//!
//! Each leg alone has no reason to come back; both together may. It is hard to decide whether any
//! such route exists on graphs with one-way arcs, so that the labels are counted, and what was not
//! searched stays open.

use super::far::far;
use super::watch::Watch;
use crate::problem::{Arc, Problem};
use anytime::Stop;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Most labels of one problem.
pub(super) const LABELS_MAX: usize = 200_000;

/// A route, with its ways.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub time: u64,
    pub damage: u64,
    pub fetch: Vec<usize>,
    pub carry: Vec<usize>,
}

/// Ends of both ways.
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
    fetch: Vec<Option<(u64, u64)>>,
    carry: Vec<Option<(u64, u64)>>,
}

impl Ahead {
    /// For a tool and an event at these vertices.
    pub(super) fn new(problem: &Problem, tool: usize, event: usize) -> Self {
        let time = |arc: &Arc| arc.time_us;
        let both = |end, damage: &dyn Fn(&Arc) -> u64| -> Vec<Option<(u64, u64)>> {
            let times = far(problem, end, (false, &time));
            let damages = far(problem, end, (false, damage));
            times
                .into_iter()
                .zip(damages)
                .map(|(t, d)| t.zip(d))
                .collect()
        };
        let carry = both(event, &|arc| arc.carry_micro);
        let after = carry[tool];
        let add = |it: Option<(u64, u64)>| {
            let (it, after) = it.zip(after)?;
            Some((it.0 + after.0, it.1 + after.1))
        };
        let fetch = both(tool, &|arc| arc.fetch_micro);
        Self {
            fetch: fetch.into_iter().map(add).collect(),
            carry,
        }
    }

    fn from(&self, vertex: usize, has_tool: bool) -> Option<(u64, u64)> {
        if has_tool {
            self.carry[vertex]
        } else {
            self.fetch[vertex]
        }
    }
}

/// A way so far.
struct Label {
    time: u64,
    damage: u64,
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
    (problem, ahead): (&Problem, &Ahead),
    ends: Ends,
    (limits, left): ((u64, u64), &mut usize),
    watch: &mut Watch,
) -> Result<(Vec<Made>, bool), Stop> {
    let mut search = Search {
        problem,
        ahead,
        ends,
        limits,
        least: u64::MAX,
        labels: Vec::new(),
        been: Vec::new(),
        kept: BTreeMap::new(),
        open: BinaryHeap::new(),
        made: Vec::new(),
    };
    search.push((0, 0), ends.start, (false, 0));
    while let Some(Reverse((.., label))) = search.open.pop() {
        watch.count()?;
        match left.checked_sub(1) {
            Some(rest) => *left = rest,
            None => return Ok((search.made, false)),
        }
        search.follow(label);
    }
    Ok((search.made, true))
}

struct Search<'s> {
    problem: &'s Problem,
    ahead: &'s Ahead,
    ends: Ends,
    limits: (u64, u64),
    /// Least damage of a route that was found.
    least: u64,
    labels: Vec<Label>,
    /// For each label the vertices where it was, as bits; empty until it is followed.
    been: Vec<Vec<u64>>,
    /// For each vertex, without and with the tool, the labels that were followed.
    kept: BTreeMap<(usize, bool), Vec<usize>>,
    /// By least time and least damage at the end.
    open: BinaryHeap<Reverse<(u64, u64, usize)>>,
    made: Vec<Made>,
}

impl Search<'_> {
    /// Notes a way to a vertex, if it may become a route that is not dominated.
    fn push(&mut self, (time, damage): (u64, u64), vertex: usize, (had, before): (bool, usize)) {
        let has_tool = had || vertex == self.ends.tool;
        let Some(ahead) = self.ahead.from(vertex, has_tool) else {
            return;
        };
        let end = (time + ahead.0, damage + ahead.1);
        if end.0 <= self.limits.0 && end.1 <= self.limits.1 && end.1 < self.least {
            self.open.push(Reverse((end.0, end.1, self.labels.len())));
            self.labels.push(Label {
                time,
                damage,
                vertex,
                has_tool,
                before,
            });
            self.been.push(Vec::new());
        }
    }

    /// Goes on from a label by all arcs, unless another was here that can do whatever this one can.
    fn follow(&mut self, label: usize) {
        let Label {
            time,
            damage,
            vertex,
            has_tool,
            before,
        } = self.labels[label];
        let ahead = self.ahead.from(vertex, has_tool);
        if ahead.is_none_or(|ahead| damage + ahead.1 >= self.least) {
            return;
        }
        if has_tool && vertex == self.ends.event {
            self.least = damage;
            self.made.push(self.route(label));
            return;
        }
        let words = self.problem.spec().vertices.div_ceil(64);
        let mut been = if label == before {
            vec![0; words]
        } else {
            self.been[before].clone()
        };
        been[vertex / 64] |= 1 << (vertex % 64);
        let kept = self.kept.entry((vertex, has_tool)).or_default();
        let beaten = kept.iter().any(|other| {
            let theirs = self.been[*other].iter().zip(&been);
            self.labels[*other].damage <= damage && { theirs }
                .all(|(other, mine)| other & !mine == 0)
        });
        if beaten {
            return;
        }
        kept.push(label);
        let problem = self.problem;
        for &arc in problem.arcs_from(vertex) {
            let arc = &problem.spec().arcs[arc as usize];
            if been[arc.to / 64] & (1 << (arc.to % 64)) == 0 {
                let harm = if has_tool {
                    arc.carry_micro
                } else {
                    arc.fetch_micro
                };
                let there = (time + arc.time_us, damage + harm);
                self.push(there, arc.to, (has_tool, label));
            }
        }
        self.been[label] = been;
    }

    /// The route that a label is, which has come to the event.
    fn route(&self, label: usize) -> Made {
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
        // Where the tool is taken is the end of one way and the beginning of the other.
        fetch.push(self.ends.tool);
        let Label { time, damage, .. } = self.labels[label];
        Made {
            time,
            damage,
            fetch,
            carry,
        }
    }
}
