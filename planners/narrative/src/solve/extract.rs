//! Plan extraction: dispatchable policies from precedences and execution strategies.

mod flexibility;
mod group_pairs;
mod resource_flow;

pub(crate) use flexibility::{Sure, flexibilities};

use super::joint_network::{ABSENT, PolicyOutline};
use super::precedences::{OrderingProblem, ResourceUsers, precedes, shares};

use crate::plan::{DispatchBound, Peak, Plan, Policy, Wait};
use crate::problem::{Micros, Node, ORIGIN, Spec};
use stn::uncertain::Strategy;
use stn::{Closure, Edge};

/// What a plan is made of.
pub(crate) struct Draft<'d> {
    pub(crate) question: &'d OrderingProblem<'d>,
    /// Orders, as edges of the joint network.
    pub(crate) orders: &'d [Edge],
    /// Of the joint network with orders and makespan.
    pub(crate) strategy: &'d Strategy,
    pub(crate) makespan: Micros,
    /// By how much more each duration may vary.
    pub(crate) slack: Micros,
}

impl Draft<'_> {
    /// The plan, and the order of activities that it can count on; `None`: stopped.
    pub(crate) fn plan(&self, go_on: &mut dyn FnMut() -> bool) -> Option<(Plan, Sure)> {
        let joint = self.question.joint;
        let shares = shares(self.question.story, joint, self.question.skeletons);
        let all = closure(joint.nodes, &self.joint_edges(), go_on)?;
        let spec = self.question.story.narrative.spec();
        let mut policies = Vec::new();
        for (index, shares) in shares.iter().enumerate() {
            policies.push(self.policy(index, shares, &all, go_on)?);
        }
        let mut plan = Plan {
            makespan_us: self.over(&policies, go_on)?,
            slack_us: if spec.objective.slack > 0 {
                self.slack
            } else {
                0
            },
            ..Plan::default()
        };
        let mut peaks: Vec<u32> = vec![0; spec.resources.len()];
        let mut sure = Sure::default();
        let (mut idle, mut owns) = (Vec::new(), Vec::new());
        for (index, (shares, mut policy)) in shares.iter().zip(policies).enumerate() {
            let wide = closure(nodes_of(spec), &self.own(index, &policy, self.slack), go_on)?;
            let more = self.add_orders(index, shares, &all, &wide, &mut policy);
            let local = self.local(index, shares);
            // Sure of also when durations vary by the slack.
            let named = named(&wide, &local);
            let own = if more || self.slack > 0 {
                closure(nodes_of(spec), &self.own(index, &policy, 0), go_on)?
            } else {
                wide
            };
            if spec.objective.idle > 0 {
                idle.push(self.idle(index, &own));
            }
            resource_flow::hand_overs(&own, &local, &mut policy, &mut peaks);
            sure.add(self.question, index, &own, &policy, &local);
            policy.order.extend(named);
            policy.order.sort_unstable();
            policy.order.dedup();
            plan.policies.push(policy);
            owns.extend(joint.strands.as_ref().map(|_| own));
        }
        plan.idle_us = joint.worst(&idle);
        let peaks = peaks
            .into_iter()
            .enumerate()
            .filter(|(_, amount)| *amount > 0);
        plan.peaks = peaks
            .map(|(resource, amount)| Peak { resource, amount })
            .collect();
        if let Some(groups) = &joint.strands {
            let (shares, all, own) = (&shares[..], &all, &owns[..]);
            let known = group_pairs::Known { shares, all, own };
            self.add_pairs(groups, &known, &mut plan, go_on)?;
        }
        Some((plan, sure))
    }

    fn skeleton(&self, policy: usize) -> &PolicyOutline {
        &self.question.skeletons[policy]
    }

    /// Nodes of a policy, the origin first.
    fn nodes(&self, policy: usize) -> Vec<Node> {
        let place = &self.question.joint.place[policy];
        let nodes = (0..place.len()).filter(|node| place[*node] != ABSENT);
        nodes.collect()
    }

    fn policy(
        &self,
        index: usize,
        shares: &[ResourceUsers],
        all: &Closure,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Policy> {
        let nodes = self.nodes(index);
        let place = &self.question.joint.place[index];
        let events: Vec<u32> = nodes.iter().map(|node| place[*node]).collect();
        let own = self.strategy.part(&events).reduced(go_on)?;
        let node = |event: u32| nodes[event as usize];
        let kept = own.bounds().iter().map(|watch| DispatchBound {
            from: node(watch.from),
            to: node(watch.to),
            upper_us: watch.weight,
        });
        let waits = own.waits().iter().map(|wait| Wait {
            node: node(wait.event),
            contingent: own.contingents()[wait.link as usize].id as usize,
            least_us: wait.least,
        });
        let story = self.question.story;
        let mut policy = Policy {
            picks: story.lines[self.skeleton(index).line].picks.clone(),
            outcomes: self.skeleton(index).outcomes.clone(),
            order: self.order(shares, all),
            bounds: kept.collect(),
            waits: waits.collect(),
            hand_overs: Vec::new(),
        };
        policy.bounds.sort_unstable();
        policy.waits.sort_unstable();
        Some(policy)
    }

    /// Pairs of activities of a policy that an order of the search is about, in no cycle.
    fn order(&self, shares: &[ResourceUsers], all: &Closure) -> Vec<(usize, usize)> {
        let mut ordered: Vec<(u32, u32)> = self.orders.iter().map(|o| (o.to, o.from)).collect();
        ordered.sort_unstable();
        let mut pairs = Vec::new();
        for share in shares {
            for first in 0..share.users.len() {
                for second in 0..share.users.len() {
                    let order = share.order(first, second).filter(|_| first != second);
                    let named = order.filter(|o| ordered.binary_search(&(o.end, o.start)).is_ok());
                    if named.is_some() && !is_back(all, share, first, second) {
                        let pair = [first, second].map(|user| share.users[user].activity);
                        pairs.push((pair[0], pair[1]));
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The time by which all events have happened for sure when each policy is dispatched alone:
    /// bounds over nodes that only others have are missing then. At least the makespan that was
    /// aimed at. `None`: stopped.
    fn over(&self, policies: &[Policy], go_on: &mut dyn FnMut() -> bool) -> Option<Micros> {
        let mut over = self.makespan;
        for (index, policy) in policies.iter().enumerate() {
            if !go_on() {
                return None;
            }
            let latest = stn::latest(
                nodes_of(self.spec()),
                &self.dispatched(index, policy),
                ORIGIN,
            );
            let latest = latest.expect("what is controllable has a solution");
            for node in self.nodes(index) {
                over = over.max(latest[node].unwrap_or(Micros::MAX));
            }
        }
        Some(over)
    }

    fn spec(&self) -> &Spec {
        self.question.story.narrative.spec()
    }

    /// What a policy keeps, and the durations that others pick.
    fn dispatched(&self, index: usize, policy: &Policy) -> Vec<Edge> {
        let kept = policy.bounds.iter();
        let edge = |from: Node, to: Node, most| Edge::new(from as u32, to as u32, most, 0);
        let mut edges: Vec<Edge> = kept.map(|k| edge(k.from, k.to, k.upper_us)).collect();
        let nodes = self.nodes(index);
        for open in &self.question.story.open {
            let link = self.spec().contingent[open.contingent];
            if nodes.contains(&link.from) && nodes.contains(&link.to) {
                let (lower, upper) = self.skeleton(index).range(open);
                edges.push(edge(link.from, link.to, upper));
                edges.push(edge(link.to, link.from, -lower));
            }
        }
        edges
    }

    /// The network of one policy, as others will read it, with durations that vary by `slack` more.
    fn own(&self, index: usize, policy: &Policy, slack: Micros) -> Vec<Edge> {
        let story = self.question.story;
        let skeleton = self.skeleton(index);
        let present = &story.lines[skeleton.line].present;
        let mut edges = Vec::new();
        let mut add = |from: Node, to: Node, most| {
            if present[from] && present[to] && from != to {
                edges.push(Edge::new(from as u32, to as u32, most, 0));
            }
        };
        for bound in &story.bounds {
            add(bound.from, bound.to, bound.most);
        }
        for open in &story.open {
            let link = story.narrative.spec().contingent[open.contingent];
            let (mut lower, mut upper) = skeleton.range(open);
            if open.lower < open.upper {
                (lower, upper) = ((lower - slack).max(0), upper + slack);
            }
            add(link.from, link.to, upper);
            add(link.to, link.from, -lower);
        }
        for kept in &policy.bounds {
            add(kept.from, kept.to, kept.upper_us);
        }
        for (first, second) in &policy.order {
            let activities = &story.narrative.spec().activities;
            add(activities[*second].start, activities[*first].end, 0);
        }
        for node in 1..present.len() {
            add(ORIGIN, node, self.makespan);
        }
        edges
    }

    /// The joint network that the strategy satisfies. Watches alone omit the durations of
    /// contingent links: a bound of a policy over nodes that only others have may follow from both.
    fn joint_edges(&self) -> Vec<Edge> {
        let story = self.question.story;
        let mut edges = watched(self.strategy);
        edges.extend_from_slice(self.orders);
        for link in &self.question.joint.contingents {
            let mut open = story.open.iter();
            let varies =
                open.any(|open| open.contingent == link.id as usize && open.lower < open.upper);
            let slack = if varies { self.slack } else { 0 };
            let (lower, upper) = ((link.lower - slack).max(0), link.upper + slack);
            edges.push(Edge::new(link.from, link.to, upper, 0));
            edges.push(Edge::new(link.to, link.from, -lower, 0));
        }
        edges
    }

    /// The sum of the longest times of waiting links.
    fn idle(&self, index: usize, own: &Closure) -> Micros {
        let spec = self.question.story.narrative.spec();
        let present = &self.question.story.lines[self.skeleton(index).line].present;
        let links = spec.waiting.iter().map(|link| spec.links[*link]);
        let links = links.filter(|link| present[link.from] && present[link.to]);
        let longest = links.map(|link| own.row(link.from)[link.to]);
        longest.fold(0, Micros::saturating_add)
    }

    /// The same with nodes of the narrative.
    fn local(&self, index: usize, shares: &[ResourceUsers]) -> Vec<ResourceUsers> {
        let place = &self.question.joint.place[index];
        let mut shares = shares.to_vec();
        let activities = &self.question.story.narrative.spec().activities;
        debug_assert_eq!(place.len(), self.question.story.narrative.nodes());
        for user in shares.iter_mut().flat_map(|share| &mut share.users) {
            let given = &activities[user.activity];
            user.start = given.start as u32;
            user.end = given.end as u32;
        }
        shares
    }

    /// Names the pairs of activities whose order does not follow from the policy's own network;
    /// where that would close a cycle, retains the bound instead.
    fn add_orders(
        &self,
        index: usize,
        shares: &[ResourceUsers],
        all: &Closure,
        own: &Closure,
        policy: &mut Policy,
    ) -> bool {
        let before = (policy.order.len(), policy.bounds.len());
        for (joint, local) in shares.iter().zip(&self.local(index, shares)) {
            for first in 0..joint.users.len() {
                for second in 0..joint.users.len() {
                    if precedes(&distances(all), joint, (first, second))
                        && !precedes(&distances(own), local, (first, second))
                        && !precedes(&distances(own), local, (second, first))
                    {
                        if is_back(all, joint, first, second) {
                            policy.bounds.push(DispatchBound {
                                from: local.users[second].start as Node,
                                to: local.users[first].end as Node,
                                upper_us: 0,
                            });
                            continue;
                        }
                        let pair = [first, second].map(|user| joint.users[user].activity);
                        policy.order.push((pair[0], pair[1]));
                    }
                }
            }
        }
        policy.order.sort_unstable();
        policy.order.dedup();
        policy.bounds.sort_unstable();
        policy.bounds.dedup();
        (policy.order.len(), policy.bounds.len()) != before
    }
}

/// Orders of activities that do not all fit simultaneously, which follow from a policy's bounds:
/// for a reader of its orders alone.
fn named(wide: &Closure, local: &[ResourceUsers]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for share in local.iter().filter(|share| !share.fits()) {
        for (first, second) in flexibility::direct(wide, share) {
            if !is_back(wide, share, first, second) {
                let pair = [first, second].map(|user| share.users[user].activity);
                pairs.push((pair[0], pair[1]));
            }
        }
    }
    pairs
}

/// Whether two users take no time and are at one moment, and the second has the lower index. One
/// may have to give back what the other uses up, and vice versa: an order that named both would be
/// a cycle.
fn is_back(all: &Closure, share: &ResourceUsers, first: usize, second: usize) -> bool {
    let (one, two) = (&share.users[first], &share.users[second]);
    let most = distances(all);
    two.activity < one.activity && most(two.start, one.end) <= 0 && most(one.start, two.end) <= 0
}

fn nodes_of(spec: &Spec) -> usize {
    spec.events + 1
}

/// Bounds of a closure as a function.
fn distances(closure: &Closure) -> impl Fn(u32, u32) -> i64 + '_ {
    |from, to| closure.row(from as usize)[to as usize]
}

fn closure(nodes: usize, edges: &[Edge], go_on: &mut dyn FnMut() -> bool) -> Option<Closure> {
    let closed = Closure::new_within(nodes, edges, go_on);
    closed.expect("what is controllable has a solution")
}

fn watched(strategy: &Strategy) -> Vec<Edge> {
    let watches = strategy.bounds().iter();
    let edges = watches.map(|watch| Edge::new(watch.from, watch.to, watch.weight, 0));
    edges.collect()
}

/// The time by which all events have happened for sure, if a strategy is kept; `None`: never.
pub(crate) fn deadline(strategy: &Strategy) -> Option<Micros> {
    let latest = stn::latest(strategy.events(), &watched(strategy), ORIGIN);
    let latest = latest.expect("what is controllable has a solution");
    latest
        .into_iter()
        .try_fold(0, |all, time| Some(all.max(time?)))
}
