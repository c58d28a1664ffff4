//! Where a planner is named outside of its own files: in as few places as there are programs with a
//! list of planners.

use crate::sources::{files, from_root, root};
use std::fs;

/// Lists of planners, each in a program of its own.
const LISTS: [&str; 5] = [
    // Flags that are not fields of requests; a planner needs none.
    "client-cli/src/contract/table.rs",
    // Its pictures.
    "render/src/lib.rs",
    "render/src/picture.rs",
    "server/service/playground/planners.js",
    // Its messages. All else that the server has to know is in the contract.
    "server/wire/src/lib.rs",
];

/// The planner whose name is no other word.
const NAME: &str = "crew";

#[test]
fn a_planner_is_named_in_few_files_outside_its_own() {
    let production = [
        "client-cli/src",
        "render/src",
        "server/runtime",
        "server/service/build",
        "server/service/playground",
        "server/service/src",
        "server/wire/build",
        "server/wire/src",
    ];
    let mut found: Vec<String> = production
        .iter()
        .flat_map(|folder| files(&root().join(folder)))
        .filter(|path| {
            let text = fs::read(path).unwrap();
            // What follows the tests of a module is not looked at.
            let text = String::from_utf8_lossy(&text).to_lowercase();
            let text = text
                .split("\n#[cfg(test)]\nmod ")
                .next()
                .unwrap()
                .to_owned();
            text.contains(NAME)
        })
        .map(|path| from_root(&path))
        .filter(|path| !path.contains(NAME) && !is_test(path))
        .collect();
    found.sort();
    assert_eq!(found, LISTS);
}

fn is_test(path: &str) -> bool {
    // `limits.rs` compares the contract with the planners.
    path.ends_with("tests.rs") || path.contains("/tests/") || path.ends_with("/rules/limits.rs")
}
