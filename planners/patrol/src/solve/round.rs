//! Round: a closed walk that some guards share, at equal distances in time, and its evaluation
//! against a stationary intruder.

mod laps;
#[cfg(test)]
mod tests;

use super::shortest_paths::ShortestPaths;
use crate::context::Context;
use crate::plan::{Stop, duration};
use laps::Laps;

/// Closed walk: goals in order, connected by shortest paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Round {
    /// Vertices, and stays in addition to the pauses; at least one.
    pub goals: Vec<Stop>,
}

/// Evaluator of the rounds of one class of interchangeable guards.
pub(super) struct RoundEvaluator<'s> {
    pub context: &'s Context<'s>,
    pub paths: ShortestPaths<'s>,
    /// One of the guards.
    pub guard: usize,
    /// Number of guards that share the round.
    pub guards: usize,
    /// Visible vertices, itself included, and the pause of each vertex.
    sights: Vec<(&'s [u32], u32)>,
    /// Visits of one lap.
    visits: Vec<Visit>,
    laps: Laps,
    /// Sightings of each vertex so far.
    sightings: Vec<Sightings>,
    /// Number of evaluations so far.
    evaluations: u64,
    /// Least gap of each vertex in ticks; 0: none.
    gaps: Vec<u32>,
    /// Vertices seen, in order of the first sighting.
    seen: Vec<u32>,
}

/// Sightings of a vertex in a lap.
#[derive(Debug, Clone, Copy, Default)]
struct Sightings {
    /// Index of the evaluation: sightings of earlier ones are stale.
    evaluation: u64,
    /// First tick of sight in the lap.
    first: Option<i64>,
    /// Last tick of sight so far.
    until: i64,
    /// Entries that escape.
    missed: i64,
    /// Longest time out of sight.
    longest: i64,
}

impl Sightings {
    /// Ends a time out of sight that began after `until`.
    fn end_gap(&mut self, from: i64, instants: i64) {
        let gap = from - self.until;
        if gap > 1 {
            self.missed += (gap - instants).max(0);
            self.longest = self.longest.max(gap - 1);
        }
    }
}

/// Visit: arrival at a vertex, and the number of ticks after the first.
#[derive(Debug, Clone, Copy, Default)]
struct Visit {
    vertex: u32,
    from: u32,
    stay: u32,
}

impl Visit {
    fn until(self) -> i64 {
        i64::from(self.from) + i64::from(self.stay)
    }
}

impl<'s> RoundEvaluator<'s> {
    pub(super) fn new(paths: ShortestPaths<'s>, guards: usize) -> Self {
        let (context, guard) = (paths.context, paths.guard);
        Self {
            context,
            paths,
            guard,
            guards,
            sights: (0..context.problem.vertices())
                .map(|v| (context.problem.sight(guard, v), context.problem.pause(v)))
                .collect(),
            visits: Vec::new(),
            laps: Laps::default(),
            sightings: vec![Sightings::default(); context.problem.vertices()],
            evaluations: 0,
            gaps: {
                let mut gaps = vec![0; context.problem.vertices()];
                for gap in &context.problem.spec().gaps {
                    gaps[gap.vertex] = gap.ticks.max(gaps[gap.vertex]);
                }
                gaps
            },
            seen: Vec::new(),
        }
    }

    /// Stops of a round, and its duration in ticks.
    ///
    /// Where guards may stay, the first stop is extended so that the number of guards divides the
    /// duration.
    pub(super) fn stops(&mut self, round: &Round) -> (Vec<Stop>, u32) {
        let problem = self.context.problem;
        let mut stops: Vec<Stop> = Vec::new();
        let count = round.goals.len();
        for (index, goal) in round.goals.iter().enumerate() {
            let stay = goal.stay + problem.pause(goal.vertex);
            match stops.last_mut() {
                Some(last) if last.vertex == goal.vertex => last.stay += goal.stay,
                _ => stops.push(Stop { stay, ..*goal }),
            }
            let next = round.goals[(index + 1) % count].vertex;
            self.paths.walk(goal.vertex, next, |vertex, _| {
                if vertex != next {
                    let stay = problem.pause(vertex);
                    stops.push(Stop::new(vertex, stay));
                }
            });
        }
        if stops.len() > 1 && stops[0].vertex == stops[stops.len() - 1].vertex {
            let last = stops.pop().expect("there are several");
            // One visit, and one pause.
            stops[0].stay += last.stay - problem.pause(last.vertex);
        }
        if stops.len() == 1 && !problem.spec().may_stay {
            let (vertex, _) = self.nearest_neighbour(stops[0].vertex);
            stops.push(Stop::new(vertex, 0));
        }
        let mut ticks = self.ticks(&stops);
        let guards = u32::try_from(self.guards).expect("guards are limited");
        if problem.spec().may_stay {
            let wait = ticks.next_multiple_of(guards).max(guards) - ticks;
            stops[0].stay += wait;
            ticks += wait;
        }
        (stops, ticks)
    }

    /// Nearest neighbour, and the travel time to it.
    fn nearest_neighbour(&self, vertex: usize) -> (usize, u32) {
        let problem = self.context.problem;
        let edges = problem.out_edges(vertex).iter();
        let edges = edges.map(|edge| (edge.to, problem.ticks(self.guard, *edge)));
        let nearest = edges.min_by_key(|(_, ticks)| *ticks);
        nearest.expect("the vertex has a neighbour")
    }

