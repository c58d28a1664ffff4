//! Mixtures and sets of patrols.

use super::*;

#[tokio::test]
async fn randomness_catches_more_of_those_who_know_than_any_patrol() {
    let caller = Caller::new(settings()).await;
    let problem = example("patrol/gallery");
    let request = json!({"problem": problem, "options": limited_to(100_000)});
    let answer = caller.answer("MixPatrols", &request).await;
    let evaluation = &answer["evaluation"];
    let floor = evaluation["floor_probability"].as_f64().unwrap();
    check(&answer, r#"report.objective.terms[0].name = "escape""#);
    check(
        &answer,
        &format!("report.objective.levels = [{}]", 1.0 - floor),
    );
    let shares = answer["plan"]["parts"].as_array().unwrap().iter();
    let sum: f64 = shares
        .map(|part| part["probability"].as_f64().unwrap())
        .sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    let alone = evaluation["plans"].as_array().unwrap();
    assert_eq!(
        alone.len(),
        answer["plan"]["parts"].as_array().unwrap().len()
    );
    let worse = |one: &Value| one["floor_probability"].as_f64().unwrap_or(0.0) < floor;
    assert!(alone.iter().all(worse), "{alone:?}");
    // Nobody wants anything on the stairs.
    let vertices = evaluation["vertices"].as_array().unwrap().iter();
    let wanted = vertices.filter(|it| it["vertex_id"] != "stairs");
    let captured = wanted.map(|it| it["capture_probability"].as_f64().unwrap_or(0.0));
    assert_eq!(captured.fold(1.0, f64::min), floor);
    let judged = json!({"problem": problem, "mixture": answer["plan"]});
    let judged = caller.answer("EvaluatePatrol", &judged).await;
    check(
        &judged,
        &format!("mixture_evaluation.floor_probability = {floor}\nevaluation = null"),
    );
}

/// A patrol that goes to a room of a row and stays there.
fn patrol_to(room: usize) -> Value {
    let ids: Vec<_> = (0..room).map(|i| format!("p{i}")).collect();
    let prefix: Vec<_> = ids.iter().map(String::as_str).collect();
    let cycle = json!([{"vertex_id": format!("p{room}"), "stay_duration": "1s"}]);
    json!({"routes": [{"guard_id": "g0", "prefix": stops(&prefix), "cycle": cycle}]})
}

fn mixture(parts: &[(f64, Value)]) -> Value {
    let parts = parts.iter();
    let parts = parts.map(|(share, plan)| json!({"probability": share, "plan": plan}));
    json!({"parts": parts.collect::<Vec<_>>()})
}

#[tokio::test]
async fn the_floor_of_two_who_stand_is_what_one_can_count() {
    let caller = Caller::new(settings()).await;
    let both = mixture(&[(0.25, patrol_to(0)), (0.75, patrol_to(1))]);
    let request = json!({"problem": posts(2, false, 0), "mixture": both});
    check_answer(
        &caller,
        "EvaluatePatrol",
        request,
        r#"
        mixture_evaluation.floor_probability = 0.25
        mixture_evaluation.worst_vertex_id = "p0"
        mixture_evaluation.vertices[*].capture_probability = [0.25, 0.75]
        mixture_evaluation.plans[*].capture_probability = [1, null]
        mixture_evaluation.plans[*].worst_vertex_id = ["p1", "p0"]
        mixture_evaluation.plans[*].floor_probability = [null, null]
    "#,
    )
    .await;
}

#[tokio::test]
async fn mixtures_that_break_rules_or_cannot_be_read() {
    let caller = Caller::new(settings()).await;
    let problem = posts(3, false, 0);
    let mut jumps = patrol_to(2);
    jumps["routes"][0]["prefix"]
        .as_array_mut()
        .unwrap()
        .remove(1);
    let wrong = mixture(&[(0.5, patrol_to(1)), (0.4, jumps)]);
    let wanted = ["parts SHARES", "parts[1].plan.routes[0].cycle[0] NO_EDGE"];
    let found = violations_of(&caller, "patrol", &problem, "patrol_mixture", &wrong).await;
    assert_eq!(found, wanted);
    let request = json!({"problem": problem, "mixture": wrong});
    let status = caller.ask("EvaluatePatrol", &request).await.unwrap_err();
    assert_eq!(mistakes(&status), wanted.map(|it| format!("mixture.{it}")));
    let good = mixture(&[(0.5, patrol_to(0)), (0.5, patrol_to(1))]);
    let request = json!({"problem": problem, "mixture": good});
    let many = mixture(&vec![(1.0 / 65.0, patrol_to(0)); 65]);
    check_mistakes(&caller, "EvaluatePatrol", &request, &format!(r#"
        mixture = {{}} => mixture.parts REQUIRED
        mixture/parts/1/plan = null => mixture.parts[1].plan REQUIRED
        mixture/parts/0/probability = 0 => mixture.parts[0].probability OUT_OF_RANGE
        mixture/parts/1/probability = -1 => mixture.parts[1].probability OUT_OF_RANGE
        mixture/parts/1/probability = "NaN" => mixture.parts[1].probability NOT_FINITE
        mixture/parts/0/plan/routes/0/guard_id = "g7" => mixture.parts[0].plan.routes[0].guard_id UNKNOWN, mixture.parts[0].plan.routes REQUIRED
        mixture = {many} => mixture.parts TOO_MANY
    "#)).await;
    let any = json!({"problem": {"patrol": problem}, "plan": {"patrol_mixture": {}}});
    let status = caller.ask("VerifyPlan", &any).await.unwrap_err();
    assert_eq!(mistakes(&status), ["plan.patrol_mixture.parts REQUIRED"]);
}

#[tokio::test]
async fn mixtures_have_as_many_plans_as_are_wanted() {
    let caller = Caller::new(settings()).await;
    let request = json!({"problem": posts(9, false, 2), "options": limited_to(20_000)});
    for most in [1, 2] {
        let request = replaced(request.clone(), "/max_plans", json!(most));
        let answer = caller.answer("MixPatrols", &request).await;
        let parts = answer["plan"]["parts"].as_array().unwrap().len();
        assert!((1..=most).contains(&parts), "{parts}");
    }
    check_mistakes(
        &caller,
        "MixPatrols",
        &request,
        r#"
        max_plans = 0 => max_plans OUT_OF_RANGE
        max_plans = 65 => max_plans OUT_OF_RANGE
        max_plan_iterations = -1 => max_plan_iterations OUT_OF_RANGE
        max_plan_iterations = 1000000000001 => max_plan_iterations OUT_OF_RANGE
    "#,
    )
    .await;
}

#[tokio::test]
async fn sets_have_as_many_plans_that_differ_as_are_wanted() {
    let caller = Caller::new(settings()).await;
    let request =
        json!({"problem": ring(9, 2, 3), "options": limited_to(100_000), "min_distance": 0.3});
    let answer = check_answer(
        &caller,
        "VaryPatrols",
        request.clone(),
        r#"
        plans[#] = 3
        report.objective.terms[*].name = ["missing_plans", "worst_cost", "cost_sum"]
    "#,
    )
    .await;
    let escape = |it: &Value| {
        1.0 - it["evaluation"]["capture_probability"]
            .as_f64()
            .unwrap_or(0.0)
    };
    let escapes: Vec<_> = answer["plans"]
        .as_array()
        .unwrap()
        .iter()
        .map(escape)
        .collect();
    assert!(escapes.is_sorted(), "{escapes:?}");
    let sum: f64 = escapes.iter().sum();
    check(
        &answer,
        &format!("report.objective.levels = [0, {}, {sum}]", escapes[2]),
    );
    for one in answer["plans"].as_array().unwrap() {
        assert!(one["distance"].as_f64().unwrap() >= 0.3);
        let judged = json!({"problem": ring(9, 2, 3), "plan": one["plan"]});
        let judged = caller.answer("EvaluatePatrol", &judged).await;
        assert_eq!(judged["evaluation"], one["evaluation"]);
    }
    // One patrol has no other to differ from.
    let alone = replaced(request.clone(), "/plan_count", json!(1));
    check_answer(
        &caller,
        "VaryPatrols",
        alone,
        "plans[#] = 1\nplans[0].distance = null",
    )
    .await;
    check_mistakes(
        &caller,
        "VaryPatrols",
        &request,
        r#"
        plan_count = 17 => plan_count OUT_OF_RANGE
        plan_count = -1 => plan_count OUT_OF_RANGE
        min_distance = 1.5 => min_distance OUT_OF_RANGE
        min_distance = "NaN" => min_distance NOT_FINITE
    "#,
    )
    .await;
}
