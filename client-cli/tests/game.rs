//! The game against a plan: what the plan does, what the player may do, who wins.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use stratagem_cli::game::{Game, News, Plan, Rules, broken};
use stratagem_cli::input::{Kind, built_in, example};
use stratagem_cli::moves::{Move, parse_move};
use stratagem_proto::v1::{
    TemporalDispatchWait, TemporalDispatchableNetwork, TemporalNetwork, TemporalSchedule,
    TemporalScheduledEvent,
};
use stratagem_render::time::from_micros;

const SECOND: i64 = 1_000_000;

fn built(name: &str) -> TemporalNetwork {
    match example(built_in(name).unwrap().unwrap()).unwrap() {
        Kind::Temporal(network) => network,
        other => panic!("{other:?}"),
    }
}

/// The way to carry out the delivery: the lamp waits for the courier, or for 15 minutes.
fn delivery(waits: bool) -> (Rules, Plan) {
    let wait = TemporalDispatchWait {
        event_id: "lamp-lit".into(),
        from_event_id: "leave".into(),
        until_event_id: "arrive".into(),
        duration: Some(from_micros(900 * SECOND)),
    };
    let network = TemporalDispatchableNetwork {
        bounds: Vec::new(),
        waits: if waits { vec![wait] } else { Vec::new() },
    };
    let rules = Rules::new(&built("temporal/delivery")).unwrap();
    let plan = Plan::dispatch(&rules, &network);
    (rules, plan)
}

/// Fixed times for the heist, in seconds; 68 to 72 is right for the van.
fn heist(van: i64) -> (Rules, Plan) {
    let at = |id: &str, s: i64| TemporalScheduledEvent {
        event_id: id.into(),
        time_offset: Some(from_micros(s * SECOND)),
    };
    let schedule = TemporalSchedule {
        events: vec![
            at("power-cut", 10),
            at("van-at-door", van),
            at("power-back", van + 5),
        ],
        ranges: Vec::new(),
    };
    let rules = Rules::new(&built("temporal/heist")).unwrap();
    let plan = Plan::schedule(&rules, &schedule);
    (rules, plan)
}

fn event(rules: &Rules, id: &str) -> usize {
    rules.events.iter().position(|e| e == id).unwrap()
}

/// When each event happened, in seconds.
fn seconds(game: &Game<'_>) -> Vec<i64> {
    game.times().iter().map(|t| t.unwrap() / SECOND).collect()
}

#[test]
fn left_alone_everything_of_others_happens_at_the_latest() {
    let (rules, plan) = delivery(true);
    let mut game = Game::new(&rules, plan);
    game.finish();
    // leave, arrive, lamp-lit, hand-over.
    assert_eq!(seconds(&game), [0, 1_200, 900, 1_260]);
    assert_eq!(broken(&rules, game.times()), [""; 0]);
}

#[test]
fn the_plan_reacts_to_what_it_sees() {
    let (rules, plan) = delivery(true);
    let arrive = event(&rules, "arrive");
    let mut game = Game::new(&rules, plan);
    game.wait_until(700 * SECOND);
    assert_eq!(game.happen(arrive), Ok(()));
    game.finish();
    assert_eq!(seconds(&game), [0, 700, 700, 760]);
    assert_eq!(broken(&rules, game.times()), [""; 0]);
}

#[test]
fn without_its_waits_the_plan_can_be_broken() {
    let (rules, plan) = delivery(false);
    let mut game = Game::new(&rules, plan);
    game.finish();
    let sentences = broken(&rules, game.times());
    assert_eq!(
        sentences,
        ["welcome: arrive came 15m after lamp-lit, but at most 5m after it is required"]
    );
}

#[test]
fn what_is_not_the_players_turn_is_refused_with_a_reason() {
    let (rules, plan) = heist(68);
    let mut game = Game::new(&rules, plan);
    let refused = |game: &mut Game<'_>, id: &str| game.happen(event(&rules, id)).unwrap_err();
    assert_eq!(
        refused(&mut game, "player-in"),
        "player-in comes after power-cut, which has not happened"
    );
    assert_eq!(
        refused(&mut game, "van-at-door"),
        "van-at-door is ours: the plan decides"
    );
    game.wait_until(11 * SECOND);
    assert_eq!(
        refused(&mut game, "player-in"),
        "player-in may not happen before 12s"
    );
    game.wait_until(20 * SECOND);
    assert_eq!(game.happen(event(&rules, "player-in")), Ok(()));
    assert_eq!(refused(&mut game, "player-in"), "player-in happened at 20s");
}

#[test]
fn time_that_is_over_makes_events_happen() {
    let (rules, plan) = heist(68);
    let mut game = Game::new(&rules, plan);
    game.wait_until(40 * SECOND);
    let expected = [
        News::Happened {
            event: event(&rules, "power-cut"),
            at_us: 10 * SECOND,
            by: "our plan",
        },
        News::Happened {
            event: event(&rules, "player-in"),
            at_us: 30 * SECOND,
            by: "at the latest",
        },
    ];
    assert_eq!(game.news(), expected);
    assert_eq!(game.news(), []);
}

