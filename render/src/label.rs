//! Names in a given number of terminal columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns that a text takes on a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// The text without what would move the cursor: each control character becomes a `?`.
pub(crate) fn printable(text: &str) -> String {
    let safe = |c: char| if c.is_control() { '?' } else { c };
    text.chars().map(safe).collect()
}

/// The text in exactly `width` columns: cut with an ellipsis, or filled with blanks.
pub(crate) fn fit(text: &str, width: usize, ellipsis: &str) -> String {
    let mut text = printable(text);
    if columns(&text) > width {
        let room = width.saturating_sub(columns(ellipsis));
        let mut used = 0;
        let kept = text.chars().take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= room
        });
        text = kept.collect::<String>() + ellipsis;
    }
    let missing = width.saturating_sub(columns(&text));
    text + &" ".repeat(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_and_short_ones_filled() {
        assert_eq!(fit("Brunhilde", 6, "…"), "Brunh…");
        assert_eq!(fit("Ada", 5, "…"), "Ada  ");
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(columns("勇者"), 4);
        assert_eq!(fit("勇者の剣", 6, "…"), "勇者… ");
    }

    #[test]
    fn escape_codes_do_not_reach_the_terminal() {
        assert_eq!(fit("a\u{1b}[31m", 8, "…"), "a?[31m  ");
    }
}
