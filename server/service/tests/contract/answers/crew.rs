//! Crews: fronts with their routes and reasons, joint plans, and moves that were made.

use super::{check_answer, check_mistakes, check_violations, limited_to, replaced, value_at};
use crate::calls::{Caller, example, mistakes, settings};
use serde_json::{Value, json};

fn request(problem: &Value) -> Value {
    json!({"problem": problem, "options": limited_to(100_000)})
}

/// Seconds and damage of the points for 1, 2, ... players.
fn points(answer: &Value) -> Vec<Vec<(String, f64)>> {
    let point = |it: &Value| {
        let time = it["worst_duration"].as_str().unwrap().to_owned();
        (time, it["worst_damage"].as_f64().unwrap_or(0.0))
    };
    let front = |it: &Value| {
        it["points"]
            .as_array()
            .map_or(Vec::new(), |it| it.iter().map(point).collect())
    };
    answer["plan"]["events"][0]["fronts"]
        .as_array()
        .unwrap()
        .iter()
        .map(front)
        .collect()
}

fn wanted(fronts: &[&[(i64, f64)]]) -> Vec<Vec<(String, f64)>> {
    let front = |it: &&[(i64, f64)]| {
        it.iter()
            .map(|(time, harm)| (format!("{time}s"), *harm))
            .collect()
    };
    fronts.iter().map(front).collect()
}

