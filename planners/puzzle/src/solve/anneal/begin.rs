//! Drafts to begin with.

use super::super::change::change;
use super::super::draft::{Draft, Stage};
use super::super::evaluator::Rated;
use super::{FIRST_OPENED_MAX, Run};
use crate::problem::Theme;

/// Changes in a row without any level.
const DRY_MAX: u32 = 200;
/// First drafts that are tried at most to find a level among them.
const FIRST_DRAFTS: u32 = 12;
/// Straight drafts that are tried at most until one is a level.
const QUICK_DRAFTS: u32 = 48;

impl Run<'_, '_, '_> {
    /// Offers an easy level early: each box on a straight path to its goal, on a board that is
    /// either solved quickly or dropped.
    pub(super) fn quick_level(&mut self) {
        for tried in 0..QUICK_DRAFTS {
            if self.control.best().is_some() || !self.control.tick() {
                return;
            }
            // Many boxes are in each other's way between many walls: some level is better than
            // none.
            let theme = if tried < QUICK_DRAFTS / 2 {
                self.problem.spec().theme
            } else {
                Theme::Dynamic
            };
            let Some(mut draft) = self.ground.straight(theme, &mut self.rng) else {
                continue;
            };
            // Where the boxes are not in each other's way, the shortest solution is found without a
            // detour.
            let each = self.problem.spec().box_pushes_min.max(1);
            let opened_max = 2 * each * draft.boxes.len() as u32 + 20;
            if let Some(rated) = self.weigh(&mut draft, opened_max) {
                self.consider(&draft, &rated);
            }
        }
    }

    /// A draft to begin with: the best of a few, or the first of them that is a level.
    pub(super) fn begin(&mut self) -> Option<(Draft, Rated)> {
        let mut best: Option<(Draft, Rated)> = None;
        let mut tried = 0;
        while tried < FIRST_DRAFTS || best.is_none() {
            tried += 1;
            if !self.control.tick() {
                break;
            }
            let Some((draft, stages)) = self.ground.first(&mut self.rng) else {
                continue;
            };
            let found = if stages.is_empty() {
                self.search_around(draft)
            } else {
                self.search_stages(&draft, &stages)
            };
            if let Some(found) = found {
                let rung = self.archive.worst().unwrap_or(0);
                let miss = self.miss(rung, &found.1);
                let is_level = found.1.lacking == 0;
                if best
                    .as_ref()
                    .is_none_or(|(_, best)| miss < self.miss(rung, best))
                {
                    best = Some(found);
                }
                if is_level {
                    break;
                }
            }
            if self.control.stop().is_some() {
                break;
            }
        }
        best
    }

    /// Bisects the stages of a play backwards, usually of rising difficulty, for one that can be
    /// rated and is not too easy.
    fn search_stages(&mut self, draft: &Draft, stages: &[Stage]) -> Option<(Draft, Rated)> {
        let mut best: Option<(Draft, Rated)> = None;
        let (mut low, mut high) = (0, stages.len());
        // The first stage at which every box has been pulled often enough is an easy level, as a
        // rule.
        let each = self.problem.spec().box_pushes_min as usize;
        let mut middle = (each * draft.boxes.len())
            .min(stages.len())
            .saturating_sub(1);
        while low < high {
            if !self.control.tick() {
                return best;
            }
            let mut next = draft.clone();
            next.boxes.clone_from(&stages[middle].boxes);
            next.player = stages[middle].player;
            let boxes = next.boxes.len() as u32;
            let opened_max = FIRST_OPENED_MAX * boxes * boxes / 6;
            match self.weigh(&mut next, opened_max) {
                Some(rated) => {
                    self.consider(&next, &rated);
                    let rung = self.archive.worst().unwrap_or(0);
                    let miss = self.miss(rung, &rated);
                    if best
                        .as_ref()
                        .is_none_or(|(_, best)| miss < self.miss(rung, best))
                    {
                        best = Some((next, rated));
                    }
                    low = middle + 1;
                }
                None => high = middle,
            }
            middle = low.midpoint(high);
        }
        best
    }

    /// The first level that random changes lead to.
    fn search_around(&mut self, draft: Draft) -> Option<(Draft, Rated)> {
        let mut draft = draft;
        for _ in 0..DRY_MAX {
            if let Some(rated) = self.weigh(&mut draft, self.opened_max) {
                self.consider(&draft, &rated);
                return Some((draft, rated));
            }
            if !self.control.tick() {
                return None;
            }
            change(&self.ground, &mut draft, &mut self.rng);
        }
        None
    }
}
