//! What is no text: clear errors, bounded memory, no panics.

use anytime::{Fault, Unnamed};
use domain_learning::{ActionKind, Class, Corpus, Reader, TEXT_BYTES_MAX, kinds};
use proptest::prelude::*;

fn read(text: &[u8]) -> Result<Corpus, Fault> {
    let mut reader = Reader::new(&kinds()).expect("good kinds");
    reader.push(text)?;
    reader.finish()
}

/// Mistakes with their fields.
pub(crate) fn shown(mistakes: &[Fault]) -> Vec<String> {
    let shown = |fault: &Fault| format!("{}: {}", fault.field(), fault.text(&Unnamed));
    mistakes.iter().map(shown).collect()
}

#[test]
fn what_is_no_text_is_said_with_its_place() {
    let cases: [(&[u8], &str); 6] = [
        (b"", "text: there is no sentence in it"),
        (b" \n\n . 12 !\n", "text: there is no sentence in it"),
        (b"The king\0 went.", "text: byte 8 is a control character"),
        (b"\x7fELF", "text: byte 0 is a control character"),
        (
            b"A.\n\nCaf\xe9 noir. The king went.",
            "text: byte 7 is no UTF-8 text",
        ),
        (b"A caf\xc3", "text: byte 5 is no UTF-8 text"),
    ];
    for (text, message) in cases {
        assert_eq!(shown(&[read(text).unwrap_err()]), [message]);
    }
}

#[test]
fn a_text_in_which_nothing_happens_is_said() {
    let error = read(b"The sky is blue. Roses are red.").unwrap_err();
    assert_eq!(error.field(), "text");
    let message = error.to_string();
    assert!(message.contains("none of its 2 sentences"), "{message}");
    assert!(message.contains("arrest"), "{message}");
}

#[test]
fn a_gigabyte_is_refused_at_the_limit() {
    let mut reader = Reader::new(&kinds()).unwrap();
    let much = vec![b' '; 1 << 20];
    let pieces = (0..1024).take_while(|_| reader.push(&much).is_ok());
    assert_eq!(pieces.count() as u64, TEXT_BYTES_MAX >> 20);
}

#[test]
fn a_word_without_end_does_not_fill_memory() {
    let mut reader = Reader::new(&kinds()).unwrap();
    for _ in 0..20 {
        reader.push(&vec![b'a'; 1 << 14]).unwrap();
    }
    reader.push("é".repeat(1 << 14).as_bytes()).unwrap();
    reader.push(b" The king went to the castle.").unwrap();
    let corpus = reader.finish().unwrap();
    assert!(corpus.words().all(|word| word.text.len() <= 40));
}

#[test]
fn mistakes_of_kinds_are_told_together() {
    let kind = |name: &str, verbs: &[&str], templates: Vec<Vec<Class>>| ActionKind {
        name: name.into(),
        verbs: verbs.iter().map(|&verb| verb.into()).collect(),
        templates,
        schema: None,
    };
    let names: Vec<String> = (0..65).map(|index| format!("say{index}")).collect();
    let many: Vec<&str> = names.iter().map(String::as_str).collect();
    let wrong = [
        kind("see", &["see", "look"], vec![vec![Class::Actor]]),
        kind("see", &["look"], vec![vec![Class::Actor; 5], Vec::new()]),
        kind("", &[], Vec::new()),
        kind("say", &many, vec![vec![Class::Actor]]),
    ];
    let Err(mistakes) = Reader::new(&wrong) else {
        panic!("these are wrong");
    };
    let wanted = [
        "kinds[1].name: 'see' is given twice",
        "kinds[1].verbs[0]: 'look' is given twice",
        "kinds[1].templates[0]: a template has 1 to 4 classes, this one 5",
        "kinds[1].templates[1]: a template has 1 to 4 classes, this one 0",
        "kinds[2].name: 0 is out of range, 1 to 90",
        "kinds[2].verbs: there is no verbs",
        "kinds[2].templates: there is no templates",
        "kinds[3].verbs: 65 verbs given, at most 64 are supported",
    ];
    assert_eq!(shown(&mistakes), wanted);
    let none = Reader::new(&[]).err().expect("no kinds");
    let wanted = "kinds: 1 to 32 actions are looked for, 0 are given";
    assert_eq!(shown(&none), [wanted]);
}

#[test]
fn a_vocabulary_that_is_too_large_is_said() {
    let mut reader = Reader::new(&kinds()).unwrap();
    let word = |index: usize| {
        let letters = [17_576, 676, 26, 1].map(|place| b'a' + (index / place % 26) as u8);
        String::from_utf8_lossy(&letters).into_owned()
    };
    let words: Vec<String> = (0..456_976).map(word).collect();
    let error = words.chunks(20).find_map(|words| {
        let sentence = format!("The {}.\n\n", words.join(" and the "));
        reader.push(sentence.as_bytes()).err()
    });
    let wanted = "text: more than 100000 different words";
    assert_eq!(shown(&[error.expect("too many words")]), [wanted]);
}

proptest! {
    /// Whatever is sent, it is read or refused.
    #[test]
    fn nothing_that_is_sent_panics(text in "[a-zA-Z'’.?! \n\"é0-9_-]{0,200}", bytes: Vec<u8>) {
        let _ = read(text.as_bytes());
        let _ = read(&bytes);
    }
}
