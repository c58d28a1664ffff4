//! Problems as maps of tiles.

use super::super::super::Options;
use super::super::pace::{TICK_US, unpace};
use super::{Place, id, neighbours, read};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use stratagem_proto::v1::{PatrolEntry, PatrolIntruder, PatrolMotion, PatrolProblem};
use stratagem_render::time::micros;

/// Longest row and most rows: nothing larger is read.
const SIDE_MAX: usize = super::SIDE_MAX;

/// A problem as a map of tiles that [`read`](fn@super::read) reads as the very same problem.
///
/// # Errors
/// Why there is no such map.
pub fn write(problem: &PatrolProblem) -> Result<String, String> {
    let mut seconds = problem.clone();
    let tick_us = unpace(&mut seconds).ok_or("a time is no whole number of ticks")?;
    let plan = Plan::new(&seconds)?;
    let mut why = String::new();
    for doors in plan.doors() {
        let text = plan.text(&seconds, tick_us, &doors);
        // What is read decides: each way to draw it is tried.
        match read(&text, &Options::default()) {
            Ok(again) => match difference(problem, &again) {
                None => return Ok(text),
                Some(what) => why = format!("a map of tiles cannot say {what} of this problem"),
            },
            Err(mistakes) => {
                let first = mistakes.first().map(ToString::to_string);
                why = format!("as a map of tiles: {}", first.unwrap_or_default());
            }
        }
    }
    Err(why)
}

/// What of a problem another one does not have, in words.
fn difference(problem: &PatrolProblem, again: &PatrolProblem) -> Option<&'static str> {
    let mut asked = problem.clone();
    let mut again = again.clone();
    for one in [&mut asked, &mut again] {
        plain(one);
    }
    let part = |same: bool, what| (!same).then_some(what);
    part(
        asked.title == again.title && asked.description == again.description,
        "the texts",
    )
    .or(part(asked.vertices == again.vertices, "the vertices"))
    .or(part(asked.edges == again.edges, "the edges"))
    .or(part(asked.guards == again.guards, "the guards"))
    .or(part(asked.intruder == again.intruder, "the intruder"))
    .or(part(asked == again, "the rules or the objective"))
}

/// Says what is meant in one way only: defaults as they are, edges in order.
fn plain(problem: &mut PatrolProblem) {
    let tick_us = problem
        .tick_duration
        .as_ref()
        .map_or(TICK_US, |t| micros(Some(t)));
    problem.tick_duration = problem.tick_duration.take().filter(|_| tick_us != TICK_US);
    for vertex in &mut problem.vertices {
        vertex.weight = vertex.weight.filter(|weight| *weight != 1.0);
        vertex.seen_vertex_ids.sort();
        for time in [&mut vertex.pause_duration, &mut vertex.gap_duration] {
            *time = time.take().filter(|time| micros(Some(time)) != 0);
        }
    }
    for edge in &mut problem.edges {
        if edge.from_vertex_id > edge.to_vertex_id {
            std::mem::swap(&mut edge.from_vertex_id, &mut edge.to_vertex_id);
        }
        let tick = |time: &prost_types::Duration| micros(Some(time)) != tick_us;
        edge.travel_duration = edge.travel_duration.take().filter(tick);
    }
    let ends = |edge: &stratagem_proto::v1::PatrolEdge| {
        (edge.from_vertex_id.clone(), edge.to_vertex_id.clone())
    };
    problem.edges.sort_by_key(ends);
    problem.vertices.sort_by(|one, other| one.id.cmp(&other.id));
    for guard in &mut problem.guards {
        guard.speed = guard.speed.filter(|speed| *speed != 1.0);
    }
    let alone = |objective: &stratagem_proto::v1::PatrolObjective| {
        objective.worst_idleness_weight != 0 || objective.mean_idleness_weight != 0
    };
    problem.objective = problem.objective.take().filter(alone);
}

