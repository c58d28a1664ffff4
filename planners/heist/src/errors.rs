//! Why a world or a problem is invalid.

use crate::museum::{
    CAMERAS_MAX, CONTAINERS_MAX, DELAY_MAX, DOORS_MAX, FITTING_MAX, ITEMS_MAX, MACHINES_MAX,
    ROOMS_MAX, Thing,
};
use crate::world::{AGENTS_MAX, ROUTE_MAX, VISITS_MAX};

/// Whose picture of the world an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picture {
    /// What is true.
    Facts,
    /// What the agent with this index believes.
    Belief(usize),
}

impl std::fmt::Display for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Facts => write!(f, "the facts"),
            Self::Belief(agent) => write!(f, "the belief of agent {agent}"),
        }
    }
}

/// What an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A door, container or machine.
    Thing(Thing),
    /// The camera with this index.
    Camera(usize),
    /// Where the agent with this index is.
    Position(usize),
    /// The items that the agent with this index wants.
    Wanted(usize),
    /// The visit with this index of the agent with this index.
    Visit(usize, usize),
    /// Where the agent with this index wants to be at the end.
    End(usize),
    /// Where the first agent believes the second one to be.
    Seen(usize, usize),
    /// The item with this index, in an agent's picture.
    Item(Picture, usize),
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Thing(thing) => write!(f, "{thing}"),
            Self::Camera(camera) => write!(f, "camera {camera}"),
            Self::Position(agent) => write!(f, "agent {agent}"),
            Self::Wanted(agent) => write!(f, "the goal of agent {agent}"),
            Self::Visit(agent, visit) => write!(f, "visit {visit} of agent {agent}"),
            Self::End(agent) => write!(f, "the end of agent {agent}"),
            Self::Seen(agent, other) => write!(f, "where agent {agent} believes agent {other}"),
            Self::Item(picture, item) => write!(f, "item {item} in {picture}"),
        }
    }
}

/// One reason why a world is invalid. Variants name the element at fault by index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum WorldError {
    /// No room.
    #[error("there are no rooms")]
    NoRooms,
    /// More rooms than supported.
    #[error("{given} rooms given, at most {ROOMS_MAX} are supported")]
    TooManyRooms { given: usize },
    /// More doors than supported.
    #[error("{given} doors given, at most {DOORS_MAX} are supported")]
    TooManyDoors { given: usize },
    /// More containers than supported.
    #[error("{given} containers given, at most {CONTAINERS_MAX} are supported")]
    TooManyContainers { given: usize },
    /// More vending machines than supported.
    #[error("{given} vending machines given, at most {MACHINES_MAX} are supported")]
    TooManyMachines { given: usize },
    /// More cameras than supported.
    #[error("{given} cameras given, at most {CAMERAS_MAX} are supported")]
    TooManyCameras { given: usize },
    /// More items than supported.
    #[error("{given} keys and artifacts given, at most {ITEMS_MAX} are supported")]
    TooManyItems { given: usize },
    /// Nobody, or more agents than supported.
    #[error("{given} agents given, 1 to {AGENTS_MAX} are supported, the burglar first")]
    AgentCount { given: usize },
    /// Something in a room that does not exist.
    #[error("{subject} names room {room}, but there are only {rooms}")]
    UnknownRoom {
        subject: Subject,
        room: usize,
        rooms: usize,
    },
    /// A door from a room to itself.
    #[error("door {door} leads from room {room} to itself")]
    DoorToItself { door: usize, room: usize },
    /// A lock or a goal that names an item that does not exist.
    #[error("{subject} names item {item}, but there are only {items}")]
    UnknownItem {
        subject: Subject,
        item: usize,
        items: usize,
    },
    /// A lock that an artifact is to fit.
    #[error("{thing} names item {item} as a key, but it is an artifact")]
    ArtifactAsKey { thing: Thing, item: usize },
    /// A lock or a goal that names an item twice.
    #[error("{subject} names item {item} twice")]
    ItemRepeated { subject: Subject, item: usize },
    /// Kinds of more or fewer keys than there are.
    #[error("the kinds of {given} keys given, but there are {keys}")]
    Kinds { given: usize, keys: usize },
    /// A key that does not name the lowest key of its kind.
    #[error("key {key} is to be a copy of key {kind}, which is not the lowest of its kind")]
    Kind { key: usize, kind: usize },
    /// More kinds of keys for one lock than supported.
    #[error("{given} keys fit {thing}, at most {FITTING_MAX} are supported")]
    TooManyFitting { thing: Thing, given: usize },
    /// A key that fits nothing.
    #[error("key {key} fits no door and no container")]
    KeyFitsNothing { key: usize },
    /// A delay that is none, or too long.
    #[error("machine {machine} takes {delay} ticks, outside of 1 to {DELAY_MAX}")]
    Delay { machine: usize, delay: u32 },
    /// Facts or a belief with more or fewer things than there are.
    #[error("{picture} has {given} {what}, but there are {expected}")]
    Length {
        picture: Picture,
        what: &'static str,
        given: usize,
        expected: usize,
    },
    /// Something that is open and locked.
    #[error("{thing} is open and locked in {picture}")]
    OpenAndLocked { picture: Picture, thing: Thing },
    /// An item that is nowhere.
    #[error("item {item} is nowhere")]
    ItemNowhere { item: usize },
    /// An item in a container, or with an agent, that does not exist.
    #[error("item {item} in {picture} names container or agent {index}, which does not exist")]
    UnknownPlace {
        picture: Picture,
        item: usize,
        index: usize,
    },
    /// An agent that stands at something which is not in the agent's room.
    #[error("agent {agent} stands at {thing}, which is not in room {room}")]
    AtElsewhere {
        agent: usize,
        thing: Thing,
        room: usize,
    },
    /// An agent who does not know what the agent holds itself.
    #[error("agent {agent} is wrong about item {item}, which it holds or believes to hold")]
    HandsUnknown { agent: usize, item: usize },
    /// Too many rooms to visit.
    #[error(
        "agent {agent} is to visit {given} rooms, \
         at most {VISITS_MAX} in any order and {ROUTE_MAX} in a given one are supported"
    )]
    TooManyVisits { agent: usize, given: usize },
    /// A room to visit twice, in any order.
    #[error("visit {visit} of agent {agent} names room {room} again")]
    VisitRepeated {
        agent: usize,
        visit: usize,
        room: usize,
    },
    /// An agent who wants nothing.
    #[error("agent {agent} wants nothing: no items, no rooms to visit, no room at the end")]
    NoGoal { agent: usize },
}

/// One reason why an agent's task is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum ProblemError {
    /// Nobody.
    #[error("there is no agent {agent}, only {agents}")]
    UnknownAgent { agent: usize, agents: usize },
    /// A room to be avoided that does not exist.
    #[error("avoided room {index} names room {room}, but there are only {rooms}")]
    UnknownRoom {
        index: usize,
        room: usize,
        rooms: usize,
    },
}
