//! Scalarisation: one number for the lexicographic cost of a plan, to guide a search. Exact costs
//! decide.

use crate::plan::Terms;
use crate::problem::{Level, MICRO, Problem, Term};
use anytime::math;

/// Weights of a millionth of each term in a *penalised cost*, such that a lower level does not
/// outweigh a higher one in plans of a usual size.
///
/// Costs are compared level by level; simulated annealing needs one number. Each level is
/// multiplied by the usual range of the levels after it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scale {
    unserved: f64,
    drop: f64,
    pub(crate) travel: f64,
    makespan: f64,
    lateness: f64,
    pub(crate) agents: f64,
    preferences: f64,
    moved: f64,
    balance: f64,
    /// The weights that temperatures are relative to: those of the last level with a continuous
    /// term.
    warm: [f64; 5],
    /// In the order of `warm`.
    even: [Even; 5],
}

/// Weight of a continuous term where its level counts as much as the last continuous one.
#[derive(Debug, Clone, Copy, Default)]
struct Even {
    weight: f64,
    /// Number of continuous levels after that of the term.
    rank: f64,
}

/// Resolution of a continuous level: a thousandth of a unit.
const STEP_MICRO: f64 = 1_000.0;

impl Scale {
    pub(crate) fn new(problem: &Problem) -> Self {
        let usual = Usual::new(problem);
        let mut scale = Self::default();
        let (mut range_after, mut is_last) = (1.0, true);
        let (mut range_warm, mut rank) = (1.0, 0.0);
        for level in problem.levels().iter().rev() {
            // Of the last level every millionth counts; before it, steps that outweigh the levels
            // after.
            let factor = if is_last {
                1.0
            } else {
                (range_after / step(level)).max(1.0)
            };
            let mut warm = [0.0; 5];
            for &(term, weight) in &level.terms {
                let weight = weight as f64 * factor;
                scale.set(term, weight);
                match term {
                    Term::TravelCost => warm[0] = weight,
                    Term::Makespan => warm[1] = weight,
                    Term::Lateness => warm[2] = weight,
                    Term::Preferences => warm[3] = weight,
                    Term::Balance => warm[4] = weight,
                    Term::Unserved | Term::DropPenalty | Term::AgentsUsed | Term::TasksMoved => {}
                }
            }
            let range = |&(term, weight): &(Term, i64)| weight as f64 * usual.range(term);
            range_after = factor * level.terms.iter().map(range).sum::<f64>();
            if scale.warm == [0.0; 5] {
                (scale.warm, range_warm) = (warm, range_after);
            }
            // What changes in whole steps outweighs all levels after it at any time.
            let is_whole = level.terms.iter().any(|term| is_whole(term.0));
            let share = if is_whole {
                1.0
            } else {
                (range_warm / range_after).min(1.0)
            };
            for (even, warm) in scale.even.iter_mut().zip(warm).filter(|one| one.1 > 0.0) {
                let weight = warm * share;
                *even = Even { weight, rank };
            }
            rank += f64::from(u8::from(warm != [0.0; 5]));
            is_last = false;
        }
        scale
    }

    fn set(&mut self, term: Term, weight: f64) {
        match term {
            Term::Unserved => self.unserved = weight,
            Term::DropPenalty => self.drop = weight,
            Term::TravelCost => self.travel = weight,
            Term::Makespan => self.makespan = weight,
            Term::Lateness => self.lateness = weight,
            Term::AgentsUsed => self.agents = weight,
            Term::Preferences => self.preferences = weight,
            Term::TasksMoved => self.moved = weight,
            Term::Balance => self.balance = weight,
        }
    }

    /// The weights where a continuous level outweighs the next one only by a factor of two to this
    /// power.
    ///
    /// Simulated annealing begins with such weights: with the full ones any change of a higher
    /// level is too expensive at a temperature at which lower levels still change.
    pub(crate) fn softened(&self, doublings: f64) -> Self {
        let mut scale = *self;
        let weights = [
            &mut scale.travel,
            &mut scale.makespan,
            &mut scale.lateness,
            &mut scale.preferences,
            &mut scale.balance,
        ];
        for (weight, even) in weights.into_iter().zip(self.even) {
            if even.weight > 0.0 {
                *weight = weight.min(even.weight * math::exp2(even.rank * doublings));
            }
        }
        scale
    }

    /// Whether temperatures are relative to balance alone, which can be smaller than any arc or
    /// task.
    pub(crate) fn warms_balance(&self) -> bool {
        let [others @ .., balance] = self.warm;
        balance > 0.0 && others == [0.0; 4]
    }

