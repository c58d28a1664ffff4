//! The workspace as cargo describes it.

use crate::sources::{from_root, root};
use serde_json::Value;
use std::{env, path::Path, process::Command};

/// A member of the workspace.
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its folder from the root, as in `planners/allocation`.
    pub(crate) room: String,
    pub(crate) dependencies: Vec<Dependency>,
}

impl Package {
    pub(crate) fn is_in(&self, folder: &str) -> bool {
        self.room.split('/').next() == Some(folder)
    }
}

/// A direct dependency of any kind.
pub(crate) struct Dependency {
    name: String,
    /// `normal`, `dev` or `build`.
    pub(crate) kind: String,
    /// Its folder from the root; none for crates from outside.
    room: Option<String>,
}

impl Dependency {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn is_foreign(&self) -> bool {
        self.room.is_none()
    }

    pub(crate) fn is_in(&self, folder: &str) -> bool {
        let room = self.room.as_deref();
        room.is_some_and(|room| room.split('/').next() == Some(folder))
    }
}

/// The members of the workspace as cargo sees them.
pub(crate) fn packages() -> Vec<Package> {
    let metadata = metadata(&["--no-deps"]);
    let list = metadata["packages"].as_array().unwrap();
    assert!(list.len() >= 8, "only {} packages found", list.len());
    list.iter().map(package_of).collect()
}

/// Names and licences (SPDX) of all crates that are built here, ours included.
pub(crate) fn licences() -> Vec<(String, String)> {
    let metadata = metadata(&["--all-features", "--filter-platform", &host()]);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = metadata["packages"].as_array().unwrap().iter();
    list.map(|p| (text(&p["name"]), text(&p["license"])))
        .collect()
}

/// The kind of machine that cargo builds for, as in `x86_64-unknown-linux-gnu`.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output();
    let output = String::from_utf8(output.expect("cargo needs it too").stdout).unwrap();
    let host = output.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("rustc reports it").to_owned()
}

/// What cargo reports about the workspace, without asking the network.
fn metadata(arguments: &[&str]) -> Value {
    let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo runs, it runs this test");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

pub(crate) fn package(name: &str) -> Package {
    let mut all = packages().into_iter();
    all.find(|package| package.name == name)
        .expect("a member of the workspace")
}

fn package_of(value: &Value) -> Package {
    let manifest = Path::new(value["manifest_path"].as_str().unwrap());
    let dependencies = value["dependencies"].as_array().unwrap();
    Package {
        name: value["name"].as_str().unwrap().to_owned(),
        room: from_root(manifest.parent().unwrap()),
        dependencies: dependencies.iter().map(dependency_of).collect(),
    }
}

fn dependency_of(value: &Value) -> Dependency {
    Dependency {
        name: value["name"].as_str().unwrap().to_owned(),
        kind: value["kind"].as_str().unwrap_or("normal").to_owned(),
        room: value["path"]
            .as_str()
            .map(|path| from_root(Path::new(path))),
    }
}

/// Each program is compiled, linked and linted by itself, in every run of all tests.
#[test]
fn tests_of_a_crate_are_one_program() {
    let metadata = metadata(&["--no-deps"]);
    let mut crates = 0;
    for package in metadata["packages"].as_array().unwrap() {
        let targets = package["targets"].as_array().unwrap().iter();
        let programs = targets.filter(|target| target["kind"][0] == "test");
        let programs: Vec<&Value> = programs.map(|target| &target["name"]).collect();
        // These run differently.
        if package["name"] != "stratagem-integration-tests" {
            assert!(programs.len() <= 1, "{}: {programs:?}", package["name"]);
            crates += programs.len();
        }
    }
    assert!(crates > 15, "{crates} crates have such tests");
}
