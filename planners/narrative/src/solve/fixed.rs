//! Our own picks, fixed whatever is seen: the last resort before the answer is UNKNOWN.
//!
//! With one option left of each choice of ours there are fewer storylines, and later choices need
//! not be considered: links that these have not seen can be used by earlier ones. A plan for a
//! story with fewer options of ours is one for the story.

use super::feasible::kept;
use super::improve::Improvement;
use super::{Detail, Extra, OrderingProblem, cover, offer_plan, stopped};
use crate::plan::{Answer, Cost, Undecided, UndecidedReason};
use crate::problem::{Chooser, Narrative};
use crate::solve::story::Story;
use anytime::{Conclusion, Control, Stop};

/// Most combinations of options that are tried.
const TRIED_MAX: usize = 256;

/// Tries each combination of our own picks, and returns what was exhausted if none has a plan.
/// `why`: nothing else has.
pub(super) fn conclude(
    story: &Story<'_>,
    why: UndecidedReason,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let options = ours(story.narrative);
    let sizes = options.iter().map(|(_, options)| options.len());
    let fixed = sizes.fold(1_usize, usize::saturating_mul);
    // One that is the story itself was tried.
    let most = if fixed > 1 { fixed.min(TRIED_MAX) } else { 0 };
    for at in 0..most {
        if !control.go_on() {
            return stopped(control);
        }
        let narrative = with_picks(story.narrative, &options, at);
        plan(story, &narrative, detail, control);
    }
    if control.stop().is_some() {
        return stopped(control);
    }
    let (best, bound) = (control.best(), control.bound());
    if best.is_some() && best <= bound {
        return Conclusion::Optimal;
    }
    let open = Undecided {
        reason: why,
        combinations_tried: most,
        combinations: if fixed > 1 { fixed } else { 0 },
    };
    control.offer(&Answer::Undecided(open), Cost::Undecided, "auto");
    Conclusion::Stopped(Stop::Exhausted)
}

/// Choices of ours that are not made, with the options that are offered, where there are several.
fn ours(narrative: &Narrative) -> Vec<(usize, Vec<usize>)> {
    let spec = narrative.spec();
    let choices = spec.choices.iter().enumerate();
    let ours = choices.filter(|(_, choice)| choice.chooser == Chooser::System);
    let options = ours.map(|(at, choice)| {
        let mut lines = Vec::new();
        for option in 0..choice.options.len() {
            let mut all = narrative.storylines().iter();
            if all.any(|picks| picks[at] == Some(option)) {
                lines.push(option);
            }
        }
        (at, lines)
    });
    options.filter(|(_, options)| options.len() > 1).collect()
}

/// The narrative with one option each of these choices, by the number of the combination.
fn with_picks(narrative: &Narrative, options: &[(usize, Vec<usize>)], mut at: usize) -> Narrative {
    let mut spec = narrative.spec().clone();
    for (choice, options) in options.iter().rev() {
        let kept = options[at % options.len()];
        at /= options.len();
        let others = options.iter().filter(|option| **option != kept);
        spec.withheld
            .extend(others.map(|option| (*choice, *option)));
    }
    spec.withheld.sort_unstable();
    let changed = narrative.with_spec(spec);
    changed.expect("an option of each choice is left")
}

/// Offers plans of a story with fewer options.
fn plan(
    whole: &Story<'_>,
    narrative: &Narrative,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<()> {
    let story = &Story::new(narrative, &mut || control.go_on())?;
    let kept = kept(story, control)?;
    let question = OrderingProblem::new(story, &kept.skeletons, &kept.joint);
    let orders = kept.orders;
    let extra = Extra::without_slack(question.joint, detail.flexibilities);
    offer_plan(&question, &orders, &kept.strategy, extra, "auto", control)?;
    // What every plan costs is asked of the whole story.
    let all = OrderingProblem {
        story: whole,
        ..question
    };
    for (question, is_part) in [(&all, false), (&question, true)] {
        let mut improve = Improvement {
            question,
            orders: orders.clone(),
            is_whole: false,
            is_part,
            unit: cover::unit(whole),
            flexibilities: detail.flexibilities,
            control: &mut *control,
        };
        if is_part {
            improve.run();
        } else {
            improve.prove_lower_bound().then_some(())?;
        }
    }
    Some(())
}
