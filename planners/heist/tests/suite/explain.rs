//! Reasons hold: each reported change makes a plan possible, and no reason is given where a plan
//! exists.

use anytime::{CancelToken, Pulse};
use heist::explain::{alternatives, infeasibility_reasons, unavoidable};
use heist::generate::Sketch;
use heist::solve::{best_plan, exists};
use heist::{Action, AgentTask, Cost, Goal, LockState, Place, Problem, Spec, World, verify};

/// A ring of rooms with open doors, `key` in the box in room 1, the case with the artifact, locked,
/// across from the start.
fn ring(rooms: usize, change: impl FnOnce(&mut Spec)) -> Spec {
    let door = |room| (room, (room + 1) % rooms, LockState::OPEN, &[][..]);
    let sketch = Sketch {
        rooms,
        doors: &(0..rooms).map(door).collect::<Vec<_>>(),
        containers: &[
            (1, LockState::CLOSED, &[]),
            (rooms / 2, LockState::LOCKED, &[0]),
        ],
        keys: 1,
        items: &[0, 1],
        ..Sketch::default()
    };
    let mut spec = sketch.spec();
    change(&mut spec);
    spec
}

fn problem(spec: Spec, avoid: &[usize]) -> Problem {
    let world = World::new(spec).expect("the world makes sense");
    Problem::new(world, 0, avoid).expect("the errand makes sense")
}

/// Code, subject and blocker of each reason, all of which are proved.
fn reasons(problem: &Problem) -> Vec<Rule> {
    let reasons = infeasibility_reasons(problem).into_iter();
    let rules = reasons.map(|reason| {
        assert!(reason.is_proved);
        (reason.fault.code, reason.subject, reason.blocker)
    });
    rules.collect()
}

type Element = Option<(&'static str, usize)>;
type Rule = (&'static str, Element, Element);

const fn item(item: usize, container: Element) -> Rule {
    ("ITEM_OUT_OF_REACH", Some(("item", item)), container)
}

const fn room(code: &'static str, room: usize) -> Rule {
    (code, Some(("room", room)), None)
}

const CASE: Element = Some(("container", 1));

#[test]
fn what_is_possible_has_no_reasons() {
    assert_eq!(reasons(&problem(ring(6, |_| {}), &[])), []);
}

#[test]
fn the_room_that_cuts_the_way_is_told() {
    let problem = problem(ring(6, |_| {}), &[2, 4]);
    assert_eq!(
        reasons(&problem),
        [
            item(1, CASE),
            room("TRAP_IN_THE_WAY", 2),
            room("TRAP_IN_THE_WAY", 4)
        ]
    );
}

#[test]
fn the_key_that_is_out_of_reach_is_told() {
    // The key lies in the case that it opens.
    let spec = ring(6, |spec| {
        let facts = &mut spec.agents[0].belief.facts;
        facts.items[0] = Place::In(1);
    });
    assert_eq!(
        reasons(&problem(spec, &[])),
        [
            item(1, CASE),
            ("KEY_LACKING", Some(("item", 0)), CASE),
            ("LOCK_IN_THE_WAY", CASE, None),
        ]
    );
}

#[test]
fn an_item_that_nobody_knows_of_has_no_other_reason() {
    let spec = ring(6, |spec| {
        spec.agents[0].belief.facts.items[1] = Place::Unknown;
    });
    assert_eq!(reasons(&problem(spec, &[])), [item(1, None)]);
}

#[test]
fn rooms_and_the_end_that_are_cut_off_are_told() {
    let spec = ring(4, |spec| {
        spec.agents[0].goal = Goal {
            visits: vec![2, 2],
            in_order: true,
            room: Some(2),
            ..Goal::default()
        };
    });
    assert_eq!(
        reasons(&problem(spec, &[1, 3])),
        [
            room("ROOM_OUT_OF_REACH", 2),
            room("END_OUT_OF_REACH", 2),
            room("TRAP_IN_THE_WAY", 1),
            room("TRAP_IN_THE_WAY", 3),
        ]
    );
}

#[test]
fn other_plans_do_without_a_room_and_hold() {
    let problem = problem(ring(6, |_| {}), &[]);
    let plan = best_plan(&AgentTask::new(&problem)).unwrap();
    let forever = Pulse::new(None, CancelToken::new());
    let others = alternatives(&problem, &plan, 10, &forever);
    assert!(!others.is_empty());
    let first = plan.actions.len();
    let mut last = first;
    for other in &others {
        let Ok(Cost { actions }) = verify(&problem, &other.plan) else {
            panic!("{other:?}")
        };
        assert!(actions as usize >= last, "the shortest first");
        last = actions as usize;
        let mut room = 0;
        for action in &other.plan.actions {
            if let Action::Enter(door) = *action {
                room = problem.museum().behind(door, room);
                assert_ne!(room, other.without);
            }
        }
    }
    assert_eq!(alternatives(&problem, &plan, 1, &forever).len(), 1);
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let over = Pulse::new(None, cancelled);
    assert_eq!(alternatives(&problem, &plan, 10, &over), []);
}

#[test]
fn rooms_without_which_there_is_no_plan_are_unavoidable() {
    let problem = problem(ring(6, |_| {}), &[]);
    let plan = best_plan(&AgentTask::new(&problem)).unwrap();
    assert_eq!(unavoidable(&problem, &plan), [0, 1, 3]);
    for room in 0..6 {
        let mut traps = problem.traps().to_vec();
        traps[room] = true;
        let task = AgentTask {
            traps: &traps,
            ..AgentTask::new(&problem)
        };
        assert_eq!(exists(&task), ![1, 3].contains(&room), "{room}");
    }
}
