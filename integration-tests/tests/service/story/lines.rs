//! Stories on the command line.

use crate::command_line::{run_at, run_at_with_input};
use stratagem_integration_tests::Server;

const GENERATE: [&str; 5] = ["story", "plan", "example:inheritance", "--budget", "60s"];

#[tokio::test]
async fn a_story_is_told_explained_verified_and_drawn() {
    let server = Server::start(&[]).await;
    let text = run_at(&server, &GENERATE).with_code(0).stdout;
    for part in [
        "OPTIMAL",
        "score          0.623885",
        "Inspector Dorn",
        "goal met: somebody",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = [&GENERATE[..], &["-o", "json"]].concat();
    let answer = run_at(&server, &json).with_code(0);
    assert_eq!(answer.json()["report"]["status"], "SOLVE_STATUS_OPTIMAL");
    let explain = [
        "story",
        "explain",
        "example:inheritance",
        "-",
        "--slider",
        "Kill=0.5",
    ];
    let why = run_at_with_input(&server, &explain, &answer.stdout)
        .with_code(0)
        .stdout;
    assert!(
        why.contains("slider 0.5") && why.contains("0.311942"),
        "{why}"
    );
    let verify = ["verify", "example:story/inheritance", "-"];
    let verdict = run_at_with_input(&server, &verify, &answer.stdout)
        .with_code(0)
        .stdout;
    assert!(verdict.starts_with("valid"), "{verdict}");
    let shorter = answer.stdout.replace("\"Take\"", "\"Go\"");
    let refused = run_at_with_input(&server, &explain, &shorter)
        .with_code(5)
        .stderr;
    assert!(refused.contains("NO_SUCH_ACTION"), "{refused}");
    let render = [
        "story",
        "render",
        "example:inheritance",
        "--plan",
        "-",
        "--svg",
        "-",
    ];
    let picture = run_at_with_input(&server, &render, &answer.stdout)
        .with_code(0)
        .stdout;
    assert!(picture.starts_with("<svg") && picture.contains("Kill Ada, Bruno, Dagger"));
    let validate = ["validate", "example:story/crown"];
    let valid = run_at(&server, &validate).with_code(0).stdout;
    assert_eq!(
        valid,
        "valid: 3 types, 8 attributes, 6 actions, 3 goals, 1 event\n"
    );
}

#[tokio::test]
async fn mistakes_of_a_domain_come_with_their_place() {
    let server = Server::start(&[]).await;
    let domain = "
types: [{name: actor, entities: [{id: Ann}]}]
attributes: [{type_name: actor, name: calm, values: bool}]
actions: [{name: Rest, parameters: [{name: a, type_name: actor}], effects: ['a.calm = yes']}]
goals: [{name: calm, condition: 'Ann.calm and'}]
";
    let generate = ["story", "plan", "-"];
    let text = run_at_with_input(&server, &generate, domain)
        .with_code(5)
        .stderr;
    for part in [
        "problem.actions[0].effects[0]: at character 10: names the variable, entity or word 'yes', which does not exist",
        "problem.goals[0].condition: at character 13: expected is a value",
    ] {
        assert!(text.contains(part), "{text}");
    }
}
