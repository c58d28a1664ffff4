//! Why an agent has no plan, and what he could do otherwise.

use crate::museum::Thing;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::solve::{Errand, Reach, best_plan_while, exists};
use crate::world::{Facts, Leaf, Place};
use anytime::Pulse;
use std::collections::BTreeSet;

/// Most changes that are tried for reasons, and most rooms for other plans.
pub const TRIED_MAX: usize = 500;

/// One reason why there is no plan. What the first three name is out of reach; each of the others
/// is one change with which there would be a plan, which was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// An item that is wanted, and where it is believed to be.
    Item(usize, Place),
    /// A room that has to be visited.
    Room(usize),
    /// The room in which to end.
    End(usize),
    /// There would be a plan if this room were no trap: it cuts the way.
    Trap(usize),
    /// There would be a plan if he had this key.
    Key(usize),
    /// There would be a plan if this were not locked.
    Locked(Thing),
}

/// Why there is no plan; empty if there is one.
#[must_use]
pub fn impossible(problem: &Problem) -> Vec<Reason> {
    let errand = Errand::of(problem);
    if exists(&errand) {
        return Vec::new();
    }
    let reach = Reach::of(&errand, 0);
    let goal = problem.goal();
    let lacks = |item: usize| reach.items & errand.museum.copies(item) == 0;
    let items = goal.items.iter().filter(|item| lacks(**item));
    let mut reasons: Vec<Reason> = items
        .map(|&item| Reason::Item(item, errand.facts.items[item]))
        .collect();
    let rooms: BTreeSet<usize> = goal.visits.iter().copied().collect();
    let rooms = rooms.into_iter().filter(|room| !reach.rooms[*room]);
    reasons.extend(rooms.map(Reason::Room));
    let end = goal.room.filter(|end| !reach.rooms[*end]);
    reasons.extend(end.map(Reason::End));
    let changes = changes(&errand, &reach).into_iter().take(TRIED_MAX);
    reasons.extend(changes.filter(|change| helps(&errand, *change)));
    reasons
}

/// Changes that might help: at the border of what is within reach.
fn changes(errand: &Errand<'_>, reach: &Reach) -> Vec<Reason> {
    let museum = errand.museum;
    let layout = museum.layout();
    let traps = (0..museum.rooms()).filter(|room| {
        let mut exits = museum.exits(*room).iter();
        errand.traps[*room] && exits.any(|exit| reach.rooms[exit.to])
    });
    let lacks = |key: usize| reach.items & museum.copies(key) == 0;
    let keys = (0..layout.keys).filter(|key| layout.kind(*key) == *key && lacks(*key));
    let doors = (0..layout.doors.len()).filter(|door| {
        let near = layout.doors[*door].ends.map(|room| reach.rooms[room]);
        near[0] != near[1]
    });
    let lids = 0..layout.containers.len();
    let lids = lids.filter(|lid| reach.rooms[layout.containers[*lid].room]);
    let things = doors.map(Thing::Door).chain(lids.map(Thing::Container));
    let locked = things.filter(|thing| errand.facts.leaf(*thing).locked);
    let mut changes: Vec<Reason> = traps.map(Reason::Trap).collect();
    changes.extend(keys.map(Reason::Key));
    changes.extend(locked.map(Reason::Locked));
    changes
}

/// Whether there is a plan after one change.
fn helps(errand: &Errand<'_>, change: Reason) -> bool {
    let mut facts: Facts = errand.facts.clone();
    let mut traps = errand.traps.to_vec();
    match change {
        Reason::Trap(room) => traps[room] = false,
        Reason::Key(key) => facts.items[key] = Place::With(errand.agent),
        Reason::Locked(thing) => {
            if let Some(leaf) = facts.leaf_mut(thing) {
                *leaf = Leaf::CLOSED;
            }
        }
        Reason::Item(..) | Reason::Room(_) | Reason::End(_) => return false,
    }
    exists(&Errand {
        facts: &facts,
        traps: &traps,
        ..*errand
    })
}

/// A plan that goes another way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The room of the first plan that it does without.
    pub without: usize,
    /// What it does.
    pub plan: Plan,
}

/// Shortest plans that avoid a room that a plan enters and could do without, the shortest first, no
/// two the same, at most `most`, as far as they were found before `wanted` stopped the search.
#[must_use]
pub fn alternatives(
    problem: &Problem,
    plan: &Plan,
    most: usize,
    wanted: &Pulse,
) -> Vec<Alternative> {
    let errand = Errand::of(problem);
    let mut found: Vec<Alternative> = Vec::new();
    for without in visited(problem, plan).into_iter().take(TRIED_MAX) {
        if !wanted.beats() {
            break;
        }
        let mut traps = errand.traps.to_vec();
        traps[without] = true;
        let errand = Errand {
            traps: &traps,
            ..errand
        };
        // What begins in a room cannot do without it.
        let plan = best_plan_while(&errand, &mut || wanted.beats());
        if !wanted.beats() {
            break;
        }
        let plan = plan.filter(|_| without != errand.body.room);
        if let Some(plan) = plan.filter(|plan| found.iter().all(|other| other.plan != *plan)) {
            found.push(Alternative { without, plan });
        }
    }
    found.sort_by_key(|alternative| alternative.plan.actions.len());
    found.truncate(most);
    found
}

/// Rooms that every plan has to enter, rising: the rooms of this plan without which no plan exists.
#[must_use]
pub fn unavoidable(problem: &Problem, plan: &Plan) -> Vec<usize> {
    let errand = Errand::of(problem);
    let without = |room: &usize| {
        let mut traps = errand.traps.to_vec();
        traps[*room] = true;
        exists(&Errand {
            traps: &traps,
            ..errand
        })
    };
    let mut rooms = visited(problem, plan);
    rooms.retain(|room| *room == errand.body.room || !without(room));
    rooms.into_iter().collect()
}

/// Rooms that a plan is in, the first one too.
fn visited(problem: &Problem, plan: &Plan) -> BTreeSet<usize> {
    let room = problem.body().room;
    let entered = plan.entered(problem.museum(), room);
    entered.into_iter().chain([room]).collect()
}
