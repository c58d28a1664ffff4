//! Resource conflicts within a policy (heaviest antichains), and its resource flow.

use super::faults::in_policy;
use super::max_flow::FlowNetwork;
use crate::plan::{HandOver, Policy};
use crate::problem::{Activity, Demand, Narrative, Node};
use anytime::{Argument, Fault, element, fault};
use stn::check::Closure;

/// The activities of one policy that need one resource, and which of them are sure to be over.
pub(super) struct Users {
    /// Activity and demand.
    pub(super) who: Vec<(usize, Demand)>,
    /// By position in `who`: the later positions that can have what an earlier one gives back.
    after: Vec<Vec<usize>>,
}

impl Users {
    /// `closure`: of the policy's own network, which has its order in it.
    pub(super) fn new(
        narrative: &Narrative,
        policy: &Policy,
        closure: &Closure,
        resource: usize,
    ) -> Self {
        let activities = &narrative.spec().activities;
        let has = |node: Node| narrative.present(&policy.picks, node);
        let present = |activity: &Activity| has(activity.start) && has(activity.end);
        let mut who = Vec::new();
        for (index, activity) in activities.iter().enumerate() {
            let mut demands = activity.demands.iter();
            let demand = demands.find(|demand| demand.resource == resource);
            if let Some(demand) = demand.filter(|_| present(activity)) {
                who.push((index, *demand));
            }
        }
        let ends = |first: usize, second: usize| {
            closure.precedes(activities[first].end, activities[second].start)
        };
        let after = who.iter().enumerate().map(|(at, (first, demand))| {
            let others = who.iter().enumerate();
            let free = others.filter(|(to, (second, other))| {
                // Two that take no time, are at once and both give back what they had: the lower
                // index goes first, so that this remains an order.
                let back = !other.consumed && ends(*second, *first);
                let before = ends(*first, *second) && (at < *to || !back);
                at != *to && !demand.consumed && before
            });
            free.map(|(to, _)| to).collect()
        });
        let after = after.collect();
        Self { who, after }
    }

    /// The most that may be needed at once, and by which activities.
    ///
    /// The heaviest set of activities none of which is over before another starts is as heavy as
    /// the smallest number of units with which chains of such activities cover all demands
    /// (Dilworth, weighted): all demands less a maximum flow from activities to those that can
    /// follow. Where the flow is cut, the set is found.
    pub(super) fn heaviest(&self) -> (u64, Vec<usize>) {
        let count = self.who.len();
        let (source, sink) = (2 * count, 2 * count + 1);
        let mut flow = FlowNetwork::new(2 * count + 2);
        let mut sum = 0;
        for (at, (_, demand)) in self.who.iter().enumerate() {
            let amount = u64::from(demand.amount);
            sum += amount;
            flow.arc(source, at, amount);
            flow.arc(count + at, sink, amount);
            for &to in &self.after[at] {
                flow.arc(at, count + to, u64::MAX / 4);
            }
        }
        let needed = sum - flow.push(source, sink);
        let near = flow.reached(source);
        let positions = (0..count).filter(|at| near[*at] && !near[count + at]);
        (needed, positions.map(|at| self.who[at].0).collect())
    }

    /// What all of them need at once.
    pub(super) fn needed(&self) -> u64 {
        let amounts = self.who.iter().map(|(_, demand)| u64::from(demand.amount));
        amounts.sum()
    }

    /// Pairs of activities the second of which can have what the first gives back.
    pub(super) fn sequences(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = self.after.iter().enumerate();
        let pairs = pairs.flat_map(|(at, after)| after.iter().map(move |next| (at, *next)));
        pairs.map(|(at, next)| (self.who[at].0, self.who[next].0))
    }

    /// Whether one activity, given by index, can have what another gives back.
    fn follows(&self, first: usize, second: usize) -> bool {
        let at = |activity: usize| self.who.iter().position(|(who, _)| *who == activity);
        match (at(first), at(second)) {
            (Some(first), Some(second)) => self.after[first].contains(&second),
            _ => false,
        }
    }
}

/// Checks the hand-overs of one policy for one resource.
pub(super) fn hand_overs(
    users: &Users,
    at: usize,
    policy: &Policy,
    resource: usize,
    capacity: u32,
) -> Vec<Fault> {
    let given = policy.hand_overs.iter().enumerate();
    let given: Vec<_> = given
        .filter(|(_, given)| given.resource == resource)
        .collect();
    let mut wrong = early_hand_overs(users, at, &given);
    let sum = |who: &dyn Fn(Option<usize>, usize) -> bool| -> u64 {
        let some = given.iter().filter(|(_, given)| who(given.from, given.to));
        some.map(|(_, given)| u64::from(given.amount)).sum()
    };
    let mut had = vec![(None, u64::from(capacity))];
    for &(activity, demand) in &users.who {
        let needed = u64::from(demand.amount);
        let got = sum(&|_, to| to == activity);
        if got != needed {
            wrong.push(in_policy(at, |at| {
                fault!(
                    "HAND_OVER_AMOUNT",
                    at.field("hand_overs"),
                    "give {} {} of {}, not {}",
                    element("activity", activity),
                    got,
                    element("resource", resource),
                    needed
                )
            }));
        }
        let left = if demand.consumed { 0 } else { needed };
        had.push((Some(activity), left));
    }
    for (from, had) in had {
        let passed = sum(&|giver, _| giver == from);
        if passed > had {
            let from = from.map_or_else(
                || Argument::from("the stock"),
                |from| element("activity", from),
            );
            wrong.push(in_policy(at, |at| {
                fault!(
                    "HAND_OVER_EXCESS",
                    at.field("hand_overs"),
                    "pass on {} of {} from {}, which has {}",
                    passed,
                    element("resource", resource),
                    from,
                    had
                )
            }));
        }
    }
    wrong
}

/// Hand-overs, given with their indices, from activities that need not have ended.
fn early_hand_overs(users: &Users, at: usize, given: &[(usize, &HandOver)]) -> Vec<Fault> {
    let mut wrong = Vec::new();
    for (entry, given) in given {
        if let Some(from) = given.from
            && !users.follows(from, given.to)
        {
            wrong.push(in_policy(at, |at| {
                let list = at.field("hand_overs");
                let (at, from) = (list.index(*entry), element("activity", from));
                fault!(
                    "HAND_OVER_EARLY",
                    at,
                    "is from {}, which need not have ended",
                    from
                )
            }));
        }
    }
    wrong
}
