//! Which field of a world an error is about, in the caller's words.

use super::names::Names;
use crate::wire::mistakes::{Code, RelativeMistake, relative};
use crate::wire::values::shown;
use heist::museum::Thing;
use heist::{BURGLAR, WorldError as E};

/// The mistake that an error is; `None` when it is about something that could not be read, which is
/// reported already.
pub(super) fn mistake(error: &E, names: &Names) -> Option<RelativeMistake> {
    Some(match *error {
        // Rooms are found by their ids: only what could not be read names one that there is not.
        E::UnknownRoom { .. } => return None,
        E::DoorToItself { door, room } => {
            let end = names.rooms.get(room)?;
            let why = format!("is {}, as is the other side", shown(end));
            relative(format!("doors[{door}].b_room_id"), Code::SelfLoop, why)
        }
        E::NoRooms => relative("rooms".into(), Code::Required, "is required"),
        E::KeyFitsNothing { key } => {
            let key_id = shown(&names.items[key]);
            let why = format!("is {key_id}, which fits no door and no container");
            relative(format!("key_ids[{key}]"), Code::FitsNothing, why)
        }
        E::ItemNowhere { item } => {
            let field = match item.checked_sub(names.keys) {
                None => format!("key_ids[{item}]"),
                Some(artifact) => format!("artifact_ids[{artifact}]"),
            };
            let id = shown(&names.items[item]);
            let why = format!("is {id}, which is in no container and with nobody");
            relative(field, Code::Nowhere, why)
        }
        E::AtElsewhere { agent, thing, room } => {
            let (thing, room) = (names.described(thing), shown(names.rooms.get(room)?));
            let why = format!("is {thing}, which does not stand in room {room}");
            relative(
                format!("{}.at_id", agent_field(agent)),
                Code::Elsewhere,
                why,
            )
        }
        E::NoGoal { agent } => {
            let why = "names nothing: items, rooms to visit or a room at the end are required";
            relative(format!("{}.goal", agent_field(agent)), Code::Required, why)
        }
        E::TooManyVisits { agent, .. } => {
            let field = format!("{}.goal.visit_room_ids", agent_field(agent));
            relative(field, Code::TooMany, error)
        }
        E::VisitRepeated { agent, visit, .. } => {
            let field = format!("{}.goal.visit_room_ids[{visit}]", agent_field(agent));
            relative(field, Code::Duplicate, error)
        }
        E::HandsUnknown { agent, .. } => {
            let field = format!("{}.belief.items", agent_field(agent));
            relative(field, Code::Contradiction, error)
        }
        ref other => of_lists(other),
    })
}

/// Errors about lists, which were reported earlier or come from here. The text is the planner's.
fn of_lists(error: &E) -> RelativeMistake {
    let (field, code) = match *error {
        E::TooManyRooms { .. } => ("rooms".into(), Code::TooMany),
        E::TooManyDoors { .. } => ("doors".into(), Code::TooMany),
        E::TooManyContainers { .. } => ("containers".into(), Code::TooMany),
        E::TooManyMachines { .. } => ("machines".into(), Code::TooMany),
        E::TooManyCameras { .. } => ("cameras".into(), Code::TooMany),
        E::TooManyItems { .. } => ("artifact_ids".into(), Code::TooMany),
        E::AgentCount { .. } => ("guards".into(), Code::TooMany),
        E::TooManyFitting { thing, .. } => (keys_of(thing), Code::TooMany),
        E::ArtifactAsKey { thing, .. } => (keys_of(thing), Code::WrongKind),
        E::Delay { machine, .. } => (format!("machines[{machine}].delay_ticks"), Code::OutOfRange),
        E::UnknownItem { .. }
        | E::ItemRepeated { .. }
        | E::Length { .. }
        | E::OpenAndLocked { .. }
        | E::UnknownPlace { .. } => (String::new(), Code::Contradiction),
        // Of a planner that is newer than this.
        _ => (String::new(), Code::Contradiction),
    };
    relative(field, code, error)
}

fn keys_of(thing: Thing) -> String {
    match thing {
        Thing::Door(door) => format!("doors[{door}].key_ids"),
        Thing::Container(container) => format!("containers[{container}].key_ids"),
        Thing::Machine(machine) => format!("machines[{machine}]"),
    }
}

/// The field of an agent.
fn agent_field(agent: usize) -> String {
    match agent.checked_sub(BURGLAR + 1) {
        None => "burglar".into(),
        Some(guard) => format!("guards[{guard}]"),
    }
}
