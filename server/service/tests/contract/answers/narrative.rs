//! Narratives: policies, conflicts with changes that help, groups, and stories that have begun.

mod conflicts;

use super::{check_answer, check_mistakes, check_violations, limited_to, replaced, value_at};
use crate::calls::{Caller, example, settings};
use serde_json::{Value, json};

fn link(id: &str, from: &str, to: &str, seconds: [i64; 2]) -> Value {
    let [lower, upper] = seconds.map(|it| format!("{it}s"));
    json!({"id": id, "from_event_id": from, "to_event_id": to, "lower": lower, "upper": upper})
}

/// Players search for 10 to 60 s and then go home, by a long route on the horse or a short one on
/// foot; they have to arrive after 60 to 80 s. Riding works after a search of up to 32 s, walking
/// after 19 s or more.
fn quest() -> Value {
    let ids = ["found", "ride", "ridden", "walk", "walked", "home"];
    json!({
        "events": ids.map(|id| json!({"id": id})),
        "links": [
            link("whole", "origin", "home", [60, 80]),
            link("mount", "found", "ride", [0, 1]),
            link("riding", "ride", "ridden", [48, 50]),
            link("dismount", "ridden", "home", [0, 10]),
            link("set off", "found", "walk", [0, 1]),
            link("walking", "walk", "walked", [10, 20]),
            link("stroll", "walked", "home", [0, 20]),
        ],
        "contingent_links": [link("search", "origin", "found", [10, 60])],
        "activities": [{
            "id": "on horseback",
            "start_event_id": "ride",
            "end_event_id": "ridden",
            "demands": [{"resource_id": "horse", "amount": 1}],
        }],
        "resources": [{"id": "horse", "capacity": 1}],
        "choices": [{
            "id": "way",
            "chooser": "NARRATIVE_CHOOSER_SYSTEM",
            "options": [
                {"id": "horse", "event_ids": ["ride", "ridden"]},
                {"id": "foot", "event_ids": ["walk", "walked"]},
            ],
        }],
    })
}

fn of_players() -> Value {
    replaced(
        quest(),
        "/choices/0/chooser",
        json!("NARRATIVE_CHOOSER_PLAYER"),
    )
}

/// Two groups that begin apart and have one horse.
fn of_two(apart: i64) -> Value {
    let start = format!("{apart}s");
    let groups =
        json!([{"id": "first", "start_offset": "0s"}, {"id": "second", "start_offset": start}]);
    replaced(quest(), "/groups", groups)
}

fn request(problem: &Value) -> Value {
    json!({"problem": problem, "options": limited_to(1_000_000)})
}

const HOLDS: &str =
    "report.status = \"SOLVE_STATUS_OPTIMAL\"\nreport.stop_reason = \"STOP_REASON_PROVED\"";
const CANNOT: &str = "report.status = \"SOLVE_STATUS_INFEASIBLE\"\nreport.stop_reason = \"STOP_REASON_PROVED\"\nplan = null";

fn seconds(of: &Value) -> f64 {
    of.as_str()
        .map_or(0.0, |it| it.trim_end_matches('s').parse().expect("seconds"))
}

#[tokio::test]
async fn the_option_is_chosen_by_what_was_seen() {
    let caller = Caller::new(settings()).await;
    let answer = check_answer(&caller, "ScheduleNarrative", request(&quest()), HOLDS).await;
    let mut covered = Vec::new();
    for policy in answer["plan"]["policies"].as_array().unwrap() {
        assert!(policy["dispatch"].is_object() && policy["ranges"].is_array());
        let seen = policy.get("outcomes").map(|it| &it[0]);
        let (from, to) = seen.map_or((10.0, 60.0), |it| {
            (seconds(&it["lower"]), seconds(&it["upper"]))
        });
        match policy["picks"][0]["option_id"].as_str().unwrap() {
            "horse" => assert!(to <= 32.0, "{policy}"),
            _ => assert!(from >= 19.0, "{policy}"),
        }
        covered.push((from, to));
    }
    covered.sort_by(|one, other| one.0.total_cmp(&other.0));
    assert_eq!((covered[0].0, covered[covered.len() - 1].1), (10.0, 60.0));
    assert!(
        covered.is_sorted_by(|one, next| next.0 <= one.1 + 0.001),
        "{covered:?}"
    );
    let one = json!([answer["plan"]["policies"][0]]);
    let table = format!("policies = {one} => policies UNCOVERED");
    check_violations(&caller, "narrative", &quest(), &answer["plan"], &table).await;
    for (name, feasible) in [
        ("dragon", true),
        ("vote", false),
        ("tonight", false),
        ("evening", true),
    ] {
        let mut problem = example(&format!("narrative/{name}"));
        problem.as_object_mut().unwrap().remove("objective");
        let table = if feasible { HOLDS } else { CANNOT };
        check_answer(&caller, "ScheduleNarrative", request(&problem), table).await;
    }
}

