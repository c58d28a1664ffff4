//! The states of a guard that remembers what it saw of late, and the moves between them.

use crate::context::Context;
use crate::problem::Problem;
use std::collections::BTreeMap;

/// What it counts for to note what a state holds or a move gains: steps of about a nanosecond.
const STEPS: u64 = 64;
/// Most moves for each state, which are all looked at for each list of prices.
const MOVES_EACH: usize = 10;
/// Most numbers that states and gains hold: where much is seen, each has many.
const ROOM: usize = 8_000_000;

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
    /// One of them.
    pub guard: usize,
    pub memory: Memory,
    /// For each state, where its moves begin.
    pub first: Vec<u32>,
    pub moves: Vec<Move>,
    /// Vertices, and in how many more windows they are.
    pub gains: Vec<(u32, u32)>,
    pub potentials: Vec<f64>,
    /// The number of each state.
    known: BTreeMap<State, u32>,
}

/// Where a guard is, and how long ago it saw which vertices of late, by vertex.
type State = (u32, Vec<(u32, u32)>);

/// How many ticks a guard remembers, and the step in which it does.
pub(super) type Memory = (u32, u32);

/// States that are being found.
struct Growing<'p> {
    problem: &'p Problem,
    guard: usize,
    memory: Memory,
    kind: Kind,
    states: Vec<State>,
    /// Numbers that states hold.
    numbers: usize,
}

impl Kind {
    /// With as much memory as fits into `states_max` states; `None`: none fits, or stopped.
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
        // The less it remembers, the more it seems to gain; and steps of more than a tick round up
        // at each move, so that what is remembered ages fast.
        let mut memories = memories
            .into_iter()
            .filter(|(long, _)| *long > 1 && *long <= instants);
        memories.find_map(|memory| Self::with(context, guard, (memory, states_max)))
    }

    fn with(
        context: &Context<'_>,
        guard: usize,
        (memory, states_max): (Memory, usize),
    ) -> Option<Self> {
        let problem = context.problem;
        let mut growing = Growing {
            problem,
            guard,
            memory,
            kind: Self {
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
            growing.state(vertex, &[]);
        }
        let mut next = 0;
        while next < growing.states.len() {
            let before = growing.kind.gains.len();
            growing.expand(next);
            next += 1;
            let kind = &growing.kind;
            let is_large = growing.states.len() > states_max
                || kind.moves.len() > MOVES_EACH * states_max
                || kind.gains.len() + growing.numbers > ROOM;
            let held = kind.gains.len() - before + growing.states[next - 1].1.len();
            if is_large || !context.work.proceed_uncounted(STEPS * (1 + held as u64)) {
                return None;
            }
        }
        growing.kind.potentials = vec![0.0; next];
        Some(growing.kind)
    }

    /// Takes potentials over from those of a guard that remembers less: where it knows the state,
    /// or else by vertex. Any potentials prove something, also those of a part of the states, when
    /// the search has to stop; these are nearly right.
    pub(super) fn take_over(&mut self, context: &Context<'_>, before: &Self) {
        let who = (context.problem, self.guard);
        for (state, number) in &self.known {
            if !context
                .work
                .proceed_uncounted(STEPS * (1 + state.1.len() as u64))
            {
                return;
            }
            let coarse = remembered(who, before.memory, state);
            let coarse = before.known.get(&coarse).unwrap_or(&state.0);
            self.potentials[*number as usize] = before.potentials[*coarse as usize];
        }
    }
}

impl Growing<'_> {
    /// The number of a state.
    fn state(&mut self, vertex: usize, ages: &[(u32, u32)]) -> u32 {
        let vertex = u32::try_from(vertex).expect("vertices are limited");
        let who = (self.problem, self.guard);
        let state = remembered(who, self.memory, &(vertex, ages.to_vec()));
        let fresh = u32::try_from(self.states.len()).expect("states are limited");
        let known = *self.kind.known.entry(state.clone()).or_insert(fresh);
        if known == fresh {
            // It is kept twice.
            self.numbers += 4 * state.1.len();
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
        for edge in problem.out_edges(here) {
            let ticks = problem.ticks(self.guard, *edge);
            // It counts as at the vertex until the first step of the way is done.
            let lasts = ticks.div_ceil(edge.length) - 1;
            self.go((here, &ages), edge.to, [ticks, lasts]);
        }
        let moves = u32::try_from(self.kind.moves.len()).expect("states are limited");
        self.kind.first.push(moves);
    }

    /// Adds a move of `ticks` ticks; what is seen from where it begins stays in sight for `lasts`
    /// of them.
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
}

/// The state of a guard with this memory: what was seen too long ago is forgotten, and all is
/// remembered as at least as long ago.
fn remembered(
    (problem, guard): (&Problem, usize),
    (long, step): Memory,
    (vertex, ages): &State,
) -> State {
    let seen = problem.sight(guard, *vertex as usize);
    let mut all: Vec<(u32, u32)> = ages
        .iter()
        .filter(|(other, _)| seen.binary_search(other).is_err())
        .map(|(other, age)| (*other, age.next_multiple_of(step)))
        .filter(|(_, age)| *age < long)
        .collect();
    let counts = |vertex: &u32| problem.shares()[*vertex as usize] > 0;
    all.extend(seen.iter().copied().filter(counts).map(|seen| (seen, 0)));
    all.sort_unstable();
    (*vertex, all)
}

#[cfg(test)]
mod tests {
    use super::{Kind, ROOM};
    use crate::context::Context;
    use crate::generate::{grid, staying};
    use crate::problem::Problem;
    use anytime::{CancelToken, Pulse};

    fn problem(side: usize) -> Problem {
        Problem::new(staying(grid(side, side, 1), 12)).expect("it makes sense")
    }

    #[test]
    fn what_a_guard_remembers_is_built_unless_somebody_says_stop() {
        let problem = problem(8);
        let cancel = CancelToken::new();
        let context = || Context::new(&problem).with_pulse(Pulse::new(None, cancel.clone()));
        let whole = Kind::new(&context(), 0, 20_000).expect("there is room for some memory");
        assert_eq!(whole.first.len(), whole.potentials.len() + 1);
        cancel.cancel();
        assert!(Kind::new(&context(), 0, 20_000).is_none());
    }

    #[test]
    fn potentials_are_taken_over_until_the_search_has_to_stop() {
        let problem = problem(8);
        let mut before = Kind::new(&Context::new(&problem), 0, 200).expect("no memory fits");
        before.potentials.fill(1.0);
        for is_stopped in [false, true] {
            let cancel = CancelToken::new();
            let mut more = Kind::new(&Context::new(&problem), 0, 20_000).expect("no memory fits");
            if is_stopped {
                cancel.cancel();
            }
            let context = Context::new(&problem).with_pulse(Pulse::new(None, cancel));
            more.take_over(&context, &before);
            let is_whole = more.potentials.iter().all(|potential| *potential > 0.0);
            assert_eq!(is_whole, !is_stopped);
        }
    }

    #[test]
    fn a_guard_with_very_much_to_remember_is_not_given_room_without_end() {
        let mut spec = staying(grid(20, 20, 1), 12);
        let sees = |from: usize| {
            (0..400)
                .filter(|to| !(from * 131 + to * to * 17).is_multiple_of(5))
                .collect()
        };
        spec.sights = vec![(0..400).map(sees).collect()];
        spec.guards[0].sight = Some(0);
        let problem = Problem::new(spec).expect("it makes sense");
        let found = Kind::new(&Context::new(&problem), 0, 20_000);
        assert!(found.is_none_or(|kind| kind.gains.len() <= 2 * ROOM));
    }
}