    /// Duration of a closed walk in ticks.
    fn ticks(&self, stops: &[Stop]) -> u32 {
        let ticks = duration(self.context.problem, self.guard, stops, &stops[0]);
        u32::try_from(ticks).expect("rounds are limited")
    }

    /// Probability of escape of a stationary intruder by vertex of entry.
    pub(super) fn missed(&mut self, round: &Round, missed: &mut Vec<f64>) {
        missed.clear();
        missed.resize(self.context.problem.vertices(), 1.0);
        self.for_each_seen(round, |vertex, share, _| missed[vertex] = share);
    }

    /// Escape weighted by the worth of vertices, plus penalties of gaps that are too short;
    /// `total_worth` is the sum of `worth`.
    pub(super) fn value(&mut self, round: &Round, worth: &[f64], total_worth: f64) -> f64 {
        let mut value = total_worth;
        self.for_each_seen(round, |vertex, missed, short| {
            value += short - worth[vertex] * (1.0 - missed);
        });
        value
    }

    /// Calls `report` with each vertex that is seen, the probability of escape there, and a penalty
    /// if its gap is too short.
    fn for_each_seen(&mut self, round: &Round, mut report: impl FnMut(usize, f64, f64)) {
        let ticks = self.record_visits(round);
        let guards = u32::try_from(self.guards).expect("guards are limited");
        // Sightings repeat when the next guard is where this one was.
        let lap = ticks.div_ceil(guards).max(1);
        if guards > 1 {
            self.laps.overlay(&mut self.visits, lap);
        }
        let (lap, instants) = (
            i64::from(lap),
            i64::from(self.context.problem.intruder().instants),
        );
        self.evaluations += 1;
        let fresh = |until: i64, first: Option<i64>| Sightings {
            evaluation: self.evaluations,
            first,
            until,
            missed: 0,
            longest: 0,
        };
        // Visits that continue when the lap begins.
        for visit in self.visits.iter().filter(|visit| visit.until() > lap) {
            let until = visit.until() - lap;
            for vertex in self.sights[visit.vertex as usize].0 {
                let seen = &mut self.sightings[*vertex as usize];
                if seen.evaluation == self.evaluations {
                    seen.until = seen.until.max(until);
                } else {
                    *seen = fresh(until, None);
                    self.seen.push(*vertex);
                }
            }
        }
        for visit in &self.visits {
            let (from, until) = (i64::from(visit.from), visit.until());
            for vertex in self.sights[visit.vertex as usize].0 {
                let seen = &mut self.sightings[*vertex as usize];
                if seen.evaluation != self.evaluations {
                    *seen = fresh(until, Some(from));
                    self.seen.push(*vertex);
                    continue;
                }
                match seen.first {
                    None => seen.first = Some(from),
                    Some(_) => seen.end_gap(from, instants),
                }
                seen.until = seen.until.max(until);
            }
        }
        for vertex in self.seen.drain(..) {
            let seen = &mut self.sightings[vertex as usize];
            // From the last sighting of the lap to the first of the next.
            seen.end_gap(seen.first.expect("it was seen") + lap, instants);
            let short = i64::from(self.gaps[vertex as usize]) - seen.longest;
            // Worse than certain escape.
            let penalty = if short > 0 { 1.0 + short as f64 } else { 0.0 };
            report(vertex as usize, seen.missed as f64 / lap as f64, penalty);
        }
    }

    /// Records the visits of a round in order of time; returns its duration.
    fn record_visits(&mut self, round: &Round) -> u32 {
        let problem = self.context.problem;
        let first = round.goals[0].vertex;
        let is_one_vertex = round.goals.iter().all(|goal| goal.vertex == first);
        let neighbour =
            (is_one_vertex && !problem.spec().may_stay).then(|| self.nearest_neighbour(first));
        let (sights, visits) = (&self.sights, &mut self.visits);
        visits.clear();
        let mut see = |vertex: usize, from: u32, stay: u32| {
            let vertex = u32::try_from(vertex).expect("vertices are limited");
            visits.push(Visit { vertex, from, stay });
        };
        let mut now = 0;
        for (index, goal) in round.goals.iter().enumerate() {
            let next = round.goals[(index + 1) % round.goals.len()].vertex;
            // Consecutive goals at one vertex are one visit.
            let pause = if next == goal.vertex && round.goals.len() > 1 {
                0
            } else {
                sights[goal.vertex].1
            };
            see(goal.vertex, now, goal.stay + pause);
            now += goal.stay + pause;
            self.paths.walk(goal.vertex, next, |vertex, ticks| {
                now += ticks;
                if vertex != next {
                    let pause = sights[vertex].1;
                    see(vertex, now, pause);
                    now += pause;
                }
            });
        }
        if let Some((vertex, ticks)) = neighbour {
            see(vertex, ticks, 0);
            now = 2 * ticks;
        }
        let guards = u32::try_from(self.guards).expect("guards are limited");
        if problem.spec().may_stay {
            let wait = now.next_multiple_of(guards).max(guards) - now;
            if wait > 0 {
                see(first, now, wait);
            }
            now += wait;
        }
        now
    }
}
