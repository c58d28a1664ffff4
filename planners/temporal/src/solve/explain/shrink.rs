//! From rules that fail together to a part of them of which each is needed.

use super::chase::{Chased, chase};
use super::rules::{Part, Rule, Rules};
use crate::problem::Micros;
use crate::solve::decide::{Decided, decide};
use crate::solve::search::Pace;

/// Most rules that are told where there was no time to make them fewer.
const MEMBERS_MAX: usize = 1_000;

/// Rules that cannot all be kept.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) rules: Vec<Rule>,
    /// Whether each one is needed.
    pub(super) minimal: bool,
    /// By how much they clash, if that is known.
    pub(super) clash: Option<Micros>,
}

/// A small part that fails of rules that do. `None` when there was no time to find one.
pub(super) fn least(rules: &Rules<'_>, pace: &mut impl Pace) -> Option<Core> {
    let refuted = chase(rules, &rules.closed(), true, &mut || pace.go_on());
    let (given, clash) = match refuted {
        Chased::Refuted(given, clash) => (given, Some(clash)),
        Chased::Kept | Chased::Open => (rules.failing(pace)?, None),
    };
    let mut shrink = Shrink {
        rules,
        pace,
        sure: true,
        clash,
    };
    let core = if clash.is_none() {
        shrink.halved(&mut Vec::new(), false, &given)
    } else {
        shrink.one_by_one(given)
    };
    let clash = shrink.clash;
    (shrink.sure || core.len() <= MEMBERS_MAX).then_some(Core {
        rules: core,
        minimal: shrink.sure,
        clash,
    })
}

struct Shrink<'r, 'p, P> {
    rules: &'r Rules<'r>,
    pace: &'p mut P,
    /// Whether every question was answered.
    sure: bool,
    /// By how much the smallest rules known to fail clash.
    clash: Option<Micros>,
}

impl<P: Pace> Shrink<'_, '_, P> {
    /// The smallest part of `rules` that fails together with `kept`, which together do. `grown`:
    /// whether `kept` has changed since it was last checked. When stopped it is not the smallest,
    /// but still fails.
    fn halved(&mut self, kept: &mut Vec<Rule>, grown: bool, rules: &[Rule]) -> Vec<Rule> {
        if grown && self.failing_part(kept).is_some() {
            return Vec::new();
        }
        if rules.len() <= 1 || !self.pace.go_on() {
            self.sure &= rules.len() <= 1;
            return rules.to_vec();
        }
        let (first, second) = rules.split_at(rules.len() / 2);
        let length = kept.len();
        kept.extend_from_slice(first);
        let mut of_second = self.halved(kept, true, second);
        kept.truncate(length);
        kept.extend_from_slice(&of_second);
        let mut of_first = self.halved(kept, !of_second.is_empty(), first);
        kept.truncate(length);
        of_first.append(&mut of_second);
        of_first
    }

    /// Leaves out one rule after the other where the rest fails without it.
    fn one_by_one(&mut self, mut rules: Vec<Rule>) -> Vec<Rule> {
        let mut needed: Vec<Rule> = Vec::new();
        while let Some(at) = rules.iter().position(|rule| !needed.contains(rule)) {
            if !self.pace.go_on() {
                self.sure = false;
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
        match chase(self.rules, rules, false, &mut || self.pace.go_on()) {
            Chased::Refuted(part, clash) => {
                self.clash = Some(clash);
                return Some(part);
            }
            Chased::Kept => return None,
            Chased::Open => {}
        }
        let system = match self.rules.part(rules, &mut || self.pace.go_on()) {
            Part::System(system) => system,
            Part::Contradiction => return Some(rules.to_vec()),
            Part::Stopped => {
                self.sure = false;
                return None;
            }
        };
        match decide(&system, self.pace) {
            Decided::Fails => Some(rules.to_vec()),
            Decided::Holds(_) => None,
            Decided::Open(_) => {
                self.sure = false;
                None
            }
        }
    }
}
