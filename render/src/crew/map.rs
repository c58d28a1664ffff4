//! The ship: nodes, arcs with what they do, who and what is where, and paths by colour.

use super::ship::Ship;
use super::words::damage_text;
use crate::scene::{Drawing, Fit, Form, Point, moved};
use crate::time::{micros, span_text};
use stratagem_proto::v1::{CrewArc, CrewRole};

/// Size of a map, at most, and pixels around its nodes.
const SIZE: Point = (980.0, 700.0);
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

/// Where nodes are.
struct Frame<'s> {
    ship: &'s Ship<'s>,
    fit: Fit,
    radius: f64,
}

impl Frame<'_> {
    fn node(&self, id: &str) -> Option<Point> {
        let node = self.ship.node(id)?;
        Some(self.fit.place(self.ship.places[node]))
    }

    fn arc(&self, arc: &CrewArc) -> Option<[Point; 2]> {
        Some([self.node(&arc.from_node_id)?, self.node(&arc.to_node_id)?])
    }
}

/// The ship, and the paths of some roles: dashed to the tool, solid to the event.
pub(super) fn drawing(ship: &Ship<'_>, roles: &[&CrewRole]) -> Drawing {
    let lengths = ship.problem.arcs.iter().filter_map(|arc| {
        let a = ship.places[ship.node(&arc.from_node_id)?];
        let b = ship.places[ship.node(&arc.to_node_id)?];
        Some((a.0 - b.0).hypot(a.1 - b.1))
    });
    let mut lengths: Vec<f64> = lengths.collect();
    lengths.sort_by(f64::total_cmp);
    let middle = lengths.get(lengths.len() / 2).copied().unwrap_or(1.0);
    let fit = Fit::new(&ship.places, SIZE, MARGIN, STEP_MAX / middle.max(1e-9));
    let frame = Frame {
        ship,
        fit,
        radius: (0.16 * middle * fit.scale).clamp(2.5, 13.0),
    };
    let mut all = Drawing {
        width: fit.size.0.max(400.0),
        height: fit.size.1,
        ..Drawing::default()
    };
    arcs(&mut all, &frame);
    paths(&mut all, &frame, roles);
    nodes(&mut all, &frame);
    pieces(&mut all, &frame);
    all
}

/// Whether an arc does anybody harm.
fn harms(arc: &CrewArc) -> bool {
    arc.fetch_damage > 0.0 || arc.carry_damage > 0.0
}

/// Draws arcs: those that do harm in red, with the damage.
fn arcs(all: &mut Drawing, frame: &Frame<'_>) {
    let arcs = || frame.ship.problem.arcs.iter();
    for arc in arcs() {
        let Some([a, b]) = frame.arc(arc) else {
            continue;
        };
        let (class, stroke) = if harms(arc) {
            ("bold", "#e03131")
        } else {
            ("line", "#9aa4ad")
        };
        let line = all.add(Form::Line(vec![a, b]), class);
        line.stroke(stroke).tip(tip(frame.ship, arc));
        if arc.one_way {
            let (x, y) = (b.0 - a.0, b.1 - a.1);
            let share = 1.0 - frame.radius / x.hypot(y).max(1e-6);
            all.head(a, (a.0 + x * share, a.1 + y * share), stroke);
        }
    }
    // Above all lines.
    for arc in arcs().filter(|arc| harms(arc)) {
        if let Some([a, b]) = frame.arc(arc) {
            let at = |a: f64, b: f64| a + (b - a) * 0.6;
            let at = (at(a.0, b.0) + 4.0, at(a.1, b.1) - 6.0);
            let (fetch, carry) = (arc.fetch_damage, arc.carry_damage);
            let text = if fetch == carry {
                damage_text(fetch)
            } else {
                format!("{}/{}", damage_text(fetch), damage_text(carry))
            };
            all.text(at, "strong halo", &text);
        }
    }
}

fn tip(ship: &Ship<'_>, arc: &CrewArc) -> String {
    let (from, to) = (
        ship.node_name(&arc.from_node_id),
        ship.node_name(&arc.to_node_id),
    );
    let time = arc.walk_duration.as_ref();
    let time = span_text(time.map_or(1_000_000, |time| micros(Some(time))));
    let (fetch, carry) = (damage_text(arc.fetch_damage), damage_text(arc.carry_damage));
    let joint = if arc.one_way { "to" } else { "and" };
    format!("{from} {joint} {to}: {time}, damage {fetch} to fetch, {carry} to carry")
}

/// Draws paths, those of several players side by side.
fn paths(all: &mut Drawing, frame: &Frame<'_>, roles: &[&CrewRole]) {
    let middle = (roles.len() as f64 - 1.0) / 2.0;
    for (n, role) in roles.iter().enumerate() {
        let aside = (n as f64 - middle) * 4.0;
        let colour = colour(frame.ship.player(&role.player_id));
        for (path, class) in [
            (&role.fetch_node_ids, "bold pale dash"),
            (&role.carry_node_ids, "heavy pale"),
        ] {
            let nodes: Vec<_> = path.iter().filter_map(|id| frame.node(id)).collect();
            for ends in nodes.windows(2) {
                all.line(&moved([ends[0], ends[1]], aside), class, colour);
            }
        }
    }
}

fn nodes(all: &mut Drawing, frame: &Frame<'_>) {
    let problem = frame.ship.problem;
    for (node, place) in problem.nodes.iter().zip(&frame.ship.places) {
        let (x, y) = frame.fit.place(*place);
        let burns = problem.events.iter().any(|it| it.node_id == node.id);
        let fill = if burns { "#ffd8a8" } else { "#f1f3f5" };
        let name = frame.ship.node_name(&node.id);
        all.disc([x, y, frame.radius], fill, "disc").tip(name);
        if frame.radius > 6.0 {
            let at = (x, y + frame.radius + 10.0);
            all.fitted(at, "small", name, 8.0 * frame.radius);
        }
    }
}

/// Draws events, tools and players.
fn pieces(all: &mut Drawing, frame: &Frame<'_>) {
    let (ship, problem) = (frame.ship, frame.ship.problem);
    for event in &problem.events {
        if let Some((x, y)) = frame.node(&event.node_id) {
            let diamond = all.diamond([x, y, frame.radius * 0.8], "#f03e3e");
            diamond.stroke("#7a1111").tip(ship.event_name(&event.id));
        }
    }
    let mut seen: Vec<&str> = Vec::new();
    let mut next_to = |id| {
        let (x, y) = frame.node(id)?;
        // Next to those that are there already.
        let before = seen.iter().filter(|other| **other == id).count();
        seen.push(id);
        let far = frame.radius * 0.8;
        Some((x - far + 12.0 * before as f64, y - far))
    };
    for tool in &problem.tools {
        if let Some((x, y)) = next_to(&tool.node_id) {
            let card = all.card([x - 5.0, y - 5.0, 10.0, 10.0], "#ffe066", "#665200");
            card.tip(ship.tool_name(&tool.id));
        }
    }
    for (n, player) in problem.players.iter().enumerate() {
        if let Some((x, y)) = next_to(&player.node_id) {
            let disc = all.disc([x, y, 5.0], colour(n), "disc");
            disc.tip(ship.player_name(&player.id));
        }
    }
}
