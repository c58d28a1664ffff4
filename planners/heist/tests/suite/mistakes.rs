//! Worlds, tasks and plans that are invalid are refused with every mistake.

use anytime::Fault;
use heist::generate::Sketch;
use heist::{
    Action, Agent, Goal, LockState, Place, Plan, Problem, Refusal, Spec, Thing, World, verify,
};

/// Two rooms, a door, a box with a key in it, an artifact in the burglar's hands, a machine, a
/// camera and a guard.
fn spec() -> Spec {
    let sketch = Sketch {
        rooms: 2,
        doors: &[(0, 1, LockState::LOCKED, &[0])],
        containers: &[(0, LockState::CLOSED, &[])],
        keys: 1,
        items: &[0, 0],
        machines: &[(1, 3)],
        cameras: &[1],
        ..Sketch::default()
    };
    let mut spec = sketch.spec();
    spec.facts.items[1] = Place::With(0);
    let goal = Goal {
        room: Some(1),
        ..Goal::default()
    };
    spec.agents = [0, 1]
        .map(|room| Agent::new(room, goal.clone(), &spec.facts, 2))
        .into();
    spec
}

/// Codes and fields.
fn rules(faults: &[Fault]) -> Vec<(&'static str, String)> {
    let rules = faults.iter().map(|fault| (fault.code, fault.field()));
    rules.collect()
}

/// The same, as they are expected.
fn expected<const N: usize>(
    rules: [(&'static str, &'static str); N],
) -> Vec<(&'static str, String)> {
    rules.map(|(code, field)| (code, field.into())).into()
}

/// Codes and words, which begin with the field.
fn texts(faults: &[Fault]) -> Vec<String> {
    let texts = faults.iter().map(|fault| format!("{} {fault}", fault.code));
    texts.collect()
}

/// Codes and fields of what is wrong after a change.
fn wrong(change: impl FnOnce(&mut Spec)) -> Vec<(&'static str, String)> {
    let mut spec = spec();
    change(&mut spec);
    rules(&World::new(spec).err().unwrap_or_default())
}

#[test]
fn the_world_itself_makes_sense() {
    assert_eq!(wrong(|_| {}), []);
}

#[test]
fn every_reference_is_looked_at() {
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
        expected([
            ("UNKNOWN", "doors[0].b_room_id"),
            ("UNKNOWN", "containers[0].room_id"),
            ("UNKNOWN", "machines[0].room_id"),
            ("UNKNOWN", "cameras[0].room_id"),
            ("UNKNOWN", "guards[0].room_id"),
            ("UNKNOWN", "guards[0].goal.end_room_id"),
            // Where the guard believes the burglar.
            ("UNKNOWN", "burglar.room_id"),
        ])
    );
}

#[test]
fn locks_take_keys_and_keys_fit_locks() {
    assert_eq!(
        wrong(|spec| spec.museum.doors[0].keys = vec![1, 5]),
        expected([
            ("UNKNOWN", "doors[0].key_ids[1]"),
            ("WRONG_KIND", "doors[0].key_ids"),
            ("FITS_NOTHING", "key_ids[0]"),
        ])
    );
    assert_eq!(
        wrong(|spec| spec.museum.doors[0].keys = vec![0, 0]),
        expected([("DUPLICATE", "doors[0].key_ids[1]")])
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
        expected([("FITS_NOTHING", "key_ids[1]")])
    );
    assert_eq!(
        kinds(vec![0, 0], vec![]),
        expected([("FITS_NOTHING", "key_ids[0]")])
    );
    assert_eq!(
        kinds(vec![0], vec![0, 1]),
        expected([("WRONG_SIZE", "key_ids")])
    );
    assert_eq!(
        kinds(vec![1, 1], vec![0, 1]),
        expected([("CONTRADICTION", "key_ids[0]")])
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
        expected([
            ("CONTRADICTION", "doors[0].lock_state"),
            ("CONTRADICTION", "guards[0].belief.states"),
        ])
    );
    assert_eq!(
        wrong(|spec| spec.facts.items[0] = Place::Unknown),
        expected([("NOWHERE", "key_ids[0]")])
    );
    assert_eq!(
        wrong(|spec| spec.agents[1].belief.facts.items[0] = Place::In(4)),
        expected([("UNKNOWN", "guards[0].belief.items")])
    );
    assert_eq!(
        wrong(|spec| spec.agents[0].belief.facts.items[1] = Place::Unknown),
        expected([("CONTRADICTION", "burglar.belief.items")])
    );
    assert_eq!(
        wrong(|spec| spec.agents[0].belief.facts.cameras.clear()),
        expected([("WRONG_SIZE", "burglar.belief")])
    );
}

