//! Sets of rooms on the burglar's path that one plan can avoid together, grown level by level
//! (Apriori).

use super::build::Site;

/// Maximal number of sets of one size.
const SETS_MAX: usize = 5_000;

/// All sets of one size, in order; each sorted by where the plan enters its rooms first.
#[derive(Debug, Clone)]
pub(super) struct TrapSets {
    /// The rooms that a plan can avoid, each by itself.
    avoidable: Vec<usize>,
    /// Indices of rooms in `avoidable`, rising.
    sets: Vec<Vec<usize>>,
    rooms: Vec<Vec<usize>>,
    is_cut: bool,
}

impl TrapSets {
    /// The sets of one room, as far as they were tried before `go_on` returned false.
    pub(super) fn new(site: &Site<'_>, go_on: &mut dyn FnMut() -> bool) -> Self {
        let mut avoidable = Vec::new();
        let mut is_cut = false;
        for &room in &site.path {
            is_cut = is_cut || !go_on();
            if !is_cut && site.can_avoid(&[room]) {
                avoidable.push(room);
            }
        }
        let mut sets = Self {
            sets: (0..avoidable.len()).map(|index| vec![index]).collect(),
            avoidable,
            rooms: Vec::new(),
            is_cut,
        };
        sets.list_rooms();
        sets
    }

    /// Replaces the sets by those with one room more. False, and nothing is changed: there are
    /// none.
    pub(super) fn grow(&mut self, site: &Site<'_>, go_on: &mut dyn FnMut() -> bool) -> bool {
        let mut grown = Vec::new();
        'sets: for set in &self.sets {
            let last = set.last().map_or(0, |last| last + 1);
            for index in last..self.avoidable.len() {
                let mut larger = set.clone();
                larger.push(index);
                if grown.len() >= SETS_MAX || !go_on() {
                    self.is_cut = true;
                    break 'sets;
                }
                // What cannot be avoided in part cannot be avoided as a whole.
                if self.has_all_subsets(&larger) && site.can_avoid(&self.rooms_of(&larger)) {
                    grown.push(larger);
                }
            }
        }
        let any = !grown.is_empty();
        if any {
            self.sets = grown;
            self.list_rooms();
        }
        any
    }

    /// Whether all subsets with one room less are there.
    fn has_all_subsets(&self, set: &[usize]) -> bool {
        // Without the last room it is the set that was grown.
        (0..set.len() - 1).all(|left_out| {
            let mut part = set.to_vec();
            part.remove(left_out);
            self.sets.binary_search(&part).is_ok()
        })
    }

    fn rooms_of(&self, set: &[usize]) -> Vec<usize> {
        set.iter().map(|index| self.avoidable[*index]).collect()
    }

    fn list_rooms(&mut self) {
        self.rooms = self.sets.iter().map(|set| self.rooms_of(set)).collect();
    }

    /// The rooms of each set.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        self.rooms.iter().map(Vec::as_slice)
    }

    /// Whether sets were left out.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }
}
