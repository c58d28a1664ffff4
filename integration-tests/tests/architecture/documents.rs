//! Documents say what is there.

use crate::sources::{files, root, sources_in};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use stratagem_integration_tests::Server;
use stratagem_proto::v1::{GetServerInfoRequest, StrategyInfo};

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
    let source = sources_in("server/src");
    let source = source.iter().find(|s| s.path == "server/src/metrics.rs");
    let code = source.expect("the server counts").text.split('"');
    let names: BTreeSet<&str> = code.filter(|word| is_metric(word)).collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(
            document.contains(&format!("`{name}`")),
            "docs/operations.md lacks {name}"
        );
    }
}

/// Whoever has set one for the client starts a server with it, too: `stratagem dev` does.
#[test]
fn the_server_leaves_variables_of_the_client_alone() {
    let server = sources_in("server/src");
    let layers = server
        .iter()
        .find(|s| s.path == "server/src/config/layers.rs");
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_of_the_readme_runs_as_it_is() {
    let server = Server::start(&[]).await;
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let begin = readme.find("```python\n").expect("a program") + "```python\n".len();
    let program = readme[begin..].split("```").next().unwrap();
    assert!(program.contains("127.0.0.1:50051"));
    let program = program.replace("127.0.0.1:50051", &server.address.to_string());
    let python = std::env::var_os("STRATAGEM_PYTHON").map(PathBuf::from);
    let python = python.unwrap_or(root().join(".tools/venv/bin/python"));
    let run = move || Command::new(python).args(["-c", &program]).output();
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let output = output.expect("./test installs a Python, STRATAGEM_PYTHON names one");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(stdout.contains("scout ['open the gate']"), "{stdout}");
}

#[tokio::test]
async fn the_readme_lists_every_strategy_and_whether_it_proves() {
    let server = Server::start(&[]).await;
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let mut about = server.about().await;
    let info = about.get_server_info(GetServerInfoRequest {}).await;
    for method in info.unwrap().into_inner().methods {
        assert!(!method.strategies.is_empty(), "{}", method.name);
        // Methods with strategies of their own have a table of their own; the first is for all others.
        let short = method.name.rsplit('/').next().unwrap_or_default();
        let own = format!("Of `{}`", short.trim_start_matches("Stream"));
        let tables = &readme[readme.find(&own).unwrap_or(0)..];
        for StrategyInfo { name, proves, .. } in method.strategies {
            let row = tables
                .lines()
                .chain(readme.lines())
                .find(|l| l.starts_with(&format!("| `{name}` |")));
            let end = if proves { "| yes |" } else { "| no |" };
            assert!(row.is_some_and(|row| row.ends_with(end)), "{name} {end}");
        }
    }
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

/// A value as the table writes it: texts as code, large numbers of bytes in KiB or MiB, others with commas.
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
