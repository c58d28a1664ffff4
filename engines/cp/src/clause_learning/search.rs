//! The search: decisions, restarts by Luby's sequence, assumptions.

use super::literal::Lit;
use super::theory::{Theory, Verdict};
use super::trail::Reason;
use super::{Core, Solver};

/// A point at which the search asks whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checkpoint {
    /// One more conflict; what iteration limits count.
    Conflict,
    /// Some work between conflicts: after each fixed point of propagation.
    Work,
}

/// Says whether to go on.
pub type GoOn<'p> = &'p mut dyn FnMut(Checkpoint) -> bool;

/// How a search ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// All clauses and the theory are kept; the trail holds the values until the next call.
    Model,
    /// Infeasible under these assumptions, one or more of those given; empty: infeasible without
    /// assumptions.
    Refuted(Vec<Lit>),
    /// The caller stopped it, or it reached its limit of conflicts.
    Stopped,
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Conflicts between restarts: this times the terms of Luby's sequence.
    pub restart_after: u64,
    /// Learnt clauses that are kept at first; a little more after each reduction.
    pub learnt_max: usize,
    /// Maximum number of bounds with an activity; more are forgotten at restarts, except those of
    /// given clauses.
    pub atoms_max: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            restart_after: 100,
            learnt_max: 4_000,
            atoms_max: 200_000,
        }
    }
}

/// What the search does after all was propagated.
enum Step {
    Go,
    Conflict,
    End(Found),
}

impl<T: Theory> Solver<T> {
    /// Looks for values that satisfy all clauses, the theory and these assumptions.
    pub fn solve(&mut self, assumptions: &[Lit], go_on: GoOn<'_>) -> Found {
        self.solve_within(assumptions, u64::MAX, go_on)
    }

    /// The same, with at most this number of conflicts.
    pub fn solve_within(&mut self, assumptions: &[Lit], conflicts: u64, go_on: GoOn<'_>) -> Found {
        self.to_root();
        let end = self.conflicts.saturating_add(conflicts);
        let mut restart_at = self.conflicts + self.run();
        while !self.core.refuted {
            let ok = self.core.propagate(&mut self.theory);
            let step = if ok {
                if self.conflicts >= restart_at {
                    self.restart();
                    restart_at = self.conflicts + self.run();
                    continue;
                }
                self.step(assumptions)
            } else {
                Step::Conflict
            };
            match step {
                Step::Go => {}
                Step::End(found) => return found,
                Step::Conflict if self.core.trail.level() == 0 => self.core.refuted = true,
                Step::Conflict => {
                    if self.conflicts >= end || !go_on(Checkpoint::Conflict) {
                        self.to_root();
                        return Found::Stopped;
                    }
                    self.conflicts += 1;
                    self.core.learn(&mut self.theory);
                }
            }
            if !go_on(Checkpoint::Work) {
                self.to_root();
                return Found::Stopped;
            }
        }
        Found::Refuted(Vec::new())
    }

    /// Conflicts until the next restart: Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas
    /// algorithms", Information Processing Letters 47 (1993).
    fn run(&self) -> u64 {
        self.settings
            .restart_after
            .saturating_mul(luby(self.restarts + 1))
    }

    fn restart(&mut self) {
        self.restarts += 1;
        self.to_root();
        self.core.activity.trim(self.settings.atoms_max);
        // Only where nothing is left to propagate are clauses without failing literals.
        if self.core.clauses.learnt() >= self.reduce_at {
            if !self.core.propagate(&mut self.theory) {
                self.core.refuted = true;
                return;
            }
            for event in &mut self.core.trail.events {
                event.reason = Reason::Fact;
            }
            self.core.clauses.reduce(&self.core.trail);
            let kept = self.core.clauses.learnt();
            self.reduce_at = self.reduce_at.max(kept) + self.settings.learnt_max / 8;
        }
    }

    /// Decides something, or has nothing to decide.
    fn step(&mut self, assumptions: &[Lit]) -> Step {
        let core = &mut self.core;
        while core.trail.level() < assumptions.len() {
            let lit = assumptions[core.trail.level()];
            if core.trail.fails(lit) {
                let mut why = core.assumption_core(&mut self.theory, !lit);
                why.push(lit);
                return Step::End(Found::Refuted(why));
            }
            core.trail.open_level();
            if !core.trail.holds(lit) {
                core.trail.push(lit, Reason::Decision);
                return Step::Go;
            }
        }
        core.register_bools();
        let first = self.theory.first(&core.trail, self.restarts);
        let next = first.or_else(|| core.activity.pick(&core.trail));
        if let Some(lit) = next {
            core.decide(lit);
            return Step::Go;
        }
        let Ok(verdict) = self.theory.last(&mut core.trail) else {
            return Step::Conflict;
        };
        match verdict {
            Verdict::Solution => return Step::End(Found::Model),
            Verdict::Decide(lit) => core.decide(lit),
        }
        Step::Go
    }
}

impl Core {
    fn decide(&mut self, lit: Lit) {
        self.trail.open_level();
        self.trail.push(lit, Reason::Decision);
    }

    /// Booleans are decided by activity from the beginning, other cuts once a conflict was about
    /// them.
    fn register_bools(&mut self) {
        for at in 0..self.trail.bools.len() {
            self.activity.register(self.trail.bools[at].no());
        }
        self.trail.bools.clear();
    }

    /// Learns from the conflict that is noted, and goes back to where what was learnt sets
    /// something.
    fn learn(&mut self, theory: &mut impl Theory) {
        self.explain_conflict(theory);
        let levels = self
            .trail
            .conflict
            .iter()
            .map(|lit| self.trail.level_of(*lit));
        let highest = levels.max().unwrap_or(0);
        if highest == 0 {
            self.refuted = true;
            return;
        }
        self.backtrack(theory, highest);
        let level = self.analyse(theory);
        let lbd = self.lbd();
        self.backtrack(theory, level);
        let learnt = std::mem::take(&mut self.analysis.learnt);
        let reason = match learnt.len() {
            1 => Reason::Fact,
            _ => Reason::Clause(self.clauses.add(&learnt, lbd.max(1))),
        };
        self.trail.push(learnt[0], reason);
        self.analysis.learnt = learnt;
    }
}

/// Term number `index`, from 1, of 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, ...
fn luby(index: u64) -> u64 {
    let mut index = index;
    loop {
        let bits = u64::BITS - index.leading_zeros();
        if index == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}
