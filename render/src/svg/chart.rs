//! Charts as shapes.

use super::{WIDTH, column_px, panels};
use crate::axis::PixelAxis;
use crate::label::columns;
use crate::scene::{
    Amounts, Arrow, Bar, Chart, Drawing, Form, Ink, Row, STEP as UNIT, Segment, Shape, Sign, Track,
    Unit, lanes,
};
use crate::time::span_text;
use std::cmp::Ordering;

/// Height of a lane of bars, of an amount, and of the axis.
const LANE: f64 = 24.0;
const AMOUNT: f64 = 48.0;
const AXIS: f64 = 26.0;
/// Pixels for names, at most, and by which a row is to the right of its parent.
const NAMES: f64 = 330.0;
const STEP: f64 = 16.0;
/// Steps after which rows are no further to the right.
const STEPS_MAX: usize = 10;
/// Pixels of a label next to a bar, at most.
const LABEL: f64 = 290.0;

/// A chart as shapes.
pub(super) fn drawn(chart: &Chart) -> Drawing {
    let mut all = Drawing {
        width: WIDTH,
        ..Drawing::default()
    };
    if chart.rows.is_empty() && !chart.empty.is_empty() {
        all.text((16.0, 20.0), "", chart.empty);
        all.height = 30.0;
        return all;
    }
    let left = left(chart);
    let axis = PixelAxis {
        left,
        room: WIDTH - left - 36.0,
        horizon: chart.horizon,
    };
    let rows: Vec<Laid<'_>> = chart.rows.iter().map(|row| Laid::new(&axis, row)).collect();
    let mut tops = Vec::new();
    let mut y = AXIS;
    for row in &rows {
        if !row.row.band.is_empty() {
            let band = [8.0, y, WIDTH - 16.0, row.height];
            all.rect(band, row.row.band).tip(row.row.tip.as_str());
        }
        tops.push(y);
        y += row.height;
    }
    grid(&mut all, chart, &axis, y);
    for (row, top) in rows.iter().zip(&tops) {
        row.name(&mut all, *top, left, &tops);
        row.draw(&mut all, *top, &axis);
    }
    hands(&mut all, chart, &axis, y);
    let mut legend = panels::legend(&chart.keys, WIDTH - 16.0);
    if !legend.shapes.is_empty() {
        all.shapes.push(Shape::new(
            Form::Group((left - 16.0, y + 6.0), std::mem::take(&mut legend.shapes)),
            "",
        ));
        y += legend.height + 8.0;
    }
    let more = (chart.more.0 > 0).then(|| format!("and {} more {}", chart.more.0, chart.more.1));
    for note in chart.notes.iter().chain(&more) {
        y += 17.0;
        all.fitted((left, y), "note", note, WIDTH - left - 16.0);
    }
    all.height = y + 10.0;
    all
}

/// Left end of the bars.
fn left(chart: &Chart) -> f64 {
    let indent = |row: &Row| row.depth.min(STEPS_MAX) as f64 * STEP;
    let wide = |row: &Row| columns(&row.name) as f64 * column_px("") + indent(row) + 26.0;
    let widest = chart.rows.iter().map(wide).fold(70.0, f64::max);
    widest.min(NAMES)
}

fn grid(all: &mut Drawing, chart: &Chart, axis: &PixelAxis, bottom: f64) {
    if chart.unit == Unit::Step {
        for number in 0..chart.horizon.1 / UNIT {
            let (x, next) = (axis.x(number * UNIT), axis.x((number + 1) * UNIT));
            all.line(&[(x, AXIS - 4.0), (x, bottom)], "thin", "#bbb");
            let middle = f64::midpoint(x, next);
            all.text((middle, AXIS - 9.0), "tick", &number.to_string());
        }
        return;
    }
    for at in axis.ticks() {
        let x = axis.x(at);
        all.line(&[(x, AXIS - 6.0), (x, bottom)], "thin", "#999");
        all.text((x, AXIS - 10.0), "tick", &span_text(at));
    }
}

/// Lines for now, and for the moment of the clock.
fn hands(all: &mut Drawing, chart: &Chart, axis: &PixelAxis, bottom: f64) {
    if let Some(now) = chart.now.filter(|now| *now <= chart.horizon.1) {
        let x = axis.x(now.max(chart.horizon.0));
        all.line(&[(x, AXIS - 6.0), (x, bottom)], "line", "#d00");
        all.text((x, bottom + 12.0), "tick", "now");
    }
    if chart.has_hand {
        let mut track = Track::default();
        for at in [chart.horizon.0, chart.horizon.1] {
            track.stop(at, (axis.x(at), 0.0));
        }
        let line = Form::Line(vec![(0.0, AXIS - 6.0), (0.0, bottom)]);
        all.add(line, "line").stroke("#1971c2").track(track);
    }
}

