//! Feasibility checks of many narratives.

use super::cover::{self, Cover, CoverageGap};
use super::joint_network::JointNetwork;
use super::policy_search::{Failure, JointPolicies, PolicySearch};
use super::precedences::{self, OrderingProblem, Outcome};
use super::story::Story;
use super::{build_plan, non_anticipativity};
use crate::plan::{Answer, Cost, Plan};
use crate::problem::Narrative;
use anytime::Control;

/// Whether there is a plan that a dispatcher can follow; `None`: unknown.
pub(super) fn feasible(
    narrative: &Narrative,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<bool> {
    let story = Story::new(narrative, &mut || control.go_on())?;
    match found(&story, 1, control) {
        Found::Alone => Some(true),
        Found::JointPolicies(kept) => {
            non_anticipativity::enforced(&story, *kept, control).map(|_| true)
        }
        Found::None => Some(false),
        Found::Unknown => None,
    }
}

/// Whether there are policies, as far as proofs ask, for a story whose rules may have been left out
/// in part, in this number of rounds of effort.
pub(super) fn is_feasible(
    story: &Story<'_>,
    rounds: u32,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<bool> {
    match found(story, rounds, control) {
        Found::Alone | Found::JointPolicies(_) => Some(true),
        Found::None => Some(false),
        Found::Unknown => None,
    }
}

/// What came of looking for policies.
enum Found {
    /// One policy covers everything.
    Alone,
    /// Several, whose options may come before their turn.
    JointPolicies(Box<JointPolicies>),
    /// Proved: there are none.
    None,
    Unknown,
}

fn found(story: &Story<'_>, rounds: u32, control: &mut Control<'_, Answer, Cost>) -> Found {
    let mut cover = Cover::new(story, control, cover::PolicyCache::new(story));
    let first = match cover.cover(0) {
        Ok(skeletons) if skeletons.len() == 1 => return Found::Alone,
        Ok(first) => first,
        Err(CoverageGap::Uncovered(_)) => {
            return match cover.is_refuted() {
                Ok(true) => Found::None,
                _ => Found::Unknown,
            };
        }
        Err(CoverageGap::TooLarge | CoverageGap::Stopped) => return Found::Unknown,
    };
    match PolicySearch::new(story, cover).find(&first, rounds) {
        Ok(kept) => Found::JointPolicies(Box::new(kept)),
        Err(Failure::None) if !story.tree.is_narrow() => Found::None,
        Err(_) => Found::Unknown,
    }
}

/// A plan where there is one by [`feasible`]; `None`: stopped.
pub(super) fn plan(narrative: &Narrative, control: &mut Control<'_, Answer, Cost>) -> Option<Plan> {
    let story = Story::new(narrative, &mut || control.go_on())?;
    let kept = kept(&story, control)?;
    let question = OrderingProblem::new(&story, &kept.skeletons, &kept.joint);
    let (plan, _) = build_plan(&question, &kept.orders, &kept.strategy, 0, control)?;
    Some(plan)
}

/// Policies that keep a story on schedule, found with little effort; `None`: infeasible, unknown,
/// or stopped.
pub(super) fn kept(
    story: &Story<'_>,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<JointPolicies> {
    let mut cover = Cover::new(story, control, cover::PolicyCache::new(story));
    let first = cover.cover(0).ok()?;
    if first.len() > 1 {
        let kept = PolicySearch::new(story, cover).find(&first, 1).ok()?;
        return non_anticipativity::enforced(story, kept, control);
    }
    let joint = JointNetwork::new(story, &first);
    let question = OrderingProblem::new(story, &first, &joint);
    match precedences::find_precedences(&question, control) {
        Outcome::Found(orders, strategy) => Some(JointPolicies {
            skeletons: first,
            orders,
            strategy,
            joint,
        }),
        _ => None,
    }
}
