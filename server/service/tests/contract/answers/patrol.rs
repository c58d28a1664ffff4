//! Patrols: plans, mixtures and sets of them, and what they are worth.

mod mixtures;

use super::{
    check, check_answer, check_mistakes, check_violations, limited_to, replaced, violations,
    violations_of,
};
use crate::calls::{Caller, example, mistakes, settings};
use serde_json::{Value, json};

/// Posts in a ring or a row, one guard at the first, and an intruder that stays for some seconds.
fn posts(count: usize, closed: bool, seconds: usize) -> Value {
    let id = |post: usize| format!("p{}", post % count);
    let edges = 0..count - usize::from(!closed);
    let edge = |i| json!({"from_vertex_id": id(i), "to_vertex_id": id(i + 1)});
    json!({
        "vertices": (0..count).map(|i| json!({"id": id(i)})).collect::<Vec<_>>(),
        "edges": edges.map(edge).collect::<Vec<_>>(),
        "guards": [{"id": "g0", "start_vertex_id": "p0"}],
        "intruder": {
            "motion": "PATROL_MOTION_STATIONARY",
            "penetration_duration": format!("{seconds}s"),
        },
    })
}

fn ring(count: usize, guards: usize, seconds: usize) -> Value {
    let guard = |i: usize| json!({"id": format!("g{i}"), "start_vertex_id": "p0"});
    let guards: Vec<_> = (0..guards).map(guard).collect();
    replaced(posts(count, true, seconds), "/guards", json!(guards))
}

fn stops(vertices: &[&str]) -> Value {
    vertices.iter().map(|id| json!({"vertex_id": id})).collect()
}

fn round(guard: &str, vertices: &[&str]) -> Value {
    json!({"guard_id": guard, "cycle": stops(vertices)})
}

const ONCE: [&str; 4] = ["p0", "p1", "p2", "p3"];

