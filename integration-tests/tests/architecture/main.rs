//! The house rules of ARCHITECTURE.md, kept by reading manifests and sources.

#![expect(
    clippy::unwrap_used,
    reason = "a test all over: what is not there fails it"
)]

mod documents;
mod fuzzing;
mod modules;
mod packages;
mod planners;
mod prose;
mod sources;
mod tidy;

use packages::{Package, licences, package, packages};
use sources::{Source, files, root, sources_in};
use std::collections::BTreeSet;
use std::fs;

/// The only foreign crates a planner may stand on, and those of its tests and benches.
const PLANNERS_STAND_ON: [&str; 8] = [
    "english-pos-tagger",
    "libm",
    "petgraph",
    "rand",
    "rand_xoshiro",
    "stop-words",
    "thiserror",
    "unicode-segmentation",
];
const PLANNERS_TEST_WITH: [&str; 3] = ["criterion", "proptest", "serde_json"];
/// The renderer takes messages apart; it never calls anybody.
const RENDER_STANDS_ON: [&str; 5] = [
    "petgraph",
    "prost",
    "prost-types",
    "stratagem-proto",
    "unicode-width",
];
/// Licences that ask for nothing but their notice.
const LICENCES: [&str; 9] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Zlib",
];
/// One crypto library is enough: ring. These need cmake, or the system's OpenSSL.
const CRYPTO_BANNED: [&str; 3] = ["aws-lc-sys", "native-tls", "openssl-sys"];
/// Largest file that is not a build product, in bytes.
const FILE_BYTES_MAX: u64 = 512 * 1024;
const SOURCE_LINES_MAX: usize = 400;
/// Sources that may be longer, each with its reason.
const LONG_SOURCES: [(&str, &str); 0] = [];

#[test]
fn planners_know_engines_and_little_else() {
    for planner in packages().iter().filter(|p| p.is_in("planners")) {
        for dependency in &planner.dependencies {
            let test = dependency.kind == "dev" && PLANNERS_TEST_WITH.contains(&dependency.name());
            let known =
                dependency.is_in("engines") || PLANNERS_STAND_ON.contains(&dependency.name());
            assert!(known || test, "{} -> {}", planner.name, dependency.name());
        }
    }
}

#[test]
fn engines_know_no_planner_and_no_wire() {
    let foreign_to_milp = ["good_lp", "highs", "highs-sys"];
    for engine in packages().iter().filter(|p| p.is_in("engines")) {
        for dependency in &engine.dependencies {
            let name = dependency.name();
            let test = dependency.kind == "dev" && PLANNERS_TEST_WITH.contains(&name);
            let solver = engine.room == "engines/milp" && foreign_to_milp.contains(&name);
            let known = dependency.is_in("engines") || PLANNERS_STAND_ON.contains(&name);
            assert!(known || test || solver, "{} -> {name}", engine.name);
        }
    }
}

#[test]
fn only_the_wire_knows_planners() {
    for package in packages() {
        // What planners and engines may know of each other: see above.
        let inner = package.is_in("planners") || package.is_in("engines");
        let wire = package.name == "stratagem-wire";
        let carries = ["stratagem-runtime", "stratagem-server"].contains(&&*package.name);
        for dependency in &package.dependencies {
            // Benches measure planners without the wire.
            let tests = package.room == "integration-tests" && dependency.kind == "dev";
            let bench = tests || package.is_in("benches");
            let known = dependency.is_in("planners") || dependency.is_in("engines");
            let (from, to) = (&package.name, dependency.name());
            // What of relations and WordNet a text needs: the command line filters as a planner
            // reads.
            let filter = package.name == "stratagem-cli" && to == "stratagem-lexicon";
            // What carries searches knows the contract between a planner and its runner.
            let runner = carries && to == "stratagem-anytime";
            let known = known && !filter && !runner;
            assert!(inner || wire || bench || !known, "{from} -> {to}");
        }
    }
}

#[test]
fn clients_see_the_server_over_the_wire_only() {
    for package in packages()
        .iter()
        .filter(|p| p.name != "stratagem-integration-tests")
    {
        for dependency in &package.dependencies {
            let name = dependency.name();
            assert_ne!(name, "stratagem-server", "{} -> {name}", package.name);
        }
    }
    for dependency in &package("stratagem-render").dependencies {
        let name = dependency.name();
        let test = dependency.kind == "dev" && PLANNERS_TEST_WITH.contains(&name);
        let known = RENDER_STANDS_ON.contains(&name);
        assert!(known || test, "stratagem-render -> {name}");
    }
}

