//! Policies of a story with choices, or a proof that there are none.

use super::cover::{self, Cover, CoverageGap};
use super::non_anticipativity;
use super::policy_search::{Failure, JointPolicies, PolicySearch};
use super::story::Story;
use crate::plan::{Answer, Cost, Member, Uncovered, UndecidedReason};
use crate::problem::Narrative;
use anytime::Control;
use std::collections::BTreeSet;

/// Why there are no policies.
pub(super) enum NoPolicies {
    /// Proved: this happens, and no policy bears it, for these rules.
    Uncovered(BTreeSet<Member>, Uncovered),
    /// Proved: policies do not go together, for these rules.
    Incompatible(BTreeSet<Member>),
    /// It is not known whether there are.
    Undecided(UndecidedReason),
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
) -> Result<JointPolicies, NoPolicies> {
    match compatible_policies(story, turn, control) {
        Ok(kept) => {
            let kept = non_anticipativity::enforced(story, kept, control);
            kept.ok_or(NoPolicies::Undecided(UndecidedReason::Turns))
        }
        Err(NoPolicies::Incompatible(_)) if !story.narrative.groups().is_empty() => {
            Err(apart_by_strands(story.narrative, control))
        }
        Err(refused) => Err(refused),
    }
}

/// Why there are no policies of groups that do not go together where all choices wait for each
/// other: by strands they may.
fn apart_by_strands(narrative: &Narrative, control: &mut Control<'_, Answer, Cost>) -> NoPolicies {
    let go_on = &mut || control.go_on();
    let story = Story::new(narrative, go_on).and_then(|story| story.with_strands(go_on));
    let Some(story) = story else {
        return NoPolicies::Stopped;
    };
    match compatible_policies(&story, 0, control) {
        Ok(_) => NoPolicies::Undecided(UndecidedReason::Strands),
        Err(refused) => refused,
    }
}

/// Policies that go together, whose options may come before their turn.
fn compatible_policies(
    story: &Story<'_>,
    turn: usize,
    control: &mut Control<'_, Answer, Cost>,
) -> Result<JointPolicies, NoPolicies> {
    let mut cover = Cover::new(story, control, cover::PolicyCache::new(story));
    let first = match cover.cover(turn) {
        Ok(first) => first,
        Err(CoverageGap::Uncovered(uncovered)) => {
            let refuted = cover.is_refuted();
            let blamed = cover.notes.blamed;
            return Err(match refuted {
                Ok(true) => NoPolicies::Uncovered(blamed, uncovered),
                Err(CoverageGap::Stopped) => NoPolicies::Stopped,
                Err(CoverageGap::TooLarge) => NoPolicies::Undecided(UndecidedReason::TooLarge),
                _ => NoPolicies::Undecided(UndecidedReason::Narrow),
            });
        }
        Err(CoverageGap::TooLarge) => return Err(NoPolicies::Undecided(UndecidedReason::TooLarge)),
        Err(CoverageGap::Stopped) => return Err(NoPolicies::Stopped),
    };
    let mut together = PolicySearch::new(story, cover);
    together
        .find(&first, u32::MAX)
        .map_err(|failure| match failure {
            // Choices that may know more could be made in other ways.
            Failure::None if story.tree.is_narrow() => {
                NoPolicies::Undecided(UndecidedReason::Narrow)
            }
            Failure::None => NoPolicies::Incompatible(std::mem::take(&mut together.blamed)),
            Failure::Unknown(why) => NoPolicies::Undecided(why),
            Failure::Stopped => NoPolicies::Stopped,
        })
}
