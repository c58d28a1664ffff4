//! Patrols: one mistake a line.

use crate::mistakes::{check_by, encode_as, lines, replaced};
use serde_json::{Value, json};
use wire::decode::patrol;

/// Three rooms in a row with a corridor, two guards, a thief who needs half a minute.
fn good() -> Value {
    json!({
        "problem": {
            "title": "three rooms",
            "tickDuration": "0.5s",
            "vertices": [
                {"id": "hall", "weight": 2.5, "point": {"x": 1}, "seenVertexIds": ["vault"]},
                {"id": "stairs", "pauseDuration": "1s"},
                {"id": "vault", "weight": 0.3333333333, "gapDuration": "2.5s"},
            ],
            "edges": [
                {"fromVertexId": "hall", "toVertexId": "stairs"},
                {"fromVertexId": "stairs", "toVertexId": "vault", "travelDuration": "1.5s"},
            ],
            "guards": [
                {"id": "ann", "startVertexId": "hall", "speed": 1.5},
                {"id": "bob", "startVertexId": "vault", "sights": [
                    {"vertexId": "stairs", "seenVertexIds": ["hall", "vault"]},
                    {"vertexId": "hall"},
                ]},
            ],
            "intruder": {
                "motion": "PATROL_MOTION_LAZY",
                "penetrationDuration": "30s",
                "entry": "PATROL_ENTRY_MISSION",
                "missionDuration": "60s",
            },
            "objective": {"escapeWeight": 3, "worstIdlenessWeight": 1},
        },
        "options": {"timeBudget": "0.25s", "strategy": "mcts-uc", "target": {"levels": [0.25]}},
    })
}

fn mistakes(request: &Value) -> Vec<String> {
    lines(patrol(&encode_as(
        "stratagem.v1.GeneratePatrolRequest",
        request,
    )))
}

#[test]
fn times_are_ticks_weights_millionths_and_speeds_thousandths() {
    let bytes = encode_as("stratagem.v1.GeneratePatrolRequest", &good());
    let read = patrol(&bytes).expect("the request of these tests makes sense");
    assert_eq!(read.vertex_ids, ["hall", "stairs", "vault"]);
    assert_eq!(read.guard_ids, ["ann", "bob"]);
    let spec = read.problem.spec();
    assert_eq!(spec.weights_micro, [2_500_000, 1_000_000, 333_333]);
    let lengths: Vec<_> = spec.edges.iter().map(|edge| edge.length).collect();
    assert_eq!(lengths, [1, 3], "a tick, where nothing is said");
    assert_eq!((spec.pauses[0].vertex, spec.pauses[0].ticks), (1, 2));
    assert_eq!((spec.gaps[0].vertex, spec.gaps[0].ticks), (2, 5));
    assert_eq!(spec.intruder.instants, 61, "the entry counts, too");
    let speeds: Vec<_> = spec.guards.iter().map(|guard| guard.speed_milli).collect();
    assert_eq!(speeds, [1_500, 1_000]);
    let sights: Vec<_> = (0..2).map(|guard| read.problem.sight(guard, 0)).collect();
    assert_eq!(sights, [&[0, 2][..], &[0]], "a guard's own go first");
    assert!(spec.may_stay && spec.may_swap);
}

#[test]
fn guards_who_see_alike_are_interchangeable() {
    let see = json!([{"vertexId": "stairs", "seenVertexIds": ["vault", "hall"]}]);
    let request = replaced(good(), "/problem/guards/0/sights", see);
    let request = replaced(request, "/problem/guards/0/speed", json!(1));
    let bytes = encode_as("stratagem.v1.GeneratePatrolRequest", &request);
    let read = patrol(&bytes).expect("the request of these tests makes sense");
    assert!(read.problem.are_interchangeable(0, 1));
}

