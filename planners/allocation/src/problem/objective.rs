//! The objective: its default, and its completion by the unserved tasks.

use super::{Level, Spec, Term};

/// Whether it has terms that depend on the plan as a whole.
pub(super) fn is_coupled(levels: &[Level]) -> bool {
    let whole = |term| matches!(term, Term::Preferences | Term::TasksMoved | Term::Balance);
    levels.iter().flat_map(|l| &l.terms).any(|t| whole(t.0))
}

/// The default for an empty objective; otherwise the given one, after a level of the unserved tasks
/// if it does not mention them.
pub(super) fn complete(spec: &Spec) -> Vec<Level> {
    let given = &spec.objective;
    let unserved = || Level {
        terms: vec![(Term::Unserved, 1)],
    };
    if given.is_empty() {
        // Kartal 2016, section 4.4.1: complete policies first, then least distance.
        let mut terms = vec![(Term::DropPenalty, 1), (Term::TravelCost, 1)];
        if !spec.couplings.preferences.is_empty() {
            terms.push((Term::Preferences, 1));
        }
        return vec![unserved(), Level { terms }];
    }
    let mentioned = given
        .iter()
        .flat_map(|level| &level.terms)
        .any(|t| t.0 == Term::Unserved);
    let front = (!mentioned).then(unserved);
    front.into_iter().chain(given.iter().cloned()).collect()
}
