//! Worlds, tasks and plans that are invalid are refused with every mistake.

use heist::errors::{Picture, Subject};
use heist::museum::{Container, Door, Layout, Machine};
use heist::{
    Action, Agent, Belief, Facts, Goal, LockState, Place, Plan, Position, Problem, ProblemError,
    Refusal, Spec, Thing, Violation, World, WorldError, verify,
};

/// Two rooms, a door, a box with a key in it, an artifact in the burglar's hands, a machine, a
/// camera and a guard.
fn spec() -> Spec {
    let facts = Facts {
        doors: vec![LockState::LOCKED],
        containers: vec![LockState::CLOSED],
        items: vec![Place::In(0), Place::With(0)],
        cameras: vec![true],
    };
    let agent = |room| Agent {
        position: Position { room, at: None },
        goal: Goal {
            room: Some(1),
            ..Goal::default()
        },
        belief: Belief {
            facts: facts.clone(),
            agents: vec![None, None],
        },
    };
    Spec {
        museum: Layout {
            rooms: 2,
            doors: vec![Door {
                ends: [0, 1],
                keys: vec![0],
            }],
            containers: vec![Container {
                room: 0,
                keys: Vec::new(),
            }],
            machines: vec![Machine { room: 1, delay: 3 }],
            cameras: vec![1],
            keys: 1,
            kinds: Vec::new(),
            artifacts: 1,
        },
        agents: vec![agent(0), agent(1)],
        facts,
    }
}

/// What is wrong after a change.
fn wrong(change: impl FnOnce(&mut Spec)) -> Vec<WorldError> {
    let mut spec = spec();
    change(&mut spec);
    World::new(spec).err().unwrap_or_default()
}

#[test]
fn the_world_itself_makes_sense() {
    assert_eq!(wrong(|_| {}), []);
}

#[test]
fn every_reference_is_looked_at() {
    let door = Subject::Thing(Thing::Door(0));
    let rooms = 2;
    assert_eq!(
        wrong(|spec| {
            spec.museum.doors[0].ends = [0, 7];
            spec.museum.containers[0].room = 8;
            spec.museum.machines[0].room = 9;
            spec.museum.cameras[0] = 10;
            spec.agents[1].position.room = 11;
            spec.agents[1].goal.room = Some(12);
            spec.agents[1].belief.agents[0] = Some(13);
        }),
        [
            (door, 7),
            (Subject::Thing(Thing::Container(0)), 8),
            (Subject::Thing(Thing::Machine(0)), 9),
            (Subject::Camera(0), 10),
            (Subject::Position(1), 11),
            (Subject::End(1), 12),
            (Subject::Seen(1, 0), 13),
        ]
        .map(|(subject, room)| WorldError::UnknownRoom {
            subject,
            room,
            rooms,
        })
    );
}

#[test]
fn locks_take_keys_and_keys_fit_locks() {
    assert_eq!(
        wrong(|spec| spec.museum.doors[0].keys = vec![1, 5]),
        [
            WorldError::UnknownItem {
                subject: Subject::Thing(Thing::Door(0)),
                item: 5,
                items: 2
            },
            WorldError::ArtifactAsKey {
                thing: Thing::Door(0),
                item: 1
            },
            WorldError::KeyFitsNothing { key: 0 },
        ]
    );
    assert_eq!(
        wrong(|spec| spec.museum.doors[0].keys = vec![0, 0]),
        [WorldError::ItemRepeated {
            subject: Subject::Thing(Thing::Door(0)),
            item: 0
        }]
    );
    assert_eq!(
        wrong(|spec| spec.museum.doors[0].keys = vec![0; 9]).len(),
        2,
        "too many keys, and none that is looked at"
    );
}

