//! What strangers send is decoded by code that was fuzzed.

use crate::packages::package;
use crate::sources::{root, sources_in};
use std::fs;

/// Where requests to any method are decoded.
const ANY: &str = "server/wire/src/decode.rs";

/// The functions of the server that decode requests: one for each planner, and one for any method.
fn decoders() -> Vec<String> {
    let mut sources = sources_in("server/wire/src");
    sources.retain(|source| source.path.ends_with("/decode.rs"));
    let lines = sources.iter().flat_map(|source| source.text.lines());
    let decoders = lines.filter_map(|line| line.strip_prefix("pub fn ")?.split_once("(bytes:"));
    decoders.map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn every_planner_that_is_served_has_a_decoder_to_fuzz() {
    let server = package("stratagem-wire");
    let mut served = server.dependencies;
    served.retain(|dependency| dependency.is_in("planners"));
    // Puzzles have two: for levels that are wanted, and for boards to solve. And there is one for
    // all that is not about one planner's plans.
    assert_eq!(decoders().len(), served.len() + 2, "{:?}", decoders());
}

/// The decoder of any method covers all methods of the contract except those of two services.
#[test]
fn every_request_that_is_read_can_be_fuzzed() {
    let any = fs::read_to_string(root().join(ANY)).unwrap();
    let mut requests = 0;
    for service in ["job", "server"] {
        let proto = root().join(format!("proto/stratagem/v1/{service}.proto"));
        let proto = fs::read_to_string(proto).unwrap();
        let methods = proto
            .lines()
            .filter_map(|line| line.trim().strip_prefix("rpc "));
        for method in methods.filter_map(|line| Some(line.split_once('(')?.0)) {
            // Requests for information about the server, or that name a job, need no decoder.
            let is_plain = ["Get", "Cancel", "Delete", "ListExamples"];
            let is_plain = is_plain.iter().any(|start| method.starts_with(start));
            let is_read = any.contains(&format!("b\"{method}\""));
            assert!(is_plain || is_read, "nothing fuzzes {method}");
            requests += usize::from(is_read);
        }
    }
    assert_eq!(requests, 3);
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
