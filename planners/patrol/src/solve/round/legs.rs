//! What is seen on quickest ways between two goals, computed when first asked for: a round that is changed is judged leg by leg, not step by step.

use crate::scene::Scene;
use crate::solve::ways::Ways;

/// Most looks that are kept.
const ROOM: usize = 600_000;

/// A vertex is seen from one tick to another after the start is left, both included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    pub vertex: u32,
    pub from: u32,
    pub until: u32,
}

/// A way between two goals.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leg {
    /// Where its looks begin and end in the list of all.
    events: [usize; 2],
    /// How many of them are from the start.
    pub here: usize,
    /// Ticks, pauses on the way included, those at the ends not.
    pub ticks: u32,
}

/// Legs that are known.
pub(super) struct Legs {
    /// For each start and end, the number of the leg, from 1; 0 or missing: it is not known.
    numbers: Vec<Vec<u32>>,
    known: Vec<Leg>,
    events: Vec<Event>,
    /// For each vertex what is seen from there, of what counts, and the pause there.
    sights: Vec<(Vec<u32>, u32)>,
    /// For each vertex, for how many ticks in a row it has to be out of sight; 0: as it comes.
    gaps: Vec<u32>,
    instants: u32,
}

impl Legs {
    /// For guards like this one.
    pub(super) fn new(scene: &Scene<'_>, guard: usize) -> Self {
        let problem = scene.problem;
        let vertices = problem.vertices();
        let mut gaps = vec![0; vertices];
        for gap in &problem.spec().gaps {
            gaps[gap.vertex] = gap.ticks.max(gaps[gap.vertex]);
        }
        // Where guards had better not meet, it costs to see what is left to others.
        let counts = |vertex: usize| {
            problem.shares()[vertex] > 0 || gaps[vertex] > 0 || !problem.spec().may_swap
        };
        let sight = |vertex: usize| {
            let seen = problem.sight(guard, vertex).iter().copied();
            (
                seen.filter(|seen| counts(*seen as usize)).collect(),
                problem.pause(vertex),
            )
        };
        Self {
            numbers: vec![Vec::new(); vertices],
            known: Vec::new(),
            events: Vec::new(),
            sights: (0..vertices).map(sight).collect(),
            instants: problem.intruder().instants,
            gaps,
        }
    }

    /// For how many ticks in a row a vertex has to be out of sight.
    pub(super) fn gap(&self, vertex: u32) -> u32 {
        self.gaps[vertex as usize]
    }

    /// The leg between two vertices, and its looks in the order of time.
    pub(super) fn leg(&mut self, ways: &mut Ways<'_>, [from, to]: [usize; 2]) -> (Leg, &[Event]) {
        let number = self.numbers[from].get(to).copied().unwrap_or(0);
        let leg = match number {
            0 => self.find(ways, [from, to]),
            number => self.known[number as usize - 1],
        };
        (leg, &self.events[leg.events[0]..leg.events[1]])
    }

    fn find(&mut self, ways: &mut Ways<'_>, [from, to]: [usize; 2]) -> Leg {
        if self.events.len() > ROOM {
            self.numbers.iter_mut().for_each(Vec::clear);
            self.known.clear();
            self.events.clear();
        }
        let begin = self.events.len();
        self.look((from, 0, 0), begin);
        let here = self.events.len() - begin;
        let mut now = 0;
        ways.walk([from, to], |vertex, ticks| {
            now += ticks;
            if vertex != to {
                let pause = self.sights[vertex].1;
                self.look((vertex, now, pause), begin);
                now += pause;
            }
        });
        let leg = Leg {
            events: [begin, self.events.len()],
            here,
            ticks: now,
        };
        self.known.push(leg);
        let numbers = &mut self.numbers[from];
        numbers.resize(numbers.len().max(self.sights.len()), 0);
        numbers[to] = u32::try_from(self.known.len()).expect("legs are limited");
        leg
    }

    /// Notes what is seen from a vertex from a tick on for so many more. Looks after which whoever enters has no time until the next are one look: nobody
    /// is missed between them. Where a vertex has to be out of sight for a while, only looks without a tick between them are.
    fn look(&mut self, (vertex, now, stay): (usize, u32, u32), begin: usize) {
        let Self {
            events,
            sights,
            gaps,
            instants,
            ..
        } = self;
        for seen in &sights[vertex].0 {
            let between = match gaps[*seen as usize] {
                0 => *instants,
                _ => 1,
            };
            let known = events[begin..]
                .iter_mut()
                .rev()
                .find(|event| event.vertex == *seen);
            match known {
                Some(event) if now - event.until <= between => event.until = now + stay,
                _ => events.push(Event {
                    vertex: *seen,
                    from: now,
                    until: now + stay,
                }),
            }
        }
    }
}