#[test]
fn keys_name_the_lowest_of_their_kind_and_one_of_a_kind_has_to_fit() {
    // Two keys: the artifact is item 2.
    let kinds = |kinds: Vec<usize>, fits: Vec<usize>| {
        wrong(|spec| {
            spec.museum.keys = 2;
            spec.museum.kinds = kinds;
            spec.museum.doors[0].keys = fits;
            spec.facts.items.push(Place::In(0));
            for agent in &mut spec.agents {
                agent.belief.facts.items.push(Place::In(0));
            }
        })
    };
    assert_eq!(kinds(vec![0, 0], vec![0]), []);
    assert_eq!(kinds(vec![0, 0], vec![1]), []);
    assert_eq!(
        kinds(vec![0, 1], vec![0]),
        [WorldError::KeyFitsNothing { key: 1 }]
    );
    assert_eq!(
        kinds(vec![0, 0], vec![]),
        [WorldError::KeyFitsNothing { key: 0 }]
    );
    assert_eq!(
        kinds(vec![0], vec![0, 1]),
        [WorldError::Kinds { given: 1, keys: 2 }]
    );
    assert_eq!(
        kinds(vec![1, 1], vec![0, 1]),
        [WorldError::Kind { key: 0, kind: 1 }]
    );
}

#[test]
fn facts_and_beliefs_tell_of_everything_and_do_not_contradict_themselves() {
    let both = LockState {
        open: true,
        locked: true,
    };
    assert_eq!(
        wrong(|spec| {
            spec.facts.doors[0] = both;
            spec.agents[1].belief.facts.containers[0] = both;
        }),
        [
            WorldError::OpenAndLocked {
                picture: Picture::Facts,
                thing: Thing::Door(0)
            },
            WorldError::OpenAndLocked {
                picture: Picture::Belief(1),
                thing: Thing::Container(0)
            },
        ]
    );
    assert_eq!(
        wrong(|spec| spec.facts.items[0] = Place::Unknown),
        [WorldError::ItemNowhere { item: 0 }]
    );
    assert_eq!(
        wrong(|spec| spec.agents[1].belief.facts.items[0] = Place::In(4)),
        [WorldError::UnknownPlace {
            picture: Picture::Belief(1),
            item: 0,
            index: 4
        }]
    );
    assert_eq!(
        wrong(|spec| spec.agents[0].belief.facts.items[1] = Place::Unknown),
        [WorldError::HandsUnknown { agent: 0, item: 1 }]
    );
    assert_eq!(
        wrong(|spec| spec.agents[0].belief.facts.cameras.clear()),
        [WorldError::Length {
            picture: Picture::Belief(0),
            what: "cameras",
            given: 0,
            expected: 1
        }]
    );
}

#[test]
fn agents_stand_at_what_is_there_and_want_something() {
    assert_eq!(
        wrong(|spec| spec.agents[0].position.at = Some(Thing::Machine(0))),
        [WorldError::AtElsewhere {
            agent: 0,
            thing: Thing::Machine(0),
            room: 0
        }]
    );
    assert_eq!(
        wrong(|spec| spec.agents[1].goal = Goal::default()),
        [WorldError::NoGoal { agent: 1 }]
    );
    assert_eq!(
        wrong(|spec| {
            spec.agents[1].goal.visits = vec![0, 1, 0];
            spec.agents[0].goal.visits = vec![0, 1, 0];
            spec.agents[0].goal.in_order = true;
        }),
        [WorldError::VisitRepeated {
            agent: 1,
            visit: 2,
            room: 0
        }]
    );
    assert_eq!(
        wrong(|spec| spec.agents.clear()),
        [WorldError::AgentCount { given: 0 }]
    );
}

#[test]
fn what_is_too_large_is_not_looked_into() {
    assert_eq!(
        wrong(|spec| {
            spec.museum.rooms = 2_001;
            spec.museum.keys = usize::MAX;
            spec.museum.doors[0].ends = [5_000, 5_000];
        }),
        [
            WorldError::TooManyRooms { given: 2_001 },
            WorldError::TooManyItems { given: usize::MAX },
        ]
    );
    assert_eq!(wrong(|spec| spec.museum.rooms = 0), [WorldError::NoRooms]);
}

