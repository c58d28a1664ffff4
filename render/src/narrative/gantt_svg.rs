//! One policy as bars over an axis of time, in SVG.

use super::gantt::{Bar, Gantt, Kind, Row, lanes};
use super::story::Story;
use crate::axis::PixelAxis;
use crate::label::{columns, fit};
use crate::svg::Canvas;
use crate::time::{micros, span_text};
use std::cmp::Ordering;
use stratagem_proto::v1::{NarrativePolicy, NarrativeProblem};

/// Width of the document in pixels.
pub(super) const WIDTH: f64 = 1_160.0;
/// Left end of the bars.
const BARS_LEFT: f64 = 190.0;
/// Height of a lane of bars.
pub(super) const LANE: f64 = 27.0;
/// Pixels of a column of text.
const LETTER: f64 = 6.6;
/// Letters of a row's name, and of a bar's label.
const LETTERS: (usize, usize) = (25, 44);
pub(super) const STYLE: &str = "text{font:12px sans-serif;fill:#222}\
    .title{font-size:18px;font-weight:bold}.head{font-size:14px;font-weight:bold}\
    .tick{font-size:11px;fill:#666;text-anchor:middle}.name{text-anchor:end}\
    .label,.labelend,.edge{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}\
    .labelend{text-anchor:end}.middle{text-anchor:middle}.edge{font-size:10px}\
    .small{font-size:10px;fill:#555;text-anchor:middle}\
    .strong{font-weight:bold;text-anchor:middle}\
    .grid{stroke-width:.5;fill:none}.guide{stroke-width:.8;stroke-dasharray:3 3;fill:none}\
    .hatch{stroke-width:1;fill:none}.late{stroke-width:2;fill:none}.over{fill:none;stroke-width:1.3}\
    .open{fill:none;stroke-width:3}.before{fill:none;stroke-width:1.3}\
    .any{fill:none;stroke-width:1;stroke-dasharray:2 4}\
    .contingent{fill:none;stroke-width:2.2;stroke-dasharray:8 3}\
    .clash{fill:none;stroke-width:2.6}";

/// Returns one policy of a plan as a self-contained SVG document without scripts: rows for groups
/// of players and for resources. Bars reach from the earliest start to the earliest end, and a line
/// continues to the latest end: those of activities that follow each other never overlap. Certain
/// parts are solid, others hatched. The line of durations that players pick is violet, choices are
/// diamonds, arrows are the resource flow. Times are tooltips. At most 400 bars are drawn.
#[must_use]
pub fn gantt_svg(problem: &NarrativeProblem, policy: &NarrativePolicy) -> String {
    let mut canvas = Canvas::new();
    let gantt = Gantt::new(&Story::new(problem), policy);
    let height = draw(&mut canvas, problem, &gantt, 8.0);
    canvas.finish(WIDTH, height + 16.0, STYLE)
}

/// Draws a policy below `top` and returns its height.
pub(super) fn draw(
    canvas: &mut Canvas,
    problem: &NarrativeProblem,
    gantt: &Gantt,
    top: f64,
) -> f64 {
    if gantt.rows.is_empty() {
        canvas.text(16.0, top + 20.0, "label", "no times are known");
        return 30.0;
    }
    let axis = PixelAxis {
        left: BARS_LEFT,
        room: WIDTH - BARS_LEFT - 32.0,
        horizon: gantt.horizon,
    };
    let rows = gantt.rows.iter();
    let rows: Vec<_> = rows.map(|r| (r, Laned::new(&axis, &r.bars))).collect();
    let first = top + 28.0;
    let heights: Vec<f64> = rows.iter().map(|(_, laned)| laned.height()).collect();
    let height = heights.iter().sum();
    let mut y = first;
    for (n, ((row, _), height)) in rows.iter().zip(&heights).enumerate() {
        let band = match (row.players, n % 2) {
            (true, _) => "#eef3fb",
            (false, 0) => "#f7f7f7",
            (false, _) => "#fff",
        };
        canvas.rect([8.0, y, WIDTH - 16.0, *height], band, &row.name);
        y += height;
    }
    axis.grid(canvas, first, height);
    if let Some(now) = now(problem).filter(|now| *now <= gantt.horizon.1) {
        let x = axis.x(now);
        canvas.polyline(&[(x, first - 6.0), (x, first + height)], "guide", "#d00");
        canvas.text(x + 3.0, first + height + 12.0, "label", "now");
    }
    let mut y = first;
    for ((row, laned), height) in rows.iter().zip(&heights) {
        draw_row(canvas, row, laned, y);
        y += height;
    }
    let below = first + height + 18.0;
    legend(canvas, gantt, below);
    below + 20.0 - top
}

