//! Problem: graph, guards, intruder, side constraints and objective; validated by [`Problem::new`].

mod check;
mod graph;
mod progress;

pub use graph::{OutEdge, Place};

use anytime::Fault;
use graph::Graph;

/// Maximum number of vertices.
pub const VERTICES_MAX: usize = 2_000;
/// Maximum number of edges.
pub const EDGES_MAX: usize = 20_000;
/// Maximum number of guards.
pub const GUARDS_MAX: usize = 16;
/// Longest edge, in ticks at speed 1.
pub const LENGTH_MAX: u32 = 10_000;
/// Maximum number of places of a dynamic intruder: vertices, and points inside edges, one for each
/// tick of length but the first.
pub const PLACES_MAX: usize = 50_000;
/// Slowest and fastest speed, in thousandths.
pub const SPEED_RANGE_MILLI: std::ops::RangeInclusive<u32> = 10..=100_000;
/// Maximum length of all lists of visible vertices together.
pub const SIGHTS_MAX: usize = 200_000;
/// Maximum number of instants in the window of an intruder.
pub const INSTANTS_MAX: u32 = 10_000;
/// Maximum of places times instants for a dynamic intruder.
pub const STEPS_MAX: u64 = 4_000_000;
/// Longest mission, in ticks.
pub const MISSION_MAX: u32 = 100_000;
/// Longest pause, longest gap, and longest time since a guard arrived where it starts, in ticks.
pub const TICKS_MAX: u32 = 10_000;
/// Largest weight of a vertex, in millionths.
pub const WEIGHT_MAX_MICRO: u64 = 1_000_000_000_000;
/// Largest weight of a term of the objective.
pub const TERM_WEIGHT_MAX: u32 = 1_000_000;
/// Probability 1, as a multiple of the unit of probabilities, 2^-60.
///
/// Probabilities are whole numbers of this unit: sums do not depend on their order, so that search
/// and verification agree exactly.
pub const PROBABILITY_ONE: u64 = 1 << 60;

/// Time in ticks: a moment, counted from the start of the plan, or a duration.
pub type Tick = u64;

/// Problem as plain data, not yet validated ([`Problem::new`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// Number of vertices, 1 to [`VERTICES_MAX`].
    pub vertices: usize,
    /// Undirected edges.
    pub edges: Vec<Edge>,
    /// Guards, 1 to [`GUARDS_MAX`].
    pub guards: Vec<Guard>,
    /// Kinds of sight: for each, the vertices seen from each vertex, besides the vertex itself.
    /// Guards refer to them by index.
    pub sights: Vec<Vec<Vec<usize>>>,
    /// Weight of each vertex in millionths: the probability of entry there, once normalised to sum
    /// up to 1. Empty: all equal.
    pub weights_micro: Vec<u64>,
    /// Whether a guard may stand still.
    pub may_stay: bool,
    /// Whether two guards may pass each other on an edge.
    pub may_swap: bool,
    /// Intruder model.
    pub intruder: Intruder,
    /// Side constraint: vertices that must be out of sight once in each joint period.
    pub gaps: Vec<Gap>,
    /// Side constraint: vertices where each visit has a least duration.
    pub pauses: Vec<Pause>,
    /// Objective, to be minimised.
    pub objective: Objective,
}

/// Undirected edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Two different vertices.
    pub ends: [usize; 2],
    /// Travel time in ticks at speed 1, 1 to [`LENGTH_MAX`].
    pub length: u32,
}

/// Guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// Vertex where it is at tick 0, or which it left last.
    pub start: usize,
    /// Vertex where it arrives next: at tick 0 it is on the edge to there. `None`: it is at the
    /// first vertex.
    pub next: Option<usize>,
    /// Ticks since it left the first vertex, 1 to below those of the edge; without a next vertex,
    /// ticks since it arrived there, which count for the pause, 0 to [`TICKS_MAX`].
    pub elapsed: u32,
    /// Speed in thousandths, within [`SPEED_RANGE_MILLI`]: an edge takes its length / speed,
    /// rounded up.
    pub speed_milli: u32,
    /// Index of its kind of sight; `None`: it sees only the vertex where it is.
    pub sight: Option<usize>,
}

