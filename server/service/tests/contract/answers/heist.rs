//! Heists: plans of agents, games, levels with traps, and what there is to know about them.

mod games;
mod levels;

use super::{
    check, check_answer, check_mistakes, check_violations, limited_to, replaced, value_at,
    violations,
};
use crate::calls::{Caller, example, settings};
use serde_json::{Value, json};

/// Rooms in a row with closed doors, the idol in the last one.
fn row(rooms: usize) -> Value {
    let door = |i: usize| {
        json!({
            "id": format!("d{i}"),
            "a_room_id": format!("r{}", i - 1),
            "b_room_id": format!("r{i}"),
            "lock_state": "HEIST_LOCK_STATE_CLOSED",
        })
    };
    json!({
        "rooms": (0..rooms).map(|i| json!({"id": format!("r{i}")})).collect::<Vec<_>>(),
        "doors": (1..rooms).map(door).collect::<Vec<_>>(),
        "containers": [{"id": "altar", "room_id": format!("r{}", rooms - 1), "item_ids": ["idol"]}],
        "artifact_ids": ["idol"],
        "burglar": {"room_id": "r0"},
    })
}

/// Three in a row. The last door is locked, and the key hangs in the first room; the burglar
/// believes the door to be closed only.
fn surprise() -> Value {
    let world = replaced(
        row(3),
        "/doors/1/lock_state",
        json!("HEIST_LOCK_STATE_LOCKED"),
    );
    let world = replaced(world, "/doors/1/key_ids", json!(["key"]));
    let world = replaced(world, "/key_ids", json!(["key"]));
    let hook = json!({"id": "hook", "room_id": "r0", "item_ids": ["key"]});
    let belief = json!({"states": [{"id": "d2", "lock_state": "HEIST_LOCK_STATE_CLOSED"}]});
    replaced(
        replaced(world, "/containers/1", hook),
        "/burglar/belief",
        belief,
    )
}

/// Three in a row, with a camera in the second.
fn watched(is_known: bool) -> Value {
    let world = replaced(row(3), "/cameras", json!([{"id": "eye", "room_id": "r1"}]));
    let known: &[&str] = if is_known { &["eye"] } else { &[] };
    replaced(world, "/burglar/belief", json!({"known_ids": known}))
}

/// Four rooms in a ring with open doors, and the idol opposite the entrance.
fn ring() -> Value {
    let door = |i: usize| {
        json!({
            "id": format!("d{}", i + 1),
            "a_room_id": format!("r{i}"),
            "b_room_id": format!("r{}", (i + 1) % 4),
            "lock_state": "HEIST_LOCK_STATE_OPEN",
        })
    };
    let world = replaced(row(4), "/doors", (0..4).map(door).collect());
    replaced(world, "/containers/0/room_id", json!("r2"))
}

/// A ring with a camera on one of the two paths, of which the burglar does not know.
fn trapped() -> Value {
    replaced(ring(), "/cameras", json!([{"id": "eye", "room_id": "r1"}]))
}

fn plan(world: &Value) -> Value {
    json!({"problem": {"world": world}, "options": limited_to(1_000_000)})
}

fn steps(list: &[(&str, &str)]) -> Value {
    list.iter()
        .map(|(verb, target)| json!({"verb": format!("HEIST_VERB_{verb}"), "target_id": target}))
        .collect()
}

#[tokio::test]
async fn a_plan_is_the_shortest_and_its_outcome() {
    let caller = Caller::new(settings()).await;
    let answer = check_answer(
        &caller,
        "PlanBurglar",
        plan(&row(2)),
        r#"
        report.status = "SOLVE_STATUS_OPTIMAL"
        report.objective.levels = [7]
        report.objective.terms[0].name = "actions"
        report.bound.levels = [7]
        report.gap = 0
        report.explanation = null
        unavoidable_room_ids = ["r0", "r1"]
        outcome.kind = "HEIST_OUTCOME_KIND_HOLDS"
    "#,
    )
    .await;
    let wanted = [
        ("APPROACH", "d1"),
        ("OPEN", "d1"),
        ("ENTER", "d1"),
        ("APPROACH", "altar"),
        ("PICK_UP", "idol"),
        ("APPROACH", "d1"),
        ("ENTER", "d1"),
    ];
    assert_eq!(answer["plan"]["steps"], steps(&wanted));
    for (world, kind, verb, target, by) in [
        (surprise(), "FAILS", "OPEN", "d2", "d2"),
        (watched(false), "CAUGHT", "ENTER", "d1", "eye"),
    ] {
        let answer = caller.answer("PlanBurglar", &plan(&world)).await;
        let outcome = &answer["outcome"];
        assert_eq!(outcome["kind"], format!("HEIST_OUTCOME_KIND_{kind}"));
        assert_eq!(outcome["by_id"], by);
        let step = usize::try_from(outcome["step"].as_i64().unwrap()).unwrap();
        assert_eq!(answer["plan"]["steps"][step], steps(&[(verb, target)])[0]);
    }
}

