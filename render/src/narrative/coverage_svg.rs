//! Which policy is for which outcomes, in SVG.

use super::coverage::{Coverage, Part, range_text};
use super::gantt_svg::{STYLE, WIDTH};
use super::story::Story;
use super::strands;
use crate::axis::PixelAxis;
use crate::label::{columns, fit};
use crate::scale::ticks;
use crate::svg::{Canvas, colour};
use crate::time::span_text;
use stratagem_proto::v1::{NarrativePlan, NarrativeProblem};

/// Left end of the bars.
const BARS_LEFT: f64 = 310.0;
/// Height of a bar's row.
const ROW: f64 = 24.0;
/// Pixels of a column of text.
const LETTER: f64 = 6.6;
/// Size of the grid of two durations, and its left end.
const GRID: (f64, f64) = (560.0, 340.0);
const GRID_LEFT: f64 = 110.0;
/// Left end of what the boxes of the grid mean.
const KEY_LEFT: f64 = 710.0;

/// Returns as a self-contained SVG document without scripts which policy is meant for which
/// outcomes: bars over an axis for each duration that players pick and that policies divide among
/// them; where there are two of these, boxes in a grid. Together bars or boxes cover all that may
/// happen, as in figure 3 of Azad, Xu, Yu and Li, "Scheduling live interactive narratives with
/// mixed-integer linear programming" (2017). `None` where nothing is divided. At most 12 durations
/// and 60 policies are drawn.
#[must_use]
pub fn coverage_svg(problem: &NarrativeProblem, plan: &NarrativePlan) -> Option<String> {
    let plan = strands::storylines(problem, plan);
    let coverage = Coverage::new(&Story::new(problem), &plan);
    let mut canvas = Canvas::new();
    let height = draw(&mut canvas, &coverage, 8.0)?;
    Some(canvas.finish(WIDTH, height + 16.0, STYLE))
}

/// Draws what policies are for below `top` and returns its height.
pub(super) fn draw(canvas: &mut Canvas, coverage: &Coverage, top: f64) -> Option<f64> {
    let mut height = match coverage.links.len() {
        0 => return None,
        2 => boxes(canvas, coverage, top),
        links => (0..links).fold(0.0, |y, n| y + bars(canvas, coverage, n, top + y)),
    };
    if coverage.left_out > 0 {
        let more = format!("and {} more storylines", coverage.left_out);
        height += 20.0;
        canvas.text(16.0, top + height, "plain", &more);
    }
    Some(height)
}

/// A bar for each policy over one duration.
fn bars(canvas: &mut Canvas, coverage: &Coverage, n: usize, top: f64) -> f64 {
    let link = &coverage.links[n];
    let axis = PixelAxis {
        left: BARS_LEFT,
        room: WIDTH - BARS_LEFT - 40.0,
        horizon: link.whole,
    };
    let first = top + 52.0;
    let height = coverage.parts.len() as f64 * ROW + 4.0;
    let title = format!("{} takes {}", link.name, range_text(link.whole));
    canvas.text(16.0, top + 16.0, "head", fit(&title, 120, "…").trim_end());
    canvas.rect([axis.left, first, axis.room, height], "#f4f4f4", &title);
    axis.grid(canvas, first, height);
    let mut ends: Vec<i64> = coverage
        .parts
        .iter()
        .flat_map(|p| <[i64; 2]>::from(p.ranges[n]))
        .collect();
    ends.sort_unstable();
    ends.dedup();
    for end in ends {
        let x = axis.x(end);
        canvas.polyline(&[(x, first), (x, first + height)], "guide", "#555");
    }
    for (i, part) in coverage.parts.iter().enumerate() {
        let y = first + 2.0 + i as f64 * ROW;
        let name = fit(&format!("{} {}", part.number, part.short), 42, "…");
        canvas.text(BARS_LEFT - 14.0, y + 16.0, "name", name.trim_end());
        let (left, right) = (axis.x(part.ranges[n].0), axis.x(part.ranges[n].1));
        let range = range_text(part.ranges[n]);
        let tip = format!("{}: {range}", part.picks);
        let bar = [left, y + 3.0, (right - left).max(2.0), ROW - 6.0];
        canvas.outlined(bar, &pale(i), &colour(i), &tip);
        let wide = columns(&range) as f64 * LETTER;
        let (class, x) = if right + wide + 10.0 < axis.left + axis.room {
            ("label", right + 7.0)
        } else if left - wide - 10.0 > axis.left {
            ("labelend", left - 7.0)
        } else {
            ("label", left + 7.0)
        };
        canvas.text(x, y + 16.0, class, &range);
    }
    52.0 + height + 14.0
}

