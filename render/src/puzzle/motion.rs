//! Solutions that play, in SVG's own animation: no script.

use super::board::{Board, Heading, Moved};
use super::style::{PLAYER, crate_of, pieces as still};
use std::fmt::Write as _;

/// Most steps that are played.
const STEPS_MAX: usize = 2_000;
/// Seconds of a step.
const STEP_S: f64 = 0.22;
/// Steps that the picture waits before the first and after the last.
const WAIT: usize = 5;

/// When something is where: its cell, and the step after which it is there. Rising; the first is 0.
type Stops = Vec<(usize, usize)>;

/// Boxes and the player on the way of a solution, again and again; at rest where there is none.
pub(super) fn pieces(board: &Board, solution: &str) -> String {
    let mut now = board.clone();
    let first = |cell: usize| vec![(cell, 0)];
    let mut boxes: Vec<Stops> = board.boxes().iter().map(|&cell| first(cell)).collect();
    let Some(start) = board.player() else {
        return still(board);
    };
    let mut player = first(start);
    let mut steps = 0;
    for heading in solution
        .chars()
        .take(STEPS_MAX)
        .filter_map(Heading::of_letter)
    {
        let before = now.boxes().to_vec();
        let Some(moved) = now.step(heading) else {
            break;
        };
        steps += 1;
        if moved == Moved::Pushed {
            let mut both = before.iter().zip(now.boxes());
            if let Some(index) = both.position(|(before, after)| before != after) {
                boxes[index].push((now.boxes()[index], steps));
            }
        }
        player.extend(now.player().map(|cell| (cell, steps)));
    }
    if steps == 0 {
        return still(board);
    }
    let film = Film { board, steps };
    let mut out = String::new();
    for stops in &boxes {
        let class = if board.is_goal(stops[0].0) {
            "done"
        } else {
            "box"
        };
        let change = film.colours(stops);
        let _ = writeln!(out, "{}", film.actor(stops, &crate_of(class, &change)));
    }
    let _ = writeln!(out, "{}", film.actor(&player, PLAYER));
    out
}

struct Film<'a> {
    board: &'a Board,
    steps: usize,
}

impl Film<'_> {
    fn seconds(&self) -> f64 {
        (self.steps + 2 * WAIT) as f64 * STEP_S
    }

    /// A step as a share of the whole.
    fn share(&self, step: usize) -> f64 {
        (step + WAIT) as f64 / (self.steps + 2 * WAIT) as f64
    }

    fn transform(&self, cell: usize) -> String {
        let [top, left, ..] = self.board.crop();
        let (row, column) = self.board.place(cell);
        format!("{} {}", column - left, row - top)
    }

    /// A shape that goes from stop to stop, each step in the time of one.
    fn actor(&self, stops: &Stops, shape: &str) -> String {
        let mut values = vec![self.transform(stops[0].0)];
        let mut times = vec![0.0];
        let mut before = None;
        for pair in stops.windows(2) {
            let [(from, _), (to, step)] = [pair[0], pair[1]];
            // Where it stood still it leaves late; in a row of steps each begins where the last one
            // ended.
            if before != Some(step - 1) {
                values.push(self.transform(from));
                times.push(self.share(step - 1));
            }
            values.push(self.transform(to));
            times.push(self.share(step));
            before = Some(step);
        }
        values.push(values[values.len() - 1].clone());
        times.push(1.0);
        let place = &values[0];
        if stops.len() < 2 {
            return format!("<g transform=\"translate({place})\">{shape}</g>");
        }
        let times: Vec<String> = times.iter().map(|time| short(*time)).collect();
        format!(
            "<g transform=\"translate({place})\"><animateTransform attributeName=\"transform\" type=\"translate\" \
             dur=\"{:.2}s\" repeatCount=\"indefinite\" values=\"{}\" keyTimes=\"{}\"/>{shape}</g>",
            self.seconds(),
            values.join(";"),
            times.join(";")
        )
    }

    /// What makes a box green while it is on a goal.
    fn colours(&self, stops: &Stops) -> String {
        let mut changes: Vec<(bool, f64)> = Vec::new();
        for &(cell, step) in stops {
            let is_done = self.board.is_goal(cell);
            if changes.last().is_none_or(|(before, _)| *before != is_done) {
                let time = if step == 0 { 0.0 } else { self.share(step) };
                changes.push((is_done, time));
            }
        }
        if changes.len() < 2 {
            return String::new();
        }
        let classes: Vec<&str> = changes
            .iter()
            .map(|(is_done, _)| if *is_done { "done" } else { "box" })
            .collect();
        let times: Vec<String> = changes.iter().map(|(_, time)| short(*time)).collect();
        format!(
            "<animate attributeName=\"class\" calcMode=\"discrete\" dur=\"{:.2}s\" repeatCount=\"indefinite\" \
             values=\"{}\" keyTimes=\"{}\"/>",
            self.seconds(),
            classes.join(";"),
            times.join(";")
        )
    }
}

/// A share with as many decimals as 2,000 steps need.
fn short(share: f64) -> String {
    let text = format!("{share:.5}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}
