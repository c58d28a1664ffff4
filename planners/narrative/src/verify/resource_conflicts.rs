//! Resource conflicts between strands of several groups, whichever happen together.

use super::story_tree::Set;
use super::strands::{GroupPlan, Strands};
use super::{WORK_MAX, faults};
use crate::problem::{Micros, Narrative, Node, ORIGIN};
use anytime::Fault;
use std::cell::Cell;
use std::collections::BTreeMap;
use stn::check::{Closure, Network};

/// Pairs of activities that are compared between two looks at the stop signal: some 0.1 ms.
const WORK_BETWEEN: usize = 1_024;

/// An activity of a strand that needs a resource.
#[derive(Debug, Clone, Copy)]
struct User {
    /// The policy of its group, by index.
    policy: usize,
    /// Its group, by its place among those of the plan.
    group: usize,
    activity: usize,
    /// Its place among the activities of its group.
    at: usize,
    amount: u64,
    consumed: bool,
}

/// Which activities of two policies are sure to be over when activities of the other start.
struct Orders {
    /// Activities of the second policy.
    columns: usize,
    /// Those of the first policy, by row, that are over before those of the second.
    first: Set,
    /// Those of the second, by column, that are over before those of the first.
    second: Set,
}

/// What each two strands guarantee, by their own policies and by the one that is about both.
pub(super) struct ResourceConflicts<'a> {
    narrative: &'a Narrative,
    parts: &'a [GroupPlan],
    /// By group the activities that need something.
    activities: Vec<Vec<usize>>,
    /// By policy and place of an activity, its earliest start and its latest end.
    windows: BTreeMap<usize, Vec<(Micros, Micros)>>,
    /// By policy twice, or by two policies with one that is about both.
    orders: BTreeMap<[usize; 2], Orders>,
    go_on: &'a dyn Fn() -> bool,
    work: Cell<usize>,
}

/// Too many cases, or the check was stopped.
struct Ended;

impl<'a> ResourceConflicts<'a> {
    /// `own`: by policy what it has to keep. `None`: the check was stopped.
    pub(super) fn new(
        narrative: &'a Narrative,
        strands: &'a Strands<'_>,
        own: &[Network],
        go_on: &'a dyn Fn() -> bool,
    ) -> Option<Self> {
        let parts = &strands.parts;
        let mut conflicts = Self {
            narrative,
            parts,
            activities: parts.iter().map(activities).collect(),
            windows: BTreeMap::new(),
            orders: BTreeMap::new(),
            go_on,
            work: Cell::new(0),
        };
        let mut groups = BTreeMap::new();
        for (group, part) in parts.iter().enumerate() {
            for &policy in &part.at {
                groups.insert(policy, group);
                conflicts.add([policy; 2], [group; 2], &[&own[policy]])?;
            }
        }
        for pair in &strands.pairs {
            let both = pair.of.map(|policy| groups[&policy]);
            let [first, second] = pair.of.map(|policy| &own[policy]);
            conflicts.add(pair.of, both, &[first, second, &own[pair.at]])?;
        }
        Some(conflicts)
    }

    /// Notes the consequences for two policies, or for one given twice, of the bounds of networks;
    /// `None`: the check was stopped.
    fn add(
        &mut self,
        policies: [usize; 2],
        groups: [usize; 2],
        networks: &[&Network],
    ) -> Option<()> {
        let (network, nodes) = Network::compact(networks);
        let closure = Closure::new(&network, self.go_on);
        if !(self.go_on)() {
            return None;
        }
        let given = &self.narrative.spec().activities;
        let ends = groups.map(|group| {
            let all = self.activities[group].iter();
            let index_of = |node| nodes.binary_search(&node).ok();
            let ends = all.map(|at| (index_of(given[*at].start), index_of(given[*at].end)));
            ends.collect::<Vec<_>>()
        });
        // Infeasible bounds prove nothing.
        let most = |from: Option<Node>, to: Option<Node>| closure.as_ref()?.distance(from?, to?);
        if policies[0] == policies[1] {
            let windows = ends[0].iter().map(|(start, end)| {
                let earliest = most(*start, Some(ORIGIN)).map_or(Micros::MIN, |most| -most);
                (earliest, most(Some(ORIGIN), *end).unwrap_or(Micros::MAX))
            });
            self.windows.insert(policies[0], windows.collect());
        }
        let is_before = |end, start| most(start, end).is_some_and(|most| most <= 0);
        let columns = ends[1].len();
        let none = || Set::empty(ends[0].len() * columns);
        let (mut first, mut second) = (none(), none());
        for (row, one) in ends[0].iter().enumerate() {
            for (column, other) in ends[1].iter().enumerate() {
                if is_before(one.1, other.0) {
                    first.insert(row * columns + column);
                }
                if is_before(other.1, one.0) {
                    second.insert(row * columns + column);
                }
            }
        }
        let orders = Orders {
            columns,
            first,
            second,
        };
        self.orders.entry(policies).or_insert(orders);
        Some(())
    }

