//! A validated network.

mod check;

use anytime::Fault;
use stn::Difference;

pub use stn::progress::Progress;
pub use stn::{Contingent, Link};

/// Microseconds, from the origin where it is a moment.
pub type Micros = i64;

/// Index of a node: 0 is the origin, the event with index e is node e + 1.
pub type Node = usize;

/// The node at which time starts, at 0.
pub const ORIGIN: Node = 0;
/// Most events in a network.
pub const EVENTS_MAX: usize = 1_000;
/// Most requirement links.
pub const LINKS_MAX: usize = 100_000;
/// Most contingent links.
pub const CONTINGENT_MAX: usize = 1_000;
/// Largest magnitude of a bound: ten years of 365 days. A sum over a path of
/// [`EVENTS_MAX`] links is below 2^59.
pub const TIME_MAX_US: Micros = 10 * 365 * 86_400 * 1_000_000;
/// Longest that all contingent links together may last, in microseconds: more than 17 years. Checks
/// about durations add them up.
pub const DURATIONS_MAX_US: Micros = stn::uncertain::BOUND_MAX;

// The engine has limits of its own, none of which is tighter.
const _: () = {
    assert!(TIME_MAX_US <= stn::uncertain::BOUND_MAX);
    assert!(EVENTS_MAX < stn::uncertain::EVENTS_MAX && EVENTS_MAX < stn::NODES_MAX);
    assert!(2 * (LINKS_MAX + EVENTS_MAX) <= stn::uncertain::REQUIREMENTS_MAX);
    assert!(EVENTS_MAX as Micros * (TIME_MAX_US + DURATIONS_MAX_US) < stn::check::FAR / 2);
};

/// The owner of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// We.
    Controllable,
    /// A teammate: it observes events and satisfies each bound that can still be satisfied.
    Uncontrollable,
    /// Nature: the event is the end of a contingent link.
    Nature,
}

/// A network as given: plain data, nothing checked. [`Network::new`] checks it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spec {
    /// Owner of each event.
    pub owners: Vec<Owner>,
    /// Requirements; more than one between the same nodes is fine.
    pub links: Vec<Link>,
    /// Durations that Nature picks.
    pub contingent: Vec<Contingent>,
    /// The horizon: all events happen between the origin and this.
    pub horizon_us: Option<Micros>,
    /// What has happened so far. `None`: the network has not begun.
    pub progress: Option<Progress>,
}

impl Spec {
    /// The bound of a link that a source names, as it is written there, if there is one.
    pub(crate) fn bound_mut(&mut self, source: Source) -> Option<&mut Micros> {
        match source {
            Source::LinkUpper(at) => self.links.get_mut(at)?.upper_us.as_mut(),
            Source::LinkLower(at) => self.links.get_mut(at)?.lower_us.as_mut(),
            Source::ContingentUpper(at) => Some(&mut self.contingent.get_mut(at)?.upper_us),
            Source::ContingentLower(at) => Some(&mut self.contingent.get_mut(at)?.lower_us),
            Source::Horizon(_) | Source::Start(_) => None,
        }
    }
}

/// A valid network. It need not be consistent: that is a question of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    spec: Spec,
}

/// The source of a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Upper bound of the requirement link with this index.
    LinkUpper(usize),
    /// Lower bound of the requirement link with this index.
    LinkLower(usize),
    /// Upper bound of the contingent link with this index.
    ContingentUpper(usize),
    /// Lower bound of the contingent link with this index.
    ContingentLower(usize),
    /// The event with this node happens by the horizon, or has happened.
    Horizon(Node),
    /// The event with this node happens at or after the origin, since there is a horizon; or it has
    /// happened, or does not happen before now.
    Start(Node),
}

/// A bound: `time(to) - time(from) <= weight`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// The node counted from.
    pub from: Node,
    /// The node that is bounded.
    pub to: Node,
    /// Largest difference.
    pub weight_us: Micros,
    /// Its source.
    pub source: Source,
}

