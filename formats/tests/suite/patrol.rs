//! Patrols in the formats of others: maps of tiles, and the instances of the literature.

use formats::patrol::{literature, tiles};
use formats::{Format, Mistake, Options, json, yaml};
use proptest::prelude::*;
use stratagem_proto::v1::{PatrolEntry, PatrolMotion, PatrolProblem};
use stratagem_render::time::from_micros;

pub(crate) const VAULT: &str = "\
title: The vault
intruder: lazy
time: 8
sight: 2

  ########
  #G.#.3 #
  # P+V..#
  ##D#####
   #.0#
   ####
";

pub(crate) fn seconds(s: i64) -> Option<prost_types::Duration> {
    Some(from_micros(s * 1_000_000))
}

pub(crate) fn map(text: &str) -> PatrolProblem {
    tiles::read(text, &Options::default()).unwrap()
}

fn ids(problem: &PatrolProblem) -> Vec<&str> {
    problem.vertices.iter().map(|v| v.id.as_str()).collect()
}

/// Mistakes as `line:column message`.
fn mistakes(mistakes: &[Mistake]) -> Vec<String> {
    let text = |m: &Mistake| match m.at {
        Some((line, column)) => format!("{line}:{column} {}", m.message),
        None => format!("{} {}", m.path, m.message),
    };
    mistakes.iter().map(text).collect()
}

#[test]
fn a_map_becomes_a_graph() {
    let problem = map(VAULT);
    let floor = [
        "3,1", "4,1", "6,1", "7,1", "8,1", "3,2", "4,2", "5,2", "6,2", "7,2", "8,2", "4,3", "4,4",
        "5,4",
    ];
    assert_eq!(ids(&problem), floor);
    assert_eq!(problem.title, "The vault");
    let vertex = |id: &str| problem.vertices.iter().find(|v| v.id == id).unwrap();
    assert_eq!(vertex("7,1").weight, Some(3.0));
    assert_eq!(vertex("5,4").weight, Some(0.0));
    assert_eq!(vertex("3,1").weight, None);
    assert_eq!(vertex("4,2").pause_duration, seconds(1));
    assert_eq!(vertex("6,2").gap_duration, seconds(3));
    let point = vertex("7,1").point.unwrap();
    assert_eq!((point.x, point.y), (7.0, 1.0));
    assert_eq!(problem.guards.len(), 1);
    assert_eq!(problem.guards[0].start_vertex_id, "3,1");
    let intruder = problem.intruder.unwrap();
    assert_eq!(intruder.motion(), PatrolMotion::Lazy);
    assert_eq!(intruder.penetration_duration, seconds(8));
}

#[test]
fn steps_at_doors_are_longer() {
    let problem = map(VAULT);
    let length = |from: &str, to: &str| {
        let edge =
            |e: &&stratagem_proto::v1::PatrolEdge| e.from_vertex_id == from && e.to_vertex_id == to;
        problem.edges.iter().find(edge).unwrap().travel_duration
    };
    assert_eq!(problem.edges.len(), 16);
    assert_eq!(length("3,1", "4,1"), None);
    assert_eq!(length("4,2", "5,2"), seconds(2));
    assert_eq!(length("4,3", "4,4"), seconds(2));
}

#[test]
fn guards_see_as_far_as_walls_and_doors_let_them() {
    let problem = map(VAULT);
    let seen = |id: &str| {
        let vertex = problem.vertices.iter().find(|v| v.id == id);
        vertex.unwrap().seen_vertex_ids.join(" ")
    };
    // The door itself, not what is behind it.
    assert_eq!(seen("4,2"), "3,1 4,1 3,2 5,2 4,3");
    assert_eq!(seen("7,1"), "6,1 8,1 6,2 7,2 8,2");
    let blind = Options {
        sight: Some(0),
        ..Options::default()
    };
    let blind = tiles::read(VAULT, &blind).unwrap();
    assert!(blind.vertices.iter().all(|v| v.seen_vertex_ids.is_empty()));
}

#[test]
fn rooms_are_places_and_doors_lead_from_middle_to_middle() {
    let rooms = Options {
        rooms: true,
        ..Options::default()
    };
    let problem = tiles::read(VAULT, &rooms).unwrap();
    assert_eq!(ids(&problem), ["3,1", "7,1", "4,4"]);
    let weights: Vec<_> = problem.vertices.iter().map(|v| v.weight).collect();
    assert_eq!(weights, [Some(4.0), Some(8.0), Some(1.0)]);
    let edges: Vec<_> = problem
        .edges
        .iter()
        .map(|e| {
            (
                e.from_vertex_id.as_str(),
                e.to_vertex_id.as_str(),
                e.travel_duration,
            )
        })
        .collect();
    // From 3,1: two steps to 4,2, two into the door and two out of it; to 7,1 two more.
    let expected = [("3,1", "7,1", seconds(8)), ("3,1", "4,4", seconds(6))];
    assert_eq!(edges, expected);
    assert_eq!(problem.guards[0].start_vertex_id, "3,1");
}

