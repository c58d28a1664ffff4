//! Reads a text in pieces.

use super::corpus::{Corpus, Forms, Sentence};
use super::words::{Parts, parts, sentences};
use super::{
    ActionKind, LearnError, LearnReason, SENTENCE_NOUNS_MAX, SENTENCES_MAX, TEXT_BYTES_MAX, kinds,
};
use std::collections::BTreeMap;

/// A paragraph that is longer is cut where a line or a word ends.
const PARAGRAPH_BYTES_MAX: usize = 4 << 10;

/// Reads a text in pieces of any size; what is kept grows with its vocabulary and its sentences about actions only.
///
/// # Examples
/// ```
/// use story::learn::{Reader, kinds};
/// let mut reader = Reader::new(&kinds()).unwrap();
/// reader.push(b"The soldier went to the cas").unwrap();
/// reader.push(b"tle. He was tired.").unwrap();
/// let corpus = reader.finish().unwrap();
/// assert_eq!((corpus.sentences(), corpus.action_sentences()), (2, 1));
/// assert!(corpus.words().any(|word| word.text == "castle"));
/// ```
pub struct Reader {
    verbs: BTreeMap<String, usize>,
    kinds: Vec<ActionKind>,
    pending: Vec<u8>,
    bytes: u64,
    count: usize,
    forms: Forms,
    found: Vec<Sentence>,
}

impl Reader {
    /// A reader that looks for sentences about actions.
    ///
    /// # Errors
    /// Every mistake of the kinds, each with its place.
    pub fn new(kinds: &[ActionKind]) -> Result<Self, Vec<LearnError>> {
        let mistakes = kinds::mistakes(kinds);
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let verbs = kinds.iter().enumerate();
        let verbs = verbs.flat_map(|(i, kind)| kind.verbs.iter().map(move |v| (v.clone(), i)));
        Ok(Self {
            verbs: verbs.collect(),
            kinds: kinds.to_vec(),
            pending: Vec::new(),
            bytes: 0,
            count: 0,
            forms: Forms::default(),
            found: Vec::new(),
        })
    }

    /// Reads a piece. Its last paragraph waits for the next piece.
    ///
    /// # Errors
    /// Binary data, other encodings than UTF-8, and texts beyond the limits of [`learn`](crate::learn). Nothing is read after an error.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), LearnError> {
        let before = self.bytes;
        self.bytes += chunk.len() as u64;
        if self.bytes > TEXT_BYTES_MAX {
            return Err(wrong(LearnReason::TextBytes));
        }
        if let Some(at) = chunk.iter().position(|&byte| is_binary(byte)) {
            let at = before + at as u64;
            return Err(wrong(LearnReason::NotText { at }));
        }
        self.pending.extend_from_slice(chunk);
        let pending = std::mem::take(&mut self.pending);
        let mut rest = &pending[..];
        while let Some(end) = paragraph(rest) {
            let at = self.bytes - rest.len() as u64;
            self.paragraph(&rest[..end], at)?;
            rest = &rest[end..];
        }
        self.pending = rest.to_vec();
        Ok(())
    }

    /// What was read.
    ///
    /// # Errors
    /// Texts without words or without a sentence about an action.
    pub fn finish(mut self) -> Result<Corpus, LearnError> {
        let rest = std::mem::take(&mut self.pending);
        let at = self.bytes - rest.len() as u64;
        self.paragraph(&rest, at)?;
        if self.count == 0 {
            return Err(wrong(LearnReason::NoSentence));
        }
        let corpus = Corpus::new(self.forms, self.found, self.count, self.kinds);
        if corpus.action_sentences() == 0 {
            let verbs: Vec<&str> = self.verbs.keys().map(String::as_str).take(50).collect();
            return Err(wrong(LearnReason::NoAction {
                sentences: self.count,
                verbs: verbs.join(", "),
            }));
        }
        Ok(corpus)
    }

    /// Looks at a paragraph that begins at byte `at` of the text.
    fn paragraph(&mut self, bytes: &[u8], at: u64) -> Result<(), LearnError> {
        if bytes
            .iter()
            .all(|b| b.is_ascii() && !b.is_ascii_alphabetic())
        {
            return Ok(()); // No word is in it, and looking for sentences takes long.
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let at = at + error.valid_up_to() as u64;
            wrong(LearnReason::NotText { at })
        })?;
        let text = text.replace(['\n', '\r', '\t', '\x0c'], " ");
        for sentence in sentences(&text) {
            self.count += 1;
            for parts in parts(sentence) {
                self.sentence(&parts)?;
            }
        }
        Ok(())
    }

    fn sentence(&mut self, parts: &Parts) -> Result<(), LearnError> {
        // The first of several actions: the thesis takes any.
        let kind = parts.verbs.iter().find_map(|verb| self.verbs.get(verb));
        let mut words: Vec<u32> = Vec::new();
        for noun in &parts.nouns {
            let word = self.forms.count(noun).ok_or(LearnReason::Words);
            let word = word.map_err(wrong)?;
            if !words.contains(&word) && words.len() < SENTENCE_NOUNS_MAX {
                words.push(word);
            }
        }
        if let Some(&kind) = kind.filter(|_| !words.is_empty()) {
            if self.found.len() >= SENTENCES_MAX {
                return Err(wrong(LearnReason::Sentences));
            }
            self.found.push(Sentence { kind, words });
        }
        Ok(())
    }
}

fn wrong(reason: LearnReason) -> LearnError {
    LearnError::new("text", reason)
}

/// Whether no text has such a byte.
pub(super) fn is_binary(byte: u8) -> bool {
    (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c)) || byte == 0x7f
}

/// Where the first paragraph ends, if it does: at an empty line, or because it is too long.
fn paragraph(text: &[u8]) -> Option<usize> {
    let mut empty_since = None;
    for (i, &byte) in text.iter().enumerate().take(PARAGRAPH_BYTES_MAX) {
        match byte {
            b'\n' if empty_since.is_some() => return Some(i + 1),
            b'\n' => empty_since = Some(i),
            b' ' | b'\t' | b'\r' => {}
            _ => empty_since = None,
        }
    }
    if text.len() <= PARAGRAPH_BYTES_MAX {
        return None;
    }
    let head = &text[..PARAGRAPH_BYTES_MAX];
    let last = |is: fn(&u8) -> bool| head.iter().rposition(is).map(|at| at + 1);
    let end = last(|b| *b == b'\n').or_else(|| last(u8::is_ascii_whitespace));
    // Not within a character: bytes that go on with one look like 10xxxxxx.
    Some(end.unwrap_or_else(|| {
        let start = head.iter().rposition(|b| b & 0xc0 != 0x80);
        start.filter(|&at| at > 0).unwrap_or(head.len())
    }))
}
