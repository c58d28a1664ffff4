//! Documents say what is there.

use crate::sources::{Source, files, root, sources_in};
use std::collections::BTreeSet;
use std::fs;
use stratagem_integration_tests::Server;
use stratagem_proto::v1::GetServerInfoRequest;

#[test]
fn every_setting_of_the_server_is_documented_with_its_default() {
    let document = operations();
    let output = Server::command().arg("--print-config").output().unwrap();
    let settings = String::from_utf8(output.stdout).unwrap();
    assert!(settings.lines().count() > 10, "{settings}");
    for setting in settings.lines() {
        let (key, value) = setting.split_once(" = ").expect("TOML, one key a line");
        let begin = format!("| `{key}` | {} |", shown(value));
        assert!(
            document.contains(&begin),
            "docs/operations.md lacks {begin}"
        );
    }
}

#[test]
fn every_metric_is_documented() {
    let document = operations();
    let source = sources_in("server");
    let source = source.iter();
    let of_metrics = ["server/service/src/metrics", "server/runtime/src/meters"];
    let is_one = |s: &&Source| of_metrics.iter().any(|at| s.path.starts_with(at));
    let source = source.filter(is_one);
    let code = source.flat_map(|s| s.text.split('"'));
    let names: BTreeSet<&str> = code.filter(|word| is_metric(word)).collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(
            document.contains(&format!("`{name}`")),
            "docs/operations.md lacks {name}"
        );
    }
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

#[test]
fn links_of_documents_lead_somewhere() {
    let documents = files(&root()).into_iter();
    let documents = documents.filter(|path| path.extension().is_some_and(|e| e == "md"));
    let mut links = 0;
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split([')', '#']).next())
        {
            if !link.is_empty() && !link.contains("://") {
                links += 1;
                let target = document.parent().unwrap().join(link);
                assert!(target.exists(), "{} -> {link}", document.display());
            }
        }
    }
    assert!(links > 10, "only {links} links found");
}

fn operations() -> String {
    fs::read_to_string(root().join("docs/operations.md")).unwrap()
}

/// A value as the table writes it: texts as code, large numbers of bytes in KiB or MiB, others with
/// commas.
fn shown(value: &str) -> String {
    let Ok(number) = value.parse::<u64>() else {
        return format!("`{}`", value.trim_matches('"'));
    };
    match number {
        n if n >= 1 << 20 && n % (1 << 20) == 0 => format!("{} MiB", n >> 20),
        n if n >= 1 << 10 && n % (1 << 10) == 0 => format!("{} KiB", n >> 10),
        n if n >= 1_000 => format!("{},{:03}", n / 1_000, n % 1_000),
        n => n.to_string(),
    }
}

fn is_metric(word: &str) -> bool {
    let lower = |c: char| c.is_ascii_lowercase() || c == '_';
    word.starts_with("stratagem_") && word.chars().all(lower)
}
