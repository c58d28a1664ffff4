//! How plans are made.

mod chart;
mod errand;
mod field;
mod first;
mod reach;
mod search;
mod tour;
mod walker;

use crate::plan::{Cost, Plan};
use crate::problem::Problem;
use crate::rules::Action;
use crate::verify::verify;
use anytime::{Conclusion, Control, SolveError, Stop};
use chart::Chart;
use search::{Ended, Search};
use tour::Tours;

pub use errand::Errand;
pub(crate) use reach::Reach;
pub use reach::exists;

/// Most places that [`best_plan`] opens; beyond, it is content with the best plan so far. A number, not a time: games have to go the same way everywhere.
pub const OPENED_MAX: u64 = 2_000;
/// Most places that [`best_plan`] keeps.
const KEPT_MAX: usize = 200_000;

/// Most slack, in percent.
pub const SLACK_MAX_PERCENT: u32 = 1_000;

/// How to search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Params {
    /// How much longer than the shortest a plan may be, in percent, up to [`SLACK_MAX_PERCENT`]. 0: the shortest is wanted. As soon as it is proved that
    /// none is shorter by more, the search ends, as at a target.
    pub slack_percent: u32,
    /// What the agent was about to do. If he still can, or still can from some action on, it is the first plan.
    pub warm: Option<Plan>,
}

/// Looks for shorter and shorter plans.
///
/// # Errors
/// None.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let Some(chart) = Chart::new(Errand::of(problem)) else {
        return Ok(Conclusion::Infeasible);
    };
    let mut least = u32::MAX;
    if let Some((plan, cost)) = params.warm.as_ref().and_then(|warm| resume(problem, warm)) {
        least = cost.actions;
        control.offer(&plan, cost, "warm start");
    }
    let mut tours = Tours::new(&chart);
    let first = first::first_plan(&chart, &mut tours);
    least = least.min(length(&first));
    let cost = Cost {
        actions: length(&first),
    };
    control.offer(&Plan { actions: first }, cost, "first");
    let nodes_max = control.limits().nodes_max;
    let slack = params.slack_percent.min(SLACK_MAX_PERCENT);
    let mut search = Search::new(&chart, &mut tours, (least, slack), nodes_max);
    loop {
        match search.run(&mut || control.tick()) {
            Ok(actions) => {
                least = length(&actions);
                let cost = Cost { actions: least };
                control.offer(&Plan { actions }, cost, "search");
                if !control.go_on() {
                    return Ok(ended(search.proved(), control));
                }
            }
            Err(Ended::Proved) => {
                control.prove(Cost { actions: least }, "exhausted");
                return Ok(Conclusion::Optimal);
            }
            Err(Ended::Near) if search.proved() < least => {
                let actions = search.proved();
                control.prove(Cost { actions }, "tour");
                return Ok(Conclusion::Stopped(Stop::Target));
            }
            Err(_) => return Ok(ended(search.proved(), control)),
        }
    }
}

/// How a search ends that proves no more than this many actions.
fn ended(actions: u32, control: &mut Control<'_, Plan, Cost>) -> Conclusion {
    control.prove(Cost { actions }, "tour");
    if control.best() == Some(Cost { actions }) {
        return Conclusion::Optimal;
    }
    Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
}

/// What is left of a plan that has been carried out in part.
fn resume(problem: &Problem, warm: &Plan) -> Option<(Plan, Cost)> {
    /// Longest plan that is looked at.
    const LENGTH_MAX: usize = 10_000;
    let actions = warm.actions.get(..warm.actions.len().min(LENGTH_MAX))?;
    (0..actions.len()).find_map(|done| {
        let plan = Plan {
            actions: actions[done..].to_vec(),
        };
        let cost = verify(problem, &plan).ok()?;
        Some((plan, cost))
    })
}

/// The plan of an agent: the shortest, the same one each time. `None`: there is no plan.
///
/// Past [`OPENED_MAX`] places the best so far.
#[must_use]
pub fn best_plan(errand: &Errand<'_>) -> Option<Plan> {
    let chart = Chart::new(*errand)?;
    let mut tours = Tours::new(&chart);
    let mut best = first::first_plan(&chart, &mut tours);
    let mut search = Search::new(&chart, &mut tours, (length(&best), 0), KEPT_MAX);
    let mut left = OPENED_MAX;
    let mut go = || {
        let go = left > 0;
        left = left.saturating_sub(1);
        go
    };
    while let Ok(actions) = search.run(&mut go) {
        best = actions;
    }
    Some(Plan { actions: best })
}

fn length(actions: &[Action]) -> u32 {
    u32::try_from(actions.len()).unwrap_or(u32::MAX)
}
