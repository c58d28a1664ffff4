//! Whether answers that come with given narratives pass the check, and a wrong one does not.
//!
//! `STRATAGEM_NARRATIVE=FOLDER cargo bench -p stratagem-narrative --bench answers`. FOLDER holds
//! `suite1`, `suite2` and `choices`, each with `answers.json`, and `examples`. Panics at the first
//! answer that is judged wrongly.

#[path = "../suites/linsp.rs"]
mod linsp;
mod plans;

use narrative::verify;
use plans::plan;
use serde_json::Value;
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

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("the file is there");
    serde_json::from_str(&text).expect("the file is JSON")
}

/// Checks every answer in `answers.json`, and returns how many there are that claim a plan.
fn answers(directory: &Path) -> usize {
    let answers = json(&directory.join("answers.json"));
    let mut plans = 0;
    for given in linsp::folder(directory) {
        if given.status.as_deref() == Some("feasible") {
            let name = &given.name;
            let file = json(&directory.join(format!("{name}.json")));
            let plan = plan(&file, &answers[name]["storylines"]);
            let checked = verify::strategy(&given.narrative, &plan);
            assert!(checked.is_ok(), "{name}: {checked:?}");
            plans += 1;
        }
    }
    plans
}

/// Answers that pass, and a wrong one that does not.
fn examples(examples: &Path) {
    let all = linsp::folder(examples);
    let checked = |name: &str, answer: &str| {
        let given = all.iter().find(|given| given.name == name);
        let file = json(&examples.join(format!("{name}.json")));
        let answer = json(&examples.join(format!("{name}.{answer}.json")));
        let plan = plan(&file, &answer["storylines"]);
        verify::strategy(&given.expect("it is there").narrative, &plan)
    };
    for name in ["fig2-system", "trap-eq8", "trap-two-shared-edges"] {
        let checked = checked(name, "answer");
        assert!(checked.is_ok(), "{name}: {checked:?}");
    }
    let wrong = checked("trap-two-shared-edges", "wrong-answer").expect_err("the answer is wrong");
    assert!(wrong.iter().any(|wrong| wrong.code == "UNCOVERED"));
}
