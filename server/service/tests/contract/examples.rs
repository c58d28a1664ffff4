//! The built-in examples: listed, served as they are, and each with the same plan or proof on every
//! machine.

use crate::calls::{Caller, example, mistakes, settings};
use serde_json::{Value, json};
use stratagem_proto::EXAMPLES;

/// The file of digests of answers, one example a line.
const DIGESTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/contract/examples.digests"
);

/// For each planner a method, an iteration limit, and whether the search ends with a proof within
/// it.
const SEARCHES: [(&str, &str, i64, bool); 9] = [
    ("allocation", "AllocateTasks", 60, false),
    ("crew", "AssignCrew", 1, true),
    ("heist", "PlanBurglar", 1_000_000, true),
    ("narrative", "ScheduleNarrative", 1_000, false),
    ("patrol", "GeneratePatrol", 1_000, false),
    ("puzzle", "GeneratePuzzle", 3_000, false),
    ("schedule", "ScheduleProject", 5_000, true),
    ("story", "GenerateStory", 1_000_000, true),
    ("temporal", "CheckControllability", 1_000_000, true),
];

/// 64 bits by FNV-1a of the answer, and of its report the status and the objective: nobody attacks
/// it.
fn digest(mut answer: Value) -> u64 {
    let report = answer["report"].take();
    let all = json!([answer, report["status"], report["objective"]]).to_string();
    all.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Another digest reveals a search that depends on more than problem, parameters and seed. After a
/// change of a search: `UPDATE_DIGESTS=1 cargo test -p stratagem-server --test contract examples`,
/// and a look at what has changed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn examples_have_the_same_plan_or_proof_on_every_machine() {
    let caller = Caller::new(settings()).await;
    let mut digests = String::new();
    for one in EXAMPLES {
        let search = SEARCHES.iter().find(|it| it.0 == one.planner);
        let (_, method, limit, is_proved) = search.expect("each planner has one");
        let options = json!({"time_budget": "600s", "max_iterations": limit});
        let request = json!({"problem": example(one.name), "options": options});
        let answer = caller.answer(method, &request).await;
        let (name, report) = (one.name, &answer["report"]);
        let has_plan = answer.get("plan").is_some() != answer.get("conflict").is_some();
        assert!(has_plan || *is_proved, "{name}: {report}");
        assert_eq!(report["reproducible"], true, "{name}: {report}");
        let proved = report["stop_reason"] == "STOP_REASON_PROVED";
        assert!(proved || !is_proved, "{name}: {report}");
        digests += &format!("{name} {:016x}\n", digest(answer));
    }
    if std::env::var_os("UPDATE_DIGESTS").is_some() {
        std::fs::write(DIGESTS, &digests).unwrap();
    }
    let known = std::fs::read_to_string(DIGESTS).unwrap();
    let known: Vec<&str> = known.lines().collect();
    let differ = digests.lines().filter(|line| !known.contains(line));
    let differ: Vec<&str> = differ.collect();
    assert_eq!(differ, [""; 0], "another answer than it was");
    assert_eq!(known.len(), digests.lines().count(), "examples are gone");
}

#[tokio::test]
async fn examples_are_served_as_they_are_and_listed_in_pages() {
    let caller = Caller::new(settings()).await;
    let whole = caller.answer("ListExamples", &json!({})).await;
    assert_eq!(whole.get("next_page_token"), None);
    let listed = whole["examples"].as_array().unwrap();
    assert_eq!(listed.len(), EXAMPLES.len());
    let mut token = json!("");
    for (number, one) in listed.iter().enumerate() {
        let name = one["name"].as_str().unwrap();
        let answer = caller.answer("GetExample", &json!({"name": name})).await;
        let problem = answer["problem"].as_object().unwrap().values().next();
        let problem: &Value = problem.unwrap();
        assert_eq!(*problem, example(name), "{name}");
        let title = problem.get("title").unwrap_or(&problem["world"]["title"]);
        assert_eq!(*title, one["title"]);
        let page = json!({"page_size": 1, "page_token": token});
        let mut page = caller.answer("ListExamples", &page).await;
        assert_eq!(page["examples"], json!([one]));
        token = page["next_page_token"].take();
        assert_eq!(token.is_null(), number + 1 == listed.len());
    }
    let unknown = json!({"name": "allocation/nothing"});
    let status = caller.ask("GetExample", &unknown).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::NotFound);
    let foreign = json!({"page_token": "not ours"});
    let status = caller.ask("ListExamples", &foreign).await.unwrap_err();
    assert!(!mistakes(&status).is_empty(), "{status:?}");
}
