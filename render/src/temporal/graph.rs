//! A network by numbers: events as indexes, bounds in microseconds.

use super::{Drawn, link_ids};
use crate::time::micros;
use std::collections::{BTreeMap, BTreeSet};
use stratagem_proto::v1::{TemporalAgentKind, TemporalNetwork};

/// Who decides when an event happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// We do.
    Us,
    /// A teammate does.
    Teammate,
    /// Nature does.
    Nature,
}

impl Owner {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Us => "ours",
            Self::Teammate => "a teammate's",
            Self::Nature => "Nature's",
        }
    }

    /// Colours of boxes, and of bars.
    pub(super) fn light(self) -> &'static str {
        match self {
            Self::Us => "#dff3e1",
            Self::Teammate => "#fdeacc",
            Self::Nature => "#ece0f8",
        }
    }

    pub(super) fn strong(self) -> &'static str {
        match self {
            Self::Us => "#2e8b57",
            Self::Teammate => "#d98e04",
            Self::Nature => "#7a3fb0",
        }
    }

    /// An ANSI style.
    pub(super) fn style(self) -> &'static str {
        match self {
            Self::Us => "32",
            Self::Teammate => "33",
            Self::Nature => "35",
        }
    }
}

/// What order a link asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// The first event comes before the second, or with it.
    Before,
    /// Either may come first.
    Any,
    /// Like `Before`; Nature picks the difference.
    Contingent,
}

impl Order {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Before => "comes before",
            Self::Any => "in any order",
            Self::Contingent => "Nature decides how long",
        }
    }
}

/// A link, turned so that its first event is not the later one where that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    /// Indexes of events; none is the origin.
    pub(super) ends: [Option<usize>; 2],
    /// Bounds of the difference, in microseconds.
    pub(super) lower: Option<i64>,
    pub(super) upper: Option<i64>,
    pub(super) order: Order,
    pub(super) id: String,
    /// Part of the conflict.
    pub(super) clashes: bool,
}

/// A network whose links lead from event to event; those that lead nowhere are left out.
pub(super) struct Graph<'a> {
    /// Ids, in the order of the network. Where two events have one id, links mean the first.
    pub(super) events: Vec<&'a str>,
    pub(super) owners: Vec<Owner>,
    pub(super) links: Vec<Link>,
    /// The end of all things, in microseconds, where there is one.
    pub(super) horizon: Option<i64>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(network: &'a TemporalNetwork, drawn: &Drawn<'_>) -> Self {
        let mut index: BTreeMap<&str, Option<usize>> = BTreeMap::new();
        let origin = match network.origin_id.as_str() {
            "" => "origin",
            id => id,
        };
        index.insert(origin, None);
        for (i, event) in network.events.iter().enumerate() {
            index.entry(&event.id).or_insert(Some(i));
        }
        Self {
            events: network.events.iter().map(|e| e.id.as_str()).collect(),
            owners: owners(network, &index),
            links: links(network, &index, drawn),
            horizon: network.horizon_offset.as_ref().map(|h| micros(Some(h))),
        }
    }
}

fn owners(network: &TemporalNetwork, index: &BTreeMap<&str, Option<usize>>) -> Vec<Owner> {
    let agents = network.agents.iter().map(|a| (a.id.as_str(), a.kind()));
    let kinds: BTreeMap<_, _> = agents.collect();
    let owner = |agent: &str| match kinds.get(agent) {
        Some(TemporalAgentKind::Uncontrollable) => Owner::Teammate,
        _ => Owner::Us,
    };
    let events = network.events.iter();
    let mut owners: Vec<_> = events.map(|e| owner(&e.agent_id)).collect();
    for link in &network.contingent_links {
        if let Some(Some(i)) = index.get(link.to_event_id.as_str()) {
            owners[*i] = Owner::Nature;
        }
    }
    owners
}

fn links(
    network: &TemporalNetwork,
    index: &BTreeMap<&str, Option<usize>>,
    drawn: &Drawn<'_>,
) -> Vec<Link> {
    let members = drawn.conflict.map_or(&[][..], |c| &c.members);
    let clashing: BTreeSet<&str> = members
        .iter()
        .flat_map(|m| m.link_ids.iter().map(String::as_str))
        .collect();
    let ids = link_ids(network);
    let between = |from: &str, to: &str| Some([*index.get(from)?, *index.get(to)?]);
    let bound = |d: &Option<prost_types::Duration>| d.as_ref().map(|d| micros(Some(d)));
    let required = network.links.iter().zip(ids.requirements);
    let required = required.filter_map(|(link, id)| {
        let ends = between(&link.from_event_id, &link.to_event_id)?;
        let clashes = clashing.contains(id.as_str());
        let (lower, upper) = (bound(&link.lower), bound(&link.upper));
        Some(turned(ends, lower, upper, id, clashes))
    });
    let contingent = network.contingent_links.iter().zip(ids.contingent);
    let contingent = contingent.filter_map(|(link, id)| {
        Some(Link {
            ends: between(&link.from_event_id, &link.to_event_id)?,
            lower: bound(&link.lower),
            upper: bound(&link.upper),
            order: Order::Contingent,
            clashes: clashing.contains(id.as_str()),
            id,
        })
    });
    required.chain(contingent).collect()
}

/// A requirement with its earlier event first, where that is known.
fn turned(
    [from, to]: [Option<usize>; 2],
    lower: Option<i64>,
    upper: Option<i64>,
    id: String,
    clashes: bool,
) -> Link {
    let before = lower.is_some_and(|l| l >= 0);
    let after = !before && upper.is_some_and(|u| u <= 0);
    let (ends, lower, upper) = if after {
        let negated = |b: Option<i64>| b.map(i64::saturating_neg);
        ([to, from], negated(upper), negated(lower))
    } else {
        ([from, to], lower, upper)
    };
    let order = if before || after {
        Order::Before
    } else {
        Order::Any
    };
    Link {
        ends,
        lower,
        upper,
        order,
        id,
        clashes,
    }
}
