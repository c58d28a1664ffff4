//! Why a problem makes no sense.

use crate::problem::{DAMAGE_MAX_MICRO, TIME_MAX_US};
use std::fmt::{Display, Formatter, Result};

/// One reason why a problem makes no sense. Variants name the element at fault by kind and index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum ProblemError {
    /// Too few or too many of something.
    #[error("{given} {what} given, {least} to {most} are supported")]
    Count {
        what: Count,
        given: usize,
        least: usize,
        most: usize,
    },
    /// An element that names a vertex that does not exist.
    #[error("{place} is vertex {vertex}, but there are only {vertices}")]
    UnknownVertex {
        place: Place,
        vertex: usize,
        vertices: usize,
    },
    /// An arc from a vertex to itself.
    #[error("arc {arc} leads from a vertex to itself")]
    ArcToItself { arc: usize },
    /// Two arcs between the same vertices in the same direction.
    #[error("arc {arc} leads between the same vertices as arc {first}")]
    ArcRepeated { arc: usize, first: usize },
    /// A time out of range.
    #[error("{which} takes {given_us} us, outside of {least_us} to {TIME_MAX_US}")]
    Time {
        which: Which,
        given_us: u64,
        least_us: u64,
    },
    /// A damage out of range.
    #[error(
        "{which} does {given_micro} millionths of damage, at most {DAMAGE_MAX_MICRO} are supported"
    )]
    Damage { which: Which, given_micro: u64 },
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Vertices.
    Vertices,
    /// Arcs.
    Arcs,
    /// Players.
    Players,
    /// Tools.
    Tools,
    /// Events.
    Events,
    /// Efforts of an event.
    Efforts(usize),
}

/// What names a vertex, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Where an arc begins.
    From(usize),
    /// Where an arc ends.
    To(usize),
    /// Where a player stands.
    Player(usize),
    /// Where a tool lies.
    Tool(usize),
    /// Where an event is.
    Event(usize),
}

/// What has a time or a damage, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// An arc; of damages see the next two.
    Arc(usize),
    /// An arc on the way to a tool.
    Fetch(usize),
    /// An arc on the way to the event.
    Carry(usize),
    /// An event, and an effort of it.
    Effort(usize, usize),
    /// The limit for all.
    Limit,
}

impl Display for Count {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Vertices => f.write_str("vertices"),
            Self::Arcs => f.write_str("arcs"),
            Self::Players => f.write_str("players"),
            Self::Tools => f.write_str("tools"),
            Self::Events => f.write_str("events"),
            Self::Efforts(event) => write!(f, "efforts of event {event}"),
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::From(arc) => write!(f, "the beginning of arc {arc}"),
            Self::To(arc) => write!(f, "the end of arc {arc}"),
            Self::Player(player) => write!(f, "the place of player {player}"),
            Self::Tool(tool) => write!(f, "the place of tool {tool}"),
            Self::Event(event) => write!(f, "the place of event {event}"),
        }
    }
}

impl Display for Which {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Arc(arc) => write!(f, "arc {arc}"),
            Self::Fetch(arc) => write!(f, "arc {arc}, on the way to a tool,"),
            Self::Carry(arc) => write!(f, "arc {arc}, on the way to the event,"),
            Self::Effort(event, effort) => write!(f, "effort {effort} of event {event}"),
            Self::Limit => f.write_str("the limit"),
        }
    }
}
