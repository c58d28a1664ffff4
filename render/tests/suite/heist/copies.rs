//! A key with copies, and two who pass each other in a door.

use super::villa::{container, door, strings};
use super::{NARROW, lines_of};
use stratagem_proto::v1::{
    HeistAgent, HeistBelief, HeistCurrent, HeistEvent, HeistGoal, HeistItemPlace, HeistLockState,
    HeistProblem, HeistRoom, HeistStep, HeistTick, HeistVerb, HeistWorld, SimulateHeistResponse,
};
use stratagem_render::heist::{Drawn, Game, Scene, game as film, moment, scene, steps};

fn game_text(game: Game<'_>, options: &stratagem_render::text::TextOptions) -> String {
    film(game).untitled().text(options)
}

/// Two rooms with a door between them, a key in each and one with the guard, and a case that it
/// fits.
fn world() -> HeistWorld {
    let room = |id: &str| HeistRoom {
        id: id.into(),
        ..HeistRoom::default()
    };
    let mut case = container("case", "right", HeistLockState::Locked, &["crown"]);
    case.key_ids = strings(&["silver"]);
    HeistWorld {
        rooms: vec![room("left"), room("right")],
        doors: vec![door("arch", ["left", "right"], HeistLockState::Open)],
        containers: vec![
            container("pot", "left", HeistLockState::Open, &["silver"]),
            container("jar", "right", HeistLockState::Open, &["silver"]),
            case,
        ],
        key_ids: strings(&["silver"]),
        artifact_ids: strings(&["crown"]),
        burglar: Some(HeistAgent {
            room_id: "left".into(),
            ..HeistAgent::default()
        }),
        guards: vec![HeistAgent {
            id: "gus".into(),
            room_id: "right".into(),
            item_ids: strings(&["silver"]),
            goal: Some(HeistGoal {
                visit_room_ids: strings(&["right", "left"]),
                ..HeistGoal::default()
            }),
            ..HeistAgent::default()
        }],
        ..HeistWorld::default()
    }
}

fn problem(world: HeistWorld) -> HeistProblem {
    HeistProblem {
        world: Some(world),
        ..HeistProblem::default()
    }
}

fn event(agent: &str, [room, at]: [&str; 2], verb: HeistVerb, target: &str) -> HeistEvent {
    HeistEvent {
        agent_id: agent.into(),
        room_id: room.into(),
        at_id: at.into(),
        step: Some(HeistStep {
            verb: verb.into(),
            target_id: target.into(),
            ..HeistStep::default()
        }),
        ..HeistEvent::default()
    }
}

fn tick(number: i32, events: Vec<HeistEvent>) -> SimulateHeistResponse {
    SimulateHeistResponse {
        tick: Some(HeistTick {
            tick: number,
            events,
            ..HeistTick::default()
        }),
        ..SimulateHeistResponse::default()
    }
}

#[test]
fn each_copy_is_shown_where_it_is() {
    let lines = lines_of(&problem(world()), "Locks and keys");
    let copies = "silver has 3 copies: in pot (left), which is open; in jar (right), which is open; with gus";
    assert_eq!(lines.last().map(String::as_str), Some(copies));
    let picture = scene(&problem(world()), Drawn::default()).text(&NARROW);
    let both = picture.contains("@⌂[k]") && picture.contains("[k][#$]G");
    assert!(both, "{picture}");
    let mut wrong = world();
    let place = |container: &str| HeistItemPlace {
        item_id: "silver".into(),
        container_id: container.into(),
    };
    wrong.burglar.as_mut().unwrap().belief = Some(HeistBelief {
        items: vec![place("jar")],
        ..HeistBelief::default()
    });
    let lines = lines_of(&problem(wrong), "Wrong beliefs");
    let wrong =
        "silver is in pot (left) and in jar (right) and with gus; it is believed in jar (right)";
    assert!(lines.contains(&wrong.to_owned()), "{lines:?}");
    // Who has taken one still knows of the other.
    let mut later = problem(world());
    later.current = Some(HeistCurrent {
        item_ids: strings(&["silver"]),
        ..HeistCurrent::default()
    });
    let lines = lines_of(&later, "Locks and keys");
    let left = "silver has 3 copies: in jar (right), which is open; with gus; with burglar";
    assert_eq!(lines.last().map(String::as_str), Some(left));
}

#[test]
fn the_copy_in_the_room_is_the_one_that_is_taken() {
    let plan = stratagem_proto::v1::HeistPlan {
        steps: [
            (HeistVerb::Approach, "arch"),
            (HeistVerb::Enter, "arch"),
            (HeistVerb::Approach, "jar"),
            (HeistVerb::PickUp, "silver"),
        ]
        .map(|(verb, target)| HeistStep {
            verb: verb.into(),
            target_id: target.into(),
            ..HeistStep::default()
        })
        .into(),
    };
    let problem = problem(world());
    let words = steps(&Scene::new(&problem), &plan);
    assert_eq!(words[3].words, "takes silver out of jar");
}

#[test]
fn whoever_takes_a_copy_leaves_the_others() {
    let world = world();
    let messages = [tick(
        0,
        vec![
            event("burglar", ["left", "arch"], HeistVerb::Approach, "arch"),
            event("gus", ["right", "jar"], HeistVerb::PickUp, "silver"),
        ],
    )];
    let now = moment(
        Game {
            world: &world,
            messages: &messages,
        },
        1,
    );
    let inside = |n: usize| now.containers[n].item_ids.as_slice();
    assert_eq!((inside(0).len(), inside(1).len()), (1, 0));
    // The burglar goes on believing in both.
    let burglar = now.burglar.unwrap().belief.unwrap();
    let believed: Vec<_> = burglar.items.iter().map(|it| &*it.container_id).collect();
    assert_eq!(believed, ["pot", "jar"]);
}

#[test]
fn two_who_change_rooms_through_one_door_are_said_to_pass() {
    let world = world();
    let enters = |agent: &str, room: &str| event(agent, [room, "arch"], HeistVerb::Enter, "arch");
    let approaches =
        |agent: &str, room: &str| event(agent, [room, "arch"], HeistVerb::Approach, "arch");
    let both = |then: HeistEvent| {
        [
            tick(
                0,
                vec![approaches("burglar", "left"), approaches("gus", "right")],
            ),
            tick(1, vec![enters("burglar", "right"), then]),
        ]
    };
    let passes = "burglar and gus pass each other in the door arch: that is no capture";
    let passing = both(enters("gus", "left"));
    let game = |messages| Game {
        world: &world,
        messages,
    };
    let wide = stratagem_render::text::TextOptions {
        width: 120,
        ..NARROW
    };
    let text = game_text(game(&passing), &wide);
    assert_eq!(text.matches(passes).count(), 1, "{text}");
    assert!(film(game(&passing)).html().contains(passes));
    let mut fails = enters("gus", "right");
    fails.refusal = "IS_CLOSED".into();
    let meeting = both(fails);
    assert!(!game_text(game(&meeting), &NARROW).contains("pass each other"));
}