impl Bound {
    /// The bound without its source.
    pub(crate) fn difference(self) -> Difference {
        Difference::new(self.from, self.to, self.weight_us)
    }
}

impl Network {
    /// Checks a network.
    ///
    /// # Errors
    /// All faults, with their paths in the contract's `TemporalNetwork`.
    pub fn new(spec: Spec) -> Result<Self, Vec<Fault>> {
        let faults = check::faults(&spec);
        if faults.is_empty() {
            Ok(Self { spec })
        } else {
            Err(faults)
        }
    }

    /// Nodes: the events and the origin.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.spec.owners.len() + 1
    }

    /// Owner of an event; `None` for the origin.
    #[must_use]
    pub fn owner(&self, node: Node) -> Option<Owner> {
        node.checked_sub(1).map(|event| self.spec.owners[event])
    }

    /// Owners of all events, by index.
    #[must_use]
    pub fn owners(&self) -> &[Owner] {
        &self.spec.owners
    }

    /// Requirements as given.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.spec.links
    }

    /// Durations that Nature picks.
    #[must_use]
    pub fn contingent(&self) -> &[Contingent] {
        &self.spec.contingent
    }

    /// The horizon.
    #[must_use]
    pub fn horizon_us(&self) -> Option<Micros> {
        self.spec.horizon_us
    }

    /// The specification of the network, to derive others from.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Whether teammates make events happen.
    #[must_use]
    pub fn has_teammates(&self) -> bool {
        self.spec.owners.contains(&Owner::Uncontrollable)
    }

    /// All bounds: of links, of contingent links, and of the horizon, in this order.
    pub fn bounds(&self) -> impl Iterator<Item = Bound> + '_ {
        let links = 0..self.spec.links.len();
        let links = links.flat_map(|link| [Source::LinkUpper(link), Source::LinkLower(link)]);
        let contingent = 0..self.spec.contingent.len();
        let contingent = contingent
            .flat_map(|link| [Source::ContingentUpper(link), Source::ContingentLower(link)]);
        let events = 1..self.nodes();
        let horizon = events.flat_map(|node| [Source::Horizon(node), Source::Start(node)]);
        let sources = links.chain(contingent).chain(horizon);
        sources.filter_map(|source| self.bound(source))
    }

    /// The bound that a source names, if the network has it.
    #[must_use]
    pub(crate) fn bound(&self, source: Source) -> Option<Bound> {
        let (links, contingent) = (&self.spec.links, &self.spec.contingent);
        let (from, to, weight_us) = match source {
            Source::LinkUpper(at) => {
                let link = links.get(at)?;
                (link.from, link.to, link.upper_us?)
            }
            Source::LinkLower(at) => {
                let link = links.get(at)?;
                (link.to, link.from, -link.lower_us?)
            }
            Source::ContingentUpper(at) => {
                let link = contingent.get(at)?;
                (link.from, link.to, link.upper_us)
            }
            Source::ContingentLower(at) => {
                let link = contingent.get(at)?;
                (link.to, link.from, -link.lower_us)
            }
            Source::Horizon(node) => (ORIGIN, node, self.range(node)?.1?),
            Source::Start(node) => (node, ORIGIN, -self.range(node)?.0),
        };
        Some(Bound {
            from,
            to,
            weight_us,
            source,
        })
    }

    /// The earliest and the latest time of an event by the horizon and by what has happened;
    /// `None`: neither limits it.
    fn range(&self, node: Node) -> Option<(Micros, Option<Micros>)> {
        let event = node.checked_sub(1)?;
        self.spec.owners.get(event)?;
        let horizon_us = self.spec.horizon_us;
        match &self.spec.progress {
            None => horizon_us.map(|end_us| (0, Some(end_us))),
            Some(progress) => Some(match progress.times_us[event] {
                Some(time_us) => (time_us, Some(time_us)),
                None => (progress.now_us, horizon_us),
            }),
        }
    }
}
