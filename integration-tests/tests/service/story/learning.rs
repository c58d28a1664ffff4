//! Domains that are learned from books.

use super::{ask, mistakes_of};
use crate::command_line::run_at;
use std::fs;
use std::path::PathBuf;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::budget;
use stratagem_integration_tests::tales::story_request;
use stratagem_proto::v1::{
    LearnStoryDomainRequest, LearnStoryDomainResponse, SolveStatus, StoryBooks, StoryClassEdit,
    StoryEdit, StoryRenameEdit, StoryWordClass, story_edit,
};
use tonic::{Code, Status};

/// A file of the worked example.
pub(super) fn path(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/stories");
    root.join(name).to_str().unwrap().to_owned()
}

pub(super) fn books() -> LearnStoryDomainRequest {
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

pub(super) async fn learn(
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

fn edit(kind: story_edit::Kind) -> StoryEdit {
    StoryEdit { kind: Some(kind) }
}

#[tokio::test]
async fn a_domain_is_learned_corrected_and_told_in() {
    let server = Server::start(&[]).await;
    let mut request = books();
    request.edits = vec![
        edit(story_edit::Kind::Rename(StoryRenameEdit {
            word: "doctor".into(),
            name: "Doctor Bray".into(),
        })),
        edit(story_edit::Kind::WordClass(StoryClassEdit {
            word: "violin".into(),
            word_class: StoryWordClass::Other.into(),
        })),
    ];
    let all = learn(&server, request.clone()).await.unwrap();
    let (last, before) = all.split_last().unwrap();
    assert!(before.iter().all(|step| step.report.is_none()));
    let report = last.report.as_ref().unwrap();
    assert_eq!(report.status(), SolveStatus::Feasible);
    assert!(report.explanation.is_none());
    let lesson = last.plan.as_ref().unwrap();
    assert!(lesson.round > 0 && lesson.action_sentence_count > 20);
    for word in &lesson.words {
        let sum: f64 = word.probabilities.iter().sum();
        assert!((sum - 1.0).abs() < 1e-6, "{word:?}");
    }
    let class = |text: &str| {
        lesson
            .words
            .iter()
            .find(|w| w.text == text)
            .unwrap()
            .word_class()
    };
    assert_eq!(class("doctor"), StoryWordClass::Actor);
    assert_eq!(class("knife"), StoryWordClass::Item);
    assert_eq!(class("library"), StoryWordClass::Place);
    assert_eq!(
        class("violin"),
        StoryWordClass::Other,
        "as it was corrected"
    );
    let domain = lesson.domain.clone().unwrap();
    let ids: Vec<&str> = domain.types[0]
        .entities
        .iter()
        .map(|e| e.id.as_str())
        .collect();
    assert!(ids.contains(&"Doctor Bray"), "{ids:?}");
    let answer = ask(&server, story_request(domain, budget(60_000))).await;
    assert!(answer.plan.unwrap().score > 0.0);
    // The same books teach the same.
    let again = learn(&server, request).await.unwrap();
    assert_eq!(again.last().unwrap().plan, last.plan);
}

#[tokio::test]
async fn what_nothing_can_be_learned_from_is_told() {
    let server = Server::start(&[]).await;
    let text = |text: &str| {
        let mut request = books();
        request.books.as_mut().unwrap().text = text.into();
        request
    };
    let all = learn(&server, text("It was a dark and stormy night."))
        .await
        .unwrap();
    let report = all.last().unwrap().report.clone().unwrap();
    assert_eq!(report.status(), SolveStatus::Infeasible);
    let reasons = report.explanation.unwrap().reasons;
    assert_eq!(
        (&*reasons[0].code, &*reasons[0].field),
        ("TEXT_UNUSABLE", "books.text")
    );
    let mut unknown = books();
    unknown.edits = vec![edit(story_edit::Kind::Rename(StoryRenameEdit {
        word: "dragon".into(),
        name: "Smaug".into(),
    }))];
    let all = learn(&server, unknown).await.unwrap();
    let report = all.last().unwrap().report.clone().unwrap();
    assert_eq!(report.explanation.unwrap().reasons[0].code, "EDIT_REFUSED");
    let mut wrong = books();
    wrong.edits = vec![StoryEdit::default()];
    wrong.domain.get_or_insert_default().max_actors = Some(61);
    wrong.learning.get_or_insert_default().damping = Some(f64::NAN);
    for (request, wanted) in [
        (LearnStoryDomainRequest::default(), &["books REQUIRED"][..]),
        (text(""), &["books.text REQUIRED"]),
        (text("The \x00king"), &["books.text CHARACTER_UNKNOWN"]),
        (
            wrong,
            &[
                "edits[0] REQUIRED",
                "domain.max_actors OUT_OF_RANGE",
                "learning.damping NOT_FINITE",
            ],
        ),
    ] {
        let status = learn(&server, request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(mistakes_of(&status)[..wanted.len()], *wanted);
    }
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
