//! Whether policies go together.

use super::super::explain;
use super::super::joint_network::{JointNetwork, PolicyOutline};
use super::super::precedences::{OrderingProblem, Outcome, find_precedences_within};
use super::{JointPolicies, PolicySearch, core, scenarios};
use crate::verify::JOINT_MAX;
use stn::uncertain::EVENTS_MAX;

/// The result of a check of some policies.
pub(super) enum Checked {
    JointPolicies(Box<JointPolicies>),
    /// They do not go together, and probably these do not either.
    Refuted(Vec<usize>),
    Unknown,
    Stopped,
}

impl PolicySearch<'_, '_, '_> {
    /// Whether policies go together, with a limit of conflicts about their orders.
    pub(super) fn check(&mut self, skeletons: &[PolicyOutline], conflicts: u64) -> Checked {
        match self.work() {
            Ok(true) => {}
            Ok(false) => return Checked::Unknown,
            Err(_) => return Checked::Stopped,
        }
        let (story, go_on) = (self.story, &mut || self.cover.control.go_on());
        let joint = if self.in_scenarios {
            scenarios::joint(story, skeletons, go_on)
        } else {
            JointNetwork::new_while(story, skeletons, go_on)
        };
        let Some(mut joint) = joint else {
            return Checked::Stopped;
        };
        if !self.in_scenarios && (EVENTS_MAX + 1..=JOINT_MAX).contains(&joint.nodes) {
            joint = joint
                .by_components(story, skeletons, go_on)
                .unwrap_or(joint);
        }
        let question = OrderingProblem::new(self.story, skeletons, &joint);
        match find_precedences_within(&question, conflicts, self.cover.control) {
            Outcome::Found(orders, strategy) => Checked::JointPolicies(Box::new(JointPolicies {
                skeletons: skeletons.to_vec(),
                orders,
                strategy,
                joint,
            })),
            // Less that is shared might do.
            Outcome::Uncontrollable(_) | Outcome::Overloaded(_) if joint.finest.is_some() => {
                Checked::Unknown
            }
            Outcome::Uncontrollable(proof) => {
                let conflict = explain::uncontrollable(&joint, &proof);
                self.blamed.extend(conflict.members);
                Checked::Refuted(core::named(&joint, &proof))
            }
            Outcome::Overloaded(sets) => {
                let conflict = explain::overloaded(&joint, &sets);
                self.blamed.extend(conflict.members);
                Checked::Refuted((0..skeletons.len()).collect())
            }
            Outcome::TooLarge => {
                self.is_large |= !self.in_scenarios;
                Checked::Unknown
            }
            Outcome::Stopped if self.cover.control.stop().is_some() => Checked::Stopped,
            Outcome::Stopped => Checked::Unknown,
        }
    }
}