#[test]
fn settings_are_taken() {
    let problem = map(
        "time:4\nwindow: exclusive\nentry: mission 50\nguards: 3\nstaying: no\n\
                       passing: no\nGS\n",
    );
    let starts: Vec<_> = problem
        .guards
        .iter()
        .map(|g| g.start_vertex_id.as_str())
        .collect();
    assert_eq!(starts, ["0,0", "1,0", "0,0"]);
    assert_eq!(problem.allow_staying, Some(false));
    assert_eq!(problem.allow_passing, Some(false));
    let intruder = problem.intruder.unwrap();
    assert!(intruder.exclusive);
    assert_eq!(intruder.entry(), PatrolEntry::Mission);
    assert_eq!(intruder.mission_duration, seconds(50));
}

#[test]
fn all_mistakes_of_a_map_are_told_with_their_places() {
    let text = "tme: 3\nsight: far\nguards: 17\nguards: 2\n\n#####\n#G.x#\n##.##\n#.#.#\n#####\n";
    let mistakes_read = tiles::read(text, &Options::default()).unwrap_err();
    let places = [
        "1:1 no setting is called `tme`",
        "2:1 a whole number from 0 to 1000",
        "3:1 a whole number from 1 to 16",
        "4:1 `guards` is there twice",
        "1:1 above the map a line such as `time: 8`",
        "7:4 `x` is no tile",
        "9:2 there is no path from here to the floor at line 7 column 2",
        "9:4 there is no path from here",
    ];
    let mistakes_read = mistakes(&mistakes_read);
    assert_eq!(mistakes_read.len(), places.len(), "{mistakes_read:?}");
    for (mistake, place) in mistakes_read.iter().zip(places) {
        assert!(mistake.starts_with(place), "{mistake} {place}");
    }
    let nobody = tiles::read("time: 1\n...\n", &Options::default()).unwrap_err();
    assert!(nobody[0].message.contains("where a guard starts"));
    let wall = tiles::read("time: 1\n###\n", &Options::default()).unwrap_err();
    assert_eq!(wall[0].at, Some((2, 1)));
}

#[test]
fn maps_are_known_by_their_name_and_their_looks() {
    assert_eq!(Format::of_name("a/B.MAP".as_ref()), Some(Format::Tiles));
    assert_eq!(Format::of_text(VAULT), Format::Tiles);
    // One slip is a mistake in a map, not another format.
    assert_eq!(Format::of_text(&VAULT.replace(".3", "x3")), Format::Tiles);
    for other in [
        "########\n# A title\n########\ntasks: []\n",
        "a: 1\nb: 2\n",
        "- ..\n- x\n",
    ] {
        assert_eq!(Format::of_text(other), Format::Yaml, "{other}");
    }
}

#[test]
fn what_is_read_survives_json_and_yaml() {
    let problem = map(VAULT);
    let text = json::write(&problem).unwrap();
    assert_eq!(json::read(&text).as_ref(), Ok(&problem));
    let text = yaml::write(&problem).unwrap();
    assert_eq!(yaml::read(&text).as_ref(), Ok(&problem));
}

const INSTANCE: &str = r#"{"name": "ring", "vertices": 3, "edges": [[0, 1], [1, 2, 4], [2, 0]],
    "robots": 2, "start": [1, 2], "weights": [0.5, 0.25, 0], "coords": [[0, 0], [1, 0], [0, 1]],
    "may_stay": false, "source": "a test",
    "intruder": {"model": "dynamic", "t_p": 7, "walk": "border_stay"}}"#;

fn instance(text: &str) -> PatrolProblem {
    literature::read(text, &Options::default()).unwrap()
}

#[test]
fn a_blank_line_within_a_map_is_a_row_of_it() {
    let apart = "time: 4\n\n####\n#G.#\n####\n\n####\n#..#\n####\n\n";
    let mistakes = tiles::read(apart, &Options::default()).unwrap_err();
    assert_eq!(mistakes[0].at, Some((8, 2)), "{mistakes:?}");
}

