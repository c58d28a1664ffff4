//! Strands of groups side by side: one network for all of them, in which each event has one node for each strand of its own group.

use super::super::orders::{Share, User};
use super::{Joint, NOWHERE};
use crate::problem::Micros;
use std::collections::BTreeMap;
use stn::Edge;
use stn::uncertain::Contingent;

/// Most pairs of users in all sets that are looked at, all resources together.
const PAIRS_MAX: usize = 400_000;

/// What is known of the policies of a network of strands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StrandGroups {
    /// By policy, the group whose strand it is.
    pub(crate) groups: Vec<usize>,
    /// All who may compete for a resource, whatever each group picks: of as many groups as it takes to need too much.
    pub(crate) shares: Vec<Share>,
}

impl Joint {
    /// Networks of groups, given with their groups, in one: they have the origin in common, and nobody competes yet.
    pub(crate) fn side_by_side(parts: &[(usize, Joint)]) -> Joint {
        let mut all = Joint {
            nodes: 1,
            place: Vec::new(),
            finest: None,
            requirements: Vec::new(),
            sources: Vec::new(),
            contingents: Vec::new(),
            strands: None,
        };
        let mut groups = Vec::new();
        for (group, part) in parts {
            let before = all.nodes as u32 - 1;
            let moved = |node: u32| match node {
                0 | NOWHERE => node,
                node => before + node,
            };
            all.nodes += part.nodes - 1;
            let rows = part.place.iter();
            all.place
                .extend(rows.map(|row| row.iter().map(|node| moved(*node)).collect()));
            groups.extend(part.place.iter().map(|_| *group));
            let edges = part.requirements.iter();
            let edges = edges.map(|e| Edge::new(moved(e.from), moved(e.to), e.weight, e.id));
            all.requirements.extend(edges);
            let links = part.contingents.iter().map(|link| Contingent {
                from: moved(link.from),
                to: moved(link.to),
                ..*link
            });
            all.contingents.extend(links);
        }
        // Conflicts about strands do not name their rules.
        for (id, edge) in (0..).zip(&mut all.requirements) {
            edge.id = id;
        }
        all.strands = Some(StrandGroups {
            groups,
            shares: Vec::new(),
        });
        all
    }
}

impl Joint {
    /// The most of what policies take, where only one of them happens: of strands, of one of each group together.
    pub(crate) fn worst(&self, policies: &[Micros]) -> Micros {
        let group = |policy: usize| {
            self.strands
                .as_ref()
                .map_or(0, |strands| strands.groups[policy])
        };
        let mut worst: BTreeMap<usize, Micros> = BTreeMap::new();
        for (policy, taken) in policies.iter().enumerate() {
            let known = worst.entry(group(policy)).or_default();
            *known = *taken.max(known);
        }
        worst.into_values().fold(0, Micros::saturating_add)
    }
}

impl StrandGroups {
    /// Takes note of who competes, from who needs what in each strand; false: these are too many sets.
    pub(crate) fn compete(&mut self, strands: &[Vec<Share>]) -> bool {
        let mut resources: Vec<(usize, u32)> = strands
            .iter()
            .flatten()
            .map(|share| (share.resource, share.capacity))
            .collect();
        resources.sort_unstable();
        resources.dedup();
        let mut pairs_left = PAIRS_MAX;
        for (resource, capacity) in resources {
            let users = self.users(strands, resource);
            let mut all = Combinations {
                groups: &users,
                count: groups_needed(&users, capacity),
                empty: Share {
                    resource,
                    capacity,
                    users: Vec::new(),
                },
                pairs_left: &mut pairs_left,
                found: &mut self.shares,
            };
            if !all.add(0, &mut Vec::new()) {
                return false;
            }
        }
        self.shares.sort_unstable();
        self.shares.dedup();
        true
    }

    /// By group that needs a resource, who needs it in its strands, none twice.
    fn users(&self, strands: &[Vec<Share>], resource: usize) -> Vec<Vec<Vec<User>>> {
        let mut all: Vec<(usize, Vec<User>)> = Vec::new();
        for (group, shares) in self.groups.iter().zip(strands) {
            let share = shares.iter().find(|share| share.resource == resource);
            all.extend(share.map(|share| (*group, share.users.clone())));
        }
        all.sort_unstable();
        all.dedup();
        let groups = all.chunk_by(|one, next| one.0 == next.0);
        let users = groups.map(|group| group.iter().map(|(_, users)| users.clone()).collect());
        users.collect()
    }
}

/// The most groups whose users are needed to need too much, with none of them to spare.
fn groups_needed(users: &[Vec<Vec<User>>], capacity: u32) -> usize {
    let amounts = users.iter().flatten().flatten().map(|user| user.amount);
    let least = amounts.min().unwrap_or(1).max(1);
    users.len().min(capacity as usize / least as usize + 1)
}

/// All ways to take one strand of each of some groups.
struct Combinations<'c> {
    groups: &'c [Vec<Vec<User>>],
    /// Of how many groups.
    count: usize,
    empty: Share,
    pairs_left: &'c mut usize,
    found: &'c mut Vec<Share>,
}

impl Combinations<'_> {
    /// Adds those with these users and some of the groups from one on; false: too many.
    fn add(&mut self, from: usize, taken: &mut Vec<usize>) -> bool {
        if taken.len() == self.count {
            return true;
        }
        for group in from..self.groups.len() {
            for users in &self.groups[group] {
                let before = self.empty.users.len();
                self.empty.users.extend(users);
                taken.push(group);
                if taken.len() == self.count && !self.empty.fits() {
                    self.found.push(self.empty.clone());
                }
                let pairs = self.empty.users.len().pow(2);
                let left = self.pairs_left.checked_sub(pairs);
                *self.pairs_left = left.unwrap_or(0);
                let is_added = left.is_some() && self.add(group + 1, taken);
                taken.pop();
                self.empty.users.truncate(before);
                if !is_added {
                    return false;
                }
            }
        }
        true
    }
}
