//! Policies of a story with choices, or a proof that there are none.

use super::cover::{self, Cover, Gap};
use super::story::Story;
use super::together::{Failure, Kept, Together};
use super::turn;
use crate::plan::{Answer, Cost, Member, Uncovered, Why};
use crate::problem::Narrative;
use anytime::Control;
use std::collections::BTreeSet;

/// Why there are no policies.
pub(super) enum Refused {
    /// Proved: this happens, and no policy bears it, for these rules.
    Unbearable(BTreeSet<Member>, Uncovered),
    /// Proved: policies do not go together, for these rules.
    Apart(BTreeSet<Member>),
    /// It is not known whether there are.
    Open(Why),
    /// Stopped.
    Stopped,
}

/// Policies that go together, in which every choice is made in its turn.
///
/// Where several options of ours do, another one is tried first for each `turn`.
pub(super) fn policies(
    story: &Story<'_>,
    turn: usize,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Kept, Refused> {
    match together(story, turn, control) {
        Ok(kept) => {
            let kept = turn::in_turn(story, kept, control);
            kept.ok_or(Refused::Open(Why::Turns))
        }
        Err(Refused::Apart(_)) if !story.narrative.groups().is_empty() => {
            Err(apart_by_strands(story.narrative, control))
        }
        Err(refused) => Err(refused),
    }
}

/// Why there are no policies of groups that do not go together where all choices wait for each
/// other: by strands they may.
fn apart_by_strands(narrative: &Narrative, control: &mut Control<'_, Answer, Cost>) -> Refused {
    let go_on = &mut || control.go_on();
    let story = Story::new(narrative, go_on).and_then(|story| story.with_strands(go_on));
    let Some(story) = story else {
        return Refused::Stopped;
    };
    match together(&story, 0, control) {
        Ok(_) => Refused::Open(Why::Strands),
        Err(refused) => refused,
    }
}

/// Policies that go together, whose options may come before their turn.
fn together(
    story: &Story<'_>,
    turn: usize,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<Kept, Refused> {
    let mut cover = Cover::new(story, control, cover::Notes::new(story));
    let first = match cover.cover(turn) {
        Ok(first) => first,
        Err(Gap::Uncovered(uncovered)) => {
            let refuted = cover.is_refuted();
            let blamed = cover.notes.blamed;
            return Err(match refuted {
                Ok(true) => Refused::Unbearable(blamed, uncovered),
                Err(Gap::Stopped) => Refused::Stopped,
                Err(Gap::TooLarge) => Refused::Open(Why::TooLarge),
                _ => Refused::Open(Why::Narrow),
            });
        }
        Err(Gap::TooLarge) => return Err(Refused::Open(Why::TooLarge)),
        Err(Gap::Stopped) => return Err(Refused::Stopped),
    };
    let mut together = Together::new(story, cover);
    together
        .find(&first, u32::MAX)
        .map_err(|failure| match failure {
            // Choices that may know more could be made in other ways.
            Failure::None if story.tree.is_narrow() => Refused::Open(Why::Narrow),
            Failure::None => Refused::Apart(std::mem::take(&mut together.blamed)),
            Failure::Unknown(why) => Refused::Open(why),
            Failure::Stopped => Refused::Stopped,
        })
}
