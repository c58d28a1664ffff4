//! A request of each method whose search goes on for longer than a test.

use crate::calls::example;
use serde_json::{Value, json};

/// Methods without such a request, each with its reason.
pub(crate) const SHORT: [(&str, &str); 5] = [
    (
        "LearnStoryDomain",
        "each round takes milliseconds, and they converge",
    ),
    ("AnalyzeHeist", "its searches have limits of their own"),
    (
        "CheckControllability",
        "the largest network takes a tenth of a second",
    ),
    (
        "SolvePuzzle",
        "boards of this size are solved in a tenth of a second",
    ),
    (
        "StreamSolvePuzzle",
        "boards of this size are solved in a tenth of a second",
    ),
];

/// A request that is not done within minutes.
pub(crate) fn request(method: &str) -> Value {
    let mut request = match method.trim_start_matches("Stream") {
        "AllocateTasks" => json!({"problem": tasks()}),
        "AssignCrew" => json!({"problem": deck(), "max_ties": 1_000}),
        "CheckStrongControllability" => json!({
            "problem": turns(400),
            "detail": {"simulation_runs": 100_000},
        }),
        "ScheduleNarrative" => json!({"problem": scenes(120)}),
        "GeneratePatrol" => json!({"problem": chase(20, 200)}),
        "MixPatrols" => json!({"problem": chase(6, 20), "max_plan_iterations": 1_000_000_000}),
        "VaryPatrols" => json!({"problem": chase(12, 60)}),
        "GeneratePuzzle" => json!({
            "problem": {"width": 10, "height": 10, "min_boxes": 4, "max_boxes": 4},
        }),
        "PlanBurglar" => json!({"problem": {"world": museum()}}),
        "DesignHeist" => json!({"problem": museum(), "trap_count": 32}),
        "GenerateStory" | "VaryStories" => json!({"problem": lamps()}),
        "BranchStory" => choices(),
        "ScheduleProject" => json!({"problem": project()}),
        other => panic!("say here which request to {other} takes long"),
    };
    request["options"] = json!({"time_budget": "600s"});
    if method.ends_with("Story") || method.ends_with("Stories") {
        request["options"]["strategy"] = json!("mcts");
    }
    request
}

/// Numbers that look random.
fn mixed(number: usize, below: usize) -> usize {
    number
        .wrapping_mul(7_919)
        .wrapping_add(number * number * 31)
        % below
}

fn tasks() -> Value {
    let point = |x: usize, y: usize| json!({"point": {"x": x, "y": y}});
    let task = |i: usize| {
        let place = point(mixed(i, 101), mixed(i + 50, 97));
        json!({"id": format!("t{i}"), "place": place, "service_duration": "1s"})
    };
    let agent = |i: usize| json!({"id": format!("a{i}"), "start": point(i * 50, 0)});
    json!({
        "agents": (0..3).map(agent).collect::<Vec<_>>(),
        "tasks": (0..30).map(task).collect::<Vec<_>>(),
    })
}

/// Arcs between rooms with close numbers, each with its own time and damage.
fn deck() -> Value {
    let arcs = (0..2_000).flat_map(|from| {
        let by = [1, 7, 31, 101, 503].into_iter();
        by.map(move |by| {
            json!({
                "from_node_id": format!("n{from}"),
                "to_node_id": format!("n{}", (from + by) % 2_000),
                "fetch_damage": mixed(from, 1_009),
                "carry_damage": mixed(from + by, 997),
                "walk_duration": format!("{}s", 1 + from * by % 977),
            })
        })
    });
    let standing = |id: String, node: usize| json!({"id": id, "node_id": format!("n{node}")});
    json!({
        "nodes": (0..2_000).map(|i| json!({"id": format!("n{i}")})).collect::<Vec<_>>(),
        "arcs": arcs.collect::<Vec<_>>(),
        "players": (0..64).map(|i| standing(format!("p{i}"), i * 31)).collect::<Vec<_>>(),
        "tools": (0..64).map(|i| standing(format!("t{i}"), i * 17 + 3)).collect::<Vec<_>>(),
        "events": [{"id": "leak", "node_id": "n1999", "efforts": vec![json!({}); 64]}],
    })
}

/// Our events and a teammate's take turns.
fn turns(pairs: usize) -> Value {
    let link = |from: String, to: String, lower: i64, upper: i64| {
        let [lower, upper] = [lower, upper].map(|seconds| format!("{seconds}s"));
        json!({"from_event_id": from, "to_event_id": to, "lower": lower, "upper": upper})
    };
    let (ours, theirs) = (
        |i: usize| format!("ours {i}"),
        |i: usize| format!("theirs {i}"),
    );
    let there = (0..pairs).map(|i| link(ours(i), theirs(i), 1, 3));
    let back = (1..pairs).map(|i| link(theirs(i - 1), ours(i), 2, 20));
    let begin = [link("origin".into(), ours(0), 0, 1)];
    let event = |id: String, agent: &str| json!({"id": id, "agent_id": agent});
    let events = (0..pairs).flat_map(|i| [event(ours(i), "we"), event(theirs(i), "they")]);
    json!({
        "agents": [
            {"id": "we", "kind": "TEMPORAL_AGENT_KIND_CONTROLLABLE"},
            {"id": "they", "kind": "TEMPORAL_AGENT_KIND_UNCONTROLLABLE"},
        ],
        "events": events.collect::<Vec<_>>(),
        "links": there.chain(back).chain(begin).collect::<Vec<_>>(),
        "horizon_offset": format!("{}s", pairs * 25),
    })
}

