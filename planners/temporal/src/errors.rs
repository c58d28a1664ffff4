//! Validation errors of a network.

use crate::problem::{
    CONTINGENT_MAX, DURATIONS_MAX_US, EVENTS_MAX, LINKS_MAX, Micros, Node, TIME_MAX_US,
};

/// Which list a link is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkIndex {
    /// The requirement link with this index.
    Link(usize),
    /// The contingent link with this index.
    Contingent(usize),
}

impl std::fmt::Display for LinkIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Link(index) => write!(f, "link {index}"),
            Self::Contingent(index) => write!(f, "contingent link {index}"),
        }
    }
}

/// A validation error of a network. Variants name the element at fault by index; nodes
/// count the origin as 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum NetworkError {
    /// Nothing happens.
    #[error("there are no events")]
    NoEvents,
    /// More events than supported.
    #[error("{given} events given, at most {EVENTS_MAX} are supported")]
    TooManyEvents { given: usize },
    /// More links than supported.
    #[error("{given} links given, at most {LINKS_MAX} are supported")]
    TooManyLinks { given: usize },
    /// More contingent links than supported.
    #[error("{given} contingent links given, at most {CONTINGENT_MAX} are supported")]
    TooManyContingent { given: usize },
    /// A link from or to a node that does not exist.
    #[error("{which} names node {node}, but there are only {nodes}")]
    UnknownNode {
        which: LinkIndex,
        node: Node,
        nodes: usize,
    },
    /// A link from a node to itself.
    #[error("{which} leads from node {node} to itself")]
    SelfLoop { which: LinkIndex, node: Node },
    /// A requirement without any bound.
    #[error("link {link} has no bound")]
    Unbounded { link: usize },
    /// A lower bound above the upper bound.
    #[error("{which} has lower bound {lower_us} us, above its upper bound {upper_us} us")]
    Reversed {
        which: LinkIndex,
        lower_us: Micros,
        upper_us: Micros,
    },
    /// A bound that is too large.
    #[error("{which} has a bound of {given_us} us, outside of {TIME_MAX_US} us either way")]
    BoundOutOfRange { which: LinkIndex, given_us: Micros },
    /// A horizon before the origin or too late.
    #[error("the horizon is {given_us} us, outside of 0 to {TIME_MAX_US} us")]
    HorizonOutOfRange { given_us: Micros },
    /// A duration that Nature picks below 0.
    #[error("contingent link {contingent} may take {lower_us} us, less than nothing")]
    NegativeDuration { contingent: usize, lower_us: Micros },
    /// A contingent link that ends at an event of somebody else, or at the origin.
    #[error("contingent link {contingent} ends at node {node}, which is not Nature's")]
    NotNatures { contingent: usize, node: Node },
    /// Two contingent links that end at one event.
    #[error("contingent links {first} and {second} end at the same node {node}")]
    TwoContingent {
        first: usize,
        second: usize,
        node: Node,
    },
    /// An event of Nature at which no contingent link ends.
    #[error("node {node} is Nature's, but no contingent link ends there")]
    NoContingent { node: Node },
    /// Contingent links that form a cycle.
    #[error("contingent link {contingent} is part of a cycle of contingent links")]
    ContingentCycle { contingent: usize },
    /// Durations that together take too long.
    #[error(
        "with contingent link {contingent} the longest durations add up to {sum_us} us, beyond \
         {DURATIONS_MAX_US} us"
    )]
    DurationsTooLong { contingent: usize, sum_us: Micros },
    /// Teammates and Nature in one network.
    #[error("there are events of teammates (node {teammate}) and of Nature (node {nature})")]
    TeammatesAndNature { teammate: Node, nature: Node },
    /// An event that has no earliest or no latest time, in a network with teammates.
    #[error("node {node} has no {missing} time: a link to it or a horizon is needed")]
    NoWindow { node: Node, missing: Missing },
}

/// Which end of a window is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// No earliest time follows from the links.
    Earliest,
    /// No latest time follows from the links.
    Latest,
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Earliest => "earliest",
            Self::Latest => "latest",
        })
    }
}
