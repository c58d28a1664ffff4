//! Relevance: the part of a relaxation that may lead to a target.

use super::conditions::{Conj, Set};
use super::{Group, Lists, Relaxation, Target};
use crate::compiled::ActionId;
use std::collections::BTreeMap;

/// Numbers that are kept, in order, with new numbers.
struct Renumbering {
    new: Vec<u32>,
    old: Vec<u32>,
}

const GONE: u32 = u32::MAX;

impl Renumbering {
    fn new(keep: &[bool]) -> Self {
        let mut kept = Self {
            new: vec![GONE; keep.len()],
            old: Vec::new(),
        };
        for (index, _) in keep.iter().enumerate().filter(|(_, keep)| **keep) {
            kept.new[index] = kept.old.len() as u32;
            kept.old.push(index as u32);
        }
        kept
    }

    fn lists(&self, lists: &Lists, items: &Self) -> Lists {
        let lists = self.old.iter().map(|index| {
            let all = lists.row(*index as usize).iter();
            let all = all.map(|item| items.new[*item as usize]);
            all.filter(|item| *item != GONE).collect()
        });
        Lists::new(&lists.collect::<Vec<_>>())
    }
}

impl Relaxation {
    /// By group: what it costs, and which facts it needs with which values; alternatives left out.
    pub(crate) fn occasions(&self) -> Vec<(Group, Conj)> {
        let facts = self.by_fact.iter().enumerate();
        let facts = facts.flat_map(|(fact, all)| all.iter().map(move |(set, p)| (*p, fact, *set)));
        let facts = facts.map(|(p, fact, set)| (p, (fact as u32, set)));
        let facts: BTreeMap<u32, (u32, Set)> = facts.collect();
        let mut all: Vec<(Group, Conj)> = self.groups.iter().map(|g| (*g, Vec::new())).collect();
        for (operator, group) in self.group_of.iter().enumerate() {
            let needs = self.needs.row(operator).iter();
            all[*group as usize].1 = needs.filter_map(|p| facts.get(p).copied()).collect();
        }
        all
    }

    /// The relaxation for one target alone, with only the operators in `keep` that may lead to it.
    pub(crate) fn narrowed(&self, keep: &[bool], target: &Target) -> Self {
        let (wanted, used) = self.leading_to(target, keep);
        let mut paid = vec![false; self.groups.len()];
        // That of operators which cost nothing.
        paid[0] = true;
        let of_used = self.group_of.iter().zip(&used).filter(|(_, used)| **used);
        of_used.for_each(|(group, _)| paid[*group as usize] = true);
        let (operators, groups) = (Renumbering::new(&used), Renumbering::new(&paid));
        let propositions = Renumbering::new(&wanted);
        let new = |old: &[u32]| -> Vec<u32> {
            old.iter().map(|p| propositions.new[*p as usize]).collect()
        };
        let by_fact = self.by_fact.iter().map(|all| {
            let all = all
                .iter()
                .map(|(set, p)| (*set, propositions.new[*p as usize]));
            all.filter(|(_, p)| *p != GONE).collect()
        });
        let group_of = operators.old.iter().map(|operator| {
            let group = self.group_of[*operator as usize];
            groups.new[group as usize]
        });
        let required = self.required.iter();
        let required = required.map(|(action_id, p)| (*action_id, propositions.new[*p as usize]));
        Self {
            groups: groups
                .old
                .iter()
                .map(|g| self.groups[*g as usize])
                .collect(),
            group_of: group_of.collect(),
            needs: operators.lists(&self.needs, &propositions),
            adds: operators.lists(&self.adds, &propositions),
            needed_by: propositions.lists(&self.needed_by, &operators),
            added_by: propositions.lists(&self.added_by, &operators),
            by_fact: by_fact.collect(),
            domains: self.domains.clone(),
            propositions: propositions.old.len(),
            required: required.collect(),
            caps: self.caps,
            target: Target {
                needs: new(&target.needs),
                ..target.clone()
            },
        }
    }

    /// Propositions and operators that may lead to a target.
    fn leading_to(&self, target: &Target, keep: &[bool]) -> (Vec<bool>, Vec<bool>) {
        let mut wanted = vec![false; self.propositions];
        let mut used = vec![false; keep.len()];
        let mut stack = target.needs.clone();
        let by_ground = self.operators_by_ground(keep);
        while let Some(proposition) = stack.pop() {
            if std::mem::replace(&mut wanted[proposition as usize], true) {
                continue;
            }
            for &operator in self.added_by.row(proposition as usize) {
                let operator = operator as usize;
                if !keep[operator] || used[operator] {
                    continue;
                }
                let action_id = self.groups[self.group_of[operator] as usize].action_id;
                // With one context of an action all: what it can afford is known only then.
                let same = by_ground
                    .get(&action_id)
                    .map_or(&[operator][..], Vec::as_slice)
                    .to_vec();
                for operator in same {
                    used[operator] = true;
                    stack.extend(self.needs.row(operator));
                }
            }
        }
        (wanted, used)
    }

    /// By action: those of its operators that are kept.
    fn operators_by_ground(&self, keep: &[bool]) -> BTreeMap<ActionId, Vec<usize>> {
        let mut all: BTreeMap<ActionId, Vec<usize>> = BTreeMap::new();
        let groups = self.group_of.iter().enumerate();
        for (operator, group) in groups.filter(|(operator, group)| **group > 0 && keep[*operator]) {
            let action_id = self.groups[*group as usize].action_id;
            all.entry(action_id).or_default().push(operator);
        }
        all
    }

    /// The relaxation of stories in which an action is done, whatever else is.
    pub(crate) fn requiring(&self, action_id: ActionId) -> Self {
        let mut new = self.clone();
        let done = self.propositions as u32;
        new.propositions += 1;
        new.required.push((action_id, done));
        new.target.needs.push(done);
        let operators = 0..self.group_of.len();
        let does =
            |operator: usize| self.groups[self.group_of[operator] as usize].action_id == action_id;
        let adds = operators.clone().map(|operator| {
            let mut adds = self.adds.row(operator).to_vec();
            adds.extend(does(operator).then_some(done));
            adds
        });
        new.adds = Lists::new(&adds.collect::<Vec<_>>());
        new.added_by
            .push(operators.filter(|o| does(*o)).map(|o| o as u32));
        new.needed_by.push(std::iter::empty());
        new
    }
}
