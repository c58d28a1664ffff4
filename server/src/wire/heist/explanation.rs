//! Why there is no plan, for people and programs.

use super::names::Names;
use super::tick::place;
use crate::wire::values::shown;
use anytime::Conclusion;
use heist::explain::Reason;
use heist::world::BURGLAR;
use heist::{Problem, Thing};
use stratagem_proto::v1 as pb;

/// Most reasons that are sent.
const REASONS_MAX: usize = 1_000;

/// Why there is no plan.
pub(super) fn no_plan(
    conclusion: Conclusion,
    reasons: &[Reason],
    problem: &Problem,
    names: &Names,
) -> pb::Explanation {
    let who = shown(&names.agents[problem.agent()]);
    let summary = match conclusion {
        Conclusion::Infeasible => format!("By what {who} believes, there is no plan."),
        _ => "No plan was found; nor is it proved that there is none.".into(),
    };
    let sent = reasons.iter().take(REASONS_MAX);
    pb::Explanation {
        summary,
        reasons: sent.map(|one| plan_reason(*one, problem, names)).collect(),
        truncated: reasons.len() > REASONS_MAX,
        ..pb::Explanation::default()
    }
}

/// One reason why there is no plan.
pub(super) fn plan_reason(
    reason: Reason,
    problem: &Problem,
    names: &Names,
) -> pb::ExplanationReason {
    let item = |item: usize| shown(&names.items[item]);
    let room = |room: usize| shown(&names.rooms[room]);
    let (code, message) = match reason {
        Reason::Item(wanted, place) => (
            "ITEM_OUT_OF_REACH",
            match names.copies(wanted).len() {
                1 => format!(
                    "{} cannot be had: it is {}",
                    item(wanted),
                    names.place(place)
                ),
                copies => format!(
                    "none of {copies} copies of {} can be had: one is {}",
                    item(wanted),
                    names.place(place)
                ),
            },
        ),
        Reason::Room(wanted) => (
            "ROOM_OUT_OF_REACH",
            format!(
                "there is no way to {}, which is to be visited",
                room(wanted)
            ),
        ),
        Reason::End(wanted) => (
            "END_OUT_OF_REACH",
            format!(
                "there is no way to {}, where to be at the end",
                room(wanted)
            ),
        ),
        Reason::Trap(trap) => (
            "TRAP_IN_THE_WAY",
            format!("there would be a plan if {} could be entered", room(trap)),
        ),
        Reason::Key(key) => (
            "KEY_LACKING",
            format!("there would be a plan with key {}", item(key)),
        ),
        Reason::Locked(thing) => (
            "LOCK_IN_THE_WAY",
            format!(
                "there would be a plan if {} were not locked",
                names.described(thing)
            ),
        ),
    };
    let (subject, blocker, field) = named(reason, problem, names);
    pb::ExplanationReason {
        code: code.into(),
        message,
        subject_id: subject.into(),
        blocker_id: blocker.into(),
        field,
        proved: true,
        ..pb::ExplanationReason::default()
    }
}

/// What a reason is about, what stands in the way, and the field of the problem that says so.
fn named<'n>(reason: Reason, problem: &Problem, names: &'n Names) -> (&'n str, &'n str, String) {
    let goal = |field: &str| match problem.agent().checked_sub(BURGLAR + 1) {
        None => format!("world.burglar.goal.{field}"),
        Some(guard) => format!("world.guards[{guard}].goal.{field}"),
    };
    match reason {
        Reason::Item(item, held) => (&names.items[item], place(held, names), goal("item_ids")),
        Reason::Room(room) => (&names.rooms[room], "", goal("visit_room_ids")),
        Reason::End(room) => (&names.rooms[room], "", goal("end_room_id")),
        Reason::Trap(room) => (
            &names.rooms[room],
            watcher(room, problem, names),
            String::new(),
        ),
        Reason::Key(key) => {
            let held = problem.belief().facts.items[key];
            (
                &names.items[key],
                place(held, names),
                format!("world.key_ids[{key}]"),
            )
        }
        Reason::Locked(thing) => {
            let field = match thing {
                Thing::Door(door) => format!("world.doors[{door}].lock_state"),
                Thing::Container(container) => format!("world.containers[{container}].lock_state"),
                // They have no lock.
                Thing::Machine(_) => String::new(),
            };
            (names.thing_id(thing), "", field)
        }
    }
}

/// Id of a camera or guard that the agent believes to be in a room; empty if the room is avoided
/// for another reason.
fn watcher<'n>(room: usize, problem: &Problem, names: &'n Names) -> &'n str {
    let belief = problem.belief();
    let mut cameras = problem.museum().cameras_in(room).iter();
    if let Some(camera) = cameras.find(|camera| belief.facts.cameras[**camera]) {
        return &names.cameras[*camera];
    }
    let guard = belief.agents.iter().position(|it| *it == Some(room));
    guard.map_or("", |guard| &names.agents[guard])
}
