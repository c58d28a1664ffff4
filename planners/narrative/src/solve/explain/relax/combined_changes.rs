//! Several changes that help together, where none does by itself.

use super::{MORE_MAX, Rules, Search, direction};
use crate::plan::Change;
use crate::problem::{CAPACITY_MAX, Chooser};

/// Most changes that are offered together.
const SEVERAL_MAX: usize = 3;

impl Search<'_, '_, '_> {
    /// A few changes that help together, none of which could be left out, and each as small as can
    /// be; `None`: none is known.
    pub(super) fn combined(&mut self, rules: &Rules) -> Option<Vec<Change>> {
        let mut changes = self.farthest(rules);
        if changes.len() < 2 || !self.helps(&changes) {
            return None;
        }
        // Those that are left out first come last.
        let mut size = changes.len().div_ceil(2);
        loop {
            let mut end = changes.len();
            while end > 0 {
                let at = end.saturating_sub(size);
                let rest = [&changes[..at], &changes[end..]].concat();
                if !rest.is_empty() && self.helps(&rest) {
                    changes = rest;
                }
                end = at;
            }
            if size == 1 {
                break;
            }
            size /= 2;
        }
        if changes.len() > SEVERAL_MAX {
            return None;
        }
        for at in 0..changes.len() {
            self.minimise_change(&mut changes, at);
        }
        Some(changes)
    }

    /// Each change alone, as large as is ever looked at: resources and choices, also those of other
    /// conflicts, then bounds of this one.
    fn farthest(&self, rules: &Rules) -> Vec<Change> {
        let spec = self.narrative.spec();
        let more = spec.resources.iter().enumerate();
        let more = more.filter(|(_, given)| given.capacity <= CAPACITY_MAX - MORE_MAX);
        let more = more.map(|(resource, given)| Change::Capacity {
            resource,
            capacity: given.capacity + MORE_MAX,
        });
        let choices = spec.choices.iter().enumerate();
        let theirs = choices.filter(|(_, given)| given.chooser == Chooser::Player);
        let ours = theirs.map(|(choice, _)| Change::Chooser { choice });
        let far = rules.bounds.iter().filter_map(|&source| {
            let (old_us, sign, room) = direction(spec, source)?;
            let new_us = old_us + sign * (room / self.unit) * self.unit;
            (new_us != old_us).then_some(Change::Bound {
                source,
                old_us,
                new_us,
            })
        });
        more.chain(self.offers()).chain(ours).chain(far).collect()
    }

    /// Makes one of several changes as small as can be, the others as they are.
    fn minimise_change(&mut self, changes: &mut [Change], at: usize) {
        let spec = self.narrative.spec();
        let most;
        let step: Box<dyn Fn(i64) -> Change>;
        match changes[at] {
            Change::Capacity { resource, capacity } => {
                let old = spec.resources[resource].capacity;
                most = i64::from(capacity - old);
                step = Box::new(move |more| Change::Capacity {
                    resource,
                    capacity: old + more as u32,
                });
            }
            Change::Bound {
                source,
                old_us,
                new_us,
            } => {
                let (unit, sign) = (self.unit, (new_us - old_us).signum());
                most = (new_us - old_us).abs() / unit;
                step = Box::new(move |units| Change::Bound {
                    source,
                    old_us,
                    new_us: old_us + sign * units * unit,
                });
            }
            Change::Chooser { .. } | Change::Offer { .. } | Change::Withhold { .. } => return,
        }
        let (mut low, mut high) = (0, most);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let mut less = changes.to_vec();
            less[at] = step(middle);
            if self.helps(&less) {
                high = middle;
            } else {
                low = middle;
            }
        }
        changes[at] = step(high);
    }
}
