//! The mixed-integer program of the paper, corrected, solved by HiGHS: the reference for the other
//! strategy.
//!
//! Rows express that networks are dynamically controllable (see [`controllability`]), that
//! activities are ordered and hand resources to each other (see [`resource_flow`]), and that picks
//! cover outcomes (see [`outcome_boxes`]). HiGHS finds orders, picks and boxes of outcomes, and the
//! optimum (see [`objective`] and, with choices, [`improve`]). The exact engine then returns the
//! strategy that satisfies them, so that no plan rests on floating-point numbers. Infeasibility is
//! claimed where HiGHS reports it, within its tolerances, unless the exact engine refutes it.
//!
//! Source: Azad, Xu, Yu and Li (2017), equations 1 to 13. Coverage by a cycle for each link
//! (equations 11 and 12) is unsound where several links precede a choice; boxes are used for all.

mod controllability;
mod improve;
mod indicators;
mod infeasible;
mod network;
mod objective;
mod open_corner;
mod outcome_boxes;
mod program;
mod resource_flow;
mod single;

use super::joint_network::PolicyOutline;
use super::offer::{Extra, offer_plan};
use super::precedences::{OrderingProblem, Precedence};
use super::story::{Story, Tree};
use super::{Detail, Params, non_anticipativity, stopped};
use crate::plan::{Answer, Cost};
use crate::problem::{Micros, Narrative, Objective};
use anytime::{Conclusion, Control, SolveError, Stop};
use network::Scale;
use outcome_boxes::{FoundPolicy, Gap, OutcomeBoxes};
use program::Program;
use stn::Edge;
use stn::uncertain::{self, strategy};

/// Most rows of a program: beyond, HiGHS does not get through its first linear program in an hour.
const ROWS_MAX: usize = 900_000;
/// Most units of time up to the last event: beyond, tolerances of the solver are worth more than a
/// unit.
const UNITS_MAX: i64 = 10_000_000;

