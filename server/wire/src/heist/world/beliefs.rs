//! Beliefs of agents, where they differ from the facts.

use super::super::names::{Named, Names};
use crate::mistakes::{Code, Mistakes};
use crate::values::shown;
use anytime::Path;
use heist::{BURGLAR, Belief, Facts, LockState, Thing};
use std::collections::{BTreeMap, BTreeSet};
use stratagem_proto::v1 as pb;

/// The state of a door or a container.
pub(in super::super) fn lock_state(given: i32) -> LockState {
    use pb::HeistLockState as Wire;
    match Wire::try_from(given).unwrap_or_default() {
        Wire::Unspecified | Wire::Open => LockState::OPEN,
        Wire::Closed => LockState::CLOSED,
        Wire::Locked => LockState::LOCKED,
    }
}

/// States of different things.
pub(in super::super) fn states(
    given: &[pb::HeistState],
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) -> BTreeMap<Thing, LockState> {
    let mut states = BTreeMap::new();
    for (index, state) in given.iter().enumerate() {
        let pb::HeistState {
            id,
            lock_state: given,
        } = state;
        let at = at.index(index);
        let is = lock_state(*given);
        let id_at = at.field("id");
        let Some(thing) = names.lockable(&id_at, id, wrong) else {
            continue;
        };
        if states.insert(thing, is).is_some() {
            let why = format!("is {}, whose state is given already", shown(id));
            wrong.add(&id_at, Code::Duplicate, why);
        }
    }
    states
}

/// Sets the states of things.
pub(in super::super) fn set(facts: &mut Facts, states: &BTreeMap<Thing, LockState>) {
    for (thing, is) in states {
        if let Some(state) = facts.lock_state_mut(*thing) {
            *state = *is;
        }
    }
}

/// Calls `note` for each camera and guard that an agent knows of.
pub(in super::super) fn known_to(
    agent: usize,
    ids: &[String],
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
    mut note: impl FnMut(Named),
) {
    if agent != BURGLAR && !ids.is_empty() {
        let why = "is for the burglar: guards have no reason to hide";
        wrong.add(at, Code::Contradiction, why);
        return;
    }
    let mut seen = BTreeSet::new();
    for (index, id) in ids.iter().enumerate() {
        let at = at.index(index);
        let Some(named) = names.watcher(&at, id, wrong) else {
            continue;
        };
        if !seen.insert(id) {
            let why = format!("is {}, which is in this list already", shown(id));
            wrong.add(&at, Code::Duplicate, why);
        }
        note(named);
    }
}

/// Makes an agent know of a camera, or of a guard and its room.
pub(in super::super) fn knows(belief: &mut Belief, named: Named, rooms: &[usize]) {
    match named {
        Named::Camera(camera) => belief.facts.cameras[camera] = true,
        Named::Agent(guard) => belief.agents[guard] = Some(rooms[guard]),
        Named::Room(_) | Named::Thing(_) | Named::Item(_) => {}
    }
}
