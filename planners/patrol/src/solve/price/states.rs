//! The states of a guard that remembers what it saw of late, and the moves between them.

use crate::problem::Problem;
use std::collections::BTreeMap;

/// Most states of a guard.
const STATES_MAX: usize = 20_000;

/// A move from a state.
pub(super) struct Move {
    pub to: u32,
    pub ticks: u32,
    /// Where in the list of gains.
    pub gains: [u32; 2],
}

/// Guards who are alike.
pub(super) struct Kind {
    pub guards: f64,
    /// For each state, where its moves begin.
    pub first: Vec<u32>,
    pub moves: Vec<Move>,
    /// Vertices, and in how many more windows they are.
    pub gains: Vec<(u32, u32)>,
    pub potentials: Vec<f64>,
}

/// Where a guard is, and how long ago it saw which vertices of late, by vertex.
type State = (u32, Vec<(u32, u32)>);

/// How many ticks a guard remembers, and the step in which it does.
type Memory = (u32, u32);

/// States that are being found.
struct Growing<'p> {
    problem: &'p Problem,
    guard: usize,
    memory: Memory,
    kind: Kind,
    known: BTreeMap<State, u32>,
    states: Vec<State>,
}

impl Kind {
    /// With as much memory as there is room for.
    pub(super) fn new(problem: &Problem, guard: usize) -> Option<Self> {
        let instants = problem.intruder().instants;
        let memories = [
            (instants, 1),
            (instants, 2),
            (instants / 2, 1),
            (instants / 2, 2),
            (instants / 4, 1),
            (instants / 4, 4),
            (instants / 8, 2),
        ];
        let mut memories = memories.into_iter().filter(|(long, _)| *long > 1);
        memories.find_map(|memory| Self::with(problem, guard, memory))
    }

    fn with(problem: &Problem, guard: usize, memory: Memory) -> Option<Self> {
        let mut growing = Growing {
            problem,
            guard,
            memory,
            kind: Self {
                guards: 1.0,
                first: vec![0],
                moves: Vec::new(),
                gains: Vec::new(),
                potentials: Vec::new(),
            },
            known: BTreeMap::new(),
            states: Vec::new(),
        };
        for vertex in 0..problem.vertices() {
            growing.state(vertex, &[]);
        }
        let mut next = 0;
        while next < growing.states.len() {
            growing.expand(next);
            next += 1;
            if growing.states.len() > STATES_MAX {
                return None;
            }
        }
        growing.kind.potentials = vec![0.0; next];
        Some(growing.kind)
    }
}

impl Growing<'_> {
    /// The number of a state.
    fn state(&mut self, vertex: usize, ages: &[(u32, u32)]) -> u32 {
        let state = self.remembered(vertex, ages);
        let fresh = u32::try_from(self.states.len()).expect("states are limited");
        let known = *self.known.entry(state.clone()).or_insert(fresh);
        if known == fresh {
            self.states.push(state);
        }
        known
    }

    /// All moves from a state.
    fn expand(&mut self, state: usize) {
        let problem = self.problem;
        let (vertex, ages) = self.states[state].clone();
        let here = vertex as usize;
        if problem.spec().may_stay {
            self.go((here, &ages), here, [1, 1]);
        }
        for way in problem.ways(here) {
            let ticks = problem.ticks(self.guard, *way);
            // It counts as at the vertex until the first step of the way is done.
            let lasts = ticks.div_ceil(way.length) - 1;
            self.go((here, &ages), way.to, [ticks, lasts]);
        }
        let moves = u32::try_from(self.kind.moves.len()).expect("states are limited");
        self.kind.first.push(moves);
    }

    /// A move of so many ticks; what is seen from where it begins stays in sight for `lasts` of them.
    fn go(&mut self, (here, ages): (usize, &[(u32, u32)]), to: usize, [ticks, lasts]: [u32; 2]) {
        let (problem, guard) = (self.problem, self.guard);
        let from = self.kind.gains.len();
        let seen = problem.sight(guard, here);
        let aged = |(vertex, age): &(u32, u32)| match seen.binary_search(vertex) {
            Ok(_) => (*vertex, ticks - lasts),
            Err(_) => (*vertex, age + ticks),
        };
        let mut ages: Vec<(u32, u32)> = ages.iter().map(aged).collect();
        let mut pause = 0;
        if lasts > 0 {
            let stays = seen.iter().map(|seen| (*seen, lasts));
            self.kind.gains.extend(stays);
        }
        if to != here {
            pause = problem.pause(to);
            for seen in problem.sight(guard, to) {
                let age = ages.binary_search_by_key(seen, |(vertex, _)| *vertex);
                let age = age.map_or(u32::MAX, |index| ages[index].1);
                let windows = age.min(problem.intruder().instants) + pause;
                self.kind.gains.push((*seen, windows));
            }
            ages.iter_mut().for_each(|(_, age)| *age += pause);
        }
        let to = self.state(to, &ages);
        let gains = [from, self.kind.gains.len()];
        self.kind.moves.push(Move {
            to,
            ticks: ticks + pause,
            gains: gains.map(|at| u32::try_from(at).expect("states are limited")),
        });
    }

    /// The state at a vertex; what was seen too long ago is forgotten, and all is remembered as at least as long ago.
    fn remembered(&self, vertex: usize, ages: &[(u32, u32)]) -> State {
        let seen = self.problem.sight(self.guard, vertex);
        let (long, step) = self.memory;
        let mut all: Vec<(u32, u32)> = ages
            .iter()
            .filter(|(other, _)| seen.binary_search(other).is_err())
            .map(|(other, age)| (*other, age.next_multiple_of(step)))
            .filter(|(_, age)| *age < long)
            .collect();
        let counts = |vertex: &u32| self.problem.shares()[*vertex as usize] > 0;
        all.extend(seen.iter().copied().filter(counts).map(|seen| (seen, 0)));
        all.sort_unstable();
        (u32::try_from(vertex).expect("vertices are limited"), all)
    }
}