/// Looks for a plan. Nodes of branch and bound are iterations, and each program is one.
///
/// # Errors
/// [`SolveError::Unsupported`]: what the program cannot say.
pub(super) fn run(
    narrative: &Narrative,
    params: &Params,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, SolveError> {
    let Some(story) = Story::new(narrative, &mut || control.go_on()) else {
        return Ok(stopped(control));
    };
    let scale = Scale::new(&story);
    check(&story, &scale)?;
    let conclusion = match &story.tree {
        Tree::Line(line) => single::single(&story, *line, scale, params.detail, control),
        Tree::Fork(_) => forked(&story, scale, params, control),
    };
    Ok(conclusion)
}

/// What the program cannot say.
fn check(story: &Story<'_>, scale: &Scale) -> Result<(), SolveError> {
    let refuse = |feature: String| {
        let strategy = "milp";
        Err(SolveError::Unsupported { strategy, feature })
    };
    let objective = &story.narrative.spec().objective;
    if objective.slack > 0 && objective.idle > 0 {
        // Idle time is counted with durations as given, what is kept has to bear wider ones.
        return refuse("slack and idle time in one objective".into());
    }
    let sizes = story.lines.iter().map(|line| {
        let events = line.present.iter().filter(|present| **present).count();
        events.pow(3)
    });
    let rows = sizes.sum::<usize>();
    if rows > ROWS_MAX {
        return refuse(format!(
            "a story of this size: its program would have more than {rows} rows, at most \
             {ROWS_MAX} are solved"
        ));
    }
    if scale.horizon() > UNITS_MAX {
        return refuse(format!(
            "times that add up to {} times the largest step of which all are multiples, at most \
             {UNITS_MAX} are solved",
            scale.horizon()
        ));
    }
    Ok(())
}

/// A story with choices: boxes that cover everything, then all policies together.
fn forked(
    story: &Story<'_>,
    scale: Scale,
    params: &Params,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let mut boxes_search = OutcomeBoxes {
        story,
        scale,
        control,
    };
    let found = match boxes_search.cover_story() {
        Ok(found) => found,
        // What these policies cannot do, others may that use what later choices do not see.
        Err(Gap::Uncovered(_)) if story.tree.is_narrow() => {
            return Conclusion::Stopped(Stop::Exhausted);
        }
        Err(Gap::Uncovered(witness)) => {
            return infeasible::uncovered(story, witness, params.detail, control);
        }
        Err(Gap::Open) => return Conclusion::Stopped(Stop::Exhausted),
        Err(Gap::Stopped) => return stopped(control),
    };
    match offer_together(story, scale, &found, params.detail, control) {
        Offer::Offered if story.narrative.spec().objective == Objective::default() => {
            Conclusion::Optimal
        }
        Offer::Offered => improve::improve(story, scale, &found, params.detail, control),
        // That these policies do not go together proves nothing about others.
        Offer::Fails => Conclusion::Stopped(Stop::Exhausted),
        Offer::Stopped => stopped(control),
    }
}

/// What came of policies that were put together.
enum Offer {
    Offered,
    /// They do not go together.
    Fails,
    Stopped,
}

/// Offers the plan with these policies, if they go together: with the orders that each has, or with
/// others.
fn offer_together(
    story: &Story<'_>,
    scale: Scale,
    found: &[FoundPolicy],
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Offer {
    let skeletons: Vec<PolicyOutline> = found.iter().map(|found| found.skeleton.clone()).collect();
    let Some(joint) = non_anticipativity::joint_network(story, &skeletons, &mut || control.go_on())
    else {
        return Offer::Stopped;
    };
    let question = OrderingProblem::new(story, &skeletons, &joint);
    let orders = found.iter().zip(&joint.place).flat_map(|(found, place)| {
        let orders = found.orders.iter();
        orders.map(|(end, start)| Precedence {
            end: place[*end],
            start: place[*start],
        })
    });
    let kept = keep(&question, orders.collect(), control);
    let kept = match kept {
        Checked::Fails => match single::orders(&question, scale, control) {
            Some(Some(orders)) => keep(&question, orders, control),
            Some(None) => Checked::Fails,
            None => return Offer::Stopped,
        },
        kept => kept,
    };
    match kept {
        Checked::Holds(edges, strategy) => {
            let extra = Extra::without_slack(question.joint, detail.flexibilities);
            match offer_plan(&question, &edges, &strategy, extra, "milp", control) {
                Some(()) => Offer::Offered,
                None => Offer::Stopped,
            }
        }
        Checked::Fails => Offer::Fails,
        Checked::Stopped => Offer::Stopped,
    }
}

/// Whether a joint network can be kept with orders.
enum Checked {
    /// With these edges, by this strategy.
    Holds(Vec<Edge>, Box<uncertain::Strategy>),
    /// It cannot, or is beyond the limits of the engine.
    Fails,
    Stopped,
}

/// Asks the exact engine.
fn keep(
    question: &OrderingProblem<'_>,
    mut orders: Vec<Precedence>,
    control: &mut Control<'_, Answer, Cost>,
) -> Checked {
    orders.sort_unstable();
    orders.dedup();
    let edges: Vec<Edge> = (0_u32..)
        .zip(&orders)
        .map(|(name, order)| Edge::new(order.start, order.end, 0, name))
        .collect();
    let Ok(network) = question.joint.network(&edges) else {
        return Checked::Fails;
    };
    match strategy(&network, &mut || control.go_on()) {
        uncertain::Verdict::Holds(strategy) => Checked::Holds(edges, Box::new(strategy)),
        uncertain::Verdict::Fails(_) => Checked::Fails,
        uncertain::Verdict::Stopped => Checked::Stopped,
    }
}

/// Who hears of better solutions.
type Listener<'l> = &'l mut dyn FnMut(&mut Control<'_, Answer, Cost>, &milp::Solution);

/// Solves a program; `None`: stopped, or the solver gave up.
fn solved(
    program: &Program,
    control: &mut Control<'_, Answer, Cost>,
    heard: Listener<'_>,
) -> Option<milp::Outcome> {
    if !control.tick() || program.rows() > ROWS_MAX {
        return None;
    }
    let pulse = control.fork();
    let remaining = control.remaining();
    let params = milp::Params {
        seed: control.seed(0),
        nodes_max: (remaining < u64::MAX).then_some(remaining),
        ..milp::Params::default()
    };
    let outcome = program.solve(&params, &pulse, &mut |solution| {
        heard(control, solution);
    });
    let outcome = outcome.ok()?;
    control.count(outcome.effort.nodes.min(remaining));
    if outcome.verdict == milp::Verdict::Stopped(Stop::Iterations) {
        // The limit is used up: so the conclusion names it.
        while control.tick() {}
    }
    control.go_on();
    Some(outcome)
}

/// Whether the solver reports infeasibility. All variables have bounds, so no program is unbounded.
fn is_refuted(outcome: &milp::Outcome) -> bool {
    matches!(
        outcome.verdict,
        milp::Verdict::Infeasible | milp::Verdict::InfeasibleOrUnbounded
    )
}

/// A time in microseconds from one in units, which the solver knows to some digits: the unit that
/// is meant, or the last microsecond before.
#[expect(
    clippy::cast_possible_truncation,
    reason = "values lie between bounds, which came from integers"
)]
fn micros(value: f64, unit: Micros) -> Micros {
    let whole = value.round();
    if (value - whole).abs() < 1e-5 {
        whole as Micros * unit
    } else {
        (value * program::float(unit)).floor() as Micros
    }
}

/// The same, or the first microsecond after.
fn micros_above(value: f64, unit: Micros) -> Micros {
    -micros(-value, unit)
}
