//! Problems of patrol written in the formats of others, and ticks that are no seconds.

use crate::patrol::{VAULT, map, seconds};
use formats::Options;
use formats::patrol::{literature, tiles};
use stratagem_proto::v1::PatrolProblem;
use stratagem_render::time::from_micros;

const INSTANCE: &str = r#"{"name": "ring", "vertices": 3, "edges": [[0, 1], [1, 2, 4], [2, 0]],
    "robots": 2, "start": [1, 2], "weights": [0.5, 0.25, 0], "coords": [[0, 0], [1, 0], [0, 1]],
    "may_stay": false, "source": "a test",
    "intruder": {"model": "dynamic", "t_p": 7, "walk": "border_stay"}}"#;

fn instance(text: &str) -> PatrolProblem {
    literature::read(text, &Options::default()).unwrap()
}

#[test]
fn maps_are_written_as_they_are_read() {
    let pace = "tick: 250ms\nentry: mission 40\nstaying: yes\npassing: no\nwindow: exclusive\n";
    let closet = "time: 3\ndoor: 4\nsight: 3\n#######\n#G..+.#\n#.#.###\n#..S..#\n#######\n";
    let crowd = "time: 3\nguards: 5\nGS.\n.0.\n";
    for text in [VAULT, &format!("{pace}{VAULT}"), closet, crowd] {
        let problem = map(text);
        let again = tiles::write(&problem).unwrap();
        assert_eq!(map(&again), problem, "{again}");
    }
    let again = tiles::write(&map(VAULT)).unwrap();
    assert!(again.contains("title: The vault\n"), "{again}");
    assert!(again.contains(".P+V..#\n"), "{again}");
}

#[test]
fn what_a_map_cannot_say_is_told() {
    let with = |change: fn(&mut PatrolProblem)| {
        let mut problem = map(VAULT);
        change(&mut problem);
        tiles::write(&problem).unwrap_err()
    };
    for (text, why) in [
        (with(|p| p.vertices[0].id = "hall".into()), "`hall`"),
        (with(|p| p.vertices[0].weight = Some(0.5)), "vertices"),
        (with(|p| p.guards[0].speed = Some(2.0)), "guards"),
        (with(|p| p.guards[0].id = "ann".into()), "guards"),
        (with(|p| p.vertices[4].seen_vertex_ids.clear()), "vertices"),
        (with(|p| p.edges[0].to_vertex_id = "8,2".into()), "next to"),
        (with(|p| p.title = "a\nb".into()), "map of tiles"),
        (
            with(|p| p.tick_duration = seconds(3)),
            "whole number of ticks",
        ),
    ] {
        assert!(text.contains(why), "{text} {why}");
    }
}

#[test]
fn instances_of_the_literature_are_written_as_they_are_read() {
    let still = INSTANCE
        .replace(r#""dynamic""#, r#""stationary", "window": "exclusive""#)
        .replace(r#", "walk": "border_stay""#, "")
        .replace("{\"name\"", "{\"tick\": 0.000001e6, \"name\"");
    let slow = INSTANCE.replace("{\"name\"", "{\"tick\": 2.5, \"name\"");
    for text in [INSTANCE, &still, &slow] {
        let problem = instance(text);
        let again = literature::write(&problem).unwrap();
        assert_eq!(instance(&again), problem, "{again}");
    }
    // Vertices and guards lose their names, nothing else.
    let mut named = instance(INSTANCE);
    for vertex in &mut named.vertices {
        vertex.id = format!("room {}", vertex.id);
    }
    for edge in &mut named.edges {
        edge.from_vertex_id = format!("room {}", edge.from_vertex_id);
        edge.to_vertex_id = format!("room {}", edge.to_vertex_id);
    }
    for guard in &mut named.guards {
        guard.start_vertex_id = format!("room {}", guard.start_vertex_id);
    }
    let again = literature::write(&named).unwrap();
    assert_eq!(instance(&again), instance(INSTANCE));
}

#[test]
fn what_an_instance_cannot_say_is_told() {
    let mut problem = map(VAULT);
    problem.guards[0].speed = Some(2.0);
    problem.allow_passing = Some(false);
    let refused = literature::write(&problem).unwrap_err();
    for what in ["pauses", "gaps", "sight", "speeds", "passing"] {
        assert!(refused.contains(what), "{refused} {what}");
    }
}

#[test]
fn a_tick_is_as_long_as_is_said() {
    let problem = map(&format!("tick: 500ms\n{VAULT}"));
    assert_eq!(problem.tick_duration, Some(from_micros(500_000)));
    assert_eq!(problem.vertices[4].pause_duration, None);
    let intruder = problem.intruder.unwrap();
    assert_eq!(intruder.penetration_duration, seconds(4));
    let args = Options {
        tick_us: Some(2_000_000),
        ..Options::default()
    };
    let slow = tiles::read(VAULT, &args).unwrap();
    assert_eq!(slow.tick_duration, seconds(2));
    assert_eq!(slow.intruder.unwrap().penetration_duration, seconds(16));
    let slow = literature::read(INSTANCE, &args).unwrap();
    assert_eq!(slow.edges[1].travel_duration, seconds(8));
    let own = INSTANCE.replace("{\"name\"", "{\"tick\": 0.25, \"name\"");
    let own = instance(&own);
    assert_eq!(own.tick_duration, Some(from_micros(250_000)));
    assert_eq!(own.edges[1].travel_duration, seconds(1));
    assert_eq!(own.edges[0].travel_duration, None, "a tick, however long");
    for wrong in ["0", "-1", "5000", "0.0001"] {
        let text = INSTANCE.replace("{\"name\"", &format!("{{\"tick\": {wrong}, \"name\""));
        let mistakes = literature::read(&text, &Options::default()).unwrap_err();
        assert_eq!(mistakes[0].path, "tick", "{wrong}");
    }
    assert!(tiles::read(&format!("tick: 2h\n{VAULT}"), &Options::default()).is_err());
}