/// Scenes that follow others and need some of five actors.
fn scenes(count: usize) -> Value {
    let of = |i: usize| (format!("begin {i}"), format!("end {i}"));
    let events = (0..count).flat_map(|i| [json!({"id": of(i).0}), json!({"id": of(i).1})]);
    let last = |i: usize| {
        let length = format!("{}s", 1 + i * 7_919 % 13);
        json!({"from_event_id": of(i).0, "to_event_id": of(i).1, "lower": length, "upper": length})
    };
    let follow = |to: usize| {
        let from = to - 1 - to * 31 % to.min(9);
        json!({"from_event_id": of(from).1, "to_event_id": of(to).0, "lower": "0s"})
    };
    let scene = |i: usize| {
        json!({
            "id": format!("scene {i}"),
            "start_event_id": of(i).0,
            "end_event_id": of(i).1,
            "demands": [{"resource_id": "actor", "amount": 1 + i * 7_919 % 13 * 5 % 4}],
        })
    };
    json!({
        "events": events.collect::<Vec<_>>(),
        "links": (0..count).map(last).chain((1..count).map(follow)).collect::<Vec<_>>(),
        "activities": (0..count).map(scene).collect::<Vec<_>>(),
        "resources": [{"id": "actor", "capacity": 5}],
        "objective": {"makespan_weight": 1},
    })
}

/// Pairs of neighbours on a square grid.
fn grid(side: usize) -> impl Iterator<Item = (usize, usize)> {
    let all = 0..side * side;
    all.flat_map(move |i| {
        let right = (i % side + 1 < side).then_some((i, i + 1));
        let down = (i / side + 1 < side).then_some((i, i + side));
        right.into_iter().chain(down)
    })
}

/// Two guards on crossings, and a thief that walks for this number of seconds.
fn chase(side: usize, seconds: usize) -> Value {
    let id = |i: usize| format!("c{i}");
    let edges =
        grid(side).map(|(from, to)| json!({"from_vertex_id": id(from), "to_vertex_id": id(to)}));
    json!({
        "vertices": (0..side * side).map(|i| json!({"id": id(i)})).collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
        "guards": [{"id": "g0", "start_vertex_id": "c0"}, {"id": "g1", "start_vertex_id": "c0"}],
        "intruder": {"motion": "PATROL_MOTION_LAZY", "penetration_duration": format!("{seconds}s")},
    })
}

/// Open rooms in a square; the burglar has to visit many of them before the artifact is of use.
fn museum() -> Value {
    let id = |i: usize| format!("r{i}");
    let doors = grid(20).map(|(from, to)| {
        json!({
            "id": format!("d{from}-{to}"),
            "a_room_id": id(from),
            "b_room_id": id(to),
            "lock_state": "HEIST_LOCK_STATE_OPEN",
        })
    });
    let visit: Vec<_> = (0..16).map(|i| id(mixed(i * 3 + 1, 400))).collect();
    json!({
        "rooms": (0..400).map(|i| json!({"id": id(i)})).collect::<Vec<_>>(),
        "doors": doors.collect::<Vec<_>>(),
        "containers": [{"id": "altar", "room_id": "r399", "item_ids": ["idol"]}],
        "artifact_ids": ["idol"],
        "burglar": {"room_id": "r0", "goal": {"visit_room_ids": visit, "any_order": true, "item_ids": ["idol"]}},
    })
}

/// Lamps that are switched on one by one.
fn lamps() -> Value {
    let id = |i: usize| format!("l{i}");
    let goal = |i: usize| json!({"name": format!("{} is on", id(i)), "condition": format!("{}.on", id(i))});
    json!({
        "types": [{"name": "lamp", "entities": (0..12).map(|i| json!({"id": id(i)})).collect::<Vec<_>>()}],
        "attributes": [{"type_name": "lamp", "name": "on", "values": "bool"}],
        "actions": [{
            "name": "Light",
            "parameters": [{"name": "l", "type_name": "lamp"}],
            "preconditions": ["not l.on"],
            "effects": ["l.on = true"],
            "believability": "0.9",
        }],
        "goals": (0..12).map(goal).collect::<Vec<_>>(),
        "max_acts": 50,
    })
}

/// Choices along a story, with continuations that take long.
fn choices() -> Value {
    let acts = [
        ("Go", vec!["Ada", "Hall"]),
        ("Steal", vec!["Bruno", "Ada", "Will"]),
        ("Go", vec!["Dorn", "Hall"]),
        ("Take", vec!["Ada", "Dagger"]),
        ("Kill", vec!["Ada", "Bruno", "Dagger"]),
        ("FindTraces", vec!["Dorn", "Hall"]),
        ("Arrest", vec!["Dorn", "Ada"]),
    ];
    let mut problem = example("story/inheritance");
    problem["max_acts"] = json!(50);
    json!({
        "problem": problem,
        "acts": acts.map(|(action, ids)| json!({"action": action, "entity_ids": ids})),
        "max_depth": 6,
        "max_width": 10,
        "max_continuation_iterations": 1_000_000,
    })
}

/// A project of 150 activities, whose first plans are far from the best.
fn project() -> Value {
    let activity = |i: usize| {
        let random = i * 7_919 % 13;
        json!({"id": i.to_string(), "modes": [{
            "work_duration": format!("{}s", 60 + 60 * random),
            "demands": [{"resource_id": "smith", "amount": 1 + random * 5 % 4}],
        }]})
    };
    let before = |to: usize| {
        let from = to - 1 - to * 31 % to.min(9);
        json!({"from_activity_id": from.to_string(), "to_activity_id": to.to_string()})
    };
    json!({
        "activities": (0..150).map(activity).collect::<Vec<_>>(),
        "precedences": (1..150).map(before).collect::<Vec<_>>(),
        "resources": [{"id": "smith", "capacity": 5}],
    })
}
