//! The transposition table: positions that were found, and the pushes that lead there.

use super::{Push, Spot};

/// Number of a position.
pub(super) type Index = u32;

/// No position.
pub(super) const NONE: Index = Index::MAX;

/// All positions found so far. A position that is found again with fewer pushes gets a new number.
#[derive(Debug, Clone, Default)]
pub(super) struct TranspositionTable {
    boxes_each: usize,
    boxes: Vec<Spot>,
    players: Vec<Spot>,
    pushes: Vec<u32>,
    parents: Vec<Index>,
    made: Vec<Push>,
    /// Open addressing: the newest number of each position.
    table: Vec<Index>,
    taken: usize,
}

impl TranspositionTable {
    pub(super) fn clear(&mut self, boxes_each: usize) {
        self.boxes_each = boxes_each;
        self.boxes.clear();
        self.players.clear();
        self.pushes.clear();
        self.parents.clear();
        self.made.clear();
        // A table that once grew large would cost its whole size for each small search.
        if self.table.len() > 4_096 {
            self.table.truncate(4_096);
        }
        self.table.clear();
        self.table.resize(1_024, NONE);
        self.taken = 0;
    }

    pub(super) fn len(&self) -> usize {
        self.players.len()
    }

    pub(super) fn boxes(&self, index: Index) -> &[Spot] {
        &self.boxes[index as usize * self.boxes_each..][..self.boxes_each]
    }

    pub(super) fn player(&self, index: Index) -> Spot {
        self.players[index as usize]
    }

    pub(super) fn pushes(&self, index: Index) -> u32 {
        self.pushes[index as usize]
    }

    /// The pushes that lead to a position, first to last.
    pub(super) fn path_to(&self, index: Index) -> Vec<Push> {
        let mut index = index;
        let mut pushes = Vec::with_capacity(self.pushes(index) as usize);
        while self.parents[index as usize] != NONE {
            pushes.push(self.made[index as usize]);
            index = self.parents[index as usize];
        }
        pushes.reverse();
        pushes
    }

    /// Takes a position in, if it was not found yet with as few pushes; its number.
    pub(super) fn add(
        &mut self,
        position: (&[Spot], Spot),
        pushes: u32,
        from: (Index, Push),
    ) -> Option<Index> {
        let (boxes, player) = position;
        let slot = self.slot(boxes, player);
        let known = self.table[slot];
        if known != NONE && self.pushes(known) <= pushes {
            return None;
        }
        let index = self.players.len() as Index;
        self.boxes.extend_from_slice(boxes);
        self.players.push(player);
        self.pushes.push(pushes);
        self.parents.push(from.0);
        self.made.push(from.1);
        self.table[slot] = index;
        if known == NONE {
            self.taken += 1;
            if self.taken * 2 > self.table.len() {
                self.grow();
            }
        }
        Some(index)
    }

    /// Whether a newer number with fewer pushes exists.
    pub(super) fn is_stale(&self, index: Index) -> bool {
        let slot = self.slot(self.boxes(index), self.player(index));
        self.table[slot] != index
    }

    fn slot(&self, boxes: &[Spot], player: Spot) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash(boxes, player) as usize & mask;
        loop {
            let index = self.table[slot];
            if index == NONE || (self.player(index) == player && self.boxes(index) == boxes) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.table);
        self.table = vec![NONE; old.len() * 2];
        for index in old.into_iter().filter(|index| *index != NONE) {
            let slot = self.slot(self.boxes(index), self.player(index));
            self.table[slot] = index;
        }
    }
}

/// Multiply and rotate, word by word (as FxHash does), with a final mix.
fn hash(boxes: &[Spot], player: Spot) -> u64 {
    let mut hash = u64::from(player);
    for &spot in boxes {
        hash = (hash.rotate_left(5) ^ u64::from(spot)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    hash ^ (hash >> 32)
}
