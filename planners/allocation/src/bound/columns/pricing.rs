//! Pricing: routes of negative reduced cost, by labelling.
//!
//! An ng-route may serve a task again once it has forgotten it. It remembers a task for as long as
//! that is a neighbour of every task served since (Baldacci, Mingozzi, Roberti, "New route
//! relaxation and pricing strategies for the vehicle routing problem", Operations Research 59
//! (2011)). A label is a beginning of a route. It dominates another one at the same task where its
//! reduced cost, time and load are not greater, and it remembers no other tasks: any continuation
//! of the other continues it, too, at no higher cost. Nothing here needs the triangle inequality.

use super::completion::Completions;
use super::labels::{Label, Labels};
use super::relaxation::{Arc, Class, Relaxation};
use crate::problem::Micros;
use anytime::{Stop, Ticker};

/// Most arcs from a task in quick pricing.
const QUICK_ARCS: usize = 12;
/// Most labels for each task; with 100 tasks some 100 MB.
const LABELS_PER_TASK: usize = 10_000;
/// Most comparisons for each label of this number: some seconds with 100 tasks.
const COMPARED_PER_LABEL: u64 = 2_000;
/// Most routes that are returned, and most of them with the same last task.
const ROUTES_MAX: usize = 60;
const ROUTES_PER_TASK: usize = 2;

/// Dual values of the covering rows and of the fleet sizes, whole numbers of at least 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Duals {
    /// By task.
    pub(super) tasks: Vec<i64>,
    /// By class.
    pub(super) fleets: Vec<i64>,
}

/// How far pricing goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// The cheapest arcs; one label dominates another by cost and time alone.
    Quick,
    /// All arcs; what routes remember is not compared.
    Middle,
    /// The least reduced cost is found.
    Exact,
}

impl Depth {
    /// Most labels; beyond, what is there has to do, or with [`Depth::Exact`] pricing fails.
    fn labels_max(self, tasks: usize) -> usize {
        let most = tasks * LABELS_PER_TASK;
        match self {
            Self::Quick => most / 25,
            Self::Middle => most / 5,
            Self::Exact => most,
        }
    }
}

/// A route of a class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Column {
    pub(super) class: usize,
    /// Tasks in order; some may be there more than once.
    pub(super) tasks: Vec<usize>,
    pub(super) cost: i64,
}

impl Column {
    /// Cost less the dual values of the tasks, plus that of the fleet.
    pub(super) fn reduced_cost(&self, duals: &Duals) -> i64 {
        let tasks = self.tasks.iter().map(|task| duals.tasks[*task]);
        self.cost - tasks.sum::<i64>() + duals.fleets[self.class]
    }
}

/// The subproblem of a class.
pub(super) struct Subproblem<'a, 'p> {
    pub(super) relaxation: &'a Relaxation<'p>,
    pub(super) class: &'a Class,
    pub(super) index: usize,
    pub(super) duals: &'a Duals,
    /// By task, the tasks that are remembered when it is served, itself among them.
    pub(super) neighbours: &'a [u128],
}

/// Result of pricing.
pub(super) struct Priced {
    /// Lower bound on the reduced cost of every route, at most 0; with [`Depth::Exact`] the least
    /// reduced cost, if it is not positive. `None`: no bound is known.
    pub(super) least: Option<i64>,
    /// Routes of negative reduced cost, the least first.
    pub(super) columns: Vec<Column>,
}

impl Subproblem<'_, '_> {
    /// Start of the next task and reduced cost of the arc to it; `None`: too late.
    #[inline]
    pub(super) fn extend(&self, arc: &Arc, before_us: Micros) -> Option<(Micros, i64)> {
        let arrival_us = before_us + arc.time_us;
        let start_us = self.relaxation.start_us(arc.to, arrival_us)?;
        let late_cost = || self.relaxation.late_cost(arc.to, start_us);
        (start_us <= self.class.latest_us[arc.to])
            .then(|| (start_us, arc.cost + late_cost() - self.duals.tasks[arc.to]))
    }

    /// Whether a route that serves a task still knows it after another.
    #[inline]
    pub(super) fn is_remembered(&self, task: usize, after: usize) -> bool {
        self.neighbours[after] >> task & 1 == 1
    }

