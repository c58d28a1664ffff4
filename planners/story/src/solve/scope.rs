//! The stories of one outcome that contain some actions and not others, reduced to what is relevant
//! to them.

use super::relevant_actions::{IRRELEVANT, RelevantActions};
use crate::compiled::{ActionId, CompiledDomain};
use crate::relax::landmark_cut::LandmarkCut;
use crate::relax::{Goals, Outcome, Relaxation, Target};

/// Stories that have an outcome, contain all required actions and are better than the best story so
/// far.
pub(super) struct Scope<'o> {
    pub(super) order: &'o RelevantActions,
    /// Whose target is that of the outcome, with the required actions.
    pub(super) relaxed: Relaxation,
    /// None of them costs less, goals included.
    pub(super) lower_bound: i64,
    /// Of some actions, each story contains one at least.
    cut: Vec<ActionId>,
    /// Actions that matter, and those that may bring the outcome about themselves, by their places,
    /// as bits.
    alive: Vec<u64>,
    ends: Vec<u64>,
}

impl<'o> Scope<'o> {
    /// What matters to stories that have an outcome and cost less than `limit`. None: there are
    /// none.
    pub(super) fn new(
        compiled: &CompiledDomain,
        order: &'o RelevantActions,
        relaxed: &Relaxation,
        goals: &Goals,
        outcome: &Outcome,
        limit: i64,
    ) -> Option<Self> {
        let target = goals.target(outcome)?;
        let scope = Self {
            order,
            relaxed: relaxed.narrowed(&vec![true; relaxed.group_of.len()], &target),
            lower_bound: 0,
            cut: Vec::new(),
            alive: order.all_bits(),
            ends: order.ends(&goals.ends(outcome)),
        };
        scope.tightened(compiled, limit)
    }

    /// The same with less room. None: nothing is left.
    ///
    /// What a better story cannot afford is left out, and then what no longer matters to anything;
    /// until nothing changes.
    pub(super) fn tightened(mut self, compiled: &CompiledDomain, limit: i64) -> Option<Self> {
        let goals = self.relaxed.target.cost;
        let enough = limit - goals;
        loop {
            let mut landmark_cut = LandmarkCut::new(&self.relaxed);
            landmark_cut.record = Some(Vec::new());
            landmark_cut.state(&self.start(compiled));
            let (needs, bound) = landmark_cut.ordered(&self.relaxed.target.needs, enough)?;
            if bound >= enough {
                return None;
            }
            self.lower_bound = self.lower_bound.max(bound + goals);
            let mut keep = landmark_cut.affordable(bound, enough);
            let cuts = landmark_cut.record.unwrap_or_default().into_iter();
            let cuts = cuts.map(|(cost, groups)| (cost, self.action_ids(&groups)));
            let cuts: Vec<(i64, Vec<ActionId>)> = cuts.collect();
            let places = self.places();
            let mut affordable = self.affordable(&places, &keep, enough - bound);
            for (action_id, _) in &self.relaxed.required {
                self.order
                    .exclude(&mut affordable, std::iter::once(*action_id));
            }
            for (_, cut) in &cuts {
                self.order.exclude(&mut affordable, cut.iter().copied());
            }
            self.cut = self.to_branch_on(cuts);
            self.alive = self.order.useful(&affordable, &self.ends);
            let mut required = self.relaxed.required.iter();
            if !required.all(|(action_id, _)| self.is_alive(self.order.places[*action_id as usize]))
            {
                return None;
            }
            for (operator, keep) in keep.iter_mut().enumerate() {
                *keep &= places[operator].is_none_or(|place| contains_bit(&self.alive, place));
            }
            let ordered = Target {
                needs,
                ..self.relaxed.target.clone()
            };
            let next = self.relaxed.narrowed(&keep, &ordered);
            let same = next.group_of.len() == self.relaxed.group_of.len();
            self.relaxed = next;
            if same {
                return Some(self);
            }
        }
    }

