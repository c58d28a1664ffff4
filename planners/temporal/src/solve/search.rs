//! Disjunctive search: which choice gives each end of each teammate's range?
//!
//! A choice of a duty is a set of differences, one for each target. Search keeps the closure of all
//! differences decided so far, so that a choice is impossible as soon as one of its differences
//! closes a negative cycle, and a duty is kept as soon as each target has a choice that is implied.
//! Every fact carries the decisions that it follows from, as in conflict-directed backjumping: a
//! contradiction yields the set of decisions that cannot stand together, which is learned, and the
//! search goes back to where the last of them becomes impossible. Restarts by Luby's sequence
//! (Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas algorithms", IPL 47 (1993)); before
//! each, every choice left is tried alone (shaving). No luck is used.

mod facts;
mod learn;
mod state;

use super::reduce::{Side, System};
use super::tropical::Window;
use crate::problem::{Micros, ORIGIN};
use state::State;

/// What a search says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// A solution: the earliest times of the differences decided last.
    Solution(Vec<Micros>),
    /// Proved: there is none.
    Nothing,
    /// The pace stopped the search.
    Stopped,
}

/// What a search asks whether to go on.
pub(crate) trait Pace {
    /// Whether to make one more decision; counts it.
    fn tick(&mut self) -> bool;
    /// Whether to go on; counts nothing.
    fn go_on(&mut self) -> bool;
}

/// Conflicts before the first shaving and between restarts, times Luby's number.
const RESTART_UNIT: u32 = 16;

/// Searches `system`, inside `within` if that is known.
pub(crate) fn search(system: &System, within: Option<&Window>, pace: &mut impl Pace) -> Found {
    let Some(pruned) = prune(system, pace) else {
        return Found::Stopped;
    };
    let Some(mut state) = State::new(&pruned, within) else {
        return Found::Nothing;
    };
    let mut round = 0;
    loop {
        round += 1;
        match run(&mut state, RESTART_UNIT * luby(round), pace) {
            Run::Done(found) => return found,
            Run::Restart => {
                state.back_to(0);
                match shave(&mut state, pace) {
                    Run::Done(found) => return found,
                    Run::Restart => {}
                }
            }
        }
    }
}

enum Run {
    Done(Found),
    Restart,
}

/// Searches until an answer or until so many conflicts have been met.
fn run(state: &mut State<'_>, conflicts_max: u32, pace: &mut impl Pace) -> Run {
    let mut conflicts = 0;
    loop {
        if !pace.go_on() {
            return Run::Done(Found::Stopped);
        }
        match state.propagate(pace) {
            None => return Run::Done(Found::Stopped),
            Some(Ok(())) => {}
            Some(Err(culprits)) => {
                if culprits.is_empty() {
                    return Run::Done(Found::Nothing);
                }
                state.learn(culprits);
                conflicts += 1;
                continue;
            }
        }
        let Some((duty, choice)) = state.branch() else {
            return Run::Done(Found::Solution(state.earliest()));
        };
        if conflicts >= conflicts_max {
            return Run::Restart;
        }
        if !pace.tick() {
            return Run::Done(Found::Stopped);
        }
        state.decide(duty, choice);
    }
}

/// Tries every choice left alone and drops those that fail, until none does.
fn shave(state: &mut State<'_>, pace: &mut impl Pace) -> Run {
    loop {
        match state.propagate(pace) {
            None => return Run::Done(Found::Stopped),
            Some(Err(_)) => return Run::Done(Found::Nothing),
            Some(Ok(())) => {}
        }
        let mut dropped = false;
        for (duty, choice) in state.open() {
            if !state.is_open(duty, choice) {
                continue;
            }
            if !pace.tick() {
                return Run::Done(Found::Stopped);
            }
            state.decide(duty, choice);
            let tried = state.propagate(pace);
            state.back_to(0);
            match tried {
                None => return Run::Done(Found::Stopped),
                Some(Ok(())) => {}
                Some(Err(_)) => {
                    dropped = true;
                    state.drop_for_good(duty, choice);
                    match state.propagate(pace) {
                        None => return Run::Done(Found::Stopped),
                        Some(Err(_)) => return Run::Done(Found::Nothing),
                        Some(Ok(())) => {}
                    }
                }
            }
        }
        if !dropped {
            return Run::Restart;
        }
    }
}

/// Luby's sequence 1 1 2 1 1 2 4 ..., from 1.
fn luby(mut index: u32) -> u32 {
    loop {
        let power = (index + 1).next_power_of_two();
        if power == index + 1 {
            return power / 2;
        }
        index -= power / 2 - 1;
    }
}

/// The same system without choices and targets that others stand for: a choice is never the only
/// minimum, a target never the only one to fail. `None`: stopped.
fn prune(system: &System, pace: &mut impl Pace) -> Option<System> {
    let mut pruned = system.clone();
    for duty in &mut pruned.duties {
        if !pace.go_on() {
            return None;
        }
        let gap = |from, to| match duty.side {
            Side::Late => system.bound(from, to),
            Side::Early => system.bound(to, from),
        };
        duty.choices = undominated(&duty.choices, gap);
        duty.targets = undominated(&duty.targets, gap);
    }
    Some(pruned)
}

/// Those entries that no other implies. In groups bound to each other the first stays.
fn undominated(
    entries: &[(usize, Micros)],
    gap: impl Fn(usize, usize) -> Micros,
) -> Vec<(usize, Micros)> {
    let implied = |&(k, a): &(usize, Micros)| {
        entries.iter().any(|&(other, b)| {
            let rigid = || gap(k, other) + gap(other, k) == 0;
            other != k && a == gap(k, other) + b && (other < k || !rigid())
        })
    };
    entries
        .iter()
        .filter(|entry| !implied(entry))
        .copied()
        .collect()
}

/// The earliest solution of the differences that `times` shows possible: each duty takes the choice
/// that gives the end of the range at `times`.
pub(crate) fn settle(system: &System, times: &[Micros]) -> Vec<Micros> {
    let mut arcs = Vec::new();
    for duty in &system.duties {
        let (_, choice) = duty.end(times);
        arcs.extend((0..duty.targets.len()).map(|target| duty.arc(choice, target)));
    }
    let mut least: Vec<Micros> = (0..system.size).map(|q| -system.bound(q, ORIGIN)).collect();
    // Bellman-Ford over the arcs, with one sweep through the closed differences after each round.
    // It ends: `times` bounds the values from above, and no cycle is negative.
    loop {
        let mut raised = Vec::new();
        for &(from, to, weight) in &arcs {
            if least[from] < least[to] - weight {
                least[from] = least[to] - weight;
                raised.push(from);
            }
        }
        if raised.is_empty() {
            return least;
        }
        for p in raised {
            for q in 0..system.size {
                least[q] = least[q].max(least[p] - system.bound(q, p));
            }
        }
    }
}
