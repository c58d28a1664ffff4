//! Reasons for infeasibility, and alternative plans.

use crate::museum::Thing;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::solve::{AgentTask, Reachability, best_plan_until, exists};
use crate::world::{Facts, LockState, Place};
use anytime::Pulse;
use std::collections::BTreeSet;

/// Maximal number of changes tried as reasons, and of rooms avoided by alternatives.
pub const TRIED_MAX: usize = 500;

/// A reason for infeasibility. The first three name what is out of reach. Each of the others is a
/// single change after which there is a plan, by trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// An item that is wanted, and where it is believed to be.
    Item(usize, Place),
    /// A room that has to be visited.
    Room(usize),
    /// The room in which to end.
    End(usize),
    /// There is a plan if this room is no trap.
    Trap(usize),
    /// There is a plan if the agent has this key.
    Key(usize),
    /// There is a plan if this is not locked.
    Locked(Thing),
}

/// The reasons why there is no plan; empty if there is one.
#[must_use]
pub fn infeasibility_reasons(problem: &Problem) -> Vec<Reason> {
    let agent_task = AgentTask::new(problem);
    if exists(&agent_task) {
        return Vec::new();
    }
    let reach = Reachability::new(&agent_task, 0);
    let goal = problem.goal();
    let missing = |item: usize| reach.items & agent_task.museum.copies(item) == 0;
    let items = goal.items.iter().filter(|item| missing(**item));
    let mut reasons: Vec<Reason> = items
        .map(|&item| Reason::Item(item, agent_task.facts.items[item]))
        .collect();
    let rooms: BTreeSet<usize> = goal.visits.iter().copied().collect();
    let rooms = rooms.into_iter().filter(|room| !reach.rooms[*room]);
    reasons.extend(rooms.map(Reason::Room));
    let end = goal.room.filter(|end| !reach.rooms[*end]);
    reasons.extend(end.map(Reason::End));
    let changes = changes(&agent_task, &reach).into_iter().take(TRIED_MAX);
    reasons.extend(changes.filter(|change| helps(&agent_task, *change)));
    reasons
}

/// Candidate changes at the border of the reachable rooms.
fn changes(agent_task: &AgentTask<'_>, reach: &Reachability) -> Vec<Reason> {
    let museum = agent_task.museum;
    let layout = museum.layout();
    let traps = (0..museum.rooms()).filter(|room| {
        let mut exits = museum.exits(*room).iter();
        agent_task.traps[*room] && exits.any(|exit| reach.rooms[exit.to])
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
    let locked = things.filter(|thing| agent_task.facts.lock_state(*thing).locked);
    let mut changes: Vec<Reason> = traps.map(Reason::Trap).collect();
    changes.extend(keys.map(Reason::Key));
    changes.extend(locked.map(Reason::Locked));
    changes
}

/// Whether there is a plan after one change.
fn helps(agent_task: &AgentTask<'_>, change: Reason) -> bool {
    let mut facts: Facts = agent_task.facts.clone();
    let mut traps = agent_task.traps.to_vec();
    match change {
        Reason::Trap(room) => traps[room] = false,
        Reason::Key(key) => facts.items[key] = Place::With(agent_task.agent),
        Reason::Locked(thing) => {
            if let Some(state) = facts.lock_state_mut(thing) {
                *state = LockState::CLOSED;
            }
        }
        Reason::Item(..) | Reason::Room(_) | Reason::End(_) => return false,
    }
    exists(&AgentTask {
        facts: &facts,
        traps: &traps,
        ..*agent_task
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
    let agent_task = AgentTask::new(problem);
    let mut found: Vec<Alternative> = Vec::new();
    for without in visited(problem, plan).into_iter().take(TRIED_MAX) {
        if !wanted.beats() {
            break;
        }
        let mut traps = agent_task.traps.to_vec();
        traps[without] = true;
        let agent_task = AgentTask {
            traps: &traps,
            ..agent_task
        };
        // A plan cannot avoid its first room.
        let plan = best_plan_until(&agent_task, &mut || wanted.beats());
        if !wanted.beats() {
            break;
        }
        let plan = plan.filter(|_| without != agent_task.position.room);
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
    let agent_task = AgentTask::new(problem);
    let without = |room: &usize| {
        let mut traps = agent_task.traps.to_vec();
        traps[*room] = true;
        exists(&AgentTask {
            traps: &traps,
            ..agent_task
        })
    };
    let mut rooms = visited(problem, plan);
    rooms.retain(|room| *room == agent_task.position.room || !without(room));
    rooms.into_iter().collect()
}

/// Rooms of a plan, the first one included.
fn visited(problem: &Problem, plan: &Plan) -> BTreeSet<usize> {
    let room = problem.position().room;
    let entered = plan.entered(problem.museum(), room);
    entered.into_iter().chain([room]).collect()
}
