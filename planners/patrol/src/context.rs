//! Search context: the problem in lookup tables, the movement of guards tick by tick, the belief
//! about a dynamic intruder, and the stop condition.

mod work;

pub(crate) use work::WorkCounter;

use crate::diverse::DistanceLimit;
use crate::evaluate::Memo;
use crate::plan::Plan;
use crate::problem::{Guard, PROBABILITY_ONE, Problem};
use anytime::Pulse;
use std::cell::RefCell;

/// Position of a guard at a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    /// The vertex where the guard stands, or which it left last.
    pub vertex: u32,
    /// Index of the current edge among those out of the vertex; [`STANDING`]: none.
    pub edge: u32,
    /// On an edge, ticks since the guard left the vertex; else ticks of the pause that remain.
    pub clock: u32,
}

/// Index of an edge that stands for none: the guard is at a vertex.
pub(crate) const STANDING: u32 = u32::MAX;

/// Search context of a problem.
pub(crate) struct Context<'p> {
    pub problem: &'p Problem,
    /// Travel time in ticks by guard, vertex and edge out of the vertex.
    ticks: Vec<Vec<Vec<u32>>>,
    /// Neighbours of places in compressed sparse rows; `first` has the begin of each row.
    next: Vec<u32>,
    first: Vec<u32>,
    parts: Vec<u64>,
    /// Reciprocals of `parts`, in units of 2^-64; 0: divide instead.
    reciprocals: Vec<u64>,
    /// Plans that a plan must differ from.
    distance_limit: Option<DistanceLimit>,
    /// Steps of plan evaluation.
    pub work: WorkCounter,
    /// Escape probabilities by sequence of observations.
    pub memo: RefCell<Memo>,
}

impl<'p> Context<'p> {
    pub(crate) fn new(problem: &'p Problem) -> Self {
        let edges = |guard: usize, vertex: usize| {
            let edges = problem.out_edges(vertex).iter();
            edges.map(|edge| problem.ticks(guard, *edge)).collect()
        };
        let of = |guard| (0..problem.vertices()).map(|v| edges(guard, v)).collect();
        let (mut next, mut first) = (Vec::new(), vec![0]);
        for place in 0..problem.places() {
            next.extend_from_slice(problem.neighbours(place));
            first.push(u32::try_from(next.len()).expect("places are limited"));
        }
        Self {
            problem,
            ticks: (0..problem.guards().len()).map(of).collect(),
            next,
            first,
            reciprocals: (0..problem.places())
                .map(|place| reciprocal(problem.parts(place)))
                .collect(),
            parts: (0..problem.places()).map(|p| problem.parts(p)).collect(),
            distance_limit: None,
            work: WorkCounter::default(),
            memo: RefCell::default(),
        }
    }

    /// The same with a stop condition.
    pub(crate) fn with_pulse(self, pulse: Pulse) -> Self {
        Self {
            work: WorkCounter::new(pulse),
            ..self
        }
    }

    /// The same with a least distance from other plans as one more rule.
    pub(crate) fn with_distance_limit(self, limit: DistanceLimit) -> Self {
        Self {
            distance_limit: Some(limit),
            ..self
        }
    }

    /// Context of another thread: the same rules, a work counter of its own.
    pub(crate) fn for_thread(&self, pulse: Pulse) -> Self {
        Self {
            distance_limit: self.distance_limit.clone(),
            ..Self::new(self.problem).with_pulse(pulse)
        }
    }

    /// Whether a plan is too similar to one that it must differ from.
    pub(crate) fn is_too_similar(&self, plan: &Plan) -> bool {
        let limit = self.distance_limit.as_ref();
        limit.is_some_and(|limit| limit.excludes(self.problem, plan))
    }

    /// Number of guards.
    pub(crate) fn guards(&self) -> usize {
        self.ticks.len()
    }

