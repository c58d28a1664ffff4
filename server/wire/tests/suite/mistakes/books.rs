//! Books to learn a domain from: one mistake a line, and what cannot be learned from.

use crate::mistakes::{encode_as, lines, replaced};
use serde_json::{Value, json};
use wire::decode::books;

const TALE: &str = "The king took the sword to the castle. The thief stole the crown from the king. \
    The king went to the forest and killed the thief with the sword. The king arrested the thief in the castle.";

/// A request of which only something has to be replaced to be wrong.
fn good() -> Value {
    let known =
        "IsA\tking\tperson\nIsA\tthief\tperson\nUsedFor\tsword\tfight\nAtLocation\tking\tcastle\n";
    let data = "00000001 03 n 01 location 0 000 | where\n00000002 18 n 01 king 0 001 @ 00000001 n 0000 | rules\n";
    let index = "king n 1 1 @ 1 1 00000002  \nlocation n 1 0 1 1 00000001  \n";
    json!({
        "books": {
            "text": TALE,
            "relations": known,
            "wordnetData": data,
            "wordnetIndex": index,
        },
        "learning": {"maxRounds": 2, "smoothing": 0.5, "damping": 0.5, "tolerance": 0.01},
        "edits": [{"remove": {"word": "crown"}}],
        "domain": {"maxActors": 3, "pseudoCount": 2, "placeSeed": 7, "maxActs": 9},
        "options": {"timeBudget": "1s", "strategy": "auto"},
    })
}

fn mistakes(request: &Value) -> Vec<String> {
    lines(books(&encode_as(
        "stratagem.v1.LearnStoryDomainRequest",
        request,
    )))
}

/// Whether there is a domain in the end.
fn teaches(request: &Value) -> bool {
    let bytes = encode_as("stratagem.v1.LearnStoryDomainRequest", request);
    books(&bytes).expect("it makes sense").is_some()
}

#[test]
fn a_request_is_read_and_learned_from() {
    assert!(teaches(&good()));
    let bytes = encode_as("stratagem.v1.LearnStoryDomainRequest", &good());
    let lesson = books(&bytes).expect("it makes sense").expect("a lesson");
    let word = |text: &str| lesson.words.iter().find(|word| word.text == text);
    let king = word("king").expect("a word");
    assert!(king.prior[0] > 0.8, "{king:?}");
    assert!(word("crown").is_none(), "it was removed");
}

#[test]
fn each_mistake_of_books_and_learning_has_its_field() {
    let long = json!("a".repeat((4 << 20) + 1));
    for (at, value, wanted) in [
        ("/books", Value::Null, "books REQUIRED"),
        ("/books/text", Value::Null, "books.text REQUIRED"),
        (
            "/books/text",
            json!("a\u{0}b"),
            "books.text CHARACTER_UNKNOWN",
        ),
        ("/books/text", long.clone(), "books.text TOO_LONG"),
        ("/books/relations", long.clone(), "books.relations TOO_LONG"),
        (
            "/books/wordnetData",
            long.clone(),
            "books.wordnet_data TOO_LONG",
        ),
        ("/books/wordnetIndex", long, "books.wordnet_index TOO_LONG"),
        (
            "/books/textName",
            json!("manor.txt"),
            "books.text_name CONTRADICTION",
        ),
        (
            "/learning/maxRounds",
            json!(101),
            "learning.max_rounds OUT_OF_RANGE",
        ),
        (
            "/learning/maxRounds",
            json!(-1),
            "learning.max_rounds OUT_OF_RANGE",
        ),
        (
            "/learning/smoothing",
            json!(101),
            "learning.smoothing OUT_OF_RANGE",
        ),
        (
            "/learning/damping",
            json!(-0.1),
            "learning.damping OUT_OF_RANGE",
        ),
        (
            "/learning/tolerance",
            json!("NaN"),
            "learning.tolerance NOT_FINITE",
        ),
    ] {
        assert_eq!(mistakes(&replaced(good(), at, value)), [wanted], "{at}");
    }
}

#[test]
fn each_mistake_of_edits_domain_and_options_has_its_field() {
    for (at, value, wanted) in [
        ("/edits/0", json!({}), "edits[0] REQUIRED"),
        (
            "/domain/maxActors",
            json!(61),
            "domain.max_actors OUT_OF_RANGE",
        ),
        (
            "/domain/maxItems",
            json!(-1),
            "domain.max_items OUT_OF_RANGE",
        ),
        (
            "/domain/maxPlaces",
            json!(99),
            "domain.max_places OUT_OF_RANGE",
        ),
        (
            "/domain/pseudoCount",
            json!(-1),
            "domain.pseudo_count OUT_OF_RANGE",
        ),
        ("/domain/maxActs", json!(51), "domain.max_acts OUT_OF_RANGE"),
        (
            "/options/strategy",
            json!("magic"),
            "options.strategy UNKNOWN",
        ),
        (
            "/options/target",
            json!({"levels": [1]}),
            "options.target.levels TOO_MANY",
        ),
    ] {
        assert_eq!(mistakes(&replaced(good(), at, value)), [wanted], "{at}");
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let mut request = good();
    for (at, value) in [
        ("/learning/damping", json!(2)),
        ("/domain/maxPlaces", json!(61)),
        ("/edits/0", json!({})),
    ] {
        request = replaced(request, at, value);
    }
    let mut found = mistakes(&request);
    found.sort();
    let wanted = [
        "domain.max_places OUT_OF_RANGE",
        "edits[0] REQUIRED",
        "learning.damping OUT_OF_RANGE",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn what_nothing_can_be_learned_from_is_no_mistake_and_no_lesson() {
    for (at, value) in [
        ("/books/text", json!("It was calm.")),
        ("/books/relations", json!("no relation")),
        ("/books/relations", json!("IsA\tzebra\tanimal\n")),
        ("/books/wordnetData", json!("no noun at all\n")),
        ("/books/wordnetIndex", Value::Null),
        ("/edits/0", json!({"remove": {"word": "zebra"}})),
    ] {
        assert!(!teaches(&replaced(good(), at, value)), "{at}");
    }
}
