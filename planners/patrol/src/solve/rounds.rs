//! Search against an intruder that enters at any time: formations, that is teams of interchangeable
//! guards that share cyclic rounds.
//!
//! 1. Initial formations for each partition into teams: rounds by greedy set cover and short tours
//!    (`set_cover`, `tour`), territories, and the teams of the warm start.
//! 2. Simulated annealing of rounds, team by team (`anneal`), for a pool of formations: the best, a
//!    random one and new ones, in parallel (`tasks`).
//! 3. Between the improvements, the Lagrangian bound (`lagrangian`) for stationary intruders.

mod formation;
mod set_cover;
mod tasks;
mod teams;

use super::lagrangian::LagrangianBound;
use super::shortest_paths::{Tables, empty_tables};
use crate::context::Context;
use crate::plan::{Cost, Plan};
use crate::problem::{Entry, Motion, PROBABILITY_ONE};
use anytime::{Conclusion, Control, Stop};
use formation::{Formation, InitialRounds};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tasks::{Origin, Task, WIDTH, run_parallel};
use teams::{partitions, teams_of};

/// Annealing steps of a formation in one task, at first.
const STEPS: u64 = 4_000;
/// The same, at most.
const STEPS_MAX: u64 = 60_000;
/// Number of formations in the pool.
const POOL_SIZE: usize = 4;
/// Tolerance of optimality: 2 * 10^-9 of the probability of escape. The Lagrangian bound gives up
/// half of that to cover the rounding of its doubles.
pub(crate) const TOLERANCE: u64 = PROBABILITY_ONE / 500_000_000;
/// Durations of new rounds in windows, and the range of random factors on the worth of vertices.
const WINDOWS: std::ops::Range<f64> = 0.7..1.4;
const SPREAD: f64 = 1.0;

/// Pool of formations.
struct Pool<'s> {
    context: &'s Context<'s>,
    /// Contexts of the tasks that run in parallel.
    contexts: Vec<Context<'s>>,
    /// Shortest paths by guard.
    tables: Vec<Tables>,
    /// Partitions of the guards into teams.
    partitions: Vec<Vec<Vec<usize>>>,
    formations: Vec<Formation>,
    rng: Xoshiro256PlusPlus,
}

/// Searches plans, from a previous one if given. Optimal only with proof.
pub(super) fn search(
    context: &Context<'_>,
    warm: Option<&Plan>,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let mut pool = Pool::new(context, control);
    let intruder = context.problem.intruder();
    let has_bound = intruder.motion == Motion::Still && intruder.entry == Entry::Steady;
    let mut go = pool.fill(warm, control);
    let mut lagrangian = (go && has_bound)
        .then(|| LagrangianBound::new(context))
        .flatten();
    let mut steps = STEPS;
    while go && !is_proved(context, control) {
        if let Some(bound) = &mut lagrangian {
            let escape = u128::from(bound.improve(steps, control));
            let weight = u128::from(context.problem.objective().escape);
            control.prove(Cost(escape * weight), "walks with memory");
        }
        go = pool.improve(steps, control);
        steps = steps.saturating_add(steps / 3).min(STEPS_MAX);
    }
    if is_proved(context, control) {
        Conclusion::Optimal
    } else {
        Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
    }
}

impl<'s> Pool<'s> {
    fn new(context: &'s Context<'s>, control: &Control<'_, Plan, Cost>) -> Self {
        let mut tables: Vec<Tables> = Vec::new();
        for guard in 0..context.guards() {
            let alike = (0..guard).find(|other| context.problem.are_interchangeable(*other, guard));
            tables.push(alike.map_or_else(|| empty_tables(context), |other| tables[other].clone()));
        }
        Self {
            context,
            contexts: (0..WIDTH)
                .map(|_| context.for_thread(control.fork()))
                .collect(),
            tables,
            partitions: partitions(context),
            formations: Vec::new(),
            rng: Xoshiro256PlusPlus::seed_from_u64(control.seed(0)),
        }
    }

