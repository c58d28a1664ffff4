//! Policies that do not go together, as few as can be found.

use super::super::cover::Ranges;
use super::super::joint_network::{JointNetwork, PolicyOutline};
use super::{Checked, Nogood, PolicySearch, SearchEnd};
use std::collections::BTreeSet;
use stn::uncertain::{Bound, Conflict};

/// Most conflicts about the orders of a part of a core.
const CONFLICTS: u64 = 100;

/// Policies that have all the bounds of a proof: those first that have most of what is left.
pub(super) fn named(joint: &JointNetwork, proof: &Conflict) -> Vec<usize> {
    let ends = |bound: Bound| match bound {
        Bound::Requirement(at) => {
            let edge = joint.requirements[at];
            (edge.from, edge.to)
        }
        Bound::Lower(at) | Bound::Upper(at) => {
            let link = joint.contingents[at];
            (link.from, link.to)
        }
    };
    let terms = proof.terms.iter().map(|term| ends(term.bound));
    let mut left: Vec<(u32, u32)> = terms.collect();
    let has = |policy: usize, ends: &(u32, u32)| {
        let place = &joint.place[policy];
        place.contains(&ends.0) && place.contains(&ends.1)
    };
    let mut named = Vec::new();
    while !left.is_empty() {
        let count = |policy: &usize| left.iter().filter(|ends| has(*policy, ends)).count();
        let policies = (0..joint.place.len()).rev();
        let Some(best) = policies.max_by_key(count).filter(|best| count(best) > 0) else {
            break;
        };
        left.retain(|ends| !has(best, ends));
        named.push(best);
    }
    named.sort_unstable();
    named
}

/// Whether all outcomes of the second are outcomes of the first.
fn covers(one: &Ranges, other: &Ranges) -> bool {
    let mut pairs = one.iter().zip(other);
    pairs.all(|(one, other)| one.0 <= other.0 && other.1 <= one.1)
}

impl PolicySearch<'_, '_, '_> {
    /// A clash by a known core: the chosen policies cover policies that do not go together.
    pub(super) fn known(&self) -> Option<Nogood> {
        let cores = &self.cores[usize::from(self.in_scenarios)];
        let clashes = cores.iter().filter_map(|core| {
            let mut clash = Nogood {
                decisions: BTreeSet::new(),
                proved: true,
            };
            for (lines, ranges) in core {
                let mut chosen = self.chosen.iter();
                let found = chosen.find(|chosen| {
                    lines.contains(&chosen.skeleton.line) && covers(&chosen.ranges, ranges)
                })?;
                clash.decisions.extend(&found.made);
                clash.proved &= found.ranges == *ranges;
            }
            Some(clash)
        });
        // The one that goes back farthest.
        clashes.min_by_key(|clash| (clash.decisions.last().copied(), clash.decisions.len()))
    }

    /// Takes note of policies that do not go together, of which the proof names some.
    pub(super) fn learn(&mut self, named: Vec<usize>) -> Result<SearchEnd, SearchEnd> {
        let all: Vec<usize> = (0..self.chosen.len()).collect();
        let mut core = if named.len() < all.len() && self.fails(&named)? {
            named
        } else {
            all
        };
        let mut size = core.len() / 2;
        while size > 0 && core.len() > 2 {
            let mut at = 0;
            while at < core.len() && core.len() > 2 {
                let end = (at + size).min(core.len());
                let rest = [&core[..at], &core[end..]].concat();
                if self.fails(&rest)? {
                    core = rest;
                } else {
                    at = end;
                }
            }
            size /= 2;
        }
        let chosen = || core.iter().map(|at| &self.chosen[*at]);
        let made = chosen().flat_map(|chosen| chosen.made.iter().copied());
        let clash = Nogood {
            decisions: made.collect(),
            proved: true,
        };
        let core = chosen().map(|chosen| {
            let line = chosen.skeleton.line;
            (line..line + 1, chosen.ranges.clone())
        });
        let core = core.collect();
        self.cores[usize::from(self.in_scenarios)].push(core);
        Ok(SearchEnd::Nogood(clash))
    }

    /// Whether some policies are known not to go together after a little work.
    fn fails(&mut self, policies: &[usize]) -> Result<bool, SearchEnd> {
        // Each can be kept alone.
        if policies.len() < 2 {
            return Ok(false);
        }
        let skeletons = policies.iter().map(|at| self.chosen[*at].skeleton.clone());
        let skeletons: Vec<PolicyOutline> = skeletons.collect();
        match self.check(&skeletons, CONFLICTS) {
            Checked::Refuted(_) => Ok(true),
            Checked::JointPolicies(_) | Checked::Unknown => Ok(false),
            Checked::Stopped => Err(SearchEnd::Stopped),
        }
    }
}
