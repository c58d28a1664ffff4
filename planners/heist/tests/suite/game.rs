//! Games go by their rules.

use crate::replay::{RecordError, verify_record};
use heist::game::{
    BeliefUpdate, Catcher, Ending, Game, Intervention, Outcome, PlayerAction, Replan, ReplanReason,
    Rules, Target, Verb, play,
};
use heist::generate::{MuseumParams, Sketch, museum, museum8, ring4};
use heist::museum::Thing;
use heist::{Action, LockState, Place, Refusal, World};
use proptest::collection::vec;
use proptest::prelude::*;

const O: LockState = LockState::OPEN;
const C: LockState = LockState::CLOSED;
const L: LockState = LockState::LOCKED;

const CURIOUS: Rules = Rules {
    replan: Replan::OnInconsistency,
    costs: heist::game::Costs {
        door: 1,
        container: 1,
        machine: 1,
        camera: 2,
    },
    ticks_max: 200,
};

fn intervention(tick: u32, verb: Verb, thing: Thing) -> Intervention {
    let target = Target::Thing(thing);
    let player_action = PlayerAction { verb, target };
    Intervention {
        tick,
        player_action,
    }
}

#[test]
fn a_burglar_who_is_seen_by_nobody_wins() {
    let record = play(&ring4(&[]), Rules::default(), &[]).unwrap();
    assert_eq!(record.ending, Ending::Won);
    assert_eq!(record.starts, [Some(10)]);
    assert_eq!(record.ticks.len(), 10);
    assert_eq!(record.cost, 0);
}

#[test]
fn a_camera_that_is_on_catches_at_the_end_of_the_tick() {
    let world = ring4(&[1]);
    let record = play(&world, Rules::default(), &[]).unwrap();
    let by = Catcher::Camera(0);
    assert_eq!(record.ending, Ending::Caught { by, room: 1 });
    let off = Intervention {
        tick: 1,
        player_action: PlayerAction {
            verb: Verb::Off,
            target: Target::Camera(0),
        },
    };
    let record = play(&world, Rules::default(), &[off]).unwrap();
    assert_eq!((record.ending, record.cost), (Ending::Won, 2));
}

#[test]
fn a_failed_action_costs_its_tick_and_teaches_what_is_there() {
    let world = ring4(&[1]);
    let lock = intervention(0, Verb::Lock, Thing::Door(0));
    let record = play(&world, Rules::default(), &[lock]).unwrap();
    assert_eq!(record.ending, Ending::Won);
    assert_eq!(record.ticks.len(), 12, "approach and fail, then ten more");
    let event = &record.ticks[1].events[0];
    assert_eq!(event.outcome, Outcome::Acted(Action::Enter(0)));
    assert_eq!(event.refusal, Some(Refusal::IsClosed));
    let lesson = BeliefUpdate::LockState {
        thing: Thing::Door(0),
        was: O,
        is: L,
    };
    assert_eq!(event.learned, [lesson]);
    let replanned = event.replanned.unwrap();
    assert_eq!(
        (replanned.why, replanned.actions),
        (ReplanReason::Failure, Some(10))
    );
}

#[test]
fn who_sees_a_door_closed_does_not_see_it_locked() {
    let world = ring4(&[1]);
    let locks = [0, 3].map(|door| intervention(0, Verb::Lock, Thing::Door(door)));
    let record = play(&world, Rules::default(), &locks).unwrap();
    let event = &record.ticks[1].events[0];
    let seen = BeliefUpdate::LockState {
        thing: Thing::Door(3),
        was: O,
        is: C,
    };
    assert_eq!(event.learned[1], seen);
    assert_eq!(record.ending, Ending::Stuck);
    let last = record.ticks.last().unwrap();
    assert_eq!(last.events[0].replanned.unwrap().actions, None);
}

#[test]
fn changing_rooms_through_a_door_is_no_capture() {
    let sketch = Sketch {
        rooms: 3,
        doors: &[(0, 1, O, &[]), (1, 2, O, &[]), (0, 2, L, &[])],
        containers: &[(2, O, &[])],
        items: &[0],
        guards: &[&[1, 0]],
        ..Sketch::default()
    };
    let world = sketch.world();
    let record = play(&world, Rules::default(), &[]).unwrap();
    assert_eq!(
        record.ticks[1].events[0].outcome,
        Outcome::Acted(Action::Enter(0))
    );
    assert_eq!(
        record.ticks[1].events[1].outcome,
        Outcome::Acted(Action::Enter(0))
    );
    assert!(record.ticks.len() > 2, "{:?}", record.ending);
    verify_record(&world, Rules::default(), &record).unwrap();
}

