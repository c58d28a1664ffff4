//! What strangers send is decoded by code that was fuzzed.

use crate::packages::package;
use crate::sources::root;
use std::collections::BTreeSet;
use std::fs;

/// The functions of `server/src/decode.rs` that take bytes.
fn decoders() -> Vec<String> {
    let source = fs::read_to_string(root().join("server/src/decode.rs")).unwrap();
    let lines = source.lines();
    let decoders = lines.filter_map(|line| line.strip_prefix("pub fn ")?.split_once("(bytes:"));
    decoders.map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn every_planner_that_is_served_has_a_decoder_to_fuzz() {
    let server = package("stratagem-server");
    let mut served = server.dependencies;
    served.retain(|dependency| dependency.is_in("planners"));
    // Puzzles have two: for levels that are wanted, and for boards to solve. So have stories: for domains, and for books to learn them from. And there is one for
    // all that is not about one planner's plans.
    assert_eq!(decoders().len(), served.len() + 3, "{:?}", decoders());
}

#[test]
fn every_request_that_is_read_can_be_fuzzed() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let fuzzed = read("server/src/decode.rs") + &read("server/src/decode/others.rs");
    let mut requests = BTreeSet::new();
    for file in fs::read_dir(root().join("proto/stratagem/v1")).unwrap() {
        let proto = fs::read_to_string(file.unwrap().path()).unwrap();
        let taken = proto.lines().filter_map(|line| {
            let method = line.trim().strip_prefix("rpc ")?;
            Some(
                method
                    .split_once('(')?
                    .1
                    .split_once("Request)")?
                    .0
                    .to_owned(),
            )
        });
        requests.extend(taken);
    }
    // Nothing is to be read of those that ask for what the server is, or name a job.
    let requests: Vec<_> = requests
        .iter()
        .map(String::as_str)
        .filter(|method| {
            ![
                "GetServerInfo",
                "ListExamples",
                "GetExample",
                "GetJob",
                "CancelJob",
                "DeleteJob",
            ]
            .contains(method)
        })
        .collect();
    assert!(requests.len() > 15, "{requests:?}");
    for method in requests {
        let own = fuzzed.contains(&format!("pb::{method}Request"));
        let other = fuzzed.contains(&format!("(\"{method}\","));
        assert!(own || other, "nothing fuzzes {method}");
    }
}

#[test]
fn every_decoder_has_a_fuzz_target_with_seeds_and_its_command() {
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    for decoder in decoders() {
        let target = format!("decode_{decoder}");
        let path = format!("fuzz_targets/{target}.rs");
        let built = format!("name = \"{target}\"\npath = \"{path}\"");
        assert!(manifest.contains(&built), "fuzz/Cargo.toml lacks {target}");
        let source = fs::read_to_string(root().join("fuzz").join(&path)).unwrap();
        let command = format!("cargo fuzz run {target} ");
        assert!(source.contains(&command), "{path} does not say how to run");
        assert!(
            source.contains(&format!("match {decoder}(bytes)")),
            "{path}"
        );
        let seeds = fs::read_dir(root().join("fuzz/seeds").join(&target));
        let seeds = seeds.unwrap_or_else(|error| panic!("seeds of {target}: {error}"));
        assert!(seeds.count() >= 3, "{target} begins with too little");
    }
}
