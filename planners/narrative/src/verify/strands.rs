//! Plans by strands: policies of single groups, and what two of them keep between them.
//!
//! The policies of each group are checked as a plan for its story alone: their form, shared nodes,
//! coverage. Then all are put side by side, with the bounds of pairs: the whole network has to be
//! controllable. A storyline of all groups has some of its nodes, and the strategy for these is the
//! same. Groups decide which strands meet, so resources are checked for each combination: see
//! [`resource_conflicts`](super::resource_conflicts).

mod judge;

pub(crate) use judge::Judge;
pub(super) use judge::{judged, unchecked};

use super::coverage::{Coverage, Gap};
use super::joint_network::JointNetwork;
use super::network::of_policy;
use super::resource_conflicts::ResourceConflicts;
use super::story_tree::StoryTree;
use super::transitive_reduction::reduce;
use super::{
    Checked, JOINT_MAX, PAIRS_MAX, STRAND_POLICIES_MAX, TIME_FAR_US, claims, cross_pairs, faults,
    form, truncated,
};
use crate::plan::{Outcomes, Plan, Policy};
use crate::problem::{Micros, Narrative, Node};
use anytime::{Fault, Path, fault};
use std::collections::BTreeMap;
use std::rc::Rc;
use stn::check::{Closure, Network, controllable};

/// Whether some policy of a plan is of some groups only.
pub(super) fn is_by_strands(narrative: &Narrative, plan: &Plan) -> bool {
    let groups = narrative.groups().len();
    let of = |policy: &Policy| narrative.groups_of(&policy.picks).len();
    let mut policies = plan.policies.iter();
    groups > 1 && policies.any(|policy| (1..groups).contains(&of(policy)))
}

/// A policy of two groups.
pub(super) struct PairPolicy {
    /// Its index.
    pub(super) at: usize,
    /// The policies of one group whose picks and outcomes it has, in the order of the groups.
    pub(super) of: [usize; 2],
    /// The story of both groups.
    narrative: Rc<Narrative>,
}

/// The policies of one group.
pub(super) struct GroupPlan {
    /// The story of this group alone.
    pub(super) narrative: Narrative,
    pub(super) plan: Plan,
    /// The index of each of its policies.
    pub(super) at: Vec<usize>,
}

/// The policies of a plan, group by group.
pub(super) struct Strands<'a> {
    whole: &'a Narrative,
    plan: &'a Plan,
    pub(super) parts: Vec<GroupPlan>,
    pub(super) pairs: Vec<PairPolicy>,
    /// The stories of two groups.
    stories: BTreeMap<[usize; 2], Rc<Narrative>>,
}

impl<'a> Strands<'a> {
    /// Sorts the policies of a plan.
    ///
    /// # Errors
    /// Those that are of no group, of more than two, or of two whose strands have no policies of
    /// their own; none where the check was stopped.
    pub(super) fn new(
        whole: &'a Narrative,
        go_on: &dyn Fn() -> bool,
        plan: &'a Plan,
    ) -> Result<Self, Vec<Fault>> {
        let given = plan.policies.len();
        if given > STRAND_POLICIES_MAX {
            return Err(vec![faults::too_many_policies(given)]);
        }
        let mut wrong = form::claims(whole, plan);
        let mut strands = Self {
            whole,
            plan,
            parts: Vec::new(),
            pairs: Vec::new(),
            stories: BTreeMap::new(),
        };
        let fits = |policy: &Policy| policy.picks.len() == whole.spec().choices.len();
        let of = |policy: &Policy| {
            if fits(policy) {
                whole.groups_of(&policy.picks)
            } else {
                Vec::new()
            }
        };
        let groups: Vec<Vec<usize>> = plan.policies.iter().map(of).collect();
        for group in whole.groups() {
            let at = (0..given).filter(|at| groups[*at] == [*group]).collect();
            strands.add_part(*group, at);
        }
        let given = strands.cross_pairs();
        if given > PAIRS_MAX {
            return Err(vec![fault!(
                "TOO_MANY_PAIRS",
                Path::root("policies"),
                "make {} pairs of policies of two groups, at most {} are checked",
                given,
                PAIRS_MAX
            )]);
        }
        for (policy, groups) in groups.iter().enumerate() {
            if !go_on() {
                return Err(Vec::new());
            }
            match groups[..] {
                [_] => {}
                [one, other] => match strands.pair(policy, [one, other]) {
                    Some(pair) => strands.pairs.push(pair),
                    None => wrong.push(faults::picks_wrong(policy)),
                },
                _ => wrong.push(faults::picks_wrong(policy)),
            }
            // What is handed on depends on what all groups pick.
            if !plan.policies[policy].hand_overs.is_empty() {
                wrong.push(faults::hand_over_wrong(policy, 0));
            }
        }
        if wrong.is_empty() {
            Ok(strands)
        } else {
            Err(wrong)
        }
    }

