//! Writing levels.

use super::rle::compress;
use super::{Level, Set};
use std::fmt::Write as _;

/// Letters in a line of a solution.
const LETTERS: usize = 80;

/// Which of the formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Boards with their titles.
    Xsb,
    /// Boards with titles, authors, comments and solutions.
    Sok,
    /// As XSB, each board in one line of runs.
    Rle,
}

/// Writes levels; XSB and RLE have no place for authors, comments and solutions.
#[must_use]
pub fn write(set: &Set, style: Style) -> String {
    let mut out = String::new();
    if style == Style::Sok {
        for (key, value) in [("Collection", &set.title), ("Author", &set.author)] {
            if !value.is_empty() {
                let _ = writeln!(out, "{key}: {}", line(value));
            }
        }
    } else if !set.title.is_empty() {
        let _ = writeln!(out, "Collection: {}", line(&set.title));
    }
    for (index, level) in set.levels.iter().enumerate() {
        if !out.is_empty() {
            out.push('\n');
        }
        let title = match level.title.as_str() {
            "" => (index + 1).to_string(),
            title => line(title),
        };
        let _ = writeln!(out, "; {title}");
        board(&mut out, level, style);
        if style == Style::Sok {
            about(&mut out, level);
        }
    }
    out
}

fn board(out: &mut String, level: &Level, style: Style) {
    // The end of a row says nothing; a row of nothing has to be something.
    let rows: Vec<&str> = level.rows.iter().map(|row| row.trim_end()).collect();
    if style == Style::Rle {
        let rows: Vec<String> = rows
            .iter()
            .map(|row| compress(&row.replace([' ', '_'], "-")))
            .collect();
        let _ = writeln!(out, "{}", rows.join("|"));
        return;
    }
    for row in rows {
        let _ = writeln!(out, "{}", if row.is_empty() { "-" } else { row });
    }
}

fn about(out: &mut String, level: &Level) {
    if !level.author.is_empty() {
        let _ = writeln!(out, "Author: {}", line(&level.author));
    }
    if !level.comment.is_empty() {
        out.push_str("Comment:\n");
        for text in level.comment.lines() {
            // Nothing in a comment ends it.
            let text = line(text);
            let ends = text.to_ascii_lowercase().starts_with("comment");
            let _ = writeln!(out, "{}{text}", if ends { "> " } else { "" });
        }
        out.push_str("Comment-End:\n");
    }
    if !level.solution.is_empty() {
        out.push_str("Solution:\n");
        let letters: Vec<char> = level.solution.chars().collect();
        for part in letters.chunks(LETTERS) {
            let _ = writeln!(out, "{}", part.iter().collect::<String>());
        }
    }
}

/// A text in one line, without what moves a cursor.
fn line(text: &str) -> String {
    let safe = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(safe).collect::<String>().trim().to_owned()
}