/// Where everything stands.
struct Plan {
    /// Letters of the floor, without doors.
    floor: BTreeMap<Place, char>,
    /// Lengths of the ways from each place.
    ways: BTreeMap<Place, Vec<(Place, i64)>>,
    /// Ticks of a step at a door.
    door: i64,
    width: usize,
    height: usize,
}

impl Plan {
    fn new(problem: &PatrolProblem) -> Result<Self, String> {
        let mut places: BTreeMap<&str, Place> = BTreeMap::new();
        let mut plan = Self {
            floor: BTreeMap::new(),
            ways: BTreeMap::new(),
            door: 2,
            width: 0,
            height: 0,
        };
        for vertex in &problem.vertices {
            let place = place(&vertex.id).ok_or_else(|| {
                format!("a map calls its places `column,row`, not `{}`", vertex.id)
            })?;
            places.insert(&vertex.id, place);
            let weight = vertex.weight.unwrap_or(1.0);
            let letter = match (&vertex.pause_duration, &vertex.gap_duration) {
                (Some(time), _) if micros(Some(time)) > 0 => 'P',
                (_, Some(time)) if micros(Some(time)) > 0 => 'V',
                _ if weight == 1.0 => '.',
                // What has no digit is found when the map is read.
                _ => char::from_digit(weight as u32, 10).unwrap_or('9'),
            };
            plan.floor.insert(place, letter);
            plan.width = plan.width.max(place.0 + 1);
            plan.height = plan.height.max(place.1 + 1);
        }
        for guard in &problem.guards {
            if let Some(place) = places.get(guard.start_vertex_id.as_str()) {
                plan.floor.insert(*place, 'G');
            }
        }
        for edge in &problem.edges {
            let find = |id: &str| {
                places
                    .get(id)
                    .copied()
                    .ok_or_else(|| format!("there is no vertex `{id}`"))
            };
            let ends = [find(&edge.from_vertex_id)?, find(&edge.to_vertex_id)?];
            if !neighbours(ends[0]).contains(&ends[1]) {
                let [one, other] = ends.map(id);
                return Err(format!(
                    "on a map there is no path from {one} to {other}: they are not next to each other"
                ));
            }
            let length = edge.travel_duration.as_ref();
            let length = length.map_or(1, |time| micros(Some(time)) / TICK_US);
            if length != 1 {
                plan.door = length;
            }
            for [from, to] in [ends, [ends[1], ends[0]]] {
                plan.ways.entry(from).or_default().push((to, length));
            }
        }
        Ok(plan)
    }

    /// Which places may be doors: first all whose ways are all long, then as few of them as make
    /// all long ways so.
    fn doors(&self) -> [BTreeSet<Place>; 2] {
        let long = |ways: &[(Place, i64)]| ways.iter().all(|(_, length)| *length != 1);
        let plain = |place: &Place| self.floor.get(place) == Some(&'.');
        let all = self
            .ways
            .iter()
            .filter(|(place, ways)| long(ways) && plain(place));
        let all: BTreeSet<Place> = all.map(|(place, _)| *place).collect();
        let mut few = all.clone();
        // Places at the end of a way are more likely to be behind the door than the door.
        let mut order: Vec<Place> = all.iter().copied().collect();
        order.sort_by_key(|place| self.ways[place].len());
        for place in order {
            if self.ways[&place].iter().all(|(to, _)| few.contains(to)) {
                few.remove(&place);
            }
        }
        [few, all]
    }

