//! Conflict analysis: the first unique implication point of a conflict, on bounds.
//!
//! Marques-Silva, Sakallah, "GRASP: a search algorithm for propositional satisfiability", IEEE
//! Trans. Computers 48 (1999); minimisation after Sorensson, Biere, "Minimizing learned clauses",
//! SAT 2009. Only the needed part of each event is explained: x <= 5 may be all that a conflict
//! needs of an event that made x <= 3.

use super::Core;
use super::literal::Lit;
use super::theory::{Consequence, Theory};
use super::trail::{Noted, Reason};

/// Deepest chain of reasons that minimisation looks into.
const DEPTH_MAX: usize = 24;

/// What minimisation knows of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// Follows, in this strength, from what is learnt.
    Implied(i64),
    /// Does not follow in this strength, as far as was looked.
    Open(i64),
}

/// What is known of an event during one analysis.
#[derive(Debug, Clone, Copy)]
struct Mark {
    /// The analysis that this is about.
    stamp: u32,
    /// How much of the event the conflict needs; `None`: nothing.
    need: Option<i64>,
    known: Known,
}

/// Room for an analysis, kept to be used again.
#[derive(Debug, Default)]
pub(super) struct Analysis {
    stamp: u32,
    marks: Vec<Mark>,
    /// Events below the level of the conflict that it needs.
    below: Vec<usize>,
    /// For each level, the last analysis or count in which it was seen.
    levels: Vec<u32>,
    level_stamp: u32,
    /// Explanations, as a stack.
    reasons: Vec<Lit>,
    /// The clause learnt; the literal to set comes first, the one of the highest level after that
    /// second.
    pub(super) learnt: Vec<Lit>,
}

impl Analysis {
    fn begin(&mut self, events: usize) {
        self.stamp += 1;
        let mark = Mark {
            stamp: 0,
            need: None,
            known: Known::Nothing,
        };
        if self.marks.len() < events {
            self.marks.resize(events, mark);
        }
        self.below.clear();
        self.learnt.clear();
    }

    fn mark(&mut self, event: usize) -> &mut Mark {
        let stamp = self.stamp;
        let mark = &mut self.marks[event];
        if mark.stamp != stamp {
            *mark = Mark {
                stamp,
                need: None,
                known: Known::Nothing,
            };
        }
        mark
    }

    fn need(&self, event: usize) -> Option<i64> {
        let mark = &self.marks[event];
        mark.need.filter(|_| mark.stamp == self.stamp)
    }
}

impl Core {
    /// Writes the conflict that is noted as literals that hold.
    pub(super) fn explain_conflict(&mut self, theory: &mut impl Theory) {
        if let Some(Noted::Failed(lit, cause)) = self.trail.noted.take() {
            let before = self.trail.len();
            let mut out = std::mem::take(&mut self.trail.conflict);
            out.clear();
            // No more is explained than what fails already.
            let most = -self.trail.upper(lit.side.opposite()) - 1;
            let lit = lit.side.at_most(most);
            theory.explain(&self.trail, Consequence { lit, cause, before }, &mut out);
            out.push(!lit);
            debug_assert!(out.iter().all(|lit| self.trail.holds(*lit)));
            self.trail.conflict = out;
        }
    }

    /// Appends to the stack of reasons why the needed part of an event took place.
    fn explain(&mut self, theory: &mut impl Theory, event: usize, need: i64) {
        let happened = self.trail.events[event];
        let out = &mut self.analysis.reasons;
        let lit = happened.side.at_most(need);
        match happened.reason {
            Reason::Clause(clause) => {
                out.extend(self.clauses.lits(clause)[1..].iter().map(|lit| !*lit));
            }
            Reason::Theory(cause) => {
                let begin = out.len();
                let wanted = Consequence {
                    lit,
                    cause,
                    before: event,
                };
                theory.explain(&self.trail, wanted, out);
                debug_assert!(
                    out[begin..].iter().all(|why| self.trail.holds(*why)
                        && self.trail.event_of(*why).is_none_or(|at| at < event)),
                    "explanations come first"
                );
            }
            Reason::Decision | Reason::Fact => debug_assert!(false, "nothing explains it"),
        }
    }

