//! A validated problem.

mod check;
mod graph;

pub use graph::{OutEdge, Place};

use crate::errors::ProblemError;
use graph::Graph;

/// Most vertices.
pub const VERTICES_MAX: usize = 2_000;
/// Most edges.
pub const EDGES_MAX: usize = 20_000;
/// Most guards.
pub const GUARDS_MAX: usize = 16;
/// Longest edge, in ticks at speed 1.
pub const LENGTH_MAX: u32 = 10_000;
/// Most places where an intruder can be who walks: vertices, and ticks of length inside of edges.
pub const PLACES_MAX: usize = 50_000;
/// Slowest and fastest speed, in thousandths.
pub const SPEED_RANGE_MILLI: std::ops::RangeInclusive<u32> = 10..=100_000;
/// Most vertices that all lists of what is seen hold, added up.
pub const SIGHTS_MAX: usize = 200_000;
/// Most instants in the window of an intruder.
pub const INSTANTS_MAX: u32 = 10_000;
/// Most places times instants for an intruder who walks.
pub const STEPS_MAX: u64 = 4_000_000;
/// Longest mission, in ticks.
pub const MISSION_MAX: u32 = 100_000;
/// Longest pause and longest gap, in ticks.
pub const TICKS_MAX: u32 = 10_000;
/// Largest weight of a vertex, in millionths.
pub const WEIGHT_MAX_MICRO: u64 = 1_000_000_000_000;
/// Largest weight of a term of the objective.
pub const TERM_WEIGHT_MAX: u32 = 1_000_000;
/// What is certain, in the unit in which probabilities are counted here: 2^60.
///
/// Whole numbers, so that sums do not depend on their order and search and check agree exactly.
pub const PROBABILITY_ONE: u64 = 1 << 60;

/// A moment or a duration, in ticks from the start of the plan.
pub type Tick = u64;

/// A problem as given: plain data, nothing checked. [`Problem::new`] checks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// Number of vertices, 1 to [`VERTICES_MAX`].
    pub vertices: usize,
    /// Ways between vertices, in both directions.
    pub edges: Vec<Edge>,
    /// Who patrols, 1 to [`GUARDS_MAX`].
    pub guards: Vec<Guard>,
    /// Kinds of sight: for each, the vertices seen from each vertex, besides the vertex itself.
    /// Guards refer to them by index.
    pub sights: Vec<Vec<Vec<usize>>>,
    /// How likely each vertex is broken into, in millionths of any unit: normalised to sum up to 1.
    /// Empty: all alike.
    pub weights_micro: Vec<u64>,
    /// Whether a guard may stand still.
    pub may_stay: bool,
    /// Whether two guards may pass each other on an edge.
    pub may_swap: bool,
    /// Who is to be caught.
    pub intruder: Intruder,
    /// Vertices that have to be out of sight for a while, again and again.
    pub gaps: Vec<Gap>,
    /// Vertices where whoever comes by has to stay for a while.
    pub pauses: Vec<Pause>,
    /// What counts.
    pub objective: Objective,
}

/// A way between two vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Its ends, different.
    pub ends: [usize; 2],
    /// Ticks that it takes at speed 1, 1 to [`LENGTH_MAX`].
    pub length: u32,
}

/// Somebody who patrols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// Vertex at tick 0.
    pub start: usize,
    /// Speed in thousandths, within [`SPEED_RANGE_MILLI`]: an edge takes its length / speed,
    /// rounded up.
    pub speed_milli: u32,
    /// Index of what it sees; `None`: the vertex where it is.
    pub sight: Option<usize>,
}

/// The intruder enters at a vertex drawn by the weights, at some moment, and is caught when a guard
/// sees the intruder's place at one of the following instants (equation 3.1 of the thesis).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intruder {
    /// Motion between two instants.
    pub motion: Motion,
    /// Instants at which the intruder can be seen, the first at entry; 1 to [`INSTANTS_MAX`]. With
    /// penetration time t_p: t_p + 1 as equation 3.1 is printed ("inclusive"), or t_p
    /// ("exclusive").
    pub instants: u32,
    /// Moment of entry.
    pub entry: Entry,
}

/// How an intruder moves between two instants. Edges of length l are l steps long for him.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Motion {
    /// Stays where he entered.
    Still,
    /// Goes to a neighbour or stays, all equally likely.
    Lazy,
    /// Goes to a neighbour, all equally likely.
    Moving,
    /// Tries one of as many directions as the largest degree in the graph, all equally likely, and
    /// stays where the direction has no edge: on a line, a step off the end is a stay.
    BorderStay,
}

/// When an intruder enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// At tick 0.
    Start,
    /// At a tick from 0 to this one, both included, all equally likely.
    Mission(u32),
    /// Long after the start: at a tick of the joint period, all equally likely.
    Steady,
}

/// A vertex that a player can pass: once in each joint period nobody sees it for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The vertex.
    pub vertex: usize,
    /// Ticks in a row in which no guard sees it, at least; 1 to [`TICKS_MAX`].
    pub ticks: u32,
}

/// A vertex where guards look around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// The vertex.
    pub vertex: usize,
    /// Ticks that a guard who is there stays, at least; 1 to [`TICKS_MAX`].
    pub ticks: u32,
}

/// What counts: a weighted sum, lower is better. Each weight at most [`TERM_WEIGHT_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Objective {
    /// Weight of the probability, 0 to 1, that the intruder is not caught.
    pub escape: u32,
    /// Weight of the longest time in ticks that a vertex of weight above 0 is out of sight, once
    /// the patrol goes round.
    pub worst_idleness: u32,
    /// Weight of the idleness in ticks, averaged over vertices by their weight and over time, once
    /// the patrol goes round.
    pub mean_idleness: u32,
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