    /// The penalised cost of these terms; also of differences.
    pub(crate) fn penalised_cost(&self, terms: &Terms) -> f64 {
        let whole = self.unserved * terms.unserved_micro as f64
            + self.drop * terms.drop_penalty_micro as f64
            + self.agents * terms.agents_used_micro as f64;
        let coupled = self.preferences * terms.preferences_micro as f64
            + self.moved * terms.tasks_moved_micro as f64
            + self.balance * terms.balance_us as f64;
        whole
            + coupled
            + self.travel * terms.travel_cost_micro as f64
            + self.makespan * terms.makespan_us as f64
            + self.lateness * terms.lateness_us as f64
    }

    /// The part of the penalised cost that temperatures are relative to.
    pub(crate) fn temperature_base(&self, terms: &Terms) -> f64 {
        self.warm[0] * terms.travel_cost_micro as f64
            + self.warm[1] * terms.makespan_us as f64
            + self.warm[2] * terms.lateness_us as f64
            + self.warm[3] * terms.preferences_micro as f64
            + self.warm[4] * terms.balance_us as f64
    }

    /// Cost of a balance.
    pub(crate) fn balance(&self, balance_us: i64) -> f64 {
        self.balance * balance_us as f64
    }

    /// Cost of a microsecond of lateness.
    pub(crate) fn lateness(&self) -> f64 {
        self.lateness
    }

    /// Cost of moved tasks.
    pub(crate) fn moved(&self, tasks: usize) -> f64 {
        self.moved * (tasks as i64 * MICRO) as f64
    }

    /// Penalty of an unassigned task; `None`: it is mandatory.
    pub(crate) fn unserved_penalty(&self, penalty_micro: Option<i64>) -> f64 {
        penalty_micro.map_or(self.unserved * MICRO as f64, |p| self.drop * p as f64)
    }
}

/// Whether a term counts whole things.
fn is_whole(term: Term) -> bool {
    matches!(
        term,
        Term::Unserved | Term::DropPenalty | Term::AgentsUsed | Term::TasksMoved
    )
}

/// Resolution of a level, in its own unit.
fn step(level: &Level) -> f64 {
    let step = |&(term, weight): &(Term, i64)| {
        let is_whole = is_whole(term) && term != Term::DropPenalty;
        weight as f64 * if is_whole { MICRO as f64 } else { STEP_MICRO }
    };
    level.terms.iter().map(step).fold(f64::INFINITY, f64::min)
}

/// Usual sizes of plans.
struct Usual {
    tasks: f64,
    agents: f64,
    penalties: f64,
    arc_cost: f64,
    span_us: f64,
    preferences: f64,
}

impl Usual {
    fn new(problem: &Problem) -> Self {
        let (tasks, travel) = (problem.tasks(), problem.travel());
        let penalty = |penalty: Option<i64>| penalty.unwrap_or(0) as f64;
        // Arcs from some locations stand for all.
        let rows = travel.locations.clamp(1, 8);
        let (mut arcs, mut cost, mut duration_us) = (1.0, 0.0, 0.0);
        for from in (0..travel.locations).step_by(travel.locations.div_ceil(rows).max(1)) {
            for to in 0..travel.locations {
                if let Some(travel_us) = travel.duration_us(from, to) {
                    arcs += 1.0;
                    cost += travel.cost_micro(from, to) as f64;
                    duration_us += travel_us as f64;
                }
            }
        }
        let opens = tasks
            .iter()
            .filter_map(|t| t.windows.last())
            .map(|w| w.open_us);
        let work_us: f64 = tasks.iter().map(|t| t.service_us as f64).sum();
        let count = tasks.len() as f64;
        let span_us = opens.max().unwrap_or(0) as f64 + work_us + count * duration_us / arcs;
        // Each task is off by a tenth of the span.
        let rates = problem.couplings().preferences.iter();
        let rates = rates.map(|p| p.early_micro.max(p.late_micro) as f64);
        Self {
            tasks: count,
            agents: problem.agents().len() as f64,
            penalties: tasks.iter().map(|t| penalty(t.drop_penalty_micro)).sum(),
            arc_cost: cost / arcs,
            span_us,
            preferences: rates.sum::<f64>() * span_us / MICRO as f64 / 10.0,
        }
    }

    fn range(&self, term: Term) -> f64 {
        match term {
            Term::Unserved => self.tasks * MICRO as f64,
            Term::DropPenalty => self.penalties,
            Term::TravelCost => (self.tasks + self.agents) * self.arc_cost,
            Term::Makespan | Term::Lateness | Term::Balance => self.span_us,
            Term::Preferences => self.preferences,
            Term::TasksMoved => self.tasks * MICRO as f64,
            Term::AgentsUsed => self.agents * MICRO as f64,
        }
    }
}

#[cfg(test)]
mod tests;
