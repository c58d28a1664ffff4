//! The stories that are dispatched together.

use super::super::story_tree::{Set, StoryTree};
use super::super::strands::Strands;
use crate::plan::Plan;
use crate::problem::{Narrative, Node};
use std::borrow::Cow;

/// One story with all policies, or one for each group with its own.
pub(crate) struct PlanParts<'a> {
    pub(crate) narrative: &'a Narrative,
    pub(crate) plan: &'a Plan,
    pub(crate) parts: Vec<PlanPart<'a>>,
    /// Policies of two groups, each with the policies of single groups that it is about.
    pub(crate) pairs: Cow<'a, [(usize, [usize; 2])]>,
}

/// A story, and the policies for it.
pub(crate) struct PlanPart<'a> {
    pub(crate) story: &'a StoryTree<'a>,
    pub(crate) plan: &'a Plan,
    /// By policy its index among all.
    pub(crate) at: Cow<'a, [usize]>,
}

impl<'a> PlanParts<'a> {
    /// One story.
    pub(in crate::verify) fn of_story(story: &'a StoryTree<'a>, plan: &'a Plan) -> Self {
        let part = PlanPart {
            story,
            plan,
            at: (0..plan.policies.len()).collect(),
        };
        Self {
            narrative: story.narrative,
            plan,
            parts: vec![part],
            pairs: Cow::default(),
        }
    }

    /// The strands of groups. `stories`: of each of them.
    pub(in crate::verify) fn of_strands(
        narrative: &'a Narrative,
        plan: &'a Plan,
        strands: &'a Strands<'_>,
        stories: &'a [StoryTree<'a>],
    ) -> Self {
        let parts = strands
            .parts
            .iter()
            .zip(stories)
            .map(|(part, story)| PlanPart {
                story,
                plan: &part.plan,
                at: Cow::from(&part.at),
            });
        Self {
            narrative,
            plan,
            parts: parts.collect(),
            pairs: strands
                .pairs
                .iter()
                .map(|pair| (pair.at, pair.of))
                .collect(),
        }
    }

    /// Whether to go on.
    pub(super) fn goes_on(&self) -> bool {
        self.parts.iter().all(|part| part.story.goes_on())
    }

    /// By policy the nodes that it says something about: not those of other groups.
    pub(super) fn concerns(&self) -> Vec<Set> {
        let nodes = self.narrative.nodes();
        if self.parts.len() == 1 {
            return vec![Set::full(nodes); self.plan.policies.len()];
        }
        let mut all = vec![Set::empty(nodes); self.plan.policies.len()];
        for part in &self.parts {
            let has = |node: &Node| part.story.narrative.contains(*node);
            for &policy in &*part.at {
                (0..nodes)
                    .filter(has)
                    .for_each(|node| all[policy].insert(node));
            }
        }
        for (policy, [one, other]) in &*self.pairs {
            let mut both = all[*one].clone();
            both.add(&all[*other]);
            all[*policy] = both;
        }
        all
    }
}
