//! A closed walk that some guards share, at equal distances in time, and what it leaves unseen.

mod legs;
#[cfg(test)]
mod tests;

use super::ways::Ways;
use crate::plan::Stop;
use crate::scene::Scene;
use legs::Legs;

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
    /// What is seen on the way between two goals.
    legs: Legs,
    /// For each vertex, when it is seen in one lap, in ticks: from and until.
    looks: Vec<Vec<[u32; 2]>>,
    /// Vertices that are seen, in the order in which they are seen first.
    touched: Vec<u32>,
}

impl<'s> Judge<'s> {
    pub(super) fn new(scene: &'s Scene<'s>, (guard, guards): (usize, usize)) -> Self {
        Self {
            scene,
            ways: Ways::new(scene, guard),
            guard,
            guards,
            legs: Legs::new(scene, guard),
            looks: vec![Vec::new(); scene.problem.vertices()],
            touched: Vec::new(),
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

    /// Calls `tell` with each vertex that is seen, the share of moments at which who enters there is missed, and by how much
    /// its gap is too short.
    fn each(&mut self, round: &Round, mut tell: impl FnMut(usize, f64, f64)) {
        let ticks = self.look(round);
        let guards = u32::try_from(self.guards).expect("few");
        // Everything comes again when the next guard is where this one was.
        let lap = ticks.div_ceil(guards).max(1);
        let long = i64::from(lap);
        let instants = i64::from(self.scene.problem.intruder().instants);
        for vertex in self.touched.drain(..) {
            let looks = &mut self.looks[vertex as usize];
            if guards > 1 {
                for [from, until] in &mut *looks {
                    let before = *from - *from % lap;
                    (*from, *until) = (*from - before, *until - before);
                }
                looks.sort_unstable();
            }
            // Until when it is seen by the looks of the lap before.
            let last = looks.iter().map(|[_, until]| i64::from(*until)).max();
            let mut seen = last.unwrap_or(0) - long;
            let (mut lost, mut longest) = (0, 0);
            for [from, until] in looks.drain(..) {
                let gap = i64::from(from) - seen;
                lost += (gap - instants).max(0);
                longest = longest.max(gap - 1);
                seen = seen.max(i64::from(until));
            }
            let short = i64::from(self.legs.gap(vertex)) - longest;
            let short = match short > 0 {
                // Worse than to miss everybody.
                true => 1.0 + short as f64,
                false => 0.0,
            };
            tell(vertex as usize, lost as f64 / lap as f64, short);
        }
    }

    /// Notes when each vertex is seen on a round, and says how long the round takes.
    fn look(&mut self, round: &Round) -> u32 {
        let problem = self.scene.problem;
        let count = round.goals.len();
        let first = round.goals[0].vertex;
        let mut now = 0;
        for (index, goal) in round.goals.iter().enumerate() {
            let next = round.goals[(index + 1) % count].vertex;
            // Two goals in a row at one vertex are one visit.
            let pause = match next == goal.vertex && count > 1 {
                true => 0,
                false => problem.pause(goal.vertex),
            };
            now = self.go([goal.vertex, next], now, goal.stay + pause);
        }
        let is_alone = || round.goals.iter().all(|goal| goal.vertex == first);
        if !problem.spec().may_stay && is_alone() {
            let (vertex, _) = self.turn(first);
            now = self.go([first, vertex], now, 0);
            now = self.go([vertex, first], now, problem.pause(vertex));
        }
        let guards = u32::try_from(self.guards).expect("few");
        if problem.spec().may_stay {
            let wait = now.next_multiple_of(guards).max(guards) - now;
            if wait > 0 {
                now = self.go([first; 2], now, wait);
            }
        }
        now
    }

    /// Notes what is seen of a stay and the way after it; returns when that is over.
    fn go(&mut self, ends: [usize; 2], now: u32, stay: u32) -> u32 {
        let (leg, events) = self.legs.leg(&mut self.ways, ends);
        let leaves = now + stay;
        for (index, event) in events.iter().enumerate() {
            // What is seen from where it stays is seen from the arrival on.
            let from = match index < leg.here {
                true => now,
                false => leaves + event.from,
            };
            let looks = &mut self.looks[event.vertex as usize];
            if looks.is_empty() {
                self.touched.push(event.vertex);
            }
            looks.push([from, leaves + event.until]);
        }
        leaves + leg.ticks
    }
}
