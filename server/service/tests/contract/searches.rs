//! What every search reports, and that the same request has the same answer.

use crate::answers::{check, value_at};
use crate::calls::{Caller, mistakes, planner, searches, settings};
use crate::requests::requests;
use prost_reflect::MethodDescriptor;
use serde_json::{Value, json};
use stratagem_server::Config;
use stratagem_server::config::Span;

/// An answer without what the clock decides.
pub(crate) fn timeless(mut answer: Value) -> Value {
    let fields = answer.as_object_mut().expect("an answer has fields");
    fields.remove("event");
    if let Some(report) = fields.get_mut("report").and_then(Value::as_object_mut) {
        report.remove("timings");
        report.remove("time_budget");
    }
    answer
}

/// The levels of an objective, a bound or a target.
pub(crate) fn levels(of: &Value) -> Vec<f64> {
    let levels = of["levels"].as_array().expect("it has levels").iter();
    levels
        .map(|level| level.as_f64().expect("levels are numbers"))
        .collect()
}

/// Whether a plan or plans, or their parts where a method answers several questions, are there.
pub(crate) fn has_plan(answer: &Value) -> bool {
    ["plan", "plans", "findings", "analysis"]
        .iter()
        .any(|it| answer.get(it).is_some())
}

/// What is true of every report of a search with an iteration limit.
fn check_report(method: &MethodDescriptor, about: &str, request: &Value, answer: &Value) {
    let report = &answer["report"];
    let (status, stop) = (&report["status"], &report["stop_reason"]);
    let proved =
        ["SOLVE_STATUS_OPTIMAL", "SOLVE_STATUS_INFEASIBLE"].contains(&status.as_str().unwrap());
    let ends = [
        "STOP_REASON_PROVED",
        "STOP_REASON_ITERATION_LIMIT",
        "STOP_REASON_EXHAUSTED",
    ];
    assert!(ends.contains(&stop.as_str().unwrap()), "{about}: {report}");
    assert!(!proved || stop == "STOP_REASON_PROVED", "{about}: {report}");
    assert_eq!(report["reproducible"], true, "{about}: {report}");
    assert_eq!(report["seed"], request["options"]["seed"], "{about}");
    assert_eq!(report["time_budget"], "600s", "{about}");
    assert_eq!(report.get("shared"), None, "{about}: nothing is kept");
    let iterations = report["iterations"].as_i64().unwrap_or(0);
    assert!(iterations <= 400 + 64, "{about}: {iterations} iterations");
    assert!(
        report["timings"]["solve_duration"].is_string(),
        "{about}: {report}"
    );
    let (objective, bound) = (report.get("objective"), report.get("bound"));
    if status == "SOLVE_STATUS_OPTIMAL" || status == "SOLVE_STATUS_FEASIBLE" {
        // Sets of plans may be proved to be empty.
        let set = method.output().get_field_by_name("plans").is_some();
        assert!(has_plan(answer) || set && proved, "{about}: {report}");
    }
    if let (Some(objective), Some(bound)) = (objective, bound) {
        let (cost, least) = (levels(objective), levels(bound));
        let mut both = least.iter().zip(&cost);
        let below = both.all(|(least, cost)| *least <= *cost + 1e-9);
        assert!(below || least <= cost, "{about}: {report}");
        let gap = report["gap"].as_f64().unwrap_or(0.0);
        assert!((0.0..=1.0).contains(&gap), "{about}: {report}");
        assert!(
            status != "SOLVE_STATUS_OPTIMAL" || gap < 1e-9,
            "{about}: {report}"
        );
    }
    for term in objective
        .into_iter()
        .flat_map(|it| it["terms"].as_array().unwrap())
    {
        let name = term["name"].as_str().unwrap();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(
            !name.is_empty() && name.chars().all(plain),
            "{about}: {term}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_are_whole_and_the_same_request_has_the_same_answer() {
    let caller = Caller::new(settings()).await;
    for method in searches() {
        for (number, request) in requests(&caller, &method).await.iter().enumerate() {
            let about = format!("{} about example {number}", method.name());
            let answer = caller.answer(method.name(), request).await;
            check_report(&method, &about, request, &answer);
            // Threads change nothing either.
            let mut again = request.clone();
            again["options"]["engine"] = json!({"threads": 2});
            let mut again = caller.answer(method.name(), &again).await;
            again["report"]["threads"] = answer["report"]["threads"].clone();
            assert_eq!(timeless(again), timeless(answer), "{about}");
        }
    }
}

/// Strategies that cannot do what an example asks for refuse it by their name.
fn check_refusal(about: &str, status: &tonic::Status) {
    let found = mistakes(status);
    assert!(
        found
            .iter()
            .all(|it| !it.starts_with("options.strategy UNKNOWN")),
        "{about}: {found:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_strategy_that_is_listed_answers_alike_again() {
    let caller = Caller::new(settings()).await;
    let info = caller.answer("GetServerInfo", &json!({})).await;
    let mut tried = 0;
    for method in searches().iter().filter(|it| !it.is_server_streaming()) {
        let name = format!("{}/{}", method.parent_service().full_name(), method.name());
        let infos = info["methods"].as_array().unwrap().iter();
        let infos: Vec<_> = infos.filter(|it| it["name"] == name).collect();
        let strategies = infos[0]["strategies"].as_array().unwrap();
        for strategy in strategies {
            let mut request = requests(&caller, method).await.remove(0);
            request["options"]["strategy"] = strategy["name"].clone();
            let about = format!("{name} by {strategy}");
            match caller.ask(method.name(), &request).await {
                Ok(answer) => {
                    check_report(method, &about, &request, &answer);
                    let again = caller.answer(method.name(), &request).await;
                    assert_eq!(timeless(again), timeless(answer), "{about}");
                    tried += 1;
                }
                Err(status) => check_refusal(&about, &status),
            }
        }
    }
    assert!(tried > 30, "{tried} strategies");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn validation_alone_searches_nothing() {
    let caller = Caller::new(settings()).await;
    let before = caller.counted("stratagem_solve_total");
    let mut validated = 0.0;
    for method in searches() {
        let mut request = requests(&caller, &method).await.remove(0);
        let solved = caller.counted("stratagem_solve_total");
        request["options"] = json!({"validate_only": true});
        let answer = caller.answer(method.name(), &request).await;
        let report = &answer["report"];
        assert_eq!(
            report["stop_reason"],
            "STOP_REASON_VALIDATED",
            "{}",
            method.name()
        );
        assert_eq!(report.get("iterations"), None, "{}", method.name());
        assert!(!has_plan(&answer), "{}: {answer}", method.name());
        assert_eq!(
            caller.counted("stratagem_solve_total"),
            solved,
            "{}",
            method.name()
        );
        validated += 1.0;
    }
    assert!(validated > 25.0 && before == 0.0);
    let search = requests(&caller, &searches()[0]).await.remove(0);
    caller.answer(searches()[0].name(), &search).await;
    let solved = caller.counted("stratagem_solve_total");
    assert!(solved > before, "searches are counted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_target_ends_a_search() {
    let caller = Caller::new(settings()).await;
    let mut reached = 0;
    for method in searches() {
        let mut request = requests(&caller, &method).await.remove(0);
        let found = caller.answer(method.name(), &request).await;
        let Some(objective) = found["report"].get("objective") else {
            continue;
        };
        let target = levels(objective);
        request["options"]["target"] = json!({"levels": target});
        // What the same search reaches within its limit is reached before it.
        request["options"]["max_iterations"] = json!(1_000_000);
        let answer = match caller.ask(method.name(), &request).await {
            Ok(answer) => answer,
            Err(status) => {
                // What is proved or nothing has no target.
                assert_eq!(mistakes(&status), ["options.target.levels TOO_MANY"]);
                continue;
            }
        };
        let stop = answer["report"]["stop_reason"].as_str().unwrap();
        assert!(
            ["STOP_REASON_TARGET", "STOP_REASON_PROVED"].contains(&stop),
            "{}: {answer}",
            method.name()
        );
        assert!(
            levels(&answer["report"]["objective"]) <= target,
            "{}",
            method.name()
        );
        reached += usize::from(stop == "STOP_REASON_TARGET");
    }
    assert!(
        reached > 10,
        "{reached} searches were ended by their target"
    );
}

#[tokio::test]
async fn the_server_lists_what_its_methods_can_do() {
    let caller = Caller::new(settings()).await;
    let info = caller.answer("GetServerInfo", &json!({})).await;
    let infos = info["methods"].as_array().unwrap();
    for method in searches() {
        let name = format!("{}/{}", method.parent_service().full_name(), method.name());
        let mut found = infos.iter().filter(|it| it["name"] == name);
        let found = found
            .next()
            .unwrap_or_else(|| panic!("{name} is not listed"));
        assert_eq!(
            found["planner"],
            planner(method.parent_service().name()).unwrap()
        );
        assert_eq!(
            found["streaming"].as_bool().unwrap_or(false),
            method.is_server_streaming()
        );
        assert!(!found["limits"].as_array().unwrap().is_empty(), "{name}");
        assert!(found["strategies"][0]["name"].is_string(), "{name}");
        assert!(found["default_time_budget"].is_string(), "{name}");
        assert!(found["max_time_budget"].is_string(), "{name}");
    }
}

/// The first strategy is `auto`, this one is among them, and those of networks are all.
fn check_strategies(method: &Value, strategy: &str) {
    let name = method["name"].as_str().unwrap();
    let named = value_at(method, "strategies[*].name");
    let named = named.as_array().unwrap();
    assert_eq!(named[0], "auto", "the first is the default");
    assert!(named.contains(&json!(strategy)), "{name}: {named:?}");
    // Listed where the server was built with their solver.
    let programs = ["milp", "lp", "lp-normalised"];
    let own = named
        .iter()
        .filter(|it| !programs.contains(&it.as_str().unwrap()));
    let counts = [
        ("CheckStrongControllability", 5),
        ("CheckControllability", 1),
    ];
    let count = counts.iter().find(|it| name.ends_with(it.0));
    assert!(count.is_none_or(|it| it.1 == own.count()), "{named:?}");
}

#[tokio::test]
async fn the_server_reports_its_state_limits_and_budgets() {
    let config = Config {
        request_bytes_max: 1 << 20,
        budget_default: Span::from_millis(700),
        ..settings()
    };
    let caller = Caller::new(config).await;
    let info = caller.answer("GetServerInfo", &json!({})).await;
    check(
        &info,
        r#"
        slot_count = 2
        busy_slot_count = null
        queued_count = null
        draining = null
        version ~ "."
        limits[*].name ~ "request_bytes"
        limits[*].max_value ~ "1048576"
        "#,
    );
    let limits = [("tasks", 10_000), ("agents", 1_000)];
    let links = [("events", 1_000), ("links", 100_000)];
    for (method, budget, strategy, limits) in [
        ("AllocationService/AllocateTasks", "0.700s", "mcts", limits),
        (
            "AllocationService/StreamAllocateTasks",
            "10s",
            "mcts",
            limits,
        ),
        (
            "TemporalService/CheckStrongControllability",
            "0.700s",
            "auto",
            links,
        ),
        (
            "TemporalService/CheckControllability",
            "0.700s",
            "auto",
            links,
        ),
    ] {
        let name = format!("stratagem.v1.{method}");
        let mut infos = info["methods"].as_array().unwrap().iter();
        let found = infos.find(|it| it["name"] == name).unwrap();
        assert_eq!(found["default_time_budget"], budget, "{name}");
        check_strategies(found, strategy);
        let all = found["limits"].as_array().unwrap();
        for (limit, max) in limits {
            let is_same = |it: &Value| it["name"] == limit && it["max_value"] == max;
            assert!(all.iter().any(is_same), "{name}: {limit}");
        }
    }
}
