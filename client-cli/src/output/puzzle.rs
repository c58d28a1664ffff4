//! Levels of Sokoban for people.

mod lost;

pub use lost::lost;

use super::answer::text_options;
use super::fields::Shown;
use super::table::printable;
use super::{Display, Style, solve, unserved};
use formats::messages::described;
use prost_reflect::Value;
use std::fmt::Write as _;
use stratagem_proto::v1::{
    PuzzleLevel, PuzzlePlan, PuzzleRatedLevel, RatePuzzlesResponse, SolvePuzzleResponse,
    SolveStatus,
};
use stratagem_render::puzzle::{Picture, Sheet};

/// Letters of a solution that are shown.
const LETTERS_MAX: usize = 400;
/// Levels whose solutions are shown.
const SOLUTIONS_MAX: usize = 5;

/// The solutions of a plan, where there are few.
#[must_use]
pub fn solutions(plan: &PuzzlePlan) -> String {
    let levels = &plan.levels;
    if levels.len() > SOLUTIONS_MAX {
        return String::new();
    }
    let line = |level: &PuzzleLevel| {
        let name = match levels.len() {
            1 => "solution".into(),
            _ => format!("solution {}", level.rung.saturating_add(1)),
        };
        format!("{name}: {}\n", letters(&level.solution))
    };
    levels.iter().map(line).collect()
}

/// A level and its solution, or why there is none.
#[must_use]
pub fn solved(
    display: &Display,
    name: &str,
    rows: &[String],
    played: &str,
    answer: &SolvePuzzleResponse,
) -> String {
    let picture = Picture {
        name: name.to_owned(),
        rows: rows.to_vec(),
        ..Picture::default()
    };
    let lost = lost::lost(name, rows, played, answer);
    let sheet = Sheet {
        pictures: [picture].into_iter().chain(lost).collect(),
        ..Sheet::default()
    };
    let mut out = sheet.scene(&[]).text(&text_options(display));
    let report = answer.report.clone().unwrap_or_default();
    out += &solve::summary(display, &report, &[]);
    if let Some(solution) = &answer.plan {
        let _ = writeln!(out, "\nsolution: {}", letters(&solution.lurd));
    }
    out + &unserved::list(display, &[], report.explanation.as_ref()) + "\n"
}

/// The next push, in words.
#[must_use]
pub fn hint(display: &Display, name: &str, answer: &SolvePuzzleResponse) -> String {
    let name = display.styled(Style::Heading, &printable(name));
    format!("{name}: {}\n", hint_words(answer, (0, 0)))
}

/// The next push, or why there is none. Rows and columns are counted from `origin` on, which is 1.
#[must_use]
pub fn hint_words(answer: &SolvePuzzleResponse, origin: (usize, usize)) -> String {
    let report = answer.report.clone().unwrap_or_default();
    match (&answer.hint, report.status()) {
        (Some(hint), _) => {
            let push = lost::push(hint.row, hint.column, hint.direction(), origin.0, origin.1);
            let lurd = printable(&hint.lurd);
            format!("push {push} ({lurd})")
        }
        (None, SolveStatus::Optimal | SolveStatus::Feasible) => "nothing is left to push".into(),
        (None, SolveStatus::Infeasible) => match &answer.loss {
            Some(loss) => format!(
                "it cannot be solved any more: {}",
                lost::words(loss, origin)
            ),
            None => "it cannot be solved any more".into(),
        },
        (None, _) => "no solution was found in time".into(),
    }
}

/// A solution, cut where it is long.
fn letters(solution: &str) -> String {
    let solution = printable(solution);
    let many = solution.chars().count();
    if many <= LETTERS_MAX {
        return solution;
    }
    let first: String = solution.chars().take(LETTERS_MAX).collect();
    format!("{first}... and {} more steps", many - LETTERS_MAX)
}

/// Ratings, the easiest level first, correlations and weights.
#[must_use]
pub fn ratings(display: &Display, answer: &RatePuzzlesResponse) -> String {
    let mut levels: Vec<_> = answer.levels.iter().collect();
    let mean = |level: &&PuzzleRatedLevel| level.rating.unwrap_or_default().mean;
    levels.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
    let levels = levels.into_iter();
    let levels: Vec<_> = levels.map(|it| Value::Message(described(it))).collect();
    let message = described(answer);
    let mut shown = Shown::new(display, &message);
    let mut out = shown.list(&levels) + &shown.message(&message, &["levels"]);
    if answer.fit.is_none() {
        out += "\nno weights: no feature says anything about these answers\n";
    }
    out
}
