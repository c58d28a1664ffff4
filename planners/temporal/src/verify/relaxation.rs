//! Check of relaxations: changes of bounds of this network. Their effect is not checked.

use crate::plan::Relaxation;
use crate::problem::Network;
use anytime::{Fault, Path, fault};

/// Checks that changes are of bounds of links, with their old values, and leave a valid network.
pub(super) fn check_relaxation(
    network: &Network,
    index: usize,
    relaxation: &Relaxation,
    broken: &mut Vec<Fault>,
) {
    let all = Path::root("relaxations");
    let at = all.index(index);
    let mut spec = network.spec().clone();
    let before = broken.len();
    for (change, what) in relaxation.changes.iter().enumerate() {
        let again = relaxation.changes[..change]
            .iter()
            .any(|other| other.source == what.source);
        let moves = !again && what.old_us != what.new_us;
        match spec.bound_mut(what.source).filter(|_| moves) {
            Some(bound) if *bound == what.old_us => *bound = what.new_us,
            _ => broken.push(fault!(
                "CHANGE_WRONG",
                at.field("changes").index(change),
                "is not of a bound of this network"
            )),
        }
    }
    if broken.len() == before && (relaxation.changes.is_empty() || Network::new(spec).is_err()) {
        broken.push(fault!(
            "RELAXATION_INVALID",
            at,
            "makes a network that is not valid"
        ));
    }
}
