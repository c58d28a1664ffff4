//! Small worlds, at random and by hand.

use heist::generate::Sketch;
use heist::{Agent, Goal, LockState, Place, Problem, Thing, World};
use proptest::collection::vec;
use proptest::prelude::*;

/// A museum with one agent.
#[derive(Debug, Clone)]
pub(crate) struct Small {
    rooms: usize,
    doors: Vec<(usize, usize, u8, Vec<usize>)>,
    containers: Vec<(usize, u8, Vec<usize>)>,
    /// The lowest key of the kind of each key.
    kinds: Vec<usize>,
    /// Container of each item, or the agent.
    places: Vec<usize>,
    traps: Vec<bool>,
    start: (usize, usize),
    goal: Goal,
}

const KEYS: usize = 2;
const ARTIFACTS: usize = 2;

fn lock_state(state: u8) -> LockState {
    [LockState::OPEN, LockState::CLOSED, LockState::LOCKED][usize::from(state % 3)]
}

/// Any small world: two keys, two artifacts, two or three containers.
pub(crate) fn small() -> impl Strategy<Value = Small> {
    of_kinds((0..KEYS).collect())
}

/// The same with another key or two, of which at least one is a copy.
pub(crate) fn copied() -> impl Strategy<Value = Small> {
    let kinds = [
        vec![0, 1, 0],
        vec![0, 1, 1],
        vec![0, 0, 2],
        vec![0, 1, 0, 1],
        vec![0, 1, 1, 0],
        vec![0, 0, 0],
    ];
    prop::sample::select(kinds.to_vec()).prop_flat_map(of_kinds)
}

fn of_kinds(kinds: Vec<usize>) -> impl Strategy<Value = Small> {
    let items = kinds.len() + ARTIFACTS;
    let keys = || prop_oneof![Just(vec![]), Just(vec![0]), Just(vec![1]), Just(vec![0, 1])];
    (2..5_usize).prop_flat_map(move |rooms| {
        let door = (0..rooms, 1..rooms, 0..3_u8, keys());
        let doors = vec(
            door.prop_map(move |(a, by, state, keys)| (a, (a + by) % rooms, state, keys)),
            1..4,
        );
        let containers = vec((0..rooms, 0..3_u8, keys()), 2);
        let places = vec(prop_oneof![6 => 0..2_usize, 1 => Just(usize::MAX)], items);
        let traps = vec(prop::bool::weighted(0.1), rooms);
        let goal = (
            prop::collection::btree_set(0..items, 0..3),
            prop::collection::btree_set(0..rooms, 0..3),
            vec(0..rooms, 0..4),
            any::<bool>(),
            prop::option::of(0..rooms),
        );
        let start = (0..rooms, 0..8_usize);
        let kinds = kinds.clone();
        (doors, containers, places, traps, goal, start).prop_map(
            move |(doors, containers, places, traps, goal, start)| {
                let kinds = kinds.clone();
                let (items, visits, route, in_order, room) = goal;
                let visits = if in_order {
                    route
                } else {
                    visits.into_iter().collect()
                };
                let nothing = items.is_empty() && visits.is_empty();
                Small {
                    rooms,
                    doors,
                    containers,
                    kinds,
                    places,
                    traps,
                    start,
                    goal: Goal {
                        items: items.into_iter().collect(),
                        visits,
                        in_order,
                        room: room.or(nothing.then_some(0)),
                    },
                }
            },
        )
    })
}

impl Small {
    /// One door, from a trap room to where the artifact is.
    pub(crate) fn trapped_at_the_start() -> Self {
        Self {
            rooms: 2,
            doors: vec![(0, 1, 0, vec![0, 1])],
            containers: vec![(1, 0, vec![]), (1, 0, vec![])],
            kinds: (0..KEYS).collect(),
            places: vec![0; KEYS + ARTIFACTS],
            traps: vec![true, false],
            start: (0, 0),
            goal: Goal {
                items: vec![KEYS],
                room: Some(0),
                ..Goal::default()
            },
        }
    }