    /// Position of a guard at tick 0.
    pub(crate) fn start(&self, guard: usize) -> Position {
        let Guard {
            start,
            next,
            elapsed,
            ..
        } = self.problem.guards()[guard];
        let here = self.arrived(start);
        let Some(next) = next else {
            let clock = self.problem.first_pause(guard);
            return Position { clock, ..here };
        };
        let edges = self.problem.out_edges(start).iter();
        let edge = edges.take_while(|edge| edge.to != next).count();
        Position {
            edge: u32::try_from(edge).expect("edges are limited"),
            clock: elapsed,
            ..here
        }
    }

    fn arrived(&self, vertex: usize) -> Position {
        Position {
            vertex: u32::try_from(vertex).expect("vertices are limited"),
            edge: STANDING,
            clock: self.problem.pause(vertex),
        }
    }

    /// Appends the positions of a guard one tick later.
    pub(crate) fn moves(&self, guard: usize, position: Position, out: &mut Vec<Position>) {
        let vertex = position.vertex as usize;
        if position.edge != STANDING {
            out.push(self.advance(guard, position, position.clock));
            return;
        }
        if position.clock > 0 || self.problem.spec().may_stay {
            out.push(Position {
                clock: position.clock.saturating_sub(1),
                ..position
            });
        }
        if position.clock == 0 {
            for edge in 0..self.problem.out_edges(vertex).len() as u32 {
                out.push(self.advance(guard, Position { edge, ..position }, 0));
            }
        }
    }

    /// One tick further on an edge.
    fn advance(&self, guard: usize, position: Position, since: u32) -> Position {
        let (vertex, edge) = (position.vertex as usize, position.edge as usize);
        if since + 1 == self.ticks[guard][vertex][edge] {
            self.arrived(self.problem.out_edges(vertex)[edge].to)
        } else {
            Position {
                clock: since + 1,
                ..position
            }
        }
    }

    /// Calls `see` with each place that a guard sees.
    pub(crate) fn for_each_seen(
        &self,
        guard: usize,
        position: Position,
        mut see: impl FnMut(usize),
    ) {
        let vertex = position.vertex as usize;
        if position.edge != STANDING {
            let edge = self.problem.out_edges(vertex)[position.edge as usize];
            let ticks = self.ticks[guard][vertex][position.edge as usize];
            if let Some(place) = self
                .problem
                .place_on_edge(vertex, edge, position.clock, ticks)
            {
                // A stationary intruder is never inside an edge: these places do not exist.
                if place < self.parts.len() {
                    see(place);
                }
                return;
            }
        }
        for place in self.problem.sight(guard, vertex) {
            see(*place as usize);
        }
    }

    /// Whether two guards that move from `from` to `to` pass each other on an edge.
    pub(crate) fn pass_each_other(&self, from: [Position; 2], to: [Position; 2]) -> bool {
        let step = |i: usize| {
            let [from, to]: [Position; 2] = [from[i], to[i]];
            if from.edge != STANDING {
                let edge = self.problem.out_edges(from.vertex as usize)[from.edge as usize];
                return Some([from.vertex as usize, edge.to]);
            }
            match to.edge {
                STANDING => (to.vertex != from.vertex)
                    .then_some([from.vertex, to.vertex].map(|v| v as usize)),
                edge => Some([
                    from.vertex as usize,
                    self.problem.out_edges(from.vertex as usize)[edge as usize].to,
                ]),
            }
        };
        match (step(0), step(1)) {
            (Some(one), Some(other)) => one == [other[1], other[0]],
            _ => false,
        }
    }

    /// Prior belief: the probability of the intruder at each place on entry.
    pub(crate) fn prior(&self) -> Vec<u64> {
        let mut prior = self.problem.shares().to_vec();
        prior.resize(self.problem.places(), 0);
        prior
    }

