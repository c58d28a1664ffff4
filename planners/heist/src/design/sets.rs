//! Sets of rooms on the burglar's way that he can do without, all at once.

use super::build::Site;

/// Most sets of one size that are kept.
const SETS_MAX: usize = 5_000;

/// All sets of one size, in order; each sorted by where the plan enters its rooms first.
#[derive(Debug, Clone)]
pub(super) struct Sets {
    /// The rooms that can be done without one by one.
    single: Vec<usize>,
    /// Indices of rooms in `single`, rising.
    sets: Vec<Vec<usize>>,
    rooms: Vec<Vec<usize>>,
    cut: bool,
}

impl Sets {
    /// The rooms that the burglar can do without, one by one, as far as they were tried before `go`
    /// returned false.
    pub(super) fn new(site: &Site<'_>, go: &mut dyn FnMut() -> bool) -> Self {
        let mut single = Vec::new();
        let mut cut = false;
        for &room in &site.way {
            cut = cut || !go();
            if !cut && site.avoids(&[room]) {
                single.push(room);
            }
        }
        let mut sets = Self {
            sets: (0..single.len()).map(|index| vec![index]).collect(),
            single,
            rooms: Vec::new(),
            cut,
        };
        sets.name();
        sets
    }

    /// Goes on to the sets with one room more. False, and nothing is changed: there are none.
    pub(super) fn grow(&mut self, site: &Site<'_>, go: &mut dyn FnMut() -> bool) -> bool {
        let mut grown = Vec::new();
        'sets: for set in &self.sets {
            let last = set.last().map_or(0, |last| last + 1);
            for index in last..self.single.len() {
                let mut larger = set.clone();
                larger.push(index);
                if grown.len() >= SETS_MAX || !go() {
                    self.cut = true;
                    break 'sets;
                }
                // What cannot be avoided in part cannot be avoided as a whole.
                if self.has_parts(&larger) && site.avoids(&self.rooms_of(&larger)) {
                    grown.push(larger);
                }
            }
        }
        let any = !grown.is_empty();
        if any {
            self.sets = grown;
            self.name();
        }
        any
    }

    /// Whether all sets with one room less are there.
    fn has_parts(&self, set: &[usize]) -> bool {
        // Without the last room it is the set that was grown.
        (0..set.len() - 1).all(|left_out| {
            let mut part = set.to_vec();
            part.remove(left_out);
            self.sets.binary_search(&part).is_ok()
        })
    }

    fn rooms_of(&self, set: &[usize]) -> Vec<usize> {
        set.iter().map(|index| self.single[*index]).collect()
    }

    fn name(&mut self) {
        self.rooms = self.sets.iter().map(|set| self.rooms_of(set)).collect();
    }

    /// The rooms of each set.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        self.rooms.iter().map(Vec::as_slice)
    }

    /// Whether there are more sets than are kept.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }
}
