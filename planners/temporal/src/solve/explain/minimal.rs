//! Minimal conflicts: a deletion filter and QuickXplain over the rules of a reduction.

use super::provenance::{Propagation, propagate};
use super::rules::{Rule, Rules, Subsystem};
use crate::problem::Micros;
use crate::solve::decide::{Decided, decide};
use crate::solve::search::Ticker;

/// Most rules that are reported when stopped before they are minimal.
const MEMBERS_MAX: usize = 1_000;

/// An unsatisfiable core: rules that cannot all be satisfied.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) rules: Vec<Rule>,
    /// Whether each one is needed.
    pub(super) minimal: bool,
    /// The magnitude of their negative cycle, if that is known.
    pub(super) deficit: Option<Micros>,
}

/// A small core of rules that fail. `None`: stopped before there was one.
pub(super) fn minimal_core(rules: &Rules<'_>, ticker: &mut impl Ticker) -> Option<Core> {
    let propagated = propagate(rules, &rules.closed(), true, &mut || ticker.go_on());
    let (given, deficit) = match propagated {
        Propagation::Refuted(given, deficit) => (given, Some(deficit)),
        Propagation::Satisfiable | Propagation::Open => (rules.failing(ticker)?, None),
    };
    let mut minimiser = Minimiser {
        rules,
        ticker,
        complete: true,
        deficit,
    };
    let core = if deficit.is_none() {
        minimiser.quick_xplain(&mut Vec::new(), false, &given)
    } else {
        minimiser.deletion_filter(given)
    };
    let deficit = minimiser.deficit;
    (minimiser.complete || core.len() <= MEMBERS_MAX).then_some(Core {
        rules: core,
        minimal: minimiser.complete,
        deficit,
    })
}

struct Minimiser<'r, 'p, P> {
    rules: &'r Rules<'r>,
    ticker: &'p mut P,
    /// Whether all subproblems were decided.
    complete: bool,
    /// The magnitude of the negative cycle of the smallest core so far, if that is known.
    deficit: Option<Micros>,
}

impl<P: Ticker> Minimiser<'_, '_, P> {
    /// QuickXplain: a minimal part of `rules` that fails together with `background`. `grown`:
    /// whether `background` has changed since it was last checked. When stopped the part is not
    /// minimal, but still fails.
    fn quick_xplain(
        &mut self,
        background: &mut Vec<Rule>,
        grown: bool,
        rules: &[Rule],
    ) -> Vec<Rule> {
        if grown && self.failing_part(background).is_some() {
            return Vec::new();
        }
        if rules.len() <= 1 || !self.ticker.go_on() {
            self.complete &= rules.len() <= 1;
            return rules.to_vec();
        }
        let (first, second) = rules.split_at(rules.len() / 2);
        let length = background.len();
        background.extend_from_slice(first);
        let mut of_second = self.quick_xplain(background, true, second);
        background.truncate(length);
        background.extend_from_slice(&of_second);
        let mut of_first = self.quick_xplain(background, !of_second.is_empty(), first);
        background.truncate(length);
        of_first.append(&mut of_second);
        of_first
    }

    /// Deletion filter: leaves out one rule after the other where the rest still fails.
    fn deletion_filter(&mut self, mut rules: Vec<Rule>) -> Vec<Rule> {
        let mut needed: Vec<Rule> = Vec::new();
        while let Some(at) = rules.iter().position(|rule| !needed.contains(rule)) {
            if !self.ticker.go_on() {
                self.complete = false;
                return rules;
            }
            let mut rest = rules.clone();
            let left_out = rest.remove(at);
            match self.failing_part(&rest) {
                Some(part) => rules = part,
                None => needed.push(left_out),
            }
        }
        rules
    }

    /// A part of the rules that is proved to fail, if they are; all of them where it is not known
    /// which.
    fn failing_part(&mut self, rules: &[Rule]) -> Option<Vec<Rule>> {
        match propagate(self.rules, rules, false, &mut || self.ticker.go_on()) {
            Propagation::Refuted(part, deficit) => {
                self.deficit = Some(deficit);
                return Some(part);
            }
            Propagation::Satisfiable => return None,
            Propagation::Open => {}
        }
        let system = match self.rules.subsystem(rules, &mut || self.ticker.go_on()) {
            Subsystem::System(system) => system,
            Subsystem::Contradiction => return Some(rules.to_vec()),
            Subsystem::Stopped => {
                self.complete = false;
                return None;
            }
        };
        match decide(&system, self.ticker) {
            Decided::Fails => Some(rules.to_vec()),
            Decided::Holds(_) => None,
            Decided::Open(_) => {
                self.complete = false;
                None
            }
        }
    }
}