    /// Finds routes of negative reduced cost. `completions` are those of this subproblem.
    ///
    /// # Errors
    /// When to stop: from outside, or because there are too many labels.
    pub(super) fn price(
        &self,
        completions: &Completions,
        depth: Depth,
        ticker: &Ticker,
    ) -> Result<Priced, Stop> {
        let mut run = Run {
            sub: self,
            labels: Labels::new(self.class, depth),
            arcs: self.arcs(depth),
            completions,
            ends: Vec::new(),
        };
        for arc in &self.class.first {
            run.extend(None, arc);
        }
        let labels_max = depth.labels_max(self.class.arcs.len());
        while let Some(next) = run.labels.next() {
            let task = run.labels.all[next].task as usize;
            let before = run.labels.compared;
            for position in 0..run.arcs[task].len() {
                let arc = run.arcs[task][position];
                run.extend(Some(next), &arc);
            }
            let compared = run.labels.compared;
            ticker.step(1 + run.arcs[task].len() as u64 + compared - before)?;
            let is_much = compared > labels_max as u64 * COMPARED_PER_LABEL;
            if run.labels.all.len() > labels_max || is_much {
                if depth != Depth::Exact {
                    break;
                }
                return Err(Stop::Exhausted);
            }
        }
        let (least_found, columns) = run.columns();
        let least = if depth == Depth::Exact {
            Some(least_found)
        } else {
            self.least_completion(completions)
        };
        Ok(Priced { least, columns })
    }

    /// By task, the arcs that are followed.
    fn arcs(&self, depth: Depth) -> Vec<Vec<Arc>> {
        let mut arcs = self.class.arcs.clone();
        if depth == Depth::Quick {
            for list in &mut arcs {
                list.sort_by_key(|arc| arc.cost - self.duals.tasks[arc.to]);
                list.truncate(QUICK_ARCS);
            }
        }
        arcs
    }

    /// The least reduced cost that completion bounds allow, or 0; `None`: they allow anything.
    fn least_completion(&self, completions: &Completions) -> Option<i64> {
        let fleet = self.duals.fleets[self.index];
        let first = self.class.first.iter().filter_map(|arc| {
            let (start_us, cost) = self.extend(arc, 0)?;
            Some(fleet + cost + completions.bound(arc.to, start_us, None))
        });
        let least = first.min().unwrap_or(0).min(0);
        completions.is_known().then_some(least)
    }
}

/// Pricing under way.
struct Run<'r, 'a, 'p> {
    sub: &'r Subproblem<'a, 'p>,
    labels: Labels,
    arcs: Vec<Vec<Arc>>,
    completions: &'r Completions,
    /// Reduced costs of routes, and their last labels.
    ends: Vec<(i64, usize)>,
}

impl Run<'_, '_, '_> {
    /// Adds the label of an arc after a label, or of a first arc.
    #[inline]
    fn extend(&mut self, from: Option<usize>, arc: &Arc) {
        let sub = self.sub;
        let task = arc.to;
        let mut label = Label::new(from, task);
        let mut forbidden = None;
        let before = from.map(|from| self.labels.all[from]);
        if let Some(before) = &before {
            if before.memory >> task & 1 == 1 {
                return;
            }
            (label.cost, label.load) = (before.cost, before.load);
            label.memory = before.memory & sub.neighbours[task];
            let last = before.task as usize;
            forbidden = sub.is_remembered(last, task).then_some(last);
        } else {
            label.cost = sub.duals.fleets[sub.index];
        }
        let before_us = before.map_or(0, |before| before.start_us);
        let Some((start_us, cost)) = sub.extend(arc, before_us) else {
            return;
        };
        label.start_us = start_us;
        label.cost += cost;
        label.memory |= 1 << task;
        for (d, demand) in sub.relaxation.demands[task].iter().enumerate() {
            label.load[d] += demand;
        }
        let is_full = (0..label.load.len()).any(|d| label.load[d] > sub.class.capacity[d]);
        let bound = || self.completions.bound(task, start_us, forbidden);
        if is_full || label.cost + bound() >= 0 {
            return;
        }
        let Some(index) = self.labels.insert(label) else {
            return;
        };
        let home = sub.class.last[task];
        let home = home.filter(|arc| start_us + arc.time_us <= sub.class.shift_end_us);
        let total = home.map(|arc| label.cost + arc.cost);
        if let Some(total) = total.filter(|total| *total < 0) {
            self.ends.push((total, index));
        }
    }

    /// The least reduced cost found, at most 0, and the routes to be returned.
    fn columns(mut self) -> (i64, Vec<Column>) {
        self.ends.sort_unstable();
        let mut left = vec![ROUTES_PER_TASK; self.arcs.len()];
        let mut columns = Vec::new();
        for &(total, end) in &self.ends {
            let left = &mut left[self.labels.all[end].task as usize];
            if *left == 0 || columns.len() == ROUTES_MAX {
                continue;
            }
            *left -= 1;
            let tasks = self.labels.route(end);
            let duals: i64 = tasks.iter().map(|task| self.sub.duals.tasks[*task]).sum();
            columns.push(Column {
                class: self.sub.index,
                cost: total + duals - self.sub.duals.fleets[self.sub.index],
                tasks,
            });
        }
        (self.ends.first().map_or(0, |end| end.0), columns)
    }
}