    /// All resources whose capacity overlapping activities may exceed.
    pub(super) fn violations(&self) -> Vec<Fault> {
        let mut wrong = Vec::new();
        for (resource, given) in self.narrative.spec().resources.iter().enumerate() {
            let users = self.users(resource);
            let mut best = (u64::from(given.capacity), Vec::new());
            match self.heaviest(&users, &mut Vec::new(), &mut best) {
                Ok(()) if best.1.is_empty() => {}
                Ok(()) => {
                    let mut activities: Vec<usize> = best.1.iter().map(|u| u.activity).collect();
                    activities.sort_unstable();
                    let (policy, amount) = (best.1[0].policy, best.0);
                    let capacity = given.capacity;
                    let overload =
                        faults::overload(policy, resource, &activities, amount, capacity);
                    wrong.push(overload);
                }
                Err(Ended) => return vec![faults::too_many_cases()],
            }
        }
        wrong
    }

    fn users(&self, resource: usize) -> Vec<User> {
        let given = &self.narrative.spec().activities;
        let mut all = Vec::new();
        for (group, part) in self.parts.iter().enumerate() {
            for (policy, of) in part.at.iter().zip(&part.plan.policies) {
                for (at, &activity) in self.activities[group].iter().enumerate() {
                    let mut demands = given[activity].demands.iter();
                    let demand = demands.find(|demand| demand.resource == resource);
                    // An activity of any group may start at the origin, which all have.
                    let ends = [given[activity].start, given[activity].end];
                    let is_here = ends.map(|node| part.narrative.present(&of.picks, node));
                    let is_here = is_here == [true, true];
                    all.extend(demand.filter(|_| is_here).map(|demand| User {
                        policy: *policy,
                        group,
                        activity,
                        at,
                        amount: u64::from(demand.amount),
                        consumed: demand.consumed,
                    }));
                }
            }
        }
        all
    }

    /// Whether two may overlap, or both hold what they need to the end.
    fn may_conflict(&self, one: User, other: User) -> bool {
        if one.group == other.group && one.policy != other.policy {
            return false;
        }
        let (low, high) = if one.group <= other.group {
            (one, other)
        } else {
            (other, one)
        };
        let is_before = match self.orders.get(&[low.policy, high.policy]) {
            Some(orders) => {
                let at = low.at * orders.columns + high.at;
                [orders.first.holds(at), orders.second.holds(at)]
            }
            // Only the origin is between them.
            None => {
                let [first, second] = [low, high].map(|user| self.windows[&user.policy][user.at]);
                [first.1 <= second.0, second.1 <= first.0]
            }
        };
        let is_over = [
            is_before[0] && !low.consumed,
            is_before[1] && !high.consumed,
        ];
        is_over == [false; 2]
    }

    /// Counts pairs of activities that are compared.
    fn count(&self, pairs: usize) -> Result<(), Ended> {
        let before = self.work.get();
        let work = before + 1 + pairs;
        self.work.set(work);
        let is_due = before / WORK_BETWEEN < work / WORK_BETWEEN;
        if work > WORK_MAX || is_due && !(self.go_on)() {
            Err(Ended)
        } else {
            Ok(())
        }
    }

    /// The most that users of one strand of each group need that may all overlap: all that are
    /// taken and some of the others. Only what is more than the best so far is found.
    fn heaviest(
        &self,
        others: &[User],
        taken: &mut Vec<User>,
        best: &mut (u64, Vec<User>),
    ) -> Result<(), Ended> {
        self.count(others.len())?;
        let weight: u64 = taken.iter().map(|user| user.amount).sum();
        if weight > best.0 {
            *best = (weight, taken.clone());
        }
        for (at, next) in others.iter().enumerate() {
            self.count(others.len() - at)?;
            if weight + demand_bound(&others[at..]) <= best.0 {
                break;
            }
            let left = others[at + 1..].iter().copied();
            let left: Vec<User> = left
                .filter(|other| self.may_conflict(*next, *other))
                .collect();
            taken.push(*next);
            self.heaviest(&left, taken, best)?;
            taken.pop();
        }
        Ok(())
    }
}

/// The activities of a group that need something.
fn activities(part: &GroupPlan) -> Vec<usize> {
    let all = part.narrative.spec().activities.iter().enumerate();
    let own = all.filter(|(_, given)| {
        let mut ends = [given.start, given.end].into_iter();
        !given.demands.is_empty() && ends.all(|node| part.narrative.contains(node))
    });
    own.map(|(activity, _)| activity).collect()
}

/// At least as much as users of one strand of each group need. They are sorted by group and strand.
fn demand_bound(users: &[User]) -> u64 {
    let groups = users.chunk_by(|one, next| one.group == next.group);
    let groups = groups.map(|group| {
        let strands = group.chunk_by(|one, next| one.policy == next.policy);
        let strands = strands.map(|strand| strand.iter().map(|user| user.amount).sum::<u64>());
        strands.max().unwrap_or(0)
    });
    groups.sum()
}
