//! Search for a cyclic walk of all guards that satisfies the side constraints, in their joint
//! states.
//!
//! A gap of k ticks is a walk of k consecutive states in none of which the vertex is seen. All
//! states are enumerated, so that a gap that does not exist is proved infeasible.

use crate::context::{Context, Position};
use search::paths::nearest;
use std::collections::BTreeMap;

/// Maximum number of joint states, and of moves between them.
const STATES_MAX: usize = 60_000;
const MOVES_MAX: usize = 1_000_000;

/// Result of the search.
pub(in crate::solve) enum JointWalk {
    /// Positions by guard and tick, and the tick from which they repeat.
    Found(Vec<Vec<Position>>, usize),
    /// No plan satisfies the side constraints.
    Infeasible,
    /// Too many states, stopped, or the state of the first gap cannot be reached again.
    Unknown,
}

/// Graph of the reachable joint states.
struct StateGraph {
    states: Vec<Vec<Position>>,
    next: Vec<Vec<u32>>,
}

/// Searches for a cyclic walk with every gap on which guards pass each other only where allowed.
pub(in crate::solve) fn find_walk(context: &Context<'_>) -> JointWalk {
    let Some(mut graph) = StateGraph::new(context) else {
        return JointWalk::Unknown;
    };
    graph.prune();
    if graph.next[0].is_empty() {
        return JointWalk::Infeasible;
    }
    let mut walk = vec![0];
    let mut from = None;
    for gap in &context.problem.spec().gaps {
        let Some(runs) = graph.hidden_runs(context, gap.vertex, gap.ticks) else {
            return JointWalk::Unknown;
        };
        if runs.iter().all(|run| *run < gap.ticks) {
            return JointWalk::Infeasible;
        }
        let here = walk[walk.len() - 1];
        let is_long_enough = |state: usize| runs[state] >= gap.ticks;
        let Some(path) = graph.shortest_path(here, is_long_enough) else {
            return JointWalk::Unknown;
        };
        walk.extend(path);
        from = from.or(Some(walk.len() - 1));
        graph.extend_hidden(&runs, gap.ticks, &mut walk);
    }
    let from = match from {
        Some(from) => graph.return_to(from, &mut walk),
        None => Some(graph.close_any_cycle(&mut walk)),
    };
    let Some(from) = from else {
        return JointWalk::Unknown;
    };
    let track = |guard: usize| {
        let positions = walk.iter().map(|state| graph.states[*state][guard]);
        positions.collect()
    };
    JointWalk::Found((0..context.guards()).map(track).collect(), from)
}

impl StateGraph {
    /// `None`: too large, or stopped.
    fn new(context: &Context<'_>) -> Option<Self> {
        let root: Vec<Position> = (0..context.guards())
            .map(|guard| context.start(guard))
            .collect();
        let mut known = BTreeMap::from([(root.clone(), 0_u32)]);
        let mut graph = Self {
            states: vec![root],
            next: Vec::new(),
        };
        let (mut moves, mut count) = (Vec::new(), 0);
        while graph.next.len() < graph.states.len() {
            moves.clear();
            let here = graph.states[graph.next.len()].clone();
            joint_moves(context, &here, &mut moves);
            count += moves.len();
            let work = 100 * (1 + moves.len()) as u64;
            if count > MOVES_MAX || !context.work.proceed(work) {
                return None;
            }
            let mut next = Vec::with_capacity(moves.len());
            for to in moves.drain(..) {
                let fresh = u32::try_from(graph.states.len()).expect("states are limited");
                let state = *known.entry(to.clone()).or_insert(fresh);
                if state == fresh {
                    graph.states.push(to);
                }
                next.push(state);
            }
            graph.next.push(next);
            if graph.states.len() > STATES_MAX {
                return None;
            }
        }
        Some(graph)
    }

    /// Removes moves to states from which every walk ends.
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

    /// Longest run of states with a vertex out of sight from each state, at most `ticks`. `None`:
    /// stopped.
    fn hidden_runs(&self, context: &Context<'_>, vertex: usize, ticks: u32) -> Option<Vec<u32>> {
        let hidden = |state: &Vec<Position>| {
            let mut seen = false;
            for (guard, position) in state.iter().enumerate() {
                context.for_each_seen(guard, *position, |place| seen |= place == vertex);
            }
            !seen
        };
        let hidden: Vec<bool> = self.states.iter().map(hidden).collect();
        let starts_run = |state: usize| hidden[state] && !self.next[state].is_empty();
        let mut runs: Vec<u32> = (0..hidden.len())
            .map(|s| u32::from(starts_run(s)))
            .collect();
        let moves: usize = self.next.iter().map(Vec::len).sum();
        for length in 1..ticks {
            if !context.work.proceed(moves as u64) {
                return None;
            }
            let is_longer = |state: &usize| {
                runs[*state] == length
                    && self.next[*state]
                        .iter()
                        .any(|to| runs[*to as usize] >= length)
            };
            let longer: Vec<usize> = (0..hidden.len()).filter(is_longer).collect();
            let all = runs.iter().filter(|one| **one == length).count();
            if longer.len() == all {
                // Every such run can be extended without end.
                longer.into_iter().for_each(|state| runs[state] = ticks);
                break;
            }
            longer
                .into_iter()
                .for_each(|state| runs[state] = length + 1);
        }
        Some(runs)
    }

    /// Extends a walk by states with the vertex out of sight, to `ticks` with its last one.
    fn extend_hidden(&self, runs: &[u32], ticks: u32, walk: &mut Vec<usize>) {
        for _ in 1..ticks {
            let next = self.next[walk[walk.len() - 1]].iter();
            let best = next.max_by_key(|to| runs[**to as usize]);
            walk.push(*best.expect("the run continues") as usize);
        }
    }

    /// Returns to the state at an index of the walk, in at least one step; `None`: it is
    /// unreachable.
    fn return_to(&self, from: usize, walk: &mut Vec<usize>) -> Option<usize> {
        walk.push(self.next[walk[walk.len() - 1]][0] as usize);
        let goal = walk[from];
        walk.extend(self.shortest_path(walk[walk.len() - 1], |state| state == goal)?);
        Some(from)
    }

    /// Extends a walk until a state repeats; returns its first index.
    fn close_any_cycle(&self, walk: &mut Vec<usize>) -> usize {
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

    /// Shortest path to a goal state, without the first state (breadth-first search); `None`: none
    /// is reachable.
    fn shortest_path(&self, from: usize, is_goal: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        let next = |state: usize| self.next[state].iter().map(|to| *to as usize);
        nearest(self.states.len(), from, next, is_goal)
    }
}

/// Joint moves of all guards in one tick.
fn joint_moves(context: &Context<'_>, from: &[Position], out: &mut Vec<Vec<Position>>) {
    let mut all = vec![Vec::new()];
    let mut moves = Vec::new();
    for (guard, position) in from.iter().enumerate() {
        moves.clear();
        context.moves(guard, *position, &mut moves);
        let longer = all.iter().flat_map(|some: &Vec<Position>| {
            let is_allowed = move |to: &&Position| {
                context.problem.spec().may_swap
                    || (0..guard).all(|one| {
                        !context.pass_each_other([from[one], *position], [some[one], **to])
                    })
            };
            let add = move |to: &Position| some.iter().copied().chain([*to]).collect();
            moves.iter().filter(is_allowed).map(add)
        });
        all = longer.collect();
        // The limit on moves is exceeded anyway.
        all.truncate(MOVES_MAX);
    }
    out.extend(all);
}
