//! Parallel improvement of formations on the given threads.
//!
//! Each task has its share of iterations and its own seed, and the best plan of all tasks is
//! offered when all are done: the result does not depend on the number of threads.

use super::formation::{Formation, FormationSearch, InitialRounds};
use super::is_proved;
use crate::context::Context;
use crate::plan::{Cost, Plan};
use crate::solve::shortest_paths::Tables;
use crate::solve::{Incumbent, offer};
use anytime::{Control, Limits, on_threads};

/// Maximum number of tasks in parallel.
pub(super) const WIDTH: usize = 4;

/// Improvements of a formation.
pub(super) struct Task {
    pub origin: Origin,
    /// Annealing steps of an improvement.
    pub steps: u64,
    /// Number of improvements.
    pub times: usize,
}

/// Formation of a task.
pub(super) enum Origin {
    /// A formation of the pool.
    Known(Formation),
    /// A new formation: guards by team, initial rounds and seed. It is offered before it is
    /// improved.
    New(Vec<Vec<usize>>, InitialRounds, u64),
}

/// Environment of a task.
struct Environment<'w, 's> {
    context: &'w Context<'s>,
    tables: &'w [Tables],
    limits: Limits,
    bound: Option<Cost>,
}

/// Result of a task.
struct Found {
    formation: Formation,
    incumbent: Incumbent,
    iterations: u64,
}

/// Runs tasks, at most one for each context, and returns their formations in order.
pub(super) fn run_parallel(
    contexts: &mut [Context<'_>],
    tables: &[Tables],
    tasks: Vec<Task>,
    control: &mut Control<'_, Plan, Cost>,
) -> Vec<Formation> {
    let count = tasks.len();
    let share = |index: usize| {
        let (remaining, count) = (control.remaining(), count as u64);
        remaining / count + u64::from((index as u64) < remaining % count)
    };
    let limits = |index| Limits {
        iterations_max: Some(share(index)),
        ..control.limits().clone()
    };
    let bound = control.bound();
    let pairs = contexts.iter_mut().zip(tasks).enumerate();
    let items = pairs.map(|(index, (context, task))| (context, task, limits(index)));
    let items: Vec<_> = items.collect();
    let found = on_threads(
        control.limits().threads,
        items,
        |(context, task, limits)| {
            let environment = Environment {
                context,
                tables,
                limits,
                bound,
            };
            environment.run(task)
        },
    );
    let iterations = found.iter().map(|found| found.iterations).sum();
    control.count(iterations);
    let (incumbents, formations) = found
        .into_iter()
        .map(|found| (found.incumbent, found.formation))
        .unzip::<_, _, Vec<_>, Vec<_>>();
    let best = incumbents
        .into_iter()
        .filter_map(|found| found.best.map(|(plan, cost)| (plan, cost, found.found_by)));
    if let Some((plan, cost, found_by)) = best.min_by_key(|(_, cost, _)| *cost) {
        offer(control, &plan, cost, &found_by);
    }
    formations
}

impl Environment<'_, '_> {
    fn run(self, task: Task) -> Found {
        let mut incumbent = Incumbent::default();
        // Formations have their own seeds.
        let mut control = Control::new(self.limits, 0, &mut incumbent);
        if let Some(bound) = self.bound {
            control.prove(bound, "known");
        }
        let mut search = match task.origin {
            Origin::Known(formation) => FormationSearch::new(self.context, self.tables, formation),
            Origin::New(teams, rounds, seed) => {
                let formation = Formation::new(self.context.problem, &teams, seed);
                let mut search = FormationSearch::new(self.context, self.tables, formation);
                search.initialise(&rounds);
                search.offer(&mut control);
                search
            }
        };
        for _ in 0..task.times {
            if is_proved(self.context, &control) || !search.improve(task.steps, &mut control) {
                break;
            }
        }
        let iterations = control.iterations();
        Found {
            formation: search.formation,
            incumbent,
            iterations,
        }
    }
}
