//! Heists as SVG documents.

use super::Drawn;
use super::frame::Frame;
use super::game::{Game, moving};
use super::layout::Layout;
use super::lines;
use super::map_svg;
use super::scene::Scene;
use super::words::outcome_words;
use crate::svg::Canvas;
use stratagem_proto::v1::HeistProblem;

/// Pixels at the left and above.
const MARGIN: f64 = 16.0;
/// Pixels above and below the map, for ways that go past rooms.
const ABOVE: f64 = 22.0;
/// Least width of a document: that of its legend.
const WIDTH_MIN: f64 = 760.0;
const STYLE: &str = "text{font:11px sans-serif;fill:#222}.title{font-size:18px;font-weight:bold}\
    .room{font-size:10.5px;text-anchor:middle;font-weight:bold}.note{font-size:11px;fill:#444}\
    .mark{font-size:9px;text-anchor:middle}.plain{stroke:#666;stroke-width:1}\
    .way{fill:none;stroke-width:3}.wrong{stroke:#c2185b;stroke-width:2.2}.goal{stroke:#1b7f3b;stroke-width:1.6}\
    .intent{fill:none;stroke-width:2.2;stroke-opacity:.55;stroke-linejoin:round}\
    .patrol{fill:none;stroke-width:1.6;stroke-dasharray:5 3;stroke-opacity:.8}\
    .number{font-size:8.5px;fill:#fff;text-anchor:middle;font-weight:bold}\
    .guard{stroke:#fff;stroke-width:1.5}.hatch{stroke-width:1;stroke-opacity:.45;fill:none}";

/// Returns a heist as a self-contained SVG document without scripts: rooms at the problem's points,
/// or on a grid; doors and containers as the agent believes them, locked ones in the colour of
/// their key, wrong beliefs ringed; machines, cameras, and guards with their routes; avoided rooms
/// hatched, unknown traps orange; and the plan as a line with arrows and the numbers of the steps
/// that enter rooms. Everything has a tooltip.
#[must_use]
pub fn svg(problem: &HeistProblem, drawn: Drawn<'_>) -> String {
    let scene = Scene::new(problem);
    document(&scene, drawn, Extras::TITLED)
}

/// What there is beside the map.
#[derive(Clone, Copy)]
pub(super) struct Extras<'a> {
    /// Whether there is a title.
    pub(super) titled: bool,
    /// A game that is shown on the map.
    pub(super) moving: Option<Game<'a>>,
}

impl Extras<'_> {
    pub(super) const TITLED: Self = Self {
        titled: true,
        moving: None,
    };
    pub(super) const BARE: Self = Self {
        titled: false,
        moving: None,
    };
}

/// The document.
pub(super) fn document(scene: &Scene<'_>, drawn: Drawn<'_>, extras: Extras<'_>) -> String {
    let mut canvas = Canvas::new();
    let mut top = MARGIN;
    let title = match scene.world.title.as_str() {
        "" => "Heist",
        title => title,
    };
    if extras.titled {
        canvas.text(MARGIN, top + 16.0, "title", title);
        top += 30.0;
        if let (Some(plan), Some(outcome)) = (drawn.plan, drawn.outcome) {
            let words = outcome_words(scene, plan, outcome);
            canvas.text(MARGIN, top + 8.0, "note", &words);
            top += 18.0;
        }
    }
    let layout = Layout::new(scene);
    let frame = Frame::new(scene, &layout, [MARGIN, top + ABOVE]);
    map_svg::doors(&mut canvas, &frame, scene);
    map_svg::rooms(&mut canvas, &frame, scene);
    lines::routes(&mut canvas, &frame, scene);
    if let Some(plan) = drawn.plan {
        lines::intent(&mut canvas, &frame, scene, plan, drawn.outcome);
    }
    if let Some(game) = extras.moving {
        moving(&mut canvas, &frame, scene, game);
    }
    let bottom = map_svg::legend(
        &mut canvas,
        [MARGIN, top + 2.0 * ABOVE + frame.height],
        scene,
        drawn,
    );
    let width = (frame.width + 2.0 * MARGIN).max(WIDTH_MIN);
    canvas.finish(width, bottom + MARGIN, STYLE)
}
