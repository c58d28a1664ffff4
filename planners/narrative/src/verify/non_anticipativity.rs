//! Non-anticipativity constraints: what depends on a choice waits for it, and for all before it.
//!
//! A dispatcher makes choices in story order, each when all of its moment has happened. Until then
//! it holds back events that only some of the policies have that part there, and events for which
//! each has its own node.

use super::network::outcomes;
use super::story_tree::{Set, StoryTree};
use crate::plan::Policy;
use crate::problem::{Chooser, Node};
use stn::Difference;

/// By policy and node the node of the joint network, if it has it.
type Names = [Vec<Option<Node>>];

/// What the joint network has to keep besides what its policies keep: that nothing is before its
/// turn. Policies are well formed.
pub(super) fn non_anticipativity(
    story: &StoryTree,
    policies: &[Policy],
    names: &Names,
) -> Vec<Difference> {
    let narrative = story.narrative;
    let mut theirs = vec![false; narrative.nodes()];
    for link in &narrative.spec().contingent {
        theirs[link.to] = true;
    }
    let line = |policy: &Policy| {
        let line = story.storyline(&policy.picks);
        line.expect("policies are well formed")
    };
    let turns = Turns {
        story,
        policies,
        names,
        lines: policies.iter().map(line).collect(),
        theirs,
    };
    let mut bounds = Vec::new();
    let mut known = 0;
    for policy in 0..policies.len() {
        if !story.goes_on() {
            break;
        }
        turns.add(policy, &mut bounds);
        // Policies say much of the same: what is kept of it stays small before all have been heard.
        if policy + 1 == policies.len() || bounds.len() > 2 * known + SAID_BETWEEN {
            bounds.sort_unstable();
            bounds.dedup();
            known = bounds.len();
        }
    }
    bounds
}

/// Bounds that may be said before those that were said twice are sorted out.
const SAID_BETWEEN: usize = 1 << 16;

struct Turns<'a> {
    story: &'a StoryTree<'a>,
    policies: &'a [Policy],
    names: &'a Names,
    /// By policy: its storyline.
    lines: Vec<usize>,
    /// By node: whether it ends a contingent link.
    theirs: Vec<bool>,
}

impl Turns<'_> {
    /// What one policy waits for.
    fn add(&self, policy: usize, bounds: &mut Vec<Difference>) {
        let picks = &self.policies[policy].picks;
        // Choices so far at which there is something to choose.
        let mut open = Vec::new();
        for choice in 0..picks.len() {
            if self.story.options(&picks[..choice]).len() < 2 {
                continue;
            }
            open.push(choice);
            let parts = |other: &usize| {
                let theirs = &self.policies[*other].picks;
                theirs[..choice] == picks[..choice] && theirs[choice] != picks[choice]
            };
            let parting: Vec<usize> = (0..self.policies.len()).filter(parts).collect();
            if !parting.is_empty() {
                let first = self.first(policy, &open, &parting);
                let waiting = self.waiting(policy, &parting);
                self.between(policy, &first, &waiting, bounds);
            }
        }
    }

    /// What has to have happened when the last of these choices is made.
    fn first(&self, policy: usize, open: &[usize], parting: &[usize]) -> Set {
        let mut first = Set::empty(self.theirs.len());
        for choice in open {
            let before = &self.policies[policy].picks[..*choice];
            let Some(moment) = self.story.moment(before) else {
                continue;
            };
            let is_players = self.story.chooser(before) == Chooser::Player;
            let counts = |node: &Node| {
                // Where we choose, what we decide in another way for each may come after.
                let same = |other: &usize| self.names[*other][*node] == self.names[policy][*node];
                is_players || self.theirs[*node] || parting.iter().any(same)
            };
            for node in moment.events.members().filter(counts) {
                first.insert(node);
            }
        }
        first
    }

    /// What is held back until it is known whether it will be this policy or another.
    fn waiting(&self, policy: usize, parting: &[usize]) -> Set {
        let mut waiting = Set::empty(self.theirs.len());
        for &other in parting {
            let ruled_out = self.ruled_out(policy, other);
            for (node, name) in self.names[policy].iter().enumerate() {
                let waits = match (name, self.names[other][node]) {
                    (None, _) => false,
                    (_, None) => true,
                    (name, same) if *name == same => false,
                    _ => !self.theirs[node] && !ruled_out.holds(node),
                };
                if waits && self.story.narrative.happened(node).is_none() {
                    waiting.insert(node);
                }
            }
        }
        waiting
    }

    /// The nodes at or before which a link ends of which two policies have no outcome in common.
    fn ruled_out(&self, policy: usize, other: usize) -> Set {
        let narrative = self.story.narrative;
        let mut all = Set::empty(self.theirs.len());
        let named = [policy, other].map(|policy| self.policies[policy].outcomes.iter());
        for contingent in named.into_iter().flatten().map(|named| named.contingent) {
            let link = &narrative.spec().contingent[contingent];
            let of = |policy: usize| outcomes(narrative, &self.policies[policy], contingent);
            let (one, two) = (of(policy), of(other));
            let has = |policy: usize| self.names[policy][link.to].is_some();
            if has(policy) && has(other) && (one.1 < two.0 || two.1 < one.0) {
                let end = || std::iter::once(link.to);
                let mut after = self.story.after_all(self.lines[policy], end());
                after.keep(&self.story.after_all(self.lines[other], end()));
                all.add(&after);
            }
        }
        all
    }

    /// All that waits comes after all that is first, where that is not sure anyway.
    fn between(&self, policy: usize, first: &Set, waiting: &Set, bounds: &mut Vec<Difference>) {
        let own = &self.names[policy];
        for earlier in first.members() {
            let Some(to) = own[earlier] else {
                continue;
            };
            let after = self
                .story
                .after_all(self.lines[policy], std::iter::once(earlier));
            let unsure = waiting.members().filter(|node| !after.holds(*node));
            let from = unsure.filter_map(|node| own[node]);
            bounds.extend(from.map(|from| Difference::new(from, to, 0)));
        }
    }
}