/// A box for each policy over two durations.
fn boxes(canvas: &mut Canvas, coverage: &Coverage, top: f64) -> f64 {
    let across = &coverage.links[0];
    let down = &coverage.links[1];
    let axis = PixelAxis {
        left: GRID_LEFT,
        room: GRID.0,
        horizon: across.whole,
    };
    let first = top + 52.0;
    let title = format!("{} takes {}", across.name, range_text(across.whole));
    canvas.text(
        GRID_LEFT,
        top + 16.0,
        "head",
        fit(&title, 70, "…").trim_end(),
    );
    canvas.rect([axis.left, first, GRID.0, GRID.1], "#f4f4f4", &title);
    axis.grid(canvas, first, GRID.1);
    let vertical = PixelAxis {
        left: first,
        room: GRID.1,
        horizon: down.whole,
    };
    for at_us in ticks(down.whole.0, down.whole.1, 10) {
        let y = vertical.x(at_us);
        let line = [(GRID_LEFT - 6.0, y), (GRID_LEFT + GRID.0, y)];
        canvas.polyline(&line, "grid", "#999");
        canvas.text(GRID_LEFT - 10.0, y + 4.0, "name", &span_text(at_us));
    }
    let title = format!("{} takes {} (downwards)", down.name, range_text(down.whole));
    let below = first + GRID.1 + 18.0;
    canvas.text(GRID_LEFT, below, "head", fit(&title, 70, "…").trim_end());
    let mut taken: Vec<(f64, f64)> = Vec::new();
    for (i, part) in coverage.parts.iter().enumerate() {
        let (left, right) = (axis.x(part.ranges[0].0), axis.x(part.ranges[0].1));
        let (high, low) = (vertical.x(part.ranges[1].0), vertical.x(part.ranges[1].1));
        let size = [left, high, (right - left).max(2.0), (low - high).max(2.0)];
        canvas.translucent(size, &colour(i), &colour(i), &tip(coverage, part));
        let mut at = (left + 14.0, high + 18.0);
        let meets =
            |o: &(f64, f64), at: (f64, f64)| (o.0 - at.0).abs() < 18.0 && (o.1 - at.1).abs() < 14.0;
        while taken.iter().any(|o| meets(o, at)) {
            at.0 += 20.0;
        }
        taken.push(at);
    }
    for (i, part) in coverage.parts.iter().enumerate() {
        canvas.text(
            taken[i].0,
            taken[i].1,
            "label middle",
            &part.number.to_string(),
        );
        let y = first + 12.0 + i as f64 * 20.0;
        canvas.translucent([KEY_LEFT, y - 10.0, 12.0, 12.0], &colour(i), &colour(i), "");
        let key = fit(&format!("{} {}", part.number, part.picks), 64, "…");
        canvas.text(KEY_LEFT + 20.0, y, "plain", key.trim_end());
    }
    let key = coverage.parts.len() as f64 * 20.0;
    52.0 + (GRID.1 + 34.0).max(key + 20.0)
}

fn tip(coverage: &Coverage, part: &Part) -> String {
    let links = coverage.links.iter().zip(&part.ranges);
    let ranges: Vec<_> = links
        .map(|(link, range)| format!("{} {}", link.name, range_text(*range)))
        .collect();
    format!("{} {}: {}", part.number, part.picks, ranges.join(", "))
}

/// A light colour for the n-th of many.
fn pale(n: usize) -> String {
    colour(n).replace("65%,42%", "60%,82%")
}
