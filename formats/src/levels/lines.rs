//! What a line of a file of levels is.

use super::SIDE_MAX;

/// Whether a character is one of the XSB notation.
pub(super) fn is_tile(character: char) -> bool {
    matches!(
        character,
        '#' | ' ' | '-' | '_' | '.' | '$' | '*' | '@' | '+'
    )
}

/// Whether a line is a row of a board, or several in RLE: it has a wall, and only tiles and RLE.
pub(super) fn is_row(line: &str) -> bool {
    let is_part = |c: char| is_tile(c) || c.is_ascii_digit() || c == '|';
    line.contains('#') && line.trim_end().chars().all(is_part)
}

/// Whether a line is meant to be a row, though there is something in it that is none of the
/// notation: it looks like one from both ends.
pub(super) fn is_bad_row(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('#') && line.ends_with('#') && line.len() > 2
}

/// Whether a line after a row is also a row: only tiles, with a piece, a goal or a floor mark.
pub(super) fn is_open_row(line: &str) -> bool {
    let line = line.trim_end();
    line.contains(['.', '$', '*', '@', '+', '-', '_']) && line.chars().all(is_tile)
}

/// The key and value of a line, as in `Author: Ada`.
pub(super) fn entry(line: &str) -> Option<(Key, &str)> {
    let (name, value) = match line.split_once(':') {
        Some((name, value)) => (name, value.trim()),
        None => (line, ""),
    };
    let name = name.trim().to_ascii_lowercase();
    let has_colon = line.contains(':');
    let key = match name.as_str() {
        "title" if has_colon => Key::Title,
        "author" if has_colon => Key::Author,
        "set" | "collection" if has_colon => Key::Collection,
        "comment" if has_colon => Key::Comment,
        "comment-end" | "comment_end" => Key::CommentEnd,
        _ if name == "solution"
            || name.starts_with("solution ")
            || name.starts_with("solution/") =>
        {
            Key::Solution
        }
        "date" | "copyright" | "email" | "website" | "url" | "homepage" | "difficulty" | "id"
            if has_colon =>
        {
            Key::Other
        }
        _ => return None,
    };
    Some((key, value))
}

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Title,
    Author,
    Collection,
    Comment,
    CommentEnd,
    Solution,
    Other,
}

pub(super) fn unknown(character: char) -> String {
    format!(
        "`{}` is none of # (wall), blank, - and _ (floor), . (goal), $ (box), * (box on a goal), @ (player), + (player on a goal)",
        character.escape_default()
    )
}

pub(super) fn too_wide() -> String {
    format!("more than {SIDE_MAX} columns")
}

pub(super) fn too_high() -> String {
    format!("more than {SIDE_MAX} rows")
}
