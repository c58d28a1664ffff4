//! Patrols as SVG documents.

use super::Drawn;
use super::frame::Frame;
use super::ground::Ground;
use super::heat::{Heat, Watch};
use super::map_svg;
use super::motion;
use super::walk::{Walk, walks};
use crate::svg::Canvas;
use stratagem_proto::v1::PatrolProblem;

/// Width of a document in pixels.
pub(super) const WIDTH: f64 = 960.0;
/// Height of a map, at most.
pub(super) const HEIGHT: f64 = 640.0;
/// Pixels at the left and above.
pub(super) const MARGIN: f64 = 16.0;
pub(super) const STYLE: &str = "text{font:12px sans-serif;fill:#222}.title{font-size:18px;font-weight:bold}\
    .choice{font-size:13px;font-weight:bold}\
    .name{font-size:9.5px;text-anchor:middle;fill:#444}.note{font-size:11px;fill:#444}.way{stroke-width:1.5}.vertex{stroke:#777;stroke-width:.8}\
    .worst{stroke:#d00;stroke-width:2.5}.route{fill:none;stroke-width:1.8;stroke-opacity:.85}\
    .prefix{fill:none;stroke-width:1.4;stroke-dasharray:4 3}\
    .gap{stroke:#333;stroke-width:1.2;stroke-dasharray:3 2}.sight{stroke-width:1;stroke-opacity:.22}\
    .seen{stroke-width:1.5;stroke-opacity:.8;display:none;pointer-events:none}.spot:hover .seen{display:inline}\
    .guard{stroke:#fff;stroke-width:1.5}.number{fill:#fff;font-weight:bold;text-anchor:middle}";

/// What is on a map besides the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    /// Routes with arrows.
    Routes,
    /// Routes, and guards that go round.
    Moving,
    /// Nothing.
    Bare,
}

/// Returns a patrol as a self-contained SVG document without scripts: vertices and ways; how likely
/// who enters is caught, as a colour where it is known, with the worst place ringed; routes by
/// colour with arrows, prefixes dashed, a dot where each guard starts. Names are tooltips. Where
/// vertices have no points a place is found for each.
#[must_use]
pub fn svg(problem: &PatrolProblem, drawn: Drawn<'_>) -> String {
    titled(problem, drawn, Layer::Routes)
}

/// The same, with guards that move on their cycles in step; without scripts.
#[must_use]
pub fn animated_svg(problem: &PatrolProblem, drawn: Drawn<'_>) -> String {
    titled(problem, drawn, Layer::Moving)
}

fn titled(problem: &PatrolProblem, drawn: Drawn<'_>, layer: Layer) -> String {
    let ground = Ground::new(problem);
    let mut canvas = Canvas::new();
    let mut top = MARGIN;
    if !problem.title.is_empty() {
        canvas.text(MARGIN, 30.0, "title", &problem.title);
        top = 44.0;
    }
    map(canvas, &ground, drawn, Heat::Capture, layer, top)
}

/// A map without a title.
pub(super) fn untitled(ground: &Ground<'_>, drawn: Drawn<'_>, heat: Heat, layer: Layer) -> String {
    map(Canvas::new(), ground, drawn, heat, layer, MARGIN)
}

fn map(
    mut canvas: Canvas,
    ground: &Ground<'_>,
    drawn: Drawn<'_>,
    heat: Heat,
    layer: Layer,
    top: f64,
) -> String {
    let frame = Frame::new(ground, [0.0, top, WIDTH, HEIGHT]);
    let watch = Watch::new(ground, drawn.evaluation, heat);
    map_svg::ground(&mut canvas, &frame, ground, &watch);
    let walks: Vec<Walk<'_>> = match (drawn.plan, layer) {
        (Some(plan), Layer::Routes | Layer::Moving) => walks(ground, plan),
        _ => Vec::new(),
    };
    map_svg::routes(&mut canvas, &frame, ground, &walks);
    let mut below = top + frame.height + 8.0;
    if layer == Layer::Moving {
        motion::guards(&mut canvas, &frame, ground, &walks);
        let text = motion::speed(ground, &walks);
        canvas.text(MARGIN, below + 11.0, "note", &text);
        below += 20.0;
    }
    below += map_svg::legend(&mut canvas, [MARGIN, below], ground, &watch, &walks);
    canvas.finish(WIDTH, below + MARGIN, STYLE)
}
