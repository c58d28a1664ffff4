//! Claims of a plan: control, resources, makespan, slack, idle time and flexibilities.

mod flexibility;

use super::joint_network::JointNetwork;
use super::network::{of_policy, possible};
use super::resources::{Users, hand_overs};
use super::story_tree::StoryTree;
use super::transitive_reduction::reduce;
use super::{CELLS_MAX, JOINT_MAX, TIME_FAR_US, faults};
use crate::plan::Plan;
use crate::problem::{Micros, Narrative, Node};
use anytime::{Fault, fault};
use stn::check::{Closure, ContingentLink, Network, controllable};

/// Most policies that are looked at one by one, when they cannot be kept together.
const ALONE_MAX: usize = 32;

/// A plan of good form, and what all its policies have to keep.
pub(super) struct Claims<'a> {
    story: &'a StoryTree<'a>,
    narrative: &'a Narrative,
    plan: &'a Plan,
    pub(super) joint: &'a JointNetwork,
    /// The network of each policy.
    pub(super) own: Vec<Network>,
    /// What follows from each of these, once it was looked at and if it is not too much.
    pub(super) closures: Vec<Closure>,
}

impl<'a> Claims<'a> {
    pub(super) fn new(story: &'a StoryTree<'a>, plan: &'a Plan, joint: &'a JointNetwork) -> Self {
        let narrative = story.narrative;
        let own = |policy| of_policy(narrative, policy, plan.makespan_us);
        Self {
            story,
            narrative,
            plan,
            joint,
            own: reduced(story, plan.policies.iter().map(own).collect()),
            closures: Vec::new(),
        }
    }

    /// All claims that are false.
    pub(super) fn violations(&mut self) -> Vec<Fault> {
        let given = self.joint.nodes;
        if given > JOINT_MAX {
            return vec![faults::too_many_nodes(given)];
        }
        if let Err(violation) = self.control() {
            return vec![violation];
        }
        let cells = self.own.iter().map(|own| own.nodes * own.nodes);
        let is_kept = cells.sum::<usize>() <= CELLS_MAX;
        let mut peaks = vec![0; self.narrative.spec().resources.len()];
        let (mut wrong, mut idle) = (Vec::new(), Vec::new());
        for policy in 0..self.own.len() {
            if !self.story.goes_on() {
                break;
            }
            // What is controllable is consistent: there is a closure.
            let Some(closure) = Closure::new(&self.own[policy], self.story.go_on) else {
                return vec![faults::not_controllable([])];
            };
            wrong.extend(self.resources(policy, &closure, &mut peaks));
            idle.extend(self.idle(policy, &closure));
            if is_kept {
                self.closures.push(closure);
            }
        }
        if !self.story.goes_on() {
            // What is known of the policies is incomplete, and nobody reads what is returned.
            return Vec::new();
        }
        if !self.plan.peaks.is_empty() {
            wrong.extend(self.peaks(&peaks));
        }
        if wrong.is_empty() && self.plan.slack_us > 0 && !self.has_slack() {
            let slack_us = self.plan.slack_us;
            wrong.push(faults::slack_broken(slack_us));
        }
        if self.plan.idle_us > 0 || self.narrative.spec().objective.idle > 0 {
            wrong.extend(idle);
        }
        if wrong.is_empty() && !self.plan.flexibilities.is_empty() {
            wrong.extend(self.flexibilities());
        }
        wrong
    }

    /// The joint network with the makespan is controllable.
    fn control(&self) -> Result<(), Fault> {
        let joint = self.joint.network(self.own.iter(), self.story.go_on);
        let Err(nodes) = controllable(&joint, self.story.go_on) else {
            return Ok(());
        };
        // Without the makespan?
        let policies = self.plan.policies.iter();
        let free = policies.map(|policy| of_policy(self.narrative, policy, TIME_FAR_US));
        let free = reduced(self.story, free.collect());
        let makespan_us = self.plan.makespan_us;
        match controllable(
            &self.joint.network(free.iter(), self.story.go_on),
            self.story.go_on,
        ) {
            Ok(()) => Err(faults::makespan_broken(makespan_us)),
            Err(_) => Err(self.broken_alone().unwrap_or_else(|| {
                faults::not_controllable(nodes.into_iter().map(|node| self.joint.named(node).1))
            })),
        }
    }

    /// The first policy that cannot be kept by itself, among the first [`ALONE_MAX`].
    fn broken_alone(&self) -> Option<Fault> {
        let own = self.own.iter().enumerate().take(ALONE_MAX);
        own.filter_map(|(policy, own)| {
            let nodes = controllable(own, self.story.go_on).err()?;
            Some(faults::in_policy(policy, |at| {
                fault!(
                    "NOT_CONTROLLABLE",
                    at,
                    "is not dynamically controllable: of {} each waits for the one before",
                    faults::nodes(nodes)
                )
            }))
        })
        .next()
    }