/// The time at which a story is planned again.
fn now(problem: &NarrativeProblem) -> Option<i64> {
    let now = problem.progress.as_ref()?.now_offset.as_ref();
    Some(micros(now)).filter(|now| *now > 0)
}

/// A bar in pixels.
struct Laid<'a> {
    bar: &'a Bar,
    left: f64,
    /// Where it ends at the earliest, and at the latest.
    soonest: f64,
    right: f64,
    sure: Option<(f64, f64)>,
    label: String,
    /// Class and place of the label.
    text: (&'static str, f64),
    extent: (f64, f64),
}

impl<'a> Laid<'a> {
    fn new(axis: &PixelAxis, bar: &'a Bar) -> Self {
        let left = axis.x(bar.whole.0);
        // A single moment stays visible.
        let right = axis.x(bar.whole.1).max(left + 3.0);
        let soonest = axis.x(bar.soonest).max(left + 3.0);
        let label = bar.text(LETTERS.1, "…");
        let wide = columns(&label) as f64 * LETTER;
        let end = axis.left + axis.room;
        let (text, extent) = if bar.kind != Kind::Choice && wide + 10.0 <= soonest - left {
            (("label", left + 5.0), (left, right))
        } else if right + 8.0 + wide <= end + 24.0 {
            (("label", right + 8.0), (left - 5.0, right + 8.0 + wide))
        } else {
            (("labelend", left - 8.0), (left - 8.0 - wide, right + 5.0))
        };
        Self {
            bar,
            left,
            soonest,
            right,
            sure: bar.sure.map(|(a, b)| (axis.x(a), axis.x(b))),
            label,
            text,
            extent,
        }
    }

    fn draw(&self, canvas: &mut Canvas, y: f64) {
        let hue = self.bar.hue;
        let (left, right, tip) = (self.left, self.right, &self.bar.tip);
        let middle = y + LANE / 2.0;
        if self.bar.kind == Kind::Choice {
            canvas.polyline(&[(left, middle), (right, middle)], "over", "#7a3fb0");
            for (x, fill) in [(left, "#fff"), (right, "#7a3fb0")] {
                canvas.diamond([x, middle, 5.0], fill, "#7a3fb0", tip);
            }
            return;
        }
        // How long it may last is a line: two that follow each other may both be late, but never
        // overlap.
        let inside = [left, y + 4.0, self.soonest - left, LANE - 8.0];
        let strong = format!("hsl({hue},48%,52%)");
        let late = [(self.soonest, middle), (right, middle)];
        canvas.polyline(&late, "late", &strong);
        canvas.rect(inside, &format!("hsl({hue},60%,95%)"), tip);
        canvas.hatch(inside, &format!("hsl({hue},45%,72%)"));
        if let Some((from, to)) = self.sure {
            let sure = [from, y + 4.0, (to - from).max(1.0), LANE - 8.0];
            canvas.rect(sure, &format!("hsl({hue},58%,72%)"), tip);
        }
        canvas.frame(inside, &strong);
        if self.bar.kind == Kind::Players {
            let (high, low) = (middle - 5.0, middle + 5.0);
            canvas.polyline(&late, "open", "#7a3fb0");
            canvas.polyline(&[(right, high), (right, low)], "open", "#7a3fb0");
        }
    }
}

/// Bars of one row in pixels, in lanes where they would overlap.
pub(super) struct Laned<'a> {
    bars: Vec<Laid<'a>>,
    lanes: Vec<usize>,
    count: usize,
}

impl<'a> Laned<'a> {
    pub(super) fn new(axis: &PixelAxis, bars: &'a [Bar]) -> Self {
        let bars: Vec<_> = bars.iter().map(|bar| Laid::new(axis, bar)).collect();
        let extents: Vec<_> = bars.iter().map(|bar| bar.extent).collect();
        let (lanes, count) = lanes(&extents, 6.0);
        Self { bars, lanes, count }
    }

    pub(super) fn height(&self) -> f64 {
        self.count.max(1) as f64 * LANE + 4.0
    }

    /// The top of a bar's lane in a row with this top.
    fn top(&self, bar: usize, top: f64) -> f64 {
        top + 2.0 + self.lanes[bar] as f64 * LANE
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, top: f64) {
        for (at, bar) in self.bars.iter().enumerate() {
            bar.draw(canvas, self.top(at, top));
        }
    }

    /// Labels are over all else in the row.
    pub(super) fn draw_labels(&self, canvas: &mut Canvas, top: f64) {
        for (at, bar) in self.bars.iter().enumerate() {
            let (class, x) = bar.text;
            canvas.text(x, self.top(at, top) + 18.0, class, &bar.label);
        }
    }
}