    /// Learns from the conflict, whose literals all hold and are not all of level 0, the highest
    /// being the current one. Returns the level to go back to.
    pub(super) fn analyse(&mut self, theory: &mut impl Theory) -> usize {
        self.analysis.begin(self.trail.len());
        self.analysis.reasons.clear();
        let conflict = std::mem::take(&mut self.trail.conflict);
        let mut open = 0;
        for lit in &conflict {
            open += usize::from(self.require(*lit));
        }
        self.trail.conflict = conflict;
        let mut event = self.trail.len();
        let (uip, need) = loop {
            event -= 1;
            let Some(need) = self.analysis.need(event) else {
                continue;
            };
            if open == 1 {
                break (event, need);
            }
            open -= 1;
            self.activity
                .bump(self.trail.events[event].side.at_most(need));
            self.count_use(event);
            self.explain(theory, event, need);
            while let Some(lit) = self.analysis.reasons.pop() {
                open += usize::from(self.require(lit));
            }
            // It is explained; what remains is only what the clause says.
            self.analysis.mark(event).need = None;
        };
        let asserted = self.trail.events[uip].side.at_most(need);
        self.activity.bump(asserted);
        self.analysis.learnt.push(!asserted);
        self.collect(theory);
        self.activity.age();
        self.arrange()
    }

    fn count_use(&mut self, event: usize) {
        if let Reason::Clause(clause) = self.trail.events[event].reason {
            let Core {
                clauses,
                trail,
                analysis,
                ..
            } = self;
            clauses.mark_used(clause, |lits| {
                analysis.level_stamp += 1;
                let mut count = 0;
                for lit in lits {
                    let held = if trail.holds(*lit) { *lit } else { !*lit };
                    count += u32::from(new_level(analysis, trail.level_of(held)));
                }
                count
            });
        }
    }

    /// Notes that the conflict needs a literal; whether that adds an event of the current level.
    fn require(&mut self, lit: Lit) -> bool {
        let Some(event) = self.trail.event_of(lit) else {
            return false;
        };
        let level = self.trail.events[event].level as usize;
        if level == 0 {
            return false;
        }
        let mark = self.analysis.mark(event);
        if let Some(need) = &mut mark.need {
            *need = lit.most.min(*need);
            return false;
        }
        mark.need = Some(lit.most);
        if level < self.trail.level() {
            self.analysis.below.push(event);
            return false;
        }
        true
    }

    /// Adds what is needed from lower levels, without what follows from the rest.
    fn collect(&mut self, theory: &mut impl Theory) {
        let mut below = std::mem::take(&mut self.analysis.below);
        self.analysis.level_stamp += 1;
        for event in &below {
            let lit = self.needed(*event);
            self.activity.bump(lit);
            let level = self.trail.events[*event].level as usize;
            new_level(&mut self.analysis, level);
        }
        let levels = self.analysis.level_stamp;
        below.retain(|event| {
            let lit = self.needed(*event);
            !self.redundant(theory, *event, lit.most, levels, DEPTH_MAX)
        });
        // Only the last event of a side counts: it implies those before. Not earlier: what
        // minimisation dropped may have followed from any of them.
        below.sort_unstable();
        let first = self.analysis.learnt[0];
        for at in 0..below.len() {
            let lit = self.needed(below[at]);
            let mut later = below[at + 1..].iter();
            let again = later.any(|event| self.trail.events[*event].side == lit.side);
            if !again && (!first).side != lit.side {
                self.analysis.learnt.push(!lit);
            }
        }
        self.analysis.below = below;
    }

