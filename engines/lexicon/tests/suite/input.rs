//! What is no text, no relation, no WordNet: clear errors, no panics.

use lexicon::{Fault, Relation, Relations, Vocabulary, WordNet};
use proptest::prelude::*;

fn words() -> Vocabulary {
    ["castle", "king", "sword"]
        .map(str::to_owned)
        .into_iter()
        .collect()
}

fn ignore(_: Relation<'_>) {}

fn relations(text: &[u8]) -> Result<lexicon::Counts, Fault> {
    let mut relations = Relations::new(words());
    relations.push(text, &mut ignore)?;
    relations.finish(&mut ignore)
}

#[test]
fn nouns_of_a_text_are_its_vocabulary_with_their_lemmas() {
    let text = "Mr. Oak took the knives. They thought of everything. The women went to Velden.";
    let words = Vocabulary::of_text(text.as_bytes()).unwrap();
    let words: Vec<&str> = words.words().collect();
    assert_eq!(
        words,
        ["knife", "knives", "oak", "velden", "woman", "women"]
    );
    let error = Vocabulary::of_text(b"A caf\xe9.").unwrap_err();
    assert_eq!(error.to_string(), "text byte 5 is no UTF-8 text");
    let error = Vocabulary::of_text(b"A cave\x01.").unwrap_err();
    assert_eq!(error.to_string(), "text byte 6 is a control character");
}

#[test]
fn lines_that_are_no_relations_are_reported() {
    let long = vec![b'x'; 1 << 20];
    let none =
        |lines: u64| format!("none of its {lines} relations says what a word of the text is");
    let no_relation = "is no relation: expected are relation, head and tail between tabs, or an \
        assertion of ConceptNet";
    for (text, wanted) in [
        (
            &b"IsA\tking\tperson\nking is a person\n"[..],
            format!("line 2 {no_relation}"),
        ),
        (b"\n\nIsA\t\tperson\n", format!("line 3 {no_relation}")),
        (b"IsA\tdog\tanimal\n", none(1)),
        (b"RelatedTo\tking\tqueen", none(1)),
        (b"", none(0)),
        (
            b"IsA\tking\tx\nIsA\t\xff\tx\n",
            "byte 15 is no UTF-8 text".into(),
        ),
        (&long, "line 1 has more than 65536 bytes".into()),
    ] {
        let error = relations(text).unwrap_err();
        assert_eq!(error.to_string(), format!("relations {wanted}"));
    }
}

#[test]
fn half_of_wordnet_is_not_enough() {
    let error = |data: &str, index: &str| {
        let mut wordnet = WordNet::new(words());
        let read = wordnet.data(data.as_bytes());
        let read = read.and_then(|()| wordnet.index(index.as_bytes()));
        let read = read.and_then(|()| wordnet.finish());
        read.map(|_| ()).unwrap_err().to_string()
    };
    let (data, index) = (
        "00000001 03 n 01 location 0 000 | where\n",
        "location n 1 0 1 0 00000001\n",
    );
    for (data, index, wanted) in [
        (
            "",
            index,
            "wordnet_index nothing can be concluded from it: data.noun is missing",
        ),
        (
            data,
            "",
            "wordnet_index nothing can be concluded from it: index.noun is missing",
        ),
        (
            data,
            "king n 1 0 1 0 00000001\n",
            "wordnet_index nothing can be concluded from it: the noun 'location' is missing",
        ),
        (
            "no noun at all\n",
            index,
            "wordnet_data line 1 is not as in WordNet's data.noun",
        ),
        (
            data,
            "location n 1 0 1 0 00000001\nzebra n 3 1 @ 3 1 00000001\n",
            "wordnet_index line 2 is not as in WordNet's index.noun",
        ),
    ] {
        assert_eq!(error(data, index), wanted);
    }
}

proptest! {
    /// Whatever is read, it is counted or refused.
    #[test]
    fn nothing_that_is_read_panics(bytes: Vec<u8>, lines in "[@~n0-9a-f \t\n/]{0,100}") {
        let _ = Vocabulary::of_text(&bytes);
        let _ = relations(&bytes);
        let _ = relations(lines.as_bytes());
        let mut wordnet = WordNet::new(words());
        let _ = wordnet.index(format!("king {lines}").as_bytes());
        let _ = wordnet.data(lines.as_bytes());
        let _ = wordnet.finish().map(|nouns| (nouns.counts(), nouns.files()));
    }
}
