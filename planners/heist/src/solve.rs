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
use anytime::{Conclusion, Control, SolveError, Stop};
use chart::Chart;
use search::{Ended, Search};
use tour::Tours;

pub use errand::Errand;
pub use reach::exists;

/// Most places that [`best_plan`] opens; beyond, it is content with the best plan so far. A number, not a time: games have to go the same way everywhere.
pub const OPENED_MAX: u64 = 20_000;
/// Most places that [`best_plan`] keeps.
const KEPT_MAX: usize = 200_000;

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Params {
    /// How much longer than the shortest a plan may be, in percent; 0: the shortest.
    pub slack_percent: u32,
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
    let mut tours = Tours::new(&chart);
    let first = first::first_plan(&chart, &mut tours);
    let mut least = length(&first);
    control.offer(&Plan { actions: first }, Cost { actions: least }, "first");
    let nodes_max = control.limits().nodes_max;
    let mut search = Search::new(&chart, &mut tours, (least, 100), nodes_max);
    loop {
        match search.run(&mut || control.tick()) {
            Ok(actions) => {
                least = length(&actions);
                let (plan, cost) = (Plan { actions }, Cost { actions: least });
                control.offer(&plan, cost, "search");
            }
            Err(Ended::Proved) => {
                control.prove(Cost { actions: least }, "exhausted");
                return Ok(Conclusion::Optimal);
            }
            Err(ended) => {
                let actions = search.proved();
                control.prove(Cost { actions }, "tour");
                let _ = params;
                let stop = control.stop().filter(|_| ended == Ended::Stopped);
                return Ok(Conclusion::Stopped(stop.unwrap_or(Stop::Exhausted)));
            }
        }
    }
}

/// The plan of an agent: the shortest, the same one each time. `None`: there is no plan.
///
/// Past [`OPENED_MAX`] places the best so far.
#[must_use]
pub fn best_plan(errand: &Errand<'_>) -> Option<Plan> {
    let chart = Chart::new(*errand)?;
    let mut tours = Tours::new(&chart);
    let mut best = first::first_plan(&chart, &mut tours);
    let mut search = Search::new(&chart, &mut tours, (length(&best), 100), KEPT_MAX);
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
