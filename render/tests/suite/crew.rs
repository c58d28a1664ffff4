//! Pictures of crews.

pub(crate) mod any;

use crate::NARROW;
use stratagem_proto::v1::{
    CrewArc, CrewEffort, CrewEvent, CrewFront, CrewJoint, CrewJointPoint, CrewNode, CrewOptions,
    CrewPlan, CrewPlayer, CrewPoint, CrewProblem, CrewRole, CrewTeam, CrewTool,
};
use stratagem_render::crew::{Choice, Drawn, choices, scene};
use stratagem_render::text::TextOptions;
use stratagem_render::time::from_micros;

fn svg(problem: &CrewProblem, drawn: Drawn<'_>) -> String {
    scene(problem, drawn).svg()
}

fn page(problem: &CrewProblem, drawn: Drawn<'_>) -> String {
    scene(problem, drawn).html()
}

fn text(problem: &CrewProblem, drawn: Drawn<'_>, options: &TextOptions) -> String {
    scene(problem, drawn).text(options)
}

const SECOND: i64 = 1_000_000;
fn golden(name: &str, text: &str) {
    crate::golden::check("crew", name, text);
}

/// Four rooms in a square, a way that only goes down, and one through steam.
fn problem() -> CrewProblem {
    let node = |id: &str, label: &str, x: f64, y: f64| CrewNode {
        id: id.into(),
        label: label.into(),
        x: Some(x),
        y: Some(y),
    };
    let arc = |from: &str, to: &str, damage: f64, one_way: bool| CrewArc {
        from_node_id: from.into(),
        to_node_id: to.into(),
        walk_duration: Some(from_micros(2 * SECOND)),
        fetch_damage: damage,
        carry_damage: 2.0 * damage,
        one_way,
    };
    let effort = |seconds: i64| CrewEffort {
        work_duration: Some(from_micros(seconds * SECOND)),
        damage: 0.5,
    };
    let player = |id: &str, label: &str, node: &str| CrewPlayer {
        id: id.into(),
        node_id: node.into(),
        label: label.into(),
    };
    let tool = |id: &str, label: &str, node: &str| CrewTool {
        id: id.into(),
        node_id: node.into(),
        label: label.into(),
    };
    CrewProblem {
        title: "The <leak>".into(),
        description: "Steam & haste.".into(),
        nodes: vec![
            node("b", "Bridge", 0.0, 0.0),
            node("h", "Hold", 3.0, 0.0),
            node("e", "Engine", 3.0, 2.0),
            node("k", "", 0.0, 2.0),
        ],
        arcs: vec![
            arc("b", "h", 0.0, false),
            arc("h", "e", 0.0, true),
            arc("b", "k", 0.0, false),
            arc("k", "e", 1.0, false),
        ],
        players: vec![player("p1", "Ann", "b"), player("p2", "", "k")],
        tools: vec![tool("t1", "Wrench", "h"), tool("t2", "", "k")],
        events: vec![CrewEvent {
            id: "leak".into(),
            node_id: "e".into(),
            label: "The leak".into(),
            efforts: vec![effort(6), effort(4)],
            rank: 0,
        }],
        ..CrewProblem::default()
    }
}

fn role(player: &str, tool: &str, fetch: &[&str], carry: &[&str]) -> CrewRole {
    let ids = |all: &[&str]| all.iter().map(|id| (*id).to_owned()).collect();
    CrewRole {
        player_id: player.into(),
        tool_id: tool.into(),
        fetch_node_ids: ids(fetch),
        carry_node_ids: ids(carry),
        walk_duration: Some(from_micros(4 * SECOND)),
        walk_damage: 0.0,
    }
}

fn point(seconds: i64, damage: f64, roles: Vec<CrewRole>) -> CrewPoint {
    CrewPoint {
        worst_duration: Some(from_micros(seconds * SECOND)),
        worst_damage: damage,
        roles,
        ..CrewPoint::default()
    }
}

fn plan() -> CrewPlan {
    let ann = role("p1", "t1", &["b", "h"], &["h", "e"]);
    let other = role("p2", "t2", &["k"], &["k", "e"]);
    let dominated = CrewPoint {
        dominated_by_fewer_players: true,
        ..point(10, 2.5, vec![ann.clone(), other.clone()])
    };
    let team = CrewTeam {
        event_id: "leak".into(),
        roles: vec![ann.clone()],
    };
    CrewPlan {
        events: vec![CrewOptions {
            event_id: "leak".into(),
            fronts: vec![
                CrewFront {
                    player_count: 1,
                    points: vec![point(10, 0.5, vec![ann.clone()])],
                    complete: true,
                    ..CrewFront::default()
                },
                CrewFront {
                    player_count: 2,
                    points: vec![point(8, 2.5, vec![ann, other]), dominated],
                    complete: false,
                    ..CrewFront::default()
                },
            ],
        }],
        joint: Some(CrewJoint {
            points: vec![CrewJointPoint {
                worst_duration: Some(from_micros(10 * SECOND)),
                worst_damage: 0.5,
                least_duration: None,
                teams: vec![team],
            }],
            complete: true,
        }),
    }
}

#[test]
fn a_crew_is_told_and_drawn() {
    let (problem, plan) = (problem(), plan());
    let drawn = Drawn {
        plan: Some(&plan),
        choice: Some(Choice::Event {
            event: 0,
            front: 1,
            point: 0,
        }),
    };
    golden("leak.txt", &text(&problem, drawn, &NARROW));
    let ascii = TextOptions {
        ascii: true,
        ..NARROW
    };
    golden("leak-ascii.txt", &text(&problem, drawn, &ascii));
    golden("leak.svg", &svg(&problem, drawn));
    golden("leak.page.html", &page(&problem, drawn));
}

#[test]
fn a_ship_without_a_plan_is_drawn_too() {
    let problem = problem();
    golden("ship.svg", &svg(&problem, Drawn::default()));
    golden("ship.txt", &text(&problem, Drawn::default(), &NARROW));
}

#[test]
fn all_points_can_be_chosen_those_of_all_events_first() {
    let plan = plan();
    let of = |front, point| Choice::Event {
        event: 0,
        front,
        point,
    };
    let expected = [Choice::Joint { point: 0 }, of(0, 0), of(1, 0), of(1, 1)];
    assert_eq!(choices(&plan), expected);
}
