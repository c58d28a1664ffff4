//! A closed walk that some guards share, at equal distances in time, and what it leaves unseen.

mod laps;
#[cfg(test)]
mod tests;

use super::shortest_paths::ShortestPaths;
use crate::context::Context;
use crate::plan::{Stop, duration};
use laps::Laps;

/// A closed walk: goals in order, between which guards take a quickest way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Round {
    /// Vertices and how long to stay there beyond what is asked for; at least one.
    pub goals: Vec<Stop>,
}

/// What the rounds of one kind of guard are judged with.
pub(super) struct RoundEvaluator<'s> {
    pub context: &'s Context<'s>,
    pub paths: ShortestPaths<'s>,
    /// One of the guards.
    pub guard: usize,
    /// How many share the round.
    pub guards: usize,
    /// What is seen from each vertex, itself included, and the pause there.
    sights: Vec<(&'s [u32], u32)>,
    /// Where guards come on the round.
    visits: Vec<Visit>,
    laps: Laps,
    /// For each vertex, what came of it so far.
    seen: Vec<Seen>,
    /// Judgements so far.
    judged: u64,
    /// For each vertex, for how many ticks in a row it has to be out of sight; 0: as it comes.
    gaps: Vec<u32>,
    /// Those that are seen, in the order in which they are seen first.
    touched: Vec<u32>,
}

/// How a vertex is seen.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    /// In which judgement: what is left of others counts for nothing.
    judged: u64,
    /// From when first in the lap.
    first: Option<i64>,
    /// Until when so far.
    until: i64,
    /// Entries that were missed.
    lost: i64,
    /// The longest time out of sight.
    longest: i64,
}

impl Seen {
    /// It was out of sight since `until`, and is seen again.
    fn unseen(&mut self, from: i64, instants: i64) {
        let gap = from - self.until;
        if gap > 1 {
            self.lost += (gap - instants).max(0);
            self.longest = self.longest.max(gap - 1);
        }
    }
}

