//! The minimal makespan with given precedences.

use super::joint_network::JointNetwork;
use crate::problem::{Micros, ORIGIN};
use stn::uncertain::{self, Bound, dynamic};
use stn::{Edge, TIME_MAX};

/// Bounds that let all nodes happen by `time`.
pub(crate) fn horizon_edges(joint: &JointNetwork, time: Micros) -> Vec<Edge> {
    let nodes = 1..joint.nodes as u32;
    nodes
        .map(|node| Edge::new(ORIGIN as u32, node, time, u32::MAX))
        .collect()
}

/// The minimum over strategies with these orders, which are controllable, of the time by which
/// everything has happened for sure; `None`: stopped, or beyond the range of the engine.
///
/// Each conflict is a sum that is linear in the time looked for, which rises to where the sum is 0:
/// a few steps instead of a bisection (Dinkelbach, "On nonlinear fractional programming",
/// Management Science 13, 1967). Where a step went too far, because with another time the conflict
/// is none, a bisection follows.
pub(crate) fn minimal_makespan(
    joint: &JointNetwork,
    orders: &[Edge],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Micros> {
    let first = joint.requirements.len() + orders.len();
    // Least time that is not known to fail, largest that fails.
    let (mut low, mut fails) = (0, -1);
    let high = loop {
        let edges = [orders, &horizon_edges(joint, low)].concat();
        let network = joint.network(&edges).ok()?;
        match dynamic(&network, go_on) {
            uncertain::Verdict::Holds(()) => break low,
            uncertain::Verdict::Stopped => return None,
            uncertain::Verdict::Fails(conflict) => {
                let terms = conflict.terms.iter().filter(|term| match term.bound {
                    Bound::Requirement(at) => at >= first,
                    _ => false,
                });
                let times: i64 = terms.map(|term| term.coefficient).sum();
                if times <= 0 {
                    return None;
                }
                fails = low;
                low += (-conflict.value + times - 1) / times;
                if low > TIME_MAX / 2 {
                    return None;
                }
            }
        }
    };
    bisect(joint, orders, fails, high, go_on)
}

fn bisect(
    joint: &JointNetwork,
    orders: &[Edge],
    mut fails: Micros,
    mut holds: Micros,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Micros> {
    // Most often the step was right: one question is enough.
    let mut try_at = holds - 1;
    while fails + 1 < holds {
        let edges = [orders, &horizon_edges(joint, try_at)].concat();
        match dynamic(&joint.network(&edges).ok()?, go_on) {
            uncertain::Verdict::Holds(()) => holds = try_at,
            uncertain::Verdict::Fails(_) => fails = try_at,
            uncertain::Verdict::Stopped => return None,
        }
        try_at = fails + (holds - fails) / 2;
    }
    Some(holds)
}
