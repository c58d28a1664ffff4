//! Whether answers that come with given narratives pass the check, and a wrong one does not.
//!
//! `STRATAGEM_NARRATIVE=FOLDER cargo bench -p stratagem-narrative --bench answers`. FOLDER holds
//! `suite1`, `suite2` and `choices`, each with `answers.json`, and `examples`. Panics at the first
//! answer that is judged wrongly.

mod linsp_files;

use linsp_files::{File, json};
use narrative::verify;
use std::path::{Path, PathBuf};

#[expect(
    clippy::disallowed_methods,
    reason = "where the files are is for the person who runs this"
)]
fn main() {
    let Some(directory) = std::env::var_os("STRATAGEM_NARRATIVE") else {
        println!("skipped: STRATAGEM_NARRATIVE names no folder");
        return;
    };
    let directory = PathBuf::from(directory);
    println!("| answers | plans that pass |");
    println!("|---|---|");
    for suite in ["suite1", "suite2", "choices"] {
        let plans = answers(&directory.join(suite));
        assert!(plans > 0, "{suite} has plans");
        println!("| {suite} | {plans} |");
    }
    examples(&directory.join("examples"));
    println!("| examples | 3, and the wrong one is refused |");
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

/// Answers that pass, and a wrong one that does not.
fn examples(examples: &Path) {
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
    let wrong = verify::strategy(&file.narrative, &plan).expect_err("the answer is wrong");
    assert!(wrong.iter().any(|wrong| wrong.code == "UNCOVERED"));
}
