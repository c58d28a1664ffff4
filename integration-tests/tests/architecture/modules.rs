//! What the modules of a crate know of each other, directly and through others.

use crate::packages::packages;
use crate::sources::{Source, sources_in};
use std::collections::{BTreeMap, BTreeSet};

/// What a check may stand on: the problem, the plan, what they are made of, and what a problem
/// means.
const CHECKED: [&str; 14] = [
    "board",
    "certificate",
    "errors",
    "mistake",
    "model",
    "moves",
    "museum",
    "plan",
    "problem",
    "rules",
    "spec",
    "travel",
    "tree",
    "world",
];

#[test]
fn checks_reach_no_search_by_any_path() {
    let mut checks = 0;
    for package in packages() {
        if !package.is_in("planners") && !package.is_in("engines") {
            continue;
        }
        let graph = Graph::read(&sources_in(&format!("{}/src", package.room)));
        for (module, path) in graph.reached("verify") {
            let shown = path.join(" -> ");
            let allowed = CHECKED.contains(&module.as_str());
            assert!(allowed, "{}: {shown}", package.room);
            checks += usize::from(module == "plan");
        }
    }
    assert_eq!(checks, 9, "planners whose check sees the plan");
}

/// Links and numbers: what both sides of the engine of temporal networks are made of.
const PLAIN: [&str; 2] = ["edge", "link"];

#[test]
fn the_checker_of_temporal_networks_reaches_nothing_but_plain_data() {
    let graph = Graph::read(&sources_in("engines/stn/src"));
    let mut reached = graph.reached("check");
    assert!(reached.remove("link").is_some(), "it is about links");
    reached.retain(|module, _| !PLAIN.contains(&module.as_str()));
    assert!(reached.is_empty(), "{reached:?}");
    for module in graph.edges.keys().filter(|module| *module != "check") {
        assert!(!graph.reached(module).contains_key("check"), "{module}");
    }
    for plain in PLAIN {
        let reached = graph.reached(plain);
        let is_plain = |module: &String| PLAIN.contains(&module.as_str());
        assert!(reached.keys().all(is_plain), "{plain}: {reached:?}");
    }
}

/// What checks of planners may name of that engine.
const OF_CHECKER: [&str; 4] = ["Contingent", "Difference", "Link", "check"];

#[test]
fn checks_of_planners_name_nothing_of_temporal_networks_but_the_checker() {
    let mut named = BTreeSet::new();
    for planner in ["narrative", "temporal"] {
        let mut sources = sources_in(&format!("planners/{planner}/src"));
        sources.retain(|source| place(source).0 == "verify");
        for source in &sources {
            for rest in code(source).split("stn::").skip(1) {
                match rest.strip_prefix('{') {
                    Some(group) => named.extend(members(group)),
                    None => named.extend(word(rest)),
                }
            }
        }
    }
    assert!(named.contains("check"));
    named.retain(|name| !OF_CHECKER.contains(&name.as_str()));
    assert!(named.is_empty(), "{named:?}");
}

#[test]
fn bounds_reach_neither_explanations_nor_searches() {
    let graph = Graph::read(&sources_in("planners/allocation/src"));
    let reached = graph.reached("bound");
    assert!(reached.contains_key("problem"));
    for above in ["explain", "insert", "solve", "verify"] {
        assert_eq!(reached.get(above), None);
    }
}

#[test]
fn paths_are_seen_whole() {
    let source = |path: &str, text: &str| Source {
        path: format!("planners/made/src/{path}.rs"),
        text: text.into(),
    };
    let sources = [
        source(
            "lib",
            "pub use route::Route;\npub use search::{seek, Found};",
        ),
        source("verify", "mod deep;"),
        source(
            "verify/deep",
            "use super::super::twice;\nuse super::shallow;",
        ),
        source(
            "twice",
            "use crate::{\n    Route,\n    tours::{each, all},\n};",
        ),
        source(
            "tours",
            "// crate::never\nfn f() { crate::seek(1) }\n#[cfg(test)]\nmod tests {\n use crate::made;\n}",
        ),
        source("search", ""),
        source("route", ""),
        source("never", ""),
        source("made", ""),
    ];
    let graph = Graph::read(&sources);
    let reached = graph.reached("verify");
    let names: Vec<&str> = reached.keys().map(String::as_str).collect();
    assert_eq!(names, ["route", "search", "tours", "twice"]);
    assert_eq!(reached["search"], ["verify", "twice", "tours", "search"]);
}