    /// Splits its stories: those with the first action of the cut, those with the second and
    /// without the first, and so on. None: there is no such cut.
    pub(super) fn parts(&self, compiled: &CompiledDomain, limit: i64) -> Option<Vec<Self>> {
        if self.cut.is_empty() {
            return None;
        }
        let mut parts = Vec::new();
        for (index, action_id) in self.cut.iter().enumerate() {
            let without = &self.cut[..index];
            let keep = self.relaxed.group_of.iter().map(|group| {
                let action_id = self.relaxed.groups[*group as usize].action_id;
                *group == 0 || !without.contains(&action_id)
            });
            let mut alive = self.alive.clone();
            for action_id in without {
                let place = self.order.places[*action_id as usize] as usize;
                alive[place / 64] &= !(1 << (place % 64));
            }
            let part = Self {
                relaxed: self.relaxed.requiring(*action_id),
                cut: Vec::new(),
                alive,
                ends: self.ends.clone(),
                ..*self
            };
            let target = &part.relaxed.target;
            let relaxed = part.relaxed.narrowed(&keep.collect::<Vec<_>>(), target);
            let part = Self { relaxed, ..part };
            parts.extend(part.tightened(compiled, limit));
        }
        Some(parts)
    }

    /// The start, with nothing done.
    pub(super) fn start(&self, compiled: &CompiledDomain) -> Vec<i16> {
        let mut state = compiled.init.facts.clone();
        let words = self.relaxed.required.len().div_ceil(crate::relax::BITS);
        state.resize(state.len() + words, 0);
        state
    }

    /// The actions of some groups, in order, each once.
    fn action_ids(&self, groups: &[u32]) -> Vec<ActionId> {
        let action_ids = groups.iter();
        let action_ids = action_ids.map(|group| self.relaxed.groups[*group as usize].action_id);
        let mut action_ids: Vec<ActionId> = action_ids.collect();
        action_ids.sort_unstable();
        action_ids.dedup();
        action_ids
    }

    /// The dearest cut, and the smallest one in a tie, with more than one action and no required
    /// one.
    fn to_branch_on(&self, cuts: Vec<(i64, Vec<ActionId>)>) -> Vec<ActionId> {
        let required =
            |action_id: &ActionId| self.relaxed.required.iter().any(|(r, _)| r == action_id);
        let open = cuts
            .into_iter()
            .filter(|(_, cut)| cut.len() > 1 && !cut.iter().any(required));
        let best = open.max_by_key(|(cost, cut)| (*cost, usize::MAX - cut.len()));
        best.map(|(_, cut)| cut).unwrap_or_default()
    }

    /// The actions that matter and fit into `room`: with a context in `keep` or, where the
    /// relaxation does not use them, by their cost.
    fn affordable(&self, places: &[Option<u32>], keep: &[bool], room: i64) -> Vec<u64> {
        let mut fits: Vec<bool> = self.order.costs.iter().map(|cost| *cost < room).collect();
        for place in places.iter().flatten() {
            fits[*place as usize] = false;
        }
        for (place, _) in places.iter().zip(keep).filter(|(_, keep)| **keep) {
            if let Some(place) = place {
                fits[*place as usize] = true;
            }
        }
        let mut affordable = self.alive.clone();
        for (place, _) in fits.iter().enumerate().filter(|(_, fits)| !**fits) {
            affordable[place / 64] &= !(1 << (place % 64));
        }
        affordable
    }

    /// By operator: the place of its action.
    fn places(&self) -> Vec<Option<u32>> {
        let groups = self.relaxed.group_of.iter();
        let place = groups.map(|group| {
            let action_id = self.relaxed.groups[*group as usize].action_id;
            (*group > 0).then(|| self.order.places[action_id as usize])
        });
        place.collect()
    }

    /// Whether an action, by its place, matters.
    #[inline]
    pub(super) fn is_alive(&self, place: u32) -> bool {
        place != IRRELEVANT && contains_bit(&self.alive, place)
    }

    /// Whether an action may build on all of some, or all of them may bring the outcome about.
    pub(super) fn have_use(&self, places: &[u32]) -> bool {
        places.iter().all(|place| contains_bit(&self.ends, *place))
            || self.order.conflicts.intersects(places, &self.alive)
    }
}

#[inline]
fn contains_bit(bits: &[u64], place: u32) -> bool {
    bits[place as usize / 64] >> (place % 64) & 1 == 1
}
