//! A dispatchable network by event.

use super::network::{DispatchableNetwork, NetworkError};
use crate::Edge;
use crate::arcs::Arcs;
use crate::uncertain::{Contingent, Wait};

/// A bound of 0: `other` is not after the event. Both may happen simultaneously.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    /// The event that is not before `other`.
    pub(super) event: u32,
    /// The event that is not after it.
    pub(super) other: u32,
    /// The event of ours whose execution is enough: `other`, or what starts it where it ends
    /// links that last 0.
    pub(super) with: Option<u32>,
}

/// The network, so that what one event is about is in one row.
#[derive(Debug)]
pub(super) struct Rules {
    /// By `from`: the events that a bound limits from above.
    pub(super) later: Arcs,
    /// By `to`: the events that a bound limits from below.
    pub(super) earlier: Arcs,
    pub(super) orders: Vec<Order>,
    /// Orders by `event`, and by `with`.
    pub(super) orders_of: Arcs,
    pub(super) orders_with: Arcs,
    pub(super) waits: Vec<Wait>,
    /// Waits by `event`, by the event that starts their link, and by the one that ends it.
    pub(super) waits_of: Arcs,
    pub(super) waits_from: Arcs,
    pub(super) waits_until: Arcs,
    pub(super) links: Vec<Contingent>,
    pub(super) links_from: Arcs,
    /// By event, the link that ends there: Nature's.
    pub(super) ending_at: Vec<Option<u32>>,
}

impl Rules {
    pub(super) fn new(network: &DispatchableNetwork<'_>) -> Result<Self, NetworkError> {
        let ending_at = network.check()?;
        let (count, links) = (network.events, network.links);
        let arcs = |edges: Vec<Edge>| Arcs::new(count, &edges);
        let edge = |from, to, weight| Edge::new(from, to, weight, 0);
        let bounds = network.bounds.iter().filter(|bound| bound.from != bound.to);
        let zero = bounds.clone().filter(|bound| bound.weight == 0);
        let orders = zero.map(|bound| Order {
            event: bound.from,
            other: bound.to,
            with: executed_with(links, &ending_at, bound.to),
        });
        let orders: Vec<Order> = orders.collect();
        let row = |order: &Order| edge(order.event, order.other, 0);
        // Orders without such an event are in no row that is looked at: those of Nature's events.
        let with = |order: &Order| edge(order.with.unwrap_or(order.other), order.event, 0);
        let link_of = |wait: &Wait| links[wait.link as usize];
        let waits = network.waits.iter();
        Ok(Self {
            later: arcs(
                bounds
                    .clone()
                    .map(|b| edge(b.from, b.to, b.weight))
                    .collect(),
            ),
            earlier: arcs(bounds.map(|b| edge(b.to, b.from, b.weight)).collect()),
            orders_of: arcs(orders.iter().map(row).collect()),
            orders_with: arcs(orders.iter().map(with).collect()),
            orders,
            waits_of: arcs(
                waits
                    .clone()
                    .map(|w| edge(w.event, w.event, w.least))
                    .collect(),
            ),
            waits_from: arcs(
                waits
                    .clone()
                    .map(|w| edge(link_of(w).from, w.event, 0))
                    .collect(),
            ),
            waits_until: arcs(waits.map(|w| edge(link_of(w).to, w.event, 0)).collect()),
            waits: network.waits.to_vec(),
            links_from: arcs(links.iter().map(|l| edge(l.from, l.to, l.upper)).collect()),
            links: links.to_vec(),
            ending_at,
        })
    }

    /// The number of events.
    pub(super) fn events(&self) -> usize {
        self.ending_at.len()
    }

    /// Whether we decide when an event happens.
    pub(super) fn is_ours(&self, event: u32) -> bool {
        self.ending_at[event as usize].is_none()
    }
}

/// The event of ours with which `event` happens for sure: itself, or what starts links that last 0.
fn executed_with(links: &[Contingent], ending_at: &[Option<u32>], event: u32) -> Option<u32> {
    let mut event = event;
    // Links may form a cycle, which never starts.
    for _ in 0..=links.len() {
        let Some(link) = ending_at[event as usize] else {
            return Some(event);
        };
        let link = links[link as usize];
        if link.upper > 0 {
            return None;
        }
        event = link.from;
    }
    None
}