    /// Pairs of policies of two groups.
    fn cross_pairs(&self) -> usize {
        cross_pairs(self.parts.iter().map(|part| part.at.len()))
    }

    fn add_part(&mut self, group: usize, at: Vec<usize>) {
        let policies = at.iter().map(|at| self.plan.policies[*at].clone());
        let plan = Plan {
            policies: policies.collect(),
            makespan_us: self.plan.makespan_us,
            ..Plan::default()
        };
        let narrative = self.whole.restricted_to(&[group]);
        self.parts.push(GroupPlan {
            narrative,
            plan,
            at,
        });
    }

    /// A policy of two groups with the policies that it is about.
    fn pair(&mut self, at: usize, groups: [usize; 2]) -> Option<PairPolicy> {
        let policy = &self.plan.policies[at];
        let mut of = [0; 2];
        for (group, of) in groups.iter().zip(&mut of) {
            let (picks, outcomes) = self.part_of(policy, *group);
            let place = self
                .whole
                .groups()
                .iter()
                .position(|known| known == group)?;
            let mut own = self.parts[place].at.iter();
            *of = *own.find(|at| {
                let known = &self.plan.policies[**at];
                known.picks == picks && known.outcomes == outcomes
            })?;
        }
        let counts = of.map(|at| self.plan.policies[at].outcomes.len());
        let known = self.stories.entry(groups);
        let narrative = known.or_insert_with(|| Rc::new(self.whole.restricted_to(&groups)));
        let narrative = Rc::clone(narrative);
        let fits = counts.iter().sum::<usize>() == policy.outcomes.len();
        fits.then_some(PairPolicy { at, of, narrative })
    }

    /// What a policy picks in a group, and the outcomes of its links.
    fn part_of(&self, policy: &Policy, group: usize) -> (Vec<Option<usize>>, Vec<Outcomes>) {
        let spec = self.whole.spec();
        let is_own = |node: Node| self.whole.group_of(node) == Some(group);
        let outcomes = policy.outcomes.iter().filter(|named| {
            let link = spec.contingent.get(named.contingent);
            link.is_some_and(|link| is_own(link.to))
        });
        let picks = self.whole.picks_of(&policy.picks, group);
        (picks, outcomes.copied().collect())
    }