#[tokio::test]
async fn the_published_fronts_come_back_with_routes_and_reasons() {
    let caller = Caller::new(settings()).await;
    let asked = replaced(request(&example("crew/ship")), "/max_ties", json!(5));
    let answer = check_answer(&caller, "AssignCrew", asked, r#"
        report.status = "SOLVE_STATUS_OPTIMAL"
        plan.events[0].fronts[0].points[0].roles[0].player_id = "p1"
        plan.events[0].fronts[0].points[0].roles[0].tool_id = "t1"
        plan.events[0].fronts[0].points[0].roles[0].fetch_node_ids = ["n0", "n2", "n4", "n3", "n1", "n20"]
        plan.events[0].fronts[0].points[0].roles[0].carry_node_ids = ["n20", "n19", "n18"]
        plan.events[0].fronts[0].points[0].roles[0].walk_duration = "7s"
        plan.events[0].fronts[0].points[0].roles[0].walk_damage = 1
        plan.events[0].fronts[2].points[0].dominated_by_fewer_players = true
        plan.events[0].fronts[2].points[0].ties[#] = 1
        plan.events[0].fronts[*].empty_reason.code = [null, null, null, "TOO_FEW_TOOLS"]
        plan.events[0].fronts[3].empty_reason.shortfall = 1
    "#).await;
    let fronts: [&[_]; 4] = [&[(13, 1.0)], &[(12, 1.0)], &[(13, 1.0)], &[]];
    assert_eq!(points(&answer), wanted(&fronts));
    let front = "events/0/fronts";
    let point = |front: usize| answer["plan"]["events"][0]["fronts"][front]["points"][0].clone();
    let place = "events[0].fronts";
    check_violations(&caller, "crew", &example("crew/ship"), &answer["plan"], &format!(r#"
        {front}/0/points/0/worst_damage = 0 => {place}[0].points[0].roles CLAIM_WRONG
        {front}/2/points/0/dominated_by_fewer_players = false => {place}[2].points[0] FEWER_WRONG
        {front}/0/points/1 = {} => {place}[0].points[1] POINT_DOMINATED
        {front}/2/points/0/ties/0/roles = {} => {place}[2].points[0].ties[0].roles ASSIGNMENT_REPEATED
    "#, point(0), point(2)["roles"])).await;
    // A player that runs through the fire comes to it twice.
    let strict = example("crew/ship");
    let lax = replaced(strict, "/max_damage_kind", json!(0));
    let answer = caller.answer("AssignCrew", &request(&lax)).await;
    let fronts: [&[_]; 4] = [&[(11, 2.0), (13, 1.0)], &[(12, 1.0)], &[(13, 1.0)], &[]];
    assert_eq!(points(&answer), wanted(&fronts));
    let once = replaced(lax, "/allow_revisits", json!(false));
    let answer = caller.answer("AssignCrew", &request(&once)).await;
    let fronts: [&[_]; 4] = [&[(13, 1.0)], &[(12, 1.0)], &[(13, 1.0)], &[]];
    assert_eq!(points(&answer), wanted(&fronts));
}

/// Rooms in a row, one damage to enter the last with a tool, and an event in it.
fn row(rooms: usize) -> Value {
    let id = |i: usize| format!("n{i}");
    let arc = |i: usize| {
        let damage = f64::from(i32::from(i + 1 == rooms));
        json!({"from_node_id": id(i - 1), "to_node_id": id(i), "carry_damage": damage})
    };
    json!({
        "nodes": (0..rooms).map(|i| json!({"id": id(i)})).collect::<Vec<_>>(),
        "arcs": (1..rooms).map(arc).collect::<Vec<_>>(),
        "players": [{"id": "ann", "node_id": "n0"}, {"id": "bob", "node_id": id(rooms - 1)}],
        "tools": [{"id": "hammer", "node_id": "n1"}, {"id": "saw", "node_id": "n1"}],
        "events": [{"id": "leak", "node_id": id(rooms - 1), "efforts": [{}, {}]}],
    })
}

#[tokio::test]
async fn that_nobody_can_do_it_has_reasons_and_plans_name_what_there_is() {
    let caller = Caller::new(settings()).await;
    let harmful = replaced(row(4), "/max_damage", json!(0.5));
    check_answer(
        &caller,
        "AssignCrew",
        request(&harmful),
        r#"
        report.status = "SOLVE_STATUS_INFEASIBLE"
        report.explanation.reasons[*].code = ["TOO_HARMFUL", "TOO_HARMFUL"]
        report.explanation.reasons[*].shortfall = [0.5, 0.5]
        report.explanation.reasons[*].subject_id = ["leak", "leak"]
        report.explanation.reasons[*].proved = [true, true]
    "#,
    )
    .await;
    let plan = caller.answer("AssignCrew", &request(&row(3))).await["plan"].take();
    let any = json!({"problem": {"crew": row(3)}, "plan": {"crew": plan}});
    let point = "plan/crew/events/0/fronts/0/points/0/roles/0";
    let table = format!(
        r#"
        {point}/player_id = "zoe" => plan.crew.events[0].fronts[0].points[0].roles[0].player_id UNKNOWN
        plan/crew/events/0/fronts/1/player_count = 1 => plan.crew.events[0].fronts[1].player_count CONTRADICTION
    "#
    );
    check_mistakes(&caller, "VerifyPlan", &any, &table).await;
    let table = r#"
        max_ties = -1 => max_ties OUT_OF_RANGE
        max_ties = 1001 => max_ties OUT_OF_RANGE
        problem/arcs/1/to_node_id = "n9" => problem.arcs[1].to_node_id UNKNOWN
    "#;
    check_mistakes(&caller, "AssignCrew", &request(&row(3)), table).await;
}

#[tokio::test]
async fn several_events_share_players_and_tools() {
    let caller = Caller::new(settings()).await;
    let ship = example("crew/ship");
    let mut leak = ship["events"][0].clone();
    leak["id"] = json!("leak");
    leak["node_id"] = json!("n24");
    leak["rank"] = json!(1);
    let problem = replaced(ship.clone(), "/events/1", leak);
    let answer = check_answer(
        &caller,
        "AssignCrew",
        request(&problem),
        r#"
        report.status = "SOLVE_STATUS_OPTIMAL"
        plan.joint.complete = true
        plan.joint.points[0].teams[*].event_id = ["fire", "leak"]
    "#,
    )
    .await;
    let roles = value_at(&answer, "plan.joint.points[0].teams[0].roles");
    let spoilt = replaced(
        answer["plan"].clone(),
        "/joint/points/0/teams/1/roles",
        roles,
    );
    let found = super::violations(&caller, "crew", &problem, &spoilt).await;
    assert!(
        found.contains(&"joint.points[0].teams[1].roles[0] JOINT_ROLE".to_owned()),
        "{found:?}"
    );
    // With one tool the event of lower rank is done.
    let mut leak = ship["events"][0].clone();
    leak["id"] = json!("leak");
    let one = json!([ship["tools"][0]]);
    let problem = replaced(replaced(ship, "/tools", one), "/events/0/rank", json!(7));
    let asked = request(&replaced(problem, "/events/1", leak));
    let table = r#"plan.joint.points[0].teams[*].event_id = ["leak"]"#;
    check_answer(&caller, "AssignCrew", asked, table).await;
}

/// What a player does with a tool, and how long the player stands still.
fn moved(player: &str, tool: &str, fetch: &[u8], carry: &[u8], idle: &str) -> Value {
    let path = |path: &[u8]| {
        path.iter()
            .map(|node| format!("n{node}"))
            .collect::<Vec<_>>()
    };
    json!({
        "role": {
            "player_id": player,
            "tool_id": tool,
            "fetch_node_ids": path(fetch),
            "carry_node_ids": path(carry),
        },
        "idle_duration": idle,
    })
}

#[tokio::test]
async fn time_lost_has_its_reasons() {
    let caller = Caller::new(settings()).await;
    // Table 1's player, who stands still for 2 s and takes a step to and fro: 5 + 4 s on foot, 6 s
    // of work. One player needs 13 s; two need 12.
    let fetch = [0, 2, 4, 3, 1, 20];
    let slow = moved("p1", "t1", &fetch, &[20, 1, 20, 19, 18], "2s");
    let asked = json!({"problem": example("crew/ship"), "moves": [slow]});
    check_answer(
        &caller,
        "CompareCrewMoves",
        asked.clone(),
        r#"
        worst_duration = "17s"
        worst_damage = 1
        time_loss.least_duration = "12s"
        time_loss.way_duration = "4s"
        time_loss.role_duration = "0s"
        time_loss.number_duration = "1s"
        damage_loss.least_damage = 1
        damage_loss.way_damage = null
        movers[*].player_id = ["p1"]
        movers[*].walk_duration = ["11s"]
        movers[*].least_duration = ["7s"]
    "#,
    )
    .await;
    let nameless = moved("p9", "", &fetch, &[20, 19, 18], "-1s");
    let jump = moved("p4", "t2", &[36, 24], &[24, 18], "0s");
    let again = moved("p1", "t3", &fetch, &[20, 19, 18], "0s");
    check_mistakes(&caller, "CompareCrewMoves", &asked, &format!(r#"
        moves/0 = {nameless} => moves[0].role.tool_id REQUIRED, moves[0].idle_duration OUT_OF_RANGE, moves[0].role.player_id UNKNOWN
        moves/0 = {jump} => moves[0].role STEP_IMPOSSIBLE
        moves/1 = {again} => moves[1].role DUPLICATE
        moves = [] => moves REQUIRED
    "#)).await;
}

/// Whether the server was built with the solver of the published program.
async fn has_solver(caller: &Caller) -> bool {
    let info = caller.answer("GetServerInfo", &json!({})).await;
    let listed = info.to_string().contains("\"name\":\"milp\"");
    // `./test` sets it where it builds the solver, so that no test is skipped by mistake.
    let expected = std::env::var_os("SOLVER_EXPECTED").is_some();
    assert!(listed || !expected, "the server does not list its solver");
    listed
}

#[tokio::test]
async fn the_published_program_agrees_or_is_refused_in_words() {
    let caller = Caller::new(settings()).await;
    let ship = example("crew/ship");
    let programmed =
        |problem: &Value| replaced(request(problem), "/options/strategy", json!("milp"));
    if !has_solver(&caller).await {
        let status = caller
            .ask("AssignCrew", &programmed(&ship))
            .await
            .unwrap_err();
        assert!(
            status.message().contains("without the feature milp"),
            "{status}"
        );
        assert_eq!(mistakes(&status).len(), 1);
        return;
    }
    for kind in [0, 2] {
        let problem = replaced(ship.clone(), "/max_damage_kind", json!(kind));
        let auto = caller.answer("AssignCrew", &request(&problem)).await;
        let milp = caller.answer("AssignCrew", &programmed(&problem)).await;
        assert_eq!(milp["report"]["status"], "SOLVE_STATUS_OPTIMAL");
        assert_eq!(points(&milp), points(&auto));
        let reasons = "plan.events[0].fronts[*].empty_reason";
        assert_eq!(value_at(&milp, reasons), value_at(&auto, reasons));
    }
    let mut again = ship["events"][0].clone();
    again["id"] = json!("again");
    let fine = replaced(ship.clone(), "/max_damage", json!(1.999_999));
    for (request, words) in [
        (
            replaced(programmed(&ship), "/max_ties", json!(1)),
            "other assignments of the same point",
        ),
        (
            programmed(&replaced(ship.clone(), "/allow_revisits", json!(false))),
            "come to no vertex twice",
        ),
        (
            programmed(&replaced(ship.clone(), "/events/1", again)),
            "several events",
        ),
        (
            programmed(&replaced(fine, "/arcs/0/fetch_damage", json!(0.000_001))),
            "damages that add up to",
        ),
    ] {
        let status = caller.ask("AssignCrew", &request).await.unwrap_err();
        assert!(status.message().contains(words), "{status}");
    }
}
