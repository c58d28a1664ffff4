//! Maps of characters side by side.

use super::TextOptions;
use crate::axis::push_line;
use crate::label::{columns, fit, printable};
use crate::scene::Block;

/// Columns between two maps.
const GAP: usize = 4;

/// A map as lines, each with its width in columns.
struct Painted {
    width: usize,
    lines: Vec<(String, usize)>,
}

/// Maps side by side where there is room, their bottoms in one line.
pub(super) fn painted(blocks: &[Block], options: &TextOptions) -> String {
    let mut out = String::new();
    let mut line: Vec<Painted> = Vec::new();
    let mut used = 0;
    for block in blocks.iter().map(|block| paint(block, options)) {
        if !line.is_empty() && used + GAP + block.width > options.columns() {
            put(&mut out, &line);
            out.push('\n');
            line.clear();
            used = 0;
        }
        used += block.width + if line.is_empty() { 0 } else { GAP };
        line.push(block);
    }
    put(&mut out, &line);
    out
}

fn paint(block: &Block, options: &TextOptions) -> Painted {
    let rows = block.rows.iter().map(|row| {
        let mut text = String::new();
        let mut wide = 0;
        for run in row.chunk_by(|a, b| a.style == b.style) {
            let signs: String = run.iter().map(|it| options.pick(&it.signs)).collect();
            wide += columns(&signs);
            text += &options.styled(run[0].style, &signs);
        }
        (text, wide)
    });
    let rows: Vec<_> = rows.collect();
    let widest = rows.iter().map(|row| row.1).max().unwrap_or(0);
    let heads = block
        .head
        .iter()
        .map(|line| columns(&printable(&line.text)));
    let head = heads.max().unwrap_or(0).min(block.columns_min);
    let width = widest.max(head);
    let heads = block.head.iter().map(|line| {
        let text = fit(&line.text, width, options.ellipsis());
        let text = text.trim_end();
        (options.styled(line.style, text), columns(text))
    });
    Painted {
        width,
        lines: heads.chain(rows).collect(),
    }
}

fn put(out: &mut String, blocks: &[Painted]) {
    let height = blocks.iter().map(|block| block.lines.len()).max();
    let height = height.unwrap_or(0);
    for row in 0..height {
        let mut line = String::new();
        let mut owed = 0;
        for block in blocks {
            let above = height - block.lines.len();
            match row.checked_sub(above).and_then(|row| block.lines.get(row)) {
                Some((text, width)) => {
                    line += &" ".repeat(owed);
                    line += text;
                    owed = block.width - width + GAP;
                }
                None => owed += block.width + GAP,
            }
        }
        push_line(out, &line);
    }
}
