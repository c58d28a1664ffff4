//! Choices along a story.

use super::*;

/// All paths through choices, as acts.
fn paths(branches: &Value) -> Vec<Vec<Value>> {
    let list = |it: &Value| it.as_array().cloned().unwrap_or_default();
    let index = |it: &Value| usize::try_from(it.as_i64().unwrap_or(0)).unwrap();
    let (mut open, mut done) = (vec![(0, Vec::new())], Vec::new());
    while let Some((number, mut acts)) = open.pop() {
        let knot = &branches["knots"][number];
        acts.extend(list(&knot["acts"]));
        for choice in list(&knot["choices"]) {
            assert!(index(&choice["knot_index"]) > number, "it ends");
            assert_eq!(choice["act"]["entity_ids"][0], branches["player_id"]);
            assert!(choice["text"].is_string() && choice["worth"].as_f64().unwrap() > 0.0);
            let mut acts = acts.clone();
            acts.push(choice["act"].clone());
            open.push((index(&choice["knot_index"]), acts));
        }
        match knot.get("next_knot_index") {
            Some(next) => open.push((index(next), acts)),
            None if list(&knot["choices"]).is_empty() => done.push(acts),
            None => {}
        }
    }
    done
}

/// A request for choices of Ada along the best story.
async fn choices(caller: &Caller) -> Value {
    let problem = example("story/inheritance");
    let acts = caller.answer("GenerateStory", &request(&problem)).await["plan"]["acts"].take();
    json!({
        "problem": problem,
        "acts": acts,
        "player_id": "Ada",
        "max_width": 2,
        "max_continuation_iterations": 100,
        "options": limited_to(20_000),
    })
}

#[tokio::test]
async fn every_path_through_choices_is_a_story_and_one_is_the_one_given() {
    let caller = Caller::new(settings()).await;
    let asked = choices(&caller).await;
    let (problem, acts) = (&asked["problem"], &asked["acts"]);
    let answer = check_answer(
        &caller,
        "BranchStory",
        asked.clone(),
        r#"
        plan.player_id = "Ada"
        report.status = "SOLVE_STATUS_FEASIBLE"
        report.objective.terms[*].name = ["choices", "knots", "paths"]
    "#,
    )
    .await;
    let all = paths(&answer["plan"]);
    assert!(
        all.len() > 3 && all.contains(acts.as_array().unwrap()),
        "{}",
        all.len()
    );
    let distinct: std::collections::BTreeSet<_> =
        all.iter().map(|it| json!(it).to_string()).collect();
    assert_eq!(distinct.len(), all.len());
    for acts in all {
        caller
            .answer("ExplainStory", &json!({"problem": problem, "acts": acts}))
            .await;
    }
    // The script has the same knots and choices.
    let ink = answer["ink"].as_str().unwrap();
    let choices = value_at(&answer, "plan.knots[*].choices[#]");
    let choices: i64 = choices
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_i64)
        .sum();
    let count = |text: &str| i64::try_from(ink.matches(text).count()).unwrap();
    assert_eq!(
        (value_at(&answer, "plan.knots[#]").as_i64(), choices),
        (Some(count("\n=== knot_")), count("\n* ["))
    );
}

#[tokio::test]
async fn choices_are_as_many_as_are_wanted() {
    let caller = Caller::new(settings()).await;
    let asked = choices(&caller).await;
    // Ada does most, and need not be named; and no more choices than are wanted.
    let mut unnamed = replaced(asked.clone(), "/max_choices", json!(1));
    unnamed["player_id"] = json!("");
    let answer = check_answer(&caller, "BranchStory", unnamed, "plan.player_id = \"Ada\"").await;
    let choices = value_at(&answer, "plan.knots[*].choices[#]");
    let extra: i64 = choices
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it.as_i64().unwrap() - 1).max(0))
        .sum();
    assert_eq!(extra, 1);
    check_mistakes(
        &caller,
        "BranchStory",
        &asked,
        r#"
        acts = [] => acts REQUIRED
        player_id = "Zoe" => player_id UNKNOWN
        player_id = "Dagger" => player_id WRONG_KIND
        max_depth = 7 => max_depth OUT_OF_RANGE
        max_width = -1 => max_width OUT_OF_RANGE
        max_choices = 301 => max_choices OUT_OF_RANGE
        max_continuation_iterations = 2000000 => max_continuation_iterations OUT_OF_RANGE
    "#,
    )
    .await;
}