#[test]
fn formats_are_texts_and_messages() {
    let formats = package("stratagem-formats");
    let names = formats.dependencies.iter().map(packages::Dependency::name);
    let ours: Vec<_> = names
        .filter(|name| name.starts_with("stratagem-"))
        .collect();
    // Pictures share their view of boards and museums.
    assert_eq!(ours, ["stratagem-proto", "stratagem-render"]);
    let outside = [
        "std::fs", "std::env", "std::net", "std::io", "tonic", "tokio",
    ];
    for source in sources_in("formats/src") {
        for (number, line) in source.code() {
            let found = outside.iter().find(|word| line.contains(**word));
            assert_eq!(found, None, "{}:{number}", source.path);
        }
    }
}

#[test]
fn every_dependency_has_a_reason_and_is_used() {
    let table = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows: Vec<&str> = table.lines().filter(|l| l.starts_with("| `")).collect();
    let explained = |name: &str| rows.iter().any(|row| row.contains(&format!("`{name}`")));
    let mut foreign = BTreeSet::new();
    for package in packages() {
        for dependency in package.dependencies.iter().filter(|d| d.is_foreign()) {
            foreign.insert(dependency.name().to_owned());
        }
    }
    for name in &foreign {
        assert!(
            explained(name),
            "ARCHITECTURE.md does not say why {name} is here"
        );
    }
    let begin = table
        .find("\n## Dependencies\n")
        .expect("a section of ARCHITECTURE.md");
    for row in table[begin..].lines().filter(|l| l.starts_with("| `")) {
        let names = row.split('|').nth(1).unwrap().split(',');
        for name in names.map(|name| name.trim().trim_matches('`')) {
            assert!(foreign.contains(name), "{name} is in ARCHITECTURE.md only");
        }
    }
}

#[test]
fn dependencies_are_free_to_use_and_bring_no_second_crypto_library() {
    for (name, licence) in licences() {
        // `A AND B` needs both, `A OR B` (or `A/B`) one of them.
        let one = |choice: &str| LICENCES.contains(&choice.trim().trim_matches(['(', ')']));
        let any = |part: &str| part.replace('/', " OR ").split(" OR ").any(one);
        assert!(licence.split(" AND ").all(any), "{name}: {licence}");
        assert!(!CRYPTO_BANNED.contains(&name.as_str()), "{name} is built");
    }
}

#[test]
fn unsafe_code_is_forbidden_everywhere_but_in_the_milp_engine() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(workspace.contains("\nunsafe_code = \"forbid\"\n"));
    for package in packages().iter().filter(|p| p.room != "engines/milp") {
        let manifest = root().join(&package.room).join("Cargo.toml");
        let inherits = fs::read_to_string(manifest)
            .unwrap()
            .contains("[lints]\nworkspace = true");
        assert!(inherits, "{} has lints of its own", package.room);
    }
}

/// Profiles name packages one by one, and cargo only warns about one that is not there.
#[test]
fn what_searches_is_compiled_for_speed_in_every_profile() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let inner = |p: &&Package| p.is_in("planners") || p.is_in("engines");
    let names: BTreeSet<String> = packages()
        .iter()
        .filter(inner)
        .map(|p| p.name.clone())
        .collect();
    for profile in ["dev", "fast-build"] {
        let begin = format!("\n[profile.{profile}.package.stratagem-");
        let listed = manifest.split(&begin).skip(1);
        let listed = listed.map(|rest| format!("stratagem-{}", rest.split(']').next().unwrap()));
        assert_eq!(listed.collect::<BTreeSet<_>>(), names, "{profile}");
    }
}

#[test]
fn planners_and_engines_touch_nothing_outside() {
    // What these mean is banned by clippy.toml where it is a method; modules are caught here.
    let outside = [
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "std::io",
        "println!",
    ];
    let mut sources = sources_in("planners");
    sources.extend(sources_in("engines"));
    for source in sources.iter().filter(|s| s.path.contains("/src/")) {
        for (number, line) in source.code() {
            let found = outside.iter().find(|word| line.contains(**word));
            assert_eq!(found, None, "{}:{number}", source.path);
            let clock = line.contains("clippy::disallowed_methods");
            let allowed = source.path.starts_with("engines/anytime/");
            assert!(!clock || allowed, "{}:{number} lifts a ban", source.path);
        }
    }
    for folder in ["planners", "engines"] {
        let clippy = fs::read_to_string(root().join(folder).join("clippy.toml")).unwrap();
        for ban in [
            "Instant::now",
            "env::var",
            "thread::sleep",
            "HashMap",
            "HashSet",
            "f64::exp",
            "f64::ln",
            "f64::powf",
            "f64::sin",
        ] {
            assert!(
                clippy.contains(ban),
                "{folder}/clippy.toml does not ban {ban}"
            );
        }
    }
}

