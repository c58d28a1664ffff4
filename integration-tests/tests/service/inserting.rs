//! One task more in a plan that is kept, on the command line.

use crate::command_line::run_at_with_input;
use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_proto::EXAMPLES;

#[tokio::test]
async fn the_command_line_shows_places_and_prints_the_plan() {
    let server = Server::start(&[]).await;
    // Nobody does anything yet.
    let plan = json!({"routes": []}).to_string();
    let of = ["allocation", "insert", "example:tavern", "-", "--task"];
    let tavern = EXAMPLES
        .iter()
        .find(|example| example.name == "allocation/tavern");
    let example: Value = serde_json::from_str(tavern.unwrap().json).unwrap();
    let task = example["tasks"][0]["id"].as_str().unwrap();
    let table = run_at_with_input(&server, &[&of[..], &[task]].concat(), &plan).with_code(0);
    assert!(table.stdout.contains("travel cost +"), "{}", table.stdout);
    let answer = [&of[..], &[task, "--max-insertions", "1", "-o", "json"]].concat();
    let answer = run_at_with_input(&server, &answer, &plan)
        .with_code(0)
        .json();
    assert_eq!(answer["insertions"].as_array().unwrap().len(), 1);
    assert_eq!(answer["plan"]["routes"][0]["stops"][0]["task_id"], task);
    run_at_with_input(&server, &[&of[..], &["nobody knows it"]].concat(), &plan).with_code(5);
}
