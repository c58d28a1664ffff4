//! Claimed flexibilities of durations.

use super::super::network::{of_policy, possible};
use super::super::resources::Users;
use super::super::{TIME_FAR_US, faults};
use super::{Claims, reduced};
use crate::plan::{Flexibility, Policy};
use crate::problem::{Contingent, Micros};
use anytime::Fault;
use stn::check::{Closure, Network, controllable};

/// An end of a duration, and where it is and goes.
#[derive(Debug, Clone, Copy)]
enum End {
    Shortest(Micros, Micros),
    Longest(Micros, Micros),
}

impl End {
    /// Moves the end of a duration, if it is the one; whether it was.
    fn moved(self, link: &mut Contingent) -> bool {
        match self {
            Self::Shortest(from, to) if link.lower_us == from => link.lower_us = to,
            Self::Longest(from, to) if link.upper_us == from => link.upper_us = to,
            _ => return false,
        }
        true
    }
}

impl Claims<'_> {
    /// Stretches with which the plan fails, whatever times it had.
    ///
    /// Shared nodes stay as they are. Activities with a guaranteed order that do not all fit
    /// simultaneously retain it, so that nothing new is overloaded: what may overlap is at most
    /// what could before.
    pub(super) fn flexibilities(&self) -> Vec<Fault> {
        let policies = self.plan.policies.iter().enumerate();
        let relaxed = policies.map(|(at, policy)| match self.closures.get(at) {
            Some(closure) => Some(self.relaxed(policy, closure)),
            // Too large to be kept.
            None => {
                let closure = Closure::new(&self.own[at], self.story.go_on)?;
                Some(self.relaxed(policy, &closure))
            }
        });
        // All are consistent: only a stop keeps one from having a closure.
        let Some(relaxed) = relaxed.collect::<Option<Vec<Network>>>() else {
            return Vec::new();
        };
        let flexibilities = self.plan.flexibilities.iter().enumerate();
        let flexibilities = flexibilities.take_while(|_| self.story.goes_on());
        let wrong = flexibilities.filter(|(_, stretch)| !self.tolerates(&relaxed, stretch));
        let wrong =
            wrong.map(|(entry, stretch)| faults::flexibility_wrong(entry, stretch.contingent));
        wrong.collect()
    }

    /// The network of a policy without what it keeps, and with each order that it is sure of.
    fn relaxed(&self, policy: &Policy, closure: &Closure) -> Network {
        let free = Policy {
            bounds: Vec::new(),
            ..policy.clone()
        };
        let mut own = of_policy(self.narrative, &free, TIME_FAR_US);
        let spec = self.narrative.spec();
        for (resource, given) in spec.resources.iter().enumerate() {
            let users = Users::new(self.narrative, policy, closure, resource);
            if users.needed() > u64::from(given.capacity) {
                for (first, second) in users.sequences() {
                    let (end, start) = (spec.activities[first].end, spec.activities[second].start);
                    own.constrain(end, start, Some(0), None);
                }
            }
        }
        own.bounds.sort_unstable();
        own.bounds.dedup();
        // Not thinned yet: what a duration implies it no longer does when it is stretched.
        own
    }

    /// Whether some policy has the link, and all can be kept with either end as far as is claimed.
    fn tolerates(&self, relaxed: &[Network], stretch: &Flexibility) -> bool {
        let (lower, upper) = possible(self.narrative, stretch.contingent);
        let ends = [
            End::Shortest(lower, stretch.shortest_us),
            End::Longest(upper, stretch.longest_us),
        ];
        ends.into_iter().all(|end| {
            let mut own = relaxed.to_vec();
            let duration = own.iter_mut().flat_map(|own| &mut own.contingents);
            let ours = duration.filter(|duration| duration.contingent == stretch.contingent);
            let moved = ours
                .map(|duration| end.moved(&mut duration.link))
                .filter(|moved| *moved);
            if moved.count() == 0 {
                return false;
            }
            let own = reduced(self.story, own);
            controllable(
                &self.joint.network(own.iter(), self.story.go_on),
                self.story.go_on,
            )
            .is_ok()
        })
    }
}
