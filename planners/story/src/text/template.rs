//! Templates, taken apart.

use mcts::Rng;
use rand::RngExt;

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Text as it is.
    Text(&'t str),
    /// The parameter of this name.
    Hole(&'t str),
}

/// The parts of a template, with one of the words in each pair of brackets.
pub(super) fn pieces<'t>(template: &'t str, rng: &mut Rng) -> Vec<Piece<'t>> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '[']) {
        let (text, after) = rest.split_at(at);
        let (close, is_hole) = if after.starts_with('{') {
            (after.find('}'), true)
        } else {
            (closing(after), false)
        };
        let Some(close) = close else {
            // A bracket that never closes is text.
            push(&mut pieces, &rest[..=at]);
            rest = &after[1..];
            continue;
        };
        push(&mut pieces, text);
        let inner = &after[1..close];
        rest = &after[close + 1..];
        if is_hole {
            pieces.push(Piece::Hole(inner));
            continue;
        }
        let words = alternatives(inner);
        if words.len() > 1 {
            // Words may have parameters, but no words to choose from.
            pieces.extend(holes(words[rng.random_range(0..words.len())]));
        } else {
            push(&mut pieces, &after[..1]);
            pieces.extend(holes(inner));
            push(&mut pieces, &after[close..=close]);
        }
    }
    push(&mut pieces, rest);
    pieces
}

fn push<'t>(pieces: &mut Vec<Piece<'t>>, text: &'t str) {
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
}

/// Text with parameters only.
fn holes(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, behind)) = after.split_once('}') else {
            break;
        };
        push(&mut pieces, before);
        pieces.push(Piece::Hole(name));
        rest = behind;
    }
    push(&mut pieces, rest);
    pieces
}

/// Where the bracket closes with which a text begins; not within braces.
fn closing(text: &str) -> Option<usize> {
    outside(text)
        .find(|(_, letter)| *letter == ']')
        .map(|p| p.0)
}

/// What bars separate; not within braces.
fn alternatives(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut from = 0;
    for (at, _) in outside(text).filter(|(_, letter)| *letter == '|') {
        all.push(&text[from..at]);
        from = at + 1;
    }
    all.push(&text[from..]);
    all
}

/// Letters outside of braces.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut inside = false;
    text.char_indices().filter(move |(_, letter)| {
        match letter {
            '{' => inside = true,
            '}' => inside = false,
            _ => {}
        }
        !inside
    })
}
