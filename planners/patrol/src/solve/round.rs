//! A closed walk that some guards share, at equal distances in time, and what it leaves unseen.

use super::ways::Ways;
use crate::plan::Stop;
use crate::scene::Scene;

/// A closed walk: goals in order, between which guards take a quickest way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Round {
    /// Vertices and how long to stay there beyond what is asked for; at least one.
    pub goals: Vec<Stop>,
}

/// What the rounds of one kind of guard are judged with.
pub(super) struct Judge<'s> {
    pub scene: &'s Scene<'s>,
    pub ways: Ways<'s>,
    /// One of the guards.
    pub guard: usize,
    /// How many share the round.
    pub guards: usize,
    /// Vertex, tick in the lap and stay, packed so that they sort by vertex and tick.
    visits: Vec<u64>,
}

impl<'s> Judge<'s> {
    pub(super) fn new(scene: &'s Scene<'s>, (guard, guards): (usize, usize)) -> Self {
        Self {
            scene,
            ways: Ways::new(scene, guard),
            guard,
            guards,
            visits: Vec::new(),
        }
    }

    /// The round stop by stop, and its ticks.
    ///
    /// Where guards may stay, some ticks are added at the first stop so that all can be at equal distances.
    pub(super) fn stops(&mut self, round: &Round) -> (Vec<Stop>, u32) {
        let problem = self.scene.problem;
        let mut stops: Vec<Stop> = Vec::new();
        let count = round.goals.len();
        for (index, goal) in round.goals.iter().enumerate() {
            let stay = goal.stay + problem.pause(goal.vertex);
            match stops.last_mut() {
                Some(last) if last.vertex == goal.vertex => last.stay += goal.stay,
                _ => stops.push(Stop { stay, ..*goal }),
            }
            let next = round.goals[(index + 1) % count].vertex;
            self.ways.walk([goal.vertex, next], |vertex, _| {
                if vertex != next {
                    let stay = problem.pause(vertex);
                    stops.push(Stop { vertex, stay });
                }
            });
        }
        if stops.len() > 1 && stops[0].vertex == stops[stops.len() - 1].vertex {
            let last = stops.pop().expect("there are several");
            stops[0].stay += last.stay;
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
        let problem = self.scene.problem;
        let ways = problem.ways(vertex).iter();
        let ways = ways.map(|way| (way.to, problem.ticks(self.guard, *way)));
        let nearest = ways.min_by_key(|(_, ticks)| *ticks);
        nearest.expect("there is somewhere to go")
    }

    /// Ticks of a closed walk.
    fn ticks(&self, stops: &[Stop]) -> u32 {
        let next = stops.iter().skip(1).chain(stops.first());
        let each = stops
            .iter()
            .zip(next)
            .map(|(stop, next)| stop.stay + self.step(stop, next));
        each.sum()
    }

    fn step(&self, stop: &Stop, next: &Stop) -> u32 {
        let problem = self.scene.problem;
        let way = problem.way(stop.vertex, next.vertex);
        way.map_or(0, |way| problem.ticks(self.guard, way))
    }

    /// For each vertex, the share of moments at which an intruder who enters there and stays is missed.
    pub(super) fn missed(&mut self, round: &Round, missed: &mut Vec<f64>) {
        missed.clear();
        missed.resize(self.scene.problem.vertices(), 1.0);
        self.each(round, |vertex, share| missed[vertex] = share);
    }

    /// What a round misses, by what an intruder is worth at each vertex; `all` is their sum.
    pub(super) fn value(&mut self, round: &Round, (worth, all): (&[f64], f64)) -> f64 {
        let mut value = all;
        self.each(round, |vertex, missed| {
            value -= worth[vertex] * (1.0 - missed);
        });
        value
    }

    /// Calls `tell` with each vertex that is seen, and the share of moments at which who enters there is missed.
    fn each(&mut self, round: &Round, mut tell: impl FnMut(usize, f64)) {
        let ticks = self.visit(round);
        let guards = u32::try_from(self.guards).expect("few");
        // Everything comes again when the next guard is where this one was.
        let lap = ticks.div_ceil(guards).max(1);
        let mut visits = std::mem::take(&mut self.visits);
        for visit in &mut visits {
            let now = (*visit >> STAY_BITS) as u32;
            let vertex = *visit >> (STAY_BITS + 32);
            *visit = pack(vertex as u32, now % lap, (*visit & STAY_MAX) as u32);
        }
        visits.sort_unstable();
        let instants = i64::from(self.scene.problem.intruder().instants);
        let lap = i64::from(lap);
        for visits in
            visits.chunk_by(|one, other| one >> (STAY_BITS + 32) == other >> (STAY_BITS + 32))
        {
            let span = |visit: &u64| {
                let from = i64::from((visit >> STAY_BITS) as u32);
                (from, from + (visit & STAY_MAX) as i64)
            };
            // Until when it is seen by the visits so far; at first by those of the lap before.
            let ends = visits.iter().map(|visit| span(visit).1);
            let mut seen = ends.max().unwrap_or(0) - lap;
            let mut lost = 0;
            for (from, until) in visits.iter().map(span) {
                lost += (from - seen - instants).max(0);
                seen = seen.max(until);
            }
            let vertex = visits[0] >> (STAY_BITS + 32);
            tell(vertex as usize, lost as f64 / lap as f64);
        }
        self.visits = visits;
    }

    /// Notes all visits of a round, and says how long it takes.
    fn visit(&mut self, round: &Round) -> u32 {
        let problem = self.scene.problem;
        let first = round.goals[0].vertex;
        let alone = round.goals.iter().all(|goal| goal.vertex == first);
        let turn = (alone && !problem.spec().may_stay).then(|| self.turn(first));
        let (guard, visits) = (self.guard, &mut self.visits);
        visits.clear();
        let mut see = |vertex: usize, now: u32, stay: u32| {
            for seen in problem.sight(guard, vertex) {
                visits.push(pack(*seen, now, stay));
            }
        };
        let mut now = 0;
        for (index, goal) in round.goals.iter().enumerate() {
            let next = round.goals[(index + 1) % round.goals.len()].vertex;
            // Two goals in a row at one vertex are one visit.
            let pause = match next == goal.vertex && round.goals.len() > 1 {
                true => 0,
                false => problem.pause(goal.vertex),
            };
            see(goal.vertex, now, goal.stay + pause);
            now += goal.stay + pause;
            self.ways.walk([goal.vertex, next], |vertex, ticks| {
                now += ticks;
                if vertex != next {
                    let pause = problem.pause(vertex);
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
            see(round.goals[0].vertex, now, wait);
            now += wait;
        }
        now
    }
}

/// Bits for a stay.
const STAY_BITS: u32 = 21;
const STAY_MAX: u64 = (1 << STAY_BITS) - 1;

fn pack(vertex: u32, now: u32, stay: u32) -> u64 {
    u64::from(vertex) << (STAY_BITS + 32)
        | u64::from(now) << STAY_BITS
        | u64::from(stay).min(STAY_MAX)
}
