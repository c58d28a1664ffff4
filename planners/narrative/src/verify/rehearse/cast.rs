//! Whose stories are played together.

use super::super::story::{Set, Story};
use super::super::strands::Strands;
use crate::plan::Plan;
use crate::problem::{Narrative, Node};

/// One story with all policies, or one for each group with its own.
pub(in crate::verify) struct Cast<'a> {
    pub(super) narrative: &'a Narrative,
    pub(super) plan: &'a Plan,
    pub(super) roles: Vec<Role<'a>>,
    /// Policies of two groups, each with the policies of single groups that it is about.
    pub(super) pairs: Vec<(usize, [usize; 2])>,
}

/// A story, and the policies for it.
pub(super) struct Role<'a> {
    pub(super) story: &'a Story<'a>,
    pub(super) plan: &'a Plan,
    /// By policy its index among all.
    pub(super) at: Vec<usize>,
}

impl<'a> Cast<'a> {
    /// One story.
    pub(in crate::verify) fn of_one(story: &'a Story<'a>, plan: &'a Plan) -> Self {
        let role = Role {
            story,
            plan,
            at: (0..plan.policies.len()).collect(),
        };
        Self {
            narrative: story.narrative,
            plan,
            roles: vec![role],
            pairs: Vec::new(),
        }
    }

    /// The strands of groups. `stories`: of each of them.
    pub(in crate::verify) fn of_strands(
        narrative: &'a Narrative,
        plan: &'a Plan,
        strands: &'a Strands<'_>,
        stories: &'a [Story<'a>],
    ) -> Self {
        let roles = strands.parts.iter().zip(stories).map(|(part, story)| Role {
            story,
            plan: &part.plan,
            at: part.at.clone(),
        });
        Self {
            narrative,
            plan,
            roles: roles.collect(),
            pairs: strands
                .pairs
                .iter()
                .map(|pair| (pair.at, pair.of))
                .collect(),
        }
    }

    /// Whether to go on.
    pub(super) fn goes_on(&self) -> bool {
        self.roles.iter().all(|role| role.story.goes_on())
    }

    /// By policy the nodes that it says something about: not those of other groups.
    pub(super) fn concerns(&self) -> Vec<Set> {
        let nodes = self.narrative.nodes();
        if self.roles.len() == 1 {
            return vec![Set::all(nodes); self.plan.policies.len()];
        }
        let mut all = vec![Set::none(nodes); self.plan.policies.len()];
        for role in &self.roles {
            let has = |node: &Node| role.story.narrative.has(*node);
            for &policy in &role.at {
                (0..nodes)
                    .filter(has)
                    .for_each(|node| all[policy].insert(node));
            }
        }
        for (policy, [one, other]) in &self.pairs {
            let mut both = all[*one].clone();
            both.add(&all[*other]);
            all[*policy] = both;
        }
        all
    }
}
