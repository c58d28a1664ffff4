//! Changes of who picks, and of what can be picked.

use super::Search;
use crate::plan::Change;
use crate::problem::Chooser;

impl Search<'_, '_, '_> {
    /// Changes that help, kind by kind: an option of ours is offered, too; one of `choices` becomes
    /// ours; an option of a player is withheld.
    pub(super) fn picks(&mut self, choices: &[usize]) -> Vec<Vec<Change>> {
        let offers = self.offers().into_iter().map(|change| vec![change]);
        let mut all: Vec<Vec<Change>> = offers.filter(|change| self.helps(change)).collect();
        let narrative = self.narrative;
        let given = &narrative.spec().choices;
        let theirs = choices.iter().copied();
        let theirs = theirs.filter(|choice| given[*choice].chooser == Chooser::Player);
        for choice in theirs.clone() {
            let change = [Change::Chooser { choice }];
            if self.helps(&change) {
                all.push(change.to_vec());
            }
        }
        all.extend(theirs.filter_map(|choice| self.withhold(choice)));
        all
    }

    /// All options of the system's choices that could be offered, too.
    pub(super) fn offers(&self) -> Vec<Change> {
        let spec = self.narrative.spec();
        let ours = |choice: &usize| spec.choices[*choice].chooser == Chooser::System;
        let offers = spec.withheld.iter().filter(|(choice, _)| ours(choice));
        let offers = offers.map(|&(choice, option)| Change::Offer { choice, option });
        offers.collect()
    }

    /// Options, as few as can be seen, that players may not pick any more.
    fn withhold(&mut self, choice: usize) -> Option<Vec<Change>> {
        let spec = self.narrative.spec();
        let options = 0..spec.choices[choice].options.len();
        let offered = options.filter(|option| !spec.withheld.contains(&(choice, *option)));
        let all = offered.map(|option| Change::Withhold { choice, option });
        let all: Vec<Change> = all.collect();
        if all.len() < 2 {
            return None;
        }
        if let Some(one) = all.iter().find(|change| self.helps(&[**change])) {
            return Some(vec![*one]);
        }
        if all.len() == 2 {
            return None;
        }
        // All but one, then as few of these as still help.
        let but = |kept: usize| [&all[..kept], &all[kept + 1..]].concat();
        let mut changes = (0..all.len())
            .map(but)
            .find(|changes| self.helps(changes))?;
        for change in &all {
            let fewer = changes.iter().filter(|other| *other != change);
            let fewer: Vec<Change> = fewer.copied().collect();
            if fewer.len() < changes.len() && self.helps(&fewer) {
                changes = fewer;
            }
        }
        Some(changes)
    }
}
