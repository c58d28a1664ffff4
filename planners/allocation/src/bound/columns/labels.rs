//! Labels by task and time, of which none dominates another.

use super::pricing::Depth;
use super::relaxation::{Class, Load};
use crate::problem::Micros;

/// Steps of time by which labels are sorted.
const STEPS: i64 = 64;
/// No label.
const NO_LABEL: u32 = u32::MAX;

/// A beginning of a route.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    /// The tasks that it remembers.
    pub(super) memory: u128,
    pub(super) cost: i64,
    /// Start of its last task.
    pub(super) start_us: Micros,
    pub(super) load: Load,
    pub(super) task: u16,
    /// The label before, or [`NO_LABEL`].
    parent: u32,
}

impl Label {
    pub(super) fn new(parent: Option<usize>, task: usize) -> Self {
        Self {
            memory: 0,
            cost: 0,
            start_us: 0,
            load: Load::default(),
            task: task as u16,
            parent: parent.map_or(NO_LABEL, |parent| parent as u32),
        }
    }

    /// Whether every continuation of `other` continues this label at no higher cost, as far as
    /// `depth` compares.
    #[inline]
    fn dominates(&self, other: &Self, depth: Depth) -> bool {
        let costs_less = self.cost <= other.cost && self.start_us <= other.start_us;
        let loads = || (0..self.load.len()).all(|d| self.load[d] <= other.load[d]);
        match depth {
            Depth::Quick => costs_less,
            Depth::Middle => costs_less && loads(),
            Depth::Exact => costs_less && self.memory & !other.memory == 0 && loads(),
        }
    }
}

/// The labels of a class.
pub(super) struct Labels {
    /// All labels, also those that are dominated.
    pub(super) all: Vec<Label>,
    is_dominated: Vec<bool>,
    /// Comparisons so far.
    pub(super) compared: u64,
    depth: Depth,
    begin_us: Micros,
    step_us: Micros,
    /// By task and step, copies of the labels that are not dominated, by rising cost.
    cells: Vec<Vec<Kept>>,
    /// By step, labels to be extended.
    pending: Vec<Vec<u32>>,
    step: usize,
    position: usize,
}

#[derive(Debug, Clone, Copy)]
struct Kept {
    label: Label,
    index: u32,
}

impl Labels {
    pub(super) fn new(class: &Class, depth: Depth) -> Self {
        let tasks = class.arcs.len();
        let able = || (0..tasks).filter(|task| class.is_able(*task));
        let begin_us = able()
            .map(|task| class.earliest_us[task])
            .min()
            .unwrap_or(0);
        // Later starts are sorted into the last step.
        let longest_us = class.arcs.iter().flatten().map(|arc| arc.time_us).max();
        let latest_us = able().map(|task| class.latest_us[task]).max();
        let after_us = able().map(|task| class.earliest_us[task]).max();
        let after_us = after_us.unwrap_or(0) + longest_us.unwrap_or(0) * tasks as Micros;
        let end_us = latest_us.unwrap_or(0).min(after_us);
        Self {
            all: Vec::new(),
            is_dominated: Vec::new(),
            compared: 0,
            depth,
            begin_us,
            step_us: (end_us - begin_us) / STEPS + 1,
            cells: vec![Vec::new(); tasks * STEPS as usize],
            pending: vec![Vec::new(); STEPS as usize],
            step: 0,
            position: 0,
        }
    }

    /// Adds a label unless another one dominates it, and removes those that it dominates. Returns
    /// its index.
    pub(super) fn insert(&mut self, label: Label) -> Option<usize> {
        let steps = STEPS as usize;
        let step = ((label.start_us - self.begin_us) / self.step_us).min(STEPS - 1) as usize;
        let row = label.task as usize * steps;
        let depth = self.depth;
        for cell in &self.cells[row..=row + step] {
            for kept in cell {
                if kept.label.cost > label.cost {
                    break;
                }
                self.compared += 1;
                if kept.label.dominates(&label, depth) {
                    return None;
                }
            }
        }
        let index = self.all.len();
        for cell in &mut self.cells[row + step..row + steps] {
            if cell
                .last()
                .is_some_and(|kept| kept.label.cost >= label.cost)
            {
                self.compared += cell.len() as u64;
                cell.retain(|kept| {
                    let is_dominated = label.dominates(&kept.label, depth);
                    self.is_dominated[kept.index as usize] |= is_dominated;
                    !is_dominated
                });
            }
        }
        let cell = &mut self.cells[row + step];
        let place = cell.partition_point(|kept| kept.label.cost <= label.cost);
        let kept = Kept {
            label,
            index: index as u32,
        };
        cell.insert(place, kept);
        self.all.push(label);
        self.is_dominated.push(false);
        self.pending[step].push(index as u32);
        Some(index)
    }

    /// The next label to be extended, by steps of time.
    pub(super) fn next(&mut self) -> Option<usize> {
        loop {
            let pending = self.pending.get(self.step)?;
            match pending.get(self.position) {
                Some(&index) => {
                    self.position += 1;
                    if !self.is_dominated[index as usize] {
                        return Some(index as usize);
                    }
                }
                None => (self.step, self.position) = (self.step + 1, 0),
            }
        }
    }

    /// The tasks of the route that ends with a label, in order.
    pub(super) fn route(&self, end: usize) -> Vec<usize> {
        let mut tasks = Vec::new();
        let mut next = end as u32;
        while let Some(label) = self.all.get(next as usize) {
            tasks.push(label.task as usize);
            next = label.parent;
        }
        tasks.reverse();
        tasks
    }
}