/// Modules just below the root of a crate, each with those that it names.
struct Graph {
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    fn read(sources: &[Source]) -> Self {
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut lifted = BTreeMap::new();
        for source in sources {
            let (module, depth) = place(source);
            if module == "lib" {
                lifted = lifts(&code(source));
            } else if !source.path.ends_with("/tests.rs") && !source.path.contains("/tests/") {
                edges
                    .entry(module)
                    .or_default()
                    .extend(names(&code(source), depth));
            }
        }
        let modules: BTreeSet<String> = edges.keys().cloned().collect();
        for (module, named) in &mut edges {
            let home = |name: &String| lifted.get(name).unwrap_or(name).clone();
            *named = named.iter().map(home).collect();
            named.retain(|name| name != module && modules.contains(name));
        }
        Self { edges }
    }

    /// All that a module reaches, each with a shortest path there.
    fn reached(&self, from: &str) -> BTreeMap<String, Vec<String>> {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut paths = vec![vec![from.to_owned()]];
        while !paths.is_empty() {
            let mut longer = Vec::new();
            for path in paths {
                for next in path
                    .last()
                    .and_then(|end| self.edges.get(end))
                    .into_iter()
                    .flatten()
                {
                    if next != from && !found.contains_key(next) {
                        let path = [path.clone(), vec![next.clone()]].concat();
                        found.insert(next.clone(), path.clone());
                        longer.push(path);
                    }
                }
            }
            paths = longer;
        }
        found
    }
}

/// The module below the root that a source belongs to, and how many `super` lead to the root.
fn place(source: &Source) -> (String, usize) {
    let inner = source.path.split("/src/").nth(1).unwrap();
    let parts: Vec<&str> = inner.trim_end_matches(".rs").split('/').collect();
    (parts[0].to_owned(), parts.len())
}

/// Without comments and unit tests.
fn code(source: &Source) -> String {
    let lines: Vec<&str> = source.code().map(|(_, line)| line).collect();
    let text = lines.join("\n");
    text.split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap()
        .to_owned()
}

/// What is named right below the root: `crate::this`, `crate::{this, that::those}`, and the same by
/// `super`.
fn names(code: &str, depth: usize) -> BTreeSet<String> {
    let root = "super::".repeat(depth);
    let mut found = BTreeSet::new();
    for start in ["crate::", &root] {
        for rest in code.split(start).skip(1) {
            match rest.strip_prefix('{') {
                Some(group) => found.extend(members(group)),
                None => found.extend(word(rest)),
            }
        }
    }
    found
}

/// The first names of the members of a group of imports, up to its end.
fn members(group: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut deep, mut begins) = (0, true);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => deep += 1,
            '}' if deep == 0 => break,
            '}' => deep -= 1,
            ',' if deep == 0 => begins = true,
            _ if letter.is_whitespace() => {}
            _ if begins && deep == 0 => {
                begins = false;
                found.extend(word(&group[at..]));
            }
            _ => {}
        }
    }
    found
}

/// The name at the beginning.
fn word(text: &str) -> Option<String> {
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}

/// Names that the root lifts out of modules (`pub use plan::Plan`), each with its module.
fn lifts(code: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for rest in code.split("pub use ").skip(1) {
        let Some((module, what)) = rest.split_once("::") else {
            continue;
        };
        let names = match what.strip_prefix('{') {
            Some(group) => members(group),
            None => word(what).into_iter().collect(),
        };
        found.extend(names.into_iter().map(|name| (name, module.to_owned())));
    }
    found
}
