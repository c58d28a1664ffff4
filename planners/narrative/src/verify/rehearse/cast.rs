//! Whose stories are played together.

use super::super::story::Story;
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
        (narrative, plan): (&'a Narrative, &'a Plan),
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

    /// Whether a policy says anything about a node: not of other groups.
    pub(super) fn concerns(&self, policy: usize, node: Node) -> bool {
        let group = self.narrative.group_of(node);
        let of = || self.narrative.groups_of(&self.plan.policies[policy].picks);
        self.roles.len() == 1 || group.is_none_or(|group| of().contains(&group))
    }
}
