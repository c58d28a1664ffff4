//! Monte Carlo tree search over walks: plain, and with useful cycles (Algorithms 2 and 3 of the
//! thesis).
//!
//! An action of the tree is a tick of one guard. Guards choose in their order; the thesis chooses
//! for all simultaneously: the same walks, but this tree stays small with sixteen guards. A state
//! in which guards stand where they stood before, equal ones in any order, has one more action for
//! each such tick: to repeat the cycle from there. That is the cyclic node; its value is computed
//! once, exactly, and backpropagated through its ancestors.

use super::endless::{endless, round_from};
use super::params::{COMMIT_AFTER, HORIZON_MAX, Params, Strategy};
use crate::evaluate::worth;
use crate::plan::{Cost, Plan};
use crate::problem::{CERTAIN, Entry};
use crate::scene::{STANDS, Scene, Spot};
use anytime::{Conclusion, Control, Stop};
use mcts::{Domain, NoBound, Outcome, Plain, Search, Settings, Step};

/// The cost of walks that break a rule.
const BROKEN: Cost = Cost(u128::MAX);

/// Walks of guards, as the tree sees them.
struct World<'s> {
    scene: &'s Scene<'s>,
    /// The last tick.
    horizon: usize,
    /// Whether walks may go round.
    cycles: bool,
}

/// What was chosen so far.
#[derive(Debug, PartialEq, Eq)]
struct Walk {
    /// Where guards are, tick by tick and guard by guard.
    spots: Vec<Spot>,
    /// From which tick on everything comes again.
    closed: Option<usize>,
}

