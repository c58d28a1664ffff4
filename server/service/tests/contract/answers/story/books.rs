//! Domains that are learned from books.

use super::*;
use crate::calls::mistakes;
use std::fs;
use std::path::PathBuf;
use stratagem_server::Config;

fn books() -> Value {
    let read = |name: &str| {
        let path = format!("{}/../../docs/stories/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    };
    json!({
        "books": {"text": read("manor.txt"), "relations": read("words.tsv")},
        "options": limited_to(100_000),
    })
}

#[tokio::test]
async fn a_domain_is_learned_corrected_and_has_a_story() {
    let caller = Caller::new(settings()).await;
    let asked = replaced(
        books(),
        "/edits",
        json!([
            {"rename": {"word": "doctor", "name": "Doctor Bray"}},
            {"word_class": {"word": "violin", "word_class": "STORY_WORD_CLASS_OTHER"}},
        ]),
    );
    let answer = check_answer(
        &caller,
        "LearnStoryDomain",
        asked,
        r#"
        report.status = "SOLVE_STATUS_FEASIBLE"
        report.explanation = null
        plan.domain.types[0].entities[*].id ~ "Doctor Bray"
    "#,
    )
    .await;
    let words = answer["plan"]["words"].as_array().unwrap();
    for word in words {
        let shares = word["probabilities"].as_array().unwrap().iter();
        let sum: f64 = shares.map(|it| it.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-6, "{word}");
    }
    for (text, class) in [
        ("doctor", "ACTOR"),
        ("knife", "ITEM"),
        ("library", "PLACE"),
        ("violin", "OTHER"),
    ] {
        let word = words.iter().find(|it| it["text"] == text).unwrap();
        assert_eq!(
            word["word_class"],
            format!("STORY_WORD_CLASS_{class}"),
            "{text}"
        );
    }
    let domain = &answer["plan"]["domain"];
    let story = caller.answer("GenerateStory", &request(domain)).await;
    assert!(story["plan"]["score"].as_f64().unwrap() > 0.0);
}

#[tokio::test]
async fn what_teaches_nothing_is_reported() {
    let caller = Caller::new(settings()).await;
    let calm = replaced(
        books(),
        "/books/text",
        json!("It was a dark and stormy night."),
    );
    check_answer(
        &caller,
        "LearnStoryDomain",
        calm,
        r#"
        report.status = "SOLVE_STATUS_INFEASIBLE"
        report.explanation.reasons[0].code = "TEXT_UNUSABLE"
        report.explanation.reasons[0].field = "books.text"
    "#,
    )
    .await;
    let unknown = json!([{"rename": {"word": "dragon", "name": "Smaug"}}]);
    let refused = "report.explanation.reasons[0].code = \"EDIT_REFUSED\"";
    check_answer(
        &caller,
        "LearnStoryDomain",
        replaced(books(), "/edits", unknown),
        refused,
    )
    .await;
    let good = replaced(
        replaced(books(), "/domain", json!({})),
        "/learning",
        json!({}),
    );
    check_mistakes(
        &caller,
        "LearnStoryDomain",
        &good,
        r#"
        books/text = "" => books.text REQUIRED
        books/text = "The \u0000king" => books.text CHARACTER_UNKNOWN
        edits = [{}] => edits[0] REQUIRED
        domain/max_actors = 61 => domain.max_actors OUT_OF_RANGE
        learning/damping = "NaN" => learning.damping NOT_FINITE
    "#,
    )
    .await;
}

/// A folder of books, the worked example's with a little WordNet, next to a file that is none;
/// gone at the end.
struct Shelf(PathBuf);

const NOUNS: &str = "00000001 03 n 01 entity 0 000 | all\n\
    00000002 03 n 01 location 0 001 @ 00000001 n 0000 | where\n\
    00000003 15 n 01 library 0 001 @ 00000002 n 0000 | of books\n\
    00000004 18 n 01 doctor 0 001 @ 00000001 n 0000 | heals\n\
    00000005 06 n 01 violin 0 001 @ 00000001 n 0000 | sounds\n";
const INDEX: &str = "doctor n 1 1 @ 1 1 00000004  \nlibrary n 1 1 @ 1 1 00000003  \n\
    location n 1 1 @ 1 1 00000002  \nviolin n 1 1 @ 1 1 00000005  \n";

impl Shelf {
    async fn new(name: &str) -> (Self, Caller) {
        let name = format!("stratagem-shelf-{}-{name}", std::process::id());
        let shelf = Self(std::env::temp_dir().join(name));
        fs::create_dir_all(shelf.0.join("books/wordnet")).unwrap();
        let books = books();
        let text = |name: &str| books["books"][name].as_str().unwrap().to_owned();
        shelf.write("books/manor.txt", &text("text"));
        shelf.write("books/words.tsv", &text("relations"));
        shelf.write("books/wordnet/data.noun", NOUNS);
        shelf.write("books/wordnet/index.noun", INDEX);
        shelf.write("secret.txt", "The king went home.");
        let folder = shelf.0.join("books");
        let config = Config {
            books: folder.to_str().unwrap().parse().unwrap(),
            ..settings()
        };
        (shelf, Caller::new(config).await)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        // What is left in a folder for such things does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn books_on_the_servers_disk_teach_what_sent_ones_teach() {
    let (_shelf, caller) = Shelf::new("taught").await;
    let lesson = async |books: Value| {
        let asked = json!({"books": books, "options": limited_to(100_000)});
        caller.answer("LearnStoryDomain", &asked).await["plan"].take()
    };
    let here = json!({"text_name": "manor.txt", "relations_name": "words.tsv"});
    assert_eq!(lesson(here).await, lesson(books()["books"].take()).await);
    // WordNet, named or sent, is a prior of its own.
    let sent = json!({"text_name": "manor.txt", "wordnet_data": NOUNS, "wordnet_index": INDEX});
    let sent = lesson(sent).await;
    let here = json!({"text_name": "manor.txt", "wordnet_name": "wordnet"});
    assert_eq!(lesson(here).await, sent);
    for (text, class) in [("doctor", 0), ("violin", 1), ("library", 2)] {
        let mut words = sent["words"].as_array().unwrap().iter();
        let word = words.find(|it| it["text"] == text).unwrap();
        assert!(word["priors"][class].as_f64().unwrap() > 0.7, "{word}");
    }
}

#[tokio::test]
async fn names_of_books_lead_nowhere_else() {
    let (shelf, caller) = Shelf::new("refused").await;
    std::os::unix::fs::symlink("../secret.txt", shelf.0.join("books/leak.txt")).unwrap();
    let good = json!({"books": {"text_name": "manor.txt"}, "options": limited_to(100_000)});
    let contradiction = r#"{"text_name": "../secret.txt", "relations_name": "words.tsv", "wordnet_name": "nowhere", "relations": "IsA\tking\tperson\n"}"#;
    let table = format!(
        r#"
        books/text_name = "../secret.txt" => books.text_name UNKNOWN
        books/text_name = "/etc/passwd" => books.text_name UNKNOWN
        books/text_name = "leak.txt" => books.text_name UNKNOWN
        books/text_name = "wordnet" => books.text_name UNKNOWN
        books/text_name = "nothing.txt" => books.text_name UNKNOWN
        books/text_name = "a\u0000b" => books.text_name UNKNOWN
        books = {contradiction} => books.relations_name CONTRADICTION
        books = {{"text_name": "../secret.txt", "relations_name": "nothing.tsv", "wordnet_name": "nowhere"}} => books.text_name UNKNOWN, books.relations_name UNKNOWN, books.wordnet_name UNKNOWN
        books = {{"text_name": "manor.txt", "wordnet_name": "wordnet", "wordnet_data": "a", "wordnet_index": "b"}} => books.wordnet_name CONTRADICTION
    "#
    );
    // Nothing is read that is refused anyway.
    check_mistakes(&caller, "LearnStoryDomain", &good, &table).await;
    let secret = replaced(good.clone(), "/books/text_name", json!("../secret.txt"));
    let status = caller.ask("LearnStoryDomain", &secret).await.unwrap_err();
    let outside = shelf.0.to_str().unwrap();
    assert!(!status.message().contains(outside), "{status:?}");
    // All in one answer.
    let mut wrong = replaced(
        good.clone(),
        "/books",
        serde_json::from_str(contradiction).unwrap(),
    );
    wrong["edits"] = json!([{}]);
    let status = caller.ask("LearnStoryDomain", &wrong).await.unwrap_err();
    let mut found = mistakes(&status);
    found.sort();
    assert_eq!(
        found,
        ["books.relations_name CONTRADICTION", "edits[0] REQUIRED"]
    );
    // A server without such a folder has no books.
    let other = Caller::new(settings()).await;
    let status = other.ask("LearnStoryDomain", &good).await.unwrap_err();
    assert_eq!(mistakes(&status), ["books.text_name UNKNOWN"]);
    // What is there, and is no text, is reported with its name.
    shelf.write("books/calm.txt", "It was calm.");
    shelf.write("books/words.txt", "no relation");
    let relations = json!({"text_name": "manor.txt", "relations_name": "words.txt"});
    for (books, code, field) in [
        (
            json!({"text_name": "calm.txt"}),
            "TEXT_UNUSABLE",
            "text_name",
        ),
        (relations, "RELATIONS_UNUSABLE", "relations_name"),
    ] {
        let table = format!(
            "report.explanation.reasons[0].code = \"{code}\"\n\
             report.explanation.reasons[0].field = \"books.{field}\""
        );
        let asked = replaced(good.clone(), "/books", books);
        check_answer(&caller, "LearnStoryDomain", asked, &table).await;
    }
}
