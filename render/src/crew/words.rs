//! Points, paths and places in words.

use super::Chosen;
use super::ship::Ship;
use crate::scene::{Content, On, Scene, line, table};
use crate::time::{micros, span_text};
use stratagem_proto::v1::{CrewFront, CrewJoint, CrewJointPoint, CrewPlan, CrewPoint, CrewRole};

/// Rows of a table, at most.
const ROWS_MAX: usize = 2_000;

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

/// How many players, in words.
pub(super) fn players_text(front: &CrewFront) -> String {
    match front.player_count {
        1 => "1 player".into(),
        count => format!("{count} players"),
    }
}

/// Where players, tools and events are.
pub(super) fn places(ship: &Ship<'_>) -> Vec<String> {
    let problem = ship.problem;
    let players = problem.players.iter();
    let players = players.map(|it| (ship.player_name(&it.id), it.node_id.as_str()));
    let tools = problem.tools.iter();
    let tools = tools.map(|it| (ship.tool_name(&it.id), it.node_id.as_str()));
    let events = problem.events.iter();
    let events = events.map(|it| (ship.event_name(&it.id), it.node_id.as_str()));
    let all = players.chain(tools).chain(events);
    all.map(|(what, node)| format!("{what} is in {}", ship.node_name(node)))
        .collect()
}

/// Adds all points: a table for each event, with the reason for an empty front, and one for all
/// events together; and on pages all paths.
pub(super) fn tables(scene: &mut Scene, ship: &Ship<'_>, plan: &CrewPlan) {
    let head = ["players", "time", "damage", "who", "remark"];
    let mut paths = Vec::new();
    for options in &plan.events {
        let event = ship.event_name(&options.event_id);
        let mut rows = Vec::new();
        for front in &options.fronts {
            rows.extend(front_rows(ship, front));
            for point in &front.points {
                let [time, damage] = point_text(point);
                let key = [
                    event.to_owned(),
                    front.player_count.to_string(),
                    time,
                    damage,
                ];
                paths.extend(point.roles.iter().map(|role| path_row(ship, &key, role)));
            }
        }
        let rows = table(event, &head, rows.into_iter(), ROWS_MAX);
        scene.push(On::Words, rows.trimmed());
    }
    if let Some(joint) = &plan.joint {
        for point in &joint.points {
            let time = micros(point.worst_duration.as_ref());
            let [time, damage] = both_text(time, point.worst_damage);
            let roles = || point.teams.iter().flat_map(|team| &team.roles);
            let key = ["all".into(), roles().count().to_string(), time, damage];
            paths.extend(roles().map(|role| path_row(ship, &key, role)));
        }
        let rows = joint_rows(ship, joint).into_iter();
        let rows = table("All events together", &head, rows, ROWS_MAX);
        scene.push(On::Words, rows.trimmed());
    }
    let head = [
        "event",
        "players",
        "time",
        "damage",
        "who",
        "path, the tool in brackets",
    ];
    let paths = table("Paths", &head, paths.into_iter(), ROWS_MAX);
    scene.push(On::Page, paths);
}

fn path_row(ship: &Ship<'_>, key: &[String; 4], role: &CrewRole) -> Vec<String> {
    let mut row = key.to_vec();
    row.extend([ship.role(role), path(ship, role)]);
    row
}

fn front_rows(ship: &Ship<'_>, front: &CrewFront) -> Vec<Vec<String>> {
    let players = || front.player_count.to_string();
    let row = |time: &str, damage: &str, who: String, remark: String| {
        vec![players(), time.to_owned(), damage.to_owned(), who, remark]
    };
    if front.points.is_empty() {
        let why = match (&front.empty_reason, front.complete) {
            (Some(reason), _) => format!("impossible: {}", reason.message),
            (None, false) => "nothing was found".into(),
            (None, true) => "impossible".into(),
        };
        return vec![row("-", "-", why, String::new())];
    }
    let points = front.points.iter().map(|point| {
        let [time, damage] = point_text(point);
        let who: Vec<_> = point.roles.iter().map(|it| ship.role(it)).collect();
        row(&time, &damage, who.join("; "), remark(point))
    });
    let better = (!front.complete).then(|| {
        let better = "there may be better ones".to_owned();
        row("?", "?", better, String::new())
    });
    points.chain(better).collect()
}

/// What there is about a point besides its time and damage.
fn remark(point: &CrewPoint) -> String {
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

/// The front of all events together.
fn joint_rows(ship: &Ship<'_>, joint: &CrewJoint) -> Vec<Vec<String>> {
    let row = |point: &CrewJointPoint| {
        let time = micros(point.worst_duration.as_ref());
        let [time, damage] = both_text(time, point.worst_damage);
        let teams = point.teams.iter().map(|team| {
            let who: Vec<_> = team.roles.iter().map(|it| ship.role(it)).collect();
            format!("{}: {}", ship.event_name(&team.event_id), who.join(", "))
        });
        let count: usize = point.teams.iter().map(|team| team.roles.len()).sum();
        let teams = teams.collect::<Vec<_>>().join("; ");
        vec![count.to_string(), time, damage, teams, String::new()]
    };
    let note = |text: &str| {
        let sign = "-".to_owned();
        vec![sign.clone(), sign.clone(), sign, text.into(), String::new()]
    };
    let points = joint.points.iter().map(row);
    let none = joint.points.is_empty().then(|| note("nothing can be done"));
    let better = (!joint.complete).then(|| note("there may be better ones"));
    points.chain(none).chain(better).collect()
}

/// Adds the paths of a point for terminals.
pub(super) fn paths(scene: &mut Scene, ship: &Ship<'_>, chosen: Option<&Chosen<'_>>) {
    let Some(chosen) = chosen else {
        return;
    };
    let mut lines = vec![line("1", chosen.text())];
    for role in &chosen.roles {
        let [time, damage] = both_text(micros(role.walk_duration.as_ref()), role.walk_damage);
        let who = ship.role(role);
        lines.push(line(
            "36",
            format!("  {who}: {time} on foot, damage {damage}"),
        ));
        lines.push(line("", format!("    {}", path(ship, role))));
    }
    scene.push(On::Terminal, Content::Lines(lines));
}

/// A path by names; where the tool is taken is in brackets.
pub(super) fn path(ship: &Ship<'_>, role: &CrewRole) -> String {
    let name = |id: &String| ship.node_name(id).to_owned();
    let mut names: Vec<String> = role.fetch_node_ids.iter().map(name).collect();
    if let Some(last) = names.last_mut() {
        *last = format!("[{last}]");
    }
    names.extend(role.carry_node_ids.iter().skip(1).map(name));
    names.join(" > ")
}
