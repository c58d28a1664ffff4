//! Levels of Sokoban, templates and weights.

use super::{Text, all_invalid, invalid, plan, text};
use crate::exit::{Exit, Failure};
use formats::levels::{Level, Set};
use formats::messages::described;
use formats::{Format, levels as files};
use prost_reflect::Value;
use std::collections::BTreeSet;
use stratagem_proto::v1::any_plan::Kind;
use stratagem_proto::v1::{PuzzleBoard, PuzzleLevel, PuzzleWeights};

/// Levels, and what a server said of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Levels {
    /// Where they come from, for messages.
    pub name: String,
    /// The levels.
    pub set: Set,
    /// Of each level; none where they are from a file in a format of others.
    pub reported: Vec<PuzzleLevel>,
    /// Number of the first level in its file, from 1.
    pub first: usize,
}

impl Levels {
    /// A unique name for each level: its title, or its number if it has none or others have the
    /// same.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        let titles: Vec<&str> = self.set.levels.iter().map(|l| l.title.as_str()).collect();
        let mut seen = BTreeSet::new();
        let titles = titles.into_iter().enumerate();
        let ids = titles.map(|(index, title)| {
            let number = format!("#{}", self.first + index);
            let short: String = title.chars().take(80).collect();
            let id = if short.is_empty() {
                number.clone()
            } else {
                short
            };
            if seen.insert(id.clone()) {
                return id;
            }
            let both = format!("{id} {number}");
            seen.insert(both.clone());
            both
        });
        ids.collect()
    }

    /// Where a level is, for messages.
    #[must_use]
    pub fn place(&self, index: usize) -> String {
        let line = self.set.levels[index].line;
        let number = self.first + index;
        match line {
            0 => format!("{}: level {number}", self.name),
            line => format!("{}:{line}: level {number}", self.name),
        }
    }
}

/// Reads levels: a file in a foreign format, or a plan as [`plan`](super::plan()) reads it. With a
/// number, from 1, only that level.
///
/// # Errors
/// [`Exit::USAGE`] for what cannot be read and a number that is not there, [`Exit::INVALID`] for
/// what is no level.
pub fn levels(source: &str, number: Option<u32>) -> Result<Levels, Failure> {
    let read = text(source)?;
    let mut levels = if is_document(&read) {
        of_plan(&read)?
    } else {
        let set = files::read(&read.text).map_err(|m| all_invalid(&read, &m))?;
        Levels {
            name: read.name,
            set,
            reported: Vec::new(),
            first: 1,
        }
    };
    if let Some(number) = number {
        let index = number as usize - 1;
        let count = levels.set.levels.len();
        if index >= count {
            let message = format!("{}: there is no level {number}, but {count}", levels.name);
            return Err(Failure::usage(message));
        }
        levels.set.levels = vec![levels.set.levels.swap_remove(index)];
        if index < levels.reported.len() {
            levels.reported = vec![levels.reported.swap_remove(index)];
        }
        levels.first = index + 1;
    }
    Ok(levels)
}

/// JSON by its look, YAML by its name or for want of a board.
fn is_document(text: &Text) -> bool {
    let is_yaml = text.name.ends_with(".yaml") || text.name.ends_with(".yml");
    let is_json = text
        .text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('{');
    is_yaml || is_json || text.name.ends_with(".json")
}

fn of_plan(read: &Text) -> Result<Levels, Failure> {
    let Kind::Puzzle(found) = plan::of_text(read)? else {
        let message = format!("{}: the plan is none of levels", read.name);
        return Err(Failure::new(Exit::INVALID, message));
    };
    if found.levels.is_empty() {
        let message = format!("{}: there are no levels in it", read.name);
        return Err(Failure::new(Exit::INVALID, message));
    }
    let level = |level: &PuzzleLevel| Level {
        title: String::new(),
        rows: level.rows.clone(),
        solution: level.solution.clone(),
        ..Level::default()
    };
    let set = Set {
        levels: found.levels.iter().map(level).collect(),
        ..Set::default()
    };
    Ok(Levels {
        name: read.name.clone(),
        set,
        reported: found.levels,
        first: 1,
    })
}

/// Reads what cells of levels have to be.
///
/// # Errors
/// [`Exit::USAGE`] for what cannot be read, [`Exit::INVALID`] for what is none.
pub fn template(source: &str) -> Result<Value, Failure> {
    let read = text(source)?;
    let rows = files::template(&read.text).map_err(|m| all_invalid(&read, &m))?;
    Ok(Value::List(rows.into_iter().map(Value::String).collect()))
}

/// Reads boards to differ from.
///
/// # Errors
/// Those of [`levels`].
pub fn avoided(source: &str) -> Result<Value, Failure> {
    let boards = levels(source, None)?.set.levels.into_iter();
    let boards = boards.map(|level| described(&PuzzleBoard { rows: level.rows }));
    Ok(Value::List(boards.map(Value::Message).collect()))
}

/// Equation 6.3 of the thesis.
const THESIS: PuzzleWeights = PuzzleWeights {
    boxes: 10.0,
    blocks: 5.0,
    blocks_count: 0.0,
    mixing: 0.0,
    goal_distance: 0.0,
    congestion_sum: 0.0,
    congestion: 1.0,
    pushes: 0.0,
    box_changes: 0.0,
    counter_intuitive: 0.0,
    effort_log: 0.0,
    divisor: Some(50.0),
};

/// Reads weights of features; `thesis` are those of the thesis.
///
/// # Errors
/// [`Exit::USAGE`] for what cannot be read, [`Exit::INVALID`] for what is none.
pub fn weights(source: &str) -> Result<Value, Failure> {
    if source == "thesis" {
        return Ok(Value::Message(described(&THESIS)));
    }
    let read = text(source)?;
    let format = match read.format {
        format @ (Format::Json | Format::Yaml) => format,
        _ => Format::Yaml,
    };
    let weights = formats::read::<PuzzleWeights>(&read.text, format);
    let weights = weights.map_err(|m| invalid(&read, &m))?;
    Ok(Value::Message(described(&weights)))
}
