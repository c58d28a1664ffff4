//! Pictures of heists.

mod any;
mod copies;
mod played;
mod villa;

use crate::NARROW;
use stratagem_proto::v1::{
    HeistCurrent, HeistEvent, HeistItemPlace, HeistLockState, HeistOutcome, HeistOutcomeKind,
    HeistPlan, HeistProblem, HeistRoom, HeistState, HeistStep, HeistTick, HeistVerb, HeistWorld,
    SimulateHeistResponse,
};
use stratagem_render::heist::{
    Drawn, Game, Scene, game as film, moment, outcome_words, scene, sections, tick_lines,
};
use stratagem_render::text::TextOptions;
use villa::{outcome, plan, problem, strings};

fn svg(problem: &HeistProblem, drawn: Drawn<'_>) -> String {
    scene(problem, drawn).svg()
}

fn page(problem: &HeistProblem, drawn: Drawn<'_>) -> String {
    scene(problem, drawn).html()
}

fn text(problem: &HeistProblem, drawn: Drawn<'_>, options: &TextOptions) -> String {
    scene(problem, drawn).text(options)
}

fn game_text(game: Game<'_>, options: &TextOptions) -> String {
    film(game).untitled().text(options)
}

fn golden(name: &str, text: &str) {
    crate::golden::check("heist", name, text);
}

