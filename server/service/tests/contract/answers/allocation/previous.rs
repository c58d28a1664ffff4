//! Plans that are being carried out, while the problem changes under them.

use super::*;

/// Plans the row with these changes, checks the plan at its cost, and the answer by a table.
async fn check_planned(caller: &Caller, changes: &[(&str, Value)], table: &str) {
    let problem = changed(changes);
    let asked = json!({"problem": problem, "options": limited_to(2_000)});
    let answer = check_answer(caller, "AllocateTasks", asked, table).await;
    let any = json!({"problem": {"allocation": problem}, "plan": {"allocation": answer["plan"]}});
    let verdict = caller.answer("VerifyPlan", &any).await;
    assert_eq!(
        (&verdict["valid"], &verdict["objective"]),
        (&json!(true), &answer["report"]["objective"])
    );
}

/// An agent, its tasks, and how many of them are under way.
type Route<'r> = (&'r str, &'r [&'r str], i32);

fn previous(routes: &[Route<'_>]) -> (&'static str, Value) {
    let route = |it: &Route<'_>| json!({"agent_id": it.0, "task_ids": it.1, "started_count": it.2});
    let routes: Vec<_> = routes.iter().map(route).collect();
    ("/previous_plan", json!({"routes": routes}))
}

#[tokio::test]
async fn an_agent_that_cannot_keep_what_it_has_begun_is_released_and_all_are_planned() {
    let caller = Caller::new(settings()).await;
    let changes = [
        ("/tasks/2/windows", json!([{"close_offset": "2.500s"}])),
        previous(&[("ann", &["near", "middle"], 1), ("bob", &["far"], 1)]),
    ];
    let table = r#"
        plan.unserved_task_ids = ["far"]
        plan.routes[0].agent_id = "ann"
        plan.routes[0].stops[0].task_id = "near"
        report.status = "SOLVE_STATUS_INFEASIBLE"
        report.stop_reason = "STOP_REASON_PROVED"
        report.notes = null
        report.explanation.reasons[*].code ~ "STARTED_RELEASED"
        report.explanation.reasons[0].code = "STARTED_RELEASED"
        report.explanation.reasons[0].subject_id = "far"
        report.explanation.reasons[0].blocker_id = "bob"
        report.explanation.reasons[0].proved = true
        report.explanation.reasons[0].message ~ "nothing"
        report.explanation.reasons[0].shortfall = 0.5
        report.explanation.reasons[0].unit = "s"
        report.explanation.reasons[0].field = "tasks[2].windows"
    "#;
    check_planned(&caller, &changes, table).await;
    // What two agents have begun is possible for each, but not for both: see the order.
    let order =
        json!({"first_task_id": "middle", "second_task_id": "far", "min_gap_duration": "1s"});
    let changes = [
        ("/tasks/2/windows", json!([{"close_offset": "3.500s"}])),
        previous(&[("ann", &["middle"], 1), ("bob", &["far"], 1)]),
        ("/couplings", json!({"orders": [order]})),
    ];
    let table = r#"
        plan.routes[0].agent_id = "ann"
        plan.routes[0].stops[*].task_id ~ "middle"
        report.status = "SOLVE_STATUS_INFEASIBLE"
        report.explanation.reasons[0].code = "STARTED_RELEASED"
        report.explanation.reasons[0].message ~ "together"
    "#;
    check_planned(&caller, &changes, table).await;
}

#[tokio::test]
async fn tasks_and_agents_that_are_gone_are_passed_over_with_a_note() {
    let caller = Caller::new(settings()).await;
    let routes: [Route<'_>; 2] = [
        ("eve", &["far"], 1),
        ("ann", &["done", "near", "gone", "middle"], 2),
    ];
    let changes = [previous(&routes), ("/previous_plan/max_changes", json!(0))];
    let table = r#"
        plan.routes[0].agent_id = "ann"
        plan.routes[0].stops[0].task_id = "near"
        plan.unserved_task_ids = null
        report.status = "SOLVE_STATUS_OPTIMAL"
        report.explanation = null
        report.notes[*].code = ["PREVIOUS_AGENT_GONE", "PREVIOUS_TASK_GONE", "PREVIOUS_TASK_GONE"]
        report.notes[*].subject_id = ["eve", "done", "gone"]
        report.notes[0].field = "previous_plan.routes[0].agent_id"
        report.notes[1].field = "previous_plan.routes[1].task_ids[0]"
        report.notes[2].field = "previous_plan.routes[1].task_ids[2]"
    "#;
    check_planned(&caller, &changes, table).await;
}
