//! Projects: schedules, and requirements that conflict.

use super::{check_answer, check_violations, limited_to, replaced};
use crate::calls::{Caller, settings};
use serde_json::{Value, json};

/// A blade takes both smiths for 20 minutes, a hilt one for 10, and they are joined by one in 5.
fn sword() -> Value {
    let activity = |id: &str, minutes: i64, smiths: i64| {
        let demands = json!([{"resource_id": "smith", "amount": smiths}]);
        let work = format!("{}s", minutes * 60);
        json!({"id": id, "modes": [{"work_duration": work, "demands": demands}]})
    };
    json!({
        "activities": [activity("blade", 20, 2), activity("hilt", 10, 1), activity("join", 5, 1)],
        "precedences": [
            {"from_activity_id": "blade", "to_activity_id": "join"},
            {"from_activity_id": "hilt", "to_activity_id": "join"},
        ],
        "resources": [{"id": "smith", "capacity": 2}],
    })
}

fn request(problem: &Value) -> Value {
    json!({"problem": problem, "options": limited_to(100_000)})
}

#[tokio::test]
async fn the_shortest_schedule_is_proved_and_checked() {
    let caller = Caller::new(settings()).await;
    let answer = check_answer(
        &caller,
        "ScheduleProject",
        request(&sword()),
        r#"
        report.status = "SOLVE_STATUS_OPTIMAL"
        report.objective.levels = [2100]
        report.bound.levels = [2100]
        report.gap = 0
        plan.makespan_offset = "2100s"
        plan.activities[*].activity_id = ["blade", "hilt", "join"]
        plan.activities[*].mode_id = ["1", "1", "1"]
        plan.activities[2].start_offset = "1800s"
        "#,
    )
    .await;
    let table = r#"
        activities/2/start_offset = "0s" => activities[2] LAG_TOO_SHORT, activities[2] LAG_TOO_SHORT, activities OVERLOAD
    "#;
    check_violations(&caller, "schedule", &sword(), &answer["plan"], table).await;
    // A previous plan is where the search begins; what it names that is not there is passed over.
    let mut previous = answer["plan"].clone();
    let list = previous["activities"].as_array_mut().unwrap();
    list.reverse();
    list.push(json!({"activity_id": "gone", "start_offset": "0s"}));
    list.push(json!({"activity_id": "hilt", "start_offset": "0s", "mode_id": "gone"}));
    let resumed = replaced(request(&sword()), "/options", limited_to(1));
    let resumed = replaced(resumed, "/previous_plan", previous);
    let last = "event.found_by = \"previous plan\"";
    check_answer(&caller, "StreamScheduleProject", resumed, last).await;
}

#[tokio::test]
async fn requirements_that_conflict_are_named() {
    let caller = Caller::new(settings()).await;
    let problem = replaced(sword(), "/deadline_offset", json!("2040s"));
    let summary = "These 3 requirements cannot be satisfied together; without any one of them the \
                   others can.";
    let table = format!(
        r#"
        plan = null
        report.status = "SOLVE_STATUS_INFEASIBLE"
        report.explanation.reasons[*].code = ["PROJECT_DEADLINE", "CAPACITY", "MINIMAL_LAG"]
        report.explanation.reasons[0].message = "everything ends by 34 min"
        report.explanation.reasons[1].message = "\"smith\" has 2"
        report.explanation.reasons[2].message = "\"join\" starts after \"hilt\" ends"
        report.explanation.summary = "{summary}"
        "#
    );
    check_answer(&caller, "ScheduleProject", request(&problem), &table).await;
}