/// A checked problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    spec: Spec,
    graph: Graph,
    /// Of [`PROBABILITY_ONE`], one for each vertex.
    shares: Vec<u64>,
    /// What is seen from each vertex, itself included, rising; one list for each kind of sight, the
    /// last for guards without one.
    sights: Vec<Vec<Vec<u32>>>,
    pauses: Vec<u32>,
}

impl Problem {
    /// Checks a problem.
    ///
    /// # Errors
    /// All mistakes, in the order of the fields of [`Spec`].
    pub fn new(spec: Spec) -> Result<Self, Vec<ProblemError>> {
        let errors = check::errors(&spec);
        if !errors.is_empty() {
            return Err(errors);
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

    /// As given.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Who patrols.
    #[must_use]
    pub fn guards(&self) -> &[Guard] {
        &self.spec.guards
    }

    /// Who is to be caught.
    #[must_use]
    pub fn intruder(&self) -> Intruder {
        self.spec.intruder
    }

    /// What counts.
    #[must_use]
    pub fn objective(&self) -> Objective {
        self.spec.objective
    }

    /// The probabilities with which an intruder enters at each vertex, of [`PROBABILITY_ONE`]: they add up
    /// to it exactly.
    #[must_use]
    pub fn shares(&self) -> &[u64] {
        &self.shares
    }

    /// Ways from a vertex, by rising neighbour.
    #[must_use]
    pub fn out_edges(&self, vertex: usize) -> &[OutEdge] {
        self.graph.out_edges(vertex)
    }

    /// The way from a vertex to another, if they are neighbours.
    #[must_use]
    pub fn out_edge(&self, from: usize, to: usize) -> Option<OutEdge> {
        let edges = self.out_edges(from);
        let index = edges.binary_search_by_key(&to, |edge| edge.to).ok()?;
        Some(edges[index])
    }

    /// Ticks that a guard takes for a way: its length / speed, rounded up.
    #[must_use]
    pub fn ticks(&self, guard: usize, edge: OutEdge) -> u32 {
        let speed = u64::from(self.spec.guards[guard].speed_milli);
        let ticks = (u64::from(edge.length) * 1_000).div_ceil(speed);
        u32::try_from(ticks).expect("lengths and speeds are limited")
    }

    /// What a guard sees from a vertex, itself included, rising.
    #[must_use]
    pub fn sight(&self, guard: usize, vertex: usize) -> &[u32] {
        let last = self.sights.len() - 1;
        &self.sights[self.spec.guards[guard].sight.unwrap_or(last)][vertex]
    }

    /// Least number of ticks that a guard stays at a vertex when it comes by.
    #[must_use]
    pub fn pause(&self, vertex: usize) -> u32 {
        self.pauses[vertex]
    }

    /// Whether two guards are interchangeable but for where they start.
    #[must_use]
    pub fn are_alike(&self, one: usize, other: usize) -> bool {
        let of = |guard: usize| (self.guards()[guard].speed_milli, self.guards()[guard].sight);
        of(one) == of(other)
    }

    /// Where an intruder can be: the vertices, then the inner points of edges, by edge.
    #[must_use]
    pub fn places(&self) -> usize {
        self.graph.places()
    }

    /// The places next to a place, rising.
    #[must_use]
    pub fn neighbours(&self, place: usize) -> &[Place] {
        self.graph.neighbours(place)
    }

    /// Pairs of places next to each other, each counted from both.
    #[must_use]
    pub fn links(&self) -> usize {
        self.graph.links()
    }

    /// By how much a walking intruder's probability at a place is divided: each neighbour gets one
    /// part, rounded down, and the rest stays.
    #[must_use]
    pub fn parts(&self, place: usize) -> u64 {
        let degree = self.neighbours(place).len() as u64;
        match self.spec.intruder.motion {
            // Nobody goes: not even one part.
            Motion::Still => u64::MAX,
            Motion::Lazy => degree + 1,
            Motion::Moving => degree.max(1),
            Motion::BorderStay => self.graph.degree_max().max(1),
        }
    }

    /// The place on an edge of a guard that left a vertex `since` ticks ago on an arc that takes it
    /// `ticks`; `None` when it still counts as at the vertex it left.
    #[must_use]
    pub fn place_on_edge(
        &self,
        from: usize,
        edge: OutEdge,
        since: u32,
        ticks: u32,
    ) -> Option<usize> {
        // Rounded down: below the length, since it has not arrived.
        let gone = u64::from(since) * u64::from(edge.length) / u64::from(ticks);
        let gone = u32::try_from(gone).expect("at most the length");
        (gone > 0).then(|| self.graph.inner_place(from, edge, gone))
    }
}

/// Probabilities of [`PROBABILITY_ONE`], by the largest remainder; ties to the lower index.
fn shares(spec: &Spec) -> Vec<u64> {
    let equal = vec![1; spec.vertices];
    let weights = if spec.weights_micro.is_empty() {
        &equal
    } else {
        &spec.weights_micro
    };
    let sum: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
    let exact = |weight: &u64| u128::from(*weight) * u128::from(PROBABILITY_ONE);
    let whole = |weight: &u64| u64::try_from(exact(weight) / sum).expect("at most all");
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
        let from = |(vertex, seen): (usize, &Vec<usize>)| {
            let mut seen: Vec<u32> = seen.iter().map(|other| number(*other)).collect();
            seen.push(number(vertex));
            seen.sort_unstable();
            seen.dedup();
            seen
        };
        sight.iter().enumerate().map(from).collect()
    };
    all.map(seen).collect()
}
