//! Where events go in a picture: columns by time, rows by who leads to them.

use super::graph::{Graph, Order};
use super::windows::{Window, in_order};

/// Events in a column, at most.
const COLUMN_MAX: usize = 10;

/// Column and row of each event; rows are centred, so they may be halves.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    /// Column and row of each event, from 0.
    pub(super) places: Vec<(usize, f64)>,
    /// Columns.
    pub(super) columns: usize,
    /// Rows of the fullest column.
    pub(super) rows: usize,
}

/// Puts events into columns in the order of time. A column ends when it is full, or when the next
/// event must come after one in it. Within a column events stand where those that lead to them
/// stand, on average.
pub(super) fn layout(graph: &Graph<'_>, windows: &[Window]) -> Layout {
    let mut leads: Vec<Vec<usize>> = vec![Vec::new(); graph.events.len()];
    for link in &graph.links {
        if let [Some(from), Some(to)] = link.ends
            && link.order != Order::Any
            && from != to
        {
            leads[to].push(from);
        }
    }
    let mut columns: Vec<Vec<usize>> = Vec::new();
    // Column of each event that has one.
    let mut column_of = vec![usize::MAX; graph.events.len()];
    for i in in_order(windows) {
        let current = columns.len().wrapping_sub(1);
        let follows = leads[i].iter().any(|from| column_of[*from] == current);
        if columns
            .last()
            .is_none_or(|c| c.len() == COLUMN_MAX || follows)
        {
            columns.push(Vec::new());
        }
        column_of[i] = columns.len() - 1;
        let last = columns.len() - 1;
        columns[last].push(i);
    }
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut places = vec![(0, 0.0); graph.events.len()];
    for (n, column) in columns.iter_mut().enumerate() {
        let height = |i: usize| {
            let earlier = leads[i].iter().filter(|from| column_of[**from] < n);
            let heights: Vec<f64> = earlier.map(|from| places[*from].1).collect();
            match heights.len() {
                // Nobody leads to it: in the middle.
                0 => rows as f64 / 2.0,
                count => heights.iter().sum::<f64>() / count as f64,
            }
        };
        let mut wishes: Vec<(f64, usize)> = column.iter().map(|i| (height(*i), *i)).collect();
        wishes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let top = (rows - column.len()) as f64 / 2.0;
        for (row, (_, i)) in wishes.into_iter().enumerate() {
            places[i] = (n, top + row as f64);
        }
    }
    Layout {
        places,
        columns: columns.len(),
        rows,
    }
}