/// A row in pixels.
struct Laid<'a> {
    row: &'a Row,
    bars: Vec<Placed<'a>>,
    lanes: Vec<usize>,
    height: f64,
}

impl<'a> Laid<'a> {
    fn new(axis: &PixelAxis, row: &'a Row) -> Self {
        let bars: Vec<_> = row.bars.iter().map(|bar| Placed::new(axis, bar)).collect();
        let extents: Vec<_> = bars.iter().map(|bar| bar.extent).collect();
        let (lanes, count) = lanes(&extents, 6.0);
        let amount = row.amounts.as_ref().map_or(0.0, |_| AMOUNT + 14.0);
        Self {
            row,
            bars,
            lanes,
            height: (count.max(1) as f64 * LANE).max(amount),
        }
    }

    /// The name, and the line from the row that it comes after.
    fn name(&self, all: &mut Drawing, top: f64, left: f64, tops: &[f64]) {
        let middle = top + LANE / 2.0;
        let indent = |depth: usize| 14.0 + depth.min(STEPS_MAX) as f64 * STEP;
        let x = indent(self.row.depth);
        if let Some(parent) = self.row.parent {
            let from = (indent(self.row.depth - 1) + 4.0, tops[parent] + LANE - 3.0);
            let points = [from, (from.0, middle), (x - 2.0, middle)];
            all.line(&points, "line", "#2a6fb0");
        }
        let room = left - x - 10.0;
        all.fitted((x, middle + 4.0), "", &self.row.name, room);
        if let Some(amounts) = &self.row.amounts {
            all.fitted((x, middle + 19.0), "note", &amounts.note, room);
        }
        let words = &self.row.words;
        all.fitted((left, middle + 4.0), "", words, WIDTH - left - 16.0);
    }

    fn top(&self, bar: usize, top: f64) -> f64 {
        top + self.lanes[bar] as f64 * LANE
    }

    fn draw(&self, all: &mut Drawing, top: f64, axis: &PixelAxis) {
        if let Some(amounts) = &self.row.amounts {
            draw_amounts(all, axis, amounts, top + 10.0, &self.row.name);
        }
        for (n, bar) in self.bars.iter().enumerate() {
            bar.draw(all, self.top(n, top), axis);
        }
        for arrow in &self.row.arrows {
            self.arrow(all, arrow, top);
        }
        // Labels are over all else in the row.
        for (n, bar) in self.bars.iter().enumerate() {
            let at = (bar.text.1, self.top(n, top) + 16.0);
            all.fitted(at, bar.text.0, &bar.label, LABEL);
        }
    }

    /// Between lanes, where no labels are, from corner to corner.
    fn arrow(&self, all: &mut Drawing, arrow: &Arrow, top: f64) {
        let (a, b) = (&self.bars[arrow.from], &self.bars[arrow.to]);
        let (high, low) = (4.0, LANE - 4.0);
        let (leave, enter) = match self.lanes[arrow.from].cmp(&self.lanes[arrow.to]) {
            Ordering::Less => (low, high),
            Ordering::Equal => (LANE / 2.0, LANE / 2.0),
            Ordering::Greater => (high, low),
        };
        let start = (a.body, self.top(arrow.from, top) + leave);
        let end = (b.left, self.top(arrow.to, top) + enter);
        let bends = if start.1 == end.1 {
            [(start.0 + 12.0, end.1), (end.0 - 12.0, end.1)]
        } else {
            let middle = f64::midpoint(start.1, end.1);
            [(start.0, middle), (end.0, middle)]
        };
        let points = [start, bends[0], bends[1], end];
        let tip = arrow.tip.as_str();
        all.add(Form::Curve(points), "line").stroke("#444").tip(tip);
        all.head(bends[1], end, "#444");
    }
}

/// A bar in pixels.
struct Placed<'a> {
    bar: &'a Bar,
    left: f64,
    /// Right end of its first part, where arrows begin.
    body: f64,
    label: String,
    /// Class and place of the label.
    text: (&'static str, f64),
    extent: (f64, f64),
}

