//! The search for a shortest plan of one agent.

mod a_star;
mod agent_task;
mod anytime_search;
mod canonical;
mod greedy;
mod held_karp;
mod local_search;
mod moats;
mod planning_task;
mod reachability;
mod shortest_paths;
#[cfg(test)]
mod tests;
mod walker;

use crate::plan::{Cost, Plan};
use crate::problem::Problem;
use crate::rules::Action;
use crate::verify::verify;
use a_star::{SearchEnd, SearchParams};
use anytime::{Conclusion, Control, SolveError, Stop};
use anytime_search::{AnytimeSearch, Observer};
use canonical::CanonicalTask;
use held_karp::HeldKarp;
use local_search::LocalSearch;
use planning_task::PlanningTask;

pub use agent_task::AgentTask;
pub(crate) use reachability::Reachability;
pub use reachability::exists;

/// Maximal number of nodes that [`best_plan`] expands; then it returns the best plan so far. A
/// number, not a time: games have to be the same on every computer.
pub const EXPANDED_MAX: u64 = 2_000;
/// Maximal number of nodes of [`best_plan`].
const NODES_MAX: usize = 200_000;

/// Maximal number of actions of a warm start that are tried.
pub const WARM_MAX: usize = 1_000;
/// Maximal slack, in percent.
pub const SLACK_MAX_PERCENT: u32 = 1_000;

/// Maximal number of stops with which [`solve()`] breaks ties by the indices given, as
/// [`best_plan`] does for games. With more stops it searches in a canonical order.
const FEW_STOPS: u32 = 8;

/// Parameters of the search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Params {
    /// Optimality gap, in percent, up to [`SLACK_MAX_PERCENT`]: the search ends, as at a target,
    /// once no plan can be shorter by more. 0: the shortest is wanted.
    pub slack_percent: u32,
    /// Warm start: the previous plan of the agent. If it is still valid, or is from some action on,
    /// it is the first offer.
    pub warm: Option<Plan>,
}

/// Searches for a shortest plan, and offers each improvement.
///
/// # Errors
/// None.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let Some(task) = PlanningTask::new(AgentTask::new(problem)) else {
        return Ok(Conclusion::Infeasible);
    };
    if task.stops() <= FEW_STOPS {
        return Ok(improve_plan(
            problem,
            &task,
            params,
            &mut ControlObserver::new(control),
        ));
    }
    let canonical = CanonicalTask::new(&AgentTask::new(problem), &mut || control.go_on());
    let task = PlanningTask::new(canonical.task()).expect("the same task can be done");
    let mut observer = ControlObserver::new(control);
    observer.canonical = Some(&canonical);
    Ok(improve_plan(problem, &task, params, &mut observer))
}

/// Searches for a shortest plan of a feasible task.
fn improve_plan(
    problem: &Problem,
    task: &PlanningTask<'_>,
    params: &Params,
    observer: &mut ControlObserver<'_, '_>,
) -> Conclusion {
    let mut least = u32::MAX;
    let Params {
        slack_percent,
        warm,
    } = params;
    if let Some((plan, cost)) = warm
        .as_ref()
        .and_then(|warm| resume(problem, warm, observer.control))
    {
        least = cost.actions;
        observer.control.offer(&plan, cost, "warm start");
    }
    let first = greedy::greedy_plan(task, &mut HeldKarp::new(task), &mut || {
        observer.may_continue()
    });
    let Some((first, order)) = first else {
        let stop = observer.control.stop().unwrap_or(Stop::Exhausted);
        return Conclusion::Stopped(stop);
    };
    least = least.min(length(&first));
    observer.offer(first, "first");
    let params = SearchParams {
        upper_bound: least,
        slack_percent: (*slack_percent).min(SLACK_MAX_PERCENT),
        weight_percent: 100,
        nodes_max: observer.control.limits().nodes_max,
    };
    // An order of rooms leaves little to local search.
    let local_search = (!problem.goal().in_order).then(|| LocalSearch::new(task, order));
    let (end, actions) = AnytimeSearch {
        task,
        params,
        local_search,
    }
    .run(observer);
    let control = &mut *observer.control;
    control.prove(
        Cost { actions },
        if end == SearchEnd::Proved {
            "exhausted"
        } else {
            "tour"
        },
    );
    match (control.best(), control.stop()) {
        (Some(best), _) if best.actions <= actions => Conclusion::Optimal,
        (_, Some(stop)) => Conclusion::Stopped(stop),
        (_, None) if end == SearchEnd::Near => Conclusion::Stopped(Stop::Target),
        (_, None) => Conclusion::Stopped(Stop::Exhausted),
    }
}

