//! One mistake a line.

use crate::mistakes::{check, good, mistakes, on_matrix, replaced};
use serde_json::json;

#[test]
fn agents() {
    check(
        &good(),
        "problem",
        r#"
        agents/1/id = "" => agents[1].id REQUIRED
        agents/1/id = "ann" => agents[1].id DUPLICATE
        agents/1/start = null => agents[1].start REQUIRED
        agents/1/start = {} => agents[1].start REQUIRED
        agents/1/end = {} => agents[1].end REQUIRED
        agents/1/end = {"locationId": "home"} => agents[1].end PLACE_KIND
        agents/1/start = {"point": {"y": "NaN"}} => agents[1].start.point.y NOT_FINITE
        agents/1/start = {"point": {"x": -1000000.5}} => agents[1].start.point.x OUT_OF_RANGE
        agents/0/shiftStartOffset = "-1s" => agents[0].shift_start_offset OUT_OF_RANGE
        agents/0/shiftEndOffset = "315360000.000001s" => agents[0].shift_end_offset OUT_OF_RANGE
        agents/0/capacities = [1, -1] => agents[0].capacities[1] OUT_OF_RANGE
        agents/0/capacities = [1000000001] => agents[0].capacities[0] OUT_OF_RANGE
        agents/0/capacities = [1,2,3,4,5,6,7,8,9] => agents[0].capacities TOO_MANY
        agents/0/skills = [""] => agents[0].skills[0] REQUIRED
        agents/0/speed = 0 => agents[0].speed OUT_OF_RANGE
        agents/0/speed = 1000.000001 => agents[0].speed OUT_OF_RANGE
        agents/0/speed = "Infinity" => agents[0].speed NOT_FINITE
    "#,
    );
}

#[test]
fn shifts_that_end_before_they_start() {
    let request = replaced(good(), "/problem/agents/0/shiftStartOffset", json!("2s"));
    let request = replaced(request, "/problem/agents/0/shiftEndOffset", json!("1s"));
    let wanted = "problem.agents[0].shift_end_offset REVERSED";
    assert_eq!(mistakes(&request), [wanted]);
}

#[test]
fn tasks() {
    check(
        &good(),
        "problem",
        r#"
        tasks/1/id = "near" => tasks[1].id DUPLICATE
        tasks/0/place = null => tasks[0].place REQUIRED
        tasks/0/place = {"locationId": "a"} => tasks[0].place PLACE_KIND
        tasks/0/serviceDuration = "-0.5s" => tasks[0].service_duration OUT_OF_RANGE
        tasks/0/windows = [{}] => tasks[0].windows[0].close_offset REQUIRED
        tasks/1/demands = [-1] => tasks[1].demands[0] OUT_OF_RANGE
        tasks/1/requiredSkills = [""] => tasks[1].required_skills[0] REQUIRED
        tasks/1/dropPenalty = -0.5 => tasks[1].drop_penalty OUT_OF_RANGE
        tasks/1/dropPenalty = "NaN" => tasks[1].drop_penalty NOT_FINITE
        tasks/1/maxLatenessDuration = "-1s" => tasks[1].max_lateness_duration OUT_OF_RANGE
    "#,
    );
}

#[test]
fn windows() {
    let at = "/problem/tasks/0/windows";
    let reversed = json!([{"openOffset": "2s", "closeOffset": "1s"}]);
    let touching = json!([{"closeOffset": "1s"}, {"openOffset": "1s", "closeOffset": "2s"}]);
    for (windows, wanted) in [
        (
            reversed,
            "problem.tasks[0].windows[0].close_offset REVERSED",
        ),
        (touching, "problem.tasks[0].windows[1].open_offset OVERLAP"),
    ] {
        assert_eq!(mistakes(&replaced(good(), at, windows)), [wanted]);
    }
}

#[test]
fn travel() {
    check(
        &good(),
        "problem",
        r#"
        travel = {"euclidean": {"rounding": 9}} => travel.euclidean.rounding ENUM_UNKNOWN
    "#,
    );
    check(
        &on_matrix(),
        "problem",
        r#"
        travel/matrix/durationsUs = [0, 1, 2] => travel.matrix.durations_us WRONG_SIZE
        travel/matrix/durationsUs = [0, 1, -2, 0] => travel.matrix.durations_us[2] OUT_OF_RANGE
        travel/matrix/costsMicro = [0] => travel.matrix.costs_micro WRONG_SIZE
        travel/matrix/costsMicro = [0, -1, 0, 0] => travel.matrix.costs_micro[1] OUT_OF_RANGE
        tasks/0/place = {"locationId": "moon"} => tasks[0].place.location_id UNKNOWN
        tasks/0/place = {"locationId": ""} => tasks[0].place.location_id REQUIRED
        tasks/0/place = {"point": {}} => tasks[0].place PLACE_KIND
    "#,
    );
}

#[test]
fn locations() {
    let at = "/problem/travel/matrix/locationIds";
    let many: Vec<String> = (0..1_401).map(|i| format!("l{i}")).collect();
    // Wherever the list is wrong, so are the places that it should name.
    for (ids, wanted) in [
        (
            json!(["home", "home"]),
            "problem.travel.matrix.location_ids[1] DUPLICATE",
        ),
        (json!([]), "problem.travel.matrix.location_ids REQUIRED"),
        (json!(many), "problem.travel.matrix.location_ids TOO_MANY"),
    ] {
        let found = mistakes(&replaced(on_matrix(), at, ids));
        assert!(found.iter().any(|mistake| mistake == wanted), "{found:?}");
    }
}

