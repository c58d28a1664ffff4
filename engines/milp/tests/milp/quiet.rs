//! Nothing is printed, by Rust or by C++.

use crate::instances::{Assignment, long};
use crate::{heard, solved};
use milp::{Model, Params, constraint, variable};
use std::env;
use std::process::Command;

/// Set where this test runs a second time, as the process whose output is looked at.
const INSIDE: &str = "MILP_QUIET_INSIDE";

/// Runs itself again: what C++ prints passes by the harness, but not by the pipes of a process.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "an environment variable marks the second of the two processes"
)]
fn a_solve_prints_nothing() {
    if env::var_os(INSIDE).is_some() {
        return solve_of_every_kind();
    }
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "quiet::a_solve_prints_nothing", "--nocapture"])
        .arg("--quiet")
        .env(INSIDE, "1")
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

/// Stopped, optimal, unbounded and infeasible.
fn solve_of_every_kind() {
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