#[test]
fn at_one_moment_others_may_go_before_and_after_our_event() {
    let (rules, plan) = delivery(true);
    let arrive = event(&rules, "arrive");
    let mut game = Game::new(&rules, plan);
    game.wait_until(900 * SECOND);
    // The lamp would be lit now; the courier is first.
    assert_eq!(game.times()[event(&rules, "lamp-lit")], None);
    assert_eq!(game.happen(arrive), Ok(()));
    game.wait_until(901 * SECOND);
    assert_eq!(game.times()[event(&rules, "lamp-lit")], Some(900 * SECOND));
    // Our event at the moment is made to happen when the player needs it first.
    let (rules, plan) = heist(68);
    let mut game = Game::new(&rules, plan);
    game.wait_until(10 * SECOND);
    assert!(game.happen(event(&rules, "player-in")).is_err());
    assert_eq!(game.times()[event(&rules, "power-cut")], Some(10 * SECOND));
}

#[test]
fn a_van_that_comes_too_early_is_beaten_by_a_slow_player() {
    let (rules, plan) = heist(60);
    let mut game = Game::new(&rules, plan);
    game.finish();
    let sentences = broken(&rules, game.times());
    assert_eq!(
        sentences,
        ["pick-up: van-at-door came 5s before loot-out, but at least 3s after it is required"]
    );
}

#[test]
fn a_plan_may_begin_before_the_origin() {
    let (rules, _) = heist(68);
    let early = TemporalSchedule {
        events: vec![TemporalScheduledEvent {
            event_id: "power-cut".into(),
            time_offset: Some(from_micros(-5 * SECOND)),
        }],
        ranges: Vec::new(),
    };
    let mut game = Game::new(&rules, Plan::schedule(&rules, &early));
    assert_eq!(game.now_us(), -5 * SECOND);
    game.wait_until(0);
    assert_eq!(game.times()[event(&rules, "power-cut")], Some(-5 * SECOND));
}

proptest! {
    /// A plan that is right keeps every requirement, whatever a teammate does within the rules.
    #[test]
    fn nobody_beats_a_right_schedule(
        van in 68_i64..=72,
        shares in prop::array::uniform3(0_i64..=1_000),
    ) {
        let (rules, plan) = heist(van);
        let mut game = Game::new(&rules, plan);
        for (id, share) in ["player-in", "vault-open", "loot-out"].into_iter().zip(shares) {
            let event = event(&rules, id);
            // Until it is the player's turn.
            while !game.choices().iter().any(|c| c.event == event && c.waits_for.is_empty()) {
                let (at, _) = game.next_of_ours().unwrap();
                game.wait_until(at + 1);
            }
            let choice = game.choices().into_iter().find(|c| c.event == event).unwrap();
            let latest = choice.latest_us.unwrap();
            game.wait_until(choice.earliest_us + (latest - choice.earliest_us) * share / 1_000);
            prop_assert_eq!(game.happen(event), Ok(()));
        }
        game.finish();
        prop_assert_eq!(broken(&rules, game.times()), Vec::<String>::new());
    }

    /// The same for Nature and a right way to act.
    #[test]
    fn nobody_beats_a_right_strategy(ride in 600_i64..=1_200, pause in 0_i64..600) {
        let (rules, plan) = delivery(true);
        let mut game = Game::new(&rules, plan);
        game.wait_until(pause * SECOND);
        game.wait_until(ride * SECOND);
        let _ = game.happen(event(&rules, "arrive"));
        game.finish();
        prop_assert_eq!(broken(&rules, game.times()), Vec::<String>::new());
        prop_assert_eq!(game.times()[event(&rules, "arrive")], Some(ride * SECOND));
    }

    /// Commands are read or refused, never more.
    #[test]
    fn any_line_is_a_move_or_a_mistake(line in ".{0,60}") {
        let (rules, _) = heist(68);
        let _ = parse_move(&line, &rules);
    }
}

#[test]
fn commands_are_read() {
    let (rules, _) = heist(68);
    let player = event(&rules, "player-in");
    for (line, wanted) in [
        ("wait 1.5s", Move::Wait(1_500_000)),
        (" happen player-in ", Move::Happen(player, None)),
        ("h player-in 1m", Move::Happen(player, Some(60 * SECOND))),
        ("show", Move::Status),
        ("?", Move::Help),
        ("end", Move::End),
        ("", Move::Nothing),
        ("# then we wait", Move::Nothing),
    ] {
        assert_eq!(parse_move(line, &rules), Ok(wanted), "{line}");
    }
    for line in [
        "wait",
        "wait soon",
        "happen nobody",
        "happen player-in soon",
        "jump",
    ] {
        assert!(parse_move(line, &rules).is_err(), "{line}");
    }
}
