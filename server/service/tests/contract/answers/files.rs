//! Problems from files and to files.

use super::{check, check_mistakes};
use crate::calls::{Caller, example, settings};
use serde_json::json;
use stratagem_proto::EXAMPLES;

const MAP: &str = "time: 4\n\n######\n#G..3#\n######\n";

#[tokio::test]
async fn files_are_read_in_the_format_that_they_have() {
    let caller = Caller::new(settings()).await;
    let request = json!({"content": MAP, "options": {"tick_duration": "2s", "rooms": true}});
    check(
        &caller.answer("ImportProblem", &request).await,
        r#"
        format = "tiles"
        problem.patrol.tick_duration = "2s"
        problem.patrol.vertices[#] = 1
        problem.patrol.intruder.penetration_duration = "8s"
        "#,
    );
    let board = json!({"content": "#####\n#@$.#\n#####\n"});
    check(
        &caller.answer("ImportProblem", &board).await,
        r#"
        format = "sokoban"
        problem.puzzle.template_rows[#] = 3
        problem.puzzle.template_rows[1] ~ "@$."
        problem.puzzle.max_boxes = 1
        "#,
    );
}

#[tokio::test]
async fn mistakes_of_files_have_line_and_column() {
    let caller = Caller::new(settings()).await;
    check_mistakes(
        &caller,
        "ImportProblem",
        &json!({"content": MAP}),
        r#"
        content = "time: 4\npause: x\n\n####\n#G.#\n####\n" => content SYNTAX
        format = "tile" => format UNKNOWN
        planner = "bakery" => planner UNKNOWN
        options = {"agent_count": 3} => options.agent_count CONTRADICTION
        options = {"tick_duration": "0s"} => options.tick_duration OUT_OF_RANGE
        "#,
    )
    .await;
}

#[tokio::test]
async fn every_example_is_written_as_it_is_read() {
    let caller = Caller::new(settings()).await;
    for one in EXAMPLES {
        let problem = json!({(one.planner): example(one.name)});
        for format in ["json", "yaml"] {
            let request = json!({"problem": problem, "format": format});
            let written = caller.answer("ExportProblem", &request).await;
            let content = &written["files"][0]["content"];
            let request = json!({"content": content, "planner": one.planner});
            let again = caller.answer("ImportProblem", &request).await;
            assert_eq!(again["problem"], problem, "{}", one.name);
            assert_eq!(again["format"], format);
        }
    }
}

#[tokio::test]
async fn pddl_is_written_with_its_domain() {
    let caller = Caller::new(settings()).await;
    let request = json!({"problem": {"heist": example("heist/opal")}, "format": "pddl"});
    check(
        &caller.answer("ExportProblem", &request).await,
        r#"
        files[*].name = ["problem.pddl", "domain.pddl"]
        files[0].content ~ "(:domain heist"
        files[1].content ~ "(define (domain heist"
        "#,
    );
    check_mistakes(
        &caller,
        "ExportProblem",
        &request,
        r#"
        format = "solomon" => problem CONTRADICTION
        format = "magic" => format UNKNOWN
        "#,
    )
    .await;
}
