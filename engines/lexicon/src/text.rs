//! A text in pieces, as sentences.

use crate::words::{Parts, parts, sentences};
use anytime::{Fault, Path, fault};

/// A paragraph that is longer is cut where a line or a word ends.
const PARAGRAPH_BYTES_MAX: usize = 4 << 10;

/// Reads a text in pieces of any size; buffers one paragraph at most.
///
/// # Examples
/// ```
/// use lexicon::{Parts, Text};
/// let mut nouns = Vec::new();
/// let mut look = |sentence: Vec<Parts>| {
///     nouns.push(sentence.iter().map(|parts| parts.nouns.len()).sum::<usize>());
///     Ok(())
/// };
/// let mut text = Text::default();
/// text.push(b"The soldier went to the cas", &mut look).unwrap();
/// text.push(b"tle. They were tired.", &mut look).unwrap();
/// text.finish(&mut look).unwrap();
/// assert_eq!(nouns, [2, 0]);
/// ```
#[derive(Debug, Default)]
pub struct Text {
    pending: Vec<u8>,
    bytes: u64,
}

impl Text {
    /// Bytes so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads a piece. Its last paragraph waits for the next piece. `look` gets each sentence; a
    /// very long one is divided.
    ///
    /// # Errors
    /// Control characters, other encodings than UTF-8, and what `look` returns. Nothing is read
    /// after an error.
    pub fn push(
        &mut self,
        chunk: &[u8],
        look: &mut impl FnMut(Vec<Parts>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let before = self.bytes;
        self.bytes += chunk.len() as u64;
        if let Some(fault) = control_character(chunk, before) {
            return Err(fault);
        }
        self.pending.extend_from_slice(chunk);
        let pending = std::mem::take(&mut self.pending);
        let mut rest = &pending[..];
        while let Some(end) = paragraph(rest) {
            let at = self.bytes - rest.len() as u64;
            read(&rest[..end], at, look)?;
            rest = &rest[end..];
        }
        self.pending = rest.to_vec();
        Ok(())
    }

    /// Reads the last paragraph.
    ///
    /// # Errors
    /// As [`Text::push`].
    pub fn finish(
        self,
        look: &mut impl FnMut(Vec<Parts>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let at = self.bytes - self.pending.len() as u64;
        read(&self.pending, at, look)
    }
}

/// Looks at a paragraph that begins at byte `at` of the text.
fn read(
    bytes: &[u8],
    at: u64,
    look: &mut impl FnMut(Vec<Parts>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if bytes
        .iter()
        .all(|b| b.is_ascii() && !b.is_ascii_alphabetic())
    {
        return Ok(()); // No word is in it, and looking for sentences takes long.
    }
    let text = std::str::from_utf8(bytes);
    let text = text.map_err(|error| not_text("text", at + error.valid_up_to() as u64))?;
    let text = text.replace(['\n', '\r', '\t', '\x0c'], " ");
    sentences(&text)
        .into_iter()
        .try_for_each(|sentence| look(parts(sentence)))
}

/// Binary data, or text in another encoding.
pub(crate) fn not_text(file: &'static str, at: u64) -> Fault {
    fault!(
        "CHARACTER_UNKNOWN",
        Path::root(file),
        "byte {} is no UTF-8 text",
        at
    )
}

/// The first character of a piece that no text has, `before` bytes into the text: control
/// characters other than tab, line feed, form feed and carriage return.
#[must_use]
pub fn control_character(chunk: &[u8], before: u64) -> Option<Fault> {
    let is_control = |byte: &u8| match byte {
        b'\t' | b'\n' | b'\r' | 0x0c => false,
        byte => byte.is_ascii_control(),
    };
    let at = before + chunk.iter().position(is_control)? as u64;
    let text = Path::root("text");
    Some(fault!(
        "CHARACTER_UNKNOWN",
        text,
        "byte {} is a control character",
        at
    ))
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
