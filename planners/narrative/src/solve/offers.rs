//! Orders and strategies become plans, which are offered.

use super::joint::Joint;
use super::orders::Question;
use super::{Detail, span, tell};
use crate::plan::{Answer, Cost, Plan};
use crate::problem::{Micros, Narrative};
use anytime::Control;
use stn::Edge;
use stn::uncertain;

/// Offers the first plan with some policies; `None`: stopped.
pub(super) fn offered_first(
    question: &Question<'_>,
    (orders, strategy, detail): (&[Edge], uncertain::Strategy, Detail),
    control: &mut Control<'_, Answer, Cost>,
) -> Option<()> {
    let extra = Extra {
        slack: 0,
        stretches: detail.stretches.then_some(question.joint),
    };
    offered(question, (orders, strategy), (extra, control))
}

pub(super) fn cost(narrative: &Narrative, plan: &Plan) -> Cost {
    let objective = &narrative.spec().objective;
    let part = |weight: u32, time: i64| i128::from(weight) * i128::from(time);
    let makespan = part(objective.makespan, plan.makespan_us);
    let slack = part(objective.slack, plan.slack_us);
    Cost::Weighted(makespan - slack + part(objective.idle, plan.idle_us))
}

/// What a plan has besides the story.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extra<'j> {
    /// By how much more its durations may vary.
    pub(super) slack: Micros,
    /// The network for computing how far durations could stretch, each by itself, with all others
    /// as they are given; `None`: not computed.
    pub(super) stretches: Option<&'j Joint>,
}

/// Offers a plan with these orders; `None`: stopped.
pub(super) fn offered(
    question: &Question<'_>,
    kept: (&[Edge], uncertain::Strategy),
    last: (Extra<'_>, &mut Control<'_, Answer, Cost>),
) -> Option<()> {
    offered_by("auto", question, kept, last)
}

/// The same, found by a strategy.
pub(super) fn offered_by(
    by: &'static str,
    question: &Question<'_>,
    (orders, strategy): (&[Edge], uncertain::Strategy),
    (extra, control): (Extra<'_>, &mut Control<'_, Answer, Cost>),
) -> Option<()> {
    let (mut plan, sure) = drafted(question, (orders, strategy, extra.slack), control)?;
    if let Some(joint) = extra.stretches {
        let question = &Question { joint, ..*question };
        // Stopped: a plan without them is better than none.
        let stretches = tell::stretches(question, sure, &mut || control.go_on());
        plan.stretches = stretches.unwrap_or_default();
    }
    let cost = cost(question.story.narrative, &plan);
    control.offer(&Answer::Plan(plan), cost, by);
    Some(())
}

/// The plan with these orders; `None`: stopped. `slack`: by how much more its durations may vary.
pub(super) fn told(
    question: &Question<'_>,
    kept: (&[Edge], uncertain::Strategy, Micros),
    control: &mut Control<'_, Answer, Cost>,
) -> Option<Plan> {
    let (plan, _) = drafted(question, kept, control)?;
    Some(plan)
}

/// The same with the order of activities that it can count on.
fn drafted(
    question: &Question<'_>,
    (orders, strategy, slack): (&[Edge], uncertain::Strategy, Micros),
    control: &mut Control<'_, Answer, Cost>,
) -> Option<(Plan, tell::Sure)> {
    let go_on = &mut || control.go_on();
    let aimed = tell::deadline(&strategy);
    if let Some(makespan) = aimed {
        let draft = tell::Draft {
            question,
            orders,
            strategy: &strategy,
            makespan,
            slack,
        };
        let (plan, sure) = draft.plan(go_on)?;
        if plan.makespan_us <= makespan {
            return Some((plan, sure));
        }
        // All policies together keep it, but none does by itself: it becomes a bound of each.
    }
    let makespan = match aimed {
        Some(makespan) => makespan,
        None => span::least(question.joint, orders, go_on)?,
    };
    let edges = [orders, &span::horizon(question.joint, makespan)].concat();
    let network = question.joint.network(&edges).ok()?;
    let strategy = uncertain::strategy(&network, go_on).witness()?;
    let draft = tell::Draft {
        question,
        orders,
        strategy: &strategy,
        makespan,
        slack,
    };
    draft.plan(go_on)
}