/// The observer of a search that a runner controls.
struct ControlObserver<'a, 'c> {
    control: &'a mut Control<'c, Plan, Cost>,
    /// The canonical order of the search. `None`: the order given.
    canonical: Option<&'a CanonicalTask>,
}

impl<'a, 'c> ControlObserver<'a, 'c> {
    fn new(control: &'a mut Control<'c, Plan, Cost>) -> Self {
        Self {
            control,
            canonical: None,
        }
    }

    fn offer(&mut self, actions: Vec<Action>, found_by: &'static str) {
        let given = |action| self.canonical.map_or(action, |it| it.given(action));
        let actions: Vec<Action> = actions.into_iter().map(given).collect();
        let cost = Cost {
            actions: length(&actions),
        };
        self.control.offer(&Plan { actions }, cost, found_by);
    }
}

impl Observer for ControlObserver<'_, '_> {
    fn may_expand(&mut self) -> bool {
        self.control.tick()
    }

    fn may_continue(&mut self) -> bool {
        self.control.go_on()
    }

    fn found(&mut self, actions: Vec<Action>) -> bool {
        self.offer(actions, "search");
        self.control.go_on()
    }
}

/// The valid rest of a plan that has been executed in part, of its first [`WARM_MAX`] actions.
fn resume(
    problem: &Problem,
    warm: &Plan,
    control: &mut Control<'_, Plan, Cost>,
) -> Option<(Plan, Cost)> {
    let actions = &warm.actions[..warm.actions.len().min(WARM_MAX)];
    // Each rest is verified from its start, as long as there is time.
    let mut starts = (0..actions.len()).take_while(|_| control.go_on());
    starts.find_map(|done| {
        let plan = Plan {
            actions: actions[done..].to_vec(),
        };
        let cost = verify(problem, &plan).ok()?;
        Some((plan, cost))
    })
}

/// The shortest plan of an agent, the same one each time. `None`: there is no plan.
///
/// After [`EXPANDED_MAX`] expanded nodes, the best so far.
#[must_use]
pub fn best_plan(task: &AgentTask<'_>) -> Option<Plan> {
    best_plan_until(task, &mut || true)
}

/// The same; the best so far, if any, when `go_on`, which is called now and then, returns false.
pub(crate) fn best_plan_until(
    task: &AgentTask<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Plan> {
    proved_plan(task, go_on).map(|it| it.0)
}

/// The same, and whether it is proved that there is no shorter one.
pub(crate) fn proved_plan(
    task: &AgentTask<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(Plan, bool)> {
    let task = PlanningTask::new(*task)?;
    let (actions, _) = greedy::greedy_plan(&task, &mut HeldKarp::new(&task), go_on)?;
    let params = SearchParams {
        upper_bound: length(&actions),
        slack_percent: 0,
        weight_percent: 100,
        nodes_max: NODES_MAX,
    };
    let mut best = NodeLimit {
        plan: Plan { actions },
        left: EXPANDED_MAX,
        go_on,
    };
    let (_, least) = AnytimeSearch {
        task: &task,
        params,
        local_search: None,
    }
    .run(&mut best);
    let proved = length(&best.plan.actions) <= least;
    Some((best.plan, proved))
}

/// Expanded nodes between two checks of the stop signal.
const NODES_BETWEEN: u64 = 16;

/// The observer that limits the number of expanded nodes.
struct NodeLimit<'a> {
    plan: Plan,
    left: u64,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Observer for NodeLimit<'_> {
    fn may_expand(&mut self) -> bool {
        let looks = self.left.is_multiple_of(NODES_BETWEEN);
        let go = self.left > 0 && (!looks || (self.go_on)());
        self.left = self.left.saturating_sub(1);
        go
    }

    fn may_continue(&mut self) -> bool {
        (self.go_on)()
    }

    fn found(&mut self, actions: Vec<Action>) -> bool {
        self.plan = Plan { actions };
        true
    }
}

fn length(actions: &[Action]) -> u32 {
    u32::try_from(actions.len()).unwrap_or(u32::MAX)
}
