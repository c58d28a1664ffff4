//! Crews as SVG documents.

use super::front_svg::fronts;
use super::front_text::{both_text, way};
use super::map_svg::{Frame, arcs, colour, nodes, ways};
use super::scene::Scene;
use super::{Choice, Drawn};
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

/// Returns a crew as a self-contained SVG document without scripts: the ship with players and
/// tools, damaging arcs in red with their damage, the paths of the chosen point, dashed to the tool
/// and solid from there, and all fronts as a plot of damage over time. Everything has a tooltip.
#[must_use]
pub fn svg(problem: &CrewProblem, drawn: Drawn<'_>) -> String {
    document(&Scene::new(problem), drawn, true)
}

/// The document.
pub(super) fn document<'a>(scene: &Scene<'a>, drawn: Drawn<'a>, titled: bool) -> String {
    let mut canvas = Canvas::new();
    let mut top = MARGIN;
    if titled {
        let title = match scene.problem.title.as_str() {
            "" => "Crew",
            title => title,
        };
        canvas.text(MARGIN, top + 16.0, "title", title);
        top += 30.0;
    }
    let chosen = drawn.chosen(scene);
    if let Some(chosen) = &chosen {
        let [time, damage] = both_text(chosen.time_us, chosen.damage);
        let text = format!("{}, {time}, damage {damage}", chosen.name);
        canvas.text(MARGIN, top + 10.0, "note", &text);
        top += 18.0;
    }
    let frame = Frame::new(scene, [MARGIN, top]);
    arcs(&mut canvas, &frame, scene);
    let roles = chosen.as_ref().map_or(&[][..], |it| &it.roles);
    ways(&mut canvas, &frame, scene, roles);
    nodes(&mut canvas, &frame, scene);
    top += frame.height;
    for role in roles {
        let fill = colour(scene.player(&role.player_id));
        canvas.rect([MARGIN, top, 12.0, 12.0], fill, "");
        let text = format!("{}: {}", scene.role(role), way(scene, role, " > "));
        let mut cut: String = text.chars().take(WAY_MAX).collect();
        if cut.len() < text.len() {
            cut.push('…');
        }
        canvas.text(MARGIN + 18.0, top + 10.0, "note", &cut);
        top += 18.0;
    }
    let events = drawn.plan.iter().flat_map(|plan| &plan.events);
    for (index, options) in events.enumerate() {
        let ringed = match chosen.as_ref().map(|it| it.choice) {
            Some(Choice::Event {
                event,
                front,
                point,
            }) if event == index => Some((front, point)),
            _ => None,
        };
        let name = scene.event_name(&options.event_id);
        top += 12.0 + fronts(&mut canvas, name, options, [MARGIN, top + 12.0], ringed);
    }
    let width = (frame.width + 2.0 * MARGIN).max(WIDTH_MIN);
    canvas.finish(width, top + MARGIN, STYLE)
}
