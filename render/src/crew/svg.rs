//! Crews as SVG documents.

use super::Drawn;
use super::front_svg::fronts;
use super::front_text::{players_text, point_text, way};
use super::map_svg::{Frame, arcs, colour, nodes, ways};
use super::scene::Scene;
use crate::svg::Canvas;
use stratagem_proto::v1::CrewProblem;

/// Pixels at the edges.
const MARGIN: f64 = 16.0;
/// Least width of a document: that of a plot.
const WIDTH_MIN: f64 = 700.0;
/// Letters of a way that are written: the rest is cut.
const WAY_MAX: usize = 120;
const STYLE: &str = "text{font:11px sans-serif;fill:#222}.title{font-size:18px;font-weight:bold}\
    .note{font-size:12px;fill:#444}.name{font-size:9px;text-anchor:middle;fill:#555}\
    .damage{font-size:10px;fill:#c92a2a;font-weight:bold}.tick{font-size:10px;fill:#555}\
    .arc{fill:none;stroke-width:2}.harm{fill:none;stroke-width:2.6}.node{stroke:#868e96;stroke-width:1.2}\
    .fetch{fill:none;stroke-width:3;stroke-dasharray:6 4;stroke-opacity:.85;stroke-linejoin:round}\
    .carry{fill:none;stroke-width:4;stroke-opacity:.85;stroke-linejoin:round}\
    .rule{stroke-width:1}.stairs{fill:none;stroke-width:1.6}.chosen{stroke:#222;stroke-width:1.6}";

/// Returns a crew as a self-contained SVG document without scripts: the ship with who and what is where, arcs that do damage in red with how
/// much, the ways of what was chosen, dashed to the tool and full from there, and all fronts as a plot of damage over time. Everything has a
/// tooltip.
#[must_use]
pub fn svg(problem: &CrewProblem, drawn: Drawn<'_>) -> String {
    document(&Scene::new(problem), drawn, true)
}

/// The document.
pub(super) fn document(scene: &Scene<'_>, drawn: Drawn<'_>, titled: bool) -> String {
    let mut canvas = Canvas::new();
    let mut top = MARGIN;
    if titled {
        let title = match scene.problem.title.as_str() {
            "" => "Crew",
            title => title,
        };
        canvas.text((MARGIN, top + 16.0), "title", title);
        top += 30.0;
    }
    let point = drawn.point();
    if let Some((choice, front, point)) = point {
        let [time, damage] = point_text(point);
        let event = drawn.plan.and_then(|plan| plan.events.get(choice.event));
        let event = event.map_or("", |event| scene.event_name(&event.event_id));
        let text = format!("{event}: {}, {time}, damage {damage}", players_text(front));
        canvas.text((MARGIN, top + 10.0), "note", &text);
        top += 18.0;
    }
    let frame = Frame::new(scene, [MARGIN, top]);
    arcs(&mut canvas, &frame, scene);
    if let Some((.., point)) = point {
        ways(&mut canvas, (&frame, scene), &point.roles);
    }
    nodes(&mut canvas, &frame, scene);
    top += frame.height;
    if let Some((.., point)) = point {
        for role in &point.roles {
            let fill = colour(scene.player(&role.player_id));
            canvas.rect([MARGIN, top, 12.0, 12.0], fill, "");
            let text = format!("{}: {}", scene.role(role), way(scene, role, " > "));
            let mut cut: String = text.chars().take(WAY_MAX).collect();
            if cut.len() < text.len() {
                cut.push('…');
            }
            canvas.text((MARGIN + 18.0, top + 10.0), "note", &cut);
            top += 18.0;
        }
    }
    let chosen = point.map(|it| it.0);
    for (index, options) in drawn
        .plan
        .iter()
        .flat_map(|it| it.events.iter().enumerate())
    {
        let chosen = chosen.filter(|it| it.event == index);
        top += 12.0 + fronts(&mut canvas, options, [MARGIN, top + 12.0], chosen);
    }
    let width = (frame.width + 2.0 * MARGIN).max(WIDTH_MIN);
    canvas.finish(width, top + MARGIN, STYLE)
}