#[test]
fn a_vending_machine_holds_up_everybody_in_its_room() {
    let sketch = Sketch {
        rooms: 2,
        doors: &[(0, 1, O, &[])],
        containers: &[(1, O, &[])],
        items: &[0],
        machines: &[(0, 3)],
        ..Sketch::default()
    };
    let world = sketch.world();
    let alone = play(&world, Rules::default(), &[]).unwrap();
    let trigger = intervention(1, Verb::Trigger, Thing::Machine(0));
    let record = play(&world, Rules::default(), &[trigger]).unwrap();
    assert_eq!(record.ticks.len(), alone.ticks.len() + 3);
    for tick in &record.ticks[1..4] {
        assert_eq!(tick.events[0].outcome, Outcome::Delayed);
    }
}

#[test]
fn guards_begin_their_list_again() {
    let record = play(&museum8(), Rules::default(), &[]).unwrap();
    let again = record.ticks.iter().filter(|tick| {
        let replanned = tick.events[1].replanned;
        replanned.is_some_and(|it| it.why == ReplanReason::ListDone)
    });
    assert!(again.count() > 1);
}

#[test]
fn who_looks_about_plans_again_when_he_enters() {
    let mut spec = Sketch {
        rooms: 4,
        doors: &[
            (0, 1, O, &[]),
            (1, 2, O, &[]),
            (2, 3, O, &[]),
            (3, 0, O, &[]),
        ],
        containers: &[(2, O, &[])],
        items: &[0],
        ..Sketch::default()
    }
    .spec();
    spec.agents[0].belief.facts.doors[2] = L;
    let world = World::new(spec).unwrap();
    let record = play(&world, CURIOUS, &[]).unwrap();
    let why = |tick: usize| record.ticks[tick].events[0].replanned.map(|it| it.why);
    assert_eq!(why(1), None, "nothing new in room 1");
    assert_eq!(
        why(3),
        Some(ReplanReason::Inconsistency),
        "door 2 is seen open"
    );
    let blind = play(&world, Rules::default(), &[]).unwrap();
    let replans = blind.ticks.iter().filter_map(|it| it.events[0].replanned);
    assert_eq!(replans.count(), 0);
    verify_record(&world, CURIOUS, &record).unwrap();
}

#[test]
fn who_finds_an_open_container_empty_no_longer_knows_where_things_are() {
    let mut spec = Sketch {
        rooms: 2,
        doors: &[(0, 1, O, &[])],
        containers: &[(1, O, &[]), (1, C, &[])],
        items: &[1],
        ..Sketch::default()
    }
    .spec();
    spec.agents[0].belief.facts.items[0] = Place::In(0);
    let world = World::new(spec).unwrap();
    let record = play(&world, Rules::default(), &[]).unwrap();
    assert_eq!(record.ending, Ending::Stuck);
    let event = &record.ticks.last().unwrap().events[0];
    assert_eq!(event.refusal, Some(Refusal::NotThere));
    let help = intervention(0, Verb::Open, Thing::Container(1));
    let record = play(&world, Rules::default(), &[help]).unwrap();
    assert_eq!(
        record.ending,
        Ending::Won,
        "the burglar sees it in the other one"
    );
}