#[test]
fn errands_name_agents_and_rooms_that_exist() {
    let world = World::new(spec()).unwrap();
    assert_eq!(
        Problem::new(world, 2, &[1, 2]),
        Err(vec![
            ProblemError::UnknownAgent {
                agent: 2,
                agents: 2
            },
            ProblemError::UnknownRoom {
                index: 1,
                room: 2,
                rooms: 2
            },
        ])
    );
}

#[test]
fn plans_are_refused_at_the_action_that_cannot_be_done() {
    let world = World::new(spec()).unwrap();
    let problem = Problem::new(world, 0, &[]).unwrap();
    let refused = |actions: &[Action]| {
        let plan = Plan {
            actions: actions.to_vec(),
        };
        match verify(&problem, &plan).unwrap_err().as_slice() {
            [Violation::Refused { index, refusal, .. }] => (*index, *refusal),
            other => panic!("{other:?}"),
        }
    };
    let (door, container) = (Thing::Door(0), Thing::Container(0));
    let approach = Action::Approach;
    for (actions, expected) in [
        (vec![approach(Thing::Door(7))], (0, Refusal::NoSuchThing)),
        (vec![approach(Thing::Machine(0))], (0, Refusal::Elsewhere)),
        (vec![Action::Open(door)], (0, Refusal::NotAtHand)),
        (
            vec![approach(door), Action::Open(door)],
            (1, Refusal::IsLocked),
        ),
        (
            vec![approach(door), Action::Enter(0)],
            (1, Refusal::IsClosed),
        ),
        (
            vec![approach(door), Action::Unlock(door, 0)],
            (1, Refusal::NoKey),
        ),
        (
            vec![approach(door), Action::Unlock(door, 1)],
            (1, Refusal::WrongKey),
        ),
        (
            vec![approach(container), Action::Close(container)],
            (1, Refusal::IsClosed),
        ),
        (
            vec![approach(container), Action::PickUp(0)],
            (1, Refusal::IsClosed),
        ),
        (vec![Action::PickUp(0)], (0, Refusal::NotAtHand)),
        (vec![Action::PickUp(9)], (0, Refusal::NoSuchThing)),
        (
            vec![
                approach(container),
                Action::Open(container),
                Action::PickUp(1),
            ],
            (2, Refusal::NotThere),
        ),
        (
            vec![
                approach(container),
                Action::Open(container),
                Action::Open(container),
            ],
            (2, Refusal::IsOpen),
        ),
    ] {
        assert_eq!(refused(&actions), expected, "{actions:?}");
    }
}

#[test]
fn plans_that_miss_the_goal_or_enter_traps_are_told_so() {
    let mut spec = spec();
    spec.agents[0].goal = Goal {
        items: vec![0, 1],
        visits: vec![1],
        in_order: false,
        room: Some(1),
    };
    let world = World::new(spec.clone()).unwrap();
    let problem = Problem::new(world, 0, &[]).unwrap();
    assert_eq!(
        verify(&problem, &Plan::default()),
        Err(vec![
            Violation::ItemMissing { item: 0 },
            Violation::VisitMissing { visit: 0, room: 1 },
            Violation::EndsElsewhere { room: 0, wanted: 1 },
        ])
    );
    spec.facts.doors[0] = LockState::OPEN;
    spec.agents[0].belief.facts.doors[0] = LockState::OPEN;
    spec.agents[0].goal.items.clear();
    let world = World::new(spec).unwrap();
    let problem = Problem::new(world, 0, &[1]).unwrap();
    let plan = Plan {
        actions: vec![Action::Approach(Thing::Door(0)), Action::Enter(0)],
    };
    assert_eq!(
        verify(&problem, &plan),
        Err(vec![Violation::Trapped { index: 1, room: 1 }])
    );
}
