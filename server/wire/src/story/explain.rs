//! Stories that are looked at: from the wire, and what is known of them, to the wire.

use super::plan::{plan, style};
use super::problem::{Decoded, problem};
use super::read::acts;
use super::request::Names;
use crate::mistakes::Mistakes;
use anytime::Path;
use anytime::Unnamed;
use story::{Account, Plan, Problem, account};
use stratagem_proto::v1 as pb;

/// A story to look at.
#[derive(Debug)]
pub struct ToExplain {
    problem: Problem,
    names: Names,
    plan: Plan,
}

/// A story to look at.
///
/// # Errors
/// All mistakes.
pub(crate) fn to_explain(mut request: pb::ExplainStoryRequest) -> Result<ToExplain, Mistakes> {
    let mut wrong = Mistakes::in_fields(&mut request)?;
    let pb::ExplainStoryRequest {
        problem: given,
        acts: given_acts,
        style: given_style,
    } = request;
    let at = Path::root("problem");
    let decoded = given.and_then(|given| problem(given, &at, &mut wrong));
    let read = decoded.and_then(|Decoded { problem, rules }| {
        let plan = acts(given_acts, &problem, &Path::root("acts"), &mut wrong)?;
        let style = style(given_style);
        Some(ToExplain {
            problem,
            names: Names { rules, style },
            plan,
        })
    });
    read.filter(|_| wrong.is_empty()).ok_or(wrong)
}

/// What is known of the story.
///
/// # Errors
/// Rules that it breaks.
pub(crate) fn explained(given: &ToExplain) -> Result<pb::ExplainStoryResponse, Mistakes> {
    let ToExplain {
        problem,
        names,
        plan: story,
    } = given;
    match account(problem, story) {
        Ok(account) => Ok(pb::ExplainStoryResponse {
            explanation: unmet(problem, &account),
            plan: Some(plan(problem, names, story, account.cost, Some(&account))),
        }),
        Err(faults) => {
            let mut wrong = Mistakes::default();
            wrong.add_violations(&faults, &Unnamed, &Path::WHOLE);
            Err(wrong)
        }
    }
}

/// The goals that do not hold; `None` when all do.
pub(super) fn unmet(problem: &Problem, account: &Account) -> Option<pb::Explanation> {
    let goals = problem.goals().iter().zip(&account.met).enumerate();
    let unmet = goals.filter(|(_, (_, met))| !**met);
    let reasons: Vec<pb::ExplanationReason> = unmet
        .map(|(index, (goal, _))| pb::ExplanationReason {
            code: "GOAL_UNMET".into(),
            message: format!(
                "The goal '{}', {:.0} % of all weight, does not hold at the end.",
                goal.name,
                100.0 * goal.weight / problem.weight()
            ),
            subject_id: goal.name.clone(),
            field: format!("goals[{index}].condition"),
            ..pb::ExplanationReason::default()
        })
        .collect();
    let (unmet, all) = (reasons.len(), problem.goals().len());
    (unmet > 0).then(|| pb::Explanation {
        summary: format!("Not met at the end: {unmet} of {all} goals."),
        reasons,
        truncated: false,
        ..pb::Explanation::default()
    })
}
