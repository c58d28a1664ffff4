//! Documents say what is there.

use crate::sources::{files, root, sources_in};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use stratagem_integration_tests::Server;
use stratagem_proto::v1::GetServerInfoRequest;

/// Help and labels are in the code, and compared with the page by a test of the server.
#[test]
fn every_metric_is_documented_with_its_labels() {
    let page = fs::read_to_string(root().join("docs/reference/metrics.md")).unwrap();
    let mut names = BTreeSet::new();
    for source in sources_in("server") {
        let macros = ["counter!(", "gauge!(", "histogram!("];
        for (at, found) in macros.iter().flat_map(|it| source.text.match_indices(it)) {
            let arguments = in_brackets(&source.text[at + found.len()..]);
            let mut texts = arguments.split('"').skip(1).step_by(2);
            let Some(name) = texts.next().filter(|name| is_metric(name)) else {
                continue;
            };
            let labels = texts.map(|label| format!("`{label}`"));
            let labels = labels.collect::<Vec<_>>().join(", ");
            let mut rows = page.lines().map(|row| row.split(" | ").collect::<Vec<_>>());
            let row = rows.find(|row| row[0] == format!("| `{name}`"));
            let row = row.unwrap_or_else(|| panic!("docs/reference/metrics.md lacks {name}"));
            assert_eq!(row[2], labels, "{name}");
            names.insert(name.to_owned());
        }
    }
    assert!(names.len() > 30, "{names:?}");
}

/// A text up to where the bracket that was opened before it is closed.
fn in_brackets(text: &str) -> &str {
    let mut open = 1;
    let end = text.find(|letter| {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        open == 0
    });
    &text[..end.unwrap_or(text.len())]
}

/// A user that has set one for the client starts a server with it, too: `stratagem dev` does.
#[test]
fn the_server_leaves_variables_of_the_client_alone() {
    let server = sources_in("server/service/src");
    let layers = server
        .iter()
        .find(|s| s.path == "server/service/src/config/layers.rs");
    let layers = &layers.expect("it reads variables").text;
    let known = layers
        .split("const NOT_OURS")
        .nth(1)
        .expect("some are not its own");
    let known = known.split("];").next().unwrap_or_default();
    let client = sources_in("client-cli/src");
    let all = client.iter().flat_map(|s| s.text.split("env = \"").skip(1));
    let names: BTreeSet<&str> = all.filter_map(|after| after.split('"').next()).collect();
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        assert!(known.contains(&format!("\"{name}\"")), "{name}");
    }
}

#[tokio::test]
async fn every_strategy_of_every_method_is_documented_with_whether_it_proves() {
    let server = Server::start(&[]).await;
    let page = fs::read_to_string(root().join("docs/reference/strategies.md")).unwrap();
    let mut about = server.about().await;
    let info = about.get_server_info(GetServerInfoRequest {}).await;
    let mut compared = 0;
    for method in info.unwrap().into_inner().methods {
        let short = method.name.rsplit('/').next().unwrap_or_default();
        let short = format!("`{}`", short.trim_start_matches("Stream"));
        let mut sections = page.split("\n### Strategies of ").skip(1);
        let section = sections.find(|s| s.lines().next().is_some_and(|l| l.contains(&short)));
        let section =
            section.unwrap_or_else(|| panic!("docs/reference/strategies.md lacks {short}"));
        let section = section.split("\n#").next().unwrap_or_default();
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        let mut documented: Vec<_> = rows.map(row).collect();
        // A server without the solver lists less than there is.
        let listed = method.strategies.into_iter().map(|s| (s.name, s.proves));
        let mut listed: Vec<_> = listed.collect();
        if !listed.iter().any(|(name, _)| name == "milp") {
            documented
                .retain(|(name, _)| !["milp", "lp", "lp-normalised"].contains(&name.as_str()));
        }
        documented.sort();
        listed.sort();
        assert_eq!(documented, listed, "{short}");
        compared += listed.len();
    }
    assert!(compared > 20, "only {compared} strategies are listed");
}

/// Name and proof of a row like "| `auto` | everything | yes |".
fn row(line: &str) -> (String, bool) {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    (cells[1].trim_matches('`').to_owned(), cells[3] == "yes")
}

/// Pages that are generated from the program or compared with it.
const REFERENCE: [&str; 5] = [
    "cli.md",
    "errors.md",
    "metrics.md",
    "settings.md",
    "strategies.md",
];
/// Lines of all other pages of docs/.
const LINES_MAX: usize = 3_000;

#[test]
fn documents_are_short() {
    let pages = files(&root().join("docs")).into_iter();
    let written = pages.filter(|page| {
        let name = page.strip_prefix(root().join("docs/reference"));
        has_ending(page, &["md"])
            && !name.is_ok_and(|name| REFERENCE.iter().any(|it| name == Path::new(it)))
    });
    let lines = written.map(|page| fs::read_to_string(page).unwrap().lines().count());
    let lines: usize = lines.sum();
    assert!(
        (LINES_MAX / 2..=LINES_MAX).contains(&lines),
        "{lines} lines"
    );
}

