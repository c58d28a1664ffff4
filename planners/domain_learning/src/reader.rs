//! Reads a text in pieces.

use crate::corpus::{Corpus, Forms, Sentence};
use crate::rules::too_long;
use crate::{ActionKind, FORMS_MAX, SENTENCE_NOUNS_MAX, SENTENCES_MAX, TEXT_BYTES_MAX, kinds};
use anytime::{Fault, Path, fault};
use lexicon::{Parts, Text};
use std::collections::BTreeMap;

const TEXT: &str = "text";
/// Code of a text that nothing can be learned from.
const UNUSABLE: &str = "TEXT_UNUSABLE";

/// Reads a text in pieces of any size; memory grows with its vocabulary and its sentences about
/// actions only.
///
/// # Examples
/// ```
/// use domain_learning::{Reader, kinds};
/// let mut reader = Reader::new(&kinds()).unwrap();
/// reader.push(b"The soldier went to the cas").unwrap();
/// reader.push(b"tle. Night fell.").unwrap();
/// let corpus = reader.finish().unwrap();
/// assert_eq!((corpus.sentences(), corpus.action_sentences()), (2, 1));
/// assert!(corpus.words().any(|word| word.text == "castle"));
/// ```
pub struct Reader {
    text: Text,
    kinds: Vec<ActionKind>,
    kept: Kept,
}

/// What is retained of the text.
#[derive(Default)]
struct Kept {
    verbs: BTreeMap<String, usize>,
    count: usize,
    forms: Forms,
    found: Vec<Sentence>,
}

impl Reader {
    /// A reader that looks for sentences about actions.
    ///
    /// # Errors
    /// Every mistake of the kinds, each with its place.
    pub fn new(kinds: &[ActionKind]) -> Result<Self, Vec<Fault>> {
        let mistakes = kinds::mistakes(kinds);
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let verbs = kinds.iter().enumerate();
        let verbs = verbs.flat_map(|(i, kind)| kind.verbs.iter().map(move |v| (v.clone(), i)));
        Ok(Self {
            text: Text::default(),
            kinds: kinds.to_vec(),
            kept: Kept {
                verbs: verbs.collect(),
                ..Kept::default()
            },
        })
    }

    /// Reads a piece. Its last paragraph waits for the next piece.
    ///
    /// # Errors
    /// Binary data, other encodings than UTF-8, and texts beyond the limits of
    /// [this crate](crate). Nothing is read after an error.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), Fault> {
        let bytes = self.text.bytes() + chunk.len() as u64;
        if let Some(fault) = too_long(TEXT, "text", bytes, TEXT_BYTES_MAX) {
            return Err(fault);
        }
        let kept = &mut self.kept;
        self.text
            .push(chunk, &mut |sentence| kept.sentence(&sentence))
    }

    /// What was read.
    ///
    /// # Errors
    /// Texts without words or without a sentence about an action.
    pub fn finish(self) -> Result<Corpus, Fault> {
        let mut kept = self.kept;
        self.text.finish(&mut |sentence| kept.sentence(&sentence))?;
        if kept.count == 0 {
            return Err(no_sentence(UNUSABLE));
        }
        let corpus = Corpus::new(kept.forms, kept.found, kept.count, self.kinds);
        if corpus.action_sentences() == 0 {
            let verbs: Vec<&str> = kept.verbs.keys().map(String::as_str).take(50).collect();
            return Err(fault!(
                UNUSABLE,
                Path::root(TEXT),
                "none of its {} sentences is about an action: {}",
                kept.count,
                verbs.join(", ")
            ));
        }
        Ok(corpus)
    }
}

impl Kept {
    fn sentence(&mut self, sentence: &[Parts]) -> Result<(), Fault> {
        self.count += 1;
        sentence.iter().try_for_each(|parts| self.parts(parts))
    }

    fn parts(&mut self, parts: &Parts) -> Result<(), Fault> {
        // The first of several actions: the thesis takes any.
        let kind = parts.verbs.iter().find_map(|verb| self.verbs.get(verb));
        let mut words: Vec<u32> = Vec::new();
        for noun in &parts.nouns {
            let Some(word) = self.forms.count(noun) else {
                return Err(fault!(
                    UNUSABLE,
                    Path::root(TEXT),
                    "more than {} different words",
                    FORMS_MAX
                ));
            };
            if !words.contains(&word) && words.len() < SENTENCE_NOUNS_MAX {
                words.push(word);
            }
        }
        if let Some(&kind) = kind.filter(|_| !words.is_empty()) {
            if self.found.len() >= SENTENCES_MAX {
                return Err(fault!(
                    UNUSABLE,
                    Path::root(TEXT),
                    "more than {} sentences about actions",
                    SENTENCES_MAX
                ));
            }
            self.found.push(Sentence { kind, words });
        }
        Ok(())
    }
}

/// A text without words.
pub(crate) fn no_sentence(code: &'static str) -> Fault {
    fault!(code, Path::root(TEXT), "there is no sentence in it")
}
