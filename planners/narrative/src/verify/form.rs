//! The form of a plan: it names what exists, in order.

use super::faults::{self, in_policy};
use super::network::possible;
use super::story_tree::StoryTree;
use super::{POLICIES_MAX, TIME_FAR_US};
use crate::plan::{Plan, Policy};
use crate::problem::{Chooser, Micros, Narrative, ORIGIN};
use anytime::{Fault, Path, element, fault, time};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// All that is wrong with the form of a plan. When nothing is, all its indices can be used.
pub(super) fn violations(story: &StoryTree, plan: &Plan) -> Vec<Fault> {
    let given = plan.policies.len();
    if given == 0 {
        return vec![faults::no_policy()];
    }
    if given > POLICIES_MAX {
        return vec![faults::too_many_policies(given)];
    }
    let mut wrong = claims(story.narrative, plan);
    for (at, policy) in plan.policies.iter().enumerate() {
        if story.storyline(&policy.picks).is_none() {
            wrong.push(faults::picks_wrong(at));
            continue;
        }
        let narrative = story.narrative;
        let form = Form {
            narrative,
            at,
            policy,
        };
        form.outcomes(story, &mut wrong);
        form.rules(&mut wrong);
        form.hand_overs(&mut wrong);
    }
    wrong
}

/// All that is wrong with what a policy, given with its index, keeps of a part of a narrative.
pub(super) fn rule_violations(narrative: &Narrative, at: usize, policy: &Policy) -> Vec<Fault> {
    let mut wrong = Vec::new();
    let form = Form {
        narrative,
        at,
        policy,
    };
    form.rules(&mut wrong);
    wrong
}

/// Numbers of the plan as a whole.
pub(super) fn claims(narrative: &Narrative, plan: &Plan) -> Vec<Fault> {
    let claims = [
        ("makespan_offset", plan.makespan_us),
        ("slack_duration", plan.slack_us),
        ("idle_duration", plan.idle_us),
    ];
    let far = claims.into_iter();
    let far = far.filter(|(_, given_us)| !(0..=TIME_FAR_US).contains(given_us));
    let far = far.map(|(field, given_us)| {
        let (at, given) = (Path::root(field), time(given_us));
        fault!("CLAIM_WRONG", at, "is {}, which no plan can have", given)
    });
    let mut wrong: Vec<Fault> = far.collect();
    let links = narrative.spec().contingent.len();
    let mut before = None;
    for (entry, stretch) in plan.flexibilities.iter().enumerate() {
        let contingent = stretch.contingent;
        let sorted = before
            .replace(contingent)
            .is_none_or(|last| last < contingent);
        let fits = contingent < links && {
            let (lower, upper) = possible(narrative, contingent);
            let about = 0 <= stretch.shortest_us && stretch.shortest_us <= lower;
            lower < upper && about && (upper..=TIME_FAR_US).contains(&stretch.longest_us)
        };
        if !sorted || !fits {
            wrong.push(faults::flexibility_wrong(entry, contingent));
        }
    }
    wrong
}

struct Form<'a> {
    narrative: &'a Narrative,
    at: usize,
    policy: &'a Policy,
}

