//! Search in a disjunctive temporal problem: which choice gives each end of each teammate's range?
//!
//! A choice of a disjunction is a set of differences, one for each target. Search maintains the
//! closure of all differences decided so far, so that a choice is impossible as soon as one of its
//! differences closes a negative cycle, and a disjunction is satisfied as soon as each target has a
//! choice that is implied. Conflict-directed backjumping: each fact carries the decisions that it
//! follows from; a contradiction yields a nogood, a set of decisions that cannot stand together,
//! and the search goes back to where the last of them becomes impossible. Restarts by Luby's
//! sequence (Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas algorithms", IPL 47 (1993));
//! before each, every choice left is tried alone (shaving). Nothing is random.

mod decision_levels;
mod nogoods;
mod state;

use super::reduce::{Difference, Side, System};
use super::tropical::Window;
use crate::problem::{Micros, ORIGIN};
use state::State;

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// A solution: the earliest times of the differences decided last.
    Solution(Vec<Micros>),
    /// Proved: there is none.
    Nothing,
    /// The search was stopped.
    Stopped,
}

/// The stop question of a search.
pub(crate) trait Ticker {
    /// Counts a decision. Whether to make it.
    fn tick(&mut self) -> bool;
    /// Whether to go on; counts nothing.
    fn go_on(&mut self) -> bool;
}

/// Conflicts before the first shaving and between restarts, times Luby's number.
const RESTART_UNIT: u32 = 16;

/// Searches `system`, inside `within` if that is known.
pub(crate) fn search(system: &System, within: Option<&Window>, ticker: &mut impl Ticker) -> Found {
    let Some(pruned) = prune(system, ticker) else {
        return Found::Stopped;
    };
    let Some(mut state) = State::new(&pruned, within) else {
        return Found::Nothing;
    };
    let mut round = 0;
    loop {
        round += 1;
        match run(&mut state, RESTART_UNIT * luby(round), ticker) {
            Run::Done(found) => return found,
            Run::Restart => {
                state.back_to(0);
                match shave(&mut state, ticker) {
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

/// Searches until an answer or until `conflicts_max` conflicts.
fn run(state: &mut State<'_>, conflicts_max: u32, ticker: &mut impl Ticker) -> Run {
    let mut conflicts = 0;
    loop {
        if !ticker.go_on() {
            return Run::Done(Found::Stopped);
        }
        match state.propagate(ticker) {
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
        let Some((disjunction, choice)) = state.branch() else {
            return Run::Done(Found::Solution(state.earliest()));
        };
        if conflicts >= conflicts_max {
            return Run::Restart;
        }
        if !ticker.tick() {
            return Run::Done(Found::Stopped);
        }
        state.decide(disjunction, choice);
    }
}

/// Shaving: tries each choice left alone and removes those that fail, until none does.
fn shave(state: &mut State<'_>, ticker: &mut impl Ticker) -> Run {
    loop {
        match state.propagate(ticker) {
            None => return Run::Done(Found::Stopped),
            Some(Err(_)) => return Run::Done(Found::Nothing),
            Some(Ok(())) => {}
        }
        let mut removed = false;
        for (disjunction, choice) in state.open() {
            if !state.is_open(disjunction, choice) {
                continue;
            }
            if !ticker.tick() {
                return Run::Done(Found::Stopped);
            }
            state.decide(disjunction, choice);
            let tried = state.propagate(ticker);
            state.back_to(0);
            match tried {
                None => return Run::Done(Found::Stopped),
                Some(Ok(())) => {}
                Some(Err(_)) => {
                    removed = true;
                    state.remove_permanently(disjunction, choice);
                    match state.propagate(ticker) {
                        None => return Run::Done(Found::Stopped),
                        Some(Err(_)) => return Run::Done(Found::Nothing),
                        Some(Ok(())) => {}
                    }
                }
            }
        }
        if !removed {
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
fn prune(system: &System, ticker: &mut impl Ticker) -> Option<System> {
    let mut pruned = system.clone();
    for disjunction in &mut pruned.disjunctions {
        if !ticker.go_on() {
            return None;
        }
        let gap = |from, to| match disjunction.side {
            Side::Late => system.bound(from, to),
            Side::Early => system.bound(to, from),
        };
        disjunction.choices = undominated(&disjunction.choices, gap);
        disjunction.targets = undominated(&disjunction.targets, gap);
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

/// The earliest solution of the differences that `times` shows possible: each disjunction takes the
/// choice that gives the end of the range at `times`.
pub(crate) fn earliest_for_choices(system: &System, times: &[Micros]) -> Vec<Micros> {
    let mut arcs = Vec::new();
    for disjunction in &system.disjunctions {
        let (_, choice) = disjunction.end(times);
        arcs.extend(
            (0..disjunction.targets.len()).map(|target| disjunction.difference(choice, target)),
        );
    }
    let mut least: Vec<Micros> = (0..system.size).map(|q| -system.bound(q, ORIGIN)).collect();
    // Bellman-Ford over the arcs, with one sweep through the closed differences after each round.
    // It ends: `times` bounds the values from above, and no cycle is negative.
    loop {
        let mut raised = Vec::new();
        for &Difference { from, to, weight } in &arcs {
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