#[test]
fn one_file_of_the_server_makes_statuses() {
    let mut makers = 0;
    for source in sources_in("server") {
        let at_home = source.path == "server/service/src/status.rs";
        for (number, line) in source.code() {
            let made = makes_a_status(line);
            makers += usize::from(made && at_home);
            assert!(!made || at_home, "{}:{number}: {line}", source.path);
        }
    }
    assert!(
        makers > 0,
        "status.rs makes none: the rule looks for the wrong thing"
    );
}

#[test]
fn a_made_status_is_recognised() {
    assert!(makes_a_status("return Err(Status::internal(\"no\"));"));
    assert!(makes_a_status(
        "tonic::Status::with_details(code, text, details)"
    ));
    assert!(!makes_a_status("Status::from(Refusal::Expired)"));
    assert!(!makes_a_status("pb::SolveStatus::from_i32(1)"));
    assert!(!makes_a_status(
        "fn f(status: Status) -> Code { status.code() }"
    ));
}

#[test]
fn the_wire_knows_no_network_and_the_runtime_neither_planners_nor_messages() {
    let names = |name: &str| {
        let production = package(name).dependencies.into_iter();
        let production = production.filter(|it| it.kind != "dev");
        production
            .map(|it| it.name().to_owned())
            .collect::<Vec<_>>()
    };
    let wire = names("stratagem-wire");
    let network = ["hyper", "stratagem-runtime", "tokio", "tonic", "tower"];
    assert!(
        wire.iter().all(|name| !network.contains(&&**name)),
        "{wire:?}"
    );
    let runtime = names("stratagem-runtime");
    let ours: Vec<_> = runtime
        .iter()
        .filter(|name| name.starts_with("stratagem-"))
        .collect();
    assert_eq!(ours, ["stratagem-anytime"]);
    let messages = ["prost", "prost-types", "tonic"];
    assert!(
        runtime.iter().all(|name| !messages.contains(&&**name)),
        "{runtime:?}"
    );
}

#[test]
fn sources_are_short_enough_to_be_read() {
    let lines = |source: &Source| source.text.lines().count();
    let long = sources_in("")
        .into_iter()
        .filter(|s| lines(s) > SOURCE_LINES_MAX);
    let long: Vec<_> = long.map(|s| (lines(&s), s.path)).collect();
    let excused = |path: &str| LONG_SOURCES.iter().any(|(excused, _)| *excused == path);
    let too_long: Vec<_> = long.iter().filter(|(_, path)| !excused(path)).collect();
    assert!(
        too_long.is_empty(),
        "more than {SOURCE_LINES_MAX} lines: {too_long:#?}"
    );
    for (excused, reason) in LONG_SOURCES {
        assert!(!reason.is_empty());
        assert!(
            long.iter().any(|(_, path)| path == excused),
            "{excused} needs no excuse"
        );
    }
}

#[test]
fn no_file_is_large() {
    for path in files(&root()) {
        let bytes = fs::symlink_metadata(&path).unwrap().len();
        assert!(
            bytes <= FILE_BYTES_MAX,
            "{} has {bytes} bytes",
            path.display()
        );
    }
}

#[test]
fn no_file_is_named_after_nothing_in_particular() {
    let vague = [
        "common", "helper", "helpers", "manager", "misc", "util", "utils",
    ];
    for source in sources_in("") {
        let named = source
            .path
            .split(['/', '.'])
            .find(|part| vague.contains(part));
        assert_eq!(named, None, "{}", source.path);
    }
}

/// Whether a line calls a constructor of `tonic::Status`: a function other than `from`, and not of
/// `SolveStatus`.
fn makes_a_status(line: &str) -> bool {
    line.match_indices("Status::").any(|(at, found)| {
        let before = line[..at].chars().next_back();
        let after = &line[at + found.len()..];
        let function = after.starts_with(char::is_lowercase) && !after.starts_with("from(");
        function && !before.is_some_and(char::is_alphanumeric)
    })
}
