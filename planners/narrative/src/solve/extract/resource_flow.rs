//! Resource flow of a policy, and its peaks.

use super::super::precedences::{ResourceUsers, flow};
use super::distances;
use crate::plan::{HandOver, Policy};
use stn::Closure;

/// Adds the hand-overs of a policy, and raises the peaks to its needs. Nodes are those of the
/// closure.
pub(super) fn hand_overs(
    own: &Closure,
    shares: &[ResourceUsers],
    policy: &mut Policy,
    peaks: &mut [u32],
) {
    for share in shares {
        let flow = flow(&distances(own), share);
        let resource = share.resource;
        let weight = u32::try_from(flow.weight()).unwrap_or(u32::MAX);
        peaks[resource] = peaks[resource].max(weight);
        let activity = |user: usize| share.users[user].activity;
        for (to, _) in share.users.iter().enumerate() {
            let amount = flow.stock_for(to);
            if amount > 0 {
                policy.hand_overs.push(HandOver {
                    resource,
                    from: None,
                    to: activity(to),
                    amount,
                });
            }
        }
        let passed = flow.passed().map(|(from, to, amount)| HandOver {
            resource,
            from: Some(activity(from)),
            to: activity(to),
            amount,
        });
        policy.hand_overs.extend(passed);
    }
    policy.hand_overs.sort_unstable();
}
