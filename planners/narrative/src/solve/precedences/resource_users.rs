//! Activities that use a resource, and the precedences between them.

use super::super::joint_network::{ABSENT, JointNetwork, PolicyOutline};
use super::super::story::Story;
use super::OrderingProblem;
use crate::problem::Micros;
use std::collections::BTreeMap;
use stn::Edge;

/// Two nodes of the joint network: what ends at the first comes before what starts at the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Precedence {
    pub(crate) end: u32,
    pub(crate) start: u32,
}

impl Precedence {
    /// The order that an edge of the joint network keeps.
    pub(crate) fn from_edge(edge: &Edge) -> Self {
        Self {
            end: edge.to,
            start: edge.from,
        }
    }
}

/// An activity that needs a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct User {
    pub(crate) activity: usize,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) amount: u32,
    /// It never gives back what it needs.
    pub(crate) consumed: bool,
}

/// All who need one resource in one policy.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ResourceUsers {
    pub(crate) resource: usize,
    pub(crate) capacity: u32,
    pub(crate) users: Vec<User>,
}

impl ResourceUsers {
    /// Whether all of them fit at once.
    pub(crate) fn fits(&self) -> bool {
        let all = self.users.iter().map(|user| u64::from(user.amount));
        all.sum::<u64>() <= u64::from(self.capacity)
    }

    /// All users by their start; among those that start together first the ones that give back
    /// immediately, last the ones that never do.
    pub(crate) fn turns(&self, when: impl Fn(u32) -> Micros) -> Vec<usize> {
        let mut turns: Vec<usize> = (0..self.users.len()).collect();
        turns.sort_by_key(|&user| {
            let User {
                start,
                end,
                consumed,
                ..
            } = self.users[user];
            (when(start), consumed, when(end) > when(start), user)
        });
        turns
    }

    /// What puts the first of two users before the second.
    pub(crate) fn order(&self, first: usize, second: usize) -> Option<Precedence> {
        let (first, second) = (&self.users[first], &self.users[second]);
        (!first.consumed).then_some(Precedence {
            end: first.end,
            start: second.start,
        })
    }
}

/// All who compete for something, none twice: in one policy, or in strands of several groups.
pub(crate) fn competing(question: &OrderingProblem<'_>) -> Vec<ResourceUsers> {
    let OrderingProblem {
        story,
        skeletons,
        joint,
    } = question;
    let mut all: Vec<ResourceUsers> = match &joint.strands {
        Some(groups) => groups.shares.clone(),
        None => shares(story, joint, skeletons)
            .into_iter()
            .flatten()
            .collect(),
    };
    all.retain(|share| !share.fits());
    all.sort_unstable();
    all.dedup();
    all
}

/// Who shares what, policy by policy and resource by resource.
pub(crate) fn shares(
    story: &Story<'_>,
    joint: &JointNetwork,
    skeletons: &[PolicyOutline],
) -> Vec<Vec<ResourceUsers>> {
    let spec = story.narrative.spec();
    let mut all = Vec::new();
    for (place, skeleton) in joint.place.iter().zip(skeletons) {
        let mut users: BTreeMap<usize, Vec<User>> = BTreeMap::new();
        for activity in story.activities(skeleton.line) {
            let given = &spec.activities[activity];
            if [given.start, given.end]
                .map(|node| place[node])
                .contains(&ABSENT)
            {
                continue;
            }
            for demand in &given.demands {
                users.entry(demand.resource).or_default().push(User {
                    activity,
                    start: place[given.start],
                    end: place[given.end],
                    amount: demand.amount,
                    consumed: demand.consumed,
                });
            }
        }
        let share = |(resource, users)| ResourceUsers {
            resource,
            capacity: spec.resources[resource].capacity,
            users,
        };
        all.push(users.into_iter().map(share).collect());
    }
    all
}
