//! Strands of groups side by side: one network for all of them, in which each event has one node
//! for each strand of its own group.

use super::super::precedences::{ResourceUsers, User};
use super::{ABSENT, JointNetwork};
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
    /// All activities that may compete for a resource, whatever each group picks: from every number
    /// of groups that can exceed the capacity.
    pub(crate) shares: Vec<ResourceUsers>,
}

impl JointNetwork {
    /// Joins networks of groups, given with their groups: they have the origin in common, and
    /// nothing competes yet.
    pub(crate) fn side_by_side(parts: &[(usize, JointNetwork)]) -> JointNetwork {
        let mut all = JointNetwork {
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
                0 | ABSENT => node,
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

impl JointNetwork {
    /// The maximum of the policies' times, where only one of them happens; for strands, one of each
    /// group together.
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
    /// Takes note of who competes, from who needs what in each strand.
    pub(crate) fn compete(
        &mut self,
        strands: &[Vec<ResourceUsers>],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Compete {
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
                needs: users
                    .iter()
                    .map(|strands| largest_demand(strands))
                    .collect(),
                count: groups_needed(&users, capacity),
                groups: &users,
                taken: ResourceUsers {
                    resource,
                    capacity,
                    users: Vec::new(),
                },
                pairs_left: &mut pairs_left,
                found: &mut self.shares,
                go_on,
            };
            match all.add(0, all.count) {
                Compete::All => {}
                ended => return ended,
            }
        }
        self.shares.sort_unstable();
        self.shares.dedup();
        Compete::All
    }

    /// By group that needs a resource, who needs it in its strands, none twice.
    fn users(&self, strands: &[Vec<ResourceUsers>], resource: usize) -> Vec<Vec<Vec<User>>> {
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

/// The most that one of several strands needs simultaneously.
fn largest_demand(strands: &[Vec<User>]) -> u64 {
    let amounts = strands.iter().map(|users| amount(users));
    amounts.max().unwrap_or(0)
}

fn amount(users: &[User]) -> u64 {
    users.iter().map(|user| u64::from(user.amount)).sum()
}

/// Whether it is known who competes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compete {
    All,
    /// There are too many sets.
    TooMany,
    Stopped,
}

/// All ways to take one strand of each of some groups.
struct Combinations<'c> {
    groups: &'c [Vec<Vec<User>>],
    /// By group the most that one of its strands needs.
    needs: Vec<u64>,
    /// Of how many groups.
    count: usize,
    taken: ResourceUsers,
    pairs_left: &'c mut usize,
    found: &'c mut Vec<ResourceUsers>,
    go_on: &'c mut dyn FnMut() -> bool,
}

impl Combinations<'_> {
    /// Adds those with what is taken and this many groups from one on, as far as they need more
    /// than there is.
    fn add(&mut self, from: usize, missing: usize) -> Compete {
        if missing == 0 {
            if !self.taken.fits() {
                self.found.push(self.taken.clone());
            }
            return Compete::All;
        }
        if !self.can_exceed(from, missing) {
            return Compete::All;
        }
        for group in from..self.groups.len() {
            if !(self.go_on)() {
                return Compete::Stopped;
            }
            for users in &self.groups[group] {
                let before = self.taken.users.len();
                self.taken.users.extend(users);
                let pairs = self.taken.users.len().pow(2);
                let left = self.pairs_left.checked_sub(pairs);
                *self.pairs_left = left.unwrap_or(0);
                let added = match left {
                    Some(_) => self.add(group + 1, missing - 1),
                    None => Compete::TooMany,
                };
                self.taken.users.truncate(before);
                if added != Compete::All {
                    return added;
                }
            }
        }
        Compete::All
    }

    /// Whether what is taken and this number of groups from one on can need more than the capacity.
    fn can_exceed(&self, from: usize, missing: usize) -> bool {
        let mut needs = self.needs[from..].to_vec();
        needs.sort_unstable_by(|one, other| other.cmp(one));
        let more = needs.iter().take(missing).sum::<u64>();
        needs.len() >= missing && amount(&self.taken.users) + more > u64::from(self.taken.capacity)
    }
}

#[cfg(test)]
mod tests {
    use super::{Compete, ResourceUsers, StrandGroups, User};

    /// Two strands for each group; each strand needs some of a resource for each of three
    /// activities.
    fn found(groups: usize, capacity: u32, amount: u32) -> (Compete, usize) {
        let user = |at: usize| User {
            activity: at,
            start: 2 * at as u32 + 1,
            end: 2 * at as u32 + 2,
            amount,
            consumed: false,
        };
        let strands = (0..2 * groups).map(|strand| {
            vec![ResourceUsers {
                resource: 0,
                capacity,
                users: (3 * strand..3 * strand + 3).map(user).collect(),
            }]
        });
        let strands: Vec<Vec<ResourceUsers>> = strands.collect();
        let mut known = StrandGroups {
            groups: (0..2 * groups).map(|strand| strand / 2).collect(),
            shares: Vec::new(),
        };
        let compete = known.compete(&strands, &mut || true);
        (compete, known.shares.len())
    }

    #[test]
    fn only_sets_that_exceed_the_capacity_compete() {
        // All sets of 16 groups are far too many to look at.
        assert_eq!(found(16, 48, 1), (Compete::All, 0));
        assert_eq!(found(16, 20, 1).0, Compete::TooMany);
        assert_eq!(found(16, 3, 3), (Compete::All, 4 * 16 * 15 / 2));
    }

    #[test]
    fn a_stop_ends_it() {
        let mut known = StrandGroups {
            groups: vec![0, 1],
            shares: Vec::new(),
        };
        let strand = vec![ResourceUsers {
            resource: 0,
            capacity: 1,
            users: vec![User {
                activity: 0,
                start: 1,
                end: 2,
                amount: 1,
                consumed: false,
            }],
        }];
        let strands = [strand.clone(), strand];
        assert_eq!(known.compete(&strands, &mut || false), Compete::Stopped);
    }
}
