//! Non-anticipativity: events that depend on a choice must not precede it.
//!
//! Choices are made in story order. For two policies that part at choice k, an event that only one
//! of them has, or for which each has its own node, is at or after the moments of k and of all
//! earlier open choices. Mostly links imply this; where they do not, edges of weight 0 are added to
//! the joint network.

use super::joint_network::{ABSENT, JointNetwork, PolicyOutline, distinguishing_ends};
use super::policy_search::JointPolicies;
use super::precedences::{OrderingProblem, Outcome, find_precedences};
use super::story::{Fork, Story, Tree};
use crate::plan::{Answer, Cost};
use crate::problem::{Chooser, Node};
use anytime::Control;
use stn::Edge;

/// The same policies, with no option before its turn; `None`: they cannot wait for their turns, it
/// is not known whether they can, or stopped. That is no proof, as other policies may.
pub(super) fn enforced(
    story: &Story<'_>,
    kept: JointPolicies,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<JointPolicies> {
    let go_on = &mut || control.go_on();
    let more = waiting_edges(story, &kept.skeletons, &kept.joint, go_on)?;
    if more.is_empty() {
        return Some(kept);
    }
    let mut joint = kept.joint;
    joint.requirements.extend(more);
    let question = OrderingProblem::new(story, &kept.skeletons, &joint);
    match find_precedences(&question, control) {
        Outcome::Found(orders, strategy) => Some(JointPolicies {
            joint,
            orders,
            strategy,
            skeletons: kept.skeletons,
        }),
        // What the dispatcher may not be able to follow is not offered, also where nobody knows.
        Outcome::Uncontrollable(_) | Outcome::Overloaded(_) => None,
        Outcome::TooLarge | Outcome::Stopped => None,
    }
}

/// The joint network of policies, with no option before its turn. Its bounds beyond
/// [`JointNetwork::new`] have no source: infeasibility proves nothing about the story. `None`:
/// stopped by `go_on`.
pub(super) fn joint_network(
    story: &Story<'_>,
    skeletons: &[PolicyOutline],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<JointNetwork> {
    let mut joint = JointNetwork::new_while(story, skeletons, go_on)?;
    let more = waiting_edges(story, skeletons, &joint, go_on)?;
    joint.requirements.extend(more);
    Some(joint)
}

/// Edges that make events that policies have for themselves wait for all choices up to the one
/// where they part, where no link does so; `None`: stopped.
fn waiting_edges(
    story: &Story<'_>,
    skeletons: &[PolicyOutline],
    joint: &JointNetwork,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Edge>> {
    let mut edges = Vec::new();
    for (policy, skeleton) in skeletons.iter().enumerate() {
        if !go_on() {
            return None;
        }
        let (line, place) = (skeleton.line, &joint.place[policy]);
        let mut before: Vec<&Fork> = Vec::new();
        for fork in forks(&story.tree, line) {
            before.extend((fork.options.len() > 1).then_some(fork));
            let turn = Turn {
                story,
                joint,
                policy,
                line,
                others: parting_policies(story, skeletons, policy, fork),
            };
            if turn.others.is_empty() {
                continue;
            }
            let awaited = turn.awaited(&before);
            for event in (1..place.len()).filter(|event| turn.waits(*event)) {
                let unsaid = awaited
                    .iter()
                    .filter(|earlier| !story.at_or_before(line, **earlier, event));
                edges.extend(unsaid.map(|earlier| Edge::new(place[event], place[*earlier], 0, 0)));
            }
        }
    }
    edges.sort_unstable_by_key(|edge| (edge.from, edge.to));
    edges.dedup_by_key(|edge| (edge.from, edge.to));
    Some(edges)
}

/// The policies that part from one at a choice: index, and where links end of which the two have no
/// outcome in common.
fn parting_policies(
    story: &Story<'_>,
    skeletons: &[PolicyOutline],
    policy: usize,
    fork: &Fork,
) -> Vec<(usize, usize, Vec<Node>)> {
    let pick = |line: usize| story.narrative.storylines()[line][fork.choice];
    let own = &skeletons[policy];
    let others = skeletons.iter().enumerate();
    let others = others.filter(|(_, other)| {
        fork.lines.contains(&other.line) && pick(other.line) != pick(own.line)
    });
    let others = others.map(|(at, other)| (at, other.line, distinguishing_ends(story, own, other)));
    others.collect()
}

/// A policy at a choice where others part from it.
struct Turn<'t> {
    story: &'t Story<'t>,
    joint: &'t JointNetwork,
    policy: usize,
    /// Its storyline.
    line: usize,
    others: Vec<(usize, usize, Vec<Node>)>,
}

impl Turn<'_> {
    fn is_shared(&self, other: usize, node: Node) -> bool {
        let place = self.joint.finest.as_ref().unwrap_or(&self.joint.place);
        place[self.policy][node] == place[other][node]
    }

    /// Whether an event that the policy has depends on a pick: others do not have it, or have
    /// another one, and no duration rules them out before. The ends of contingent links are not
    /// ours to delay.
    fn waits(&self, node: Node) -> bool {
        let places = &self.joint.place;
        if places[self.policy][node] == ABSENT || self.story.narrative.happened(node).is_some() {
            return false;
        }
        self.others.iter().any(|(other, others_line, ends)| {
            let before = |end: &Node| {
                let lines = [self.line, *others_line];
                lines
                    .iter()
                    .all(|line| self.story.at_or_before(*line, *end, node))
            };
            places[*other][node] == ABSENT
                || !self.is_shared(*other, node)
                    && !is_theirs(self.story, node)
                    && !ends.iter().any(before)
        })
    }

    /// The events that choices wait for, except those that are sure to be at or before others: one
    /// of ours that is shared with no policy that parts there may come just after a choice of ours.
    fn awaited(&self, before: &[&Fork]) -> Vec<Node> {
        let mut all: Vec<Node> = Vec::new();
        for fork in before {
            let is_players = fork.chooser == Chooser::Player;
            let is_fixed = |node: Node| {
                let mut others = self.others.iter();
                others.any(|(other, ..)| self.is_shared(*other, node))
            };
            let moment = fork.moment.iter().copied();
            all.extend(
                moment.filter(|node| is_players || is_theirs(self.story, *node) || is_fixed(*node)),
            );
        }
        all.sort_unstable();
        all.dedup();
        let line = self.line;
        let comes_before = |one: Node, next: Node| self.story.at_or_before(line, one, next);
        let last = |node: &Node| {
            !all.iter().any(|other| {
                let is_later = !comes_before(*other, *node) || other > node;
                other != node && comes_before(*node, *other) && is_later
            })
        };
        all.iter().copied().filter(last).collect()
    }
}

fn is_theirs(story: &Story<'_>, node: Node) -> bool {
    let links = &story.narrative.spec().contingent;
    links.iter().any(|link| link.to == node)
}

/// The choices of a storyline, in story order.
fn forks(tree: &Tree, line: usize) -> Vec<&Fork> {
    let mut forks = Vec::new();
    let mut at = Some(tree);
    while let Some(Tree::Fork(fork)) = at {
        forks.push(fork);
        let holds = |option: &&Tree| match option {
            Tree::Line(only) => *only == line,
            Tree::Fork(later) => later.lines.contains(&line),
        };
        at = fork.options.iter().find(holds);
    }
    forks
}
