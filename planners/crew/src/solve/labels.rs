//! Label setting: Pareto-optimal paths from one vertex to all, labels in order of time.

use super::key::{Key, Waiting, bits};
use super::resources::Resources;
use crate::problem::{Arc, Problem};
use anytime::{Stop, Ticker};
use std::collections::BinaryHeap;

/// Of no label.
const NONE: u32 = u32::MAX;

/// In which direction arcs are walked, and what they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leg {
    /// From a player onwards, to a tool.
    Fetch,
    /// Backwards from the event, to a tool.
    Carry,
}

/// A path to a vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    pub time: u64,
    pub damage: u64,
    pub vertex: u32,
    /// The label before; itself at the start.
    pub before: u32,
    /// The previous label at the same vertex: earlier, with more damage; the label itself if it is
    /// the first one.
    pub earlier: u32,
    /// Arcs of the path.
    pub steps: u32,
}

/// Limits of paths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits<'l> {
    /// Time and damage, at most.
    pub most: Resources,
    /// Lower bounds of what the rest of a route takes from each vertex; `None` from where none
    /// leads on. Absent: 0.
    pub ahead: Option<&'l [Option<Resources>]>,
}

/// An arc as one leg walks it.
#[derive(Debug, Clone, Copy)]
struct Stride {
    to: u32,
    time: u64,
    damage: u64,
    /// Time and damage at its end, at most, of a path that may become a route within the limits.
    most: Resources,
}

/// The arcs of a leg, without those that lead nowhere.
#[derive(Debug)]
pub(super) struct Ground {
    /// For each vertex where its strides begin.
    starts: Vec<u32>,
    strides: Vec<Stride>,
    most: Resources,
}

impl Ground {
    pub(super) fn new(problem: &Problem, leg: Leg, limits: &Limits<'_>) -> Self {
        let spec = problem.spec();
        let mut ground = Self {
            starts: Vec::with_capacity(spec.vertices + 1),
            strides: Vec::with_capacity(spec.arcs.len()),
            most: limits.most,
        };
        // None where nothing can come from, or what comes is too much alone.
        let most = |vertex: usize| {
            let nothing = Some(Resources::default());
            limits
                .most
                .minus(limits.ahead.map_or(nothing, |ahead| ahead[vertex])?)
        };
        ground.starts.push(0);
        for vertex in 0..spec.vertices {
            let arcs = match leg {
                Leg::Fetch => problem.arcs_from(vertex),
                Leg::Carry => problem.arcs_to(vertex),
            };
            let strides = arcs.iter().filter_map(|arc| {
                let arc: &Arc = &spec.arcs[*arc as usize];
                let (to, damage) = match leg {
                    Leg::Fetch => (arc.to, arc.fetch_micro),
                    Leg::Carry => (arc.from, arc.carry_micro),
                };
                // Fits: vertices are few.
                most(to).map(|most| Stride {
                    to: to as u32,
                    time: arc.time_us,
                    damage,
                    most,
                })
            });
            ground.strides.extend(strides);
            ground.starts.push(ground.strides.len() as u32);
        }
        ground
    }

    fn strides_from(&self, vertex: usize) -> &[Stride] {
        &self.strides[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// All paths from one vertex that are not dominated.
#[derive(Debug)]
pub(super) struct Labels {
    pub labels: Vec<Label>,
    /// For each vertex the label kept last.
    last: Vec<u32>,
}

impl Labels {
    /// Finds them.
    ///
    /// # Errors
    /// When stopped.
    pub(super) fn find(ground: &Ground, start: usize, ticker: &Ticker) -> Result<Self, Stop> {
        match bits(ground.most.pair()) {
            Some(bits) => Self::find_by_key::<u64>(ground, bits, start, ticker),
            None => Self::find_by_key::<u128>(ground, u64::BITS, start, ticker),
        }
    }

    /// The same, with keys of some kind in the queue.
    fn find_by_key<K: Key>(
        ground: &Ground,
        bits: u32,
        start: usize,
        ticker: &Ticker,
    ) -> Result<Self, Stop> {
        let vertices = ground.starts.len() - 1;
        let mut found = Self {
            // On small ships few vertices have more than one leg that is not dominated, on large
            // ones some.
            labels: Vec::with_capacity(2 * vertices),
            last: vec![NONE; vertices],
        };
        // For each vertex the least damage of a label that was kept.
        let mut least = vec![u64::MAX; vertices];
        let waiting = |both, what| Waiting {
            key: K::pack(both, bits),
            what,
        };
        // Fits: vertices are few.
        let mut open = BinaryHeap::from([waiting((0, 0), (start as u32, 0))]);
        // A label at a vertex comes later than those before it, or at the same time with no less
        // damage: it is dominated unless it does less damage than all of them.
        while let Some(next) = open.pop() {
            let (time, damage) = next.key.unpack(bits);
            let (vertex, before) = next.what;
            let here = vertex as usize;
            if damage >= least[here] {
                continue;
            }
            least[here] = damage;
            ticker.step(1)?;
            let label = found.labels.len() as u32;
            let steps = found.labels.get(before as usize);
            let steps = steps.map_or(0, |before| before.steps + 1);
            let earlier = std::mem::replace(&mut found.last[here], label);
            found.labels.push(Label {
                time,
                damage,
                vertex,
                before,
                earlier: if earlier == NONE { label } else { earlier },
                steps,
            });
            for stride in ground.strides_from(here) {
                let (time, damage) = (time + stride.time, damage + stride.damage);
                let is_within = Resources::new(time, damage).fit(stride.most);
                if is_within && damage < least[stride.to as usize] {
                    open.push(waiting((time, damage), (stride.to, label)));
                }
            }
        }
        Ok(found)
    }

    /// The labels at a vertex, by falling time and rising damage.
    pub(super) fn labels_at(&self, vertex: usize) -> impl Iterator<Item = u32> + Clone + '_ {
        let last = self.last[vertex];
        std::iter::successors((last != NONE).then_some(last), |label| {
            let earlier = self.labels[*label as usize].earlier;
            (earlier != *label).then_some(earlier)
        })
    }

    /// The vertices of a path, from its end back to the start.
    pub(super) fn path(&self, label: u32) -> Vec<usize> {
        let before = |label: &u32| {
            let before = self.labels[*label as usize].before;
            (before != *label).then_some(before)
        };
        let back = std::iter::successors(Some(label), before);
        let steps = self.labels[label as usize].steps as usize;
        let mut path = Vec::with_capacity(steps + 1);
        path.extend(back.map(|label| self.labels[label as usize].vertex as usize));
        path
    }
}
