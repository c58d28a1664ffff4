//! What somebody believes, where that differs from what is true.

use super::super::names::{Named, Names};
use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use crate::wire::values::shown;
use heist::{BURGLAR, Belief, Facts, Leaf, Thing};
use std::collections::{BTreeMap, BTreeSet};
use stratagem_proto::v1 as pb;

/// The state of a door or a container.
pub(in super::super) fn leaf(given: i32) -> Leaf {
    use pb::HeistLockState as Wire;
    match Wire::try_from(given).unwrap_or_default() {
        Wire::Unspecified | Wire::Open => Leaf::OPEN,
        Wire::Closed => Leaf::CLOSED,
        Wire::Locked => Leaf::LOCKED,
    }
}

/// States of different things.
pub(in super::super) fn states(
    given: &[pb::HeistState],
    (at, names): (&Path<'_>, &Names),
    wrong: &mut Mistakes,
) -> BTreeMap<Thing, Leaf> {
    let mut states = BTreeMap::new();
    for (index, state) in given.iter().enumerate() {
        let pb::HeistState {
            id,
            lock_state: given,
        } = state;
        let at = at.index(index);
        let is = leaf(*given);
        let id_at = at.field("id");
        let Some(thing) = names.lid(&id_at, id, wrong) else {
            continue;
        };
        if states.insert(thing, is).is_some() {
            let why = format!("is {}, whose state is told already", shown(id));
            wrong.add(&id_at, Code::Duplicate, why);
        }
    }
    states
}

/// Has things be in these states.
pub(in super::super) fn set(facts: &mut Facts, states: &BTreeMap<Thing, Leaf>) {
    for (thing, is) in states {
        if let Some(leaf) = facts.leaf_mut(*thing) {
            *leaf = *is;
        }
    }
}

/// Tells each camera and guard that somebody knows of.
pub(in super::super) fn known_to(
    agent: usize,
    (ids, at): (&[String], &Path<'_>),
    (names, wrong): (&Names, &mut Mistakes),
    mut tell: impl FnMut(Named),
) {
    if agent != BURGLAR && !ids.is_empty() {
        let why = "is for the burglar: guards have no reason to hide";
        wrong.add(at, Code::Contradiction, why);
        return;
    }
    let mut told = BTreeSet::new();
    for (index, id) in ids.iter().enumerate() {
        let at = at.index(index);
        let Some(named) = names.watcher(&at, id, wrong) else {
            continue;
        };
        if !told.insert(id) {
            let why = format!("is {}, which is in this list already", shown(id));
            wrong.add(&at, Code::Duplicate, why);
        }
        tell(named);
    }
}

/// Has somebody know of a camera, or of a guard who is in his one of these rooms.
pub(in super::super) fn knows(belief: &mut Belief, named: Named, rooms: &[usize]) {
    match named {
        Named::Camera(camera) => belief.facts.cameras[camera] = true,
        Named::Agent(guard) => belief.agents[guard] = Some(rooms[guard]),
        Named::Room(_) | Named::Thing(_) | Named::Item(_) => {}
    }
}
