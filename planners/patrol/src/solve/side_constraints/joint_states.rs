//! Wishes of all guards together: everywhere they can be, and a walk round that leaves every gap.
//!
//! A gap of k ticks is a walk of k states in a row in none of which the vertex is seen. In a small
//! world all states are looked at, so that a gap that is not found is proved not to be there.

use crate::context::{Context, Position};
use std::collections::{BTreeMap, VecDeque};

/// Most states of all guards together, and most moves between them.
const STATES_MAX: usize = 60_000;
const MOVES_MAX: usize = 1_000_000;

/// What came of it.
pub(in crate::solve) enum Joint {
    /// Where each guard is at each tick, and from which tick on everything comes again at the end.
    Found(Vec<Vec<Position>>, usize),
    /// No plan keeps all wishes.
    Impossible,
    /// Too many states, told to stop, or no way back.
    Unknown,
}

/// All states that guards can reach together.
struct World {
    states: Vec<Vec<Position>>,
    next: Vec<Vec<u32>>,
}

/// Looks for a walk round that leaves every gap and on which nobody passes anybody, where that is
/// not allowed.
pub(in crate::solve) fn joint(context: &Context<'_>) -> Joint {
    let Some(mut world) = World::new(context) else {
        return Joint::Unknown;
    };
    world.prune();
    if world.next[0].is_empty() {
        return Joint::Impossible;
    }
    let mut walk = vec![0];
    let mut from = None;
    for gap in &context.problem.spec().gaps {
        let Some(levels) = world.levels(context, (gap.vertex, gap.ticks)) else {
            return Joint::Unknown;
        };
        if levels.iter().all(|level| *level < gap.ticks) {
            return Joint::Impossible;
        }
        let here = walk[walk.len() - 1];
        let enough = |state: usize| levels[state] >= gap.ticks;
        let Some(edge) = world.out_edge(here, enough) else {
            return Joint::Unknown;
        };
        walk.extend(edge);
        from = from.or(Some(walk.len() - 1));
        world.hide(&levels, gap.ticks, &mut walk);
    }
    let from = match from {
        Some(from) => world.come_back(from, &mut walk),
        None => Some(world.go_round(&mut walk)),
    };
    let Some(from) = from else {
        return Joint::Unknown;
    };
    let track = |guard: usize| {
        let positions = walk.iter().map(|state| world.states[*state][guard]);
        positions.collect()
    };
    Joint::Found((0..context.guards()).map(track).collect(), from)
}

impl World {
    /// `None`: too large, or told to stop.
    fn new(context: &Context<'_>) -> Option<Self> {
        let root: Vec<Position> = (0..context.guards())
            .map(|guard| context.start(guard))
            .collect();
        let mut known = BTreeMap::from([(root.clone(), 0_u32)]);
        let mut world = Self {
            states: vec![root],
            next: Vec::new(),
        };
        let (mut moves, mut count) = (Vec::new(), 0);
        while world.next.len() < world.states.len() {
            moves.clear();
            let here = world.states[world.next.len()].clone();
            steps(context, &here, &mut moves);
            count += moves.len();
            let work = 100 * (1 + moves.len()) as u64;
            if count > MOVES_MAX || !context.work.proceed(work) {
                return None;
            }
            let mut next = Vec::with_capacity(moves.len());
            for to in moves.drain(..) {
                let fresh = u32::try_from(world.states.len()).expect("states are limited");
                let state = *known.entry(to.clone()).or_insert(fresh);
                if state == fresh {
                    world.states.push(to);
                }
                next.push(state);
            }
            world.next.push(next);
            if world.states.len() > STATES_MAX {
                return None;
            }
        }
        Some(world)
    }

    /// Leaves out moves to where nobody can go on for ever.
    fn prune(&mut self) {
        let mut before = vec![Vec::new(); self.states.len()];
        for (state, next) in self.next.iter().enumerate() {
            next.iter().for_each(|to| before[*to as usize].push(state));
        }
        let ends = |state: &usize| self.next[*state].is_empty();
        let mut open: Vec<usize> = (0..self.states.len()).filter(ends).collect();
        while let Some(end) = open.pop() {
            for state in std::mem::take(&mut before[end]) {
                let next = &mut self.next[state];
                let count = next.len();
                next.retain(|to| *to as usize != end);
                if next.is_empty() && count > 0 {
                    open.push(state);
                }
            }
        }
    }

