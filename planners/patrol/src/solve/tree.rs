//! Monte Carlo tree search over walks: plain, and with useful cycles (Algorithms 2 and 3 of the
//! thesis).
//!
//! An action is the move of one guard in one tick. Guards move in their order; in the thesis they
//! move simultaneously. The walks are the same, but this tree has a smaller branching factor. In a
//! state in which the guards stand where they stood before (interchangeable ones in any order),
//! each such tick adds an action: to repeat the cycle from there. Its node is the cyclic node of
//! the thesis: its value is computed once, exactly, and backpropagated.

use super::close_cycle::{close_cycles, repeat_from};
use super::params::{COMMIT_AFTER, HORIZON_MAX, Params, Strategy};
use crate::context::{Context, Position, STANDING};
use crate::evaluate::exact_cost;
use crate::plan::{Cost, Plan};
use crate::problem::{Entry, PROBABILITY_ONE};
use anytime::{Conclusion, Control, Stop};
use mcts::{Domain, NoBound, Outcome, Plain, Search, Settings, Step};

/// Cost of walks that break a rule.
const BROKEN: Cost = Cost(u128::MAX);

/// Domain of the tree search: walks of guards.
struct World<'s> {
    context: &'s Context<'s>,
    /// The last tick.
    horizon: usize,
    /// Whether a walk may end in a cycle.
    has_cycles: bool,
}

/// State: the walks so far.
#[derive(Debug, PartialEq, Eq)]
struct Walk {
    /// Positions, tick by tick and guard by guard.
    positions: Vec<Position>,
    /// Tick from which the walks repeat.
    closed: Option<usize>,
}

impl Clone for Walk {
    fn clone(&self) -> Self {
        Self {
            positions: self.positions.clone(),
            closed: self.closed,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.positions.clone_from(&other.positions);
        self.closed = other.closed;
    }
}

/// Move of a guard, or the end of the walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// The move with this index.
    Move(u16),
    /// Repeat from this tick on.
    Close(u16),
}

impl World<'_> {
    fn track(&self, walk: &Walk, guard: usize) -> Vec<Position> {
        walk.positions
            .iter()
            .skip(guard)
            .step_by(self.context.guards())
            .copied()
            .collect()
    }

    fn plan(&self, walk: &Walk) -> Plan {
        let guards = self.context.guards();
        let tracks: Vec<Vec<Position>> = (0..guards).map(|guard| self.track(walk, guard)).collect();
        match walk.closed {
            None => close_cycles(self.context, &tracks),
            Some(from) => {
                let last = walk.positions.len() / guards - 1;
                let roles = self.roles(walk, from, last);
                repeat_from(self.context, &tracks, from, &roles)
            }
        }
    }

    /// For each guard, the guard whose position at tick `from` it has at tick `to`.
    fn roles(&self, walk: &Walk, from: usize, to: usize) -> Vec<usize> {
        let guards = self.context.guards();
        let at = |tick: usize, guard: usize| walk.positions[tick * guards + guard];
        let mut taken = vec![false; guards];
        let role = |guard: usize| {
            let fits = |other: &usize| {
                !taken[*other]
                    && at(from, *other) == at(to, guard)
                    && self.context.problem.are_interchangeable(*other, guard)
            };
            let role = (0..guards).find(fits);
            if let Some(role) = role {
                taken[role] = true;
            }
            role
        };
        (0..guards).filter_map(role).collect()
    }

    /// Whether all guards stand at a tick, without a pause that remains.
    fn all_stand(&self, walk: &Walk, tick: usize) -> bool {
        let guards = self.context.guards();
        let positions = &walk.positions[tick * guards..(tick + 1) * guards];
        positions
            .iter()
            .all(|position| position.edge == STANDING && position.clock == 0)
    }
}

