//! Conflict-driven clause learning over bounds of integers: lazy clause generation.
//!
//! Every variable is an integer with bounds, a Boolean one from 0 to 1. Every literal is a bound,
//! `x <= v` or `x >= v`; no Boolean is made for it, however large the domains. A theory (the
//! propagators) explains a literal that it set only when a conflict needs it. A conflict becomes a
//! learnt clause, a nogood: first unique implication point, minimised, with its literal block
//! distance. Decisions are by VSIDS with saved phases, restarts by Luby's sequence.
//!
//! After Moskewicz et al., "Chaff", DAC 2001; Ohrimenko, Stuckey, Codish, "Propagation via lazy
//! clause generation", Constraints 14 (2009); Feydy, Stuckey, "Lazy clause generation
//! reengineered", CP 2009. Deterministic: the same calls lead to the same answers.

mod clauses;
mod conflict_analysis;
mod literal;
mod search;
#[cfg(test)]
mod tests;
mod theory;
mod trail;
mod vsids;

pub use literal::{Lit, Side, Var};
pub use search::{Checkpoint, Found, GoOn, Settings};
pub use theory::{Consequence, NoTheory, Theory, Verdict};
pub use trail::{Cause, Conflict, Trail};

use clauses::ClauseSet;
use conflict_analysis::Analysis;
use trail::Reason;
use vsids::Vsids;

/// All of a search but its theory.
#[derive(Debug, Default)]
struct Core {
    trail: Trail,
    clauses: ClauseSet,
    activity: Vsids,
    analysis: Analysis,
    /// Events that clauses have seen.
    seen: usize,
    /// No assignment keeps all clauses and the theory.
    refuted: bool,
}

/// A search, with all it has learnt.
#[derive(Debug)]
pub struct Solver<T> {
    /// The rules that are not clauses.
    pub theory: T,
    core: Core,
    settings: Settings,
    conflicts: u64,
    restarts: u64,
    /// Learnt clauses at which the next reduction is due.
    reduce_at: usize,
}

impl<T: Theory> Solver<T> {
    /// A search without variables.
    pub fn new(theory: T, settings: Settings) -> Self {
        Self {
            theory,
            core: Core::default(),
            settings,
            conflicts: 0,
            restarts: 0,
            reduce_at: settings.learnt_max,
        }
    }

    /// Bounds of all variables: after [`Found::Model`] the model.
    #[must_use]
    pub fn trail(&self) -> &Trail {
        &self.core.trail
    }

    /// A new Boolean.
    pub fn new_bool(&mut self) -> Var {
        self.core.trail.new_bool()
    }

    /// A new integer from `min` to `max`, that is decided by its theory or by literals that name
    /// it.
    ///
    /// # Panics
    /// When `min > max`.
    pub fn new_int(&mut self, min: i64, max: i64) -> Var {
        self.core.trail.new_int(min, max)
    }

    /// Conflicts so far.
    #[must_use]
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Whether it is proved that no assignment keeps all clauses and the theory, without
    /// assumptions.
    #[must_use]
    pub fn refuted(&self) -> bool {
        self.core.refuted
    }

    /// Takes back all decisions: the model is gone, what was learnt stays.
    pub fn to_root(&mut self) {
        self.core.backtrack(&mut self.theory, 0);
    }

    /// Takes back all decisions and sets what follows without any; false when that refutes
    /// everything.
    pub fn settle(&mut self) -> bool {
        self.to_root();
        if !self.core.refuted && !self.core.propagate(&mut self.theory) {
            self.core.refuted = true;
        }
        !self.core.refuted
    }

    /// Requires that one or more of these literals hold. Takes back all decisions.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.to_root();
        self.core.insert(lits);
    }

    /// Cuts of a variable that are known to the search are decided in favour of this value, until
    /// the search has seen better.
    pub fn prefer_value(&mut self, var: Var, value: i64) {
        self.core.activity.prefer_value(var, value);
    }
}

impl Core {
    /// Takes back all levels above this one.
    fn backtrack(&mut self, theory: &mut impl Theory, level: usize) {
        if self.trail.level() <= level {
            return;
        }
        let len = self.trail.levels[level] as usize;
        while self.trail.len() > len {
            let event = self.trail.pop();
            self.activity.reopen(&event);
        }
        self.trail.levels.truncate(level);
        self.seen = self.seen.min(len);
        theory.backtrack(&self.trail);
    }

    /// Propagates clauses and theory to a fixed point; false: a conflict is noted.
    fn propagate(&mut self, theory: &mut impl Theory) -> bool {
        loop {
            while self.seen < self.trail.len() {
                let event = self.seen;
                self.seen += 1;
                if let Some(clause) = self.clauses.propagate(&mut self.trail, event) {
                    let lits = self.clauses.lits(clause).iter();
                    let _ = self.trail.refute(lits.map(|lit| !*lit));
                    return false;
                }
            }
            if theory.propagate(&mut self.trail).is_err() {
                return false;
            }
            if self.seen == self.trail.len() {
                return true;
            }
        }
    }

    /// Adds a clause, with nothing decided.
    fn insert(&mut self, lits: &[Lit]) {
        let Some(lits) = self.simplified(lits) else {
            return;
        };
        for lit in &lits {
            self.activity.register(*lit);
        }
        match lits[..] {
            [] => self.refuted = true,
            [lit] => self.trail.push(lit, Reason::Fact),
            _ => {
                self.clauses.add(&lits, 0);
            }
        }
    }

    /// A clause with at most one literal of each side, all of them open, with nothing decided; none
    /// when it always holds.
    fn simplified(&self, lits: &[Lit]) -> Option<Vec<Lit>> {
        let mut sorted = lits.to_vec();
        // The weakest literal of a side comes last, and is kept.
        sorted.sort_unstable();
        let mut kept: Vec<Lit> = Vec::with_capacity(sorted.len());
        for lit in sorted {
            match kept.last_mut() {
                Some(last) if last.side == lit.side => *last = lit,
                Some(last) if last.side == lit.side.opposite() && (!lit).most <= last.most => {
                    return None;
                }
                _ => kept.push(lit),
            }
        }
        if kept.iter().any(|lit| self.trail.holds(*lit)) {
            return None;
        }
        kept.retain(|lit| !self.trail.fails(*lit));
        Some(kept)
    }
}
