//! Answers that come with the benchmark files, where there are any.

mod linsp_files;

use linsp_files::{File, json};
use narrative::verify;
use std::path::{Path, PathBuf};

#[expect(
    clippy::disallowed_methods,
    reason = "where the files are is for whoever runs this by hand"
)]
fn directory() -> PathBuf {
    let directory = std::env::var_os("STRATAGEM_NARRATIVE");
    directory
        .expect("STRATAGEM_NARRATIVE names a directory")
        .into()
}

/// Checks every answer in `answers.json`, and returns how many there are that claim a plan.
fn answers(directory: &Path) -> usize {
    let answers = json(&directory.join("answers.json"));
    let mut plans = 0;
    for (name, answer) in answers.as_object().expect("answers are by name") {
        let file = File::read(&directory.join(format!("{name}.json")));
        if answer["status"] == "feasible" {
            let storylines = answer["storylines"].as_array().expect("a list");
            let checked = verify::strategy(&file.narrative, &file.plan(storylines));
            assert!(checked.is_ok(), "{name}: {checked:?}");
            plans += 1;
        }
    }
    plans
}

#[test]
#[ignore = "reads the directory that STRATAGEM_NARRATIVE names"]
fn answers_of_the_benchmark_files_pass() {
    let all = ["suite1", "suite2", "choices"].map(|suite| answers(&directory().join(suite)));
    println!("plans that pass, by suite: {all:?}");
    assert!(all.iter().all(|plans| *plans > 0));
}

#[test]
#[ignore = "reads the directory that STRATAGEM_NARRATIVE names"]
fn answers_of_the_examples_pass_and_the_wrong_one_does_not() {
    let examples = directory().join("examples");
    for name in ["fig2-system", "trap-eq8", "trap-two-shared-edges"] {
        let file = File::read(&examples.join(format!("{name}.json")));
        let answer = json(&examples.join(format!("{name}.answer.json")));
        let plan = file.plan(answer["storylines"].as_array().expect("a list"));
        let checked = verify::strategy(&file.narrative, &plan);
        assert!(checked.is_ok(), "{name}: {checked:?}");
    }
    let file = File::read(&examples.join("trap-two-shared-edges.json"));
    let answer = json(&examples.join("trap-two-shared-edges.wrong-answer.json"));
    let plan = file.plan(answer["storylines"].as_array().expect("a list"));
    let wrong = verify::strategy(&file.narrative, &plan).unwrap_err();
    println!("{wrong:?}");
    assert!(wrong.iter().any(|wrong| wrong.code() == "UNCOVERED"));
}
