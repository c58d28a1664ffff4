//! One task more in a plan that is kept.

use crate::explain::trial::Trial;
use crate::plan::{Cost, Plan, Terms};
use crate::problem::Problem;
use crate::solve::coupled;
use crate::verify::{Violation, schedule, terms};

/// Most insertions that are told.
pub const INSERTIONS_MAX: usize = 100;

/// A place for a task in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Insertion {
    /// What the plan costs with the task there.
    pub cost: Cost,
    /// Index of the agent.
    pub agent: usize,
    /// Before which of the agent's stops; as many as there are: last.
    pub stop: usize,
}

/// Why a task cannot be put into a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InsertError {
    /// The plan breaks rules: all of them.
    #[error("the plan breaks {} rules", .0.len())]
    Plan(Vec<Violation>),
    /// There is no such task.
    #[error("there is no task {0}")]
    Unknown(usize),
    /// The plan has it already.
    #[error("the plan has task {0} already")]
    Planned(usize),
    /// It is not done without these tasks, which the plan leaves out.
    #[error("task {task} is not done without tasks {with:?}: solve again, starting from the plan")]
    Coupled {
        /// Index of the task.
        task: usize,
        /// Indices of the tasks.
        with: Vec<usize>,
    },
}

/// All places at which a plan can take one task more, the cheapest first, at most `most` of them
/// and [`INSERTIONS_MAX`]; of equal cost the one with the lower agent, then the lower stop.
///
/// All that is in the plan keeps its agent and its order; starts move as early as they can, as
/// [`schedule`] has them. A place counts only if the whole plan keeps all rules then. None: see
/// [`explain`](crate::explain::explain) for reasons. Where the task costs more done than left out
/// it is listed all the same.
///
/// A task that is coupled with others is inserted only where these are done already, as the first
/// of an order may be or the second whose first is done. A break next to the place comes before the
/// task or after it, whichever costs less; one that is missed then is put where it costs least.
///
/// Takes as many steps as there are pairs of stops on the same route, fewer where starts are fixed.
///
/// # Errors
/// See [`InsertError`].
pub fn insertions(
    problem: &Problem,
    plan: &Plan,
    (task, most): (usize, usize),
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
        return Ok(ranked(found, most));
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
    Ok(ranked(found, most))
}

fn ranked(mut found: Vec<Insertion>, most: usize) -> Vec<Insertion> {
    found.sort_unstable();
    found.truncate(most.min(INSERTIONS_MAX));
    found
}

/// The plan with a task at a place, every stop as early as possible.
///
/// # Panics
/// When the place is not in the plan. Where the problem is coupled, also when the place is none
/// that [`insertions`] gives.
#[must_use]
pub fn with(problem: &Problem, plan: &Plan, (task, place): (usize, &Insertion)) -> Plan {
    if problem.is_coupled() {
        let plan = coupled::insert_task(problem, plan, task, place.agent, place.stop);
        return plan.expect("the place is one that was found");
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
