//! Whether policies go together.

use super::super::explain;
use super::super::joint::{Joint, Skeleton};
use super::super::orders::{Outcome, Question, orders_within};
use super::{Kept, Together, core, worlds};
use crate::verify::JOINT_MAX;
use stn::uncertain::EVENTS_MAX;

/// The result of a check of some policies.
pub(super) enum Checked {
    Kept(Box<Kept>),
    /// They do not go together, and probably these do not either.
    Refuted(Vec<usize>),
    Unknown,
    Stopped,
}

impl Together<'_, '_, '_> {
    /// Whether policies go together, with at most so many conflicts about their orders.
    pub(super) fn check(&mut self, skeletons: &[Skeleton], conflicts: u64) -> Checked {
        match self.work() {
            Ok(true) => {}
            Ok(false) => return Checked::Unknown,
            Err(_) => return Checked::Stopped,
        }
        let (story, go_on) = (self.story, &mut || self.cover.control.go_on());
        let joint = if self.in_worlds {
            worlds::joint(story, skeletons, go_on)
        } else {
            Joint::new_while(story, skeletons, go_on)
        };
        let Some(mut joint) = joint else {
            return Checked::Stopped;
        };
        if !self.in_worlds && (EVENTS_MAX + 1..=JOINT_MAX).contains(&joint.nodes) {
            joint = joint
                .by_components(story, skeletons, go_on)
                .unwrap_or(joint);
        }
        let question = Question {
            story: self.story,
            skeletons,
            joint: &joint,
        };
        match orders_within(&question, conflicts, self.cover.control) {
            Outcome::Found(orders, strategy) => Checked::Kept(Box::new(Kept {
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
                self.is_large |= !self.in_worlds;
                Checked::Unknown
            }
            Outcome::Stopped if self.cover.control.stop().is_some() => Checked::Stopped,
            Outcome::Stopped => Checked::Unknown,
        }
    }
}