#[test]
fn vertices_and_edges() {
    let table = r#"
        tickDuration = "0s" => tick_duration OUT_OF_RANGE
        tickDuration = "3600.5s" => tick_duration OUT_OF_RANGE
        tickDuration = "0.0000004s" => tick_duration OUT_OF_RANGE
        vertices/0/weight = -0.5 => vertices[0].weight OUT_OF_RANGE
        vertices/0/weight = 1000000.5 => vertices[0].weight OUT_OF_RANGE
        vertices/0/weight = "NaN" => vertices[0].weight NOT_FINITE
        vertices/0/point/x = "-Infinity" => vertices[0].point.x NOT_FINITE
        vertices/0/seenVertexIds/0 = "attic" => vertices[0].seen_vertex_ids[0] UNKNOWN
        vertices/1/pauseDuration = "1.25s" => vertices[1].pause_duration TOO_PRECISE
        vertices/1/pauseDuration = "5000.5s" => vertices[1].pause_duration OUT_OF_RANGE
        vertices/2/gapDuration = "-0.5s" => vertices[2].gap_duration OUT_OF_RANGE
        edges/1/travelDuration = "0s" => edges[1].travel_duration OUT_OF_RANGE
        edges/1/travelDuration = "-1s" => edges[1].travel_duration OUT_OF_RANGE
        edges/1/travelDuration = "0.7s" => edges[1].travel_duration TOO_PRECISE
        edges/1/fromVertexId = "attic" => edges[1].from_vertex_id UNKNOWN
        edges/1/fromVertexId = null => edges[1].from_vertex_id REQUIRED
        edges/1/toVertexId = "stairs" => edges[1].to_vertex_id SELF_LOOP
    "#;
    check_by(mistakes, &good(), "problem", table);
    let repeated = json!({"fromVertexId": "stairs", "toVertexId": "hall"});
    let found = mistakes(&replaced(good(), "/problem/edges/1", repeated));
    assert_eq!(found, ["problem.edges[1] DUPLICATE"]);
    let nowhere = json!({"fromVertexId": "attic", "toVertexId": "attic"});
    let found = mistakes(&replaced(good(), "/problem/edges/1", nowhere));
    let ends = ["from", "to"].map(|end| format!("problem.edges[1].{end}_vertex_id UNKNOWN"));
    assert_eq!(found, ends);
}

#[test]
fn what_is_wrong_with_all_of_the_graph() {
    let request = replaced(
        good(),
        "/problem/edges",
        json!([good()["problem"]["edges"][0]]),
    );
    assert_eq!(mistakes(&request), ["problem.vertices[2] DISCONNECTED"]);
    let mut request = good();
    for vertex in 0..3 {
        let at = format!("/problem/vertices/{vertex}/weight");
        request = replaced(request, &at, json!(0.000_000_4));
    }
    assert_eq!(mistakes(&request), ["problem.vertices ALL_ZERO"]);
    let request = replaced(good(), "/problem/allowStaying", json!(false));
    assert_eq!(mistakes(&request), ["problem.allow_staying CONTRADICTION"]);
    let many: Vec<_> = (0..2_001).map(|i| json!({"id": format!("v{i}")})).collect();
    let request = replaced(good(), "/problem/vertices", json!(many));
    assert_eq!(mistakes(&request), ["problem.vertices TOO_MANY"]);
}

#[test]
fn guards() {
    let table = r#"
        guards/0/id = "" => guards[0].id REQUIRED
        guards/1/id = "ann" => guards[1].id DUPLICATE
        guards/0/startVertexId = "attic" => guards[0].start_vertex_id UNKNOWN
        guards/0/startVertexId = null => guards[0].start_vertex_id REQUIRED
        guards/0/speed = 0.001 => guards[0].speed OUT_OF_RANGE
        guards/0/speed = -1 => guards[0].speed OUT_OF_RANGE
        guards/0/speed = 100.5 => guards[0].speed OUT_OF_RANGE
        guards/0/speed = "NaN" => guards[0].speed NOT_FINITE
        guards/1/sights/1/vertexId = "stairs" => guards[1].sights[1].vertex_id DUPLICATE
        guards/1/sights/1/vertexId = "attic" => guards[1].sights[1].vertex_id UNKNOWN
        guards/1/sights/0/seenVertexIds/1 = "attic" => guards[1].sights[0].seen_vertex_ids[1] UNKNOWN
        guards = [] => guards REQUIRED
    "#;
    check_by(mistakes, &good(), "problem", table);
    let many: Vec<_> = (0..17)
        .map(|i| json!({"id": format!("g{i}"), "startVertexId": "hall"}))
        .collect();
    let request = replaced(good(), "/problem/guards", json!(many));
    assert_eq!(mistakes(&request), ["problem.guards TOO_MANY"]);
}

#[test]
fn intruders_and_what_counts() {
    let table = r#"
        intruder = null => intruder REQUIRED
        intruder/motion = null => intruder.motion REQUIRED
        intruder/motion = 9 => intruder.motion ENUM_UNKNOWN
        intruder/penetrationDuration = null => intruder.penetration_duration REQUIRED
        intruder/penetrationDuration = "0.25s" => intruder.penetration_duration TOO_PRECISE
        intruder/penetrationDuration = "5000s" => intruder.penetration_duration OUT_OF_RANGE
        intruder/penetrationDuration = "-1s" => intruder.penetration_duration OUT_OF_RANGE
        intruder/entry = 9 => intruder.entry ENUM_UNKNOWN
        intruder/entry = "PATROL_ENTRY_STEADY" => intruder.mission_duration CONTRADICTION
        intruder/missionDuration = null => intruder.mission_duration REQUIRED
        intruder/missionDuration = "50000.5s" => intruder.mission_duration OUT_OF_RANGE
        objective/escapeWeight = -1 => objective.escape_weight OUT_OF_RANGE
        objective/meanIdlenessWeight = 1000001 => objective.mean_idleness_weight OUT_OF_RANGE
    "#;
    check_by(mistakes, &good(), "problem", table);
    let request = replaced(good(), "/problem/intruder/exclusive", json!(true));
    assert_eq!(mistakes(&request), [""; 0]);
    let request = replaced(
        request,
        "/problem/intruder/penetrationDuration",
        json!("0s"),
    );
    let wanted = "problem.intruder.penetration_duration OUT_OF_RANGE";
    assert_eq!(
        mistakes(&request),
        [wanted],
        "no guard would ever see the intruder"
    );
}