impl Form<'_> {
    fn rules(&self, wrong: &mut Vec<Fault>) {
        self.order(wrong);
        self.bounds(wrong);
        self.waits(wrong);
    }

    fn node(&self, node: usize) -> bool {
        let exists = node < self.narrative.nodes();
        exists && self.narrative.present(&self.policy.picks, node)
    }

    fn link(&self, contingent: usize) -> bool {
        let link = self.narrative.spec().contingent.get(contingent);
        link.is_some_and(|link| self.node(link.from) && self.node(link.to))
    }

    fn activity(&self, activity: usize) -> bool {
        let activity = self.narrative.spec().activities.get(activity);
        activity.is_some_and(|activity| self.node(activity.start) && self.node(activity.end))
    }

    fn outcomes(&self, story: &StoryTree, wrong: &mut Vec<Fault>) {
        let policy = self.at;
        let mut before = None;
        for (entry, named) in self.policy.outcomes.iter().enumerate() {
            let contingent = named.contingent;
            let (lower_us, upper_us) = (named.lower_us, named.upper_us);
            let sorted = before
                .replace(contingent)
                .is_none_or(|last| last < contingent);
            let fits = self.link(contingent) && {
                let given = self.narrative.spec().contingent[contingent];
                let (lower, upper) = possible(self.narrative, contingent);
                let inside = given.lower_us <= lower_us && upper_us <= given.upper_us;
                inside && lower_us.max(lower) <= upper_us.min(upper)
            };
            if !sorted || !fits {
                wrong.push(in_policy(policy, |at| {
                    let list = at.field("outcomes");
                    let link = element("contingent link", contingent);
                    let (at, lower, upper) = (list.index(entry), time(lower_us), time(upper_us));
                    fault!(
                        "OUTCOMES_WRONG",
                        at,
                        "are {} to {} of {}, which cannot be",
                        lower,
                        upper,
                        link
                    )
                }));
            } else if !self.is_seen(story, contingent)
                && self.narrows(contingent, lower_us, upper_us)
            {
                wrong.push(in_policy(policy, |at| {
                    let list = at.field("outcomes");
                    let (at, link) = (list.index(entry), element("contingent link", contingent));
                    fault!(
                        "NOT_SEEN",
                        at,
                        "divide {}, which no choice of the system has seen",
                        link
                    )
                }));
            }
        }
    }

    /// Whether these outcomes are not all that can be.
    fn narrows(&self, contingent: usize, lower: Micros, upper: Micros) -> bool {
        let all = possible(self.narrative, contingent);
        (lower.max(all.0), upper.min(all.1)) != all
    }

    /// Whether a choice of the system on the way of this policy has seen a link.
    fn is_seen(&self, story: &StoryTree, contingent: usize) -> bool {
        let picks = &self.policy.picks;
        (0..picks.len()).any(|choice| {
            let before = &picks[..choice];
            let moment = story.moment(before);
            let seen = moment.is_some_and(|moment| moment.seen.holds(contingent));
            seen && story.chooser(before) == Chooser::System
        })
    }

    fn order(&self, wrong: &mut Vec<Fault>) {
        let policy = self.at;
        let mut valid = Vec::with_capacity(self.policy.order.len());
        for (pair, &(first, second)) in self.policy.order.iter().enumerate() {
            if first == second || !self.activity(first) || !self.activity(second) {
                wrong.push(in_policy(policy, |at| {
                    let list = at.field("orders");
                    let at = list.index(pair);
                    fault!(
                        "ORDER_WRONG",
                        at,
                        "is not of two activities of the storyline"
                    )
                }));
            } else {
                valid.push((pair, first, second));
            }
        }
        let pairs = valid.iter().map(|&(_, first, second)| (first, second));
        let order = DiGraph::<(), (), usize>::from_edges(pairs);
        let mut component = vec![0; order.node_count()];
        for (index, activities) in kosaraju_scc(&order).into_iter().enumerate() {
            activities
                .into_iter()
                .for_each(|activity| component[activity.index()] = index);
        }
        let mut pairs = valid.into_iter();
        let on_cycle = pairs.find(|&(_, first, second)| component[first] == component[second]);
        if let Some((pair, _, activity)) = on_cycle {
            wrong.push(in_policy(policy, |at| {
                let list = at.field("orders");
                let (at, activity) = (list.index(pair), element("activity", activity));
                fault!(
                    "ORDER_CIRCLE",
                    at,
                    "is part of a cycle through {}",
                    activity
                )
            }));
        }
    }

    fn bounds(&self, wrong: &mut Vec<Fault>) {
        let policy = self.at;
        for (entry, kept) in self.policy.bounds.iter().enumerate() {
            let near = (-TIME_FAR_US..=TIME_FAR_US).contains(&kept.upper_us);
            let apart = kept.from != kept.to;
            if !near || !apart || !self.node(kept.from) || !self.node(kept.to) {
                wrong.push(in_policy(policy, |at| {
                    let dispatch = at.field("dispatch");
                    let list = dispatch.field("bounds");
                    let at = list.index(entry);
                    fault!(
                        "KEPT_WRONG",
                        at,
                        "is not between two events of the storyline, or too large"
                    )
                }));
            }
        }
    }

    fn waits(&self, wrong: &mut Vec<Fault>) {
        let policy = self.at;
        for (entry, wait) in self.policy.waits.iter().enumerate() {
            let near = (-TIME_FAR_US..=TIME_FAR_US).contains(&wait.least_us);
            let ours = wait.node != ORIGIN && self.node(wait.node);
            if !near || !ours || !self.link(wait.contingent) {
                wrong.push(in_policy(policy, |at| {
                    let dispatch = at.field("dispatch");
                    let list = dispatch.field("waits");
                    let at = list.index(entry);
                    fault!(
                        "WAIT_WRONG",
                        at,
                        "is not of an event for a link of the storyline, or too long"
                    )
                }));
            }
        }
    }

    fn hand_overs(&self, wrong: &mut Vec<Fault>) {
        let policy = self.at;
        let needs = |activity: usize, resource: usize| {
            let given = self.narrative.spec().activities.get(activity);
            let mut demands = given.iter().flat_map(|given| &given.demands);
            self.activity(activity) && demands.any(|demand| demand.resource == resource)
        };
        for (entry, given) in self.policy.hand_overs.iter().enumerate() {
            let from = given.from.is_none_or(|from| needs(from, given.resource));
            if given.amount == 0 || !from || !needs(given.to, given.resource) {
                wrong.push(faults::hand_over_wrong(policy, entry));
            }
        }
    }
}
