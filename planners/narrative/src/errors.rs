//! Why a narrative makes no sense.

use crate::problem::{
    ACTIVITIES_MAX, CAPACITY_MAX, CHOICES_MAX, CONTINGENT_MAX, EVENTS_MAX, LINKS_MAX, Micros, Node,
    OPTIONS_MAX, RESOURCES_MAX, STORYLINES_MAX, STRANDS_MAX, TIME_MAX_US,
};

/// Which list an element is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Which {
    /// The requirement link with this index.
    Link(usize),
    /// The contingent link with this index.
    Contingent(usize),
    /// The activity with this index.
    Activity(usize),
    /// An option, by the indices of choice and option.
    Option(usize, usize),
    /// The event that has happened with this index in the list of them.
    Happened(usize),
}

impl std::fmt::Display for Which {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Link(index) => write!(f, "link {index}"),
            Self::Contingent(index) => write!(f, "contingent link {index}"),
            Self::Activity(index) => write!(f, "activity {index}"),
            Self::Option(choice, option) => write!(f, "option {option} of choice {choice}"),
            Self::Happened(index) => write!(f, "event {index} of those that have happened"),
        }
    }
}

/// One reason why a narrative makes no sense. Variants name the element at fault by index; nodes
/// count the origin as 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum NarrativeError {
    /// Nothing happens.
    #[error("there are no events")]
    NoEvents,
    /// More events than supported.
    #[error("{given} events given, at most {EVENTS_MAX} are supported")]
    TooManyEvents { given: usize },
    /// Groups that are not given for each event, but for some, or for more than there are.
    #[error("groups are given for {given} events, one for each of {events} or none is allowed")]
    GroupCount { given: usize, events: usize },
    /// More links than supported.
    #[error("{given} links given, at most {LINKS_MAX} are supported")]
    TooManyLinks { given: usize },
    /// More contingent links than supported.
    #[error("{given} contingent links given, at most {CONTINGENT_MAX} are supported")]
    TooManyContingent { given: usize },
    /// More activities than supported.
    #[error("{given} activities given, at most {ACTIVITIES_MAX} are supported")]
    TooManyActivities { given: usize },
    /// More resources than supported.
    #[error("{given} resources given, at most {RESOURCES_MAX} are supported")]
    TooManyResources { given: usize },
    /// More choices than supported.
    #[error("{given} choices given, at most {CHOICES_MAX} are supported")]
    TooManyChoices { given: usize },
    /// A choice with fewer than two options, or more than supported.
    #[error("choice {choice} has {given} options, 2 to {OPTIONS_MAX} are supported")]
    OptionCount { choice: usize, given: usize },
    /// A choice all of whose options are withheld.
    #[error("all options of choice {choice} are withheld")]
    NothingOffered { choice: usize },
    /// A withheld option that does not exist, or is not told in order and once.
    #[error(
        "choice {choice} and option {option}: withheld, but not there, or not in order and once"
    )]
    UnknownWithheld {
        withheld: usize,
        choice: usize,
        option: usize,
    },
    /// More combinations of options than supported.
    #[error(
        "{choices} choices make more than {STORYLINES_MAX} storylines, and more than {STRANDS_MAX} where each group's are counted by themselves"
    )]
    TooManyStorylines { choices: usize },
    /// An element that names a node that does not exist.
    #[error("{which} names node {node}, but there are only {nodes}")]
    UnknownNode {
        which: Which,
        node: Node,
        nodes: usize,
    },
    /// The origin where an event is needed.
    #[error("{which} names the origin where an event is needed")]
    Origin { which: Which },
    /// A link, or an activity, from a node to itself.
    #[error("{which} leads from node {node} to itself")]
    SelfLoop { which: Which, node: Node },
    /// A requirement without any bound.
    #[error("link {link} has no bound")]
    Unbounded { link: usize },
    /// A lower bound above the upper bound.
    #[error("{which} has lower bound {lower_us} us, above its upper bound {upper_us} us")]
    Reversed {
        which: Which,
        lower_us: Micros,
        upper_us: Micros,
    },
    /// A bound that is too large.
    #[error("{which} has a bound of {given_us} us, outside of {TIME_MAX_US} us either way")]
    BoundOutOfRange { which: Which, given_us: Micros },
    /// A horizon before the origin or too late.
    #[error("the horizon is {given_us} us, outside of 0 to {TIME_MAX_US} us")]
    HorizonOutOfRange { given_us: Micros },
    /// A duration that players pick below 0.
    #[error("contingent link {contingent} may take {lower_us} us, less than nothing")]
    NegativeDuration { contingent: usize, lower_us: Micros },
    /// A contingent link that ends at the origin.
    #[error("contingent link {contingent} ends at the origin")]
    EndsAtOrigin { contingent: usize },
    /// Two contingent links that end at one event.
    #[error("contingent links {first} and {second} end at the same node {node}")]
    TwoContingent {
        first: usize,
        second: usize,
        node: Node,
    },
    /// Contingent links that form a circle.
    #[error("contingent link {contingent} is part of a circle of contingent links")]
    ContingentCircle { contingent: usize },
    /// A contingent link one end of which can happen without the other.
    #[error("contingent link {contingent} has one end in storylines in which the other is not")]
    HalfContingent { contingent: usize },
    /// An activity without a link from its start to its end that has a lower bound of 0 or above.
    #[error("activity {activity} has no link from its start to its end with a bound of 0 or more")]
    NoDuration { activity: usize },
    /// An activity one end of which can happen without the other.
    #[error("activity {activity} has one end in storylines in which the other is not")]
    HalfActivity { activity: usize },
    /// A demand for a resource that does not exist.
    #[error("activity {activity} needs resource {resource}, but there are only {resources}")]
    UnknownResource {
        activity: usize,
        demand: usize,
        resource: usize,
        resources: usize,
    },
    /// Two demands of an activity for one resource.
    #[error("activity {activity} needs resource {resource} twice")]
    DemandTwice {
        activity: usize,
        demand: usize,
        resource: usize,
    },
    /// A demand for nothing, or for more than there is.
    #[error(
        "activity {activity} needs {amount} of resource {resource}, of which there are {capacity}"
    )]
    DemandOutOfRange {
        activity: usize,
        demand: usize,
        resource: usize,
        amount: u32,
        capacity: u32,
    },
    /// A capacity that is too large.
    #[error("resource {resource} has a capacity of {given}, at most {CAPACITY_MAX} are supported")]
    CapacityOutOfRange { resource: usize, given: u32 },
    /// An event in two options of one choice, so that it never happens; or twice in one.
    #[error(
        "node {node} is in option {option} of choice {choice}, and was there or in another before"
    )]
    OptionsOverlap {
        choice: usize,
        option: usize,
        node: Node,
    },
    /// A waiting link that does not exist or has no lower bound of 0 or above.
    #[error("waiting {waiting} names link {link}, which is not there or may be negative")]
    NotWaiting { waiting: usize, link: usize },
    /// A time now that is negative or too large.
    #[error("it is {given_us} us now, outside of 0 to {TIME_MAX_US} us")]
    NowOutOfRange { given_us: Micros },
    /// An event that happened in the future, or before the origin.
    #[error("node {node} happened at {given_us} us, outside of 0 to now, {now_us} us")]
    HappenedOutOfRange {
        happened: usize,
        node: Node,
        given_us: Micros,
        now_us: Micros,
    },
    /// An event that happened twice.
    #[error("node {node} happened twice")]
    HappenedTwice { happened: usize, node: Node },
    /// An event that happened although the choices made leave it out.
    #[error("node {node} happened, but the choices made leave it out")]
    HappenedElsewhere { happened: usize, node: Node },
    /// A contingent link that took less or more time than it may.
    #[error(
        "contingent link {contingent} took, or has taken until now, {taken_us} us, not {lower_us} to {upper_us} us"
    )]
    Impossible {
        contingent: usize,
        taken_us: Micros,
        lower_us: Micros,
        upper_us: Micros,
    },
    /// The end of a contingent link that happened without its start.
    #[error("contingent link {contingent} has ended but not begun")]
    NotBegun { contingent: usize },
    /// A choice that was made but does not exist, or an option of it that does not, or made twice.
    #[error("choice {choice} and option {option}: not there, or made twice")]
    UnknownPick {
        made: usize,
        choice: usize,
        option: usize,
    },
}