#[test]
fn player_deeds_turn_doors_whatever_they_are() {
    let cases = [
        (Verb::Lock, [L, L, L]),
        (Verb::Open, [O, O, O]),
        (Verb::Close, [C, C, L]),
        (Verb::Unlock, [O, C, C]),
    ];
    for (verb, after) in cases {
        for (before, after) in [O, C, L].into_iter().zip(after) {
            let world = Sketch {
                rooms: 2,
                doors: &[(0, 1, before, &[])],
                containers: &[(1, O, &[])],
                items: &[0],
                ..Sketch::default()
            }
            .world();
            let mut game = Game::new(&world, Rules::default());
            let player_action = intervention(0, verb, Thing::Door(0)).player_action;
            let done = game.step(&[player_action]).player_actions[0];
            assert_eq!(game.facts().doors[0], after, "{verb} {before:?}");
            assert_eq!(done.changed, before != after);
            let turned: [LockState; 3] = [O, C, L];
            if before != after && turned.contains(&after) {
                assert_eq!(
                    PlayerAction::turning(Thing::Door(0), before, after),
                    player_action
                );
            }
        }
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let rules = Rules {
        ticks_max: 0,
        ..Rules::default()
    };
    let list = [
        intervention(0, Verb::Lock, Thing::Door(9)),
        intervention(0, Verb::Trigger, Thing::Door(0)),
    ];
    let errors = play(&ring4(&[]), rules, &list).unwrap_err();
    assert_eq!(errors.len(), 5);
    let rules: Vec<_> = errors.iter().map(|it| (it.code, it.field())).collect();
    let expected = [
        ("OUT_OF_RANGE", "rules.max_ticks"),
        ("UNKNOWN", "interventions[0].target_id"),
        ("OUT_OF_RANGE", "interventions[0].tick"),
        ("WRONG_KIND", "interventions[1].target_id"),
        ("OUT_OF_RANGE", "interventions[1].tick"),
    ];
    assert_eq!(rules, expected.map(|(code, field)| (code, field.into())));
}

#[test]
fn nothing_happens_after_the_end() {
    let world = ring4(&[1]);
    let mut game = Game::new(&world, Rules::default());
    while game.ending().is_none() {
        game.step(&[]);
    }
    let over = game.clone();
    assert!(game.step(&[]).events.is_empty());
    assert_eq!(game.now(), over.now());
}

#[test]
fn a_forged_record_is_refused() {
    let world = museum8();
    let rules = Rules::default();
    let lock = intervention(1, Verb::Lock, Thing::Door(4));
    let record = play(&world, rules, &[lock]).unwrap();
    verify_record(&world, rules, &record).unwrap();
    let refused = |change: &dyn Fn(&mut heist::game::Record)| {
        let mut forged = record.clone();
        change(&mut forged);
        verify_record(&world, rules, &forged).unwrap_err()
    };
    let failed = record
        .ticks
        .iter()
        .position(|it| it.events[0].refusal.is_some());
    let (tick, agent) = (failed.unwrap(), 0);
    assert_eq!(
        refused(&|it| it.cost = 0),
        RecordError::Cost { recorded: 0 }
    );
    let error = refused(&|it| it.ticks[tick].events[0].refusal = None);
    assert_eq!(error, RecordError::Refusal { tick, agent });
    let error = refused(&|it| it.ticks[tick].events[0].learned.clear());
    assert_eq!(error, RecordError::Learned { tick, agent });
    let error = refused(&|it| it.ticks[tick].events[0].replanned = None);
    assert_eq!(error, RecordError::Replanned { tick, agent });
    let error = refused(&|it| it.ticks[tick].events[0].outcome = Outcome::Waited);
    assert_eq!(error, RecordError::Outcome { tick, agent });
    let error = refused(&|it| it.ticks[1].player_actions[0].changed = false);
    assert_eq!(error, RecordError::PlayerAction { tick: 1, index: 0 });
    let error = refused(&|it| {
        it.ending = Ending::Won;
        it.ticks.last_mut().unwrap().ending = Some(Ending::Won);
    });
    assert!(matches!(error, RecordError::Ending { .. }));
    let error = refused(&|it| it.ticks.truncate(2));
    assert!(matches!(error, RecordError::Shape { .. }));
}

proptest! {
    /// Every game ends, its record is verified, and a repetition is the same.
    #[test]
    fn records_of_games_are_verified(
        seed: u64, curious: bool, copies in 0..3_usize,
        player_actions in vec((0_u32..40, 0_usize..60, 0_usize..4), 0..6),
    ) {
        let params = MuseumParams {
            copies,
            cameras: 1,
            guards: 2,
            machines: 2,
            wrong_percent: 20,
            ..MuseumParams::default()
        };
        let world = museum(&params, seed);
        let layout = world.museum().layout();
        let mut list = Vec::new();
        for (tick, index, verb) in player_actions {
            let things = [layout.doors.len(), layout.containers.len(), layout.machines.len()];
            let mut player_action = |verb, target| {
                let player_action = PlayerAction { verb, target };
                list.push(Intervention { tick, player_action });
            };
            let turn = [Verb::Lock, Verb::Unlock, Verb::Open, Verb::Close][verb];
            match verb {
                0 | 1 => player_action(turn, Target::Thing(Thing::Door(index % things[0]))),
                2 => player_action(turn, Target::Thing(Thing::Container(index % things[1]))),
                _ if index % 2 == 0 => {
                    let machine = Thing::Machine(index % things[2]);
                    player_action(Verb::Trigger, Target::Thing(machine));
                }
                _ => player_action([Verb::On, Verb::Off][index / 2 % 2], Target::Camera(0)),
            }
        }
        let replan = if curious { Replan::OnInconsistency } else { Replan::OnFailure };
        let rules = Rules { replan, ticks_max: 150, ..Rules::default() };
        let record = play(&world, rules, &list).unwrap();
        prop_assert_eq!(verify_record(&world, rules, &record), Ok(()));
        prop_assert_eq!(play(&world, rules, &list).unwrap(), record);
    }
}

#[test]
fn what_is_locked_in_may_wait_for_a_key_that_lies_open_beside_it() {
    let world = Sketch {
        rooms: 2,
        doors: &[(0, 1, L, &[0])],
        containers: &[(0, O, &[]), (1, O, &[]), (0, L, &[1])],
        keys: 2,
        items: &[0, 1, 2],
        ..Sketch::default()
    }
    .world();
    let record = play(&world, Rules::default(), &[]).unwrap();
    assert_eq!(record.ending, Ending::Won);
    assert_eq!(record.starts, [Some(14)]);
}