#[tokio::test]
async fn details_come_where_they_are_wanted() {
    let caller = Caller::new(settings()).await;
    // Without a choice it bears a search of 0 to 32 s.
    let mut problem = quest();
    problem["choices"] = json!([]);
    problem["events"] = ["found", "ride", "ridden", "home"]
        .map(|id| json!({"id": id}))
        .into();
    problem["links"].as_array_mut().unwrap().truncate(4);
    problem["contingent_links"][0]["upper"] = json!("30s");
    let asked = replaced(
        request(&problem),
        "/detail",
        json!({"with_stretches": true}),
    );
    check_answer(
        &caller,
        "ScheduleNarrative",
        asked,
        r#"
        plan.stretches[*].link_id = ["search"]
        plan.stretches[*].shortest_duration = ["0s"]
        plan.stretches[*].longest_duration = ["32s"]
    "#,
    )
    .await;
    let silent = json!({"with_conflict": false, "max_relaxations": 0});
    let asked = replaced(request(&of_players()), "/detail", silent);
    let table = format!("{CANNOT}\nconflict = null\nrelaxations = null");
    check_answer(&caller, "ScheduleNarrative", asked, &table).await;
    let nobody = replaced(request(&quest()), "/problem/horizon_offset", json!("0s"));
    check_answer(&caller, "ScheduleNarrative", nobody, CANNOT).await;
}

#[tokio::test]
async fn groups_hand_over_what_they_share_and_have_origins() {
    let caller = Caller::new(settings()).await;
    let mut problem = of_two(70);
    let table = format!(
        "{HOLDS}\n{}",
        r#"
        plan.peaks[*].resource_id = ["horse"]
        plan.peaks[*].amount = [1]
        plan.peaks[*].capacity = [1]
    "#
    );
    let answer = check_answer(&caller, "ScheduleNarrative", request(&problem), &table).await;
    // Outcomes count from the beginning of their group.
    let outcomes = value_at(&answer, "plan.policies[*].outcomes");
    let outcomes = outcomes.as_array().unwrap().iter();
    for outcome in outcomes.flat_map(|it| it.as_array().unwrap()) {
        let (lower, upper) = (seconds(&outcome["lower"]), seconds(&outcome["upper"]));
        assert!(10.0 <= lower && upper <= 60.0, "{outcome}");
    }
    let passed = value_at(&answer, "plan.policies[*].hand_overs").to_string();
    assert!(
        passed.contains("\"from_activity_id\":\"first/on horseback\"")
            && passed.contains("\"to_activity_id\":\"second/on horseback\""),
        "{passed}"
    );
    let mut market = problem["activities"][0].clone();
    market["id"] = json!("market");
    market["start_event_id"] = json!("origin");
    market["end_event_id"] = json!("home");
    market["demands"][0]["resource_id"] = json!("square");
    problem["activities"].as_array_mut().unwrap().push(market);
    problem["resources"]
        .as_array_mut()
        .unwrap()
        .push(json!({"id": "square", "capacity": 2}));
    let answer = check_answer(&caller, "ScheduleNarrative", request(&problem), HOLDS).await;
    let ranges = value_at(&answer, "plan.policies[*].ranges");
    let ranges = ranges
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|it| it.as_array().unwrap());
    let own: Vec<_> = ranges
        .filter(|it| it["event_id"].as_str().unwrap().ends_with("/origin"))
        .collect();
    assert!(!own.is_empty());
    assert!(
        own.iter()
            .all(|it| it["event_id"] == "second/origin" && it["earliest_offset"] == "70s")
    );
}

