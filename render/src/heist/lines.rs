//! The agent's plan and the routes of guards, as lines on the map.

use super::frame::Frame;
use super::map::{CUT, INTENT};
use super::scene::Scene;
use crate::scene::{Drawing, colour};
use petgraph::algo::astar;
use petgraph::graphmap::UnGraphMap;
use std::collections::BTreeMap;
use stratagem_proto::v1::{HeistOutcome, HeistPlan};

/// Moves that are drawn, at most: more would not be seen.
const MOVES_MAX: usize = 3_000;
/// Legs of rounds that are drawn, at most.
const LEGS_MAX: usize = 300;
/// Distance in pixels of the first line from the middle of an edge, and between lines.
const BESIDE: f64 = 14.0;
const LANE: f64 = 8.0;

/// Draws a plan: a line with arrows, and the number of each step that enters a room.
pub(super) fn intent(
    all: &mut Drawing,
    frame: &Frame,
    scene: &Scene<'_>,
    plan: &HeistPlan,
    outcome: Option<&HeistOutcome>,
) {
    let walk = scene.walk(plan);
    let ends = outcome
        .and_then(|o| o.step)
        .and_then(|n| usize::try_from(n).ok());
    let mut lanes: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    let mut line = Vec::new();
    let mut numbers = Vec::new();
    let moves = walk.windows(2).enumerate();
    let moves = moves.filter_map(|(n, pair)| Some((n, [pair[0]?, pair[1]?])));
    for (n, ends) in moves.filter(|(_, [a, b])| a != b).take(MOVES_MAX) {
        let lane = lanes.entry(ends).or_default();
        let [from, to] = frame.way(ends, BESIDE + LANE * *lane as f64);
        *lane += 1;
        if line.is_empty() {
            line.push(frame.middles[ends[0]]);
        }
        line.extend([from, to]);
        all.head(from, to, INTENT);
        numbers.push((n, ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0)));
    }
    if line.is_empty() {
        return;
    }
    all.line(&line, "bold pale", INTENT);
    let texts = super::words::steps(scene, plan);
    for (n, at) in numbers {
        // What comes after the step that fails does not happen.
        let fill = if ends.is_some_and(|end| n >= end) {
            CUT
        } else {
            INTENT
        };
        let tip = format!("step {}: {}", n + 1, texts[n].words);
        all.disc([at.0, at.1, 7.0], fill, "disc").tip(tip);
        all.text((at.0, at.1 + 3.0), "number", &(n + 1).to_string());
    }
}

/// Draws the rounds of guards, dashed.
pub(super) fn routes(all: &mut Drawing, frame: &Frame, scene: &Scene<'_>) {
    let mut room = LEGS_MAX;
    for (n, guard) in scene.world.guards.iter().enumerate() {
        let visits = guard.goal.as_ref().map_or(&[][..], |g| &g.visit_room_ids);
        let stops = [&guard.room_id].into_iter().chain(visits);
        let mut stops: Vec<usize> = stops.filter_map(|id| scene.room(id)).collect();
        // The route begins again.
        stops.extend(visits.first().and_then(|id| scene.room(id)));
        stops.dedup();
        let fill = colour(n + scene.world.key_ids.len());
        let mut drawn = std::collections::BTreeSet::new();
        for leg in stops.windows(2).take(room) {
            room -= 1;
            let rooms = path(scene, [leg[0], leg[1]]);
            for pair in rooms.windows(2) {
                let ends = [pair[0], pair[1]];
                if drawn.insert(ends) {
                    let way = frame.way(ends, BESIDE + 4.0 + 5.0 * (n % 4) as f64);
                    all.line(&way, "line dash", &fill);
                    all.head(way[0], way[1], &fill);
                }
            }
        }
    }
}

/// Rooms on a shortest way, whatever is locked; none where there is no way.
fn path(scene: &Scene<'_>, [from, to]: [usize; 2]) -> Vec<usize> {
    let doors = (0..scene.world.doors.len()).filter_map(|door| scene.sides(door));
    let rooms = UnGraphMap::<usize, ()>::from_edges(doors.map(|[a, b]| (a, b)));
    let path = astar(&rooms, from, |room| room == to, |_| 1, |_| 0);
    path.map_or_else(Vec::new, |(_, rooms)| rooms)
}
