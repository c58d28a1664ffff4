//! Heists in the formats of others: worlds in JSON, PDDL, and plans of PDDL planners.

mod pddl;

use formats::heist::{deeds, world};
use formats::{Format, Mistake, Options, Recognised, json, yaml};
use stratagem_proto::v1::any_problem::Kind;
use stratagem_proto::v1::{
    DesignHeistResponse, HeistInterventionVerb, HeistLevel, HeistLockState, HeistProblem,
    HeistWorld,
};

const CHALET: &str = r#"{
  "name": "The chalet",
  "rooms": ["porch", "parlour", "attic"],
  "entrance": "porch",
  "doors": [
    {"id": "front", "a": "porch", "b": "parlour", "open": false, "locked": true, "key": "latchkey"},
    {"id": "ladder", "a": "parlour", "b": "attic", "open": true, "locked": false, "key": null}
  ],
  "containers": [
    {"id": "pot", "room": "porch", "open": true, "locked": false, "key": null, "items": ["latchkey"]},
    {"id": "trunk", "room": "attic", "open": false, "locked": false, "key": null, "items": ["fiddle"]}
  ],
  "machines": [{"id": "kettle", "room": "parlour", "delay": 5}],
  "cameras": [{"id": "lens", "room": "attic", "on": false}],
  "artifact": "fiddle",
  "keys": ["latchkey"],
  "guards": [{"id": "aunt", "room": "parlour", "route": ["parlour", "attic"], "keys": []},
             {"id": "dog", "room": "attic"}],
  "burglar": {"room": "porch", "goal": "porch", "keys": [], "knows": ["lens"]},
  "belief": {"burglar": {"doors": {"front": {"open": true}}, "containers": {"trunk": {"locked": true}}}},
  "costs": {"door": 1, "camera": 2}
}"#;

/// Reads a problem as the planner's.
fn read(text: &str, format: Format) -> Result<HeistProblem, Vec<Mistake>> {
    let problem = Recognised::new(text, format, "heist").read(text, &Options::default())?;
    match problem {
        Kind::Heist(problem) => Ok(problem),
        other => panic!("{other:?}"),
    }
}

fn chalet() -> HeistProblem {
    read(CHALET, Format::Json).unwrap()
}

fn world_of(problem: &HeistProblem) -> &HeistWorld {
    problem.world.as_ref().unwrap()
}

fn paths(mistakes: &[Mistake]) -> Vec<&str> {
    mistakes.iter().map(|m| m.path.as_str()).collect()
}

#[test]
fn a_world_says_what_its_json_says() {
    let problem = chalet();
    let world = world_of(&problem);
    assert_eq!(world.title, "The chalet");
    assert_eq!(world.rooms.len(), 3);
    assert_eq!(world.doors[0].lock_state(), HeistLockState::Locked);
    assert_eq!(world.doors[0].key_ids, ["latchkey"]);
    assert_eq!(world.doors[1].lock_state(), HeistLockState::Open);
    assert_eq!(world.machines[0].delay_ticks, Some(5));
    assert_eq!(world.cameras[0].active, Some(false));
    let costs = world.costs.as_ref().unwrap();
    assert_eq!((costs.door, costs.camera), (Some(1), Some(2)));
    assert_eq!((costs.container, costs.machine), (None, None));
    let burglar = world.burglar.as_ref().unwrap();
    let belief = burglar.belief.as_ref().unwrap();
    let states: Vec<_> = belief
        .states
        .iter()
        .map(|s| (s.id.as_str(), s.lock_state()))
        .collect();
    // What the burglar believes open is not believed locked.
    assert_eq!(
        states,
        [
            ("front", HeistLockState::Open),
            ("trunk", HeistLockState::Locked)
        ]
    );
    assert_eq!(belief.known_ids, ["lens"]);
    let goal = burglar.goal.as_ref().unwrap();
    assert_eq!(
        (goal.item_ids.as_slice(), goal.end_room_id.as_str()),
        (&["fiddle".to_owned()][..], "porch")
    );
    let goals: Vec<_> = world
        .guards
        .iter()
        .map(|g| g.goal.clone().unwrap())
        .collect();
    assert_eq!(goals[0].visit_room_ids, ["parlour", "attic"]);
    assert_eq!(
        (goals[1].visit_room_ids.len(), goals[1].end_room_id.as_str()),
        (0, "attic")
    );
}

#[test]
fn worlds_come_back_as_they_were() {
    let problem = chalet();
    let written = world::write(&problem).unwrap();
    assert_eq!(read(&written, Format::Json).unwrap(), problem);
    for (text, format) in [
        (json::write(&problem).unwrap(), Format::Json),
        (yaml::write(&problem).unwrap(), Format::Yaml),
    ] {
        assert_eq!(read(&text, format).unwrap(), problem, "{text}");
    }
    let alone = json::write(world_of(&problem)).unwrap();
    assert_eq!(read(&alone, Format::Json).unwrap(), problem);
}

