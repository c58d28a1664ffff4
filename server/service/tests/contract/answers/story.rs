//! Stories: what they are worth and why, sets of them, choices, and domains from books.

mod books;
mod choices;

use super::{
    check, check_answer, check_mistakes, check_violations, limited_to, replaced, value_at,
};
use crate::calls::{Caller, example, mistakes, settings};
use serde_json::{Value, json};

fn request(problem: &Value) -> Value {
    json!({"problem": problem, "options": limited_to(100_000)})
}

/// Lamps that are switched on one by one, each with believability 0.9; each counts alike.
fn lamps(count: usize) -> Value {
    let id = |i: usize| format!("l{i}");
    let goal = |i: usize| json!({"name": id(i), "condition": format!("{}.on", id(i))});
    let entities: Vec<_> = (0..count).map(|i| json!({"id": id(i)})).collect();
    json!({
        "types": [{"name": "lamp", "entities": entities}],
        "attributes": [{"type_name": "lamp", "name": "on", "values": "bool"}],
        "actions": [{
            "name": "Light",
            "parameters": [{"name": "l", "type_name": "lamp"}],
            "preconditions": ["not l.on"],
            "effects": ["l.on = true"],
            "believability": "0.9",
            "texts": ["Somebody lit {l}."],
        }],
        "goals": (0..count).map(goal).collect::<Vec<_>>(),
        "max_acts": 3,
    })
}

fn light(ids: &[&str]) -> Value {
    ids.iter()
        .map(|id| json!({"action": "Light", "entity_ids": [id]}))
        .collect()
}

/// A way, a theft, a dagger, a murder, a way, traces, an arrest.
const BEST: f64 = 0.98 * 0.9 * 0.97 * (0.85 * 0.95) * 0.98 * 0.95 * 0.97;

