//! Why a problem makes no sense.

use crate::problem::{
    EDGES_MAX, GUARDS_MAX, INSTANTS_MAX, LENGTH_MAX, MISSION_MAX, PLACES_MAX, SIGHTS_MAX,
    SPEED_RANGE_MILLI, STEPS_MAX, TERM_WEIGHT_MAX, TICKS_MAX, VERTICES_MAX, WEIGHT_MAX_MICRO,
};

/// What an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The edge with this index.
    Edge(usize),
    /// The guard with this index.
    Guard(usize),
    /// What the sight with this index shows from a vertex.
    Sight(usize, usize),
    /// The gap with this index.
    Gap(usize),
    /// The pause with this index.
    Pause(usize),
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Edge(edge) => write!(f, "edge {edge}"),
            Self::Guard(guard) => write!(f, "guard {guard}"),
            Self::Sight(sight, vertex) => write!(f, "sight {sight} from vertex {vertex}"),
            Self::Gap(gap) => write!(f, "gap {gap}"),
            Self::Pause(pause) => write!(f, "pause {pause}"),
        }
    }
}

/// One reason why a problem makes no sense. Variants name the element at fault by index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum ProblemError {
    /// Nothing to guard.
    #[error("there are no vertices")]
    NoVertices,
    /// More vertices than supported.
    #[error("{given} vertices given, at most {VERTICES_MAX} are supported")]
    TooManyVertices { given: usize },
    /// More edges than supported.
    #[error("{given} edges given, at most {EDGES_MAX} are supported")]
    TooManyEdges { given: usize },
    /// An element that names a vertex that does not exist.
    #[error("{subject} names vertex {vertex}, but there are only {vertices}")]
    UnknownVertex {
        subject: Subject,
        vertex: usize,
        vertices: usize,
    },
    /// An edge from a vertex to itself.
    #[error("edge {edge} leads from vertex {vertex} to itself")]
    EdgeToItself { edge: usize, vertex: usize },
    /// An edge that takes no time, or too much.
    #[error("edge {edge} is {length} ticks long, outside of 1 to {LENGTH_MAX}")]
    LengthOutOfRange { edge: usize, length: u32 },
    /// Two edges between the same vertices.
    #[error("edge {edge} joins the same vertices as edge {first}")]
    EdgeRepeated { edge: usize, first: usize },
    /// A vertex that nobody can reach.
    #[error("there is no edge from vertex 0 to vertex {vertex}")]
    Disconnected { vertex: usize },
    /// Somebody has to patrol.
    #[error("there are no guards")]
    NoGuards,
    /// More guards than supported.
    #[error("{given} guards given, at most {GUARDS_MAX} are supported")]
    TooManyGuards { given: usize },
    /// A speed that is too slow or too fast.
    #[error(
        "guard {guard} has speed {speed_milli} thousandths, outside of {} to {}",
        SPEED_RANGE_MILLI.start(), SPEED_RANGE_MILLI.end()
    )]
    SpeedOutOfRange { guard: usize, speed_milli: u32 },
    /// A guard with a sight that does not exist.
    #[error("guard {guard} has sight {sight}, which does not exist")]
    UnknownSight { guard: usize, sight: usize },
    /// More is seen than supported.
    #[error(
        "{given} vertices are listed as seen, at most {SIGHTS_MAX} by at most {GUARDS_MAX} sights are supported"
    )]
    TooManySights { given: usize },
    /// A sight that does not say what is seen from each vertex.
    #[error("sight {sight} is for {given} vertices, which is not their number")]
    SightSize { sight: usize, given: usize },
    /// Weights for some vertices only, or for more than there are.
    #[error("{given} weights given, which is not the number of vertices")]
    WeightCount { given: usize },
    /// A weight that is too large.
    #[error("vertex {vertex} has weight {weight_micro} millionths, above {WEIGHT_MAX_MICRO}")]
    WeightOutOfRange { vertex: usize, weight_micro: u64 },
    /// Nothing is worth guarding.
    #[error("all weights are 0")]
    NoWeight,
    /// A window that is empty or too long.
    #[error("the intruder can be seen at {instants} instants, outside of 1 to {INSTANTS_MAX}")]
    InstantsOutOfRange { instants: u32 },
    /// A mission that is too long.
    #[error("the mission ends at tick {last}, at most {MISSION_MAX} is supported")]
    MissionTooLong { last: u32 },
    /// More places than supported for an intruder who walks.
    #[error("a walking intruder can be at {places} places, at most {PLACES_MAX} are supported")]
    TooManyPlaces { places: u64 },
    /// More work than supported to follow an intruder who walks.
    #[error(
        "a walking intruder can be at {places} places for {instants} instants, a product of at most {STEPS_MAX} is \
         supported"
    )]
    TooManySteps { places: u64, instants: u32 },
    /// A gap or pause of no ticks, or too many.
    #[error("{subject} is {ticks} ticks long, outside of 1 to {TICKS_MAX}")]
    TicksOutOfRange { subject: Subject, ticks: u32 },
    /// Two pauses at one vertex.
    #[error("{subject} is at vertex {vertex}, which has one already")]
    WishRepeated { subject: Subject, vertex: usize },
    /// Guards have to pause but may not stay.
    #[error("there are pauses, but guards may not stay")]
    PauseWithoutStaying,
    /// One vertex only, and guards may not stay there.
    #[error("guards may not stay and there is nowhere to go")]
    NowhereToGo,
    /// An objective without terms.
    #[error("nothing counts: all weights of the objective are 0")]
    NothingCounts,
    /// A weight of a term that is too large.
    #[error("term {term} of the objective has weight {weight}, above {TERM_WEIGHT_MAX}")]
    TermWeightOutOfRange { term: usize, weight: u32 },
}