#[test]
fn all_mistakes_of_a_world_are_told_with_their_places() {
    let text = r#"{
      "rooms": ["a"], "entrance": "z",
      "doors": [{"id": "d", "a": "a", "b": "b", "open": true, "locked": true}],
      "containers": [{"id": "c", "room": "q", "open": false}],
      "machines": [{"id": "m", "room": "q"}], "cameras": [{"id": "l", "room": "q", "on": true}],
      "guards": [{"id": "g", "room": "q", "route": ["a", "r"]}],
      "burglar": {"room": "q", "goal": "p"},
      "belief": {"nobody": {"doors": {"e": {"open": true}}}}, "costs": {"door": -1}
    }"#;
    let mistakes = read(text, Format::Json).unwrap_err();
    assert_eq!(
        paths(&mistakes),
        [
            "belief.nobody",
            "belief.nobody.doors.e",
            "entrance",
            "costs.door",
            "burglar.goal",
            "burglar.room",
            "guards[0].route[1]",
            "guards[0].room",
            "doors[0].b",
            "doors[0].locked",
            "containers[0].room",
            "machines[0].room",
            "cameras[0].room",
        ]
    );
    let message = mistakes[8].to_string();
    assert_eq!(message, "doors[0].b: there is no room `b`");
}

#[test]
fn what_is_no_world_is_refused_at_its_place() {
    for (text, path, line) in [
        (r#"{"rooms": ["a"]}"#, "", 1),
        (
            "{\"rooms\": [\"a\"],\n \"burglar\": {\"room\": 3}}",
            "burglar.room",
            2,
        ),
        (
            "{\"rooms\": [\"a\"], \"burglar\": {\"room\": \"a\"},\n \"dors\": []}",
            "dors",
            2,
        ),
        (
            "{\"rooms\": [\"a\"],\n \"rooms\": [\"a\"], \"burglar\": {\"room\": \"a\"}}",
            "",
            2,
        ),
    ] {
        let mistakes = read(text, Format::Json).unwrap_err();
        assert_eq!(paths(&mistakes), [path], "{text}");
        assert_eq!(mistakes[0].at.unwrap().0, line, "{text}");
    }
}

#[test]
fn what_a_world_in_json_cannot_say_is_an_error() {
    let mut problem = chalet();
    problem.avoided_room_ids = vec!["attic".into()];
    let world = problem.world.as_mut().unwrap();
    world.rooms[0].x = Some(1.0);
    world.doors[0].key_ids.push("fiddle".into());
    world.guards[0].goal.as_mut().unwrap().any_order = true;
    let message = world::write(&problem).unwrap_err();
    assert_eq!(
        message,
        "the format has no place for rooms to avoid, places of rooms, several keys of a door, \
         another goal of a guard than a round"
    );
}

#[test]
fn what_the_player_does_is_read_from_lists_and_levels() {
    let list = r#"[{"t": 3, "do": ["lock", "front"]}, {"t": 0, "do": ["off", "lens"]}]"#;
    let read = deeds::read(list, Format::Json).unwrap();
    let found: Vec<_> = read
        .iter()
        .map(|d| (d.tick, d.verb(), d.target_id.as_str()))
        .collect();
    let expected = [
        (3, HeistInterventionVerb::Lock, "front"),
        (0, HeistInterventionVerb::SwitchOff, "lens"),
    ];
    assert_eq!(found, expected);
    let level = HeistLevel {
        world: chalet().world,
        help: read.clone(),
        ..HeistLevel::default()
    };
    let answer = DesignHeistResponse {
        event: None,
        plan: Some(level),
        report: None,
        analysis: None,
    };
    let text = json::write(&answer).unwrap();
    assert_eq!(deeds::read(&text, Format::Json).unwrap(), read);
    // The level is the problem that the answer is read as.
    assert_eq!(self::read(&text, Format::Json).unwrap(), chalet());
    let none = deeds::read(r#"{"report": {}}"#, Format::Json).unwrap_err();
    assert_eq!(none[0].message, "the answer holds no level");
    let wrong = r#"[{"t": 1, "do": ["kick", "a"]}, {"t": 1, "do": ["lock"]}, {"t": 1, "do": []}]"#;
    let mistakes = deeds::read(wrong, Format::Json).unwrap_err();
    assert_eq!(paths(&mistakes), ["[0].do", "[1].do", "[2].do"]);
    assert!(deeds::read(r#"[{"t": "x", "do": []}]"#, Format::Json).is_err());
}
