//! Insertions: places at which a fixed plan can take one more task.

use crate::explain::trial::Trial;
use crate::plan::{Cost, Plan, Terms};
use crate::problem::Problem;
use crate::solve::coupled;
use crate::verify::{schedule, terms};
use anytime::Fault;

/// Most insertions that are returned.
pub const INSERTIONS_MAX: usize = 100;

/// A place for a task in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Insertion {
    /// Cost of the plan with the task there.
    pub cost: Cost,
    /// Index of the agent.
    pub agent: usize,
    /// Index of the agent's stop before which it comes; the number of stops: last.
    pub stop: usize,
}

/// Why a task cannot be put into a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InsertError {
    /// The plan is invalid: its faults.
    #[error("the plan has {} faults", .0.len())]
    Plan(Vec<Fault>),
    /// The task does not exist.
    #[error("there is no task {0}")]
    Unknown(usize),
    /// The plan has it already.
    #[error("the plan has task {0} already")]
    Planned(usize),
    /// It is not done without other tasks, which the plan leaves out.
    #[error("task {task} is not done without tasks {with:?}: solve again, starting from the plan")]
    Coupled {
        /// Index of the task.
        task: usize,
        /// Indices of the other tasks.
        with: Vec<usize>,
    },
}

/// Places at which a plan can take one more task, the cheapest first, at most `count_max` of them
/// and [`INSERTIONS_MAX`]; of equal cost the one with the lower agent, then the lower stop.
///
/// Planned tasks keep their agents and their order. Starts move as early as possible, as in
/// [`schedule`]. A place counts only if the whole plan is valid then. If the list is empty see
/// [`explain`](crate::explain::explain) for reasons. A place is listed even if leaving the task out
/// costs less.
///
/// A coupled task is inserted only if the tasks that it requires are planned. A break next to the
/// place comes before the task or after it, whichever costs less. A break that is missed then is
/// put where it costs least.
///
/// The number of steps is the number of pairs of stops on the same route, less where starts do not
/// move.
///
/// # Errors
/// See [`InsertError`].
pub fn insertions(
    problem: &Problem,
    plan: &Plan,
    task: usize,
    count_max: usize,
) -> Result<Vec<Insertion>, InsertError> {
    if task >= problem.tasks().len() {
        return Err(InsertError::Unknown(task));
    }
    terms(problem, plan).map_err(InsertError::Plan)?;
    let mut planned = plan.routes.iter().flat_map(|route| &route.stops);
    if planned.any(|stop| stop.task == task) {
        return Err(InsertError::Planned(task));
    }
    let mut found = Vec::new();
    if problem.is_coupled() {
        let places = coupled::insertion_costs(problem, plan, task);
        let places = places.map_err(|with| InsertError::Coupled { task, with })?;
        let insertion = |(agent, stop, cost)| Insertion { cost, agent, stop };
        found.extend(places.into_iter().map(insertion));
        return Ok(ranked(found, count_max));
    }
    let mut trial = Trial::new(problem, plan);
    for agent in 0..problem.agents().len() {
        for stop in trial.places(agent, task) {
            let terms = trial.terms_with(agent, task, stop);
            found.extend(terms.map(|terms: Terms| Insertion {
                cost: problem.cost(&terms),
                agent,
                stop,
            }));
        }
    }
    Ok(ranked(found, count_max))
}

fn ranked(mut found: Vec<Insertion>, count_max: usize) -> Vec<Insertion> {
    found.sort_unstable();
    found.truncate(count_max.min(INSERTIONS_MAX));
    found
}

/// The plan with a task at a place, every stop as early as possible.
///
/// # Panics
/// When the place is not in the plan. In a coupled problem, also when it is not one of
/// [`insertions`].
#[must_use]
pub fn insert(problem: &Problem, plan: &Plan, task: usize, place: &Insertion) -> Plan {
    if problem.is_coupled() {
        let inserted = coupled::insert_task(problem, plan, task, place.agent, place.stop);
        return inserted.expect("the place is one that was found");
    }
    let order = |route: &crate::Route| {
        let tasks = route.stops.iter().map(|stop| stop.task).collect();
        (route.agent, tasks)
    };
    let mut orders: Vec<(usize, Vec<usize>)> = plan.routes.iter().map(order).collect();
    let at = orders.partition_point(|(agent, _)| *agent < place.agent);
    if orders
        .get(at)
        .is_none_or(|(agent, _)| *agent != place.agent)
    {
        orders.insert(at, (place.agent, Vec::new()));
    }
    orders[at].1.insert(place.stop, task);
    schedule(problem, &orders)
}
