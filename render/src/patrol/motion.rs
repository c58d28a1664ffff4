//! Guards that go round in a picture. Each repeats its own cycle, and all are where they are at the
//! same moment: so the whole joint period is shown, however long it is.

use super::frame::Frame;
use super::ground::Ground;
use super::walk::Walk;
use crate::svg::{Canvas, colour};
use crate::time::span_text;

/// Stops of a cycle beyond which a guard stands still in the picture.
const STOPS_MAX: usize = 3_000;
/// Seconds that the longest cycle takes, at most and at least.
const SECONDS: [f64; 2] = [4.0, 60.0];
/// Seconds of a tick where that is possible.
const TICK_SECONDS: f64 = 0.5;

/// Seconds of a tick in the picture.
pub(super) fn tick_seconds(walks: &[Walk<'_>]) -> f64 {
    let longest = walks.iter().map(|w| w.long).max().unwrap_or(1).max(1) as f64;
    (TICK_SECONDS * longest).clamp(SECONDS[0], SECONDS[1]) / longest
}

/// How fast the picture goes, in words.
pub(super) fn speed(ground: &Ground<'_>, walks: &[Walk<'_>]) -> String {
    let us = ground.tick_us as f64 / tick_seconds(walks);
    // Saturates.
    let us = us.round() as i64;
    format!("a second shows {}", span_text(us))
}

/// Draws all guards on their cycles, from when the last one is on its own.
pub(super) fn guards(canvas: &mut Canvas, frame: &Frame, ground: &Ground<'_>, walks: &[Walk<'_>]) {
    let tick = tick_seconds(walks);
    let all_round = walks.iter().map(|w| w.begin).max().unwrap_or(0);
    for (n, walk) in walks.iter().enumerate() {
        let mut stops = Vec::new();
        for visit in &walk.cycle {
            let at = frame.scaled(ground.places[visit.vertex]);
            let share = |tick: i64| (tick - walk.begin) as f64 / walk.long as f64;
            stops.push((at, share(visit.at).clamp(0.0, 1.0)));
            if visit.stay > 0 {
                let until = visit.at.saturating_add(visit.stay);
                stops.push((at, share(until).clamp(0.0, 1.0)));
            }
        }
        if walk.cycle.len() > STOPS_MAX || walk.cycle.len() == 1 {
            stops.truncate(1);
        } else if let Some((first, _)) = stops.first().copied() {
            stops.push((first, 1.0));
        }
        let ahead = (all_round - walk.begin).rem_euclid(walk.long);
        let seconds = [walk.long as f64 * tick, ahead as f64 * tick];
        canvas.traveller(&stops, seconds, n + 1, &colour(n), walk.name);
    }
}
