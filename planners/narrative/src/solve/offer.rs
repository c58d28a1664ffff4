//! Plans from precedences and execution strategies, and their offer to the caller.

use super::joint_network::JointNetwork;
use super::precedences::OrderingProblem;
use super::{extract, minimal_makespan};
use crate::plan::{Answer, Cost, Plan};
use crate::problem::{Micros, Narrative};
use anytime::Control;
use stn::Edge;
use stn::uncertain;

/// The objective of a plan: `makespan_weight * makespan - slack_weight * slack + idle_weight *
/// idle`.
pub(super) fn cost(narrative: &Narrative, plan: &Plan) -> Cost {
    let objective = &narrative.spec().objective;
    let part = |weight: u32, time: i64| i128::from(weight) * i128::from(time);
    let makespan = part(objective.makespan, plan.makespan_us);
    let slack = part(objective.slack, plan.slack_us);
    Cost::Weighted(makespan - slack + part(objective.idle, plan.idle_us))
}

/// What a plan guarantees and reports beyond the narrative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extra<'j> {
    /// By how much more its durations may vary.
    pub(super) slack: Micros,
    /// The network from which the flexibility of each duration is computed, all others as given;
    /// `None`: not computed.
    pub(super) flexibilities: Option<&'j JointNetwork>,
}

impl<'j> Extra<'j> {
    /// No slack; flexibilities on request.
    pub(super) fn without_slack(joint: &'j JointNetwork, with_stretches: bool) -> Self {
        Self {
            slack: 0,
            flexibilities: with_stretches.then_some(joint),
        }
    }
}

/// Builds and offers the plan with these precedences, which the strategy named `by` found; `None`:
/// stopped.
pub(super) fn offer_plan(
    question: &OrderingProblem<'_>,
    orders: &[Edge],
    strategy: &uncertain::Strategy,
    extra: Extra<'_>,
    by: &'static str,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<()> {
    let (mut plan, sure) = build_plan(question, orders, strategy, extra.slack, control)?;
    if let Some(joint) = extra.flexibilities {
        let question = &OrderingProblem { joint, ..*question };
        // Stopped: a plan without them is better than none.
        let flexibilities = extract::flexibilities(question, sure, &mut || control.go_on());
        plan.flexibilities = flexibilities.unwrap_or_default();
    }
    let cost = cost(question.story.narrative, &plan);
    control.offer(&Answer::Plan(plan), cost, by);
    Some(())
}

/// Builds the plan with these precedences, durations of which may vary by `slack` more, and the
/// precedences that it guarantees; `None`: stopped.
pub(super) fn build_plan(
    question: &OrderingProblem<'_>,
    orders: &[Edge],
    strategy: &uncertain::Strategy,
    slack: Micros,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<(Plan, extract::Sure)> {
    let go_on = &mut || control.go_on();
    let deadline = extract::deadline(strategy);
    if let Some(makespan) = deadline {
        let draft = extract::Draft {
            question,
            orders,
            strategy,
            makespan,
            slack,
        };
        let (plan, sure) = draft.plan(go_on)?;
        if plan.makespan_us <= makespan {
            return Some((plan, sure));
        }
        // All policies together satisfy it, but none does by itself: it becomes a bound of each.
    }
    let makespan = match deadline {
        Some(makespan) => makespan,
        None => minimal_makespan::minimal_makespan(question.joint, orders, go_on)?,
    };
    let edges = [
        orders,
        &minimal_makespan::horizon_edges(question.joint, makespan),
    ]
    .concat();
    let network = question.joint.network(&edges).ok()?;
    let strategy = uncertain::strategy(&network, go_on).witness()?;
    let draft = extract::Draft {
        question,
        orders,
        strategy: &strategy,
        makespan,
        slack,
    };
    draft.plan(go_on)
}