#[test]
fn links_of_documents_lead_somewhere() {
    let mut links = 0;
    for document in files(&root())
        .iter()
        .filter(|path| has_ending(path, &["md"]))
    {
        let text = fs::read_to_string(document).unwrap();
        let targets = text.split("](").skip(1);
        for link in targets.filter_map(|rest| rest.split([')', ' ']).next()) {
            if !link.contains("://") {
                links += 1;
                let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = match path {
                    "" => document.clone(),
                    path => document.parent().unwrap().join(path),
                };
                assert!(
                    leads_somewhere(&target, anchor),
                    "{} -> {link}",
                    document.display()
                );
            }
        }
    }
    assert!(links > 10, "only {links} links found");
}

/// Names with four underscores are those of tests, and paths with an ending are those of sources.
#[test]
fn tests_that_explanations_name_are_there() {
    let mut named = 0;
    let sources = files(&root().join("server")).into_iter();
    let sources = sources.chain(files(&root().join("integration-tests")));
    let sources = sources.filter(|path| has_ending(path, &["py", "rs"]));
    let sources: String = sources
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    for page in ["reliability", "security"] {
        let text = fs::read_to_string(root().join(format!("docs/explanation/{page}.md"))).unwrap();
        for code in text.split('`').skip(1).step_by(2) {
            let is_file = has_ending(Path::new(code), &["py", "rs"]) && !code.contains(' ');
            let is_path = is_file && code.contains('/');
            let is_test = code.matches('_').count() >= 4 && !code.contains(['=', '-', '/', ' ']);
            let known = |word: &str| sources.contains(&format!("{word} {code}("));
            assert!(!is_path || root().join(code).exists(), "{page}: {code}");
            assert!(!is_test || known("fn") || known("def"), "{page}: {code}");
            named += usize::from(is_path || is_test);
        }
    }
    assert!(named > 20, "only {named} tests are named");
}

/// Help, comments, alerts and files of settings name documents by their paths.
#[test]
fn documents_that_other_files_name_are_there() {
    let endings = [
        "conf", "json", "md", "proto", "py", "rs", "sh", "toml", "yaml", "yml",
    ];
    let mut named = 0;
    for file in files(&root())
        .iter()
        .filter(|path| has_ending(path, &endings))
    {
        let text = fs::read_to_string(file).unwrap();
        for (at, _) in text.match_indices("docs/") {
            let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || "/.".contains(c));
            let rest = &text[at..];
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"-_./#".contains(c));
            let path = rest[..length.unwrap_or(rest.len())].trim_end_matches('.');
            let (path, anchor) = path.split_once('#').unwrap_or((path, ""));
            if is_whole && path.ends_with(".md") {
                named += 1;
                let there = leads_somewhere(&root().join(path), anchor);
                assert!(there, "{} names {path}#{anchor}", file.display());
            }
        }
    }
    assert!(named > 50, "only {named} documents are named");
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| endings.contains(&ending))
}

/// Whether there is a file, with a heading of this anchor unless it is empty.
fn leads_somewhere(target: &Path, anchor: &str) -> bool {
    let is_known = || {
        let text = fs::read_to_string(target).unwrap_or_default();
        anchors(&text).iter().any(|known| known == anchor)
    };
    target.exists() && (anchor.is_empty() || is_known())
}

/// Anchors of a document: those that stand in it, and those that forges make of headings.
fn anchors(text: &str) -> Vec<String> {
    let written = text.split("<a id=\"").skip(1);
    let written = written.filter_map(|rest| rest.split('"').next());
    let mut anchors: Vec<String> = written.map(str::to_owned).collect();
    // Code is at odd places.
    let prose = text.split("```").step_by(2).flat_map(str::lines);
    for heading in prose.filter(|line| line.starts_with('#')) {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.replace(' ', "-");
        let kept = kept
            .chars()
            .filter(|c| c.is_alphanumeric() || "-_".contains(*c));
        anchors.push(kept.collect());
    }
    anchors
}

#[test]
fn anchors_are_those_of_headings_outside_of_code() {
    let page =
        "# A server's life\n```sh\n# no heading\n```\n## `web_hosts`, and TLS\n<a id=\"X_1\">\n";
    let expected = ["X_1", "a-servers-life", "web_hosts-and-tls"];
    assert_eq!(anchors(page), expected);
}

fn is_metric(word: &str) -> bool {
    let lower = |c: char| c.is_ascii_lowercase() || c == '_';
    word.starts_with("stratagem_") && word.chars().all(lower)
}
