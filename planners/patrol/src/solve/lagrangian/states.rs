//! States of a guard with a memory of recent sightings, and the moves between them.

use crate::context::Context;
use crate::problem::Problem;
use std::collections::BTreeMap;

/// Work to store one number of a state or one gain of a move.
const NUMBER_STEPS: u64 = 64;
/// Maximum number of moves for each state on average.
const MOVES_PER_STATE: usize = 10;
/// Maximum size of states and gains, in numbers.
const NUMBERS_MAX: usize = 8_000_000;

/// A move from a state.
pub(super) struct Move {
    pub to: u32,
    pub ticks: u32,
    /// Range in the list of gains.
    pub gains: [u32; 2],
}

/// Class of interchangeable guards.
pub(super) struct GuardClass {
    /// Number of guards.
    pub guards: f64,
    /// Index of one of them.
    pub guard: usize,
    pub memory: Memory,
    /// Index of the first move of each state.
    pub first: Vec<u32>,
    pub moves: Vec<Move>,
    /// Gains of moves: a vertex, and the number of new windows that it is in.
    pub gains: Vec<(u32, u32)>,
    pub potentials: Vec<f64>,
    /// Index of each state.
    known: BTreeMap<State, u32>,
}

/// Vertex of a guard, and the ages of its recent sightings by vertex.
type State = (u32, Vec<(u32, u32)>);

/// Memory of a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Memory {
    /// Ticks after which it forgets a sighting.
    ticks: u32,
    /// Ages are rounded up to a multiple of this.
    resolution: u32,
}

/// Exploration of the reachable states.
struct Exploration<'p> {
    problem: &'p Problem,
    guard: usize,
    memory: Memory,
    class: GuardClass,
    states: Vec<State>,
    /// Size of the states, in numbers.
    numbers: usize,
}

impl GuardClass {
    /// Class with the largest memory that fits into `states_max` states; `None`: none fits, or
    /// stopped.
    pub(super) fn new(context: &Context<'_>, guard: usize, states_max: usize) -> Option<Self> {
        let instants = context.problem.intruder().instants;
        let memories = [
            (instants, 1),
            (instants * 3 / 4, 1),
            (instants, 2),
            (instants / 2, 1),
            (instants / 3, 1),
            (instants / 2, 2),
            (instants / 4, 1),
            (instants / 4, 4),
            (instants / 8, 2),
            (8, 2),
            (6, 1),
            (4, 1),
            (3, 1),
            (2, 1),
        ];
        // In descending order of tightness: a shorter memory gains more, and a coarser resolution
        // rounds ages up at each move.
        let mut memories = memories
            .into_iter()
            .filter(|(ticks, _)| (2..=instants).contains(ticks))
            .map(|(ticks, resolution)| Memory { ticks, resolution });
        memories.find_map(|memory| Self::with_memory(context, guard, memory, states_max))
    }

    /// Class with a memory; `None`: too many states, or stopped.
    fn with_memory(
        context: &Context<'_>,
        guard: usize,
        memory: Memory,
        states_max: usize,
    ) -> Option<Self> {
        let problem = context.problem;
        let mut exploration = Exploration {
            problem,
            guard,
            memory,
            class: Self {
                guards: 1.0,
                guard,
                memory,
                first: vec![0],
                moves: Vec::new(),
                gains: Vec::new(),
                potentials: Vec::new(),
                known: BTreeMap::new(),
            },
            states: Vec::new(),
            numbers: 0,
        };
        for vertex in 0..problem.vertices() {
            exploration.state_index(vertex, &[]);
        }
        let mut next = 0;
        while next < exploration.states.len() {
            let before = exploration.class.gains.len();
            exploration.expand(next);
            next += 1;
            let class = &exploration.class;
            let is_large = exploration.states.len() > states_max
                || class.moves.len() > MOVES_PER_STATE * states_max
                || class.gains.len() + exploration.numbers > NUMBERS_MAX;
            let held = class.gains.len() - before + exploration.states[next - 1].1.len();
            if is_large
                || !context
                    .work
                    .proceed_uncounted(NUMBER_STEPS * (1 + held as u64))
            {
                return None;
            }
        }
        exploration.class.potentials = vec![0.0; next];
        Some(exploration.class)
    }

    /// Initialises potentials from those with a shorter memory: of the same state, or else of the
    /// vertex. Any potentials give a valid bound, also when the search has to stop here.
    pub(super) fn initialise_potentials(&mut self, context: &Context<'_>, before: &Self) {
        for (state, number) in &self.known {
            if !context
                .work
                .proceed_uncounted(NUMBER_STEPS * (1 + state.1.len() as u64))
            {
                return;
            }
            let coarse = remembered(context.problem, self.guard, before.memory, state);
            let coarse = before.known.get(&coarse).unwrap_or(&state.0);
            self.potentials[*number as usize] = before.potentials[*coarse as usize];
        }
    }
}

