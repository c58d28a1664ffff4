//! What strands of two groups have between them, as policies of both.

use super::{Draft, distances};
use crate::plan::{DispatchBound, Plan, Policy, Wait};
use crate::problem::{Micros, Narrative, Node, ORIGIN};
use crate::solve::joint_network::StrandGroups;
use crate::solve::precedences::{ResourceUsers, precedes};
use stn::Closure;

/// What a plan was made from.
pub(super) struct Known<'t> {
    /// Who needs what, policy by policy.
    pub(super) shares: &'t [Vec<ResourceUsers>],
    /// All that is sure.
    pub(super) all: &'t Closure,
    /// All that each policy is sure of.
    pub(super) own: &'t [Closure],
}

impl Draft<'_> {
    /// Adds policies of two groups to those of one; `None`: stopped. Hand-overs and peaks are
    /// cleared: they depend on the picks of all groups.
    pub(super) fn add_pairs(
        &self,
        groups: &StrandGroups,
        known: &Known<'_>,
        plan: &mut Plan,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<()> {
        plan.peaks.clear();
        let mut strands = std::mem::take(&mut plan.policies);
        for policy in &mut strands {
            policy.hand_overs.clear();
        }
        let mut pairs = Vec::new();
        for second in 0..strands.len() {
            for first in 0..second {
                if groups.groups[first] == groups.groups[second] {
                    continue;
                }
                let [one, other] = [first, second].map(|at| &strands[at]);
                let windows = Windows {
                    groups: [first, second].map(|at| (groups.groups[at], &known.own[at])),
                    draft: self,
                };
                let mut pair = self.between(first, second, &windows, go_on)?;
                pair.order = orders(groups, known, first, second, &windows);
                if pair != Policy::default() {
                    pair.picks = Narrative::merge_picks(&one.picks, &other.picks);
                    pair.outcomes = [&one.outcomes[..], &other.outcomes].concat();
                    pair.outcomes.sort_unstable();
                    pairs.push(pair);
                }
            }
        }
        strands.append(&mut pairs);
        plan.policies = strands;
        Some(())
    }

    /// Bounds and waits between the nodes of two policies, except those that the times of each
    /// guarantee.
    fn between(
        &self,
        first: usize,
        second: usize,
        windows: &Windows<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Policy> {
        let mut nodes: Vec<(usize, Node)> = Vec::new();
        for policy in [first, second] {
            let own = self.nodes(policy).into_iter();
            let own = own.filter(|node| *node != ORIGIN || policy == first);
            nodes.extend(own.map(|node| (policy, node)));
        }
        let place = &self.question.joint.place;
        let events = nodes.iter().map(|(policy, node)| place[*policy][*node]);
        let events: Vec<u32> = events.collect();
        let own = self.strategy.part(&events).reduced(go_on)?;
        let node = |event: u32| nodes[event as usize].1;
        let crosses = |one: u32, other: u32| {
            let (one, other) = (nodes[one as usize], nodes[other as usize]);
            one.0 != other.0 && one.1 != ORIGIN && other.1 != ORIGIN
        };
        let kept = own.bounds().iter();
        let kept = kept.filter(|watch| crosses(watch.from, watch.to));
        let kept = kept.map(|watch| DispatchBound {
            from: node(watch.from),
            to: node(watch.to),
            upper_us: watch.weight,
        });
        let kept = kept.filter(|kept| !windows.guarantee(kept));
        let waits = own.waits().iter().filter_map(|wait| {
            let link = own.contingents()[wait.link as usize];
            crosses(wait.event, link.to).then(|| Wait {
                node: node(wait.event),
                contingent: link.id as usize,
                least_us: wait.least,
            })
        });
        let waits = waits.filter(|wait| !windows.wait(wait));
        let mut policy = Policy {
            bounds: kept.collect(),
            waits: waits.collect(),
            ..Policy::default()
        };
        policy.bounds.sort_unstable();
        policy.waits.sort_unstable();
        Some(policy)
    }
}

/// When the nodes of two policies can happen, by what each keeps.
struct Windows<'w> {
    /// Groups, and all that their policies are sure of.
    groups: [(usize, &'w Closure); 2],
    draft: &'w Draft<'w>,
}

impl Windows<'_> {
    fn closure_of(&self, node: Node) -> &Closure {
        let group = self.draft.question.story.narrative.group_of(node);
        let [first, second] = &self.groups;
        if group == Some(first.0) {
            first.1
        } else {
            second.1
        }
    }

    fn earliest(&self, node: Node) -> Micros {
        -self.closure_of(node).row(node)[ORIGIN]
    }

    fn latest(&self, node: Node) -> Micros {
        self.closure_of(node).row(ORIGIN)[node]
    }

    /// Whether a bound follows from them.
    fn guarantee(&self, bound: &DispatchBound) -> bool {
        self.latest(bound.to) - self.earliest(bound.from) <= bound.upper_us
    }

    /// Whether a wait is over before it can begin.
    fn wait(&self, wait: &Wait) -> bool {
        let link = self.draft.spec().contingent[wait.contingent];
        let over = self.latest(link.from).saturating_add(wait.least_us);
        self.earliest(wait.node) >= over.min(self.latest(link.to))
    }
}

/// Orders of activities of two policies that compete, except those that the times of each
/// guarantee.
fn orders(
    groups: &StrandGroups,
    known: &Known<'_>,
    first: usize,
    second: usize,
    windows: &Windows<'_>,
) -> Vec<(usize, usize)> {
    let activities = &windows.draft.spec().activities;
    let mut pairs = Vec::new();
    for share in &known.shares[first] {
        let mut others = known.shares[second].iter();
        let other = others.find(|other| other.resource == share.resource);
        let contested = || groups.shares.iter().any(|s| s.resource == share.resource);
        let Some(other) = other.filter(|_| contested()) else {
            continue;
        };
        let both = ResourceUsers {
            users: [&share.users[..], &other.users].concat(),
            ..share.clone()
        };
        let count = share.users.len();
        let across = (0..both.users.len()).flat_map(|a| (0..both.users.len()).map(move |b| (a, b)));
        for (a, b) in across.filter(|(a, b)| (*a < count) != (*b < count)) {
            let [before, after] = [a, b].map(|at| both.users[at].activity);
            let ends = windows.latest(activities[before].end);
            let starts = windows.earliest(activities[after].start);
            if ends > starts && precedes(&distances(known.all), &both, (a, b)) {
                pairs.push((before, after));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