    /// For each state, the longest run of states from there with a vertex out of sight, at most
    /// `ticks`.
    fn levels(&self, context: &Context<'_>, (vertex, ticks): (usize, u32)) -> Option<Vec<u32>> {
        let hidden = |state: &Vec<Position>| {
            let mut seen = false;
            for (guard, position) in state.iter().enumerate() {
                context.for_each_seen(guard, *position, |place| seen |= place == vertex);
            }
            !seen
        };
        let hidden: Vec<bool> = self.states.iter().map(hidden).collect();
        let lives = |state: usize| hidden[state] && !self.next[state].is_empty();
        let mut levels: Vec<u32> = (0..hidden.len()).map(|s| u32::from(lives(s))).collect();
        let moves: usize = self.next.iter().map(Vec::len).sum();
        for level in 1..ticks {
            if !context.work.proceed(moves as u64) {
                return None;
            }
            let goes_on = |state: &usize| {
                levels[*state] == level
                    && self.next[*state]
                        .iter()
                        .any(|to| levels[*to as usize] >= level)
            };
            let longer: Vec<usize> = (0..hidden.len()).filter(goes_on).collect();
            let all = levels.iter().filter(|one| **one == level).count();
            if longer.len() == all {
                // Whoever is out of sight so long can stay so for ever.
                longer.into_iter().for_each(|state| levels[state] = ticks);
                break;
            }
            longer
                .into_iter()
                .for_each(|state| levels[state] = level + 1);
        }
        Some(levels)
    }

    /// Stays out of sight for `ticks` states in a row, the last of the walk included.
    fn hide(&self, levels: &[u32], ticks: u32, walk: &mut Vec<usize>) {
        for _ in 1..ticks {
            let next = self.next[walk[walk.len() - 1]].iter();
            let best = next.max_by_key(|to| levels[**to as usize]);
            walk.push(*best.expect("it goes on") as usize);
        }
    }

    /// At least one step, and back to the state at an index of the walk; `None`: there is no way.
    fn come_back(&self, from: usize, walk: &mut Vec<usize>) -> Option<usize> {
        walk.push(self.next[walk[walk.len() - 1]][0] as usize);
        let goal = walk[from];
        walk.extend(self.out_edge(walk[walk.len() - 1], |state| state == goal)?);
        Some(from)
    }

    /// On and on until a state comes again; says where it was before.
    fn go_round(&self, walk: &mut Vec<usize>) -> usize {
        let mut seen = vec![usize::MAX; self.states.len()];
        loop {
            let here = walk[walk.len() - 1];
            if seen[here] != usize::MAX {
                return seen[here];
            }
            seen[here] = walk.len() - 1;
            walk.push(self.next[here][0] as usize);
        }
    }

    /// A shortest walk to a state that is wanted, without the first state; `None`: there is none.
    fn out_edge(&self, from: usize, wanted: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        let mut came = vec![usize::MAX; self.states.len()];
        let mut open = VecDeque::from([from]);
        came[from] = from;
        while let Some(state) = open.pop_front() {
            if wanted(state) {
                let back = std::iter::successors(Some(state), |state| Some(came[*state]));
                let mut edge: Vec<usize> = back.take_while(|state| *state != from).collect();
                edge.reverse();
                return Some(edge);
            }
            for to in &self.next[state] {
                let to = *to as usize;
                if came[to] == usize::MAX {
                    came[to] = state;
                    open.push_back(to);
                }
            }
        }
        None
    }
}

/// All that guards can do together in one tick.
fn steps(context: &Context<'_>, from: &[Position], out: &mut Vec<Vec<Position>>) {
    let mut all = vec![Vec::new()];
    let mut moves = Vec::new();
    for (guard, position) in from.iter().enumerate() {
        moves.clear();
        context.moves(guard, *position, &mut moves);
        let longer = all.iter().flat_map(|some: &Vec<Position>| {
            let may = move |to: &&Position| {
                context.problem.spec().may_swap
                    || (0..guard).all(|one| {
                        !context.pass_each_other([from[one], *position], [some[one], **to])
                    })
            };
            let add = move |to: &Position| some.iter().copied().chain([*to]).collect();
            moves.iter().filter(may).map(add)
        });
        all = longer.collect();
        // More than can be kept anyway.
        all.truncate(MOVES_MAX);
    }
    out.extend(all);
}
