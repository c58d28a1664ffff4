//! Anytime search for a shortest plan. A* runs for a while, then weighted A* looks for a shorter
//! plan, then A* runs to its end, alternating with local search over the order of stops.

use super::a_star::{AStar, Checkpoint, SearchEnd, SearchParams};
use super::held_karp::HeldKarp;
use super::local_search::{LocalSearch, StepResult};
use super::planning_task::PlanningTask;
use crate::rules::Action;

/// The callback of a search.
pub(super) trait Observer {
    /// Whether one more node may be expanded.
    fn may_expand(&mut self) -> bool;

    /// Whether to continue between two expansions.
    fn may_continue(&mut self) -> bool;

    /// Takes a shorter plan; returns whether to continue.
    fn found(&mut self, actions: Vec<Action>) -> bool;
}

/// Expanded nodes before the weighted A*, and in it.
const LOOK_MAX: u32 = 500;
/// Weight of the bound in the weighted A*.
const LOOK_WEIGHT_PERCENT: u32 = 200;

/// Orders tried, and nodes expanded after them, in a turn.
const ORDERS_A_TURN: u32 = 2_000;
const PLACES_A_TURN: u32 = 2_000;

/// A search for plans shorter than the upper bound of its parameters.
pub(super) struct AnytimeSearch<'t> {
    pub task: &'t PlanningTask<'t>,
    pub params: SearchParams,
    /// `None`: the order of the stops is given.
    pub local_search: Option<LocalSearch<'t>>,
}

impl AnytimeSearch<'_> {
    /// Searches until the observer stops it, or to the end. Returns how it ended, and a lower bound
    /// on the actions of every plan.
    pub(super) fn run(self, observer: &mut dyn Observer) -> (SearchEnd, u32) {
        let Self {
            task,
            params,
            local_search,
        } = self;
        let mut held_karp = HeldKarp::new(task);
        let mut exact = AStar::new(task, &mut held_karp, params);
        match run(&mut exact, LOOK_MAX, observer) {
            SearchEnd::Paused => {}
            ended => return (ended, exact.proved_bound()),
        }
        let mut held_karp = HeldKarp::new(task);
        let ahead = SearchParams {
            upper_bound: exact.upper_bound(),
            weight_percent: LOOK_WEIGHT_PERCENT,
            ..params
        };
        let mut ahead = AStar::new(task, &mut held_karp, ahead);
        let ended = run(&mut ahead, LOOK_MAX, observer);
        exact.tighten(ahead.upper_bound());
        drop(ahead);
        let ended = match (ended, local_search) {
            (SearchEnd::Stopped, _) => ended,
            (_, Some(local_search)) => by_turns(&mut exact, local_search, observer),
            (_, None) => run(&mut exact, u32::MAX, observer),
        };
        (ended, exact.proved_bound())
    }
}

/// Alternates local search and A* until either has ended; then A* runs alone.
fn by_turns(
    exact: &mut AStar<'_>,
    local_search: LocalSearch<'_>,
    observer: &mut dyn Observer,
) -> SearchEnd {
    let mut local_search = local_search;
    loop {
        local_search.tighten(exact.upper_bound());
        for _ in 0..ORDERS_A_TURN {
            if !observer.may_expand() {
                return SearchEnd::Stopped;
            }
            match local_search.step() {
                StepResult::Nothing => {}
                StepResult::Found(actions) => {
                    exact.tighten(actions.len() as u32);
                    if !observer.found(actions) {
                        return SearchEnd::Stopped;
                    }
                }
                StepResult::SearchEnd => return run(exact, u32::MAX, observer),
            }
        }
        match run(exact, PLACES_A_TURN, observer) {
            SearchEnd::Paused => {}
            // Local search needs no memory for nodes.
            SearchEnd::Full => return improve(local_search, observer),
            ended => return ended,
        }
    }
}

/// Runs local search to its end.
fn improve(local_search: LocalSearch<'_>, observer: &mut dyn Observer) -> SearchEnd {
    let mut local_search = local_search;
    loop {
        let found = match local_search.step() {
            StepResult::SearchEnd => return SearchEnd::Full,
            StepResult::Nothing => true,
            StepResult::Found(actions) => observer.found(actions),
        };
        if !found || !observer.may_expand() {
            return SearchEnd::Stopped;
        }
    }
}

/// Runs a search until it ends, or has expanded `places` nodes.
fn run(search: &mut AStar<'_>, places: u32, observer: &mut dyn Observer) -> SearchEnd {
    let mut left = places;
    loop {
        let found = search.run(&mut |before| {
            let may_continue = match before {
                Checkpoint::More => observer.may_continue(),
                Checkpoint::Node if left == 0 => return Err(SearchEnd::Paused),
                Checkpoint::Node => {
                    left -= u32::from(left < u32::MAX);
                    observer.may_expand()
                }
            };
            may_continue.then_some(()).ok_or(SearchEnd::Stopped)
        });
        match found {
            Ok(actions) => {
                if !observer.found(actions) {
                    return SearchEnd::Stopped;
                }
            }
            Err(ended) => return ended,
        }
    }
}
