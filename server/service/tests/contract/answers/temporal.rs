//! Temporal networks: verdicts with their times, conflicts and changes that help.

use super::{
    check, check_answer, check_mistakes, check_violations, limited_to, replaced, value_at,
};
use crate::calls::{Caller, example, settings};
use serde_json::{Value, json};

fn link(from: &str, to: &str, lower: &str, upper: &str) -> Value {
    json!({"from_event_id": from, "to_event_id": to, "lower": lower, "upper": upper})
}

/// Our events and a teammate's take turns: theirs follows ours by 1 to 3 s, ours theirs by 2 s to
/// this patience.
fn turns(pairs: usize, patience: &str) -> Value {
    let (ours, theirs) = (
        |i: usize| format!("ours {i}"),
        |i: usize| format!("theirs {i}"),
    );
    let event = |id: String, agent: &str| json!({"id": id, "agent_id": agent});
    let events = (0..pairs).flat_map(|i| [event(ours(i), "we"), event(theirs(i), "they")]);
    let there = (0..pairs).map(|i| link(&ours(i), &theirs(i), "1s", "3s"));
    let back = (1..pairs).map(|i| link(&theirs(i - 1), &ours(i), "2s", patience));
    let begin = [link("origin", "ours 0", "0s", "1s")];
    json!({
        "agents": [
            {"id": "we", "kind": "TEMPORAL_AGENT_KIND_CONTROLLABLE"},
            {"id": "they", "kind": "TEMPORAL_AGENT_KIND_UNCONTROLLABLE"},
        ],
        "events": events.collect::<Vec<_>>(),
        "links": there.chain(back).chain(begin).collect::<Vec<_>>(),
        "horizon_offset": format!("{}s", pairs * 11),
    })
}

/// A ride of 10 to 20 s, and a rest that begins 1 to 3 s after it.
fn ride() -> Value {
    json!({
        "events": [{"id": "leave"}, {"id": "arrive"}, {"id": "rest"}],
        "links": [link("arrive", "rest", "1s", "3s")],
        "contingent_links": [link("leave", "arrive", "10s", "20s")],
    })
}

fn request(network: &Value) -> Value {
    json!({"problem": network, "options": limited_to(1_000_000)})
}

#[tokio::test]
async fn what_holds_comes_with_times() {
    let caller = Caller::new(settings()).await;
    let network = turns(4, "6s");
    for strategy in ["auto", "tropical", "search"] {
        let asked = replaced(request(&network), "/options/strategy", json!(strategy));
        // Each of ours waits for the slowest teammate: 3 + 2 s.
        let answer = check_answer(
            &caller,
            "CheckStrongControllability",
            asked,
            r#"
            verdict = "TEMPORAL_VERDICT_HOLDS"
            report.status = "SOLVE_STATUS_OPTIMAL"
            report.objective = null
            verified = true
            conflict = null
            relaxations = null
            plan.events[*].time_offset = ["0s", "5s", "10s", "15s"]
            plan.ranges[*].event_id = ["theirs 0", "theirs 1", "theirs 2", "theirs 3"]
        "#,
        )
        .await;
        assert_eq!(answer["report"]["strategy"], strategy);
        assert!(answer["robustness"].is_object());
        let table = "events/1/time_offset = \"4s\" => events[1] TOO_EARLY";
        check_violations(&caller, "temporal", &network, &answer["plan"], table).await;
    }
}

#[tokio::test]
async fn candidates_and_simulations_claim_no_more_than_they_know() {
    let caller = Caller::new(settings()).await;
    // As early as can be is too early for a slow teammate.
    let early = replaced(
        request(&turns(3, "6s")),
        "/options/strategy",
        json!("early"),
    );
    let answer = check_answer(
        &caller,
        "CheckStrongControllability",
        early,
        r#"
        verdict = "TEMPORAL_VERDICT_UNKNOWN"
        verified = null
        report.status = "SOLVE_STATUS_UNKNOWN"
        report.stop_reason = "STOP_REASON_EXHAUSTED"
    "#,
    )
    .await;
    assert!(answer["plan"].is_object());
    // What is proved to hold holds in every run.
    let played = replaced(
        request(&turns(3, "6s")),
        "/detail",
        json!({"simulation_runs": 200}),
    );
    check_answer(
        &caller,
        "CheckStrongControllability",
        played,
        r#"
        simulations[*].model = ["random", "early"]
        simulations[*].runs = [200, 200]
        simulations[*].successes = [200, 200]
        simulations[*].rate_upper = [1, 1]
    "#,
    )
    .await;
}

