//! Monte Carlo tree search over walks: plain, and with useful cycles (Algorithms 2 and 3 of the
//! thesis).
//!
//! An action of the tree is a tick of one guard. Guards choose in their order; the thesis chooses
//! for all simultaneously: the same walks, but this tree stays small with sixteen guards. A state
//! in which guards stand where they stood before, equal ones in any order, has one more action for
//! each such tick: to repeat the cycle from there. That is the cyclic node; its value is computed
//! once, exactly, and backpropagated through its ancestors.

use super::close_cycle::{endless, round_from};
use super::params::{COMMIT_AFTER, HORIZON_MAX, Params, Strategy};
use crate::context::{Context, Position, STANDING};
use crate::evaluate::worth;
use crate::plan::{Cost, Plan};
use crate::problem::{Entry, PROBABILITY_ONE};
use anytime::{Conclusion, Control, Stop};
use mcts::{Domain, NoBound, Outcome, Plain, Search, Settings, Step};

/// The cost of walks that break a rule.
const BROKEN: Cost = Cost(u128::MAX);

/// Walks of guards, as the tree sees them.
struct World<'s> {
    context: &'s Context<'s>,
    /// The last tick.
    horizon: usize,
    /// Whether walks may go round.
    cycles: bool,
}

/// What was chosen so far.
#[derive(Debug, PartialEq, Eq)]
struct Walk {
    /// Where guards are, tick by tick and guard by guard.
    positions: Vec<Position>,
    /// From which tick on everything comes again.
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

/// A tick of a guard, or the end of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// The move with this index.
    Move(u16),
    /// Round and round from this tick on.
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
            None => endless(self.context, &tracks),
            Some(from) => {
                let last = walk.positions.len() / guards - 1;
                let roles = self.roles(walk, [from, last]);
                round_from(self.context, &tracks, (from, &roles))
            }
        }
    }

    /// For each guard at the second tick, whose place at the first it has taken.
    fn roles(&self, walk: &Walk, [from, to]: [usize; 2]) -> Vec<usize> {
        let guards = self.context.guards();
        let at = |tick: usize, guard: usize| walk.positions[tick * guards + guard];
        let mut taken = vec![false; guards];
        let role = |guard: usize| {
            let fits = |other: &usize| {
                !taken[*other]
                    && at(from, *other) == at(to, guard)
                    && self.context.problem.are_alike(*other, guard)
            };
            let role = (0..guards).find(fits);
            if let Some(role) = role {
                taken[role] = true;
            }
            role
        };
        (0..guards).filter_map(role).collect()
    }

    /// Whether guards stand at a tick, free to go.
    fn stand(&self, walk: &Walk, tick: usize) -> bool {
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
        if guard == 0 && self.cycles && self.stand(walk, tick - 1) {
            let earlier = (0..tick - 1).filter(|from| {
                self.stand(walk, *from) && self.roles(walk, [*from, tick - 1]).len() == guards
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
                let alike = from == before[guard] && self.context.problem.are_alike(other, guard);
                // Of two who are alike and in one place, the first takes the earlier way.
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
        // Where nobody can go on without passing somebody, the walk ends in the middle of a tick.
        let whole = walk.positions.len().is_multiple_of(self.context.guards());
        let judged = whole
            .then(|| worth(self.context, &self.plan(walk)))
            .flatten();
        let Some((escape, cost)) = judged else {
            return Outcome {
                cost: BROKEN,
                reward: 0.0,
            };
        };
        let objective = self.context.problem.objective();
        let reward = if objective.worst_idleness == 0 && objective.mean_idleness == 0 {
            1.0 - escape as f64 / PROBABILITY_ONE as f64
        } else {
            1.0 / (1.0 + cost.0 as f64 / PROBABILITY_ONE as f64)
        };
        Outcome { cost, reward }
    }
}

/// Grows a tree until `control` says stop, or nothing is left to try.
///
/// A tree that commits has an end, however much is allowed: then another one is grown which waits
/// twice as long before each commitment.
pub(super) fn grow(
    context: &Context<'_>,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let own = match context.problem.intruder().entry {
        Entry::Start => context.problem.intruder().instants.saturating_sub(1),
        _ => 2 * context.problem.vertices() as u32,
    };
    let world = World {
        context,
        horizon: params.horizon.unwrap_or(own).clamp(1, HORIZON_MAX) as usize,
        cycles: params.strategy != Strategy::Mcts,
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
        if let Grown::Stopped(stop) =
            one(&world, settings, (params.strategy, commit_after), control)
        {
            return Conclusion::Stopped(stop);
        }
        commit_after = commit_after.map(|after| after.saturating_mul(2));
        settings.seed = control.seed(trees);
        trees += 1;
    }
}

/// How a tree ended.
enum Grown {
    /// With a whole walk to which it has committed.
    Committed,
    Stopped(Stop),
}

/// Grows one tree, which commits after so many iterations each time, if at all.
fn one(
    world: &World<'_>,
    settings: Settings,
    (strategy, commit_after): (Strategy, Option<u64>),
    control: &mut Control<'_, Plan, Cost>,
) -> Grown {
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
            // Without commitments all walks up to the horizon were tried; longer ones were not.
            return if committed {
                Grown::Committed
            } else {
                Grown::Stopped(Stop::Exhausted)
            };
        }
        if !control.tick() {
            return Grown::Stopped(control.stop().unwrap_or(Stop::Iterations));
        }
        if search.step(control.best()) == Step::Improved
            && let Some((walk, cost)) = search.best().filter(|(_, cost)| *cost != BROKEN)
        {
            super::offer(control, &world.plan(walk), (cost, found_by));
        }
        // With who enters at any time, plans take long to judge.
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
