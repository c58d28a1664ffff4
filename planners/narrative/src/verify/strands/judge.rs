//! A plan by strands, shown to a judge.

use super::super::simulate::PlanParts;
use super::super::story_tree::StoryTree;
use super::super::{Checked, truncated, without_unpicked_options};
use super::Strands;
use crate::plan::Plan;
use crate::problem::Narrative;
use anytime::Fault;

/// What is left of a plan by strands after its check.
pub(crate) type Judge<'j> = dyn Fn(&PlanParts<'_>, Checked) -> Result<(), Vec<Fault>> + 'j;

/// Checks a plan by strands, and what a judge says of it then.
pub(in crate::verify) fn judged(
    narrative: &Narrative,
    go_on: &dyn Fn() -> bool,
    plan: &Plan,
    judge: &Judge<'_>,
) -> Result<(), Vec<Fault>> {
    let mut strands = Strands::new(narrative, go_on, plan)?;
    match strands.check_and_play(go_on, judge) {
        Err(wrong) if go_on() => {
            // Options of ours that no policy picks are not needed.
            let mut is_less = false;
            for part in &mut strands.parts {
                if let Some(fewer) = without_unpicked_options(&part.narrative, &part.plan) {
                    part.narrative = fewer;
                    is_less = true;
                }
            }
            if is_less {
                strands.check_and_play(go_on, judge).map_err(|_| wrong)
            } else {
                Err(wrong)
            }
        }
        done => done,
    }
}

/// Shows a plan by strands to a judge as it is: only its form is checked, unless options of ours
/// are picked by no policy.
pub(in crate::verify) fn unchecked(
    narrative: &Narrative,
    plan: &Plan,
    judge: &Judge<'_>,
) -> Result<(), Vec<Fault>> {
    let strands = Strands::new(narrative, &|| true, plan)?;
    let mut parts = strands.parts.iter();
    if parts.any(|part| without_unpicked_options(&part.narrative, &part.plan).is_some()) {
        return judged(narrative, &|| true, plan, judge);
    }
    let stories = strands.parts.iter();
    let stories: Vec<StoryTree<'_>> = stories
        .map(|part| StoryTree::new(&part.narrative))
        .collect();
    let wrong = strands.check_parts(&stories);
    if !wrong.is_empty() {
        return Err(truncated(wrong));
    }
    let known = Checked {
        joint: strands.joint(&stories).ok_or_else(Vec::new)?,
        own: strands
            .networks(plan.makespan_us, &|| true)
            .ok_or_else(Vec::new)?,
        closures: Vec::new(),
    };
    judge(
        &PlanParts::of_strands(narrative, plan, &strands, &stories),
        known,
    )
}

impl Strands<'_> {
    fn check_and_play(
        &self,
        go_on: &dyn Fn() -> bool,
        judge: &Judge<'_>,
    ) -> Result<(), Vec<Fault>> {
        let stories = self.parts.iter();
        let stories = stories.map(|part| StoryTree::until(&part.narrative, go_on));
        let stories: Vec<StoryTree<'_>> = stories.collect::<Option<_>>().ok_or_else(Vec::new)?;
        let checked = self.checked(&stories)?;
        let cast = PlanParts::of_strands(self.whole, self.plan, self, &stories);
        judge(&cast, checked)
    }
}
