//! Columns of text.

use super::{Display, Style};
use console::{measure_text_width, truncate_str};

/// Rows of cells under headings, as wide as they need to be.
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

/// A column: its heading, and whether its cells are numbers.
#[derive(Debug, Clone)]
pub struct Column {
    heading: String,
    right: bool,
}

/// A column of texts.
#[must_use]
pub fn text(heading: impl Into<String>) -> Column {
    Column {
        heading: heading.into(),
        right: false,
    }
}

/// A column of numbers: aligned at the right.
#[must_use]
pub fn figures(heading: impl Into<String>) -> Column {
    Column {
        heading: heading.into(),
        right: true,
    }
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(columns: Vec<Column>) -> Self {
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    /// Adds a row; control characters become `?`.
    pub fn push(&mut self, cells: &[String]) {
        self.rows.push(cells.iter().map(|c| printable(c)).collect());
    }

    /// The table as text, its headings in their style.
    #[must_use]
    pub fn text(&self, display: &Display) -> String {
        let mut lines = self.lines(display.terminal_width).into_iter();
        let heading = lines.next().map(|l| display.styled(Style::Heading, &l));
        let lines: Vec<_> = heading.into_iter().chain(lines).collect();
        lines.join("\n") + "\n"
    }

    /// The lines of the table, headings first, the last column cut at `width` if there is one.
    #[must_use]
    pub fn lines(&self, width: Option<usize>) -> Vec<String> {
        let headings = self.columns.iter().map(|c| c.heading.clone()).collect();
        let rows = || std::iter::once(&headings).chain(&self.rows);
        let columns = self.columns.iter().enumerate();
        let widths: Vec<_> = columns
            .clone()
            .map(|(i, _)| {
                rows()
                    .filter_map(|r| Some(measure_text_width(r.get(i)?)))
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let line = |row: &Vec<String>| {
            let cells = columns.clone().map(|(i, column)| {
                let cell = row.get(i).map_or("", String::as_str);
                let blanks = " ".repeat(widths[i].saturating_sub(measure_text_width(cell)));
                if column.right {
                    blanks + cell
                } else {
                    cell.to_owned() + &blanks
                }
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            let line = line.trim_end();
            width.map_or(line.to_owned(), |w| truncate_str(line, w, "…").into_owned())
        };
        rows().map(line).collect()
    }
}

/// Names and values under each other, the values aligned and broken between words at `width`.
#[must_use]
pub fn pairs(pairs: &[(&str, String)], width: Option<usize>) -> String {
    let widest = pairs.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let room = width.map_or(usize::MAX, |w| w.saturating_sub(widest + 2).max(20));
    let mut out = String::new();
    for (name, value) in pairs {
        let mut name = *name;
        for line in broken(value, room) {
            out += &format!("{name:widest$}  {line}\n");
            name = "";
        }
    }
    out
}

/// A text in lines of at most `room` columns; longer words stay whole.
fn broken(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let columns = measure_text_width(&line) + 1 + measure_text_width(word);
        if !line.is_empty() && columns > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// The text without what would move the cursor or change colours.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(vec![text("AGENT"), figures("TASKS"), text("ROUTE")]);
        table.push(&["Ada", "12", "a > b > c"].map(str::to_owned));
        table.push(&["勇者", "3", "d\u{1b}[31m"].map(str::to_owned));
        table
    }

    #[test]
    fn columns_are_aligned_by_what_terminals_show() {
        let expected = [
            "AGENT  TASKS  ROUTE",
            "Ada       12  a > b > c",
            "勇者       3  d?[31m",
        ];
        assert_eq!(table().lines(None), expected);
    }

    #[test]
    fn lines_end_where_the_terminal_does() {
        assert_eq!(table().lines(Some(18))[1], "Ada       12  a >…");
    }

    #[test]
    fn pairs_are_aligned_and_broken_between_words() {
        let rows = [
            ("gap", "1%".into()),
            ("status", "a long story about nothing".into()),
        ];
        assert_eq!(
            pairs(&rows, None),
            "gap     1%\nstatus  a long story about nothing\n"
        );
        let narrow = "gap     1%\nstatus  a long story about\n        nothing\n";
        assert_eq!(pairs(&rows, Some(28)), narrow);
    }
}