impl<'a> Placed<'a> {
    fn new(axis: &PixelAxis, bar: &'a Bar) -> Self {
        let spans = bar.segments.iter().map(|it| it.span);
        let spans = spans.chain(bar.marks.iter().map(|it| (it.at, it.at)));
        let (from, to) = spans
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            .unwrap_or(axis.horizon);
        let left = axis.x(from);
        // A single moment stays visible.
        let right = axis.x(to).max(left + 3.0);
        let body = bar.segments.first().map_or(left, |it| axis.x(it.span.1));
        let label = format!("{}{}", bar.label, bar.suffix);
        let wide = (columns(&label) as f64 * column_px("")).min(LABEL);
        let end = axis.left + axis.room;
        let (text, extent) = if label.is_empty() {
            (("", left), (left, right))
        } else if wide + 10.0 <= body - left {
            (("halo", left + 5.0), (left, right))
        } else if right + 8.0 + wide <= end + 30.0 {
            (("halo", right + 8.0), (left - 5.0, right + 8.0 + wide))
        } else {
            (("end halo", left - 8.0), (left - 8.0 - wide, right + 5.0))
        };
        Self {
            bar,
            left,
            body: body.max(left + 3.0),
            label,
            text,
            extent,
        }
    }

    fn draw(&self, all: &mut Drawing, top: f64, axis: &PixelAxis) {
        let middle = top + LANE / 2.0;
        for segment in &self.bar.segments {
            draw_segment(all, segment, middle, axis);
        }
        for mark in &self.bar.marks {
            let x = axis.x(mark.at);
            let (fill, tip) = (mark.fill.as_str(), mark.tip.as_str());
            match mark.sign {
                Sign::Chosen | Sign::Broken | Sign::Part => {
                    let disc = [x, middle, 4.0];
                    all.disc(disc, fill, "").stroke("#333").tip(tip);
                }
                Sign::First => {
                    let open = all.diamond([x, middle, 5.0], "#fff");
                    open.stroke(fill).tip(tip);
                }
                Sign::Last => {
                    all.diamond([x, middle, 5.0], fill).stroke(fill).tip(tip);
                }
                Sign::Stop => {
                    let line = [(x, middle - 6.0), (x, middle + 6.0)];
                    all.line(&line, "bold", fill);
                }
            }
        }
    }
}

fn draw_segment(all: &mut Drawing, segment: &Segment, middle: f64, axis: &PixelAxis) {
    let Ink {
        fill,
        half,
        is_faint,
        ..
    } = &segment.ink;
    let left = axis.x(segment.span.0).max(axis.left);
    let right = axis.x(segment.span.1).min(axis.left + axis.room);
    let (width, tall) = ((right - left).max(1.5), half * (LANE / 2.0 - 3.0));
    let bar = [left, middle - tall, width, 2.0 * tall];
    let shape = all.rect(bar, fill).tip(segment.tip.as_str());
    if *is_faint {
        shape.stroke(fill).class = "faint";
    }
    if columns(&segment.label) as f64 * column_px("inner") + 8.0 <= width {
        let at = (left + 4.0, middle + 4.0);
        all.text(at, "inner", &segment.label);
    }
}

/// Steps of an amount, and its limit.
fn draw_amounts(all: &mut Drawing, axis: &PixelAxis, amounts: &Amounts, top: f64, name: &str) {
    let most = amounts.peak().max(amounts.limit).max(1) as f64;
    let height = |held: i64| held.max(0) as f64 / most * AMOUNT;
    for (n, [from, to]) in moments(amounts, axis).iter().enumerate() {
        let held = amounts.largest(*from, *to);
        if held <= 0 || from >= to {
            continue;
        }
        let (left, right) = (axis.x(*from), axis.x(*to));
        let fill = if held > amounts.limit {
            "#d00"
        } else {
            amounts.fill
        };
        let bar = [
            left,
            top + AMOUNT - height(held),
            right - left,
            height(held),
        ];
        let tip = amounts.tips.get(n).cloned().unwrap_or_else(|| {
            format!(
                "{name}: {held} from {} to {}",
                span_text(*from),
                span_text(*to)
            )
        });
        all.rect(bar, fill).tip(tip);
    }
    let y = top + AMOUNT - height(amounts.limit);
    let line = [(axis.left, y), (axis.left + axis.room, y)];
    all.line(&line, "line dots", "#c33");
}

/// The steps of an amount; as many as there are pixels where there are more.
fn moments(amounts: &Amounts, axis: &PixelAxis) -> Vec<[i64; 2]> {
    let (first, last) = axis.horizon;
    let pixels = axis.room as usize;
    let moments: Vec<i64> = if amounts.steps.len() > pixels {
        let span = i128::from(last) - i128::from(first);
        // Between the ends of the horizon.
        let moment = |pixel: usize| (span * pixel as i128 / pixels as i128) as i64 + first;
        (0..=pixels).map(moment).collect()
    } else {
        let moments = amounts.steps.iter().map(|(at, _)| *at);
        moments.chain([last]).collect()
    };
    moments.windows(2).map(|ends| [ends[0], ends[1]]).collect()
}
