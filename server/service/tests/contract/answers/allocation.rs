//! Tasks of agents: plans, proofs that there is none with what would help, and insertions.

mod previous;

use super::{check_answer, check_mistakes, check_violations, limited_to, replaced, value_at};
use crate::calls::{Caller, example, mistakes, settings};
use serde_json::{Value, json};

/// Two agents at 0, tasks at 1, 2 and 3 that take a second each.
fn row() -> Value {
    let at = |x: i64| json!({"point": {"x": x}});
    let task = |id: &str, x| json!({"id": id, "place": at(x), "service_duration": "1s"});
    let agent = |id: &str| json!({"id": id, "start": at(0)});
    json!({
        "agents": [agent("ann"), agent("bob")],
        "tasks": [task("near", 1), task("middle", 2), task("far", 3)],
    })
}

fn request(problem: &Value) -> Value {
    json!({"problem": problem, "options": limited_to(100_000)})
}

/// The row with these changes.
fn changed(changes: &[(&str, Value)]) -> Value {
    let change = |problem, (at, value): &(&str, Value)| replaced(problem, at, value.clone());
    changes.iter().fold(row(), change)
}

#[tokio::test]
async fn a_small_problem_is_solved_and_proved() {
    let caller = Caller::new(settings()).await;
    for strategy in ["auto", "mcts"] {
        let asked = replaced(request(&row()), "/options/strategy", json!(strategy));
        let table = r#"
            report.status = "SOLVE_STATUS_OPTIMAL"
            report.stop_reason = "STOP_REASON_PROVED"
            report.objective.levels = [0, 3]
            report.bound.levels = [0, 3]
            report.gap = 0
            plan.routes[#] = 1
            plan.routes[0].stops[*].task_id = ["near", "middle", "far"]
            plan.unserved_task_ids = null
        "#;
        check_answer(&caller, "AllocateTasks", asked, table).await;
    }
    let table = "report.status = \"SOLVE_STATUS_OPTIMAL\"\nplan.routes = null";
    let nothing = request(&changed(&[("/tasks", json!([]))]));
    check_answer(&caller, "AllocateTasks", nothing, table).await;
    let problem = changed(&[("/tasks/2/windows", json!([{"close_offset": "100s"}]))]);
    let plan = caller.answer("AllocateTasks", &request(&problem)).await["plan"].take();
    let table = r#"routes/0/stops/2/start_offset = "200s" => routes[0].stops[2] START_TOO_LATE"#;
    check_violations(&caller, "allocation", &problem, &plan, table).await;
}

/// Changes of the problem, the code of its certificates, that of what helps, and the number of
/// tasks that are impossible together.
type Case = (Vec<(String, Value)>, &'static str, &'static str, usize);

fn infeasible() -> Vec<Case> {
    let window = |open: &str, close: &str| json!([{"open_offset": open, "close_offset": close}]);
    let both = |at: &'static str, value: Value| {
        [0, 1].map(|i| (format!("/agents/{i}/{at}"), value.clone()))
    };
    let all = |at: &'static str, value: Value| {
        [0, 1, 2].map(|i| (format!("/tasks/{i}/{at}"), value.clone()))
    };
    let load = [
        both("capacities", json!([4])).to_vec(),
        all("demands", json!([3])).to_vec(),
    ];
    let long = (0..6).map(|i| json!({"id": format!("job {i}"), "place": {"point": {"x": 1}}, "service_duration": "12s"}));
    let long = [
        vec![("/tasks".into(), long.collect())],
        both("shift_end_offset", json!("35s")).to_vec(),
    ];
    vec![
        (
            vec![("/tasks/2/windows".into(), window("0s", "2s"))],
            "WINDOW_MISSED",
            "WINDOW_LATER",
            1,
        ),
        (
            vec![("/tasks/2/demands".into(), json!([3]))],
            "CAPACITY_EXCEEDED",
            "CAPACITY_MORE",
            1,
        ),
        (
            vec![("/tasks/2/required_skills".into(), json!(["swim"]))],
            "SKILLS_MISSING",
            "SKILLS_LEARNED",
            1,
        ),
        (
            both("shift_end_offset", json!("3s")).to_vec(),
            "SHIFT_EXCEEDED",
            "SHIFT_LONGER",
            1,
        ),
        (load.concat(), "TOTAL_LOAD", "CAPACITY_MORE", 3),
        (
            all("windows", window("5s", "5.500s")).to_vec(),
            "CLIQUE",
            "AGENT_ADDED",
            3,
        ),
        (long.concat(), "TOTAL_TIME", "SHIFT_LONGER", 6),
    ]
}

