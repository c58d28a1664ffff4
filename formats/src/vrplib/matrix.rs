//! Distances that are given one by one.

use super::super::Mistake;
use super::sections::File;

/// All distances in microseconds, row by row, in the order of the nodes.
pub(super) fn read(file: &File<'_>, nodes: usize) -> Result<Vec<i64>, Mistake> {
    let format = file.required("EDGE_WEIGHT_FORMAT")?;
    // Which pairs are given, in which order; columns of a symmetric matrix are its rows.
    let pairs: Vec<(usize, usize)> = match format.text {
        "FULL_MATRIX" => rows(nodes, |_| 0..nodes),
        "LOWER_ROW" | "UPPER_COL" => rows(nodes, |row| 0..row),
        "LOWER_DIAG_ROW" | "UPPER_DIAG_COL" => rows(nodes, |row| 0..row + 1),
        "UPPER_ROW" | "LOWER_COL" => rows(nodes, |row| row + 1..nodes),
        "UPPER_DIAG_ROW" | "LOWER_DIAG_COL" => rows(nodes, |row| row..nodes),
        _ => {
            let message = format!("matrices written as {} are not supported", format.shown());
            return Err(format.wrong(message));
        }
    };
    let section = file.section("EDGE_WEIGHT_SECTION")?;
    let given = || section.iter().flat_map(|row| row.words());
    let count = given().count();
    if count != pairs.len() {
        let (expected, format_name) = (pairs.len(), format.text);
        return Err(format.wrong(format!(
            "{count} distances instead of {expected} for {nodes} nodes as {format_name}"
        )));
    }
    let mut all = vec![0; nodes * nodes];
    for ((from, to), word) in pairs.into_iter().zip(given()) {
        let distance = word.seconds("distance")?;
        all[from * nodes + to] = distance;
        if format.text != "FULL_MATRIX" {
            all[to * nodes + from] = distance;
        }
    }
    Ok(all)
}

fn rows(nodes: usize, columns: impl Fn(usize) -> std::ops::Range<usize>) -> Vec<(usize, usize)> {
    let row = |row: usize| columns(row).map(move |column| (row, column));
    (0..nodes).flat_map(row).collect()
}
