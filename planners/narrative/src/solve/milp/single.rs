//! Stories without choices, and orders for a joint network.

use super::controllability::{ControllabilityRows, End};
use super::network::Scale;
use super::objective::ObjectiveRows;
use super::program::Program;
use super::resource_flow::Flow;
use super::{Checked, infeasible, is_refuted, keep, solved};
use crate::plan::{Answer, Cost};
use crate::solve::improve::{Tightening, as_given, tightened};
use crate::solve::joint_network::{JointNetwork, PolicyOutline};
use crate::solve::offer::{Extra, offer_plan};
use crate::solve::precedences::{OrderingProblem, Precedence, ResourceUsers, shares};
use crate::solve::story::Story;
use crate::solve::{Detail, stopped};
use anytime::{Conclusion, Control, Stop};
use milp::{Solution, Verdict};

/// The outcomes that a link should have, where they are not as given.
type Wanted<'w> = &'w dyn Fn(usize) -> Option<(End, End)>;

/// A program about one joint network.
struct Whole {
    program: Program,
    block: ControllabilityRows,
    flow: Flow,
}

impl Whole {
    /// `None`: stopped.
    fn new(
        question: &OrderingProblem<'_>,
        scale: Scale,
        mut program: Program,
        outcomes: Wanted<'_>,
        control: &mut Control<'_, Answer, Cost>,
    ) -> Option<Whole> {
        let joint = question.joint;
        let network = scale.network(joint, outcomes);
        let block =
            ControllabilityRows::write(&mut program, &network, &[], &mut || control.go_on())?;
        let mut shares: Vec<ResourceUsers> = shares(question.story, joint, question.skeletons)
            .into_iter()
            .flatten()
            .collect();
        shares.sort_unstable();
        shares.dedup();
        let flow = Flow::write(&mut program, &block, &shares, &[]);
        Some(Whole {
            program,
            block,
            flow,
        })
    }
}

/// A scale for the outcomes of policies; `None`: the program would be too large, or its times too
/// fine.
pub(super) fn fine(question: &OrderingProblem<'_>, scale: Scale) -> Option<Scale> {
    let links = question.joint.contingents.iter();
    let scale = scale.divided_by(links.flat_map(|link| [link.lower, link.upper]));
    let rows = question.joint.nodes.pow(3);
    (rows <= super::ROWS_MAX && scale.horizon() <= super::UNITS_MAX).then_some(scale)
}

/// Orders with which a joint network is controllable; inner `None`: infeasible or unknown. `None`:
/// stopped.
pub(super) fn orders(
    question: &OrderingProblem<'_>,
    scale: Scale,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<Option<Vec<Precedence>>> {
    let Some(scale) = fine(question, scale) else {
        return Some(None);
    };
    let whole = Whole::new(question, scale, Program::default(), &|_| None, control)?;
    let outcome = solved(&whole.program, control, &mut |_, _| {})?;
    match outcome.solution {
        Some(solution) => Some(Some(whole.flow.found(&whole.program, &solution))),
        None if matches!(outcome.verdict, Verdict::Stopped(_)) => None,
        None => Some(None),
    }
}

/// A story without choices.
pub(super) fn single(
    story: &Story<'_>,
    line: usize,
    scale: Scale,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let skeletons = [PolicyOutline::whole(line)];
    let joint = JointNetwork::new(story, &skeletons);
    let question = OrderingProblem::new(story, &skeletons, &joint);
    let Some((goal, outcome)) = best(&question, scale, detail, control) else {
        return ended(control);
    };
    if let Some(bound) = outcome.bound.filter(|_| goal.is_any()) {
        control.prove(ObjectiveRows::lower_bound(bound, scale), "milp");
    }
    if is_refuted(&outcome) {
        return infeasible::unkept(&question, line, detail, control);
    }
    match outcome.verdict {
        Verdict::Optimal if control.best().is_some() => {
            if !goal.is_any() || control.best() == control.bound() {
                Conclusion::Optimal
            } else {
                ended(control)
            }
        }
        _ => ended(control),
    }
}

/// Offers the best plan with these policies, as the solver finds better and better ones; returns
/// what was minimised, and the result. `None`: stopped, or the solver gave up.
pub(super) fn best(
    question: &OrderingProblem<'_>,
    scale: Scale,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<(ObjectiveRows, milp::Outcome)> {
    let mut program = Program::default();
    let weights = &question.story.narrative.spec().objective;
    let goal = ObjectiveRows::new(&mut program, question, weights, scale);
    let outcomes = |link: usize| goal.outcomes(link);
    let mut whole = Whole::new(question, scale, program, &outcomes, control)?;
    goal.set(&mut whole.program, &whole.block, question.joint.nodes);
    let mut last = None;
    let mut heard = |control: &mut Control<'_, Answer, Cost>, solution: &Solution| {
        if last.as_ref() == Some(solution) {
            return;
        }
        last = Some(solution.clone());
        let tightening = goal.tightening(&whole.program, &whole.block, solution, scale);
        let orders = whole.flow.found(&whole.program, solution);
        offer(question, &tightening, orders, detail, control);
    };
    let outcome = solved(&whole.program, control, &mut |control, solution| {
        heard(control, solution);
    })?;
    if let Some(solution) = &outcome.solution {
        heard(control, solution);
    }
    Some((goal, outcome))
}

/// Stopped, or the solver has given up.
pub(super) fn ended(control: &mut Control<'_, Answer, Cost>) -> Conclusion {
    if control.go_on() {
        Conclusion::Stopped(Stop::Exhausted)
    } else {
        stopped(control)
    }
}

/// Offers a plan with these orders, if the exact engine can keep them.
fn offer(
    question: &OrderingProblem<'_>,
    tightening: &Tightening,
    orders: Vec<Precedence>,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) {
    let (joint, given) = (
        tightened(question, tightening),
        as_given(question, tightening),
    );
    let question = OrderingProblem {
        joint: &joint,
        ..*question
    };
    if let Checked::Holds(edges, strategy) = keep(&question, orders, control) {
        let extra = Extra {
            slack: tightening.slack,
            flexibilities: detail.flexibilities.then_some(&given),
        };
        // Stopped: the conclusion says so.
        let _ = offer_plan(&question, &edges, &strategy, extra, "milp", control);
    }
}
