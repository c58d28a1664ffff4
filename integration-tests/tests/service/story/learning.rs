//! Domains that are learned from books.

use crate::command_line::run_at;
use std::fs;
use std::path::PathBuf;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::pki::Folder;
use stratagem_integration_tests::problems::budget;
use stratagem_proto::v1::{LearnStoryDomainRequest, LearnStoryDomainResponse, StoryBooks};
use tonic::Status;

/// A file of the worked example.
fn path(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/stories");
    root.join(name).to_str().unwrap().to_owned()
}

fn books() -> LearnStoryDomainRequest {
    let read = |name: &str| fs::read_to_string(path(name)).unwrap();
    LearnStoryDomainRequest {
        books: Some(StoryBooks {
            text: read("manor.txt"),
            relations: read("words.tsv"),
            ..StoryBooks::default()
        }),
        options: Some(budget(60_000)),
        ..LearnStoryDomainRequest::default()
    }
}

async fn learn(
    server: &Server,
    request: LearnStoryDomainRequest,
) -> Result<Vec<LearnStoryDomainResponse>, Status> {
    let mut client = server.story().await;
    let mut stream = client.learn_story_domain(request).await?.into_inner();
    let mut all = Vec::new();
    while let Some(step) = wait_for("a round", stream.message()).await? {
        all.push(step);
    }
    Ok(all)
}

#[tokio::test]
async fn the_worked_example_is_learned_and_told_on_the_command_line() {
    let server = Server::start(&[]).await;
    let (book, words, edits) = (path("manor.txt"), path("words.tsv"), path("edits.yaml"));
    let learn = [
        "story",
        "learn",
        &book,
        "--relations",
        &words,
        "--edits",
        &edits,
    ];
    let text = run_at(&server, &learn).with_code(0).stdout;
    assert!(
        text.contains("actors: ") && text.contains("Inspector Marsh"),
        "{text}"
    );
    let domain = run_at(&server, &[&learn[..], &["--out", "-"]].concat()).with_code(0);
    assert_eq!(domain.json()["goals"][0]["name"], "a death");
    for (relations, text, code, wanted) in [
        ("nowhere.tsv", &*book, 2, "nowhere.tsv"),
        (&words, "server:manor.txt", 2, "server:NAME"),
        (&edits, &book, 5, "edits.yaml: line 1 is no relation"),
    ] {
        let wrong = ["story", "learn", text, "--relations", relations];
        let said = run_at(&server, &wrong).with_code(code).stderr;
        assert!(said.contains(wanted), "{said}");
    }
}

#[tokio::test]
async fn books_of_the_server_are_named_on_the_command_line() {
    let folder = Folder::new();
    for name in ["manor.txt", "words.tsv"] {
        fs::copy(path(name), folder.path(name)).unwrap();
    }
    let books = folder.path("");
    let server = Server::start(&["--books", &books]).await;
    let line = ["story", "learn", "server:manor.txt"];
    let line = [&line[..], &["--relations", "server:words.tsv"]].concat();
    let shown = run_at(&server, &line).with_code(0).stdout;
    let has_all = shown.contains("actors: ") && shown.contains("doctor");
    assert!(has_all, "{shown}");
}

#[tokio::test]
async fn the_command_line_sends_the_part_of_relations_that_concerns_the_text() {
    let server = Server::start(&[]).await;
    let whole = learn(&server, books()).await.unwrap();
    let whole = whole.last().unwrap().plan.clone().unwrap();
    let folder = std::env::temp_dir().join(format!("stratagem-filter-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut relations = fs::read_to_string(path("words.tsv")).unwrap();
    relations += &"/a/x\t/r/IsA\t/c/en/zebra\t/c/en/animal\t{}\n".repeat(100_000);
    let file = folder.join("words.tsv");
    fs::write(&file, relations).unwrap();
    let packed = std::process::Command::new("gzip").arg(&file).status();
    assert!(packed.unwrap().success());
    let (book, file) = (path("manor.txt"), folder.join("words.tsv.gz"));
    let line = [
        "story",
        "learn",
        &book,
        "--relations",
        file.to_str().unwrap(),
    ];
    let written = run_at(&server, &[&line[..], &["--request", "-"]].concat()).with_code(0);
    assert!(
        written
            .stderr
            .contains(" bytes are about words of the text"),
        "{}",
        written.stderr
    );
    let sent = written.json()["books"].clone();
    let text = |name: &str| sent[name].as_str().unwrap().to_owned();
    assert!(text("relations").len() < 2_000 && !text("relations").contains("zebra"));
    let request = LearnStoryDomainRequest {
        books: Some(StoryBooks {
            text: text("text"),
            relations: text("relations"),
            ..StoryBooks::default()
        }),
        ..books()
    };
    let some = learn(&server, request).await.unwrap();
    assert_eq!(some.last().unwrap().plan, Some(whole));
    run_at(&server, &line).with_code(0);
    fs::remove_dir_all(folder).unwrap();
}