#[tokio::test]
async fn each_kind_of_infeasibility_is_proved_and_what_helps_is_offered() {
    let caller = Caller::new(settings()).await;
    for (changes, code, help, tasks) in infeasible() {
        let changes: Vec<_> = changes
            .iter()
            .map(|(at, value): &(String, Value)| (at.as_str(), value.clone()))
            .collect();
        let table = format!(
            "report.status = \"SOLVE_STATUS_INFEASIBLE\"\nreport.explanation.certificates[*].code = [\"{code}\"]\nreport.explanation.certificates[0].subject_ids[#] = {tasks}\nreport.explanation.relaxations[*].changes[*].code ~ \"{help}\""
        );
        let asked = replaced(
            request(&changed(&changes)),
            "/options/max_iterations",
            json!(50),
        );
        let answer = check_answer(&caller, "AllocateTasks", asked, &table).await;
        let costs = value_at(&answer, "report.explanation.relaxations[*].objective");
        assert!(
            costs.as_array().unwrap().iter().all(Value::is_object),
            "{code}: {costs}"
        );
    }
}

#[tokio::test]
async fn couplings_that_make_tasks_impossible_are_proved() {
    let caller = Caller::new(settings()).await;
    let pair = json!({"pairs": [{"pickup_task_id": "near", "delivery_task_id": "far"}]});
    let order = json!({"orders": [{"first_task_id": "near", "second_task_id": "middle", "min_gap_duration": "10s"}]});
    let group = json!({"groups": [{"task_ids": ["near", "middle", "far"]}]});
    let until = |close: &str| json!([{"close_offset": close}]);
    for (changes, code) in [
        (
            vec![("/couplings", pair), ("/tasks/2/windows", until("3.500s"))],
            "PAIR_TOO_LATE",
        ),
        (
            vec![("/couplings", order), ("/tasks/1/windows", until("11s"))],
            "ORDER_TOO_LATE",
        ),
        (vec![("/couplings", group)], "GROUP_AGENTS"),
    ] {
        let asked = replaced(
            request(&changed(&changes)),
            "/options/max_iterations",
            json!(50),
        );
        let table = format!(
            "report.status = \"SOLVE_STATUS_INFEASIBLE\"\nreport.explanation.certificates[*].code ~ \"{code}\"\nreport.explanation.reasons[*].code ~ \"{code}\""
        );
        check_answer(&caller, "AllocateTasks", asked, &table).await;
    }
    // Trees refuse couplings by name.
    let trees = replaced(
        request(&example("allocation/supply")),
        "/options/strategy",
        json!("mcts"),
    );
    let status = caller.ask("AllocateTasks", &trees).await.unwrap_err();
    assert!(status.message().contains("mcts"), "{status}");
    let alone = json!({"problem": example("allocation/supply"), "task_id": "load salt"});
    let status = caller.ask("InsertTask", &alone).await.unwrap_err();
    assert!(
        status
            .message()
            .contains("is not done without \"unload salt\""),
        "{status}"
    );
}

/// A request to insert the first task of the raid's plan into the rest of it.
async fn insertion(caller: &Caller) -> Value {
    let problem = example("allocation/raid");
    let mut plan = caller
        .answer(
            "AllocateTasks",
            &json!({"problem": problem, "options": limited_to(200)}),
        )
        .await["plan"]
        .take();
    let task = plan["routes"][0]["stops"].as_array_mut().unwrap().remove(0)["task_id"].take();
    // As early as possible again.
    let routes = plan["routes"].as_array_mut().unwrap();
    routes.retain(|it| !it["stops"].as_array().unwrap().is_empty());
    for stop in routes
        .iter_mut()
        .flat_map(|it| it["stops"].as_array_mut().unwrap())
    {
        stop.as_object_mut().unwrap().remove("start_offset");
    }
    json!({"problem": problem, "plan": plan, "task_id": task, "max_insertions": 100})
}