impl Clone for Walk {
    fn clone(&self) -> Self {
        Self {
            spots: self.spots.clone(),
            closed: self.closed,
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.spots.clone_from(&other.spots);
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
    fn track(&self, walk: &Walk, guard: usize) -> Vec<Spot> {
        walk.spots
            .iter()
            .skip(guard)
            .step_by(self.scene.guards())
            .copied()
            .collect()
    }

    fn plan(&self, walk: &Walk) -> Plan {
        let guards = self.scene.guards();
        let tracks: Vec<Vec<Spot>> = (0..guards).map(|guard| self.track(walk, guard)).collect();
        match walk.closed {
            None => endless(self.scene, &tracks),
            Some(from) => {
                let last = walk.spots.len() / guards - 1;
                let roles = self.roles(walk, [from, last]);
                round_from(self.scene, &tracks, (from, &roles))
            }
        }
    }

    /// For each guard at the second tick, whose place at the first it has taken.
    fn roles(&self, walk: &Walk, [from, to]: [usize; 2]) -> Vec<usize> {
        let guards = self.scene.guards();
        let at = |tick: usize, guard: usize| walk.spots[tick * guards + guard];
        let mut taken = vec![false; guards];
        let role = |guard: usize| {
            let fits = |other: &usize| {
                !taken[*other]
                    && at(from, *other) == at(to, guard)
                    && self.scene.problem.are_alike(*other, guard)
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
        let guards = self.scene.guards();
        let spots = &walk.spots[tick * guards..(tick + 1) * guards];
        spots
            .iter()
            .all(|spot| spot.way == STANDS && spot.clock == 0)
    }
}

impl Domain for World<'_> {
    type State = Walk;
    type Action = Action;
    type Cost = Cost;

    fn root(&self) -> Walk {
        Walk {
            spots: (0..self.scene.guards())
                .map(|guard| self.scene.start(guard))
                .collect(),
            closed: None,
        }
    }

    fn actions(&self, walk: &Walk, out: &mut Vec<Action>) {
        let guards = self.scene.guards();
        let (tick, guard) = (walk.spots.len() / guards, walk.spots.len() % guards);
        if walk.closed.is_some() || (tick > self.horizon && guard == 0) {
            return;
        }
        if guard == 0 && self.cycles && self.stand(walk, tick - 1) {
            let earlier = (0..tick - 1).filter(|from| {
                self.stand(walk, *from) && self.roles(walk, [*from, tick - 1]).len() == guards
            });
            out.extend(earlier.map(|from| Action::Close(from as u16)));
        }
        let before = &walk.spots[(tick - 1) * guards..];
        let mut moves = Vec::new();
        self.scene.moves(guard, before[guard], &mut moves);
        for (index, spot) in moves.iter().enumerate() {
            let others = (0..guard).map(|other| (before[other], before[guards + other], other));
            let mut others = others.into_iter();
            let fits = others.all(|(from, to, other)| {
                let alike = from == before[guard] && self.scene.problem.are_alike(other, guard);
                // Of two who are alike and in one place, the first takes the earlier way.
                let in_order = !alike || moves.iter().position(|spot| *spot == to) <= Some(index);
                let may = self.scene.problem.spec().may_swap
                    || !self.scene.pass([from, before[guard]], [to, *spot]);
                in_order && may
            });
            if fits {
                out.push(Action::Move(index as u16));
            }
        }
    }

    fn apply(&self, walk: &mut Walk, action: Action) {
        let guards = self.scene.guards();
        match action {
            Action::Close(from) => walk.closed = Some(from.into()),
            Action::Move(index) => {
                let guard = walk.spots.len() % guards;
                let before = walk.spots[walk.spots.len() - guards];
                let mut moves = Vec::new();
                self.scene.moves(guard, before, &mut moves);
                walk.spots.push(moves[usize::from(index)]);
            }
        }
    }

    fn outcome(&self, walk: &Walk) -> Outcome<Cost> {
        // Where nobody can go on without passing somebody, the walk ends in the middle of a tick.
        let whole = walk.spots.len().is_multiple_of(self.scene.guards());
        let judged = whole.then(|| worth(self.scene, &self.plan(walk))).flatten();
        let Some((escape, cost)) = judged else {
            return Outcome {
                cost: BROKEN,
                reward: 0.0,
            };
        };
        let objective = self.scene.problem.objective();
        let reward = if objective.worst_idleness == 0 && objective.mean_idleness == 0 {
            1.0 - escape as f64 / CERTAIN as f64
        } else {
            1.0 / (1.0 + cost.0 as f64 / CERTAIN as f64)
        };
        Outcome { cost, reward }
    }
}

/// Grows a tree until `control` says stop, or nothing is left to try.
///
/// A tree that commits has an end, however much is allowed: then another one is grown which waits
/// twice as long before each commitment.
pub(super) fn grow(
    scene: &Scene<'_>,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let own = match scene.problem.intruder().entry {
        Entry::Start => scene.problem.intruder().instants.saturating_sub(1),
        _ => 2 * scene.problem.vertices() as u32,
    };
    let world = World {
        scene,
        horizon: params.horizon.unwrap_or(own).clamp(1, HORIZON_MAX) as usize,
        cycles: params.strategy != Strategy::Mcts,
    };
    let mut settings = Settings {
        exploration: params.exploration.unwrap_or(std::f64::consts::SQRT_2),
        nodes_max: control.limits().nodes_max,
        depth_max: usize::MAX,
        seed: control.seed(0),
    };
    let mut patience = (params.strategy == Strategy::Iterative).then_some(COMMIT_AFTER);
    let mut trees = 1;
    loop {
        if let Grown::Stopped(stop) = one(&world, settings, (params.strategy, patience), control) {
            return Conclusion::Stopped(stop);
        }
        patience = patience.map(|after| after.saturating_mul(2));
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
    (strategy, patience): (Strategy, Option<u64>),
    control: &mut Control<'_, Plan, Cost>,
) -> Grown {
    let found_by = match strategy {
        Strategy::Mcts => "mcts",
        Strategy::Iterative => "iterative",
        _ => "mcts-uc",
    };
    let scene = world.scene;
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
        if scene.problem.intruder().entry != Entry::Start {
            scene.steps.count(control);
        }
        since += 1;
        if patience.is_some_and(|after| since >= after) {
            since = 0;
            committed |= search.commit().is_some();
        }
    }
}