#[tokio::test]
async fn what_cannot_be_done_has_its_reasons() {
    let caller = Caller::new(settings()).await;
    check_answer(
        &caller,
        "PlanBurglar",
        plan(&watched(true)),
        r#"
        plan = null
        outcome = null
        report.status = "SOLVE_STATUS_INFEASIBLE"
        report.explanation.reasons[*].code = ["ITEM_OUT_OF_REACH", "TRAP_IN_THE_WAY"]
        report.explanation.reasons[*].subject_id = ["idol", "r1"]
        report.explanation.reasons[*].blocker_id = ["altar", "eye"]
        report.explanation.reasons[*].proved = [true, true]
    "#,
    )
    .await;
    let locked = json!({"problem": example("heist/locked"), "options": limited_to(1_000_000)});
    check_answer(&caller, "PlanBurglar", locked, r#"
        report.explanation.reasons[*].code = ["ITEM_OUT_OF_REACH", "TRAP_IN_THE_WAY", "KEY_LACKING", "KEY_LACKING", "LOCK_IN_THE_WAY"]
        report.explanation.reasons[*].subject_id = ["crown", "portraits", "crown_key", "spare_key", "crown_case"]
        report.explanation.reasons[*].blocker_id = ["crown_case", "portrait_eye", "watchman", "key_board", null]
    "#).await;
    let opal = json!({"problem": example("heist/opal"), "options": limited_to(1_000_000)});
    check_answer(
        &caller,
        "PlanBurglar",
        opal,
        r#"
        report.status = "SOLVE_STATUS_OPTIMAL"
        outcome.kind = "HEIST_OUTCOME_KIND_FAILS"
        outcome.by_id = "archive_door"
    "#,
    )
    .await;
}

#[tokio::test]
async fn broken_rules_have_their_place_in_the_plan() {
    let caller = Caller::new(settings()).await;
    let problem = json!({"world": row(3)});
    let good = caller.answer("PlanBurglar", &plan(&row(3))).await["plan"].take();
    let cut = steps(&[("APPROACH", "d1"), ("ENTER", "d1")]);
    check_violations(
        &caller,
        "heist",
        &problem,
        &good,
        &format!(
            r#"
        steps = {cut} => steps[1] IS_CLOSED
        steps = [] => ITEM_MISSING
    "#
        ),
    )
    .await;
    let seen = json!({"world": watched(true)});
    let caught = json!({"steps": steps(&[("APPROACH", "d1"), ("OPEN", "d1"), ("ENTER", "d1")])});
    let wanted = ["steps[2] TRAP_ENTERED", "ITEM_MISSING", "ENDS_ELSEWHERE"];
    assert_eq!(violations(&caller, "heist", &seen, &caught).await, wanted);
}

#[tokio::test]
async fn plans_go_on_from_where_the_burglar_is_and_may_avoid_rooms() {
    let caller = Caller::new(settings()).await;
    let open: Vec<_> = ["d1", "d2", "d3"]
        .iter()
        .map(|id| json!({"id": id}))
        .collect();
    let current = json!({"room_id": "r3", "at_id": "altar", "item_ids": ["idol"]});
    let request = replaced(plan(&row(4)), "/problem/current", current);
    // The doors behind the burglar are closed in the current world, and have to be opened again.
    check_answer(&caller, "PlanBurglar", request.clone(), "plan.steps[#] = 9").await;
    let request = replaced(request, "/problem/current/states", json!(open));
    check_answer(&caller, "PlanBurglar", request, "plan.steps[#] = 6").await;
    let other = replaced(plan(&ring()), "/max_alternatives", json!(3));
    let answer = check_answer(&caller, "PlanBurglar", other, "alternatives[#] = 1").await;
    let without = answer["alternatives"][0]["without_room_id"]
        .as_str()
        .unwrap();
    assert!(["r1", "r3"].contains(&without), "{without}");
    // Guards know what is locked.
    let guard = json!({"id": "tom", "room_id": "r0", "goal": {"visit_room_ids": ["r2"]}});
    let request = replaced(
        plan(&replaced(surprise(), "/guards", json!([guard]))),
        "/problem/agent_id",
        json!("tom"),
    );
    let answer = caller.answer("PlanBurglar", &request).await;
    let unlock = json!({"verb": "HEIST_VERB_UNLOCK", "target_id": "d2", "key_id": "key"});
    assert!(
        answer["plan"]["steps"]
            .as_array()
            .unwrap()
            .contains(&unlock),
        "{answer}"
    );
}

#[tokio::test]
async fn rules_deeds_and_wishes_are_checked() {
    let caller = Caller::new(settings()).await;
    let world = surprise();
    let request = json!({"problem": world, "interventions": [{"tick": 0, "verb": "HEIST_INTERVENTION_VERB_LOCK", "target_id": "d1"}]});
    let request = replaced(request, "/rules", json!({"costs": {}}));
    check_mistakes(&caller, "SimulateHeist", &request, r#"
        problem/doors/0/b_room_id = "cellar" => problem.doors[0].b_room_id UNKNOWN
        problem/costs = {"door": -1} => problem.costs.door OUT_OF_RANGE
        rules/replan = 7 => rules.replan ENUM_UNKNOWN
        rules/costs/door = -1 => rules.costs.door OUT_OF_RANGE
        rules/max_ticks = 100001 => rules.max_ticks OUT_OF_RANGE
        interventions/0/tick = -1 => interventions[0].tick OUT_OF_RANGE
        interventions/0/verb = 0 => interventions[0].verb REQUIRED
        interventions/0/verb = "HEIST_INTERVENTION_VERB_SWITCH_OFF" => interventions[0].target_id WRONG_KIND
        interventions/0/target_id = "ghost" => interventions[0].target_id UNKNOWN
        interventions/0/target_id = "key" => interventions[0].target_id WRONG_KIND
        options = {"strategy": "chance"} => options.strategy UNKNOWN
        options = {"priority": 9} => options.priority ENUM_UNKNOWN
        options = {"target": {"levels": [1]}} => options.target.levels TOO_MANY
    "#).await;
    let request = json!({"problem": surprise(), "options": limited_to(1_000), "trap_count": 1, "trap_kind": "HEIST_TRAP_KIND_CAMERAS"});
    check_mistakes(
        &caller,
        "DesignHeist",
        &request,
        r#"
        trap_count = 33 => trap_count OUT_OF_RANGE
        trap_kind = 5 => trap_kind ENUM_UNKNOWN
        max_help_cost = -1 => max_help_cost OUT_OF_RANGE
    "#,
    )
    .await;
    let unplayed = replaced(
        replaced(request, "/simulate", json!(false)),
        "/trap_kind",
        json!(4),
    );
    let status = caller.ask("DesignHeist", &unplayed).await.unwrap_err();
    assert_eq!(crate::calls::mistakes(&status), ["trap_kind CONTRADICTION"]);
    let lock = json!({"tick": 1, "verb": "HEIST_INTERVENTION_VERB_LOCK", "target_id": "d1"});
    let request = json!({"problem": trapped(), "options": limited_to(1_000), "tick": 5});
    let request = replaced(request, "/interventions", json!([lock]));
    check_mistakes(
        &caller,
        "AnalyzeHeist",
        &request,
        r#"
        interventions/0/target_id = "nothing" => interventions[0].target_id UNKNOWN
        interventions/0/tick = 6 => interventions[0].tick OUT_OF_RANGE
        aim = 7 => aim ENUM_UNKNOWN
        max_help_cost = -1 => max_help_cost OUT_OF_RANGE
    "#,
    )
    .await;
}
