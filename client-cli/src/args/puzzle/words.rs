//! Sizes, counts and difficulties, as words of the command line.

use std::str::FromStr;
use stratagem_proto::v1::{PuzzleRange, PuzzleWeights, puzzle_target};

/// From, and to, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The least.
    pub from: i32,
    /// The most.
    pub to: i32,
}

/// Reads `10x8`: columns and rows.
///
/// # Errors
/// What is wrong with it.
pub(super) fn size(text: &str) -> Result<(i32, i32), String> {
    let (width, height) = text
        .split_once(['x', 'X', '×'])
        .ok_or("columns and rows are wanted, as in 10x8")?;
    Ok((whole(width)?, whole(height)?))
}

/// Reads `3` or `2..5`.
///
/// # Errors
/// What is wrong with it.
pub(super) fn span(text: &str) -> Result<Span, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let span = Span {
        from: whole(from)?,
        to: whole(to)?,
    };
    if span.from > span.to {
        return Err(format!("{} is more than {}", span.from, span.to));
    }
    Ok(span)
}

fn whole(text: &str) -> Result<i32, String> {
    let number = text.parse::<i32>().ok().filter(|number| *number >= 0);
    number.ok_or_else(|| format!("`{text}` is no whole number"))
}

/// The target score of levels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difficulty {
    /// The score of the easiest level.
    pub from: f64,
    /// The score of the hardest level.
    pub to: f64,
    /// Whether a name was given, whose score is by the default weights.
    pub is_named: bool,
}

/// Names of difficulties, and their scores by the default weights. Median scores of 20 levels of
/// Boxoban (10x10, 4 boxes): unfiltered 6.1, medium 8.0, hard 11.8.
const NAMED: [(&str, f64); 4] = [
    ("easy", 6.0),
    ("medium", 8.0),
    ("hard", 12.0),
    ("expert", 16.0),
];

impl FromStr for Difficulty {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let (from, is_named) = worth(from)?;
        let (to, is_also) = worth(to)?;
        if from > to {
            return Err("the easiest comes first".into());
        }
        Ok(Self {
            from,
            to,
            is_named: is_named || is_also,
        })
    }
}

fn worth(text: &str) -> Result<(f64, bool), String> {
    if let Some((_, value)) = NAMED.iter().find(|(name, _)| *name == text) {
        return Ok((*value, true));
    }
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    let names: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
    let number = number.map(|number| (number, false));
    number.ok_or_else(|| format!("`{text}` is no number and none of {}", names.join(", ")))
}

impl Difficulty {
    /// The same, as the contract says it.
    #[must_use]
    pub fn target(&self) -> puzzle_target::Kind {
        if self.from < self.to {
            puzzle_target::Kind::Range(PuzzleRange {
                easiest: self.from,
                hardest: self.to,
            })
        } else {
            puzzle_target::Kind::Value(self.from)
        }
    }
}

/// What levels are worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Worth {
    /// Equation 6.3 of the thesis.
    Thesis,
    /// The weights in a file.
    File(String),
}

impl FromStr for Worth {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "thesis" => Self::Thesis,
            file => Self::File(file.into()),
        })
    }
}

impl Worth {
    /// Equation 6.3 of the thesis.
    pub const SCORE: PuzzleWeights = PuzzleWeights {
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
}
