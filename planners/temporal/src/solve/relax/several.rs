//! Relaxations of several bounds, where none alone suffices.
//!
//! One conflict after the other is repaired by the first change of its bounds that does, by the
//! magnitude of its negative cycle, until the network holds. Needless changes are taken back, and
//! the rest are made smaller, one after the other. Each step decides the network again.

use super::{Progress, Search, directions, written};
use crate::plan::{Change, Conflict, Relaxation};
use crate::problem::{Micros, Source};

/// Most conflicts that are repaired.
const CHANGES_MAX: usize = 8;

impl Search<'_> {
    /// Changes that together suffice, if any were found.
    pub(super) fn several(
        &mut self,
        conflict: &Conflict,
        deficit: Option<Micros>,
    ) -> Option<Relaxation> {
        let mut changes: Vec<Change> = Vec::new();
        let mut next = Some((conflict.clone(), deficit));
        while let Some((conflict, deficit)) = next.take() {
            if changes.len() == CHANGES_MAX {
                return None;
            }
            let (more, holds) = self.repaired(&conflict, deficit.unwrap_or(self.unit), &changes)?;
            changes = more;
            if holds {
                return Some(self.smaller(changes));
            }
            next = Some(self.recheck.conflict(&changes)?);
        }
        None
    }

    /// The changes with one more, or one of them larger, that resolve the conflict; and whether the
    /// network then holds.
    fn repaired(
        &mut self,
        conflict: &Conflict,
        deficit: Micros,
        changes: &[Change],
    ) -> Option<(Vec<Change>, bool)> {
        let units = (deficit + self.unit - 1) / self.unit;
        for amount in [1, 2, 4].map(|times| units.max(1) * times * self.unit) {
            for (source, sign) in directions(self.network, conflict) {
                let Some(more) = self.moved(changes, source, sign * amount) else {
                    continue;
                };
                self.tries_left = self.tries_left.checked_sub(1)?;
                match self.recheck.progress(&more)? {
                    Progress::None => {}
                    Progress::Repaired => return Some((more, false)),
                    Progress::Holds => return Some((more, true)),
                }
            }
        }
        None
    }

    /// The changes with a bound moved further; `None` where it would be back where it was.
    fn moved(&self, changes: &[Change], source: Source, by: Micros) -> Option<Vec<Change>> {
        let mut changes = changes.to_vec();
        if let Some(change) = changes.iter_mut().find(|one| one.source == source) {
            change.new_us += by;
            return (change.new_us != change.old_us).then_some(changes);
        }
        let old_us = written(self.network, source)?;
        changes.push(Change {
            source,
            old_us,
            new_us: old_us + by,
        });
        Some(changes)
    }

    /// The same changes, as few and as small as still suffices: each tried without, then by
    /// bisection.
    fn smaller(&mut self, mut changes: Vec<Change>) -> Relaxation {
        for source in changes.iter().map(|one| one.source).collect::<Vec<_>>() {
            let others = changes.iter().copied().filter(|one| one.source != source);
            let others: Vec<Change> = others.collect();
            if !others.is_empty() && self.still_holds(&others) {
                changes = others;
                continue;
            }
            let at = changes.iter().position(|one| one.source == source);
            let at = at.expect("it was not taken back");
            let Change { old_us, new_us, .. } = changes[at];
            let sign = (new_us - old_us).signum();
            let (mut low, mut high) = (0, (new_us - old_us).abs() / self.unit);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                let mut tried = changes.clone();
                tried[at].new_us = old_us + sign * middle * self.unit;
                if self.still_holds(&tried) {
                    changes = tried;
                    high = middle;
                } else {
                    low = middle;
                }
            }
        }
        Relaxation { changes }
    }
}
