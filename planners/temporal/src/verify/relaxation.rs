//! Check of relaxations: changes of bounds of this network. Their effect is not checked.

use crate::plan::Relaxation;
use crate::problem::{Micros, Network, Source};
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
        let old_us = network.bound(what.source).map(|bound| bound.weight_us);
        let (cell, sign) = match what.source {
            Source::LinkUpper(at) => (spec.links.get_mut(at).map(|link| &mut link.upper_us), 1),
            Source::LinkLower(at) => (spec.links.get_mut(at).map(|link| &mut link.lower_us), -1),
            _ => (None, 1),
        };
        let duration = match what.source {
            Source::ContingentUpper(at) => spec
                .contingent
                .get_mut(at)
                .map(|link| (&mut link.upper_us, 1)),
            Source::ContingentLower(at) => spec
                .contingent
                .get_mut(at)
                .map(|link| (&mut link.lower_us, -1)),
            _ => None,
        };
        let given = |sign: Micros| old_us.map(|old| old * sign) == Some(what.old_us);
        let moves = !again && what.old_us != what.new_us;
        match (cell, duration) {
            (Some(cell), _) if moves && given(sign) => *cell = Some(what.new_us),
            (_, Some((cell, sign))) if moves && given(sign) => *cell = what.new_us,
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
