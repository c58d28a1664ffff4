//! Completion bounds: the least reduced cost from a task to the end of a route.
//!
//! The state space is relaxed: times are rounded down to steps, loads are not counted, and of all
//! cycles only those of two tasks are excluded, where the memories of routes forbid them (Houck,
//! Picard, Queyranne, Vemuganti, "The travelling salesman problem as a constrained shortest path
//! problem", Opsearch 17 (1980)). So the values are lower bounds. No arc is shorter than a step:
//! the values of a step follow from those of later ones.

use super::pricing::Subproblem;
use super::relaxation::Class;
use crate::problem::Micros;
use anytime::{Stop, Ticker};

/// Steps of a horizon, about, and at most.
const STEPS: i64 = 250;
const STEPS_MAX: i64 = 2_000;
/// No task.
const NO_TASK: usize = usize::MAX;
/// The cost of what is impossible.
const IMPOSSIBLE: i64 = i64::MAX / 4;

/// The cheapest completion, and the cheapest of those with another next task.
#[derive(Debug, Clone, Copy)]
struct Completion {
    cost: i64,
    next: usize,
    cost_elsewhere: i64,
}

const NONE: Completion = Completion {
    cost: IMPOSSIBLE,
    next: NO_TASK,
    cost_elsewhere: IMPOSSIBLE,
};

/// Completion bounds of a class.
pub(super) struct Completions {
    begin_us: Micros,
    step_us: Micros,
    steps: usize,
    /// By task and step; empty where steps are too many: then no bound is known.
    values: Vec<Completion>,
}

impl Completions {
    /// # Errors
    /// When to stop.
    pub(super) fn new(sub: &Subproblem<'_, '_>, ticker: &Ticker) -> Result<Self, Stop> {
        let class = sub.class;
        let mut completions = Self::without_values(class);
        let tasks = class.arcs.len();
        completions.values = vec![NONE; tasks * completions.steps];
        for step in (0..completions.steps).rev() {
            for task in (0..tasks).filter(|task| class.is_able(*task)) {
                if completions.step(class.earliest_us[task]) <= step {
                    ticker.step(class.arcs[task].len() as u64)?;
                    let value = completions.value(sub, task, step);
                    completions.values[task * completions.steps + step] = value;
                }
            }
        }
        Ok(completions)
    }

    fn without_values(class: &Class) -> Self {
        let inner = class.arcs.iter().flatten();
        let shortest_us = inner.map(|arc| arc.time_us).min().unwrap_or(1);
        let able = || (0..class.arcs.len()).filter(|task| class.is_able(*task));
        let begin_us = able().map(|task| class.earliest_us[task]).min();
        let end_us = able().map(|task| class.latest_us[task]).max();
        let begin_us = begin_us.unwrap_or(0);
        let horizon_us = end_us.unwrap_or(0) - begin_us;
        let step_us = (horizon_us / STEPS + 1).min(shortest_us);
        let steps = horizon_us.checked_div(step_us).unwrap_or(STEPS_MAX) + 1;
        Self {
            begin_us,
            step_us,
            steps: if steps <= STEPS_MAX {
                steps as usize
            } else {
                0
            },
            values: Vec::new(),
        }
    }

    fn step(&self, time_us: Micros) -> usize {
        ((time_us - self.begin_us) / self.step_us) as usize
    }

    /// The completion from a task that starts at a step or later.
    fn value(&self, sub: &Subproblem<'_, '_>, task: usize, step: usize) -> Completion {
        let class = sub.class;
        let own_us = self.begin_us + step as Micros * self.step_us;
        let own_us = own_us.max(class.earliest_us[task]);
        let mut value = NONE;
        if own_us > class.latest_us[task] {
            return value;
        }
        let home = class.last[task].filter(|arc| own_us + arc.time_us <= class.shift_end_us);
        if let Some(home) = home {
            value.cost = home.cost;
        }
        for arc in &class.arcs[task] {
            let Some((start_us, cost)) = sub.extend(arc, own_us) else {
                continue;
            };
            let onward = self.after(
                arc.to,
                start_us,
                sub.is_remembered(task, arc.to).then_some(task),
            );
            let cost = cost.saturating_add(onward).min(IMPOSSIBLE);
            if cost < value.cost {
                value.cost_elsewhere = value.cost;
                (value.cost, value.next) = (cost, arc.to);
            } else {
                value.cost_elsewhere = value.cost_elsewhere.min(cost);
            }
        }
        value
    }

    fn after(&self, task: usize, start_us: Micros, forbidden: Option<usize>) -> i64 {
        let value = &self.values[task * self.steps + self.step(start_us)];
        if forbidden == Some(value.next) {
            value.cost_elsewhere
        } else {
            value.cost
        }
    }

    /// Whether there are bounds.
    pub(super) fn is_known(&self) -> bool {
        !self.values.is_empty()
    }

    /// Least reduced cost from the start of a task to the end of a route, other than by the task
    /// that is forbidden next. Far below 0 where no bound is known.
    #[inline]
    pub(super) fn bound(&self, task: usize, start_us: Micros, forbidden: Option<usize>) -> i64 {
        if self.values.is_empty() {
            -IMPOSSIBLE
        } else {
            self.after(task, start_us, forbidden)
        }
    }
}
