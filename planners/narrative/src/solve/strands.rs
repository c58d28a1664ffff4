//! Plans by strands: what happens to each group depends only on what is picked and seen there.
//!
//! A *strand* is a storyline of one group. Policies of each group are looked for alone, then orders in one network of all of them,
//! in which each event has one node for each strand of its own group, not one for each storyline of all groups. Strands of two
//! groups are both told whatever the third does, so that what competes is put in order for each pair of them; where there is more than one of something, for as
//! many groups as it takes to need too much. A strategy for this network is one for each storyline, which has some of its
//! nodes. That there is none is no proof.

use super::improve::Improve;
use super::joint::{Joint, Skeleton};
use super::orders::{self, Outcome, Question, shares};
use super::story::{Line, Story};
use super::together::Kept;
use super::{Detail, Refused, concluded, cover, offered_first, policies, stopped};
use crate::plan::{Answer, Cost, Open, Why};
use crate::problem::{Narrative, Objective};
use anytime::{Conclusion, Control, Stop};
use stn::Edge;
use stn::uncertain::Strategy;

/// Looks for a plan by strands of a narrative that has too many storylines for anything else.
pub(super) fn solve(
    narrative: &Narrative,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Conclusion {
    let why = match planned(narrative, detail, control) {
        Ok(conclusion) => return conclusion,
        Err(why) => why,
    };
    let open = Open {
        why,
        fixed_tried: 0,
        fixed: 0,
    };
    control.offer(&Answer::Open(open), Cost::Open, "auto");
    Conclusion::Stopped(Stop::Exhausted)
}

/// Looks for a plan by strands where no other was found; `None`: there are no groups, or nothing came of it.
pub(super) fn conclude(
    narrative: &Narrative,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<Conclusion> {
    match narrative.groups() {
        [] => None,
        _ => planned(narrative, detail, control).ok(),
    }
}

/// A plan, a proof that there is none, or why it is not known.
fn planned(
    narrative: &Narrative,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Conclusion, Why> {
    // What would help one group need not help all.
    let detail = Detail {
        relaxations_max: 0,
        stretches: false,
        ..detail
    };
    let groups = narrative.groups();
    let alone = groups.iter().map(|group| narrative.of_groups(&[*group]));
    let alone: Vec<Narrative> = alone.collect();
    let mut found = Vec::new();
    for alone in &alone {
        match group(alone, detail, control)? {
            Ok(kept) => found.push(kept),
            Err(conclusion) => return Ok(conclusion),
        }
    }
    let found = groups.iter().copied().zip(found);
    match Strands::new(narrative, found.collect()) {
        Some(strands) => strands.plan(detail, control),
        None => Err(Why::TooLarge),
    }
}

/// The storylines of some groups, and policies for them; a conclusion where it is known that there are none, or told to stop.
type Found = Result<(Vec<Line>, Kept), Conclusion>;

/// Policies of some groups alone.
///
/// # Errors
/// Why it is not known whether there are any.
fn group(
    alone: &Narrative,
    detail: Detail,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Found, Why> {
    let Some(story) = Story::new(alone, &mut || control.go_on()) else {
        return Ok(Err(stopped(control)));
    };
    match policies(&story, control) {
        Ok(kept) => Ok(Ok((story.lines, kept))),
        Err(refused) => concluded(&story, (refused, detail), control).map(Err),
    }
}

/// The strands of all groups, side by side.
struct Strands<'n> {
    story: Story<'n>,
    skeletons: Vec<Skeleton>,
    joint: Joint,
}

impl<'n> Strands<'n> {
    /// `found`: groups with their storylines and policies. `None`: these are too many.
    fn new(narrative: &'n Narrative, found: Vec<(usize, (Vec<Line>, Kept))>) -> Option<Self> {
        let (mut lines, mut skeletons, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for (group, (own, kept)) in found {
            let before = lines.len();
            skeletons.extend(kept.skeletons.into_iter().map(|skeleton| Skeleton {
                line: before + skeleton.line,
                ..skeleton
            }));
            lines.extend(own);
            parts.push((group, kept.joint));
        }
        let mut strands = Self {
            story: Story::of_strands(narrative, lines),
            joint: Joint::side_by_side(&parts),
            skeletons,
        };
        let shares = shares(&strands.story, &strands.joint, &strands.skeletons);
        let beside = strands.joint.beside.as_mut()?;
        let pairs = strands.skeletons.len().pow(2) / 2;
        (pairs <= crate::verify::PAIRS_MAX && beside.compete(&shares)).then_some(strands)
    }

    fn question(&self) -> Question<'_> {
        Question {
            story: &self.story,
            skeletons: &self.skeletons,
            joint: &self.joint,
        }
    }

    /// Looks for orders of all strands.
    fn plan(
        &self,
        detail: Detail,
        control: &mut Control<'_, Answer, Cost>,
    ) -> Result<Conclusion, Why> {
        match orders::orders(&self.question(), control) {
            Outcome::Found(orders, strategy) => Ok(self.offer((&orders, *strategy, detail), control)),
            Outcome::TooLarge => Err(Why::TooLarge),
            Outcome::Stopped => Ok(stopped(control)),
            Outcome::Uncontrollable(_) | Outcome::Overloaded(_) => self.refuse(detail, control),
        }
    }

    fn offer(
        &self,
        (orders, strategy, detail): (&[Edge], Strategy, Detail),
        control: &mut Control<'_, Answer, Cost>,
    ) -> Conclusion {
        let question = self.question();
        if offered_first(&question, (orders, strategy, detail), control).is_none() {
            return stopped(control);
        }
        if self.story.narrative.spec().objective == Objective::default() {
            return Conclusion::Optimal;
        }
        let improve = Improve {
            question: &question,
            orders: orders.to_vec(),
            is_whole: false,
            is_part: true,
            unit: cover::unit(&self.story),
            stretches: false,
            control,
        };
        improve.run()
    }

    /// Whether two groups that follow each other have no plan either.
    fn refuse(
        &self,
        detail: Detail,
        control: &mut Control<'_, Answer, Cost>,
    ) -> Result<Conclusion, Why> {
        let narrative = self.story.narrative;
        for two in narrative.groups().windows(2) {
            let two = narrative.of_groups(two);
            if two.storylines().is_empty() {
                continue;
            }
            let Some(story) = Story::new(&two, &mut || control.go_on()) else {
                return Ok(stopped(control));
            };
            match policies(&story, control) {
                Ok(_) | Err(Refused::Open(_)) => {}
                Err(refused) => return concluded(&story, (refused, detail), control),
            }
        }
        Err(Why::Strands)
    }
}