#[test]
fn a_walk_that_is_too_long_to_follow() {
    let long = json!("5000s");
    let request = replaced(good(), "/problem/edges/1/travelDuration", long);
    let request = replaced(
        request,
        "/problem/intruder/penetrationDuration",
        json!("4000s"),
    );
    let wanted = "problem.intruder.penetration_duration OUT_OF_RANGE";
    assert_eq!(mistakes(&request), [wanted]);
    // Who stays is not followed.
    let stays = json!("PATROL_MOTION_STATIONARY");
    let request = replaced(request, "/problem/intruder/motion", stays);
    assert_eq!(mistakes(&request), [""; 0]);
}

#[test]
fn all_mistakes_come_at_once_and_a_wrong_tick_makes_no_others() {
    let request = replaced(good(), "/problem/tickDuration", json!("-1s"));
    let request = replaced(request, "/problem/guards/0/speed", json!("NaN"));
    let request = replaced(request, "/problem/vertices/0/weight", json!(-1));
    let request = replaced(request, "/options/strategy", json!("magic"));
    let wanted = [
        "problem.tick_duration OUT_OF_RANGE",
        "problem.vertices[0].weight OUT_OF_RANGE",
        "problem.guards[0].speed NOT_FINITE",
        "options.strategy UNKNOWN",
    ];
    assert_eq!(mistakes(&request), wanted);
    let targets = json!({"levels": [1, 2]});
    let request = replaced(good(), "/options/target", targets);
    assert_eq!(mistakes(&request), ["options.target.levels TOO_MANY"]);
}

#[test]
fn previous_plans() {
    let walk = json!([{"vertexId": "hall"}, {"vertexId": "stairs", "stayDuration": "1s"}]);
    let route = |guard: &str| json!({"guardId": guard, "prefix": walk, "cycle": walk});
    let routes = |routes: Vec<Value>| replaced(good(), "/previousPlan", json!({"routes": routes}));
    let one = routes(vec![route("ann")]);
    for (at, value, wanted) in [
        ("guardId", json!(""), "guard_id REQUIRED"),
        ("guardId", json!("a\u{7}n"), "guard_id CHARACTER_FORBIDDEN"),
        (
            "prefix/0/vertexId",
            json!(""),
            "prefix[0].vertex_id REQUIRED",
        ),
        (
            "cycle/1/stayDuration",
            json!("-1s"),
            "cycle[1].stay_duration OUT_OF_RANGE",
        ),
        (
            "cycle/1/stayDuration",
            json!("0.7s"),
            "cycle[1].stay_duration TOO_PRECISE",
        ),
    ] {
        let found = mistakes(&replaced(
            one.clone(),
            &format!("/previousPlan/routes/0/{at}"),
            value,
        ));
        assert_eq!(found, [format!("previous_plan.routes[0].{wanted}")]);
    }
    let twice = routes(vec![route("bob"), route("bob")]);
    assert_eq!(
        mistakes(&twice),
        ["previous_plan.routes[1].guard_id DUPLICATE"]
    );
    let crowd = routes((0..17).map(|one| route(&format!("g{one}"))).collect());
    assert_eq!(mistakes(&crowd), ["previous_plan.routes TOO_MANY"]);
}

#[test]
fn a_previous_plan_may_name_what_is_gone_and_leave_out_what_is_new() {
    let walk = json!([{"vertexId": "attic"}, {"vertexId": "stairs"}]);
    for plan in [
        json!({}),
        json!({"routes": [{"guardId": "cem", "cycle": walk}]}),
        json!({"routes": [{"guardId": "cem"}, {"guardId": "bob", "cycle": walk}]}),
        json!({"routes": [{"guardId": "ann", "cycle": [{"vertexId": "attic"}]}]}),
    ] {
        assert_eq!(mistakes(&replaced(good(), "/previousPlan", plan)), [""; 0]);
    }
}
