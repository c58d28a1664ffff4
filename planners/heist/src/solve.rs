//! How plans are made.

mod canonical;
mod chart;
mod errand;
mod field;
mod first;
mod hunt;
mod improve;
mod moats;
mod reach;
mod search;
#[cfg(test)]
mod tests;
mod tour;
mod walker;

use crate::plan::{Cost, Plan};
use crate::problem::Problem;
use crate::rules::Action;
use crate::verify::verify;
use anytime::{Conclusion, Control, SolveError, Stop};
use canonical::Canonical;
use chart::Chart;
use hunt::Hunter;
use improve::Improver;
use search::{Aim, Ended};
use tour::Tours;

pub use errand::Errand;
pub(crate) use reach::Reach;
pub use reach::exists;

/// Most places that [`best_plan`] opens; then it returns the best plan so far. A number, not a
/// time: games have to be the same on every computer.
pub const OPENED_MAX: u64 = 2_000;
/// Most places that [`best_plan`] keeps.
const KEPT_MAX: usize = 200_000;

/// Most actions of a warm start that are looked at.
pub const WARM_MAX: usize = 1_000;
/// Most slack, in percent.
pub const SLACK_MAX_PERCENT: u32 = 1_000;

/// Most stops with which [`solve()`] breaks ties by the indices given, as [`best_plan`] does:
/// it finds the plans of games. With more stops it searches in a canonical order.
const FEW_STOPS: u32 = 8;

/// How to search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Params {
    /// How much longer than the shortest a plan may be, in percent, up to [`SLACK_MAX_PERCENT`]. 0:
    /// the shortest is wanted. As soon as it is proved that none is shorter by more, the search
    /// ends, as at a target.
    pub slack_percent: u32,
    /// What the agent was about to do. If it is still possible, or is from some action on, it is
    /// the first plan.
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
    if chart.stops() <= FEW_STOPS {
        return Ok(shorten(
            (problem, &chart),
            params,
            &mut Runner::new(control),
        ));
    }
    let canonical = Canonical::of(&Errand::of(problem), &mut || control.go_on());
    let chart = Chart::new(canonical.errand()).expect("the same errand can be done");
    let mut runner = Runner::new(control);
    runner.canonical = Some(&canonical);
    Ok(shorten((problem, &chart), params, &mut runner))
}

/// Looks for shorter and shorter plans of an errand that can be done.
fn shorten(
    (problem, chart): (&Problem, &Chart<'_>),
    params: &Params,
    runner: &mut Runner<'_, '_>,
) -> Conclusion {
    let mut least = u32::MAX;
    let warm = params.warm.as_ref();
    if let Some((plan, cost)) = warm.and_then(|warm| resume(problem, warm, runner.control)) {
        least = cost.actions;
        runner.control.offer(&plan, cost, "warm start");
    }
    let first = first::first_plan(chart, &mut Tours::new(chart), &mut || runner.goes_on());
    let Some((first, order)) = first else {
        let stop = runner.control.stop().unwrap_or(Stop::Exhausted);
        return Conclusion::Stopped(stop);
    };
    least = least.min(length(&first));
    runner.offer(first, "first");
    let aim = Aim {
        most: least,
        slack_percent: params.slack_percent.min(SLACK_MAX_PERCENT),
        weight_percent: 100,
        nodes_max: runner.control.limits().nodes_max,
    };
    // Where rooms have an order, there is little to choose.
    let improver = (!problem.goal().in_order).then(|| Improver::new(chart, order));
    let (end, actions) = hunt::hunt(chart, (aim, improver), runner);
    let control = &mut *runner.control;
    control.prove(
        Cost { actions },
        if end == Ended::Proved {
            "exhausted"
        } else {
            "tour"
        },
    );
    match (control.best(), control.stop()) {
        (Some(best), _) if best.actions <= actions => Conclusion::Optimal,
        (_, Some(stop)) => Conclusion::Stopped(stop),
        (_, None) if end == Ended::Near => Conclusion::Stopped(Stop::Target),
        (_, None) => Conclusion::Stopped(Stop::Exhausted),
    }
}

/// A hunt that is run from outside.
struct Runner<'a, 'c> {
    control: &'a mut Control<'c, Plan, Cost>,
    /// In what order it hunts; none: in the order given.
    canonical: Option<&'a Canonical>,
}

impl<'a, 'c> Runner<'a, 'c> {
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

impl Hunter for Runner<'_, '_> {
    fn go(&mut self) -> bool {
        self.control.tick()
    }

    fn goes_on(&mut self) -> bool {
        self.control.go_on()
    }

    fn found(&mut self, actions: Vec<Action>) -> bool {
        self.offer(actions, "search");
        self.control.go_on()
    }
}

/// What is left of a plan that has been carried out in part, of its first [`WARM_MAX`] actions.
fn resume(
    problem: &Problem,
    warm: &Plan,
    control: &mut Control<'_, Plan, Cost>,
) -> Option<(Plan, Cost)> {
    let actions = &warm.actions[..warm.actions.len().min(WARM_MAX)];
    // Each part is judged from the start: not longer than anybody waits.
    let mut starts = (0..actions.len()).take_while(|_| control.go_on());
    starts.find_map(|done| {
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
    best_plan_while(errand, &mut || true)
}

/// The same; the best so far, if any, when `go_on`, which is called now and then, returns false.
pub(crate) fn best_plan_while(
    errand: &Errand<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Plan> {
    proved_plan(errand, go_on).map(|it| it.0)
}

/// The same, and whether it is proved that there is no shorter one.
pub(crate) fn proved_plan(
    errand: &Errand<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(Plan, bool)> {
    let chart = Chart::new(*errand)?;
    let (actions, _) = first::first_plan(&chart, &mut Tours::new(&chart), go_on)?;
    let aim = Aim {
        most: length(&actions),
        slack_percent: 0,
        weight_percent: 100,
        nodes_max: KEPT_MAX,
    };
    let mut best = Best {
        plan: Plan { actions },
        left: OPENED_MAX,
        go_on,
    };
    let (_, least) = hunt::hunt(&chart, (aim, None), &mut best);
    let proved = length(&best.plan.actions) <= least;
    Some((best.plan, proved))
}

/// Places between two looks at the stop signal.
const PLACES_BETWEEN: u64 = 16;

/// A hunt within a number of places.
struct Best<'a> {
    plan: Plan,
    left: u64,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Hunter for Best<'_> {
    fn go(&mut self) -> bool {
        let looks = self.left.is_multiple_of(PLACES_BETWEEN);
        let go = self.left > 0 && (!looks || (self.go_on)());
        self.left = self.left.saturating_sub(1);
        go
    }

    fn goes_on(&mut self) -> bool {
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