    /// Overloads and wrong hand-overs of one policy. `peaks`: of those before, by resource.
    fn resources(&self, at: usize, closure: &Closure, peaks: &mut [u64]) -> Vec<Fault> {
        let mut wrong = Vec::new();
        let policy = &self.plan.policies[at];
        for (resource, given) in self.narrative.spec().resources.iter().enumerate() {
            let users = Users::new(self.narrative, policy, closure, resource);
            let (amount, activities) = users.heaviest();
            peaks[resource] = peaks[resource].max(amount);
            if amount > u64::from(given.capacity) {
                let capacity = given.capacity;
                wrong.push(faults::overload(
                    at,
                    resource,
                    &activities,
                    amount,
                    capacity,
                ));
            }
            if !policy.hand_overs.is_empty() {
                wrong.extend(hand_overs(&users, at, policy, resource, given.capacity));
            }
        }
        wrong
    }

    /// Each resource that is used has its peak, once, and no other has one.
    fn peaks(&self, found: &[u64]) -> Vec<Fault> {
        let mut claimed = vec![0; found.len()];
        let mut wrong = Vec::new();
        for peak in &self.plan.peaks {
            match claimed.get_mut(peak.resource) {
                Some(claimed) => *claimed += u64::from(peak.amount),
                None => {
                    wrong.push(faults::peak_wrong(peak.resource, u64::from(peak.amount), 0));
                }
            }
        }
        for (resource, (&claimed, &found)) in claimed.iter().zip(found).enumerate() {
            if claimed != found {
                wrong.push(faults::peak_wrong(resource, claimed, found));
            }
        }
        wrong
    }

    /// The plan works with all durations that can still vary both shorter and longer.
    fn has_slack(&self) -> bool {
        let slack = self.plan.slack_us;
        // Of all bounds: what follows from durations as they are need not when they vary more.
        let policies = self.plan.policies.iter();
        let wide = policies.map(|policy| of_policy(self.narrative, policy, self.plan.makespan_us));
        let mut wide: Vec<Network> = wide.collect();
        let durations = wide.iter_mut().flat_map(|own| &mut own.contingents);
        for ContingentLink { contingent, link } in durations {
            let (shortest, longest) = possible(self.narrative, *contingent);
            if shortest < longest {
                link.lower_us = 0.max(link.lower_us - slack);
                link.upper_us += slack;
            }
        }
        let wide = reduced(self.story, wide);
        let joint = self.joint.network(wide.iter(), self.story.go_on);
        if controllable(&joint, self.story.go_on).is_err() {
            return false;
        }
        let mut policies = self.plan.policies.iter().zip(&wide);
        policies.all(|(policy, wide)| {
            let Some(closure) = Closure::new(wide, self.story.go_on) else {
                return false;
            };
            let mut resources = self.narrative.spec().resources.iter().enumerate();
            resources.all(|(resource, given)| {
                let users = Users::new(self.narrative, policy, &closure, resource);
                users.heaviest().0 <= u64::from(given.capacity)
            })
        })
    }

    /// The longest times of waiting links of a policy add up to no more than is claimed.
    fn idle(&self, at: usize, closure: &Closure) -> Option<Fault> {
        let claimed_us = self.plan.idle_us;
        let picks = &self.plan.policies[at].picks;
        let found_us = idle(self.narrative, picks, closure);
        let broken = found_us.is_none_or(|found| found > claimed_us);
        broken.then(|| faults::idle_broken(claimed_us, found_us))
    }
}

/// The sum of the longest times of waiting links with these picks; `None`: any.
pub(super) fn idle(
    narrative: &Narrative,
    picks: &[Option<usize>],
    closure: &Closure,
) -> Option<Micros> {
    let spec = narrative.spec();
    let links = spec.waiting.iter().map(|link| spec.links[*link]);
    let present = |node: Node| narrative.present(picks, node);
    let links = links.filter(|link| present(link.from) && present(link.to));
    let mut longest = links.map(|link| closure.distance(link.from, link.to));
    let sum = |sum: Micros, longest: Option<Micros>| Some(sum.saturating_add(longest?));
    longest.try_fold(0, sum)
}

/// The networks, thinned until the check is stopped.
fn reduced(story: &StoryTree<'_>, mut own: Vec<Network>) -> Vec<Network> {
    let all = own.iter_mut().take_while(|_| story.goes_on());
    all.for_each(|own| reduce(own, story.go_on));
    own
}

/// Whether every policy by itself, without thought of the makespan, has all events happen by then.
pub(super) fn is_within_makespan(
    narrative: &Narrative,
    go_on: &dyn Fn() -> bool,
    plan: &Plan,
) -> bool {
    let mut policies = plan.policies.iter().take_while(|_| go_on());
    policies.all(|policy| {
        let own = of_policy(narrative, policy, TIME_FAR_US);
        let mut latest = own.latest().into_iter().enumerate();
        latest.all(|(node, latest)| {
            latest <= plan.makespan_us || !narrative.present(&policy.picks, node)
        })
    })
}
