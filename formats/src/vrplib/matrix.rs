//! Distances that are given one by one.

use super::sections::{File, wrong};
use super::{Mistake, seconds};

/// All distances in microseconds, row by row, in the order of the nodes.
pub(super) fn read(file: &File<'_>, nodes: usize) -> Result<Vec<i64>, Mistake> {
    let (line, format) = file.required("EDGE_WEIGHT_FORMAT")?;
    // Which pairs are given, in which order; columns of a symmetric matrix are its rows.
    let pairs: Vec<(usize, usize)> = match format {
        "FULL_MATRIX" => rows(nodes, |_| 0..nodes),
        "LOWER_ROW" | "UPPER_COL" => rows(nodes, |row| 0..row),
        "LOWER_DIAG_ROW" | "UPPER_DIAG_COL" => rows(nodes, |row| 0..row + 1),
        "UPPER_ROW" | "LOWER_COL" => rows(nodes, |row| row + 1..nodes),
        "UPPER_DIAG_ROW" | "LOWER_DIAG_COL" => rows(nodes, |row| row..nodes),
        other => {
            let other: String = other.chars().take(40).collect();
            return Err(wrong(
                Some(line),
                format!("matrices written as {other} are not supported"),
            ));
        }
    };
    let given = file.section("EDGE_WEIGHT_SECTION")?;
    let count: usize = given.iter().map(|row| row.columns.len()).sum();
    if count != pairs.len() {
        let wanted = pairs.len();
        let why = format!("{count} distances, {wanted} wanted for {nodes} nodes as {format}");
        return Err(wrong(Some(line), why));
    }
    let mut all = vec![0; nodes * nodes];
    let columns = given
        .iter()
        .flat_map(|row| row.columns.iter().map(move |text| (row.line, *text)));
    for ((from, to), (line, text)) in pairs.into_iter().zip(columns) {
        let way = seconds(line, text)?;
        all[from * nodes + to] = way;
        if format != "FULL_MATRIX" {
            all[to * nodes + from] = way;
        }
    }
    Ok(all)
}

fn rows(nodes: usize, columns: impl Fn(usize) -> std::ops::Range<usize>) -> Vec<(usize, usize)> {
    let row = |row: usize| columns(row).map(move |column| (row, column));
    (0..nodes).flat_map(row).collect()
}
