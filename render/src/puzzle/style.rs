//! Shapes of walls, boxes and players in SVG. A cell is a square of side 1: who draws scales.

use super::Marked;
use super::board::{Board, Heading};
use std::fmt::Write as _;

/// Rules of style of every picture of levels.
pub(super) const STYLE: &str = "text{font:12px sans-serif;fill:#2b2f36}.title{font-size:18px;font-weight:bold}\
    .name{font-size:13px;font-weight:bold}.note{font-size:11px;fill:#667}\
    .wall{fill:#5c6773}.top{fill:#76838f}.floor{fill:#efe9dc}.grid{stroke:#e2dac8;stroke-width:.03;fill:none}\
    .goal{fill:none;stroke:#c8523a;stroke-width:.09}.dot{fill:#c8523a}\
    .box{fill:#d29a4a;stroke:#8a5a1c;stroke-width:.06}.done{fill:#7fae5a;stroke:#45702a;stroke-width:.06}\
    .slat{fill:none;stroke:#8a5a1c;stroke-opacity:.55;stroke-width:.06}\
    .body{fill:#2f6fb3;stroke:#1c4570;stroke-width:.06}.eye{fill:#fff}";

/// Floor, goals and walls.
pub(super) fn ground(board: &Board) -> String {
    let mut out = String::new();
    let floor = runs(board, |cell| board.is_inside(cell) || board.is_goal(cell));
    let _ = writeln!(out, "<path class=\"floor\" d=\"{floor}\"/>");
    let _ = writeln!(out, "<path class=\"grid\" d=\"{}\"/>", lines(board));
    let [top, left, ..] = board.crop();
    for cell in 0..board.width() * board.height() {
        if board.is_goal(cell) {
            let (row, column) = board.place(cell);
            let (x, y) = (column - left, row - top);
            let _ = writeln!(
                out,
                "<g transform=\"translate({x} {y})\"><circle class=\"goal\" cx=\".5\" cy=\".5\" r=\".26\"/>\
                 <circle class=\"dot\" cx=\".5\" cy=\".5\" r=\".1\"/></g>"
            );
        }
    }
    let walls = runs(board, |cell| board.is_edge(cell));
    let _ = writeln!(out, "<path class=\"wall\" d=\"{walls}\"/>");
    // A lighter top where no wall is above, so that walls stand up.
    let lit = |cell: usize| {
        let above = cell.checked_sub(board.width());
        board.is_edge(cell) && !above.is_some_and(|above| board.is_edge(above))
    };
    let tops = strips(board, lit);
    let _ = writeln!(out, "<path class=\"top\" d=\"{tops}\"/>");
    out
}

/// Boxes and the player where they are.
pub(super) fn pieces(board: &Board) -> String {
    let [top, left, ..] = board.crop();
    let at = |cell: usize| {
        let (row, column) = board.place(cell);
        format!("translate({} {})", column - left, row - top)
    };
    let mut out = String::new();
    for &cell in board.boxes() {
        let class = if board.is_goal(cell) { "done" } else { "box" };
        let _ = writeln!(
            out,
            "<g transform=\"{}\">{}</g>",
            at(cell),
            crate_of(class, "")
        );
    }
    if let Some(player) = board.player() {
        let _ = writeln!(out, "<g transform=\"{}\">{PLAYER}</g>", at(player));
    }
    out
}

/// An arrow from a box to where it is pushed; nothing beyond the board.
pub(super) fn arrow(board: &Board, marked: Marked) -> String {
    let [top, left, rows, across] = board.crop();
    let (row, column) = (
        marked.row.wrapping_sub(top),
        marked.column.wrapping_sub(left),
    );
    if row >= rows || column >= across {
        return String::new();
    }
    let turn = match marked.heading {
        Heading::Right => 0,
        Heading::Down => 90,
        Heading::Left => 180,
        Heading::Up => 270,
    };
    format!(
        "<g transform=\"translate({column} {row}) rotate({turn} .5 .5)\">\
         <path class=\"marked\" d=\"M.5 .5H1.5M1.25 .25L1.5 .5L1.25 .75\" fill=\"none\" stroke=\"#c0392b\" \
         stroke-width=\".12\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/></g>\n"
    )
}

/// A box of a class; `inside` is put into its outline, for animations.
pub(super) fn crate_of(class: &str, inside: &str) -> String {
    format!(
        "<rect class=\"{class}\" x=\".1\" y=\".1\" width=\".8\" height=\".8\" rx=\".09\">{inside}</rect>\
         <path class=\"slat\" d=\"M.24 .24L.76 .76M.76 .24L.24 .76M.24 .24H.76V.76H.24z\"/>"
    )
}

/// The player.
pub(super) const PLAYER: &str = "<circle class=\"body\" cx=\".5\" cy=\".5\" r=\".34\"/>\
     <circle class=\"eye\" cx=\".39\" cy=\".43\" r=\".075\"/>\
     <circle class=\"eye\" cx=\".61\" cy=\".43\" r=\".075\"/>\
     <path d=\"M.37 .6Q.5 .71 .63 .6\" fill=\"none\" stroke=\"#fff\" stroke-width=\".06\" stroke-linecap=\"round\"/>";

/// Runs of cells in a row as rectangles of one path.
fn runs(board: &Board, is_one: impl Fn(usize) -> bool) -> String {
    stretches(board, is_one, "v1")
}

/// The same, as strips along their tops.
fn strips(board: &Board, is_one: impl Fn(usize) -> bool) -> String {
    stretches(board, is_one, "v.18")
}

fn stretches(board: &Board, is_one: impl Fn(usize) -> bool, down: &str) -> String {
    let [top, left, rows, across] = board.crop();
    let mut d = String::new();
    for y in 0..rows {
        let first = (top + y) * board.width() + left;
        let mut x = 0;
        while x < across {
            let long = (x..across).take_while(|&x| is_one(first + x)).count();
            if long > 0 {
                let _ = write!(d, "M{x} {y}h{long}{down}h-{long}z");
            }
            x += long.max(1);
        }
    }
    d
}

/// Lines between cells of the floor.
fn lines(board: &Board) -> String {
    let [top, left, rows, across] = board.crop();
    let mut d = String::new();
    for y in 0..rows {
        for x in 0..across {
            let cell = (top + y) * board.width() + left + x;
            if !board.is_inside(cell) {
                continue;
            }
            if x + 1 < across && board.is_inside(cell + 1) {
                let _ = write!(d, "M{} {y}v1", x + 1);
            }
            if y + 1 < rows && board.is_inside(cell + board.width()) {
                let _ = write!(d, "M{x} {}h1", y + 1);
            }
        }
    }
    d
}
