//! Fronts as a plot of damage over time.

use super::map::COLOURS;
use super::ship::Ship;
use super::words::{damage_text, players_text, point_text};
use super::{Choice, Chosen};
use crate::axis::PixelAxis;
use crate::scene::{Drawing, Panel, Picture, Point, key};
use crate::time::{micros, span_text};
use stratagem_proto::v1::{CrewFront, CrewOptions, CrewPlan, CrewPoint};

/// Pixels of the plot, left of it for labels, and above it.
const SIZE: Point = (560.0, 220.0);
const LEFT: f64 = 76.0;
const TOP: f64 = 26.0;
/// Points that are drawn: more would hide each other.
const POINTS_MAX: usize = 2_000;

/// The fronts of all events, a colour for each number of players; the chosen point is ringed.
pub(super) fn picture(ship: &Ship<'_>, plan: &CrewPlan, chosen: Option<&Chosen<'_>>) -> Picture {
    let mut panels = Vec::new();
    for (index, options) in plan.events.iter().enumerate() {
        let ringed = match chosen.map(|it| it.choice) {
            Some(Choice::Event {
                event,
                front,
                point,
            }) if event == index => Some((front, point)),
            _ => None,
        };
        if let Some(plot) = plot(options, ringed) {
            let name = ship.event_name(&options.event_id);
            panels.push(Panel::Note(format!("{name}: worst damage over worst time")));
            panels.push(Panel::Drawing(plot));
            let fronts = options.fronts.iter().enumerate();
            let fronts = fronts.filter(|(_, front)| !front.points.is_empty());
            let keys = fronts.map(|(n, front)| {
                let fill = COLOURS[n % COLOURS.len()];
                key([""; 2], fill, &players_text(front))
            });
            panels.push(Panel::Legend(keys.collect()));
        }
    }
    Picture {
        caption: "All trade-offs of time and damage".into(),
        panels,
        clock: None,
    }
}

/// From times and damages to pixels.
struct Plot {
    axis: PixelAxis,
    most: f64,
}

impl Plot {
    fn place(&self, point: &CrewPoint) -> Point {
        let damage = if point.worst_damage.is_finite() {
            point.worst_damage
        } else {
            self.most
        };
        let x = self.axis.x(micros(point.worst_duration.as_ref()));
        (x, TOP + SIZE.1 * (1.0 - damage / self.most))
    }
}

fn plot(options: &CrewOptions, ringed: Option<(usize, usize)>) -> Option<Drawing> {
    let points = options.fronts.iter().flat_map(|front| &front.points);
    let points: Vec<&CrewPoint> = points.take(POINTS_MAX).collect();
    let times = points.iter().map(|it| micros(it.worst_duration.as_ref()));
    let (low, high) = ({ times.clone() }.min()?, times.max()?);
    let aside = (high.saturating_sub(low) / 12).max(500_000);
    let damages = points.iter().map(|it| it.worst_damage);
    let most = damages.filter(|it| it.is_finite()).fold(0.0, f64::max);
    let plot = Plot {
        axis: PixelAxis {
            left: LEFT,
            room: SIZE.0,
            horizon: (low.saturating_sub(aside), high.saturating_add(aside)),
        },
        most: if most > 0.0 { most * 1.1 } else { 1.0 },
    };
    let mut all = Drawing {
        width: LEFT + SIZE.0 + 40.0,
        height: TOP + SIZE.1 + 14.0,
        ..Drawing::default()
    };
    for at in plot.axis.ticks() {
        let x = plot.axis.x(at);
        all.line(&[(x, TOP - 4.0), (x, TOP + SIZE.1)], "thin", "#999");
        all.text((x, TOP - 9.0), "tick", &span_text(at));
    }
    for share in [0.0, 0.5, 1.0] {
        let y = TOP + SIZE.1 * (1.0 - share);
        all.line(&[(LEFT, y), (LEFT + SIZE.0, y)], "thin", "#aaa");
        let damage = (plot.most * share * 100.0).round() / 100.0;
        all.text((LEFT - 8.0, y + 4.0), "end", &damage_text(damage));
    }
    let mut left_over = POINTS_MAX;
    let counted = options.fronts.iter().enumerate().map(|(n, front)| {
        let count = front.points.len().min(left_over);
        left_over -= count;
        (n, front, count)
    });
    // Those of fewer players above: what they do as well hides what it dominates.
    for (n, front, count) in counted.collect::<Vec<_>>().into_iter().rev() {
        let ringed = ringed.filter(|it| it.0 == n).map(|it| it.1);
        stairs(
            &mut all,
            &plot,
            front,
            &front.points[..count],
            [Some(n), ringed],
        );
    }
    Some(all)
}

/// A front as stairs: what is at or above and right of them can be had.
fn stairs(
    all: &mut Drawing,
    plot: &Plot,
    front: &CrewFront,
    points: &[CrewPoint],
    [number, ringed]: [Option<usize>; 2],
) {
    let colour = COLOURS[number.unwrap_or(0) % COLOURS.len()];
    let mut line: Vec<Point> = Vec::with_capacity(2 * points.len());
    for point in points {
        let at = plot.place(point);
        if let Some(&(_, y)) = line.last() {
            line.push((at.0, y));
        }
        line.push(at);
    }
    if line.len() > 1 {
        all.line(&line, "line", colour);
    }
    for (n, point) in points.iter().enumerate() {
        let (x, y) = plot.place(point);
        let [time, damage] = point_text(point);
        let (fill, fewer) = if point.dominated_by_fewer_players {
            ("#fff", ", dominated by fewer players")
        } else {
            (colour, "")
        };
        let tip = format!("{}: {time}, damage {damage}{fewer}", players_text(front));
        if ringed == Some(n) {
            all.disc([x, y, 8.0], "", "ring");
        }
        all.disc([x, y, 4.0], fill, "disc").tip(tip);
    }
}
