//! Which actions come into question, and which of them commute.

use crate::machine::{Ground, Machine};
use crate::relax::literal::Sketcher;
use crate::relax::rows::{Rows, exclusions, feeds_and_conflicts, places};
use crate::relax::touch::Touch;
use crate::relax::{Ends, Relaxed};

/// An action that is out of the question.
pub(super) const OUT: u32 = u32::MAX;

/// All actions that come into question for some story, and which of them commute.
#[derive(Default)]
pub(super) struct Order {
    /// By action: its place in the order, or [`OUT`].
    pub(super) places: Vec<u32>,
    touches: Vec<Touch>,
    /// What each costs at least.
    pub(super) costs: Vec<i64>,
    /// For each: those that may read what it changes.
    feeds: Rows,
    pub(super) conflicts: Rows,
    /// Actions that are never in one story.
    exclusions: Rows,
}

impl Order {
    /// None: too many actions.
    pub(super) fn new(machine: &Machine, relaxed: &Relaxed) -> Option<Self> {
        let mut grounds: Vec<Ground> = relaxed.groups[1..].iter().map(|g| g.ground).collect();
        grounds.sort_unstable();
        grounds.dedup();
        if grounds.len() > relaxed.caps.actions {
            return None;
        }
        let mut places = vec![OUT; machine.grounds()];
        for (place, ground) in grounds.iter().enumerate() {
            places[*ground as usize] = place as u32;
        }
        let mut costs = vec![i64::MAX; grounds.len()];
        for group in &relaxed.groups[1..] {
            let cost = &mut costs[places[group.ground as usize] as usize];
            *cost = group.cost.min(*cost);
        }
        let sketcher = Sketcher::new(&relaxed.domains, relaxed.caps);
        let touches = grounds
            .iter()
            .map(|ground| Touch::new(machine, &sketcher, *ground));
        let touches: Vec<Touch> = touches.collect();
        let (feeds, conflicts) = feeds_and_conflicts(&touches);
        let exclusions = exclusions(&touches, &relaxed.domains);
        Some(Self {
            places,
            touches,
            costs,
            feeds,
            conflicts,
            exclusions,
        })
    }

    /// All actions, by their places, as bits.
    pub(super) fn all(&self) -> Vec<u64> {
        let mut all = vec![0; self.costs.len().div_ceil(64)];
        (0..self.costs.len()).for_each(|place| all[place / 64] |= 1 << (place % 64));
        all
    }

    /// Actions that may bring an outcome about.
    pub(super) fn ends(&self, wanted: &Ends) -> Vec<u64> {
        let mut ends = vec![0; self.touches.len().div_ceil(64)];
        for (place, touch) in self.touches.iter().enumerate() {
            if wanted.want(touch) {
                ends[place / 64] |= 1 << (place % 64);
            }
        }
        ends
    }

    /// Of these actions, those that matter to the end, or to others that do.
    ///
    /// A story does without the others: nothing that is left reads what they write.
    pub(super) fn useful(&self, these: &[u64], ends: &[u64]) -> Vec<u64> {
        let mut useful: Vec<u64> = these.iter().zip(ends).map(|(a, b)| a & b).collect();
        loop {
            let open = these
                .iter()
                .zip(&useful)
                .map(|(these, useful)| these & !useful);
            let open: Vec<u64> = open.collect();
            let mut grows = false;
            for place in places(&open) {
                let mut fed = self.feeds.of(place).iter().zip(&useful);
                if fed.any(|(fed, useful)| fed & useful != 0) {
                    useful[place / 64] |= 1 << (place % 64);
                    grows = true;
                }
            }
            if !grows {
                return useful;
            }
        }
    }

    /// Leaves out actions that never share a story with any action of `cut`, of which one is
    /// required.
    pub(super) fn exclude(&self, these: &mut [u64], cut: impl Iterator<Item = Ground>) {
        let mut common = vec![u64::MAX; these.len()];
        for ground in cut {
            let place = self.places[ground as usize] as usize;
            let row = self.exclusions.of(place);
            common
                .iter_mut()
                .zip(row)
                .for_each(|(all, row)| *all &= row);
        }
        these
            .iter_mut()
            .zip(&common)
            .for_each(|(these, common)| *these &= !common);
    }
}