/// Draws a row with its name and what is handed over.
fn draw_row(canvas: &mut Canvas, row: &Row, laned: &Laned<'_>, top: f64) {
    let name = fit(&row.name, LETTERS.0, "…");
    canvas.text(BARS_LEFT - 14.0, top + 20.0, "name", name.trim_end());
    laned.draw(canvas, top);
    for (from, to, tip) in &row.arrows {
        let (a, b) = (&laned.bars[*from], &laned.bars[*to]);
        let (high, low) = (4.0, LANE - 4.0);
        // Between lanes, where no labels are; from corner to corner.
        let (leave, enter) = match laned.lanes[*from].cmp(&laned.lanes[*to]) {
            Ordering::Less => (low, high),
            Ordering::Equal => (LANE / 2.0, LANE / 2.0),
            Ordering::Greater => (high, low),
        };
        let level = leave == enter;
        let inset = if level { 0.0 } else { 4.0 };
        let start = (a.soonest - inset, laned.top(*from, top) + leave);
        let end = (b.left + inset, laned.top(*to, top) + enter);
        arrow(canvas, start, end, tip);
    }
    laned.draw_labels(canvas, top);
}

/// From the end of a bar to the start of another.
fn arrow(canvas: &mut Canvas, start: (f64, f64), end: (f64, f64), tip: &str) {
    let (x, y) = end;
    let back = (end.1 - start.1).signum() * 6.0;
    let (points, head) = if start.1 == end.1 {
        let bend = 12.0;
        let points = [start, (start.0 + bend, y), (x - bend, y), end];
        (points, [end, (x - 7.0, y - 3.5), (x - 7.0, y + 3.5)])
    } else {
        let middle = f64::midpoint(start.1, y);
        let points = [start, (start.0, middle), (x, middle), end];
        (points, [end, (x - 3.0, y - back), (x + 3.0, y - back)])
    };
    canvas.curve(points, "over", "#444", tip);
    canvas.polygon(&head, "#444");
}

/// Names what is there, on one line.
fn legend(canvas: &mut Canvas, gantt: &Gantt, top: f64) {
    let mut x = BARS_LEFT;
    let box_of = |x: f64| [x, top, 22.0, 11.0];
    canvas.rect(box_of(x), "hsl(212,20%,72%)", "for sure");
    canvas.text(x + 28.0, top + 10.0, "plain", "for sure");
    x += 100.0;
    canvas.rect(box_of(x), "hsl(212,20%,95%)", "perhaps");
    canvas.hatch(box_of(x), "hsl(212,20%,68%)");
    canvas.frame(box_of(x), "#888");
    canvas.text(x + 28.0, top + 10.0, "plain", "perhaps");
    x += 100.0;
    canvas.polyline(&[(x, top + 6.0), (x + 22.0, top + 6.0)], "late", "#888");
    canvas.text(x + 28.0, top + 10.0, "plain", "at the latest");
    x += 120.0;
    if gantt.has_kind(Kind::Players) {
        canvas.polyline(&[(x, top + 6.0), (x + 21.0, top + 6.0)], "open", "#7a3fb0");
        canvas.polyline(
            &[(x + 21.0, top + 1.0), (x + 21.0, top + 11.0)],
            "open",
            "#7a3fb0",
        );
        canvas.text(x + 28.0, top + 10.0, "plain", "players decide how long");
        x += 190.0;
    }
    if gantt.has_kind(Kind::Choice) {
        canvas.diamond([x + 6.0, top + 6.0, 5.0], "#fff", "#7a3fb0", "earliest");
        canvas.diamond([x + 20.0, top + 6.0, 5.0], "#7a3fb0", "#7a3fb0", "latest");
        canvas.text(x + 32.0, top + 10.0, "plain", "a choice: earliest, latest");
        x += 190.0;
    }
    if gantt.rows.iter().any(|r| !r.arrows.is_empty()) {
        arrow(canvas, (x, top + 6.0), (x + 24.0, top + 6.0), "goes on");
        canvas.text(x + 32.0, top + 10.0, "plain", "goes on to");
        x += 110.0;
    }
    if gantt.left_out > 0 {
        let more = format!("and {} more bars", gantt.left_out);
        canvas.text(x, top + 10.0, "plain", &more);
    }
    // The last moment, since marks of the axis are round.
    let end = span_text(gantt.horizon.1);
    canvas.text(WIDTH - 16.0, top + 10.0, "name", &format!("ends by {end}"));
}
