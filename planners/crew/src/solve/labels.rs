//! Ways that are not dominated, from one vertex to all: labels in order of time.

use super::watch::Watch;
use crate::problem::{Arc, Problem};
use anytime::Stop;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which way arcs are walked, and what they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leg {
    /// From a player onwards, to a tool.
    Fetch,
    /// Backwards from the event, to a tool.
    Carry,
}

impl Leg {
    fn arcs(self, problem: &Problem, vertex: usize) -> &[u32] {
        match self {
            Self::Fetch => problem.arcs_from(vertex),
            Self::Carry => problem.arcs_to(vertex),
        }
    }

    fn step(self, arc: &Arc) -> (usize, u64) {
        match self {
            Self::Fetch => (arc.to, arc.fetch_micro),
            Self::Carry => (arc.from, arc.carry_micro),
        }
    }
}

/// A way to a vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    pub time: u64,
    pub damage: u64,
    pub vertex: u32,
    /// The label before; itself at the start.
    pub before: u32,
    /// The label at the same vertex that was kept before this one: earlier, with more damage.
    pub earlier: Option<u32>,
}

/// What ways have to be within.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within<'w> {
    /// Time and damage, at most.
    pub limits: (u64, u64),
    /// What is still to come from each vertex, at least; none from where nothing can come. Without it nothing is.
    pub ahead: Option<&'w [Option<(u64, u64)>]>,
}

impl Within<'_> {
    /// Whether a way to a vertex may become a route within the limits.
    fn may(&self, vertex: usize, (time, damage): (u64, u64)) -> bool {
        let ahead = match self.ahead {
            None => Some((0, 0)),
            Some(ahead) => ahead[vertex],
        };
        ahead.is_some_and(|(more_time, more_damage)| {
            time + more_time <= self.limits.0 && damage + more_damage <= self.limits.1
        })
    }
}

/// All ways from one vertex that are not dominated.
#[derive(Debug)]
pub(super) struct Labels {
    pub labels: Vec<Label>,
    /// For each vertex the label kept last.
    last: Vec<Option<u32>>,
}

impl Labels {
    /// Finds them, of those within limits of time and damage.
    ///
    /// # Errors
    /// When told to stop.
    pub(super) fn find(
        problem: &Problem,
        (leg, start): (Leg, usize),
        within: &Within<'_>,
        watch: &mut Watch,
    ) -> Result<Self, Stop> {
        let vertices = problem.spec().vertices;
        let mut found = Self {
            labels: Vec::new(),
            last: vec![None; vertices],
        };
        // For each vertex the least damage of a label that was kept.
        let mut least = vec![u64::MAX; vertices];
        // Fits: vertices are few.
        let mut open = BinaryHeap::from([Reverse((0, 0, start as u32, 0))]);
        // Of labels at one vertex each comes later than those before, or at the same time with no less damage: it is dominated unless
        // it does less damage than all of them.
        while let Some(Reverse((time, damage, vertex, before))) = open.pop() {
            let here = vertex as usize;
            if damage >= least[here] {
                continue;
            }
            least[here] = damage;
            watch.count()?;
            let label = found.labels.len() as u32;
            found.labels.push(Label {
                time,
                damage,
                vertex,
                before,
                earlier: found.last[here].replace(label),
            });
            for &arc in leg.arcs(problem, here) {
                let arc = &problem.spec().arcs[arc as usize];
                let (to, more) = leg.step(arc);
                let (time, damage) = (time + arc.time_us, damage + more);
                if damage < least[to] && within.may(to, (time, damage)) {
                    open.push(Reverse((time, damage, to as u32, label)));
                }
            }
        }
        Ok(found)
    }

    /// The labels at a vertex, by falling time and rising damage.
    pub(super) fn at(&self, vertex: usize) -> impl Iterator<Item = u32> + Clone + '_ {
        std::iter::successors(self.last[vertex], |label| {
            self.labels[*label as usize].earlier
        })
    }

    /// The vertices of a way, from the start.
    pub(super) fn way(&self, label: u32) -> Vec<usize> {
        let mut way = vec![self.labels[label as usize].vertex as usize];
        let mut label = label;
        while self.labels[label as usize].before != label {
            label = self.labels[label as usize].before;
            way.push(self.labels[label as usize].vertex as usize);
        }
        way.reverse();
        way
    }
}
