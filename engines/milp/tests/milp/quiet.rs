//! Nothing is printed, by Rust or by C++.

use crate::instances::{Assignment, long};
use crate::{heard, solved};
use milp::{Model, Params, constraint, variable};
use std::process::Command;

#[test]
#[ignore = "what `a_solve_prints_nothing` runs"]
fn loud_if_anything_is() {
    let params = Params {
        nodes_max: Some(20),
        ..Params::default()
    };
    heard(&long(), &params, &mut ());
    solved(&Assignment::new(3, 4, 12).model().0);
    let mut model = Model::new();
    let x = model.add(variable().min(0));
    model.maximise(x);
    solved(&model);
    model.require(constraint!(x <= -1));
    solved(&model);
}

#[test]
fn a_solve_prints_nothing() {
    let name = "quiet::loud_if_anything_is";
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--ignored", "--nocapture", "--quiet"])
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{stdout}");
    // What remains is the harness's: a dot, and counts.
    let lines: Vec<&str> = stdout.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 3, "{stdout}");
    assert_eq!(lines[0], "running 1 test");
    assert!(
        lines[2].starts_with("test result: ok. 1 passed"),
        "{stdout}"
    );
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
