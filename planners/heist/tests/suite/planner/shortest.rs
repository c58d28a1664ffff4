//! The fewest actions, by trying everything.

use heist::rules::Actor;
use heist::{Action, Place, Problem, Thing, World};
use std::collections::{BTreeSet, VecDeque};

/// All actions that name something there is; without closing and locking unless `all`.
fn actions_of(world: &World, all: bool) -> Vec<Action> {
    let layout = world.museum().layout();
    let doors = (0..layout.doors.len()).map(Thing::Door);
    let containers = (0..layout.containers.len()).map(Thing::Container);
    let mut actions = Vec::new();
    for thing in doors.chain(containers) {
        actions.extend([Action::Approach(thing), Action::Open(thing)]);
        actions.extend((0..layout.keys).map(|key| Action::Unlock(thing, key)));
        if all {
            actions.push(Action::Close(thing));
            actions.extend((0..layout.keys).map(|key| Action::Lock(thing, key)));
        }
    }
    actions.extend((0..layout.doors.len()).map(Action::Enter));
    actions.extend((0..world.museum().items()).map(Action::PickUp));
    actions
}

/// Fewest actions by breadth-first search over single actions; `None`: there is no plan.
pub(crate) fn shortest(problem: &Problem, all: bool) -> Option<u32> {
    let world = problem.world();
    let goal = problem.goal();
    let actions = actions_of(world, all);
    let visit = |visited: u32, room: usize| -> u32 {
        if goal.in_order {
            let left = &goal.visits[visited as usize..];
            visited + left.iter().take_while(|next| **next == room).count() as u32
        } else {
            let made = goal
                .visits
                .iter()
                .enumerate()
                .filter(|(_, to)| **to == room);
            made.fold(visited, |visited, (index, _)| visited | 1 << index)
        }
    };
    let count = goal.visits.len() as u32;
    let made = if goal.in_order {
        count
    } else {
        (1 << count) - 1
    };
    let facts = problem.belief().facts.clone();
    let position = problem.position();
    let start = (facts, position, visit(0, position.room));
    let mut seen = BTreeSet::from([key_of(&start)]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some(((facts, position, visited), far)) = queue.pop_front() {
        let mine = Place::With(problem.agent());
        let kind = |item: usize| world.museum().layout().kind(item);
        let held = facts.items.iter().enumerate();
        let held = held.filter(|(_, place)| **place == mine);
        let held: BTreeSet<usize> = held.map(|(item, _)| kind(item)).collect();
        let has = goal.items.iter().all(|item| held.contains(&kind(*item)));
        if has && visited == made && goal.room.is_none_or(|room| room == position.room) {
            return Some(far);
        }
        for &action in &actions {
            let mut next = (facts.clone(), position, visited);
            let mut hand = Actor {
                museum: world.museum(),
                facts: &mut next.0,
                position: &mut next.1,
                agent: problem.agent(),
            };
            if hand.act(action).is_err() {
                continue;
            }
            if let Action::Enter(_) = action {
                if problem.traps()[next.1.room] {
                    continue;
                }
                next.2 = visit(visited, next.1.room);
            }
            if seen.insert(key_of(&next)) {
                queue.push_back((next, far + 1));
            }
        }
    }
    None
}

type Key = (
    Vec<heist::LockState>,
    Vec<heist::LockState>,
    Vec<Place>,
    heist::Position,
    u32,
);

fn key_of((facts, position, visited): &(heist::Facts, heist::Position, u32)) -> Key {
    let heist::Facts {
        doors,
        containers,
        items,
        cameras: _,
    } = facts.clone();
    (doors, containers, items, *position, *visited)
}
