//! Reasons for infeasibility, and alternative plans.

use crate::museum::Thing;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::solve::{AgentTask, Reachability, best_plan_until, exists};
use crate::world::{BURGLAR, Facts, LockState, Place};
use anytime::{Path, Pulse, Reason, element, fault};
use std::collections::BTreeSet;

/// Maximal number of changes tried as reasons, and of rooms avoided by alternatives.
pub const TRIED_MAX: usize = 500;

/// A single change of a belief, after which there may be a plan.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// The room is no trap.
    Trap(usize),
    /// The agent holds the key.
    Key(usize),
    /// The door or container is not locked.
    Lock(Thing),
}

/// The reasons for infeasibility; empty if there is a plan.
///
/// First what is out of reach: wanted items, rooms to visit, the room at the end. Then single
/// changes, tried, after each of which there is a plan. Paths are those of the contract's
/// `HeistProblem`.
#[must_use]
pub fn infeasibility_reasons(problem: &Problem) -> Vec<Reason> {
    let task = AgentTask::new(problem);
    if exists(&task) {
        return Vec::new();
    }
    let reach = Reachability::new(&task, 0);
    let goal = problem.goal();
    let world_at = Path::root("world");
    let guards_at = world_at.field("guards");
    let agent_at = match problem.agent().checked_sub(BURGLAR + 1) {
        None => world_at.field("burglar"),
        Some(guard) => guards_at.index(guard),
    };
    let goal_at = agent_at.field("goal");
    let lacks = |item: &&usize| reach.items & task.museum.copies(**item) == 0;
    let items = goal.items.iter().filter(lacks);
    let mut reasons: Vec<Reason> = items
        .map(|item| item_reason(&task, *item, &goal_at.field("item_ids")))
        .collect();
    let rooms: BTreeSet<usize> = goal.visits.iter().copied().collect();
    for room in rooms.into_iter().filter(|room| !reach.rooms[*room]) {
        let (at, name) = (goal_at.field("visit_room_ids"), element("room", room));
        let fault = fault!(
            "ROOM_OUT_OF_REACH",
            at,
            "{} is to be visited, but out of reach",
            name
        );
        reasons.push(Reason::proved(fault).subject("room", room));
    }
    if let Some(room) = goal.room.filter(|end| !reach.rooms[*end]) {
        let (at, name) = (goal_at.field("end_room_id"), element("room", room));
        let fault = fault!(
            "END_OUT_OF_REACH",
            at,
            "{}, the room at the end, is out of reach",
            name
        );
        reasons.push(Reason::proved(fault).subject("room", room));
    }
    let changes = changes(&task, &reach).into_iter().take(TRIED_MAX);
    let changes = changes.filter(|change| helps(&task, *change));
    reasons.extend(changes.map(|change| change_reason(problem, change, &world_at)));
    reasons
}

/// A wanted item that is out of reach.
fn item_reason(task: &AgentTask<'_>, item: usize, at: &Path<'_>) -> Reason {
    let (name, code) = (element("item", item), "ITEM_OUT_OF_REACH");
    let (copies, one) = if task.museum.copies(item).count_ones() > 1 {
        ("each copy of ", "one is")
    } else {
        ("", "it is")
    };
    let place = task.facts.items[item];
    let fault = match place {
        Place::In(container) => {
            let container = element("container", container);
            fault!(
                code,
                at,
                "{}{} is out of reach: {} in {}",
                copies,
                name,
                one,
                container
            )
        }
        Place::With(agent) => {
            let agent = element("agent", agent);
            fault!(
                code,
                at,
                "{}{} is out of reach: {} with {}",
                copies,
                name,
                one,
                agent
            )
        }
        Place::Unknown => {
            let text = "the agent does not know where";
            fault!(code, at, "{}{} is out of reach: {}", copies, name, text)
        }
    };
    held_at(Reason::proved(fault).subject("item", item), place)
}

/// Blocks a reason by the place of an item.
fn held_at(reason: Reason, place: Place) -> Reason {
    match place {
        Place::In(container) => reason.blocker("container", container),
        Place::With(agent) => reason.blocker("agent", agent),
        Place::Unknown => reason,
    }
}