    /// The same without copies, for each choice of one copy of each item that is wanted: its keys
    /// are other keys, of which any fits where one fits.
    pub(crate) fn without_copies(&self) -> Vec<Problem> {
        let kind = |item: usize| self.kinds.get(item).copied().unwrap_or(item);
        let copies = |item: usize| -> Vec<usize> {
            let items = 0..self.kinds.len() + ARTIFACTS;
            items.filter(|it| kind(*it) == kind(item)).collect()
        };
        let all = |keys: &Vec<usize>| -> Vec<usize> {
            let mut all: Vec<usize> = keys.iter().flat_map(|key| copies(*key)).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let mut apart = self.clone();
        for (.., keys) in &mut apart.doors {
            *keys = all(keys);
        }
        for (.., keys) in &mut apart.containers {
            *keys = all(keys);
        }
        apart.kinds = (0..self.kinds.len()).collect();
        let mut choices = vec![Vec::new()];
        for item in &self.goal.items {
            let longer = choices.iter().flat_map(|chosen| {
                let one = |copy| [&chosen[..], &[copy]].concat();
                copies(*item).into_iter().map(one)
            });
            choices = longer.collect();
        }
        let problems = choices.into_iter().map(|mut items| {
            items.sort_unstable();
            items.dedup();
            apart.goal.items = items;
            apart.problem()
        });
        problems.collect()
    }

    pub(crate) fn problem(&self) -> Problem {
        let doors = self.doors.iter();
        let doors = doors.map(|(a, b, state, keys)| (*a, *b, lock_state(*state), &keys[..]));
        let containers = self.containers.iter();
        let containers =
            containers.map(|(room, state, keys)| (*room, lock_state(*state), &keys[..]));
        // A key that fits nothing is a mistake: one more box, out of the way.
        let keys: Vec<usize> = (0..self.kinds.len()).collect();
        let all = (0, LockState::CLOSED, &keys[..]);
        let sketch = Sketch {
            rooms: self.rooms,
            doors: &doors.collect::<Vec<_>>(),
            containers: &containers.chain([all]).collect::<Vec<_>>(),
            keys: keys.len(),
            items: &self.places,
            ..Sketch::default()
        };
        let mut spec = sketch.spec();
        spec.museum.kinds.clone_from(&self.kinds);
        let held = spec.facts.items.iter_mut();
        for place in held.filter(|place| **place == Place::In(usize::MAX)) {
            *place = Place::With(0);
        }
        let (room, at) = self.start;
        let there = self.doors.iter().enumerate();
        let mut there = there.filter(|(_, door)| door.0 == room || door.1 == room);
        let at = there.nth(at).map(|(door, _)| Thing::Door(door));
        spec.agents = vec![Agent::new(room, self.goal.clone(), &spec.facts, 1)];
        spec.agents[0].position.at = at;
        let world = World::new(spec);
        let traps = (0..self.rooms).filter(|room| self.traps[*room]);
        Problem::new(
            world.expect("the world makes sense"),
            0,
            &traps.collect::<Vec<_>>(),
        )
        .expect("the errand makes sense")
    }
}

/// Rooms in a row with open doors, the artifact in the last; the agent is changed as wished.
pub(crate) fn corridor(rooms: usize, change: impl FnOnce(&mut Agent)) -> Problem {
    let doors = (1..rooms).map(|room| [room - 1, room]).collect();
    plain(rooms, doors, LockState::OPEN, LockState::OPEN, change)
}

/// A square of rooms, neighbours joined by doors, all closed, or all open with the case; the
/// artifact is in the corner across.
pub(crate) fn grid(side: usize, open: bool) -> Problem {
    let mut doors = Vec::new();
    for room in 0..side * side {
        if room % side + 1 < side {
            doors.push([room, room + 1]);
        }
        if room + side < side * side {
            doors.push([room, room + side]);
        }
    }
    let state = if open {
        LockState::OPEN
    } else {
        LockState::CLOSED
    };
    plain(side * side, doors, state, state, |_| {})
}

/// A corridor of eight rooms, closed, with a room next to each; artifacts in two of them: bounds
/// are not exact there.
pub(crate) fn comb() -> Problem {
    let corridor = (1..8).map(|room| [room - 1, room]);
    let beside = (0..8).map(|room| [room, room + 8]);
    let across = (1..8).map(|room| [room + 7, room + 8]);
    let doors = corridor.chain(beside).chain(across).collect();
    plain(16, doors, LockState::CLOSED, LockState::CLOSED, |agent| {
        agent.goal.visits = vec![7, 11, 13];
    })
}

fn plain(
    rooms: usize,
    doors: Vec<[usize; 2]>,
    door: LockState,
    container: LockState,
    change: impl FnOnce(&mut Agent),
) -> Problem {
    let doors = doors.into_iter().map(|[a, b]| (a, b, door, &[][..]));
    let sketch = Sketch {
        rooms,
        doors: &doors.collect::<Vec<_>>(),
        containers: &[(rooms - 1, container, &[])],
        items: &[0],
        ..Sketch::default()
    };
    let mut spec = sketch.spec();
    change(&mut spec.agents[0]);
    let world = World::new(spec);
    Problem::new(world.expect("the world makes sense"), 0, &[]).expect("the errand makes sense")
}
