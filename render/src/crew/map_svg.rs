//! The ship: nodes, arcs with what they do, who and what is where, and ways by colour.

use super::front_text::damage_text;
use super::scene::Scene;
use crate::svg::Canvas;
use crate::time::{micros, span_text};
use stratagem_proto::v1::{CrewArc, CrewRole};

/// Pixels of a map, at most, and around its nodes.
const SIZE: (f64, f64) = (900.0, 640.0);
const MARGIN: f64 = 40.0;
/// Most pixels between neighbours.
const STEP_MAX: f64 = 96.0;
/// Colours of players.
pub(super) const COLOURS: [&str; 8] = [
    "#1f6fb5", "#d9480f", "#2b8a3e", "#9c36b5", "#c2255c", "#0b7285", "#5f3dc4", "#846200",
];

/// Colour of a player.
pub(super) fn colour(player: usize) -> &'static str {
    COLOURS[player % COLOURS.len()]
}

/// Where on a canvas the nodes are.
pub(super) struct Frame {
    at: Vec<(f64, f64)>,
    radius: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Frame {
    pub(super) fn new(scene: &Scene<'_>, [left, top]: [f64; 2]) -> Self {
        let places = &scene.places;
        let by = |pick: fn(&(f64, f64)) -> f64, start: f64, take: fn(f64, f64) -> f64| {
            let all = places.iter().map(pick).fold(start, take);
            if all.is_finite() { all } else { 0.0 }
        };
        let low = (
            by(|p| p.0, f64::INFINITY, f64::min),
            by(|p| p.1, f64::INFINITY, f64::min),
        );
        let high = (
            by(|p| p.0, f64::NEG_INFINITY, f64::max),
            by(|p| p.1, f64::NEG_INFINITY, f64::max),
        );
        let (wide, tall) = (high.0 - low.0, high.1 - low.1);
        let mut lengths: Vec<f64> = scene
            .problem
            .arcs
            .iter()
            .filter_map(|arc| {
                let a = places[scene.node(&arc.from_node_id)?];
                let b = places[scene.node(&arc.to_node_id)?];
                Some((a.0 - b.0).hypot(a.1 - b.1))
            })
            .collect();
        lengths.sort_by(f64::total_cmp);
        let middle = lengths.get(lengths.len() / 2).copied().unwrap_or(1.0);
        let scale = (SIZE.0 / wide.max(1e-9))
            .min(SIZE.1 / tall.max(1e-9))
            .min(STEP_MAX / middle.max(1e-9));
        let at = |(x, y): &(f64, f64)| {
            (
                left + MARGIN + (x - low.0) * scale,
                top + MARGIN + (y - low.1) * scale,
            )
        };
        Self {
            at: places.iter().map(at).collect(),
            radius: (0.16 * middle * scale).clamp(2.5, 13.0),
            width: wide * scale + 2.0 * MARGIN,
            height: tall * scale + 2.0 * MARGIN,
        }
    }

    /// The middle of a node.
    fn node(&self, scene: &Scene<'_>, id: &str) -> Option<(f64, f64)> {
        Some(self.at[scene.node(id)?])
    }
}

/// Whether an arc does anybody harm.
fn harms(arc: &CrewArc) -> bool {
    arc.fetch_damage > 0.0 || arc.carry_damage > 0.0
}

/// Draws arcs: those that do harm in red, with the damage.
pub(super) fn arcs(canvas: &mut Canvas, frame: &Frame, scene: &Scene<'_>) {
    for arc in &scene.problem.arcs {
        let ends = (
            frame.node(scene, &arc.from_node_id),
            frame.node(scene, &arc.to_node_id),
        );
        let (Some(a), Some(b)) = ends else {
            continue;
        };
        let tip = tip(scene, arc);
        let (class, stroke) = if harms(arc) {
            ("harm", "#e03131")
        } else {
            ("arc", "#9aa4ad")
        };
        let part = |share: f64| (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share);
        canvas.curve([a, part(0.33), part(0.67), b], class, stroke, &tip);
        if arc.one_way {
            head(canvas, a, b, frame.radius, stroke);
        }
    }
    // Above all lines.
    for arc in scene.problem.arcs.iter().filter(|arc| harms(arc)) {
        let ends = (
            frame.node(scene, &arc.from_node_id),
            frame.node(scene, &arc.to_node_id),
        );
        if let (Some(a), Some(b)) = ends {
            let at = (a.0 + (b.0 - a.0) * 0.6 + 4.0, a.1 + (b.1 - a.1) * 0.6 - 6.0);
            let (fetch, carry) = (arc.fetch_damage, arc.carry_damage);
            let text = if fetch == carry {
                damage_text(fetch)
            } else {
                format!("{}/{}", damage_text(fetch), damage_text(carry))
            };
            canvas.text(at.0, at.1, "damage", &text);
        }
    }
}

fn tip(scene: &Scene<'_>, arc: &CrewArc) -> String {
    let (from, to) = (
        scene.node_name(&arc.from_node_id),
        scene.node_name(&arc.to_node_id),
    );
    let time = match &arc.walk_duration {
        Some(time) => span_text(micros(Some(time))),
        None => span_text(1_000_000),
    };
    let (fetch, carry) = (damage_text(arc.fetch_damage), damage_text(arc.carry_damage));
    let way = if arc.one_way { "to" } else { "and" };
    format!("{from} {way} {to}: {time}, damage {fetch} to fetch, {carry} to carry")
}

/// The head of an arrow, before a node.
fn head(canvas: &mut Canvas, a: (f64, f64), b: (f64, f64), radius: f64, fill: &str) {
    let (x, y) = (b.0 - a.0, b.1 - a.1);
    let long = x.hypot(y).max(1e-6);
    let (x, y) = (x / long, y / long);
    let tip = (b.0 - x * radius, b.1 - y * radius);
    let back = (tip.0 - x * 8.0, tip.1 - y * 8.0);
    canvas.polygon(
        &[
            tip,
            (back.0 - y * 3.5, back.1 + x * 3.5),
            (back.0 + y * 3.5, back.1 - x * 3.5),
        ],
        fill,
    );
}

/// Draws ways: dashed to the tool, full to the event; those of several players beside each other.
pub(super) fn ways(canvas: &mut Canvas, frame: &Frame, scene: &Scene<'_>, roles: &[&CrewRole]) {
    let middle = (roles.len() as f64 - 1.0) / 2.0;
    for (n, role) in roles.iter().enumerate() {
        let aside = (n as f64 - middle) * 4.0;
        let colour = colour(scene.player(&role.player_id));
        for (way, class) in [
            (&role.fetch_node_ids, "fetch"),
            (&role.carry_node_ids, "carry"),
        ] {
            let middles = way.iter().filter_map(|id| frame.node(scene, id));
            let points: Vec<_> = middles.map(|at| (at.0 + aside, at.1 + aside)).collect();
            if points.len() > 1 {
                canvas.polyline(&points, class, colour);
            }
        }
    }
}

/// Draws nodes, and who and what is there.
pub(super) fn nodes(canvas: &mut Canvas, frame: &Frame, scene: &Scene<'_>) {
    let problem = scene.problem;
    for (node, at) in problem.nodes.iter().zip(&frame.at) {
        let burns = problem.events.iter().any(|it| it.node_id == node.id);
        let fill = if burns { "#ffd8a8" } else { "#f1f3f5" };
        let name = scene.node_name(&node.id);
        canvas.disc([at.0, at.1, frame.radius], fill, "node", name);
        if frame.radius > 6.0 {
            canvas.text(at.0, at.1 + frame.radius + 10.0, "name", name);
        }
    }
    for event in &problem.events {
        if let Some(at) = frame.node(scene, &event.node_id) {
            let name = scene.event_name(&event.id);
            let place = [at.0, at.1, frame.radius * 0.8];
            canvas.diamond(place, "#f03e3e", "#7a1111", name);
        }
    }
    let mut seen = Vec::new();
    for tool in &problem.tools {
        if let Some((x, y)) = next_to(frame, scene, &tool.node_id, &mut seen) {
            let tip = scene.tool_name(&tool.id);
            canvas.outlined([x - 5.0, y - 5.0, 10.0, 10.0], "#ffe066", "#665200", tip);
        }
    }
    for (n, player) in problem.players.iter().enumerate() {
        if let Some(at) = next_to(frame, scene, &player.node_id, &mut seen) {
            canvas.circle(at.0, at.1, colour(n), scene.player_name(&player.id));
        }
    }
}

/// A place at a node, beside those that are taken there.
fn next_to<'a>(
    frame: &Frame,
    scene: &Scene<'_>,
    id: &'a str,
    seen: &mut Vec<&'a str>,
) -> Option<(f64, f64)> {
    let (x, y) = frame.node(scene, id)?;
    let before = seen.iter().filter(|other| **other == id).count();
    seen.push(id);
    let far = frame.radius * 0.8;
    Some((x - far + 12.0 * before as f64, y - far))
}