/// A change after which there is a plan.
fn change_reason(problem: &Problem, change: Change, world: &Path<'_>) -> Reason {
    let belief = problem.belief();
    match change {
        Change::Trap(room) => {
            let (at, name) = (Path::WHOLE, element("room", room));
            let fault = fault!(
                "TRAP_IN_THE_WAY",
                at,
                "there is a plan if {} may be entered",
                name
            );
            let reason = Reason::proved(fault).subject("room", room);
            let mut cameras = problem.museum().cameras_in(room).iter();
            let guard = belief.agents.iter().position(|it| *it == Some(room));
            match (cameras.find(|camera| belief.facts.cameras[**camera]), guard) {
                (Some(camera), _) => reason.blocker("camera", *camera),
                (None, Some(guard)) => reason.blocker("agent", guard),
                (None, None) => reason,
            }
        }
        Change::Key(key) => {
            let (keys, name) = (world.field("key_ids"), element("item", key));
            let fault = fault!(
                "KEY_LACKING",
                keys.index(key),
                "there is a plan with {}",
                name
            );
            let reason = Reason::proved(fault).subject("item", key);
            held_at(reason, belief.facts.items[key])
        }
        Change::Lock(thing) => {
            let (list, kind, index) = match thing {
                Thing::Door(door) => ("doors", "door", door),
                Thing::Container(container) => ("containers", "container", container),
                Thing::Machine(machine) => ("machines", "machine", machine),
            };
            let list = world.field(list);
            let at = list.index(index);
            let (at, name) = (at.field("lock_state"), thing.named());
            let fault = fault!(
                "LOCK_IN_THE_WAY",
                at,
                "there is a plan if {} is not locked",
                name
            );
            Reason::proved(fault).subject(kind, index)
        }
    }
}

/// Candidate changes at the border of the reachable rooms.
fn changes(task: &AgentTask<'_>, reach: &Reachability) -> Vec<Change> {
    let museum = task.museum;
    let layout = museum.layout();
    let traps = (0..museum.rooms()).filter(|room| {
        let mut exits = museum.exits(*room).iter();
        task.traps[*room] && exits.any(|exit| reach.rooms[exit.to])
    });
    let missing = |key: usize| reach.items & museum.copies(key) == 0;
    let keys = (0..layout.keys).filter(|key| layout.kind(*key) == *key && missing(*key));
    let doors = (0..layout.doors.len()).filter(|door| {
        let near = layout.doors[*door].ends.map(|room| reach.rooms[room]);
        near[0] != near[1]
    });
    let containers = 0..layout.containers.len();
    let containers = containers.filter(|container| reach.rooms[layout.containers[*container].room]);
    let things = doors
        .map(Thing::Door)
        .chain(containers.map(Thing::Container));
    let locked = things.filter(|thing| task.facts.lock_state(*thing).locked);
    let mut changes: Vec<Change> = traps.map(Change::Trap).collect();
    changes.extend(keys.map(Change::Key));
    changes.extend(locked.map(Change::Lock));
    changes
}

/// Whether there is a plan after one change.
fn helps(task: &AgentTask<'_>, change: Change) -> bool {
    let mut facts: Facts = task.facts.clone();
    let mut traps = task.traps.to_vec();
    match change {
        Change::Trap(room) => traps[room] = false,
        Change::Key(key) => facts.items[key] = Place::With(task.agent),
        Change::Lock(thing) => {
            if let Some(state) = facts.lock_state_mut(thing) {
                *state = LockState::CLOSED;
            }
        }
    }
    exists(&AgentTask {
        facts: &facts,
        traps: &traps,
        ..*task
    })
}

/// A plan that avoids a room of another plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The room of the first plan that it avoids.
    pub without: usize,
    /// The plan.
    pub plan: Plan,
}

/// Alternative plans: for each room of a plan, a shortest plan that avoids it. The shortest come
/// first, at most `plans_max`, all different. As many as were found before `wanted` stopped the
/// search.
#[must_use]
pub fn alternatives(
    problem: &Problem,
    plan: &Plan,
    most: usize,
    wanted: &Pulse,
) -> Vec<Alternative> {
    let task = AgentTask::new(problem);
    let mut found: Vec<Alternative> = Vec::new();
    for without in visited(problem, plan).into_iter().take(TRIED_MAX) {
        if !wanted.beats() {
            break;
        }
        let mut traps = task.traps.to_vec();
        traps[without] = true;
        let task = AgentTask {
            traps: &traps,
            ..task
        };
        // A plan cannot avoid its first room.
        let plan = best_plan_until(&task, &mut || wanted.beats());
        if !wanted.beats() {
            break;
        }
        let plan = plan.filter(|_| without != task.position.room);
        if let Some(plan) = plan.filter(|plan| found.iter().all(|other| other.plan != *plan)) {
            found.push(Alternative { without, plan });
        }
    }
    found.sort_by_key(|alternative| alternative.plan.actions.len());
    found.truncate(most);
    found
}

/// Landmarks: rooms that every plan enters, rising. They are the rooms of this plan without which
/// no plan exists.
#[must_use]
pub fn unavoidable(problem: &Problem, plan: &Plan) -> Vec<usize> {
    let task = AgentTask::new(problem);
    let without = |room: &usize| {
        let mut traps = task.traps.to_vec();
        traps[*room] = true;
        exists(&AgentTask {
            traps: &traps,
            ..task
        })
    };
    let mut rooms = visited(problem, plan);
    rooms.retain(|room| *room == task.position.room || !without(room));
    rooms.into_iter().collect()
}

/// Rooms of a plan, the first one included.
fn visited(problem: &Problem, plan: &Plan) -> BTreeSet<usize> {
    let room = problem.position().room;
    let entered = plan.entered(problem.museum(), room);
    entered.into_iter().chain([room]).collect()
}