#[tokio::test]
async fn stories_that_have_begun_go_on_from_there() {
    let caller = Caller::new(settings()).await;
    let seen = json!([{"event_id": "found", "time_offset": "15s"}]);
    let progress = json!({"now_offset": "15.200s", "happened": seen});
    let begun = replaced(quest(), "/progress", progress.clone());
    let answer = check_answer(&caller, "ScheduleNarrative", request(&begun), HOLDS).await;
    for policy in answer["plan"]["policies"].as_array().unwrap() {
        // After so short a search only riding works.
        assert_eq!(
            policy["picks"],
            json!([{"choice_id": "way", "option_id": "horse"}])
        );
        for range in policy["ranges"].as_array().unwrap() {
            let earliest = seconds(&range["earliest_offset"]);
            assert!(if range["event_id"] == "found" {
                earliest == 15.0
            } else {
                earliest >= 15.2
            });
        }
    }
    for (option, table) in [("horse", HOLDS), ("foot", CANNOT)] {
        let made = json!([{"choice_id": "way", "option_id": option}]);
        let begun = replaced(
            of_players(),
            "/progress",
            replaced(progress.clone(), "/made", made),
        );
        check_answer(&caller, "ScheduleNarrative", request(&begun), table).await;
    }
    // The first group has been searching for 40 s, so that it walks: the horse is free.
    let begun = replaced(of_two(50), "/progress", json!({"now_offset": "40s"}));
    let answer = check_answer(&caller, "ScheduleNarrative", request(&begun), HOLDS).await;
    let picks = value_at(&answer, "plan.policies[*].picks").to_string();
    assert!(
        picks.contains("{\"choice_id\":\"first/way\",\"option_id\":\"foot\"}"),
        "{picks}"
    );
    assert!(
        !picks.contains("{\"choice_id\":\"first/way\",\"option_id\":\"horse\"}"),
        "{picks}"
    );
}

#[tokio::test]
async fn what_is_wrong_with_links_activities_choices_and_pasts() {
    let caller = Caller::new(settings()).await;
    let objective = json!({"idle_weight": 1, "idle_link_ids": ["walking"]});
    let good = request(&replaced(quest(), "/objective", objective));
    check_mistakes(&caller, "ScheduleNarrative", &good, r#"
        problem = {} => problem.events REQUIRED
        problem/contingent_links/1 = {"from_event_id": "walk", "to_event_id": "found", "lower": "1s", "upper": "2s"} => problem.contingent_links[1].to_event_id DUPLICATE
        problem/links/0/to_event_id = "nowhere" => problem.links[0].to_event_id UNKNOWN
        problem/links/0/upper = "315360001s" => problem.links[0].upper OUT_OF_RANGE
        problem/links/1 = {"from_event_id": "found", "to_event_id": "ride"} => problem.links[1] REQUIRED
        problem/activities/0/end_event_id = "ride" => problem.activities[0].end_event_id SELF_LOOP
        problem/activities/1 = {"id": "returning", "start_event_id": "walked", "end_event_id": "home"} => problem.activities[1] CONTRADICTION
        problem/choices/0/options = [] => problem.choices[0].options REQUIRED
        problem/objective/makespan_weight = -1 => problem.objective.makespan_weight OUT_OF_RANGE
        problem/links/5 = {"id": "walking", "from_event_id": "walk", "to_event_id": "walked", "upper": "20s"} => problem.objective.idle_link_ids[0] OUT_OF_RANGE
    "#).await;
    let begun = replaced(
        of_two(30),
        "/progress",
        json!({"now_offset": "20s", "happened": []}),
    );
    let twice = json!([{"event_id": "first/found", "time_offset": "15s"}, {"event_id": "first/found", "time_offset": "15s"}]);
    check_mistakes(
        &caller,
        "ScheduleNarrative",
        &request(&begun),
        &format!(
            r#"
        problem/progress/now_offset = "-1s" => problem.progress.now_offset OUT_OF_RANGE
        problem/progress/now_offset = "60.001s" => problem.progress CONTRADICTION
        problem/progress/happened = {twice} => problem.progress.happened[1].event_id DUPLICATE
    "#
        ),
    )
    .await;
    let mut forks = quest();
    for i in 0..10 {
        let ids = [format!("{i} a"), format!("{i} b")];
        let options = ids.clone().map(|id| json!({"id": id, "event_ids": [id]}));
        forks["events"]
            .as_array_mut()
            .unwrap()
            .extend(ids.map(|id| json!({"id": id})));
        let choice = json!({"id": format!("choice {i}"), "chooser": "NARRATIVE_CHOOSER_PLAYER", "options": options});
        forks["choices"].as_array_mut().unwrap().push(choice);
    }
    let status = caller
        .ask("ScheduleNarrative", &request(&forks))
        .await
        .unwrap_err();
    assert_eq!(
        crate::calls::mistakes(&status),
        ["problem.choices TOO_MANY"]
    );
}
