//! What there is to choose from, as text.

use super::scene::Scene;
use super::{Chosen, Drawn};
use crate::label::{columns, printable};
use crate::text::TextOptions;
use crate::time::{micros, span_text};
use std::fmt::Write as _;
use stratagem_proto::v1::{CrewFront, CrewJoint, CrewJointPoint, CrewPlan, CrewPoint, CrewRole};

/// Points that are listed: more are only counted.
const POINTS_MAX: usize = 500;

/// A damage for people.
pub(super) fn damage_text(damage: f64) -> String {
    // No more than 6 decimals.
    let text = format!("{damage:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() { "0" } else { text }.to_owned()
}

/// Time and damage of a point for people.
pub(super) fn point_text(point: &CrewPoint) -> [String; 2] {
    both_text(micros(point.worst_duration.as_ref()), point.worst_damage)
}

/// A time and a damage for people.
pub(super) fn both_text(time_us: i64, damage: f64) -> [String; 2] {
    [span_text(time_us), damage_text(damage)]
}

/// Who comes to which event, in words.
pub(super) fn teams_text(scene: &Scene<'_>, point: &CrewJointPoint) -> String {
    let teams = point.teams.iter().map(|team| {
        let who: Vec<_> = team.roles.iter().map(|it| scene.role(it)).collect();
        format!("{}: {}", scene.event_name(&team.event_id), who.join(", "))
    });
    teams.collect::<Vec<_>>().join("; ")
}

/// How many players, in words.
pub(super) fn players_text(front: &CrewFront) -> String {
    match front.player_count {
        1 => "1 player".into(),
        count => format!("{count} players"),
    }
}

/// What is to be said about a point beside its time and damage.
pub(super) fn note(point: &CrewPoint) -> String {
    let mut notes = Vec::new();
    if point.dominated_by_fewer_players {
        notes.push("dominated by fewer players".to_owned());
    }
    match (point.ties.len(), point.has_more_ties) {
        (0, _) => {}
        (ties, true) => notes.push(format!("{ties} ties and more")),
        (1, false) => notes.push("1 tie".into()),
        (ties, false) => notes.push(format!("{ties} ties")),
    }
    notes.join(", ")
}

/// Why a front has no points, in words.
pub(super) fn empty_text(front: &CrewFront) -> String {
    match (&front.empty_reason, front.complete) {
        (Some(reason), _) => format!("impossible: {}", reason.message),
        (None, false) => "nothing was found".into(),
        (None, true) => "impossible".into(),
    }
}

/// Returns all fronts as a table: by event and number of players, each point with time, damage and
/// players, or the reason for an empty front; at most 500 points.
#[must_use]
pub fn front_text(scene: &Scene<'_>, plan: &CrewPlan, options: &TextOptions) -> String {
    let mut out = String::new();
    for (index, event) in plan.events.iter().enumerate() {
        let name = printable(scene.event_name(&event.event_id));
        let _ = writeln!(out, "{}", options.styled("1", &name));
        let mut rows = vec![["players", "time", "damage", "who"].map(str::to_owned)];
        for front in &event.fronts {
            front_rows(scene, front, &mut rows);
        }
        let more = rows.len().saturating_sub(POINTS_MAX + 1);
        rows.truncate(POINTS_MAX + 1);
        let width = |column: usize| rows.iter().map(|row| columns(&row[column])).max();
        let widths = [0, 1, 2].map(|column| width(column).unwrap_or(0));
        for (n, [players, time, damage, who]) in rows.iter().enumerate() {
            let pad = |text: &str, width: usize| " ".repeat(width.saturating_sub(columns(text)));
            let line = format!(
                "  {}{players}  {}{time}  {}{damage}  {who}",
                pad(players, widths[0]),
                pad(time, widths[1]),
                pad(damage, widths[2])
            );
            let style = if n == 0 { "2" } else { "" };
            let line = line.trim_end();
            let line = match style {
                "" => line.to_owned(),
                style => options.styled(style, line),
            };
            let _ = writeln!(out, "{line}");
        }
        if more > 0 {
            let _ = writeln!(out, "  and {more} more");
        }
        if index + 1 < plan.events.len() {
            out.push('\n');
        }
    }
    if let Some(joint) = &plan.joint {
        let _ = write!(out, "\n{}", joint_text(scene, joint, options));
    }
    out
}

/// The front of all events together, a line for each point.
fn joint_text(scene: &Scene<'_>, joint: &CrewJoint, options: &TextOptions) -> String {
    let mut out = format!("{}\n", options.styled("1", "All events at once"));
    for point in joint.points.iter().take(POINTS_MAX) {
        let [time, damage] = both_text(micros(point.worst_duration.as_ref()), point.worst_damage);
        let teams = printable(&teams_text(scene, point));
        let _ = writeln!(out, "  {time}, damage {damage}: {teams}");
    }
    if joint.points.is_empty() {
        out += "  nothing can be done\n";
    }
    if !joint.complete {
        out += "  there may be better ones\n";
    }
    out
}

fn front_rows(scene: &Scene<'_>, front: &CrewFront, rows: &mut Vec<[String; 4]>) {
    let players = || front.player_count.to_string();
    if front.points.is_empty() {
        let why = printable(&empty_text(front));
        rows.push([players(), "-".into(), "-".into(), why]);
    }
    for point in &front.points {
        let [time, damage] = point_text(point);
        let who: Vec<_> = point.roles.iter().map(|it| scene.role(it)).collect();
        let mut who = printable(&who.join("; "));
        let note = note(point);
        if !note.is_empty() {
            let _ = write!(who, "  ({note})");
        }
        rows.push([players(), time, damage, who]);
    }
    if !front.complete && !front.points.is_empty() {
        let note = "there may be better ones".to_owned();
        rows.push([players(), "?".into(), "?".into(), note]);
    }
}

/// Returns who goes where at a point, a line for each player; for a plan without points nothing.
#[must_use]
pub fn way_lines<'a>(scene: &Scene<'a>, drawn: Drawn<'a>, options: &TextOptions) -> String {
    let Some(Chosen {
        name,
        time_us,
        damage,
        roles,
        ..
    }) = drawn.chosen(scene)
    else {
        return String::new();
    };
    let [time, damage] = both_text(time_us, damage);
    let head = printable(&format!("{name}, {time}, damage {damage}"));
    let mut out = format!("{}\n", options.styled("1", &head));
    let arrow = if options.ascii { " > " } else { " → " };
    for role in roles {
        let way = way(scene, role, arrow);
        let time = span_text(micros(role.walk_duration.as_ref()));
        let damage = damage_text(role.walk_damage);
        let who = options.styled("36", &printable(&scene.role(role)));
        let _ = writeln!(out, "  {who}: {time} on foot, damage {damage}");
        let _ = writeln!(out, "    {}", printable(&way));
    }
    out
}

/// A way by names; where the tool is taken is in brackets.
pub(super) fn way(scene: &Scene<'_>, role: &CrewRole, arrow: &str) -> String {
    let name = |id: &String| scene.node_name(id).to_owned();
    let mut names: Vec<String> = role.fetch_node_ids.iter().map(name).collect();
    if let Some(last) = names.last_mut() {
        *last = format!("[{last}]");
    }
    names.extend(role.carry_node_ids.iter().skip(1).map(name));
    names.join(arrow)
}
