//! The objective: its default and what is put in front of one that forgets the unserved tasks.

use super::{Level, Term};

/// The objective that an empty one stands for, or `given` with the unserved tasks in front where it
/// does not mention them.
pub(super) fn complete(given: &[Level]) -> Vec<Level> {
    let unserved = || Level {
        terms: vec![(Term::Unserved, 1)],
    };
    if given.is_empty() {
        // Kartal 2016, section 4.4.1: complete policies first, then least distance.
        return vec![
            unserved(),
            Level {
                terms: vec![(Term::DropPenalty, 1), (Term::TravelCost, 1)],
            },
        ];
    }
    let mentioned = given
        .iter()
        .flat_map(|level| &level.terms)
        .any(|t| t.0 == Term::Unserved);
    let front = (!mentioned).then(unserved);
    front.into_iter().chain(given.iter().cloned()).collect()
}
