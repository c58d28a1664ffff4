//! Levels as one page of HTML.

use super::caption::{features, number};
use super::svg::{Layer, bare, svg};
use super::{Picture, Sheet};
use crate::html::Page;
use stratagem_proto::v1::PuzzleLevel;

/// Letters in a line of a solution.
const LETTERS: usize = 80;
/// Most letters of a solution that are written out.
const LETTERS_MAX: usize = 20_000;

/// Returns levels as one self-contained page of HTML, without scripts: an overview, and for the
/// selected level its solution, animated and as letters. `levels` are the server's reports in the
/// order of the sheet; they may be fewer, or none.
#[must_use]
pub fn page(sheet: &Sheet, levels: &[PuzzleLevel]) -> String {
    let title = match sheet.title.as_str() {
        "" => "Sokoban",
        title => title,
    };
    let mut page = Page::new(title, &sheet.description);
    if sheet.pictures.len() > 1 {
        page.heading("All levels");
        let untitled = Sheet {
            title: String::new(),
            ..sheet.clone()
        };
        page.picture(&svg(&untitled), "All levels as they are at first");
        overview(&mut page, sheet, levels);
        page.heading("One by one");
    }
    let names: Vec<String> = (0..sheet.pictures.len())
        .map(|index| name(sheet, index))
        .collect();
    match &sheet.pictures[..] {
        [] => page.paragraph("There are no levels."),
        [picture] => level(&mut page, picture, levels.first()),
        pictures => page.selector("Level", &names, |page, index| {
            level(page, &pictures[index], levels.get(index));
        }),
    }
    page.finish()
}

fn name(sheet: &Sheet, index: usize) -> String {
    match sheet.pictures[index].name.as_str() {
        "" => (index + 1).to_string(),
        name => name.to_owned(),
    }
}

/// All levels in a table.
fn overview(page: &mut Page, sheet: &Sheet, levels: &[PuzzleLevel]) {
    let row = |index: usize, level: &PuzzleLevel| {
        let features = level.features.unwrap_or_default();
        vec![
            name(sheet, index),
            level.value.map_or(String::new(), number),
            features.boxes.to_string(),
            features.pushes.to_string(),
            features.moves.to_string(),
            features.box_changes.to_string(),
            features
                .effort
                .map_or(String::new(), |effort| effort.to_string()),
        ]
    };
    let known = levels.iter().take(sheet.pictures.len()).enumerate();
    let known = known.filter(|(_, level)| level.features.is_some());
    let rows: Vec<_> = known.map(|(index, it)| row(index, it)).collect();
    let head = [
        "level", "value", "boxes", "pushes", "steps", "turns", "effort",
    ];
    page.table("What they are like", &head, &rows);
}

fn level(page: &mut Page, picture: &Picture, level: Option<&PuzzleLevel>) {
    let caption = if picture.solution.is_empty() {
        "The level; no solution is known"
    } else {
        "The solution, again and again"
    };
    page.picture(&bare(picture, Layer::Moving), caption);
    page.paragraph(&picture.notes.join(" · "));
    if !picture.solution.is_empty() {
        page.paragraph("The solution: l, u, r, d are steps, capitals push.");
        page.verbatim(&lines(&picture.solution));
    }
    page.paragraph("The board, to copy:");
    page.verbatim(&picture.rows.join("\n"));
    let rows: Vec<Vec<String>> = level
        .map(features)
        .unwrap_or_default()
        .into_iter()
        .map(|(name, value)| vec![name.to_owned(), value])
        .collect();
    page.table("What it is like", &["feature", "value"], &rows);
}

/// A solution in lines.
fn lines(solution: &str) -> String {
    let letters: Vec<char> = solution.chars().take(LETTERS_MAX).collect();
    let lines: Vec<String> = letters
        .chunks(LETTERS)
        .map(|line| line.iter().collect())
        .collect();
    lines.join("\n")
}
