//! Several patrols of one problem, side by side.

use super::Drawn;
use super::frame::Frame;
use super::ground::Ground;
use super::heat::{Heat, Watch};
use super::map_svg;
use super::page::{self, watched_captures};
use super::svg::{HEIGHT, Layer, MARGIN, STYLE, WIDTH, untitled};
use super::walk::{Walk, walks};
use crate::html::Page;
use crate::svg::Canvas;
use stratagem_proto::v1::{PatrolEvaluation, PatrolProblem};

/// Patrols that are drawn: more are only counted.
pub(super) const CHOICES_MAX: usize = 12;
/// Pixels above a small map, for its title.
const HEAD: f64 = 24.0;
/// Height of a small map, at most.
const SMALL: f64 = 320.0;

/// One of several patrols.
#[derive(Debug, Clone)]
pub struct Choice<'a> {
    /// One line about it, as in `40% of the time`.
    pub title: String,
    /// Where guards go then, and how well that watches.
    pub drawn: Drawn<'a>,
}

/// What is known of all patrols together.
#[derive(Debug, Clone, Copy, Default)]
pub struct Together<'a> {
    /// How well each vertex is watched; of the worst place only its vertex counts.
    pub evaluation: Option<&'a PatrolEvaluation>,
    /// Sentences about them.
    pub notes: &'a [String],
}

/// Returns several patrols as one self-contained SVG document without scripts: first how well they
/// watch together, where that is known, then a small map of each with its routes and title. At most
/// 12 are drawn.
#[must_use]
pub fn choices_svg(
    problem: &PatrolProblem,
    together: Together<'_>,
    choices: &[Choice<'_>],
) -> String {
    let ground = Ground::new(problem);
    let mut canvas = Canvas::new();
    let mut top = MARGIN;
    if !problem.title.is_empty() {
        canvas.text(MARGIN, 30.0, "title", &problem.title);
        top = 44.0;
    }
    for note in together.notes {
        canvas.text(MARGIN, top + 12.0, "note", note);
        top += 16.0;
    }
    let seen = choices.iter().find_map(|choice| choice.drawn.evaluation);
    let watch = Watch::new(&ground, together.evaluation.or(seen), Heat::Capture);
    if together.evaluation.is_some() {
        let drawn = Drawn {
            evaluation: together.evaluation,
            ..Drawn::default()
        };
        top += small(&mut canvas, [0.0, top, WIDTH, HEIGHT], &ground, drawn) + 8.0;
    }
    for pair in choices[..choices.len().min(CHOICES_MAX)].chunks(2) {
        let mut tallest: f64 = 0.0;
        for (n, choice) in pair.iter().enumerate() {
            let left = n as f64 * WIDTH / 2.0;
            canvas.text(left + MARGIN, top + 16.0, "choice", &choice.title);
            let place = [left, top + HEAD, WIDTH / 2.0, SMALL];
            tallest = tallest.max(small(&mut canvas, place, &ground, choice.drawn));
        }
        top += HEAD + tallest + 8.0;
    }
    if choices.len() > CHOICES_MAX {
        let more = format!("and {} more", choices.len() - CHOICES_MAX);
        canvas.text(MARGIN, top + 12.0, "note", &more);
        top += 20.0;
    }
    let first = choices.iter().find_map(|choice| choice.drawn.plan);
    let walks = first.map_or_else(Vec::new, |plan| walks(&ground, plan));
    top += map_svg::legend(&mut canvas, [MARGIN, top], &ground, &watch, &walks);
    canvas.finish(WIDTH, top + MARGIN, STYLE)
}

/// A map without a legend; returns its height.
fn small(canvas: &mut Canvas, place: [f64; 4], ground: &Ground<'_>, drawn: Drawn<'_>) -> f64 {
    let frame = Frame::new(ground, place);
    let watch = Watch::new(ground, drawn.evaluation, Heat::Capture);
    map_svg::ground(canvas, &frame, ground, &watch);
    let walks: Vec<Walk<'_>> = drawn.plan.map_or_else(Vec::new, |plan| walks(ground, plan));
    map_svg::routes(canvas, &frame, ground, &walks);
    frame.height
}

/// Returns several patrols as one self-contained page of HTML, without scripts: how well they watch
/// together, where that is known, and for each the guards that go round, how good it is, and a
/// table of each route. At most 12 are shown.
#[must_use]
pub fn choices_page(
    problem: &PatrolProblem,
    together: Together<'_>,
    choices: &[Choice<'_>],
) -> String {
    let ground = Ground::new(problem);
    let mut page = Page::new(&problem.title, &problem.description);
    if !together.notes.is_empty() {
        page.list(together.notes);
    }
    if let Some(evaluation) = together.evaluation {
        page.heading("How well each place is watched");
        let drawn = Drawn {
            evaluation: together.evaluation,
            ..Drawn::default()
        };
        let map = untitled(&ground, drawn, Heat::Capture, Layer::Bare);
        page.picture(&map, "How likely who enters is caught, by place");
        watched_captures(&mut page, &ground, evaluation);
    }
    page.heading("The patrols");
    let shown = &choices[..choices.len().min(CHOICES_MAX)];
    let names: Vec<String> = shown.iter().map(|choice| choice.title.clone()).collect();
    let mut room = page::STOPS_MAX;
    page.selector("Patrol", &names, |page, n| {
        page::plan(page, &ground, shown[n].drawn, &mut room);
    });
    if choices.len() > CHOICES_MAX {
        page.paragraph(&format!("and {} more", choices.len() - CHOICES_MAX));
    }
    page.finish()
}
