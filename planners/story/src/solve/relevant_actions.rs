//! Actions that some story of a round may contain, and which of them commute.

use crate::compiled::{ActionId, CompiledDomain};
use crate::relax::commutativity::{BitMatrix, exclusions, feeds_and_conflicts, ones};
use crate::relax::conditions::ConditionAnalysis;
use crate::relax::read_write_sets::ReadWriteSet;
use crate::relax::{Ends, Relaxation};

/// An action that is out of the question.
pub(super) const IRRELEVANT: u32 = u32::MAX;

/// All actions that come into question for some story, and which of them commute.
#[derive(Default)]
pub(super) struct RelevantActions {
    /// By action: its place in the order, or [`IRRELEVANT`].
    pub(super) places: Vec<u32>,
    read_write_sets: Vec<ReadWriteSet>,
    /// What each costs at least.
    pub(super) costs: Vec<i64>,
    /// For each: those that may read what it changes.
    feeds: BitMatrix,
    pub(super) conflicts: BitMatrix,
    /// Actions that are never in one story.
    exclusions: BitMatrix,
}

impl RelevantActions {
    /// None: too many actions.
    pub(super) fn new(compiled: &CompiledDomain, relaxed: &Relaxation) -> Option<Self> {
        let mut action_ids: Vec<ActionId> =
            relaxed.groups[1..].iter().map(|g| g.action_id).collect();
        action_ids.sort_unstable();
        action_ids.dedup();
        if action_ids.len() > relaxed.caps.actions {
            return None;
        }
        let mut places = vec![IRRELEVANT; compiled.action_count()];
        for (place, action_id) in action_ids.iter().enumerate() {
            places[*action_id as usize] = place as u32;
        }
        let mut costs = vec![i64::MAX; action_ids.len()];
        for group in &relaxed.groups[1..] {
            let cost = &mut costs[places[group.action_id as usize] as usize];
            *cost = group.cost.min(*cost);
        }
        let analysis = ConditionAnalysis::new(&relaxed.domains, relaxed.caps);
        let read_write_sets = action_ids
            .iter()
            .map(|action_id| ReadWriteSet::new(compiled, &analysis, *action_id));
        let read_write_sets: Vec<ReadWriteSet> = read_write_sets.collect();
        let (feeds, conflicts) = feeds_and_conflicts(&read_write_sets);
        let exclusions = exclusions(&read_write_sets, &relaxed.domains);
        Some(Self {
            places,
            read_write_sets,
            costs,
            feeds,
            conflicts,
            exclusions,
        })
    }

    /// All actions, by their places, as bits.
    pub(super) fn all_bits(&self) -> Vec<u64> {
        let mut all = vec![0; self.costs.len().div_ceil(64)];
        (0..self.costs.len()).for_each(|place| all[place / 64] |= 1 << (place % 64));
        all
    }

    /// Actions that may bring an outcome about.
    pub(super) fn ends(&self, wanted: &Ends) -> Vec<u64> {
        let mut ends = vec![0; self.read_write_sets.len().div_ceil(64)];
        for (place, read_write_set) in self.read_write_sets.iter().enumerate() {
            if wanted.want(read_write_set) {
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
            for place in ones(&open) {
                let mut fed = self.feeds.row(place).iter().zip(&useful);
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
    pub(super) fn exclude(&self, these: &mut [u64], cut: impl Iterator<Item = ActionId>) {
        let mut common = vec![u64::MAX; these.len()];
        for action_id in cut {
            let place = self.places[action_id as usize] as usize;
            let row = self.exclusions.row(place);
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
