//! Crews as text for terminals.

use super::Drawn;
use super::front_text::{front_text, way_lines};
use super::scene::Scene;
use crate::label::printable;
use crate::text::TextOptions;
use std::fmt::Write as _;
use stratagem_proto::v1::CrewProblem;

/// Returns a crew for terminals: its title, players and tools by place, and, with a plan, its
/// points and the paths of the chosen one.
#[must_use]
pub fn text(problem: &CrewProblem, drawn: Drawn<'_>, options: &TextOptions) -> String {
    let scene = Scene::new(problem);
    let title = match printable(&problem.title) {
        title if title.is_empty() => "Crew".into(),
        title => title,
    };
    let mut out = format!("{}\n\n", options.styled("1", &title));
    let players = problem.players.iter();
    let players = players.map(|it| (scene.player_name(&it.id), it.node_id.as_str()));
    let tools = problem.tools.iter();
    let tools = tools.map(|it| (scene.tool_name(&it.id), it.node_id.as_str()));
    let events = problem.events.iter();
    let events = events.map(|it| (scene.event_name(&it.id), it.node_id.as_str()));
    for (what, node) in players.chain(tools).chain(events) {
        let line = format!("{what} is in {}", scene.node_name(node));
        let _ = writeln!(out, "  {}", printable(&line));
    }
    if let Some(plan) = drawn.plan {
        let _ = write!(out, "\n{}", front_text(&scene, plan, options));
        let ways = way_lines(&scene, drawn, options);
        if !ways.is_empty() {
            let _ = write!(out, "\n{ways}");
        }
    }
    out
}
