//! Captions of levels.

use crate::label::{columns, printable};
use stratagem_proto::v1::PuzzleLevel;

/// Value, pushes, steps and effort.
pub(super) fn notes(level: &PuzzleLevel) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(value) = level.value {
        notes.push(format!("value {}", number(value)));
    }
    if let Some(features) = &level.features {
        notes.push(count(features.pushes, "push", "pushes"));
        notes.push(count(features.moves, "step", "steps"));
        if let Some(effort) = features.effort {
            notes.push(format!("effort {effort}"));
        }
    }
    notes
}

/// Notes one after the other, in lines of this number of letters where possible.
pub(super) fn in_lines(notes: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for note in notes.iter().map(|note| printable(note)) {
        match lines.last_mut() {
            Some(line) if columns(line) + 2 + columns(&note) <= width => {
                line.push_str(", ");
                line.push_str(&note);
            }
            _ => lines.push(note),
        }
    }
    lines
}

/// Names and values of the features of a level, for people.
pub(super) fn features(level: &PuzzleLevel) -> Vec<(&'static str, String)> {
    let Some(features) = &level.features else {
        return Vec::new();
    };
    let mut rows = vec![
        ("boxes", features.boxes.to_string()),
        ("pushes", features.pushes.to_string()),
        ("steps", features.moves.to_string()),
        ("turns to another box", features.box_changes.to_string()),
        (
            "counter-intuitive pushes",
            features.counter_intuitive.to_string(),
        ),
        (
            "fewest pushes of a box",
            features.min_box_pushes.to_string(),
        ),
    ];
    if let Some(effort) = features.effort {
        rows.push(("positions a plain search opens", effort.to_string()));
    }
    let blocks = format!("{} ({})", number(features.blocks), features.blocks_count);
    rows.extend([
        ("tiles in no 3x3 block, as a share (number)", blocks),
        ("mixed tiles", features.mixing.to_string()),
        (
            "distance of boxes and goals",
            number(features.goal_distance),
        ),
        ("congestion, eq. 6.1", features.congestion_sum.to_string()),
        ("congestion, eq. 6.2", number(features.congestion)),
    ]);
    rows
}

/// At most two decimals.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "?".into();
    }
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn count(many: i32, one: &str, several: &str) -> String {
    format!("{many} {}", if many == 1 { one } else { several })
}
