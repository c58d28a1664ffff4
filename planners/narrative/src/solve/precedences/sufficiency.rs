//! Whether known precedences resolve all resource conflicts.

use super::critical_sets::flow;
use super::temporal_closures::networks;
use super::{OrderingProblem, ResourceUsers, competing, short};
use stn::uncertain::Strategy;
use stn::{Closure, Edge};

/// Whether a strategy with these orders overloads no resource; `None`: stopped.
///
/// Orders of other times need not be: what shorter durations made sure, and what was therefore
/// never ordered, longer ones may not.
pub(crate) fn is_sufficient(
    question: &OrderingProblem<'_>,
    orders: &[Edge],
    strategy: &Strategy,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<bool> {
    let joint = question.joint;
    let mut edges: Vec<Edge> = networks(joint).swap_remove(0);
    edges.extend_from_slice(orders);
    let watches = strategy.bounds().iter();
    edges.extend(watches.map(|watch| Edge::new(watch.from, watch.to, watch.weight, 0)));
    let closed = Closure::new_within(joint.nodes, &edges, go_on);
    let closure = closed.expect("what is controllable has a solution")?;
    let most = |from: u32, to: u32| closure.row(from as usize)[to as usize];
    if let Some(sets) = short(question) {
        let apart = |order: &super::Precedence| most(order.start, order.end) <= 0;
        return Some(sets.iter().all(|set| set.orders.iter().any(apart)));
    }
    let shares = competing(question);
    let fits = |share: &ResourceUsers| flow(&most, share).weight() <= u64::from(share.capacity);
    Some(shares.iter().all(fits))
}
