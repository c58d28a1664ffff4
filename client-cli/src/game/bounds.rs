//! The network by numbers.

pub(super) use crate::dispatch::NONE;
use crate::moves::Named;
use std::collections::BTreeMap;
use stratagem_proto::v1::{TemporalAgentKind, TemporalNetwork};
use stratagem_render::temporal::link_ids;
use stratagem_render::time::micros;

/// Events of a network that can be played, at most: that of the service.
const EVENTS_MAX: usize = 1_000;

/// Who makes an event happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// We do, by plan.
    Us,
    /// A teammate does, within what the rules allow.
    Teammate,
    /// Nature does, within the range of contingent link number so and so.
    Nature(usize),
}

/// A bound on the difference of two events, in microseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constraint {
    /// Id of the link.
    pub id: String,
    /// Index of an event; the number of events is the origin.
    pub from: usize,
    /// Index of another.
    pub to: usize,
    /// At least; far below 0 where there is no bound.
    pub lower_us: i64,
    /// At most; far above 0 where there is no bound.
    pub upper_us: i64,
}

/// Who may do what, and what must be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Ids, in the order of the network.
    pub events: Vec<String>,
    /// Who makes each event happen.
    pub owners: Vec<Owner>,
    /// Everything that must be kept, the horizon included.
    pub requirements: Vec<Constraint>,
    /// What Nature keeps.
    pub contingent: Vec<Constraint>,
    /// Largest difference `time(column) - time(row)` that all bounds together allow, row by row,
    /// the origin last. Empty without teammates.
    pub(super) closure: Vec<i64>,
}

/// Why a network cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    /// There are too many.
    #[error("{0} events, at most {EVENTS_MAX} can be played")]
    TooMany(usize),
    /// A link leads nowhere.
    #[error("there is no event `{0}`")]
    NoEvent(String),
}

impl Named for Rules {
    fn events(&self) -> &[String] {
        &self.events
    }
}

impl Rules {
    /// The rules of a network.
    ///
    /// # Errors
    /// The first mistake; the service finds them all.
    pub fn new(network: &TemporalNetwork) -> Result<Self, Mistake> {
        let count = network.events.len();
        if count > EVENTS_MAX {
            return Err(Mistake::TooMany(count));
        }
        let origin = match network.origin_id.as_str() {
            "" => "origin",
            id => id,
        };
        let events = network.events.iter().enumerate();
        let mut index: BTreeMap<&str, usize> = events.map(|(i, e)| (e.id.as_str(), i)).collect();
        index.insert(origin, count);
        let find = |id: &str| index.get(id).copied().ok_or(Mistake::NoEvent(id.into()));
        let bound = |d: &Option<prost_types::Duration>, none: i64| {
            d.as_ref()
                .map_or(none, |d| micros(Some(d)).clamp(-NONE, NONE))
        };
        let ids = link_ids(network);
        let mut requirements = Vec::new();
        for (link, id) in network.links.iter().zip(ids.requirements) {
            requirements.push(Constraint {
                id,
                from: find(&link.from_event_id)?,
                to: find(&link.to_event_id)?,
                lower_us: bound(&link.lower, -NONE),
                upper_us: bound(&link.upper, NONE),
            });
        }
        if network.horizon_offset.is_some() {
            requirements.extend((0..count).map(|event| Constraint {
                id: "horizon".into(),
                from: count,
                to: event,
                lower_us: 0,
                upper_us: bound(&network.horizon_offset, NONE),
            }));
        }
        let mut contingent = Vec::new();
        for (link, id) in network.contingent_links.iter().zip(ids.contingent) {
            contingent.push(Constraint {
                id,
                from: find(&link.from_event_id)?,
                to: find(&link.to_event_id)?,
                lower_us: bound(&link.lower, 0),
                upper_us: bound(&link.upper, NONE),
            });
        }
        let mut rules = Self {
            events: network.events.iter().map(|e| e.id.clone()).collect(),
            owners: owners(network, &contingent),
            requirements,
            contingent,
            closure: Vec::new(),
        };
        if rules.owners.contains(&Owner::Teammate) {
            rules.closure = rules.close();
        }
        Ok(rules)
    }

    /// Index of the origin in times and constraints.
    #[must_use]
    pub fn origin(&self) -> usize {
        self.events.len()
    }

    /// Least and largest `time(to) - time(from)` that all bounds together allow.
    pub(super) fn range(&self, from: usize, to: usize) -> (i64, i64) {
        let size = self.events.len() + 1;
        (
            -self.closure[to * size + from],
            self.closure[from * size + to],
        )
    }

    /// Floyd-Warshall over all constraints, of whatever owner.
    fn close(&self) -> Vec<i64> {
        let size = self.events.len() + 1;
        let mut closure = vec![NONE; size * size];
        for i in 0..size {
            closure[i * size + i] = 0;
        }
        for c in self.requirements.iter().chain(&self.contingent) {
            let forth = &mut closure[c.from * size + c.to];
            *forth = c.upper_us.min(*forth);
            let back = &mut closure[c.to * size + c.from];
            *back = (-c.lower_us).min(*back);
        }
        let mut row = vec![0; size];
        for via in 0..size {
            row.copy_from_slice(&closure[via * size..(via + 1) * size]);
            for from in 0..size {
                let first = closure[from * size + via];
                if first >= NONE {
                    continue;
                }
                let line = &mut closure[from * size..(from + 1) * size];
                for (known, second) in line.iter_mut().zip(&row) {
                    // Saturated far from the ends of the type, also where bounds contradict.
                    *known = (*known).min((first + second).clamp(-NONE, NONE));
                }
            }
        }
        closure
    }
}

fn owners(network: &TemporalNetwork, contingent: &[Constraint]) -> Vec<Owner> {
    let agents = network.agents.iter().map(|a| (a.id.as_str(), a.kind()));
    let kinds: BTreeMap<_, _> = agents.collect();
    let events = network.events.iter();
    let mut owners: Vec<_> = events
        .map(|e| match kinds.get(e.agent_id.as_str()) {
            Some(TemporalAgentKind::Uncontrollable) => Owner::Teammate,
            _ => Owner::Us,
        })
        .collect();
    for (n, link) in contingent.iter().enumerate() {
        // The origin happens by itself.
        if let Some(owner) = owners.get_mut(link.to) {
            *owner = Owner::Nature(n);
        }
    }
    owners
}