/// The villa with its plan, given to `draw`.
fn villa<T>(draw: impl Fn(&HeistProblem, Drawn<'_>) -> T) -> T {
    let (plan, outcome) = (plan(), outcome());
    let drawn = Drawn {
        plan: Some(&plan),
        outcome: Some(&outcome),
    };
    draw(&problem(), drawn)
}

fn lines_of(problem: &HeistProblem, title: &str) -> Vec<String> {
    let scene = Scene::new(problem);
    let mut found = sections(&scene).into_iter().filter(|s| s.title == title);
    found.next().map_or(Vec::new(), |s| s.lines)
}

#[test]
fn documents_are_as_they_were() {
    golden("villa.svg", &villa(svg));
    golden("villa.html", &villa(page));
}

#[test]
fn texts_are_as_they_were() {
    golden("villa.txt", &villa(|p, d| text(p, d, &NARROW)));
    golden(
        "villa-text.txt",
        &text(&problem(), Drawn::default(), &NARROW),
    );
    let ascii = TextOptions {
        ascii: true,
        width: 60,
        ..NARROW
    };
    let text = villa(|p, d| text(p, d, &ascii));
    golden("villa-ascii.txt", &text);
    assert!(text.is_ascii());
}

#[test]
fn games_are_told_and_move() {
    let (problem, messages) = (problem(), played::messages(plan()));
    let game = Game {
        world: problem.world.as_ref().unwrap(),
        messages: &messages,
    };
    let text = game_text(game, &NARROW);
    golden("game.txt", &text);
    golden("game.svg", &film(game).svg());
    golden("game.html", &film(game).html());
    // From the middle on it is the same.
    let later = tick_lines(game, 3).join("\n");
    assert!(
        text.contains(&later) && later.starts_with("    3  burglar in hall: enters kitchen"),
        "{later}"
    );
}

#[test]
fn in_the_middle_of_a_game_things_are_as_they_were_left() {
    let (problem, messages) = (problem(), played::messages(plan()));
    let world = problem.world.as_ref().unwrap();
    let game = Game {
        world,
        messages: &messages,
    };
    assert_eq!(moment(game, 0), *world);
    let burglar = |tick| moment(game, tick).burglar.unwrap();
    let believed = |tick| burglar(tick).belief.unwrap().states.pop().unwrap();
    assert_eq!(believed(1).lock_state(), HeistLockState::Open);
    assert_eq!(believed(2).lock_state(), HeistLockState::Closed);
    assert_eq!(
        (burglar(3).room_id, burglar(4).room_id),
        ("hall".into(), "kitchen".into())
    );
    let end = moment(game, 5);
    assert_eq!(end.guards[0].room_id, "<court>");
    assert_ne!(world.cameras[1].active, Some(false));
    assert_eq!(end.cameras[1].active, Some(false));
}

#[test]
fn what_others_do_he_goes_on_not_to_know() {
    let problem = problem();
    let step = |verb: HeistVerb, target: &str| HeistStep {
        verb: verb.into(),
        target_id: target.into(),
        ..HeistStep::default()
    };
    let event = |step| HeistEvent {
        agent_id: "gus".into(),
        room_id: "library".into(),
        step: Some(step),
        ..HeistEvent::default()
    };
    let tick = HeistTick {
        events: vec![
            event(step(HeistVerb::Open, "desk")),
            event(step(HeistVerb::PickUp, "brass")),
        ],
        ..HeistTick::default()
    };
    let message = SimulateHeistResponse {
        tick: Some(tick),
        ..SimulateHeistResponse::default()
    };
    let game = Game {
        world: problem.world.as_ref().unwrap(),
        messages: &[message],
    };
    let world = moment(game, 1);
    assert_eq!(world.guards[0].item_ids, ["brass"]);
    assert_eq!(world.containers[0].lock_state(), HeistLockState::Open);
    let now = HeistProblem {
        world: Some(world),
        ..HeistProblem::default()
    };
    let beliefs = lines_of(&now, "Wrong beliefs");
    assert_eq!(
        beliefs[1..3],
        [
            "desk (library) is open; it is believed to be closed",
            "brass is with gus; it is believed in desk (library)"
        ]
    );
}

#[test]
fn colours_change_no_character() {
    let coloured = TextOptions {
        colour: true,
        ..NARROW
    };
    let mut bare = villa(|p, d| text(p, d, &coloured));
    assert!(bare.contains("\u{1b}["), "{bare}");
    for code in ["0", "1", "2", "31", "32", "33", "34", "35", "36"] {
        bare = bare.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(bare, villa(|p, d| text(p, d, &NARROW)));
}

#[test]
fn rooms_are_where_the_problem_has_them() {
    let mut problem = problem();
    let placed = &mut problem.world.as_mut().unwrap().rooms;
    for (n, room) in placed.iter_mut().enumerate() {
        // Mirrored: the hall is at the right.
        room.x = Some(40.0 - 20.0 * (n % 3) as f64);
        room.y = Some(10.0 * (n / 3) as f64);
    }
    let map = text(&problem, Drawn::default(), &NARROW);
    let names = map.lines().find(|l| l.contains("hall")).unwrap();
    let at = |name: &str| names.find(name).unwrap();
    assert!(
        at("library") < at("salon") && at("salon") < at("hall"),
        "{map}"
    );
    let picture = svg(&problem, Drawn::default());
    assert!(picture.contains("library"), "{picture}");
}

#[test]
fn a_map_that_is_too_wide_says_so() {
    let room = |n: usize| HeistRoom {
        id: n.to_string(),
        x: Some(n as f64),
        y: Some(0.0),
    };
    let world = HeistWorld {
        rooms: (0..200).map(room).collect(),
        ..HeistWorld::default()
    };
    let problem = HeistProblem {
        world: Some(world),
        ..HeistProblem::default()
    };
    let text = text(&problem, Drawn::default(), &NARROW);
    assert!(text.contains("draw it as SVG"), "{text}");
}

#[test]
fn what_he_found_out_is_no_wrong_belief_any_more() {
    let mut problem = problem();
    assert_eq!(lines_of(&problem, "Wrong beliefs").len(), 2);
    problem.current = Some(HeistCurrent {
        room_id: "salon".into(),
        item_ids: strings(&["iron"]),
        states: vec![HeistState {
            id: "d-salon".into(),
            lock_state: stratagem_proto::v1::HeistLockState::Closed.into(),
        }],
        ..HeistCurrent::default()
    });
    let beliefs = lines_of(&problem, "Wrong beliefs");
    assert_eq!(
        beliefs,
        ["the camera cam-1 in study is off; it is believed to be on"]
    );
    let errand = lines_of(&problem, "The errand");
    assert_eq!(errand[..2], ["burglar is in salon", "has iron"]);
}

#[test]
fn keys_behind_locks_are_told_with_what_is_in_the_way() {
    assert_eq!(
        lines_of(&problem(), "Obstacles"),
        [
            "to ruby in vault: the door d-vault (cellar - vault) is locked (brass); 1 closed door; \
             safe is locked (iron or brass)",
            "to brass in library: all doors stand open",
            "to iron in study: every path leads through a room to avoid, such as study",
        ]
    );
    let mut problem = problem();
    let burglar = problem.world.as_mut().unwrap().burglar.as_mut().unwrap();
    burglar.belief.as_mut().unwrap().items = vec![HeistItemPlace {
        item_id: "ruby".into(),
        container_id: String::new(),
    }];
    assert_eq!(
        lines_of(&problem, "Obstacles"),
        ["to ruby: no place is known where it can be taken"]
    );
}

#[test]
fn outcomes_name_who_catches_him_and_where() {
    let (problem, plan) = (problem(), plan());
    let scene = Scene::new(&problem);
    let caught = HeistOutcome {
        kind: HeistOutcomeKind::Caught.into(),
        step: Some(13),
        by_id: "gus".into(),
    };
    let words = outcome_words(&scene, &plan, &caught);
    assert_eq!(words, "caught after step 14: in cellar, by the guard gus");
    let words = outcome_words(&scene, &plan, &outcome());
    assert_eq!(
        words,
        "it fails at step 2: in hall d-salon is believed to be open, it is closed"
    );
}

#[test]
fn nothing_to_do_is_told() {
    let empty = HeistPlan::default();
    let drawn = Drawn {
        plan: Some(&empty),
        outcome: None,
    };
    assert!(text(&problem(), drawn, &NARROW).contains("nothing is to be done"));
}
