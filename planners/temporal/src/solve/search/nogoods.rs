//! Nogoods: learned sets of choices that cannot all be taken.

use super::state::Literal;

/// Most nogoods that are stored.
const SETS_MAX: usize = 2_000;
/// Largest nogood that is stored once there are many.
const LONG: usize = 8;

/// Nogoods learned from contradictions; true without any decision.
#[derive(Debug, Default)]
pub(super) struct Nogoods {
    sets: Vec<Vec<Literal>>,
}

impl Nogoods {
    pub(super) fn add(&mut self, set: Vec<Literal>) {
        if self.sets.len() >= SETS_MAX {
            // Forget the older half of the long ones. What is forgotten would only have saved time.
            let half = self.sets.len() / 2;
            let mut at = 0;
            self.sets.retain(|set| {
                at += 1;
                set.len() <= LONG && at > half / 2 || at > half
            });
        }
        self.sets.push(set);
    }

    pub(super) fn sets(&self) -> impl Iterator<Item = &[Literal]> {
        self.sets.iter().map(Vec::as_slice)
    }
}