/// Intruder model: entry at a vertex drawn by the weights, at a tick drawn by [`Entry`]. The
/// intruder is captured when a guard sees its place at one of the following instants (equation 3.1
/// of the thesis).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intruder {
    /// Motion between two instants.
    pub motion: Motion,
    /// Instants at which the intruder can be seen, the first at entry; 1 to [`INSTANTS_MAX`]. With
    /// penetration time t_p: t_p + 1 as equation 3.1 is printed ("inclusive"), or t_p
    /// ("exclusive").
    pub instants: u32,
    /// Tick of entry.
    pub entry: Entry,
}

/// Motion of an intruder between two instants: [`Motion::Still`] is stationary, the others are
/// dynamic (random walks). An edge of length l takes l steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Motion {
    /// Stationary: stays at the vertex of entry.
    Still,
    /// Lazy random walk: to a neighbour or a stay, all equally likely.
    Lazy,
    /// Random walk: to a neighbour, all equally likely.
    Moving,
    /// Max-degree random walk: each neighbour has probability 1 / largest degree, a stay the rest.
    /// On a line, a step off the end is a stay.
    BorderStay,
}

impl Motion {
    /// Whether the intruder moves.
    #[must_use]
    pub(crate) fn is_dynamic(self) -> bool {
        self != Self::Still
    }
}

/// Distribution of the tick of entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// At tick 0.
    Start,
    /// Uniform on the ticks from 0 to this one, both included.
    Mission(u32),
    /// Uniform on the ticks of the joint period, long after the start.
    Steady,
}

/// Gap: a vertex that is out of sight of all guards for some time, once in each joint period, so
/// that a player can pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The vertex.
    pub vertex: usize,
    /// Least number of consecutive ticks out of sight, 1 to [`TICKS_MAX`].
    pub ticks: u32,
}

/// Pause: a least duration of each visit to a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// The vertex.
    pub vertex: usize,
    /// Least stay in ticks, 1 to [`TICKS_MAX`].
    pub ticks: u32,
}

/// Objective: a weighted sum, to be minimised. Each weight is at most [`TERM_WEIGHT_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Objective {
    /// Weight of the probability of escape, 0 to 1.
    pub escape: u32,
    /// Weight of the worst idleness: the longest time in ticks that a vertex of weight above 0 is
    /// out of sight, in the cyclic part.
    pub worst_idleness: u32,
    /// Weight of the mean idleness in ticks, averaged over vertices by their weight and over time,
    /// in the cyclic part.
    pub mean_idleness: u32,
}

impl Objective {
    /// Whether idleness has a weight.
    #[must_use]
    pub fn has_idleness(&self) -> bool {
        self.worst_idleness > 0 || self.mean_idleness > 0
    }
}

impl Default for Objective {
    fn default() -> Self {
        Self {
            escape: 1,
            worst_idleness: 0,
            mean_idleness: 0,
        }
    }
}

/// Validated problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    spec: Spec,
    graph: Graph,
    /// Probability of entry at each vertex, in units of 2^-60.
    shares: Vec<u64>,
    /// Vertices seen by kind of sight and vertex, itself included, rising; the last kind is that of
    /// guards without one.
    sights: Vec<Vec<Vec<u32>>>,
    pauses: Vec<u32>,
}

impl Problem {
    /// Validates a problem.
    ///
    /// # Errors
    /// All faults, with paths in the contract's `PatrolProblem`.
    pub fn new(spec: Spec) -> Result<Self, Vec<Fault>> {
        let faults = check::faults(&spec);
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut pauses = vec![0; spec.vertices];
        for pause in &spec.pauses {
            pauses[pause.vertex] = pause.ticks;
        }
        Ok(Self {
            graph: Graph::new(&spec),
            shares: shares(&spec),
            sights: sights(&spec),
            pauses,
            spec,
        })
    }