    /// Returns the violations of the parts' form and coverage, under the indices of the whole plan.
    fn check_parts(&self, stories: &[StoryTree<'_>]) -> Vec<Fault> {
        let go_on = stories[0].go_on;
        let mut wrong = Vec::new();
        for (part, story) in self.parts.iter().zip(stories) {
            let found = match form::violations(story, &part.plan) {
                found if !found.is_empty() => found,
                _ => match Coverage::new(story, &part.plan).check() {
                    Ok(()) => Vec::new(),
                    Err(Gap::Uncovered(witness)) => vec![faults::uncovered(&witness)],
                    Err(Gap::TooMany) => vec![faults::too_many_cases()],
                },
            };
            let found = found.into_iter();
            wrong.extend(found.map(|found| faults::with_index_from(found, &part.at)));
        }
        for pair in self.pairs.iter().take_while(|_| go_on()) {
            let policy = &self.plan.policies[pair.at];
            wrong.extend(form::rule_violations(&pair.narrative, pair.at, policy));
        }
        wrong
    }

    /// Who shares what; `None`: the check was stopped.
    fn joint(&self, stories: &[StoryTree<'_>]) -> Option<JointNetwork> {
        let parts = self.parts.iter().zip(stories);
        let own = parts.map(|(part, story)| JointNetwork::new(story, &part.plan));
        let own: Vec<JointNetwork> = own.collect::<Option<_>>()?;
        let parts = own.iter().zip(&self.parts);
        let parts: Vec<(&JointNetwork, &[usize])> =
            parts.map(|(joint, part)| (joint, &part.at[..])).collect();
        let mut joint =
            JointNetwork::side_by_side(&parts, self.plan.policies.len(), self.whole.nodes());
        for pair in &self.pairs {
            joint.share(pair.at, pair.of);
        }
        Some(joint)
    }

    /// By policy what it has to keep, with every event by a time; `None`: the check was stopped.
    fn networks(&self, makespan: Micros, go_on: &dyn Fn() -> bool) -> Option<Vec<Network>> {
        let mut all = vec![Network::default(); self.plan.policies.len()];
        let parts = self.parts.iter();
        let alone = parts.flat_map(|part| part.at.iter().map(|at| (&part.narrative, *at)));
        let pairs = self.pairs.iter().map(|pair| (&*pair.narrative, pair.at));
        for (narrative, at) in alone.chain(pairs) {
            if !go_on() {
                return None;
            }
            all[at] = of_policy(narrative, &self.plan.policies[at], makespan);
            reduce(&mut all[at], go_on);
        }
        Some(all)
    }

    /// Checks all but the dispatcher.
    fn checked(&self, stories: &[StoryTree<'_>]) -> Result<Checked, Vec<Fault>> {
        let wrong = self.check_parts(stories);
        if !wrong.is_empty() {
            return Err(truncated(wrong));
        }
        let joint = self.joint(stories).ok_or_else(Vec::new)?;
        if joint.nodes > JOINT_MAX {
            return Err(vec![faults::too_many_nodes(joint.nodes)]);
        }
        let go_on = stories[0].go_on;
        let networks = |makespan_us| self.networks(makespan_us, go_on).ok_or_else(Vec::new);
        let own = networks(self.plan.makespan_us)?;
        if let Err(nodes) = controllable(&joint.network(own.iter(), go_on), go_on) {
            let free = networks(TIME_FAR_US)?;
            let makespan_us = self.plan.makespan_us;
            return Err(vec![
                match controllable(&joint.network(free.iter(), go_on), go_on) {
                    Ok(()) => faults::makespan_broken(makespan_us),
                    Err(_) => {
                        faults::not_controllable(nodes.into_iter().map(|node| joint.named(node).1))
                    }
                },
            ]);
        }
        let mut wrong = self.claims(&own, go_on);
        match ResourceConflicts::new(self.whole, self, &own, go_on) {
            Some(conflicts) => wrong.extend(conflicts.violations()),
            None => wrong.push(faults::too_many_cases()),
        }
        if wrong.is_empty() {
            Ok(Checked {
                joint,
                own,
                closures: Vec::new(),
            })
        } else {
            Err(truncated(wrong))
        }
    }

    /// Claims about the whole plan that are false. Such plans have no slack, peaks and
    /// flexibilities.
    fn claims(&self, own: &[Network], go_on: &dyn Fn() -> bool) -> Vec<Fault> {
        let mut wrong = Vec::new();
        let Plan {
            makespan_us,
            slack_us,
            idle_us,
            ..
        } = *self.plan;
        if slack_us > 0 {
            wrong.push(faults::slack_broken(slack_us));
        }
        for peak in &self.plan.peaks {
            wrong.push(faults::peak_wrong(peak.resource, u64::from(peak.amount), 0));
        }
        for (entry, stretch) in self.plan.flexibilities.iter().enumerate() {
            let contingent = stretch.contingent;
            wrong.push(faults::flexibility_wrong(entry, contingent));
        }
        if !self.is_within_makespan(go_on) {
            wrong.push(faults::makespan_broken(makespan_us));
        }
        if idle_us > 0 || self.whole.spec().objective.idle > 0 {
            let longest = self.parts.iter().map(|part| {
                let mut each = part.at.iter().map(|at| {
                    let closure = Closure::new(&own[*at], go_on)?;
                    let picks = &self.plan.policies[*at].picks;
                    claims::idle(&part.narrative, picks, &closure)
                });
                each.try_fold(0, |most, idle| Some(idle?.max(most)))
            });
            let found_us = longest.into_iter().try_fold(0_i64, |sum: Micros, longest| {
                Some(sum.saturating_add(longest?))
            });
            if found_us.is_none_or(|found| found > idle_us) {
                wrong.push(faults::idle_broken(idle_us, found_us));
            }
        }
        wrong
    }

    /// Whether each policy of a group by itself has all events happen by the makespan.
    fn is_within_makespan(&self, go_on: &dyn Fn() -> bool) -> bool {
        let mut parts = self.parts.iter();
        parts.all(|part| claims::is_within_makespan(&part.narrative, go_on, &part.plan))
    }
}
