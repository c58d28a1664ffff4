//! A problem as the search sees it: guards that move tick by tick, and what is left of the
//! intruder.

mod steps;

pub(crate) use steps::Steps;

use crate::evaluate::Memo;
use crate::plan::Plan;
use crate::problem::{CERTAIN, Problem};
use crate::variety::Unlike;
use anytime::Pulse;
use std::cell::RefCell;

/// Where a guard is at a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Spot {
    /// The vertex where it stands or which it left last.
    pub vertex: u32,
    /// Index of the way on which it is; [`STANDS`]: it stands.
    pub way: u32,
    /// Ticks since it left; if it stands, ticks for which it still has to.
    pub clock: u32,
}

/// Not on a way.
pub(crate) const STANDS: u32 = u32::MAX;

/// What the search looks up again and again.
pub(crate) struct Scene<'p> {
    pub problem: &'p Problem,
    /// Ticks for each way of each vertex, by guard.
    ticks: Vec<Vec<Vec<u32>>>,
    /// Neighbours of places, one list after the other; where each begins.
    next: Vec<u32>,
    first: Vec<u32>,
    parts: Vec<u64>,
    /// What the parts are multiplied by, of 2^64, instead of dividing; 0: divide.
    shares: Vec<u64>,
    /// Plans that are not to be found again.
    unlike: Option<Unlike>,
    /// The work of judging plans.
    pub steps: Steps,
    /// What walkers met before, and what was left of them.
    pub memo: RefCell<Memo>,
}

impl<'p> Scene<'p> {
    pub(crate) fn new(problem: &'p Problem) -> Self {
        let ways = |guard: usize, vertex: usize| {
            let ways = problem.ways(vertex).iter();
            ways.map(|way| problem.ticks(guard, *way)).collect()
        };
        let of = |guard| (0..problem.vertices()).map(|v| ways(guard, v)).collect();
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
            shares: (0..problem.places())
                .map(|place| reciprocal(problem.parts(place)))
                .collect(),
            parts: (0..problem.places()).map(|p| problem.parts(p)).collect(),
            unlike: None,
            steps: Steps::default(),
            memo: RefCell::default(),
        }
    }

    /// The same, which asks while it judges plans whether to go on.
    pub(crate) fn hears(self, pulse: Pulse) -> Self {
        Self {
            steps: Steps::new(pulse),
            ..self
        }
    }

    /// The same, where plans that are too near to others break a rule.
    pub(crate) fn unlike(self, unlike: Unlike) -> Self {
        Self {
            unlike: Some(unlike),
            ..self
        }
    }

    /// The same for another thread, which counts its own steps.
    pub(crate) fn aside(&self, pulse: Pulse) -> Self {
        Self {
            unlike: self.unlike.clone(),
            ..Self::new(self.problem).hears(pulse)
        }
    }

    /// Whether a plan is too near to one that is not to be found again.
    pub(crate) fn forbids(&self, plan: &Plan) -> bool {
        let unlike = self.unlike.as_ref();
        unlike.is_some_and(|unlike| unlike.forbids(self.problem, plan))
    }

    /// Guards.
    pub(crate) fn guards(&self) -> usize {
        self.ticks.len()
    }

    /// Where a guard is at tick 0.
    pub(crate) fn start(&self, guard: usize) -> Spot {
        self.arrived(self.problem.guards()[guard].start)
    }

    fn arrived(&self, vertex: usize) -> Spot {
        Spot {
            vertex: u32::try_from(vertex).expect("vertices are limited"),
            way: STANDS,
            clock: self.problem.pause(vertex),
        }
    }

    /// Appends where a guard can be one tick later.
    pub(crate) fn moves(&self, guard: usize, spot: Spot, out: &mut Vec<Spot>) {
        let vertex = spot.vertex as usize;
        if spot.way != STANDS {
            out.push(self.along(guard, spot, spot.clock));
            return;
        }
        if spot.clock > 0 || self.problem.spec().may_stay {
            out.push(Spot {
                clock: spot.clock.saturating_sub(1),
                ..spot
            });
        }
        if spot.clock == 0 {
            for way in 0..self.problem.ways(vertex).len() as u32 {
                out.push(self.along(guard, Spot { way, ..spot }, 0));
            }
        }
    }

    /// One tick further on a way.
    fn along(&self, guard: usize, spot: Spot, since: u32) -> Spot {
        let (vertex, way) = (spot.vertex as usize, spot.way as usize);
        if since + 1 == self.ticks[guard][vertex][way] {
            self.arrived(self.problem.ways(vertex)[way].to)
        } else {
            Spot {
                clock: since + 1,
                ..spot
            }
        }
    }

    /// Calls `see` with each place that a guard sees.
    pub(crate) fn look(&self, guard: usize, spot: Spot, mut see: impl FnMut(usize)) {
        let vertex = spot.vertex as usize;
        if spot.way != STANDS {
            let way = self.problem.ways(vertex)[spot.way as usize];
            let ticks = self.ticks[guard][vertex][spot.way as usize];
            if let Some(place) = self.problem.on_the_way((vertex, way), spot.clock, ticks) {
                // Who stays is never inside an edge: there are no such places.
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

    /// Whether two guards that are going from `from` to `to` pass each other on an edge.
    pub(crate) fn pass(&self, from: [Spot; 2], to: [Spot; 2]) -> bool {
        let step = |i: usize| {
            let (from, to): (Spot, Spot) = (from[i], to[i]);
            if from.way != STANDS {
                let way = self.problem.ways(from.vertex as usize)[from.way as usize];
                return Some([from.vertex as usize, way.to]);
            }
            match to.way {
                STANDS => (to.vertex != from.vertex)
                    .then_some([from.vertex, to.vertex].map(|v| v as usize)),
                way => Some([
                    from.vertex as usize,
                    self.problem.ways(from.vertex as usize)[way as usize].to,
                ]),
            }
        };
        match (step(0), step(1)) {
            (Some(one), Some(other)) => one == [other[1], other[0]],
            _ => false,
        }
    }

    /// What is known of the intruder before anybody looks.
    pub(crate) fn prior(&self) -> Vec<u64> {
        let mut prior = self.problem.shares().to_vec();
        prior.resize(self.problem.places(), 0);
        prior
    }

    /// One step of the intruder, exactly as the problem defines it; `parts` is room to work in.
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
            let near = self.near(place);
            let come: u64 = near.iter().map(|other| parts[*other as usize]).sum();
            next.push(belief[place] - parts[place] * near.len() as u64 + come);
        }
    }

    /// One step backwards: from the probability of escape at each place after the step to that
    /// before it.
    pub(crate) fn step_back(&self, after: &[f64], before: &mut Vec<f64>) {
        before.clear();
        for place in 0..after.len() {
            let near = self.near(place);
            let part = 1.0 / self.parts[place] as f64;
            let go: f64 = near.iter().map(|other| after[*other as usize]).sum();
            before.push(go * part + after[place] * (1.0 - near.len() as f64 * part));
        }
    }

    /// What divides masses at a place into parts, rounded down.
    pub(crate) fn divide(&self, place: usize) -> impl Fn(u64) -> u64 + use<> {
        let (share, parts) = (self.shares[place], self.parts[place]);
        move |mass| match share {
            0 => mass / parts,
            share => ((u128::from(mass) * u128::from(share)) >> 64) as u64,
        }
    }

    /// Steps that a step of the intruder at all places counts for: places, or more where more than
    /// four are next to each.
    pub(crate) fn step_work(&self) -> u64 {
        (self.parts.len() as u64).max(self.next.len() as u64 / 4)
    }

    /// The places next to a place.
    pub(crate) fn near(&self, place: usize) -> &[u32] {
        &self.next[self.first[place] as usize..self.first[place + 1] as usize]
    }
}

