//! The pages for designers: who gets them, and what they may do.

use serde_json::json;
use std::collections::BTreeSet;
use std::net::TcpStream;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::command_line::{run, start};
use stratagem_integration_tests::pki::Folder;
use stratagem_integration_tests::plain::{post, request};

#[tokio::test]
async fn there_are_no_pages_unless_somebody_asks_for_them() {
    let server = Server::start(&[]).await;
    let reply = request(server.address, "GET", "/playground/", &[], b"").await;
    assert_ne!(reply.status, 200, "{reply:?}");
}

#[tokio::test]
async fn the_contract_for_callers_in_json_is_there_for_everybody() {
    let folder = Folder::new();
    let text = "[[token]]\ntenant = \"arena\"\ntoken = \"a-token-that-is-long-enough\"\n";
    let tokens = folder.write("tokens.toml", text);
    let server = Server::start(&["--tokens", &tokens]).await;
    let get = |headers| request(server.address, "GET", "/openapi.json", headers, b"");
    let first = get(&[]).await;
    assert_eq!(first.status, 200);
    assert_eq!(first.header("content-type"), Some("application/json"));
    assert_eq!(first.json()["openapi"], "3.1.0");
    let known = [("if-none-match", first.header("etag").unwrap())];
    assert_eq!(get(&known).await.status, 304);
    let written = post(server.address, "/openapi.json", &[], "{}").await;
    assert_eq!(written.status, 405);
    let server = Server::start(&["--web", "off"]).await;
    let reply = request(server.address, "GET", "/openapi.json", &[], b"").await;
    assert_ne!(reply.status, 200);
}

#[tokio::test]
async fn pages_may_fetch_from_their_server_only_and_run_nothing_else() {
    let server = Server::start(&["--playground", "on"]).await;
    let reply = request(server.address, "GET", "/playground", &[], b"").await;
    assert_eq!(
        (reply.status, reply.header("location")),
        (308, Some("/playground/"))
    );
    for path in [
        "",
        "main.js",
        "style.css",
        "reference.html",
        "contract.json",
        "missing.js",
        "main.js/missing.js",
    ] {
        let path = format!("/playground/{path}");
        let reply = request(server.address, "GET", &path, &[], b"").await;
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; "));
        assert!(
            !policy.contains("unsafe") && !policy.contains('*'),
            "{policy}"
        );
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(reply.status == 404, path.ends_with("missing.js"), "{path}");
    }
    // Calls go their way.
    let info = "/stratagem.v1.ServerService/GetServerInfo";
    assert_eq!(post(server.address, info, &[], "{}").await.status, 200);
}

#[tokio::test]
async fn pages_that_are_known_are_not_sent_again() {
    let server = Server::start(&["--playground", "on"]).await;
    let get = |headers: Vec<(&'static str, String)>| async move {
        let headers: Vec<_> = headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        request(server.address, "GET", "/playground/main.js", &headers, b"").await
    };
    let first = get(vec![]).await;
    let tag = first.header("etag").unwrap().to_owned();
    assert!(!first.body.is_empty());
    assert_eq!(
        first.header("content-type"),
        Some("text/javascript; charset=utf-8")
    );
    let again = get(vec![("if-none-match", tag.clone())]).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(again.header("etag"), Some(&*tag));
    let other = get(vec![("if-none-match", "\"other\"".into())]).await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn pages_are_read_and_not_written() {
    let server = Server::start(&["--playground", "on"]).await;
    let head = request(server.address, "HEAD", "/playground/", &[], b"").await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    let put = request(server.address, "PUT", "/playground/", &[], b"x").await;
    assert_eq!((put.status, put.header("allow")), (405, Some("GET, HEAD")));
    for path in [
        "/playground/../Cargo.toml",
        "/playground/%2e%2e/x",
        "/playground//etc/passwd",
    ] {
        let reply = request(server.address, "GET", path, &[], b"").await;
        assert_ne!(reply.status, 200, "{path}: {reply:?}");
    }
}

/// Modules that are read by the names of planners: each stands before its mark in the list.
fn panels(planners: &str) -> Vec<String> {
    let marked = planners.split("    panel: true").map(|before| {
        let mut lines = before.lines().rev();
        lines.find_map(|line| line.strip_prefix("  ")?.strip_suffix(": {"))
    });
    let names: Vec<_> = marked.flatten().collect();
    // Nothing is marked after the last mark.
    let names = &names[..names.len() - 1];
    assert!(names.len() > 4, "{names:?}");
    names
        .iter()
        .map(|name| format!("panels/{name}.js"))
        .collect()
}

/// As the pages guarantee: everything that a browser loads, compressed, is small.
#[tokio::test]
async fn what_the_page_imports_is_served_and_the_form_knows_every_message() {
    let server = Server::start(&["--playground", "on"]).await;
    let mut wanted = vec!["index.html".to_owned()];
    let mut seen = BTreeSet::new();
    while let Some(name) = wanted.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let path = format!("/playground/{name}");
        let reply = request(server.address, "GET", &path, &[], b"").await;
        assert_eq!(reply.status, 200, "{name}");
        let text = String::from_utf8(reply.body).unwrap();
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let now = text.split("from \"").skip(1);
        // Modules that are read when they are needed first.
        let later = text.split("import(\"").skip(1);
        for import in now.chain(later).filter(|_| name.ends_with(".js")) {
            let target = import.split('"').next().unwrap();
            wanted.push(resolved(folder, target));
        }
        if name == "planners.js" {
            wanted.extend(panels(&text));
        }
        for link in text
            .split("src=\"")
            .skip(1)
            .filter(|_| name.ends_with(".html"))
        {
            wanted.push(link.split('"').next().unwrap().to_owned());
        }
    }
    assert!(seen.len() > 30, "{seen:?}");
    let contract = request(server.address, "GET", "/playground/contract.json", &[], b"").await;
    let contract = contract.json();
    let problem = &contract["messages"]["AllocationProblem"]["fields"];
    let tasks = problem
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["name"] == "tasks");
    let tasks = tasks.unwrap();
    assert_eq!(
        (&tasks["message"], &tasks["many"]),
        (&json!("AllocationTask"), &json!(true))
    );
    assert!(!tasks["doc"].as_str().unwrap().is_empty());
}

/// A module's path as another one in `folder` names it.
fn resolved(folder: &str, target: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn designers_get_a_server_of_their_own_that_ends_with_the_program() {
    let run = start(&["dev", "--no-open"]).interrupted_after_first_line();
    let run = run.with_code(0);
    let address = run.stdout.trim().strip_prefix("http://");
    let address = address.and_then(|it| it.strip_suffix("/playground/"));
    let address = address.unwrap_or_else(|| panic!("{run:?}"));
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    assert!(TcpStream::connect(address).is_err(), "it is still there");
}

#[test]
fn without_a_server_to_start_it_says_so() {
    let run = run(&["dev", "--no-open", "--server", "/nowhere/at-all"]).with_code(2);
    assert!(run.stderr.contains("/nowhere/at-all"), "{run:?}");
}