    /// The part of an event that the conflict needs.
    fn needed(&self, event: usize) -> Lit {
        let need = self.analysis.need(event);
        let need = need.expect("what is collected is needed");
        self.trail.events[event].side.at_most(need)
    }

    /// Whether a part of an event follows from other literals that are needed.
    fn redundant(
        &mut self,
        theory: &mut impl Theory,
        event: usize,
        most: i64,
        levels: u32,
        depth: usize,
    ) -> bool {
        let reason = self.trail.events[event].reason;
        if depth == 0 || matches!(reason, Reason::Decision) {
            return false;
        }
        let begin = self.analysis.reasons.len();
        self.explain(theory, event, most);
        let end = self.analysis.reasons.len();
        let mut all = true;
        for at in begin..end {
            let lit = self.analysis.reasons[at];
            if !self.literal_redundant(theory, lit, levels, depth) {
                all = false;
                break;
            }
        }
        self.analysis.reasons.truncate(begin);
        all
    }

    /// Whether a literal is needed anyway, or follows from what is.
    fn literal_redundant(
        &mut self,
        theory: &mut impl Theory,
        lit: Lit,
        levels: u32,
        depth: usize,
    ) -> bool {
        let Some(event) = self.trail.event_of(lit) else {
            return true;
        };
        let level = self.trail.events[event].level as usize;
        if level == 0 {
            return true;
        }
        let mark = *self.analysis.mark(event);
        if mark.need.is_some_and(|need| need <= lit.most) {
            return true;
        }
        match mark.known {
            Known::Implied(most) if most <= lit.most => return true,
            Known::Open(most) if lit.most <= most => return false,
            _ => {}
        }
        // What is of a level that nothing else needs does not follow from the rest.
        let there = self.analysis.levels.get(level) == Some(&levels);
        let found = there && self.redundant(theory, event, lit.most, levels, depth - 1);
        self.analysis.mark(event).known = if found {
            Known::Implied(lit.most)
        } else {
            Known::Open(lit.most)
        };
        found
    }

    /// Puts the literal of the highest level second; returns that level, 0 if there is none.
    fn arrange(&mut self) -> usize {
        let learnt = &mut self.analysis.learnt;
        let mut best = (0, 1);
        for (at, lit) in learnt.iter().enumerate().skip(1) {
            let level = self.trail.level_of(!*lit);
            if level > best.0 {
                best = (level, at);
            }
        }
        if learnt.len() > 1 {
            learnt.swap(1, best.1);
        }
        best.0
    }

    /// How many different levels there are in what was learnt.
    pub(super) fn lbd(&mut self) -> u32 {
        self.analysis.level_stamp += 1;
        let mut count = 0;
        for at in 0..self.analysis.learnt.len() {
            let level = self.trail.level_of(!self.analysis.learnt[at]);
            count += u32::from(new_level(&mut self.analysis, level));
        }
        count
    }

    /// The decisions, all of them assumptions, from which a literal that holds follows.
    pub(super) fn assumption_core(&mut self, theory: &mut impl Theory, lit: Lit) -> Vec<Lit> {
        self.analysis.begin(self.trail.len());
        self.analysis.reasons.clear();
        let mut core = Vec::new();
        self.require(lit);
        for event in (0..self.trail.len()).rev() {
            let Some(need) = self.analysis.need(event) else {
                continue;
            };
            if matches!(self.trail.events[event].reason, Reason::Decision) {
                core.push(self.trail.event(event));
                continue;
            }
            self.explain(theory, event, need);
            while let Some(lit) = self.analysis.reasons.pop() {
                self.require(lit);
            }
        }
        core
    }
}

/// Counts a level once per stamp.
fn new_level(analysis: &mut Analysis, level: usize) -> bool {
    if analysis.levels.len() <= level {
        analysis.levels.resize(level + 1, 0);
    }
    let new = analysis.levels[level] != analysis.level_stamp;
    analysis.levels[level] = analysis.level_stamp;
    new
}
