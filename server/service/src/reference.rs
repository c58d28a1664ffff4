//! Pages of `docs/reference` whose tables are made of what the program knows.

use std::fmt::Write as _;

/// Where the hand-written part of a page ends.
const MARK: &str =
    "<!-- generated: UPDATE_REFERENCE=1 cargo test -p stratagem-server the_page -->\n";

/// Compares the generated part of a page with what it should be. With `UPDATE_REFERENCE` in the
/// environment it is written first.
pub(crate) fn compare(page: &str, generated: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference");
    let path = format!("{folder}/{page}");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let (written, known) = text.split_once(MARK).expect("it has a generated part");
    if std::env::var_os("UPDATE_REFERENCE").is_some() {
        std::fs::write(&path, format!("{written}{MARK}{generated}")).expect("it can be written");
    } else {
        assert_eq!(known, generated, "{path}: see the line `generated` in it");
    }
}

/// Tables, one for each section: rows of a section come one after the other.
pub(crate) fn table<'a, const N: usize>(
    columns: [&str; N],
    rows: impl Iterator<Item = (&'a str, [String; N])>,
) -> String {
    let mut tables = String::new();
    let mut section = None;
    for (title, cells) in rows {
        if section != Some(title) {
            section = Some(title);
            let (columns, rule) = (columns.join(" | "), "---|".repeat(N));
            let _ = write!(tables, "\n## {title}\n\n| {columns} |\n|{rule}\n");
        }
        let _ = writeln!(tables, "| {} |", cells.join(" | "));
    }
    tables
}
