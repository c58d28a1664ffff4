//! Texts as words, numbers and signs.

use super::{RESERVED, SyntaxError, SyntaxReason, TEXT_BYTES_MAX};

/// A piece of text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A name.
    Name(String),
    /// A word of the language.
    Word(&'static str),
    /// A number, not below 0.
    Number(f64),
    /// A sign.
    Sign(&'static str),
    /// Nothing more.
    End,
}

impl Token {
    /// What a mistake calls it.
    pub(super) fn description(&self) -> String {
        match self {
            Self::Name(name) => format!("the name '{name}'"),
            Self::Word(word) | Self::Sign(word) => format!("'{word}'"),
            Self::Number(number) => format!("the number {number}"),
            Self::End => "nothing more".into(),
        }
    }
}

/// Signs, those first that begin with another.
const SIGNS: [&str; 23] = [
    "==", "!=", "<=", ">=", "+=", "-=", "..", "<", ">", "=", "+", "-", "*", "/", "(", ")", "[",
    "]", "{", "}", ".", ",", ":",
];

/// The tokens of a text with their places, characters from 1; the last is [`Token::End`].
///
/// # Errors
/// The first that is no token, texts that are too long.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, usize)>, SyntaxError> {
    let given = text.len();
    if given > TEXT_BYTES_MAX {
        let reason = SyntaxReason::TooLong { given };
        return Err(SyntaxError { at: 1, reason });
    }
    let (mut rest, mut at, mut found) = (text, 1, Vec::new());
    loop {
        let trimmed = rest.trim_start();
        at += rest[..rest.len() - trimmed.len()].chars().count();
        rest = trimmed;
        if rest.is_empty() {
            found.push((Token::End, at));
            return Ok(found);
        }
        let (token, length) = token(rest).map_err(|reason| SyntaxError { at, reason })?;
        found.push((token, at));
        at += rest[..length].chars().count();
        rest = &rest[length..];
    }
}

/// The first token, and its length in bytes.
fn token(text: &str) -> Result<(Token, usize), SyntaxReason> {
    let first = text.chars().next().unwrap_or(' ');
    if first == '\'' {
        return quoted(text);
    }
    if first.is_ascii_digit() {
        return number(text);
    }
    if is_first(first) {
        let end = text.find(|c| !is_later(c)).unwrap_or(text.len());
        let word = &text[..end];
        let reserved = RESERVED.iter().find(|reserved| **reserved == word);
        let token = reserved.map_or_else(|| Token::Name(word.into()), |word| Token::Word(word));
        return Ok((token, end));
    }
    let sign = SIGNS.iter().chain(&[";"]).find(|s| text.starts_with(**s));
    match sign {
        Some(sign) => Ok((Token::Sign(sign), sign.len())),
        None => Err(SyntaxReason::Character { found: first }),
    }
}

fn is_first(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn is_later(c: char) -> bool {
    is_first(c) || c.is_numeric()
}

/// Whether a name needs no quotes.
pub(super) fn is_plain(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(is_first) && letters.all(is_later) && !RESERVED.contains(&name)
}

/// A name in quotes; two quotes in it are one.
fn quoted(text: &str) -> Result<(Token, usize), SyntaxReason> {
    let (mut name, mut at) = (String::new(), 1);
    loop {
        let end = text[at..].find('\'').ok_or(SyntaxReason::Unclosed)?;
        name.push_str(&text[at..at + end]);
        at += end + 1;
        if !text[at..].starts_with('\'') {
            return Ok((Token::Name(name), at));
        }
        name.push('\'');
        at += 1;
    }
}

/// Digits, a fraction, an exponent. `0..2` is a number and a sign.
fn number(text: &str) -> Result<(Token, usize), SyntaxReason> {
    let digits = |from: usize| {
        let rest = &text[from..];
        let end = rest.find(|c: char| !c.is_ascii_digit());
        from + end.unwrap_or(rest.len())
    };
    let mut end = digits(0);
    if text[end..].starts_with('.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let signed = text[end + 1..].starts_with(['+', '-']);
        let from = end + 1 + usize::from(signed);
        if digits(from) > from {
            end = digits(from);
        }
    }
    // Digits of this form always make a number; one that is too large is infinite.
    let number: f64 = text[..end].parse().unwrap_or(f64::INFINITY);
    if number.is_finite() {
        Ok((Token::Number(number), end))
    } else {
        Err(SyntaxReason::Number)
    }
}