#[test]
fn objectives() {
    let term = |kind: &str| json!({"kind": format!("ALLOCATION_TERM_KIND_{kind}")});
    let (travel, time) = (term("TRAVEL_COST"), term("MAKESPAN"));
    let level = |terms: &[&serde_json::Value]| json!({ "terms": terms });
    let heavy = json!({"kind": "ALLOCATION_TERM_KIND_MAKESPAN", "weight": 1_000_001});
    let list = "problem.objective.levels";
    for (levels, wanted) in [
        (
            json!([level(&[&travel]), level(&[])]),
            format!("{list}[1].terms REQUIRED"),
        ),
        (
            json!([level(&[&time, &time])]),
            format!("{list}[0].terms[1].kind DUPLICATE"),
        ),
        (
            json!([level(&[&json!({})])]),
            format!("{list}[0].terms[0].kind REQUIRED"),
        ),
        (
            json!([level(&[&json!({"kind": 99})])]),
            format!("{list}[0].terms[0].kind ENUM_UNKNOWN"),
        ),
        (
            json!([level(&[&heavy])]),
            format!("{list}[0].terms[0].weight OUT_OF_RANGE"),
        ),
        (
            json!(vec![level(&[&travel]); 7]),
            format!("{list} TOO_MANY"),
        ),
    ] {
        let found = mistakes(&replaced(good(), "/problem/objective/levels", levels));
        assert_eq!(found, [wanted]);
    }
}

#[test]
fn previous_plans() {
    check(
        &good(),
        "problem",
        r#"
        previousPlan/routes/0/agentId = "" => previous_plan.routes[0].agent_id REQUIRED
        previousPlan/routes/0/taskIds = [""] => previous_plan.routes[0].task_ids[0] REQUIRED
        previousPlan/routes/0/taskIds = ["go\u0007ne"] => previous_plan.routes[0].task_ids[0] CHARACTER_FORBIDDEN
        previousPlan/routes/0/startedCount = 2 => previous_plan.routes[0].started_count OUT_OF_RANGE
        previousPlan/maxChanges = 10001 => previous_plan.max_changes OUT_OF_RANGE
        nowOffset = "-1s" => now_offset OUT_OF_RANGE
        nowOffset = "315360001s" => now_offset OUT_OF_RANGE
    "#,
    );
}

#[test]
fn previous_plans_that_say_something_twice() {
    let list = "problem.previous_plan.routes";
    for (routes, wanted) in [
        (
            json!([{"agentId": "ann"}, {"agentId": "ann"}]),
            format!("{list}[1].agent_id DUPLICATE"),
        ),
        (
            json!([{"agentId": "ann", "taskIds": ["near", "near"]}]),
            format!("{list}[0].task_ids[1] DUPLICATE"),
        ),
        (
            json!([{"agentId": "ann", "startedCount": -1}]),
            format!("{list}[0].started_count OUT_OF_RANGE"),
        ),
    ] {
        let found = mistakes(&replaced(good(), "/problem/previousPlan/routes", routes));
        assert_eq!(found, [wanted]);
    }
}

#[test]
fn options() {
    check(
        &good(),
        "options",
        r#"
        timeBudget = "0s" => time_budget OUT_OF_RANGE
        timeBudget = "-1s" => time_budget OUT_OF_RANGE
        timeBudget = "86400.000001s" => time_budget OUT_OF_RANGE
        timeBudget = "0.0000001s" => time_budget OUT_OF_RANGE
        maxIterations = -1 => max_iterations OUT_OF_RANGE
        maxIterations = 1000000000001 => max_iterations OUT_OF_RANGE
        engine = {"threads": 65} => engine.threads OUT_OF_RANGE
        engine = {"threads": 0} => engine.threads OUT_OF_RANGE
        engine = {"parallelWidth": 65} => engine.parallel_width OUT_OF_RANGE
        strategy = "magic" => strategy UNKNOWN
        priority = 7 => priority ENUM_UNKNOWN
        target = {} => target.levels REQUIRED
        target = {"levels": [1, "NaN"]} => target.levels[1] NOT_FINITE
        target = {"levels": [1, 2, 3]} => target.levels TOO_MANY
    "#,
    );
}

#[test]
fn all_mistakes_come_at_once() {
    let mut request = good();
    for (at, value) in [
        ("/options/engine", json!({"threads": 99})),
        ("/problem/agents/0/speed", json!("NaN")),
        ("/problem/tasks/0/windows", json!([{"openOffset": "-1s"}])),
        ("/problem/tasks/1/id", json!("near")),
        ("/problem/objective/levels", json!([{}])),
    ] {
        request = replaced(request, at, value);
    }
    let wanted = [
        "problem.agents[0].speed NOT_FINITE",
        "problem.tasks[0].windows[0].open_offset OUT_OF_RANGE",
        "problem.tasks[0].windows[0].close_offset REQUIRED",
        "options.engine.threads OUT_OF_RANGE",
        "problem.tasks[1].id DUPLICATE",
        "problem.objective.levels[0].terms REQUIRED",
    ];
    assert_eq!(mistakes(&request), wanted);
}