    /// One step of the intruder, exactly as the problem defines it; `parts` is a buffer.
    pub(crate) fn step(&self, belief: &[u64], parts: &mut Vec<u64>, next: &mut Vec<u64>) {
        parts.clear();
        parts.extend(
            belief
                .iter()
                .zip(&self.parts)
                .map(|(mass, parts)| mass / parts),
        );
        next.clear();
        for place in 0..belief.len() {
            let near = self.neighbours(place);
            let come: u64 = near.iter().map(|other| parts[*other as usize]).sum();
            next.push(belief[place] - parts[place] * near.len() as u64 + come);
        }
    }

    /// One step backwards: from the probability of escape at each place after the step to that
    /// before it.
    pub(crate) fn step_back(&self, after: &[f64], before: &mut Vec<f64>) {
        before.clear();
        for place in 0..after.len() {
            let near = self.neighbours(place);
            let part = 1.0 / self.parts[place] as f64;
            let go: f64 = near.iter().map(|other| after[*other as usize]).sum();
            before.push(go * part + after[place] * (1.0 - near.len() as f64 * part));
        }
    }

    /// Function that divides a mass at a place by its number of parts, rounded down.
    pub(crate) fn divide(&self, place: usize) -> impl Fn(u64) -> u64 + use<> {
        let (reciprocal, parts) = (self.reciprocals[place], self.parts[place]);
        move |mass| match reciprocal {
            0 => mass / parts,
            reciprocal => ((u128::from(mass) * u128::from(reciprocal)) >> 64) as u64,
        }
    }

    /// Work of one step of the intruder at all places: the number of places, or a quarter of the
    /// links between them where these are more.
    pub(crate) fn step_work(&self) -> u64 {
        (self.parts.len() as u64).max(self.next.len() as u64 / 4)
    }

    /// Neighbours of a place.
    pub(crate) fn neighbours(&self, place: usize) -> &[u32] {
        &self.next[self.first[place] as usize..self.first[place + 1] as usize]
    }
}

/// Reciprocal of a number of parts in units of 2^-64, rounded up; 0: too many for an exact product.
///
/// With r = 2^64 / n + e / n, 0 <= e < n, m * r / 2^64 exceeds m / n by m * e / (n * 2^64): below 1
/// / n, so that rounding down gives the same, when m * e is below 2^64. Masses are at most 2^60.
fn reciprocal(parts: u64) -> u64 {
    match parts {
        2..=15 => u64::MAX / parts + 1,
        _ => 0,
    }
}

/// Probability as a double.
pub(crate) fn share(mass: u64) -> f64 {
    mass as f64 / PROBABILITY_ONE as f64
}

impl Context<'_> {
    /// Shortest times in ticks from each vertex to one (Dijkstra), pauses in between included, from
    /// when a guard may leave.
    pub(crate) fn distances(&self, guard: usize, to: usize) -> Vec<u32> {
        let problem = self.problem;
        let mut ticks = vec![u32::MAX; problem.vertices()];
        let mut open = std::collections::BTreeSet::from([(0, to)]);
        ticks[to] = 0;
        while let Some((far, vertex)) = open.pop_first() {
            // A guard pauses at each vertex in between, not at the goal.
            let far = if vertex == to {
                0
            } else {
                far + problem.pause(vertex)
            };
            for (edge, edges) in problem.out_edges(vertex).iter().enumerate() {
                let far = far + self.ticks[guard][vertex][edge];
                if far < ticks[edges.to] {
                    open.remove(&(ticks[edges.to], edges.to));
                    ticks[edges.to] = far;
                    open.insert((far, edges.to));
                }
            }
        }
        ticks
    }

    /// Least ticks until a guard is at the vertex of `table` ([`Context::distances`]).
    pub(crate) fn arrival(&self, guard: usize, position: Position, table: &[u32]) -> u32 {
        let vertex = position.vertex as usize;
        match position.edge {
            STANDING => match table[vertex] {
                0 => 0,
                far => far + position.clock,
            },
            edge => {
                let to = self.problem.out_edges(vertex)[edge as usize].to;
                let left = self.ticks[guard][vertex][edge as usize] - position.clock;
                let far = table[to];
                left + far + if far == 0 { 0 } else { self.problem.pause(to) }
            }
        }
    }
}