#[tokio::test]
async fn the_best_detective_story_is_proved_and_broken_down() {
    let caller = Caller::new(settings()).await;
    let problem = example("story/inheritance");
    let answer = check_answer(
        &caller,
        "GenerateStory",
        request(&problem),
        &format!(
            r#"
        report.status = "SOLVE_STATUS_OPTIMAL"
        report.explanation = null
        plan.score = {BEST}
        plan.goal_share = 1
        plan.acts[#] = 7
        plan.steps[#] = 7
    "#
        ),
    )
    .await;
    let plan = &answer["plan"];
    let number = |it: &Value| it.as_f64().unwrap();
    let steps = plan["steps"].as_array().unwrap();
    let product: f64 = steps
        .iter()
        .map(|it| number(&it["believability"]))
        .product();
    assert!((product - number(&plan["believability"])).abs() < 1e-12);
    let sentences = plan["sentences"].as_array().unwrap().iter();
    let acts: i64 = sentences.map(|it| it["act_count"].as_i64().unwrap()).sum();
    assert_eq!(acts, 7, "each act is in one sentence");
    let murder = plan["acts"]
        .as_array()
        .unwrap()
        .iter()
        .position(|it| it["action"] == "Kill")
        .unwrap();
    check(
        &steps[murder],
        r#"
        influences[*].rule = ["set 0.85 if a.grudge == b", "multiply i.deadly"]
        base = 0.02
        slider = 1
    "#,
    );
    let died = json!({"entity_id": plan["acts"][murder]["entity_ids"][1], "attribute": "alive", "value": "false"});
    let changes = steps[murder]["changes"].as_array().unwrap();
    let found = changes.iter().any(|it| {
        ["entity_id", "attribute", "value"]
            .iter()
            .all(|name| it[name] == died[name])
    });
    assert!(found, "{changes:?}");
}

#[tokio::test]
async fn sliders_events_targets_and_previous_stories_count() {
    let caller = Caller::new(settings()).await;
    let problem = example("story/inheritance");
    let answer = caller.answer("GenerateStory", &request(&problem)).await;
    let plan = &answer["plan"];
    // A slider multiplies, and the old story is where the search begins.
    let slider = |factor: f64| json!([{"action": "Kill", "factor": factor}]);
    let slid = replaced(request(&problem), "/problem/sliders", slider(0.5));
    let slid = replaced(slid, "/previous_plan", plan.clone());
    check_answer(
        &caller,
        "GenerateStory",
        slid,
        &format!("plan.score = {}", BEST / 2.0),
    )
    .await;
    let target = replaced(request(&problem), "/previous_plan", plan.clone());
    let target = replaced(
        target,
        "/options/target",
        json!({"levels": [1.0 - BEST + 1e-9]}),
    );
    check_answer(
        &caller,
        "GenerateStory",
        target,
        r#"
        report.stop_reason = "STOP_REASON_TARGET"
        report.iterations = null
    "#,
    )
    .await;
    let forbidden = json!([{"action": "Kill", "entity_ids": ["Ada"], "forbidden": true}]);
    let other = caller
        .answer(
            "GenerateStory",
            &replaced(request(&problem), "/problem/events", forbidden),
        )
        .await;
    assert!((0.0..BEST).contains(&other["plan"]["score"].as_f64().unwrap()));
    // Turned off: nobody dies, so nobody is arrested.
    let never = replaced(request(&problem), "/problem/sliders", slider(0.0));
    let found = mistakes(&caller.ask("GenerateStory", &never).await.unwrap_err());
    assert!(
        found.len() == 2 && found.iter().all(|it| it.ends_with(" NEVER_HOLDS")),
        "{found:?}"
    );
    check_answer(
        &caller,
        "GenerateStory",
        request(&example("story/chests")),
        r#"
        report.status = "SOLVE_STATUS_OPTIMAL"
        plan.score = null
        report.explanation.reasons[*].code = ["GOAL_UNMET"]
        report.explanation.reasons[*].field = ["goals[0].condition"]
    "#,
    )
    .await;
}

#[tokio::test]
async fn broken_rules_have_their_act() {
    let caller = Caller::new(settings()).await;
    let mut problem = lamps(3);
    problem["goals"].as_array_mut().unwrap().pop();
    problem["events"] = json!([
        {"action": "Light", "entity_ids": ["l0"]},
        {"action": "Light", "entity_ids": ["l2"], "forbidden": true},
    ]);
    let good = json!({"acts": light(&["l0"])});
    let table = format!(
        r#"
        acts = [] => acts EVENT_MISSING
        acts = {} => acts[1] PRECONDITION
        acts = {} => acts[1] EVENT_FORBIDDEN
        acts = [{{"action": "Light"}}] => acts[0] NO_SUCH_ACTION
        acts = {} => acts STORY_TOO_LONG
    "#,
        light(&["l0", "l0"]),
        light(&["l0", "l2"]),
        light(&["l0"; 4])
    );
    check_violations(&caller, "story", &problem, &good, &table).await;
    let asked = json!({"problem": problem, "acts": light(&["l0"])});
    check_answer(
        &caller,
        "ExplainStory",
        asked.clone(),
        r#"
        plan.score = 0.45
        explanation.reasons[#] = 1
    "#,
    )
    .await;
    // The method that explains finds the same.
    check_mistakes(&caller, "ExplainStory", &asked, &table).await;
    let table = "acts/0/entity_ids/0 = \"l9\" => acts[0].entity_ids[0] UNKNOWN";
    check_mistakes(&caller, "ExplainStory", &asked, table).await;
    let mut dark = problem;
    dark["actions"][0]["rules"] = json!(["set 0 if l == l2"]);
    dark["events"] = json!([]);
    let found = super::violations(&caller, "story", &dark, &json!({"acts": light(&["l2"])})).await;
    assert!(found[0].ends_with(" UNBELIEVABLE"), "{found:?}");
}

#[tokio::test]
async fn mistakes_in_texts_have_their_field_and_bombs_are_refused() {
    let caller = Caller::new(settings()).await;
    let good = request(&lamps(3));
    check_mistakes(&caller, "GenerateStory", &good, r#"
        problem/actions/0/preconditions = ["l.off"] => problem.actions[0].preconditions[0] UNKNOWN
        problem/actions/0/preconditions = ["((l.on"] => problem.actions[0].preconditions[0] SYNTAX
        problem/actions/0/believability = "l.on / 0" => problem.actions[0].believability DIVISION_BY_ZERO
        problem/goals/2/condition = "l9.on" => problem.goals[2].condition UNKNOWN
    "#).await;
    for bomb in [
        "(".repeat(4_000),
        "not ".repeat(900) + "true",
        "l0.on and ".repeat(1_000) + "true",
    ] {
        let bomb = replaced(good.clone(), "/problem/goals/0/condition", json!(bomb));
        mistakes(&caller.ask("GenerateStory", &bomb).await.unwrap_err());
    }
    check_mistakes(
        &caller,
        "VaryStories",
        &good,
        r#"
        story_count = 11 => story_count OUT_OF_RANGE
        min_different_acts = 51 => min_different_acts OUT_OF_RANGE
    "#,
    )
    .await;
}

#[tokio::test]
async fn each_story_of_a_set_differs_from_all_better_ones() {
    let caller = Caller::new(settings()).await;
    let asked = replaced(
        request(&example("story/inheritance")),
        "/min_different_acts",
        json!(3),
    );
    let asked = replaced(asked, "/story_count", json!(3));
    let answer = check_answer(
        &caller,
        "VaryStories",
        asked,
        r#"
        plans[#] = 3
        report.objective.terms[*].name = ["stories", "best_score", "least_score"]
    "#,
    )
    .await;
    let plans = answer["plans"].as_array().unwrap();
    let score = |it: &Value| it["score"].as_f64().unwrap();
    assert!((score(&plans[0]) - BEST).abs() < 1e-6, "the best first");
    check(
        &answer,
        &format!(
            "report.objective.levels = [{}, {}, {}]",
            1.0 - score(&plans[0]),
            1.0 - score(&plans[1]),
            1.0 - score(&plans[2])
        ),
    );
    for (index, plan) in plans.iter().enumerate() {
        for better in &plans[..index] {
            let (acts, own) = (
                better["acts"].as_array().unwrap(),
                plan["acts"].as_array().unwrap(),
            );
            let missing = acts.iter().filter(|act| !own.contains(act)).count();
            assert!(missing >= 3.min(acts.len()) && score(better) >= score(plan));
        }
    }
}

#[tokio::test]
async fn sets_that_lack_stories_say_why() {
    let caller = Caller::new(settings()).await;
    // One lamp, one story; missing ones lack all.
    let few = replaced(request(&lamps(1)), "/story_count", json!(4));
    check_answer(
        &caller,
        "VaryStories",
        few,
        r#"
        plans[#] = 1
        report.status = "SOLVE_STATUS_OPTIMAL"
        report.objective.levels[1] = 1
        report.objective.levels[3] = 1
        report.explanation.summary ~ "1 of 4 stories"
    "#,
    )
    .await;
    // Its goals are worth nothing in any story.
    check_answer(
        &caller,
        "VaryStories",
        request(&example("story/chests")),
        r#"
        plans = null
        report.status = "SOLVE_STATUS_OPTIMAL"
        report.explanation.summary = "It is proved that no story has a positive score."
    "#,
    )
    .await;
}