    /// Number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.spec.vertices
    }

    /// Problem as plain data.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Guards.
    #[must_use]
    pub fn guards(&self) -> &[Guard] {
        &self.spec.guards
    }

    /// Intruder model.
    #[must_use]
    pub fn intruder(&self) -> Intruder {
        self.spec.intruder
    }

    /// Objective.
    #[must_use]
    pub fn objective(&self) -> Objective {
        self.spec.objective
    }

    /// Probability of entry at each vertex; the sum is exactly [`PROBABILITY_ONE`].
    #[must_use]
    pub fn shares(&self) -> &[u64] {
        &self.shares
    }

    /// Edges out of a vertex, by rising neighbour.
    #[must_use]
    pub fn out_edges(&self, vertex: usize) -> &[OutEdge] {
        self.graph.out_edges(vertex)
    }

    /// Edge from a vertex to another, if they are neighbours.
    #[must_use]
    pub fn out_edge(&self, from: usize, to: usize) -> Option<OutEdge> {
        let edges = self.out_edges(from);
        let index = edges.binary_search_by_key(&to, |edge| edge.to).ok()?;
        Some(edges[index])
    }

    /// Vertices that a guard sees from a vertex, itself included, rising.
    #[must_use]
    pub fn sight(&self, guard: usize, vertex: usize) -> &[u32] {
        let last = self.sights.len() - 1;
        &self.sights[self.spec.guards[guard].sight.unwrap_or(last)][vertex]
    }

    /// Least stay in ticks of a visit to a vertex.
    #[must_use]
    pub fn pause(&self, vertex: usize) -> u32 {
        self.pauses[vertex]
    }

    /// Whether two guards are interchangeable except for their start.
    #[must_use]
    pub fn are_interchangeable(&self, one: usize, other: usize) -> bool {
        let traits = |guard: &Guard| (guard.speed_milli, guard.sight);
        traits(&self.guards()[one]) == traits(&self.guards()[other])
    }

    /// Number of places of an intruder: the vertices, then the inner points of edges, by edge.
    #[must_use]
    pub fn places(&self) -> usize {
        self.graph.places()
    }

    /// Neighbours of a place, rising.
    #[must_use]
    pub fn neighbours(&self, place: usize) -> &[Place] {
        self.graph.neighbours(place)
    }

    /// Number of pairs of neighbouring places, each counted from both.
    #[must_use]
    pub fn links(&self) -> usize {
        self.graph.links()
    }

    /// Divisor of a dynamic intruder's probability at a place: each neighbour gets one part,
    /// rounded down, and the rest stays.
    #[must_use]
    pub fn parts(&self, place: usize) -> u64 {
        let degree = self.neighbours(place).len() as u64;
        match self.spec.intruder.motion {
            // No part moves.
            Motion::Still => u64::MAX,
            Motion::Lazy => degree + 1,
            Motion::Moving => degree.max(1),
            Motion::BorderStay => self.graph.degree_max().max(1),
        }
    }

    /// Place of a guard that left vertex `from` `since` ticks ago on an edge that takes it `ticks`;
    /// `None` while it still counts as at the vertex.
    #[must_use]
    pub fn place_on_edge(
        &self,
        from: usize,
        edge: OutEdge,
        since: u32,
        ticks: u32,
    ) -> Option<usize> {
        // Rounded down: below the length, since it has not arrived.
        let steps = u64::from(since) * u64::from(edge.length) / u64::from(ticks);
        let steps = u32::try_from(steps).expect("at most the length");
        (steps > 0).then(|| self.graph.inner_place(from, edge, steps))
    }
}

/// Probabilities of entry, rounded by the largest remainder method; ties to the lower index.
fn shares(spec: &Spec) -> Vec<u64> {
    let equal = vec![1; spec.vertices];
    let weights = if spec.weights_micro.is_empty() {
        &equal
    } else {
        &spec.weights_micro
    };
    let sum: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
    let exact = |weight: &u64| u128::from(*weight) * u128::from(PROBABILITY_ONE);
    let whole = |weight: &u64| u64::try_from(exact(weight) / sum).expect("at most one");
    let mut shares: Vec<u64> = weights.iter().map(whole).collect();
    let left = PROBABILITY_ONE - shares.iter().sum::<u64>();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|vertex| std::cmp::Reverse(exact(&weights[*vertex]) % sum));
    for vertex in order.into_iter().cycle().take(left as usize) {
        shares[vertex] += 1;
    }
    shares
}

fn sights(spec: &Spec) -> Vec<Vec<Vec<u32>>> {
    let nothing = vec![Vec::new(); spec.vertices];
    let number = |vertex: usize| u32::try_from(vertex).expect("vertices are limited");
    let all = spec.sights.iter().chain([&nothing]);
    let seen = |sight: &Vec<Vec<usize>>| {
        let from = |vertex: usize, seen: &Vec<usize>| {
            let mut seen: Vec<u32> = seen.iter().map(|other| number(*other)).collect();
            seen.push(number(vertex));
            seen.sort_unstable();
            seen.dedup();
            seen
        };
        let vertices = sight.iter().enumerate();
        vertices.map(|(vertex, seen)| from(vertex, seen)).collect()
    };
    all.map(seen).collect()
}