impl Domain for World<'_> {
    type State = Walk;
    type Action = Action;
    type Cost = Cost;

    fn root(&self) -> Walk {
        Walk {
            positions: (0..self.context.guards())
                .map(|guard| self.context.start(guard))
                .collect(),
            closed: None,
        }
    }

    fn actions(&self, walk: &Walk, out: &mut Vec<Action>) {
        let guards = self.context.guards();
        let (tick, guard) = (walk.positions.len() / guards, walk.positions.len() % guards);
        if walk.closed.is_some() || (tick > self.horizon && guard == 0) {
            return;
        }
        if guard == 0 && self.has_cycles && self.all_stand(walk, tick - 1) {
            let earlier = (0..tick - 1).filter(|from| {
                self.all_stand(walk, *from) && self.roles(walk, *from, tick - 1).len() == guards
            });
            out.extend(earlier.map(|from| Action::Close(from as u16)));
        }
        let before = &walk.positions[(tick - 1) * guards..];
        let mut moves = Vec::new();
        self.context.moves(guard, before[guard], &mut moves);
        for (index, position) in moves.iter().enumerate() {
            let others = (0..guard).map(|other| (before[other], before[guards + other], other));
            let mut others = others.into_iter();
            let fits = others.all(|(from, to, other)| {
                let alike =
                    from == before[guard] && self.context.problem.are_interchangeable(other, guard);
                // Symmetry: of two interchangeable guards at one position, the first takes the
                // earlier move.
                let in_order =
                    !alike || moves.iter().position(|position| *position == to) <= Some(index);
                let may = self.context.problem.spec().may_swap
                    || !self
                        .context
                        .pass_each_other([from, before[guard]], [to, *position]);
                in_order && may
            });
            if fits {
                out.push(Action::Move(index as u16));
            }
        }
    }

    fn apply(&self, walk: &mut Walk, action: Action) {
        let guards = self.context.guards();
        match action {
            Action::Close(from) => walk.closed = Some(from.into()),
            Action::Move(index) => {
                let guard = walk.positions.len() % guards;
                let before = walk.positions[walk.positions.len() - guards];
                let mut moves = Vec::new();
                self.context.moves(guard, before, &mut moves);
                walk.positions.push(moves[usize::from(index)]);
            }
        }
    }

    fn outcome(&self, walk: &Walk) -> Outcome<Cost> {
        // The walk ends in the middle of a tick where no guard can move without passing another.
        let is_complete = walk.positions.len().is_multiple_of(self.context.guards());
        let evaluated = is_complete
            .then(|| exact_cost(self.context, &self.plan(walk)))
            .flatten();
        let Some((escape, cost)) = evaluated else {
            return Outcome {
                cost: BROKEN,
                reward: 0.0,
            };
        };
        let objective = self.context.problem.objective();
        let reward = if !objective.has_idleness() {
            1.0 - escape as f64 / PROBABILITY_ONE as f64
        } else {
            1.0 / (1.0 + cost.0 as f64 / PROBABILITY_ONE as f64)
        };
        Outcome { cost, reward }
    }
}

/// Tree search until stopped or exhausted.
///
/// A tree that commits to actions ends with a complete walk. Then another tree is searched, with
/// twice as many iterations before each commitment.
pub(super) fn search(
    context: &Context<'_>,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let default = match context.problem.intruder().entry {
        Entry::Start => context.problem.intruder().instants.saturating_sub(1),
        _ => 2 * context.problem.vertices() as u32,
    };
    let world = World {
        context,
        horizon: params.horizon.unwrap_or(default).clamp(1, HORIZON_MAX) as usize,
        has_cycles: params.strategy != Strategy::Mcts,
    };
    let mut settings = Settings {
        exploration: params.exploration.unwrap_or(std::f64::consts::SQRT_2),
        nodes_max: control.limits().nodes_max,
        depth_max: usize::MAX,
        seed: control.seed(0),
    };
    let mut commit_after = (params.strategy == Strategy::Iterative).then_some(COMMIT_AFTER);
    let mut trees = 1;
    loop {
        if let Ended::Stopped(stop) =
            search_tree(&world, settings, params.strategy, commit_after, control)
        {
            return Conclusion::Stopped(stop);
        }
        commit_after = commit_after.map(|after| after.saturating_mul(2));
        settings.seed = control.seed(trees);
        trees += 1;
    }
}

/// End of the search of a tree.
enum Ended {
    /// Committed to a complete walk.
    Committed,
    Stopped(Stop),
}

/// Searches one tree, which commits to an action after each `commit_after` iterations, if at all.
fn search_tree(
    world: &World<'_>,
    settings: Settings,
    strategy: Strategy,
    commit_after: Option<u64>,
    control: &mut Control<'_, Plan, Cost>,
) -> Ended {
    let found_by = match strategy {
        Strategy::Mcts => "mcts",
        Strategy::Iterative => "iterative",
        _ => "mcts-uc",
    };
    let context = world.context;
    let mut search = Search::new(world, Plain, NoBound, settings);
    let (mut since, mut committed) = (0, false);
    loop {
        if search.is_finished() {
            // Without commitments all walks up to the horizon were tried, not longer ones.
            return if committed {
                Ended::Committed
            } else {
                Ended::Stopped(Stop::Exhausted)
            };
        }
        if !control.tick() {
            return Ended::Stopped(control.stop().unwrap_or(Stop::Iterations));
        }
        if search.step(control.best()) == Step::Improved
            && let Some((walk, cost)) = search.best().filter(|(_, cost)| *cost != BROKEN)
        {
            super::offer(control, &world.plan(walk), cost, found_by);
        }
        // With entry at any time, plans take long to evaluate.
        if context.problem.intruder().entry != Entry::Start {
            context.work.report_iterations(control);
        }
        since += 1;
        if commit_after.is_some_and(|after| since >= after) {
            since = 0;
            committed |= search.commit().is_some();
        }
    }
}