/// 2^64 divided by so many parts, rounded up; 0: too many for an exact product.
///
/// With r = 2^64 / n + e / n, 0 <= e < n, m * r / 2^64 exceeds m / n by m * e / (n * 2^64): below 1
/// / n, so that rounding down gives the same, when m * e is below 2^64. Masses are at most 2^60.
fn reciprocal(parts: u64) -> u64 {
    match parts {
        2..=15 => u64::MAX / parts + 1,
        _ => 0,
    }
}

/// As a share of one.
pub(crate) fn share(mass: u64) -> f64 {
    mass as f64 / CERTAIN as f64
}

impl Scene<'_> {
    /// Ticks from each vertex to one, pauses on the way included, from when a guard may leave.
    pub(crate) fn distances(&self, guard: usize, to: usize) -> Vec<u32> {
        let problem = self.problem;
        let mut ticks = vec![u32::MAX; problem.vertices()];
        let mut open = std::collections::BTreeSet::from([(0, to)]);
        ticks[to] = 0;
        while let Some((far, vertex)) = open.pop_first() {
            // Whoever comes by pauses, but not at the goal.
            let far = if vertex == to {
                0
            } else {
                far + problem.pause(vertex)
            };
            for (way, ways) in problem.ways(vertex).iter().enumerate() {
                let far = far + self.ticks[guard][vertex][way];
                if far < ticks[ways.to] {
                    open.remove(&(ticks[ways.to], ways.to));
                    ticks[ways.to] = far;
                    open.insert((far, ways.to));
                }
            }
        }
        ticks
    }

    /// Least ticks until a guard is at the vertex that `table` ([`Scene::distances`]) is for.
    pub(crate) fn arrival(&self, guard: usize, spot: Spot, table: &[u32]) -> u32 {
        let vertex = spot.vertex as usize;
        match spot.way {
            STANDS => match table[vertex] {
                0 => 0,
                far => far + spot.clock,
            },
            way => {
                let to = self.problem.ways(vertex)[way as usize].to;
                let left = self.ticks[guard][vertex][way as usize] - spot.clock;
                let far = table[to];
                left + far + if far == 0 { 0 } else { self.problem.pause(to) }
            }
        }
    }
}
