//! Books that the operator has put into a folder of the server's.

use super::learning::{books, learn, path};
use super::mistakes_of;
use crate::command_line::run_at;
use std::fs;
use std::path::{Path, PathBuf};
use stratagem_integration_tests::Server;
use stratagem_proto::v1::{
    LearnStoryDomainRequest, LearnStoryDomainResponse, StoryBooks, StoryEdit,
};
use tonic::Code;

/// A folder that goes away with the test.
struct Shelf(PathBuf);

impl Shelf {
    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        // What is left in a folder for such things does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A server whose folder of books is the worked example's, with a little WordNet.
async fn library(name: &str) -> (Server, Shelf) {
    let name = format!("stratagem-library-{}-{name}", std::process::id());
    let folder = Shelf(std::env::temp_dir().join(name));
    let below = folder.path().join("books/wordnet");
    fs::create_dir_all(&below).unwrap();
    for name in ["manor.txt", "words.tsv"] {
        fs::copy(path(name), folder.path().join("books").join(name)).unwrap();
    }
    fs::write(folder.path().join("secret.txt"), "The king went home.").unwrap();
    let data = "00000001 03 n 01 entity 0 000 | all\n\
                00000002 03 n 01 location 0 001 @ 00000001 n 0000 | where\n\
                00000003 15 n 01 library 0 001 @ 00000002 n 0000 | of books\n\
                00000004 18 n 01 doctor 0 001 @ 00000001 n 0000 | heals\n\
                00000005 06 n 01 violin 0 001 @ 00000001 n 0000 | sounds\n";
    let index = "doctor n 1 1 @ 1 1 00000004  \nlibrary n 1 1 @ 1 1 00000003  \n\
                 location n 1 1 @ 1 1 00000002  \nviolin n 1 1 @ 1 1 00000005  \n";
    fs::write(below.join("data.noun"), data).unwrap();
    fs::write(below.join("index.noun"), index).unwrap();
    let books = folder.path().join("books");
    let server = Server::start(&["--books", books.to_str().unwrap()]).await;
    (server, folder)
}

/// Books that the server has.
fn named(text: &str, relations: &str, wordnet: &str) -> LearnStoryDomainRequest {
    LearnStoryDomainRequest {
        books: Some(StoryBooks {
            text_name: text.into(),
            relations_name: relations.into(),
            wordnet_name: wordnet.into(),
            ..StoryBooks::default()
        }),
        ..LearnStoryDomainRequest::default()
    }
}

#[tokio::test]
async fn books_on_the_servers_disk_teach_what_sent_ones_teach() {
    let (server, folder) = library("taught").await;
    let sent = learn(&server, books()).await.unwrap();
    let here = learn(&server, named("manor.txt", "words.tsv", "")).await;
    let lesson = |all: &[LearnStoryDomainResponse]| all.last().unwrap().plan.clone().unwrap();
    assert_eq!(lesson(&here.unwrap()), lesson(&sent));
    // WordNet, named or sent, is a prior of its own.
    let read =
        |name: &str| fs::read_to_string(folder.path().join("books/wordnet").join(name)).unwrap();
    let mut request = named("manor.txt", "", "");
    let given = request.books.as_mut().unwrap();
    given.wordnet_data = read("data.noun");
    given.wordnet_index = read("index.noun");
    let sent = lesson(&learn(&server, request).await.unwrap());
    let here = learn(&server, named("manor.txt", "", "wordnet")).await;
    assert_eq!(lesson(&here.unwrap()), sent);
    let prior = |text: &str| {
        let word = sent.words.iter().find(|w| w.text == text).unwrap();
        word.priors.clone()
    };
    let (doctor, violin, library) = (prior("doctor"), prior("violin"), prior("library"));
    assert!(doctor[0] > 0.7 && violin[1] > 0.7 && library[2] > 0.7);
    let line = [
        "story",
        "learn",
        "server:manor.txt",
        "--wordnet",
        "server:wordnet",
    ];
    let shown = run_at(&server, &line).with_code(0).stdout;
    assert!(
        shown.contains("actors: ") && shown.contains("doctor"),
        "{shown}"
    );
}

#[tokio::test]
async fn names_of_books_lead_nowhere_else() {
    let (server, folder) = library("refused").await;
    let link = folder.path().join("books/leak.txt");
    std::os::unix::fs::symlink("../secret.txt", link).unwrap();
    for name in [
        "../secret.txt",
        "/etc/passwd",
        "leak.txt",
        "wordnet",
        "nothing.txt",
        "a\u{0}b",
    ] {
        let status = learn(&server, named(name, "", "")).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{name}");
        assert_eq!(mistakes_of(&status), ["books.text_name UNKNOWN"], "{name}");
        let outside = folder.path().to_str().unwrap();
        assert!(!status.message().contains(outside), "{status:?}");
    }
    // All at once.
    let mut wrong = named("../secret.txt", "words.tsv", "nowhere");
    let given = wrong.books.as_mut().unwrap();
    given.relations = "IsA\tking\tperson\n".into();
    wrong.edits = vec![StoryEdit::default()];
    let status = learn(&server, wrong).await.unwrap_err();
    let mut found = mistakes_of(&status);
    found.sort();
    let wanted = ["books.relations_name CONTRADICTION", "edits[0] REQUIRED"];
    assert_eq!(found, wanted, "nothing is read that is refused anyway");
    // What is named is read if nothing else is wrong, and each name is reported once.
    let wrong = named("../secret.txt", "nothing.tsv", "nowhere");
    let status = learn(&server, wrong).await.unwrap_err();
    let wanted = [
        "books.text_name UNKNOWN",
        "books.relations_name UNKNOWN",
        "books.wordnet_name UNKNOWN",
    ];
    assert_eq!(mistakes_of(&status), wanted);
    let mut wrong = named("manor.txt", "", "wordnet");
    let given = wrong.books.as_mut().unwrap();
    (given.wordnet_data, given.wordnet_index) = ("a".into(), "b".into());
    let status = learn(&server, wrong).await.unwrap_err();
    assert_eq!(mistakes_of(&status), ["books.wordnet_name CONTRADICTION"]);
    // A server without such a folder has no books.
    let other = Server::start(&[]).await;
    let status = learn(&other, named("manor.txt", "", "")).await.unwrap_err();
    assert_eq!(mistakes_of(&status), ["books.text_name UNKNOWN"]);
    // What is there, and is no text, is said with its name.
    fs::write(folder.path().join("books/calm.txt"), "It was calm.").unwrap();
    let all = learn(&server, named("calm.txt", "", "")).await.unwrap();
    let report = all.last().unwrap().report.clone().unwrap();
    let reason = &report.explanation.unwrap().reasons[0];
    assert_eq!(
        (&*reason.code, &*reason.field),
        ("TEXT_UNUSABLE", "books.text_name")
    );
    fs::write(folder.path().join("books/words.txt"), "no relation").unwrap();
    let all = learn(&server, named("manor.txt", "words.txt", "")).await;
    let report = all.unwrap().last().unwrap().report.clone().unwrap();
    let reason = &report.explanation.unwrap().reasons[0];
    assert_eq!(
        (&*reason.code, &*reason.field),
        ("RELATIONS_UNUSABLE", "books.relations_name")
    );
}