impl Exploration<'_> {
    /// Index of a state, which is added if it is new.
    fn state_index(&mut self, vertex: usize, ages: &[(u32, u32)]) -> u32 {
        let vertex = u32::try_from(vertex).expect("vertices are limited");
        let state = (vertex, ages.to_vec());
        let state = remembered(self.problem, self.guard, self.memory, &state);
        let fresh = u32::try_from(self.states.len()).expect("states are limited");
        let known = *self.class.known.entry(state.clone()).or_insert(fresh);
        if known == fresh {
            // Stored twice.
            self.numbers += 4 * state.1.len();
            self.states.push(state);
        }
        known
    }

    /// Adds all moves from a state.
    fn expand(&mut self, state: usize) {
        let problem = self.problem;
        let (vertex, ages) = self.states[state].clone();
        let here = vertex as usize;
        if problem.spec().may_stay {
            self.add_move(here, &ages, here, 1, 1);
        }
        for edge in problem.out_edges(here) {
            let ticks = problem.ticks(self.guard, *edge);
            // The guard counts as at the vertex until its first step on the edge is done.
            let lasts = ticks.div_ceil(edge.length) - 1;
            self.add_move(here, &ages, edge.to, ticks, lasts);
        }
        let moves = u32::try_from(self.class.moves.len()).expect("states are limited");
        self.class.first.push(moves);
    }

    /// Adds a move of `ticks` ticks; what is seen from its start stays in sight for `lasts` of
    /// them.
    fn add_move(&mut self, here: usize, ages: &[(u32, u32)], to: usize, ticks: u32, lasts: u32) {
        let (problem, guard) = (self.problem, self.guard);
        let from = self.class.gains.len();
        let seen = problem.sight(guard, here);
        let aged = |(vertex, age): &(u32, u32)| match seen.binary_search(vertex) {
            Ok(_) => (*vertex, ticks - lasts),
            Err(_) => (*vertex, age + ticks),
        };
        let mut ages: Vec<(u32, u32)> = ages.iter().map(aged).collect();
        let mut pause = 0;
        if lasts > 0 {
            let stays = seen.iter().map(|seen| (*seen, lasts));
            self.class.gains.extend(stays);
        }
        if to != here {
            pause = problem.pause(to);
            for seen in problem.sight(guard, to) {
                let age = ages.binary_search_by_key(seen, |(vertex, _)| *vertex);
                let age = age.map_or(u32::MAX, |index| ages[index].1);
                let windows = age.min(problem.intruder().instants) + pause;
                self.class.gains.push((*seen, windows));
            }
            ages.iter_mut().for_each(|(_, age)| *age += pause);
        }
        let to = self.state_index(to, &ages);
        let gains = [from, self.class.gains.len()];
        self.class.moves.push(Move {
            to,
            ticks: ticks + pause,
            gains: gains.map(|at| u32::try_from(at).expect("states are limited")),
        });
    }
}

/// State as a guard with this memory remembers it: old sightings are forgotten, ages rounded up.
fn remembered(problem: &Problem, guard: usize, memory: Memory, (vertex, ages): &State) -> State {
    let seen = problem.sight(guard, *vertex as usize);
    let mut all: Vec<(u32, u32)> = ages
        .iter()
        .filter(|(other, _)| seen.binary_search(other).is_err())
        .map(|(other, age)| (*other, age.next_multiple_of(memory.resolution)))
        .filter(|(_, age)| *age < memory.ticks)
        .collect();
    let counts = |vertex: &u32| problem.shares()[*vertex as usize] > 0;
    all.extend(seen.iter().copied().filter(counts).map(|seen| (seen, 0)));
    all.sort_unstable();
    (*vertex, all)
}

#[cfg(test)]
mod tests {
    use super::{GuardClass, NUMBERS_MAX};
    use crate::context::Context;
    use crate::generate::{grid, staying};
    use crate::problem::Problem;
    use anytime::{CancelToken, Pulse};

    fn problem(side: usize) -> Problem {
        Problem::new(staying(grid(side, side, 1), 12)).expect("the spec is valid")
    }

    #[test]
    fn states_are_explored_unless_stopped() {
        let problem = problem(8);
        let cancel = CancelToken::new();
        let context = || Context::new(&problem).with_pulse(Pulse::new(None, cancel.clone()));
        let whole = GuardClass::new(&context(), 0, 20_000).expect("there is room for some memory");
        assert_eq!(whole.first.len(), whole.potentials.len() + 1);
        cancel.cancel();
        assert!(GuardClass::new(&context(), 0, 20_000).is_none());
    }

    #[test]
    fn potentials_are_initialised_until_the_search_has_to_stop() {
        let problem = problem(8);
        let mut before = GuardClass::new(&Context::new(&problem), 0, 200).expect("no memory fits");
        before.potentials.fill(1.0);
        for is_stopped in [false, true] {
            let cancel = CancelToken::new();
            let mut more =
                GuardClass::new(&Context::new(&problem), 0, 20_000).expect("no memory fits");
            if is_stopped {
                cancel.cancel();
            }
            let context = Context::new(&problem).with_pulse(Pulse::new(None, cancel));
            more.initialise_potentials(&context, &before);
            let is_whole = more.potentials.iter().all(|potential| *potential > 0.0);
            assert_eq!(is_whole, !is_stopped);
        }
    }

    #[test]
    fn the_size_of_states_is_limited_where_much_is_seen() {
        let mut spec = staying(grid(20, 20, 1), 12);
        let sees = |from: usize| {
            (0..400)
                .filter(|to| !(from * 131 + to * to * 17).is_multiple_of(5))
                .collect()
        };
        spec.sights = vec![(0..400).map(sees).collect()];
        spec.guards[0].sight = Some(0);
        let problem = Problem::new(spec).expect("the spec is valid");
        let found = GuardClass::new(&Context::new(&problem), 0, 20_000);
        assert!(found.is_none_or(|class| class.gains.len() <= 2 * NUMBERS_MAX));
    }
}
