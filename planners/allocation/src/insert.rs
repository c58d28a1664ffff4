//! Insertions: places at which a fixed plan can take one more task.

use crate::explain::trial::Trial;
use crate::plan::{Cost, Plan, Terms};
use crate::problem::Problem;
use crate::solve::coupled;
use crate::verify::{schedule, terms};
use anytime::{Argument, Fault, Path, check, element, fault};

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
/// What is wrong with `plan` or `task_id`: broken rules of the plan, a task that does not exist or
/// is planned, or one that is not done without tasks that the plan leaves out.
pub fn insertions(
    problem: &Problem,
    plan: &Plan,
    task: usize,
    count_max: usize,
) -> Result<Vec<Insertion>, Vec<Fault>> {
    let task_at = Path::root("task_id");
    if task >= problem.tasks().len() {
        return Err(vec![check::unknown(&task_at, element("task", task))]);
    }
    let of_plan = |fault: Fault| fault.under(&Path::root("plan"));
    terms(problem, plan).map_err(|faults| faults.into_iter().map(of_plan).collect::<Vec<_>>())?;
    let mut planned = plan.routes.iter().flat_map(|route| &route.stops);
    if planned.any(|stop| stop.task == task) {
        return Err(vec![fault!(
            "CONTRADICTION",
            task_at,
            "is in the plan already"
        )]);
    }
    let mut found = Vec::new();
    if problem.is_coupled() {
        let places = coupled::insertion_costs(problem, plan, task);
        let places = places.map_err(|others| vec![coupled_to(&others)])?;
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

fn coupled_to(others: &[usize]) -> Fault {
    let others = others.iter().map(|task| element("task", *task));
    fault!(
        "CONTRADICTION",
        Path::root("task_id"),
        "is not done without {}: solve again, starting from the plan",
        Argument::List(others.collect())
    )
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
