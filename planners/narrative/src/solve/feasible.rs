//! Whether there is a plan, for whoever asks about many narratives.

use super::cover::{self, Cover, Gap};
use super::joint::Joint;
use super::orders::{self, Outcome, Question};
use super::story::Story;
use super::together::{Failure, Together};
use super::told;
use crate::plan::{Answer, Cost, Plan};
use crate::problem::Narrative;
use anytime::Control;

/// Whether there is a plan; `None`: unknown.
pub(super) fn feasible(
    narrative: &Narrative,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<bool> {
    let story = Story::new(narrative, &mut || control.go_on())?;
    is_feasible((&story, 1), control)
}

/// The same for a story that was read, of which rules may have been left out, in so many rounds of effort.
pub(super) fn is_feasible(
    (story, rounds): (&Story<'_>, u32),
    control: &mut Control<'_, Answer, Cost>,
) -> Option<bool> {
    let mut cover = Cover::new(story, control, cover::Notes::new(story));
    let first = match cover.cover(0) {
        Ok(skeletons) if skeletons.len() == 1 => return Some(true),
        Ok(first) => first,
        Err(Gap::Uncovered(_)) => {
            let refuted = cover.is_refuted();
            return refuted.is_ok_and(|refuted| refuted).then_some(false);
        }
        Err(Gap::TooLarge | Gap::Stopped) => return None,
    };
    match Together::new(story, cover).find(&first, rounds) {
        Ok(_) => Some(true),
        Err(Failure::None) => (!story.tree.is_narrow()).then_some(false),
        Err(Failure::Unknown | Failure::Stopped) => None,
    }
}

/// A plan where there is one by [`feasible`]; `None`: told to stop.
pub(super) fn plan(narrative: &Narrative, control: &mut Control<'_, Answer, Cost>) -> Option<Plan> {
    let story = Story::new(narrative, &mut || control.go_on())?;
    let mut cover = Cover::new(&story, control, cover::Notes::new(&story));
    let first = cover.cover(0).ok()?;
    if first.len() > 1 {
        let kept = Together::new(&story, cover).find(&first, 1).ok()?;
        let question = Question {
            story: &story,
            skeletons: &kept.skeletons,
            joint: &kept.joint,
        };
        return told(&question, (&kept.orders, *kept.strategy, 0), control);
    }
    let joint = Joint::new(&story, &first);
    let question = Question {
        story: &story,
        skeletons: &first,
        joint: &joint,
    };
    match orders::orders(&question, control) {
        Outcome::Found(orders, strategy) => told(&question, (&orders, *strategy, 0), control),
        _ => None,
    }
}
