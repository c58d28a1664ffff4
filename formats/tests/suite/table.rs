//! The table of formats is that of the documentation.

use formats::{Row, TABLE};

fn line(row: &Row) -> String {
    let listed = |names: &[&str], before: &str, after: &str| {
        let names = names.iter().map(|name| format!("{before}{name}{after}"));
        names.collect::<Vec<_>>().join(", ")
    };
    format!(
        "| `{}` | {} | {} | {} | {} | {} | {} |",
        row.name,
        row.title,
        listed(row.extensions, "`.", "`"),
        row.planner.unwrap_or("all"),
        listed(row.reads, "", ""),
        listed(row.writes, "", ""),
        listed(row.options, "`", "`"),
    )
}

#[test]
fn the_documentation_has_this_table() {
    let page = include_str!("../../../docs/reference/formats.md");
    let rows: Vec<_> = TABLE.iter().map(line).collect();
    let table = rows.join("\n");
    assert!(
        page.contains(&table),
        "docs/reference/formats.md should have\n{table}"
    );
}