    /// Initial formations: for each partition rounds that fit in a window, rounds past everything
    /// and guards that stand; and the teams of a previous plan. False: stopped, or proved.
    fn fill(&mut self, warm: Option<&Plan>, control: &mut Control<'_, Plan, Cost>) -> bool {
        // A dynamic intruder counts as stationary in the first improvement only: it is short.
        let steps = if self.context.problem.intruder().motion.is_dynamic() {
            STEPS / 8
        } else {
            STEPS
        };
        let is_idle = self.context.problem.objective().has_idleness();
        let mut origins = Vec::new();
        for windows in [Some(1.0), Some(f64::INFINITY), None] {
            // Idleness has no window.
            if is_idle && windows == Some(1.0) {
                continue;
            }
            for teams in &self.partitions {
                let rounds = match windows {
                    Some(windows) => InitialRounds::Cover {
                        windows,
                        spread: 0.0,
                    },
                    None => InitialRounds::Past(vec![Vec::new(); teams.len()]),
                };
                origins.push((teams.clone(), rounds));
            }
        }
        if is_idle && self.partitions[0].len() > 1 {
            origins.push((self.partitions[0].clone(), self.territories()));
        }
        // Second: the first origin gives a plan immediately.
        let previous = warm.map(|plan| teams_of(self.context, plan));
        origins.splice(1..1, previous.unwrap_or_default());
        let tasks = origins.into_iter().map(|(teams, rounds)| Task {
            origin: Origin::New(teams, rounds, self.rng.random()),
            steps,
            times: 1,
        });
        let mut tasks: Vec<Task> = tasks.collect();
        // A plan immediately; it is improved with the others.
        let first = Task {
            times: 0,
            ..tasks.remove(0)
        };
        if !self.run(vec![first], control) {
            return false;
        }
        let first = self.formations.pop().map(|first| improvement(first, steps));
        tasks.splice(..0, first);
        while !tasks.is_empty() {
            let next = tasks.drain(..WIDTH.min(tasks.len())).collect();
            if !self.run(next, control) {
                return false;
            }
        }
        true
    }

    /// Runs tasks in parallel; false: stopped, or proved.
    fn run(&mut self, tasks: Vec<Task>, control: &mut Control<'_, Plan, Cost>) -> bool {
        let found = run_parallel(&mut self.contexts, &self.tables, tasks, control);
        self.formations.extend(found);
        let go = control.go_on() && (control.remaining() > 0 || control.tick());
        go && !is_proved(self.context, control)
    }

    /// Territories around the starts of teams (Voronoi cells). Annealing hardly finds them from
    /// rounds past everything where only the worst idleness counts.
    fn territories(&self) -> InitialRounds {
        let context = self.context;
        let teams = &self.partitions[0];
        let start = |team: &Vec<usize>| context.problem.first_arrival(team[0]);
        let far = |team: &Vec<usize>| context.distances(team[0], start(team).0);
        let tables: Vec<Vec<u32>> = teams.iter().map(far).collect();
        let nearest = |vertex: usize| (0..tables.len()).min_by_key(|team| tables[*team][vertex]);
        let counts = |vertex: &usize| context.problem.shares()[*vertex] > 0;
        let territory = |team: usize| {
            let all = (0..context.problem.vertices()).filter(counts);
            all.filter(|vertex| nearest(*vertex) == Some(team))
                .collect()
        };
        InitialRounds::Past((0..tables.len()).map(territory).collect())
    }

    /// Improves the best formation, another one and new ones; false: stopped, or proved.
    fn improve(&mut self, steps: u64, control: &mut Control<'_, Plan, Cost>) -> bool {
        self.formations
            .sort_by(|one, other| one.best.total_cmp(&other.best));
        self.formations.truncate(POOL_SIZE);
        let mut tasks: Vec<Task> = (2..WIDTH).map(|_| self.new_formation(steps)).collect();
        if self.formations.len() > 1 {
            let other = self.rng.random_range(1..self.formations.len());
            tasks.push(improvement(self.formations.swap_remove(other), steps));
        }
        tasks.push(improvement(self.formations.swap_remove(0), steps));
        self.run(tasks, control)
    }

    /// New random formation: rounds by set cover, or past random vertices.
    fn new_formation(&mut self, steps: u64) -> Task {
        let problem = self.context.problem;
        let vertices = problem.vertices();
        let best = self.formations[0]
            .teams
            .iter()
            .map(|team| team.guards.clone());
        let teams: Vec<Vec<usize>> = if self.rng.random() {
            best.collect()
        } else {
            self.partitions[self.rng.random_range(0..self.partitions.len())].clone()
        };
        let rng = &mut self.rng;
        let rounds = if rng.random() {
            InitialRounds::Cover {
                windows: rng.random_range(WINDOWS),
                spread: SPREAD,
            }
        } else if !problem.spec().may_swap && teams.len() > 1 {
            let firsts = teams.iter().map(|_| rng.random_range(0..vertices));
            InitialRounds::Territories(firsts.collect())
        } else {
            let mut goals = || {
                let count = rng.random_range(1..=vertices.min(12));
                (0..count).map(|_| rng.random_range(0..vertices)).collect()
            };
            InitialRounds::Past(teams.iter().map(|_| goals()).collect())
        };
        Task {
            origin: Origin::New(teams, rounds, rng.random()),
            steps: steps / 2,
            times: 3,
        }
    }
}

/// Task to improve a formation once.
fn improvement(formation: Formation, steps: u64) -> Task {
    Task {
        origin: Origin::Known(formation),
        steps,
        times: 1,
    }
}

/// Whether the incumbent is optimal within [`TOLERANCE`].
fn is_proved(context: &Context<'_>, control: &Control<'_, Plan, Cost>) -> bool {
    let weight = u128::from(context.problem.objective().escape);
    let limit = |bound: Cost| Cost(bound.0 + weight * u128::from(TOLERANCE));
    let bound = control.bound().map(limit);
    control.best().is_some_and(|best| Some(best) <= bound)
}