#[tokio::test]
async fn three_guards_on_fifteen_posts_catch_everybody_which_is_proved() {
    let caller = Caller::new(settings()).await;
    let problem = example("patrol/fence");
    let request = json!({"problem": problem, "options": limited_to(100_000)});
    let answer = check_answer(
        &caller,
        "GeneratePatrol",
        request,
        r#"
        report.status = "SOLVE_STATUS_OPTIMAL"
        report.stop_reason = "STOP_REASON_PROVED"
        report.objective.levels = [0]
        report.objective.terms[*].name = ["escape", "worst_idleness", "mean_idleness"]
        report.objective.terms[*].unit = ["probability", "s", "s"]
        evaluation.capture_probability = 1
        evaluation.vertices[#] = 15
    "#,
    )
    .await;
    let worst = answer["evaluation"]["worst_idleness_duration"]
        .as_str()
        .unwrap();
    assert!(["3s", "4s"].contains(&worst), "{worst}");
    let judged = json!({"problem": problem, "plan": answer["plan"]});
    let judged = caller.answer("EvaluatePatrol", &judged).await;
    assert_eq!(judged["evaluation"], answer["evaluation"]);
}

#[tokio::test]
async fn stops_say_when_their_guards_are_there() {
    let caller = Caller::new(settings()).await;
    let problem = example("patrol/museum");
    let request = json!({"problem": problem, "options": limited_to(2_000)});
    let plan = caller.answer("GeneratePatrol", &request).await["plan"].take();
    let seconds = |value: &Value| -> i64 {
        let text = value.as_str().unwrap_or("0s");
        text.trim_end_matches('s').parse().expect("whole seconds")
    };
    let travel = |from: &Value, to: &Value| {
        let ends = |edge: &&Value| {
            let (one, other) = (&edge["from_vertex_id"], &edge["to_vertex_id"]);
            (one, other) == (from, to) || (other, one) == (from, to)
        };
        let edge = problem["edges"].as_array().unwrap().iter().find(ends);
        seconds(&edge.expect("there is an edge")["travel_duration"])
    };
    let (mut prefix_longest, mut periods) = (0, Vec::new());
    for route in plan["routes"].as_array().unwrap() {
        let list = |name: &str| route[name].as_array().cloned().unwrap_or_default();
        let (prefix, cycle) = (list("prefix"), list("cycle"));
        let all: Vec<_> = prefix.iter().chain(&cycle).collect();
        let (mut now, mut start) = (0, 0);
        for (index, stop) in all.iter().enumerate() {
            if index == prefix.len() {
                (start, prefix_longest) = (now, prefix_longest.max(now));
            }
            assert_eq!(seconds(&stop["arrival_offset"]), now, "{route}");
            now += seconds(&stop["stay_duration"]);
            let next = all.get(index + 1).copied().unwrap_or(&cycle[0]);
            if cycle.len() > 1 || index < prefix.len() {
                now += travel(&stop["vertex_id"], &next["vertex_id"]);
            }
        }
        periods.push(now - start);
    }
    assert_eq!(seconds(&plan["prefix_duration"]), prefix_longest);
    let period = seconds(&plan["period_duration"]);
    assert!(
        periods.iter().all(|one| period % one == 0),
        "{period} of {periods:?}"
    );
}

#[tokio::test]
async fn what_counts_is_what_the_objective_says() {
    let caller = Caller::new(settings()).await;
    let problem = replaced(ring(6, 2, 1), "/tick_duration", json!("0.5s"));
    let problem = replaced(problem, "/objective", json!({"worst_idleness_weight": 2}));
    let request = json!({"problem": problem, "options": limited_to(3_000)});
    let objective = caller.answer("GeneratePatrol", &request).await["report"]["objective"].take();
    assert_eq!(objective["terms"][1]["name"], "worst_idleness");
    // Levels count ticks, terms seconds: a tick is half a second.
    let worst = objective["terms"][1]["value"].as_f64().unwrap();
    assert_eq!(objective["levels"][0].as_f64(), Some(2.0 * 2.0 * worst));
}

#[tokio::test]
async fn a_plan_of_the_callers_is_worth_what_one_can_count() {
    let caller = Caller::new(settings()).await;
    // One guard goes round four posts; who needs a second is seen at two of four moments.
    let plan = json!({"routes": [round("g0", &ONCE)]});
    let request = json!({"problem": ring(4, 1, 1), "plan": plan});
    check_answer(
        &caller,
        "EvaluatePatrol",
        request,
        r#"
        evaluation.capture_probability = 0.5
        evaluation.predictability = 1
        evaluation.worst_idleness_duration = "3s"
        evaluation.best_response.capture_probability = null
        evaluation.vertices[*].vertex_id = ["p0", "p1", "p2", "p3"]
        evaluation.vertices[*].capture_probability = [0.5, 0.5, 0.5, 0.5]
        evaluation.vertices[*].worst_idleness_duration = ["3s", "3s", "3s", "3s"]
        evaluation.vertices[*].mean_idleness_duration = ["1.500s", "1.500s", "1.500s", "1.500s"]
    "#,
    )
    .await;
    // Where nobody ever looks, idleness has no number.
    let still = json!({"routes": [{"guard_id": "g0", "cycle": [{"vertex_id": "p0", "stay_duration": "1s"}]}]});
    let request = json!({"problem": ring(4, 1, 1), "plan": still});
    check_answer(
        &caller,
        "EvaluatePatrol",
        request,
        r#"
        evaluation.capture_probability = 0.25
        evaluation.worst_idleness_duration = null
        evaluation.vertices[1].mean_idleness_duration = null
    "#,
    )
    .await;
    let any = json!({"problem": {"patrol": ring(4, 1, 1)}, "plan": {"patrol": still}});
    check_answer(
        &caller,
        "VerifyPlan",
        any,
        r#"
        objective.terms[*].name = ["escape"]
        objective.terms[*].value = [0.75]
    "#,
    )
    .await;
}

/// What both methods that take plans say about one.
async fn broken(caller: &Caller, problem: &Value, plan: &Value) -> Vec<String> {
    let found = violations(caller, "patrol", problem, plan).await;
    let request = json!({"problem": problem, "plan": plan});
    let status = caller.ask("EvaluatePatrol", &request).await.unwrap_err();
    let strip = |it: String| {
        it.trim_start_matches("plan")
            .trim_start_matches(['.', ' '])
            .to_owned()
    };
    let evaluated: Vec<_> = mistakes(&status).into_iter().map(strip).collect();
    assert_eq!(evaluated, found);
    found
}

#[tokio::test]
async fn broken_rules_have_their_place_in_the_plan() {
    let caller = Caller::new(settings()).await;
    let problem = ring(4, 2, 1);
    let good = json!({"routes": [round("g0", &ONCE), round("g1", &ONCE)]});
    check_violations(&caller, "patrol", &problem, &good, r#"
        routes/0/cycle = [] => routes[0].cycle CYCLE_EMPTY
        routes/0/cycle = [{"vertex_id": "p0"}] => routes[0].cycle CYCLE_INSTANT
        routes/0/cycle = [{"vertex_id": "p1"}, {"vertex_id": "p0"}] => routes[0] START_WRONG
        routes/0/cycle = [{"vertex_id": "p0"}, {"vertex_id": "p1"}, {"vertex_id": "p2"}] => routes[0].cycle[0] NO_EDGE
        routes/1/cycle = [{"vertex_id": "p1"}, {"vertex_id": "p2"}] => routes[1] START_WRONG
    "#).await;
    let jump = json!([{"vertex_id": "p0"}, {"vertex_id": "p3", "stay_duration": "1s"}]);
    let plan = replaced(good.clone(), "/routes/0/prefix", jump);
    let plan = replaced(plan, "/routes/0/cycle", stops(&["p0", "p2"]));
    let wanted = ["routes[0].cycle[1] NO_EDGE", "routes[0].cycle[0] NO_EDGE"];
    assert_eq!(broken(&caller, &problem, &plan).await, wanted);
    // Rules that a problem adds.
    let waiting = json!({"routes": [round("g0", &ONCE)]});
    let waiting = replaced(waiting, "/routes/0/cycle/2/stay_duration", json!("1s"));
    for (rule, value, wanted) in [
        (
            "/allow_staying",
            json!(false),
            "routes[0].cycle[2] STAY_FORBIDDEN",
        ),
        (
            "/vertices/2/pause_duration",
            json!("2s"),
            "routes[0].cycle[2] PAUSE_SHORT",
        ),
        ("/vertices/3/gap_duration", json!("5s"), "GAP_MISSING"),
    ] {
        let found = broken(&caller, &replaced(ring(4, 1, 1), rule, value), &waiting).await;
        assert_eq!(found, [wanted]);
    }
    // Round the other way, a tick later: they meet on an edge.
    let plan = json!({"routes": [round("g0", &ONCE), round("g1", &["p0", "p3", "p2", "p1"])]});
    let plan = replaced(plan, "/routes/0/cycle/0/stay_duration", json!("1s"));
    let plan = replaced(plan, "/routes/1/cycle/0/stay_duration", json!("2s"));
    let narrow = replaced(ring(4, 2, 1), "/allow_passing", json!(false));
    assert_eq!(broken(&caller, &narrow, &plan).await, ["PASSING_FORBIDDEN"]);
}

#[tokio::test]
async fn plans_that_cannot_be_read_are_mistakes() {
    let caller = Caller::new(settings()).await;
    let plan = json!({"routes": [round("g0", &ONCE), round("g1", &ONCE)]});
    let request = json!({"problem": ring(4, 2, 1), "plan": plan});
    check_mistakes(&caller, "EvaluatePatrol", &request, r#"
        plan = null => plan REQUIRED
        plan/routes = [{"guard_id": "g0", "cycle": [{"vertex_id": "p0"}, {"vertex_id": "p1"}]}] => plan.routes REQUIRED
        plan/routes/1/guard_id = "g0" => plan.routes[1].guard_id DUPLICATE, plan.routes REQUIRED
        plan/routes/2 = {"guard_id": "g0"} => plan.routes TOO_MANY
        plan/routes/1 = {"guard_id": "g2", "cycle": [{"vertex_id": "p9"}]} => plan.routes[1].guard_id UNKNOWN, plan.routes[1].cycle[0].vertex_id UNKNOWN, plan.routes REQUIRED
        plan/routes/0/cycle/1/stay_duration = "0.5s" => plan.routes[0].cycle[1].stay_duration TOO_PRECISE
        plan/routes/0/cycle/1/stay_duration = "-1s" => plan.routes[0].cycle[1].stay_duration OUT_OF_RANGE
        mixture = {"parts": [{"probability": 1, "plan": {}}]} => mixture CONTRADICTION
        problem/edges/0/to_vertex_id = "p9" => problem.edges[0].to_vertex_id UNKNOWN
    "#).await;
    // A hundred are listed, and all are counted.
    let many: Vec<_> = (0..150).map(|_| json!({"id": ""})).collect();
    let problem = replaced(ring(5, 1, 1), "/vertices", json!(many));
    let problem = replaced(replaced(problem, "/edges", json!([])), "/guards", json!([]));
    let status = caller
        .ask("GeneratePatrol", &json!({"problem": problem}))
        .await
        .unwrap_err();
    assert_eq!(mistakes(&status).len(), 100);
    assert!(
        status.message().contains("151 mistakes"),
        "{}",
        status.message()
    );
}

#[tokio::test]
async fn a_previous_plan_is_where_the_search_begins() {
    let caller = Caller::new(settings()).await;
    // Three guards go round twelve posts, four apart. The one at p8 dies.
    let posts: Vec<String> = (0..12).map(|post| format!("p{post}")).collect();
    let posts: Vec<&str> = posts.iter().map(String::as_str).collect();
    let from = |first: usize| [&posts[first..], &posts[..first]].concat();
    let problem = replaced(ring(12, 2, 5), "/guards/1/start_vertex_id", json!("p4"));
    let previous =
        json!({"routes": [round("g0", &from(7)), round("g2", &from(8)), round("g1", &from(11))]});
    let going_on = json!({"routes": [round("g0", &posts), round("g1", &from(4))]});
    let judged = json!({"problem": problem, "plan": going_on});
    let kept =
        caller.answer("EvaluatePatrol", &judged).await["evaluation"]["capture_probability"].clone();
    // One rollout finds little.
    let options = replaced(limited_to(1), "/strategy", json!("mcts"));
    let request = json!({"problem": problem, "options": options});
    let level = async |request: &Value| {
        let answer = caller.answer("GeneratePatrol", request).await;
        answer["report"]["objective"]["levels"][0].as_f64().unwrap()
    };
    let without = level(&request).await;
    let resumed = level(&replaced(request, "/previous_plan", previous)).await;
    assert!(resumed < without, "{resumed} and {without}");
    assert!(
        1.0 - resumed >= kept.as_f64().unwrap(),
        "never worse than to go on"
    );
}