#[test]
fn instances_of_the_literature_are_read() {
    let problem = instance(INSTANCE);
    assert_eq!(ids(&problem), ["0", "1", "2"]);
    assert_eq!(problem.title, "ring");
    assert_eq!(problem.vertices[2].weight, Some(0.0));
    assert_eq!(problem.vertices[1].point.unwrap().x, 1.0);
    assert_eq!(problem.edges[1].travel_duration, seconds(4));
    assert_eq!(problem.edges[0].travel_duration, None);
    let starts: Vec<_> = problem
        .guards
        .iter()
        .map(|g| g.start_vertex_id.as_str())
        .collect();
    assert_eq!(starts, ["1", "2"]);
    assert_eq!(problem.allow_staying, Some(false));
    let intruder = problem.intruder.unwrap();
    assert_eq!(intruder.motion(), PatrolMotion::BorderStay);
    assert_eq!(intruder.penetration_duration, seconds(7));
    let still = INSTANCE
        .replace(r#""dynamic""#, r#""stationary", "window": "exclusive""#)
        .replace(r#", "walk": "border_stay""#, "")
        .replace("[1, 2],", "1,");
    let problem = instance(&still);
    assert_eq!(problem.guards[1].start_vertex_id, "1");
    let intruder = problem.intruder.unwrap();
    assert!(intruder.exclusive && intruder.motion() == PatrolMotion::Stationary);
}

#[test]
fn all_mistakes_of_an_instance_are_told_with_their_fields() {
    let text = r#"{"vertices": 3, "edges": [[0, 1], [1, 7, 0], [2]], "robots": 2,
        "start": [0, 1, 9], "weights": [1], "coords": [],
        "intruder": {"model": "stationary", "t_p": -1, "walk": "lazy"}}"#;
    let mistakes_read = literature::read(text, &Options::default()).unwrap_err();
    let fields: Vec<_> = mistakes_read.iter().map(|m| m.path.as_str()).collect();
    let expected = [
        "edges[1][1]",
        "edges[1][2]",
        "edges[2]",
        "weights",
        "coords",
        "start",
        "start[2]",
        "intruder.t_p",
        "intruder.walk",
    ];
    assert_eq!(fields, expected);
    for (from, to, place) in [
        ("\"robots\"", "\"robot\"", "line 2"),
        ("[1, 2],", "\"x\",", "in start"),
        ("\"vertices\": 3", "\"vertices\": 3000000000", "in vertices"),
    ] {
        let mistakes_read =
            literature::read(&INSTANCE.replace(from, to), &Options::default()).unwrap_err();
        let mistakes_read = format!("{} in {}", mistakes_read[0], mistakes_read[0].path);
        assert!(
            mistakes_read.contains(place) || mistakes_read.contains("start"),
            "{mistakes_read}"
        );
    }
}

proptest! {
    /// Whatever a map holds, it is read or its mistakes are returned, and what is read is valid.
    #[test]
    fn any_map_is_read_or_refused(
        text in "(time: 3\n)?(sight: 3\n)?([#.+GPVx 019]{0,8}\n){0,8}",
        rooms: bool,
    ) {
        let args = Options { rooms, ..Options::default() };
        match tiles::read(&text, &args) {
            Err(mistakes) => prop_assert!(!mistakes.is_empty()),
            Ok(problem) => {
                if !rooms {
                    let again = tiles::write(&problem);
                    let again = again.map(|text| tiles::read(&text, &Options::default()));
                    // Doors that cannot be distinguished from floor may be lost, but never wrong.
                    if let Ok(again) = again {
                        prop_assert_eq!(again.as_ref(), Ok(&problem));
                    }
                }
                let ids = ids(&problem);
                prop_assert!(!ids.is_empty() && !problem.guards.is_empty());
                for edge in &problem.edges {
                    prop_assert!(ids.contains(&edge.from_vertex_id.as_str()));
                    prop_assert!(ids.contains(&edge.to_vertex_id.as_str()));
                    prop_assert!(edge.from_vertex_id != edge.to_vertex_id);
                }
                for guard in &problem.guards {
                    prop_assert!(ids.contains(&guard.start_vertex_id.as_str()));
                }
                // Every place is within reach of the first.
                let mut reached = vec![ids[0]];
                let mut next = 0;
                while next < reached.len() {
                    for edge in &problem.edges {
                        let ends = [edge.from_vertex_id.as_str(), edge.to_vertex_id.as_str()];
                        for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                            if from == reached[next] && !reached.contains(&to) {
                                reached.push(to);
                            }
                        }
                    }
                    next += 1;
                }
                prop_assert_eq!(reached.len(), ids.len());
            }
        }
    }
}