#[tokio::test]
async fn insertions_are_ranked_and_the_plan_of_the_first_is_valid_at_its_cost() {
    let caller = Caller::new(settings()).await;
    let asked = insertion(&caller).await;
    let (problem, plan) = (&asked["problem"], &asked["plan"]);
    let answer = caller.answer("InsertTask", &asked).await;
    let levels = value_at(&answer, "insertions[*].objective.levels");
    let levels: Vec<Vec<f64>> = serde_json::from_value(levels).unwrap();
    assert!(levels.len() > 10 && levels.is_sorted(), "{levels:?}");
    for (plan, cost) in [
        (&answer["plan"], &answer["insertions"][0]["objective"]),
        (plan, &answer["kept_objective"]),
    ] {
        let any = json!({"problem": {"allocation": problem}, "plan": {"allocation": plan}});
        let verdict = caller.answer("VerifyPlan", &any).await;
        assert_eq!(
            (&verdict["valid"], &verdict["objective"]),
            (&json!(true), cost)
        );
    }
    let few = replaced(asked.clone(), "/max_insertions", Value::Null);
    check_answer(&caller, "InsertTask", few, "insertions[#] = 10").await;
}

#[tokio::test]
async fn insertions_that_are_impossible_or_mistaken_say_why() {
    let caller = Caller::new(settings()).await;
    let asked = insertion(&caller).await;
    let answer = caller.answer("InsertTask", &asked).await;
    let plan = asked["plan"].clone();
    let there = answer["plan"]["routes"][0]["stops"][1]["task_id"].clone();
    let twice = plan["routes"][0].clone();
    let end = plan["routes"].as_array().unwrap().len();
    check_mistakes(
        &caller,
        "InsertTask",
        &asked,
        &format!(
            r#"
        task_id = "nobody knows it" => task_id UNKNOWN
        task_id = {there} => task_id CONTRADICTION
        max_insertions = 101 => max_insertions OUT_OF_RANGE
    "#
        ),
    )
    .await;
    let again = replaced(asked, &format!("/plan/routes/{end}"), twice);
    let found = mistakes(&caller.ask("InsertTask", &again).await.unwrap_err());
    assert_eq!(found[0], format!("plan.routes[{end}] AGENT_REPEATED"));
    let nobody = changed(&[("/tasks/1/required_skills", json!(["flying"]))]);
    let asked = json!({"problem": nobody, "task_id": "middle"});
    check_answer(
        &caller,
        "InsertTask",
        asked,
        r#"
        insertions = null
        plan = null
        explanation.reasons[0].subject_id = "middle"
        explanation.reasons[0].proved = true
        explanation.reasons[0].message ~ "flying"
    "#,
    )
    .await;
}

#[tokio::test]
async fn places_windows_and_ids_are_checked_all_in_one_answer() {
    let caller = Caller::new(settings()).await;
    let table = r#"
        problem/agents/1/id = "ann" => problem.agents[1].id DUPLICATE
        problem/tasks/0/place/point = {"x": "NaN", "y": 2e6} => problem.tasks[0].place.point.x NOT_FINITE, problem.tasks[0].place.point.y OUT_OF_RANGE
        problem/tasks/2/windows = [{"open_offset": "5s", "close_offset": "4s"}] => problem.tasks[2].windows[0].close_offset REVERSED
    "#;
    check_mistakes(&caller, "AllocateTasks", &request(&row()), table).await;
    let changes = [
        ("/agents/1/id", json!("ann")),
        ("/tasks/0/place/point", json!({"x": "NaN", "y": 2e6})),
        (
            "/tasks/2/windows",
            json!([{"open_offset": "5s", "close_offset": "4s"}]),
        ),
    ];
    let mut asked = request(&changed(&changes));
    asked["options"]["engine"] = json!({"threads": -1});
    for method in ["AllocateTasks", "StreamAllocateTasks"] {
        let mut found = mistakes(&caller.ask(method, &asked).await.unwrap_err());
        found.sort();
        let wanted = [
            "options.engine.threads OUT_OF_RANGE",
            "problem.agents[1].id DUPLICATE",
            "problem.tasks[0].place.point.x NOT_FINITE",
            "problem.tasks[0].place.point.y OUT_OF_RANGE",
            "problem.tasks[2].windows[0].close_offset REVERSED",
        ];
        assert_eq!(found, wanted);
    }
}