#[test]
fn agents_stand_at_what_is_there_and_want_something() {
    assert_eq!(
        wrong(|spec| spec.agents[0].position.at = Some(Thing::Machine(0))),
        expected([("ELSEWHERE", "burglar.at_id")])
    );
    assert_eq!(
        wrong(|spec| spec.agents[1].goal = Goal::default()),
        expected([("REQUIRED", "guards[0].goal")])
    );
    assert_eq!(
        wrong(|spec| {
            spec.agents[1].goal.visits = vec![0, 1, 0];
            spec.agents[0].goal.visits = vec![0, 1, 0];
            spec.agents[0].goal.in_order = true;
        }),
        expected([("DUPLICATE", "guards[0].goal.visit_room_ids[2]")])
    );
    assert_eq!(
        wrong(|spec| spec.agents.clear()),
        expected([("TOO_MANY", "guards")])
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
        expected([("TOO_MANY", "rooms"), ("TOO_MANY", "artifact_ids")])
    );
    assert_eq!(
        wrong(|spec| spec.museum.rooms = 0),
        expected([("REQUIRED", "rooms")])
    );
}

#[test]
fn errands_name_agents_and_rooms_that_exist() {
    let world = World::new(spec()).unwrap();
    let faults = Problem::new(world, 2, &[1, 2]).unwrap_err();
    assert_eq!(
        rules(&faults),
        expected([("UNKNOWN", "agent_id"), ("UNKNOWN", "avoided_room_ids[1]")])
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
        rules(&verify(&problem, &plan).unwrap_err())
    };
    let (door, container) = (Thing::Door(0), Thing::Container(0));
    let approach = Action::Approach;
    for (actions, (step, refusal)) in [
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
        let rule = (refusal.code(), format!("steps[{step}]"));
        assert_eq!(refused(&actions), [rule], "{actions:?}");
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
    let faults = verify(&problem, &Plan::default()).unwrap_err();
    assert_eq!(
        texts(&faults),
        [
            "ITEM_MISSING item 0 is wanted, but not held at the end",
            "VISIT_MISSING room 1 is not visited, or not in order",
            "ENDS_ELSEWHERE ends in room 0, not in room 1",
        ]
    );
    spec.facts.doors[0] = LockState::OPEN;
    spec.agents[0].belief.facts.doors[0] = LockState::OPEN;
    spec.agents[0].goal.items.clear();
    let world = World::new(spec).unwrap();
    let problem = Problem::new(world, 0, &[1]).unwrap();
    let plan = Plan {
        actions: vec![Action::Approach(Thing::Door(0)), Action::Enter(0)],
    };
    let faults = verify(&problem, &plan).unwrap_err();
    let trap = "TRAP_ENTERED steps[1] enters room 1, which is to be avoided";
    assert_eq!(texts(&faults), [trap]);
    let unlock = Action::Unlock(Thing::Door(0), 1);
    for (actions, text) in [
        (
            vec![Action::Approach(Thing::Machine(0))],
            "THING_ELSEWHERE steps[0] cannot approach machine 0: it stands in another room",
        ),
        (
            vec![Action::Approach(Thing::Door(0)), unlock],
            "WRONG_KEY steps[1] cannot unlock door 0 with item 1: the key does not fit",
        ),
        (
            vec![unlock; 1_000_001],
            "PLAN_TOO_LONG steps are 1000001, at most 1000000 are allowed",
        ),
    ] {
        let faults = verify(&problem, &Plan { actions }).unwrap_err();
        assert_eq!(texts(&faults), [text]);
    }
}
