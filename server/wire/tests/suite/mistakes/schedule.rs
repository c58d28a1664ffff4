//! Schedules: one mistake a line.

use crate::mistakes::{check_by, encode_as, lines, replaced};
use schedule::Problem;
use schedule::problem::{Demand, Point, Precedence};
use serde_json::{Value, json};
use wire::decode::schedule;

/// A project with something of everything.
fn good() -> Value {
    json!({
        "problem": {
            "title": "a sword",
            "description": "three steps",
            "activities": [
                {"id": "blade", "label": "forge the blade", "modes": [
                    {"workDuration": "20s", "demands": [{"resourceId": "smith", "amount": 2}]},
                    {"id": "alone", "workDuration": "35.5s", "demands": [{"resourceId": "smith"}]},
                ]},
                {"id": "hilt", "modes": [{"workDuration": "10s"}], "releaseOffset": "3s"},
                {"id": "join", "modes": [{"workDuration": "0s"}], "deadlineOffset": "90s"},
                {"id": "spare", "modes": [{"workDuration": "1s"}]},
            ],
            "precedences": [
                {"fromActivityId": "blade", "toActivityId": "join"},
                {
                    "fromActivityId": "hilt",
                    "toActivityId": "join",
                    "lower": "-1s",
                    "upper": "5s",
                    "fromPoint": "SCHEDULE_POINT_START",
                    "toPoint": "SCHEDULE_POINT_END",
                },
                {"fromActivityId": "blade", "toActivityId": "hilt", "upper": "60s"},
            ],
            "resources": [{"id": "smith", "label": "smiths", "capacity": 2}, {"id": "forge"}],
            "deadlineOffset": "120s",
        },
        "options": {"timeBudget": "0.25s", "strategy": "auto"},
        "previousPlan": {"activities": [
            {"activityId": "blade", "startOffset": "0s", "modeId": "1"},
            {"activityId": "gone", "startOffset": "0s"},
        ]},
    })
}

fn encode(request: &Value) -> Vec<u8> {
    encode_as("stratagem.v1.ScheduleProjectRequest", request)
}

fn read(request: &Value) -> Problem {
    schedule(&encode(request)).expect("the request of these tests makes sense")
}

fn mistakes(request: &Value) -> Vec<String> {
    lines(schedule(&encode(request)))
}

fn check(part: &str, table: &str) {
    check_by(mistakes, &good(), part, table);
}

#[test]
fn a_problem_is_read_to_the_last_field() {
    let problem = read(&good());
    let spec = problem.spec();
    let modes = &spec.activities[0].modes;
    let smiths = |amount| {
        vec![Demand {
            resource: 0,
            amount,
        }]
    };
    assert_eq!(
        (modes[0].duration_us, &modes[0].demands),
        (20_000_000, &smiths(2))
    );
    assert_eq!(
        (modes[1].duration_us, &modes[1].demands),
        (35_500_000, &smiths(1))
    );
    let windows = spec
        .activities
        .iter()
        .map(|it| (it.release_us, it.deadline_us));
    let windows: Vec<_> = windows.collect();
    assert_eq!(
        windows[..3],
        [(0, None), (3_000_000, None), (0, Some(90_000_000))]
    );
    let within = Precedence {
        from: Point::Start(1),
        to: Point::End(2),
        lag_min_us: Some(-1_000_000),
        lag_max_us: Some(5_000_000),
    };
    let at_most = Precedence {
        lag_min_us: None,
        lag_max_us: Some(60_000_000),
        ..Precedence::finish_to_start(0, 1)
    };
    assert_eq!(
        spec.precedences,
        [Precedence::finish_to_start(0, 2), within, at_most]
    );
    let capacities: Vec<_> = spec.resources.iter().map(|it| it.capacity).collect();
    assert_eq!(capacities, [2, 1]);
    assert_eq!(spec.deadline_us, Some(120_000_000));
}

#[test]
fn mistakes_of_the_request_itself() {
    let table = r#"
        strategy = "guess" => strategy UNKNOWN
        target = {"levels": [1, 2]} => target.levels TOO_MANY
        timeBudget = "0s" => time_budget OUT_OF_RANGE
    "#;
    check("options", table);
    let request = replaced(good(), "/problem", Value::Null);
    assert_eq!(mistakes(&request), ["problem REQUIRED"]);
}