/// A guard comes to a vertex and stays for so many ticks after the first.
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
    /// For so many guards who go these ways.
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
            seen: vec![Seen::default(); context.problem.vertices()],
            judged: 0,
            gaps: {
                let mut gaps = vec![0; context.problem.vertices()];
                for gap in &context.problem.spec().gaps {
                    gaps[gap.vertex] = gap.ticks.max(gaps[gap.vertex]);
                }
                gaps
            },
            touched: Vec::new(),
        }
    }

    /// The round stop by stop, and its ticks.
    ///
    /// Where guards may stay, some ticks are added at the first stop so that all can be at equal
    /// distances.
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
            self.paths.walk([goal.vertex, next], |vertex, _| {
                if vertex != next {
                    let stay = problem.pause(vertex);
                    stops.push(Stop { vertex, stay });
                }
            });
        }
        if stops.len() > 1 && stops[0].vertex == stops[stops.len() - 1].vertex {
            let last = stops.pop().expect("there are several");
            // One visit, and one pause.
            stops[0].stay += last.stay - problem.pause(last.vertex);
        }
        if stops.len() == 1 && !problem.spec().may_stay {
            let (vertex, _) = self.turn(stops[0].vertex);
            stops.push(Stop { vertex, stay: 0 });
        }
        let mut ticks = self.ticks(&stops);
        let guards = u32::try_from(self.guards).expect("few");
        if problem.spec().may_stay {
            let wait = ticks.next_multiple_of(guards).max(guards) - ticks;
            stops[0].stay += wait;
            ticks += wait;
        }
        (stops, ticks)
    }

    /// The nearest neighbour, to go there and back where nobody may stay, and the ticks there.
    fn turn(&self, vertex: usize) -> (usize, u32) {
        let problem = self.context.problem;
        let edges = problem.out_edges(vertex).iter();
        let edges = edges.map(|edge| (edge.to, problem.ticks(self.guard, *edge)));
        let nearest = edges.min_by_key(|(_, ticks)| *ticks);
        nearest.expect("there is somewhere to go")
    }

    /// Ticks of a closed walk.
    fn ticks(&self, stops: &[Stop]) -> u32 {
        let ticks = duration(self.context.problem, self.guard, stops, &stops[0]);
        u32::try_from(ticks).expect("rounds are limited")
    }

    /// For each vertex, the share of moments at which a stationary intruder who enters there is
    /// missed.
    pub(super) fn missed(&mut self, round: &Round, missed: &mut Vec<f64>) {
        missed.clear();
        missed.resize(self.context.problem.vertices(), 1.0);
        self.each(round, |vertex, share, _| missed[vertex] = share);
    }

    /// What a round misses, by what an intruder is worth at each vertex; `all` is their sum.
    pub(super) fn value(&mut self, round: &Round, (worth, all): (&[f64], f64)) -> f64 {
        let mut value = all;
        self.each(round, |vertex, missed, short| {
            value += short - worth[vertex] * (1.0 - missed);
        });
        value
    }

    /// Calls `tell` with each vertex that is seen, the share of moments at which entry there is
    /// missed, and by how much its gap is too short.
    fn each(&mut self, round: &Round, mut tell: impl FnMut(usize, f64, f64)) {
        let ticks = self.visit(round);
        let guards = u32::try_from(self.guards).expect("few");
        // Everything comes again when the next guard is where this one was.
        let lap = ticks.div_ceil(guards).max(1);
        if guards > 1 {
            self.laps.overlay(&mut self.visits, lap);
        }
        let (lap, instants) = (
            i64::from(lap),
            i64::from(self.context.problem.intruder().instants),
        );
        self.judged += 1;
        let fresh = |until: i64, first: Option<i64>| Seen {
            judged: self.judged,
            first,
            until,
            lost: 0,
            longest: 0,
        };
        // What is still in sight when the lap begins.
        for visit in self.visits.iter().filter(|visit| visit.until() > lap) {
            let until = visit.until() - lap;
            for vertex in self.sights[visit.vertex as usize].0 {
                let seen = &mut self.seen[*vertex as usize];
                if seen.judged == self.judged {
                    seen.until = seen.until.max(until);
                } else {
                    *seen = fresh(until, None);
                    self.touched.push(*vertex);
                }
            }
        }
        for visit in &self.visits {
            let (from, until) = (i64::from(visit.from), visit.until());
            for vertex in self.sights[visit.vertex as usize].0 {
                let seen = &mut self.seen[*vertex as usize];
                if seen.judged != self.judged {
                    *seen = fresh(until, Some(from));
                    self.touched.push(*vertex);
                    continue;
                }
                match seen.first {
                    None => seen.first = Some(from),
                    Some(_) => seen.unseen(from, instants),
                }
                seen.until = seen.until.max(until);
            }
        }
        for vertex in self.touched.drain(..) {
            let seen = &mut self.seen[vertex as usize];
            // From the last look of the lap to the first of the next.
            seen.unseen(seen.first.expect("it was seen") + lap, instants);
            let short = i64::from(self.gaps[vertex as usize]) - seen.longest;
            let short = match short > 0 {
                // Worse than to miss everybody.
                true => 1.0 + short as f64,
                false => 0.0,
            };
            tell(vertex as usize, seen.lost as f64 / lap as f64, short);
        }
    }

    /// Notes all visits of a round, in the order of time, and says how long it takes.
    fn visit(&mut self, round: &Round) -> u32 {
        let problem = self.context.problem;
        let first = round.goals[0].vertex;
        let alone = round.goals.iter().all(|goal| goal.vertex == first);
        let turn = (alone && !problem.spec().may_stay).then(|| self.turn(first));
        let (sights, visits) = (&self.sights, &mut self.visits);
        visits.clear();
        let mut see = |vertex: usize, from: u32, stay: u32| {
            let vertex = u32::try_from(vertex).expect("vertices are limited");
            visits.push(Visit { vertex, from, stay });
        };
        let mut now = 0;
        for (index, goal) in round.goals.iter().enumerate() {
            let next = round.goals[(index + 1) % round.goals.len()].vertex;
            // Two goals in a row at one vertex are one visit.
            let pause = if next == goal.vertex && round.goals.len() > 1 {
                0
            } else {
                sights[goal.vertex].1
            };
            see(goal.vertex, now, goal.stay + pause);
            now += goal.stay + pause;
            self.paths.walk([goal.vertex, next], |vertex, ticks| {
                now += ticks;
                if vertex != next {
                    let pause = sights[vertex].1;
                    see(vertex, now, pause);
                    now += pause;
                }
            });
        }
        if let Some((vertex, ticks)) = turn {
            see(vertex, ticks, 0);
            now = 2 * ticks;
        }
        let guards = u32::try_from(self.guards).expect("few");
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
