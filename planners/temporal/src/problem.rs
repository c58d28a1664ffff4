//! A validated network.

mod check;

use anytime::Fault;

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

/// A requirement: `lower <= time(to) - time(from) <= upper`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The node counted from.
    pub from: Node,
    /// The node that is bounded.
    pub to: Node,
    /// Least difference. `None`: any.
    pub lower_us: Option<Micros>,
    /// Largest difference. `None`: any.
    pub upper_us: Option<Micros>,
}

/// A duration that Nature picks: `lower <= time(to) - time(from) <= upper`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contingent {
    /// The node counted from.
    pub from: Node,
    /// The end: an event of Nature.
    pub to: Node,
    /// Shortest duration, 0 or above.
    pub lower_us: Micros,
    /// Longest duration.
    pub upper_us: Micros,
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
    /// The event with this node happens by the horizon.
    Horizon(Node),
    /// The event with this node happens at or after the origin, since there is a horizon.
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
        let links = self
            .spec
            .links
            .iter()
            .enumerate()
            .flat_map(|(index, link)| {
                let bound = |from, to, weight_us, source| Bound {
                    from,
                    to,
                    weight_us,
                    source,
                };
                let upper = link
                    .upper_us
                    .map(|upper| bound(link.from, link.to, upper, Source::LinkUpper(index)));
                let lower = link
                    .lower_us
                    .map(|lower| bound(link.to, link.from, -lower, Source::LinkLower(index)));
                [upper, lower].into_iter().flatten()
            });
        let contingent = self.spec.contingent.iter().enumerate();
        let contingent = contingent.flat_map(|(index, link)| {
            [
                Bound {
                    from: link.from,
                    to: link.to,
                    weight_us: link.upper_us,
                    source: Source::ContingentUpper(index),
                },
                Bound {
                    from: link.to,
                    to: link.from,
                    weight_us: -link.lower_us,
                    source: Source::ContingentLower(index),
                },
            ]
        });
        let horizon = self.spec.horizon_us.into_iter().flat_map(|horizon| {
            (1..self.nodes()).flat_map(move |node| {
                [
                    Bound {
                        from: ORIGIN,
                        to: node,
                        weight_us: horizon,
                        source: Source::Horizon(node),
                    },
                    Bound {
                        from: node,
                        to: ORIGIN,
                        weight_us: 0,
                        source: Source::Start(node),
                    },
                ]
            })
        });
        links.chain(contingent).chain(horizon)
    }
}