#[test]
fn mistakes_of_activities() {
    let table = r#"
        activities/3/id = "" => activities[3].id REQUIRED
        activities/3/id = "blade" => activities[3].id DUPLICATE
        activities/0/modes = [] => activities[0].modes REQUIRED
        activities/1/releaseOffset = "-1s" => activities[1].release_offset OUT_OF_RANGE
        activities/2/deadlineOffset = "-1s" => activities[2].deadline_offset OUT_OF_RANGE
        activities/0/modes/1/id = "1" => activities[0].modes[1].id DUPLICATE
        activities/1/modes/0/workDuration = null => activities[1].modes[0].work_duration REQUIRED
        activities/1/modes/0/workDuration = "-1s" => activities[1].modes[0].work_duration OUT_OF_RANGE
        activities/0/modes/0/demands/0/resourceId = "king" => activities[0].modes[0].demands[0].resource_id UNKNOWN
        activities/0/modes/0/demands/0/resourceId = "" => activities[0].modes[0].demands[0].resource_id REQUIRED
        activities/0/modes/0/demands/0/amount = -1 => activities[0].modes[0].demands[0].amount OUT_OF_RANGE
        activities/0/modes/0/demands = [{"resourceId": "smith"}, {"resourceId": "smith"}] => activities[0].modes[0].demands[1].resource_id DUPLICATE
        deadlineOffset = "-1s" => deadline_offset OUT_OF_RANGE
    "#;
    check("problem", table);
}

#[test]
fn mistakes_of_precedences_and_resources() {
    let table = r#"
        precedences/0/fromActivityId = "" => precedences[0].from_activity_id REQUIRED
        precedences/0/fromActivityId = "nothing" => precedences[0].from_activity_id UNKNOWN
        precedences/0/toActivityId = "blade" => precedences[0].to_activity_id SELF_LOOP
        precedences/1/upper = "-2s" => precedences[1].upper REVERSED
        precedences/1/lower = "-400000000s" => precedences[1].lower OUT_OF_RANGE
        precedences/1/fromPoint = 7 => precedences[1].from_point ENUM_UNKNOWN
        resources/1/id = "smith" => resources[1].id DUPLICATE
        resources/0/capacity = -1 => resources[0].capacity OUT_OF_RANGE
    "#;
    check("problem", table);
}

#[test]
fn mistakes_of_previous_plans() {
    for (field, name) in [
        ("activityId", "activity_id"),
        ("startOffset", "start_offset"),
    ] {
        let at = format!("/previousPlan/activities/0/{field}");
        let found = mistakes(&replaced(good(), &at, Value::Null));
        let expected = format!("previous_plan.activities[0].{name} REQUIRED");
        assert_eq!(found, [expected]);
    }
    // What the problem does not have is ignored.
    let request = replaced(good(), "/previousPlan/activities/0/modeId", json!("gone"));
    assert_eq!(mistakes(&request), [""; 0]);
}

#[test]
fn what_is_too_large_is_not_looked_into() {
    for (list, count) in [
        ("problem/activities", 2_001),
        ("problem/precedences", 20_001),
        ("problem/resources", 65),
        ("problem/activities/0/modes", 17),
        ("problem/activities/0/modes/0/demands", 65),
        ("previousPlan/activities", 2_001),
    ] {
        let many = Value::Array(vec![json!({}); count]);
        let found = mistakes(&replaced(good(), &format!("/{list}"), many));
        let field = list
            .replace("previousPlan", "previous_plan")
            .replace("/0", "[0]");
        assert_eq!(found, [format!("{} TOO_MANY", field.replace('/', "."))]);
    }
}

#[test]
fn a_default_id_of_a_mode_may_be_taken() {
    let request = replaced(good(), "/problem/activities/0/modes/0/id", json!("2"));
    let request = replaced(request, "/problem/activities/0/modes/1/id", json!(""));
    assert_eq!(
        mistakes(&request),
        ["problem.activities[0].modes[1].id DUPLICATE"]
    );
}
