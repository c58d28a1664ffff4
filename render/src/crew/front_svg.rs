//! Fronts as a plot of damage over time.

use super::front_text::{damage_text, players_text, point_text};
use super::map_svg::COLOURS;
use crate::axis::PixelAxis;
use crate::svg::Canvas;
use crate::time::micros;
use stratagem_proto::v1::{CrewFront, CrewOptions, CrewPoint};

/// Pixels of the plot, and at its left for labels.
const SIZE: (f64, f64) = (620.0, 220.0);
const LEFT: f64 = 60.0;
/// Points that are drawn: more would hide each other.
const POINTS_MAX: usize = 2_000;
/// Fronts in the legend, at most.
const LEGEND_MAX: usize = 12;

fn time_of(point: &CrewPoint) -> i64 {
    micros(point.worst_duration.as_ref())
}

/// From times and damages to pixels.
struct Plot {
    axis: PixelAxis,
    top: f64,
    damages: (f64, f64),
}

impl Plot {
    fn new(points: &[&CrewPoint], [left, top]: [f64; 2]) -> Self {
        let times = points.iter().map(|it| time_of(it));
        let (low, high) = (
            { times.clone() }.min().unwrap_or(0),
            times.max().unwrap_or(0),
        );
        let aside = (high.saturating_sub(low) / 12).max(500_000);
        let damages = points.iter().map(|it| it.worst_damage);
        let damages = damages.filter(|damage| damage.is_finite());
        let most = damages.fold(0.0, f64::max);
        Self {
            axis: PixelAxis {
                left: left + LEFT,
                room: SIZE.0 - LEFT,
                horizon: (low.saturating_sub(aside), high.saturating_add(aside)),
            },
            top,
            damages: (0.0, if most > 0.0 { most * 1.1 } else { 1.0 }),
        }
    }

    fn place(&self, point: &CrewPoint) -> (f64, f64) {
        let (low, high) = self.damages;
        let damage = if point.worst_damage.is_finite() {
            point.worst_damage
        } else {
            high
        };
        let share = (damage - low) / (high - low);
        (
            self.axis.x(time_of(point)),
            self.top + SIZE.1 * (1.0 - share),
        )
    }
}

/// Draws the fronts of an event, one colour per number of players; the chosen point is ringed.
/// Returns the height.
pub(super) fn fronts(
    canvas: &mut Canvas,
    name: &str,
    options: &CrewOptions,
    [left, top]: [f64; 2],
    chosen: Option<(usize, usize)>,
) -> f64 {
    let points = options.fronts.iter().flat_map(|front| &front.points);
    let points: Vec<&CrewPoint> = points.take(POINTS_MAX).collect();
    if points.is_empty() {
        return 0.0;
    }
    let title = format!("{name}: worst damage over worst time");
    canvas.text(left, top + 10.0, "note", &title);
    let plot = Plot::new(&points, [left, top + 40.0]);
    plot.axis.grid(canvas, plot.top, SIZE.1);
    for share in [0.0, 0.5, 1.0] {
        let damage = plot.damages.1 * share;
        let y = plot.top + SIZE.1 * (1.0 - share);
        let end = plot.axis.left + plot.axis.room;
        canvas.polyline(&[(plot.axis.left, y), (end, y)], "rule", "#ccc");
        canvas.text(
            left,
            y + 4.0,
            "tick",
            &damage_text((damage * 100.0).round() / 100.0),
        );
    }
    let mut left_over = POINTS_MAX;
    let counted = options.fronts.iter().enumerate().map(|(n, front)| {
        let count = front.points.len().min(left_over);
        left_over -= count;
        (n, front, count)
    });
    // Those of fewer players above: what they do as well hides what it dominates.
    for (n, front, count) in counted.collect::<Vec<_>>().into_iter().rev() {
        let chosen = chosen.filter(|it| it.0 == n).map(|it| it.1);
        stairs(
            canvas,
            &plot,
            COLOURS[n % COLOURS.len()],
            front,
            count,
            chosen,
        );
    }
    let bottom = plot.top + SIZE.1 + 22.0;
    let fronts = options.fronts.iter().enumerate();
    let shown = fronts.filter(|(_, front)| !front.points.is_empty());
    for (place, (n, front)) in shown.take(LEGEND_MAX).enumerate() {
        let x = plot.axis.left + (place % 6) as f64 * 95.0;
        let y = bottom + (place / 6) as f64 * 16.0;
        canvas.rect([x, y - 8.0, 10.0, 10.0], COLOURS[n % COLOURS.len()], "");
        canvas.text(x + 14.0, y + 1.0, "tick", &players_text(front));
    }
    bottom + 30.0 - top
}

/// A front as stairs: what is at or above and right of them can be had.
fn stairs(
    canvas: &mut Canvas,
    plot: &Plot,
    colour: &str,
    front: &CrewFront,
    count: usize,
    chosen: Option<usize>,
) {
    let points = &front.points[..count];
    let mut line = Vec::with_capacity(2 * points.len());
    for point in points {
        let at = plot.place(point);
        if let Some(&(_, y)) = line.last() {
            line.push((at.0, y));
        }
        line.push(at);
    }
    if line.len() > 1 {
        canvas.polyline(&line, "stairs", colour);
    }
    for (n, point) in points.iter().enumerate() {
        let at = plot.place(point);
        let [time, damage] = point_text(point);
        let fewer = if point.dominated_by_fewer_players {
            ", dominated by fewer players"
        } else {
            ""
        };
        let tip = format!("{}: {time}, damage {damage}{fewer}", players_text(front));
        let fill = if point.dominated_by_fewer_players {
            "#fff"
        } else {
            colour
        };
        if chosen == Some(n) {
            canvas.disc([at.0, at.1, 8.0], "none", "chosen", &tip);
        }
        canvas.circle(at.0, at.1, fill, &tip);
    }
}