    /// The map with these doors.
    fn text(&self, problem: &PatrolProblem, tick_us: i64, doors: &BTreeSet<Place>) -> String {
        let mut text = settings(problem, tick_us, self.door);
        let starts: BTreeSet<&str> = problem
            .guards
            .iter()
            .map(|guard| guard.start_vertex_id.as_str())
            .collect();
        if starts.len() != problem.guards.len() {
            let _ = writeln!(text, "guards: {}", problem.guards.len());
        }
        let far = sight(problem);
        if far > 0 {
            let _ = writeln!(text, "sight: {far}");
        }
        text.push('\n');
        for row in 0..self.height.min(SIDE_MAX) + 1 {
            for column in 0..self.width.min(SIDE_MAX) + 1 {
                let place = (column, row);
                text.push(match self.floor.get(&place) {
                    Some(_) if doors.contains(&place) => '+',
                    Some(letter) => *letter,
                    None => '#',
                });
            }
            text.push('\n');
        }
        text
    }
}

/// The place that an id names.
fn place(text: &str) -> Option<Place> {
    let (column, row) = text.split_once(',')?;
    let place = (column.parse().ok()?, row.parse().ok()?);
    (id(place) == text && place.0 < SIDE_MAX && place.1 < SIDE_MAX).then_some(place)
}

/// The range of tiles within which everything is that is seen.
fn sight(problem: &PatrolProblem) -> u64 {
    let mut far = 0;
    for vertex in &problem.vertices {
        let Some(from) = place(&vertex.id) else {
            continue;
        };
        for to in vertex.seen_vertex_ids.iter().filter_map(|id| place(id)) {
            let (x, y) = (from.0.abs_diff(to.0) as u64, from.1.abs_diff(to.1) as u64);
            far = far.max(x * x + y * y);
        }
    }
    let root = far.isqrt();
    root + u64::from(root * root < far)
}

/// The lines above the map, but those about guards.
fn settings(problem: &PatrolProblem, tick_us: i64, door: i64) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name}: {value}");
    };
    if !problem.title.is_empty() {
        line("title", &problem.title);
    }
    if !problem.description.is_empty() {
        line("description", &problem.description);
    }
    if tick_us != TICK_US {
        line("tick", &format!("{tick_us}us"));
    }
    let given = problem.intruder.unwrap_or_default();
    let ticks = |time: Option<&prost_types::Duration>| micros(time) / TICK_US;
    intruder(&given, &mut line);
    let vertices = problem.vertices.iter();
    let pauses = vertices.clone().map(|v| ticks(v.pause_duration.as_ref()));
    let gaps = vertices.map(|v| ticks(v.gap_duration.as_ref()));
    // All are alike, or the map cannot say it, which is found when it is read.
    let (pause, gap) = (
        pauses.max().filter(|t| *t > 0),
        gaps.max().filter(|t| *t > 0),
    );
    for (name, value, default) in [
        ("pause", pause.unwrap_or(1), 1),
        ("gap", gap.unwrap_or(3), 3),
        ("door", door, 2),
    ] {
        if value != default {
            line(name, &value.to_string());
        }
    }
    for (name, is_not) in [
        ("staying", problem.allow_staying == Some(false)),
        ("passing", problem.allow_passing == Some(false)),
    ] {
        if is_not {
            line(name, "no");
        }
    }
    text
}

fn intruder(given: &PatrolIntruder, line: &mut impl FnMut(&str, &str)) {
    let ticks = |time: Option<&prost_types::Duration>| (micros(time) / TICK_US).to_string();
    line("time", &ticks(given.penetration_duration.as_ref()));
    let motion = match given.motion() {
        PatrolMotion::Lazy => Some("lazy"),
        PatrolMotion::Moving => Some("moving"),
        PatrolMotion::BorderStay => Some("border-stay"),
        PatrolMotion::Stationary | PatrolMotion::Unspecified => None,
    };
    if let Some(motion) = motion {
        line("intruder", motion);
    }
    if given.exclusive {
        line("window", "exclusive");
    }
    match given.entry() {
        PatrolEntry::Start => line("entry", "start"),
        PatrolEntry::Steady => line("entry", "steady"),
        PatrolEntry::Mission => {
            let last = ticks(given.mission_duration.as_ref());
            line("entry", &format!("mission {last}"));
        }
        PatrolEntry::Unspecified => {}
    }
}