#[tokio::test]
async fn what_fails_comes_with_a_conflict_and_changes_that_help() {
    let caller = Caller::new(settings()).await;
    let network = turns(2, "3.500s");
    let answer = check_answer(
        &caller,
        "CheckStrongControllability",
        request(&network),
        r#"
        verdict = "TEMPORAL_VERDICT_FAILS"
        report.status = "SOLVE_STATUS_INFEASIBLE"
        verified = null
        conflict.minimal = true
        conflict.members[*].link_ids ~ "theirs 0->ours 1"
    "#,
    )
    .await;
    let relaxations = answer["relaxations"].as_array().unwrap();
    assert!(!relaxations.is_empty());
    for relaxation in relaxations {
        let mut relaxed = network.clone();
        for change in relaxation["changes"].as_array().unwrap() {
            let mut links = relaxed["links"].as_array_mut().unwrap().iter_mut();
            let id = |it: &Value| {
                format!(
                    "{}->{}",
                    it["from_event_id"].as_str().unwrap(),
                    it["to_event_id"].as_str().unwrap()
                )
            };
            let link = links
                .find(|it| id(it) == change["link_id"].as_str().unwrap())
                .unwrap();
            let lower = change["side"] == "TEMPORAL_BOUND_SIDE_LOWER";
            let side = if lower { "lower" } else { "upper" };
            assert_eq!(link[side], change["old_bound"]);
            link[side] = change["new_bound"].clone();
        }
        let holds = "verdict = \"TEMPORAL_VERDICT_HOLDS\"";
        check_answer(
            &caller,
            "CheckStrongControllability",
            request(&relaxed),
            holds,
        )
        .await;
    }
}

fn verdicts(answer: &Value) -> String {
    let of = |it: &Value| {
        it.as_str()
            .unwrap()
            .rsplit('_')
            .next()
            .unwrap()
            .to_lowercase()
    };
    let findings = answer["findings"].as_array().unwrap().iter();
    let all = findings.map(|it| format!("{} {}", of(&it["level"]), of(&it["verdict"])));
    all.collect::<Vec<_>>().join(", ")
}

#[tokio::test]
async fn levels_are_answered_in_the_order_of_the_request() {
    let caller = Caller::new(settings()).await;
    let wanted = "consistent holds, weak holds, dynamic holds, strong fails";
    let answer = check_answer(
        &caller,
        "CheckControllability",
        request(&ride()),
        r#"
        report.status = "SOLVE_STATUS_INFEASIBLE"
        report.stop_reason = "STOP_REASON_PROVED"
    "#,
    )
    .await;
    assert_eq!(verdicts(&answer), wanted);
    assert!(answer["findings"][2]["dispatch"].is_object());
    assert!(value_at(&answer, "findings[3].conflict.members[0]").is_object());
    let two = json!([
        "TEMPORAL_CONTROLLABILITY_LEVEL_DYNAMIC",
        "TEMPORAL_CONTROLLABILITY_LEVEL_CONSISTENT"
    ]);
    let asked = replaced(request(&ride()), "/levels", two);
    let answer = caller.answer("CheckControllability", &asked).await;
    assert_eq!(verdicts(&answer), "dynamic holds, consistent holds");
    check(&answer, "report.status = \"SOLVE_STATUS_OPTIMAL\"");
    for (name, wanted) in [
        ("ambush", "consistent holds, strong fails"),
        ("delivery", wanted),
        ("heist", "consistent holds, strong holds"),
    ] {
        let asked = request(&example(&format!("temporal/{name}")));
        assert_eq!(
            verdicts(&caller.answer("CheckControllability", &asked).await),
            wanted,
            "{name}"
        );
    }
    // Resting ends before arriving, but begins after it.
    let network = replaced(ride(), "/links/1", link("leave", "rest", "0s", "5s"));
    check_answer(
        &caller,
        "CheckControllability",
        request(&network),
        r#"
        findings[0].verdict = "TEMPORAL_VERDICT_FAILS"
        findings[0].conflict.members[*].link_ids ~ "leave->rest"
    "#,
    )
    .await;
    let table = r#"
        levels = [0] => levels[0] REQUIRED
        levels = [9] => levels[0] ENUM_UNKNOWN
        levels = ["TEMPORAL_CONTROLLABILITY_LEVEL_DYNAMIC", "TEMPORAL_CONTROLLABILITY_LEVEL_DYNAMIC"] => levels[1] DUPLICATE
        problem/links/0/upper = "315360001s" => problem.links[0].upper OUT_OF_RANGE
    "#;
    check_mistakes(&caller, "CheckControllability", &request(&ride()), table).await;
    let teammates = request(&turns(1, "6s"));
    let table = "levels = [\"TEMPORAL_CONTROLLABILITY_LEVEL_DYNAMIC\"] => levels[0] CONTRADICTION";
    check_mistakes(&caller, "CheckControllability", &teammates, table).await;
}

#[tokio::test]
async fn the_longest_chain_of_the_longest_links_does_not_overflow() {
    let caller = Caller::new(settings()).await;
    let id = |i: i64| {
        if i == 0 {
            "origin".to_owned()
        } else {
            format!("event {i}")
        }
    };
    let years = "315360000s";
    let network = json!({
        "events": (1..=1_000).map(|i| json!({"id": id(i)})).collect::<Vec<_>>(),
        "links": (1..=1_000).map(|i| link(&id(i - 1), &id(i), years, years)).collect::<Vec<_>>(),
    });
    let detail = json!({"max_relaxations": 0, "with_conflict": false});
    let asked = replaced(request(&network), "/detail", detail);
    let asked = replaced(
        asked,
        "/levels",
        json!(["TEMPORAL_CONTROLLABILITY_LEVEL_CONSISTENT"]),
    );
    check_answer(
        &caller,
        "CheckControllability",
        asked,
        r#"
        findings[0].verdict = "TEMPORAL_VERDICT_HOLDS"
        findings[0].plan.events[999].time_offset = "315360000000s"
    "#,
    )
    .await;
}
