//! A heist as one page of HTML.

use super::Drawn;
use super::explain::sections;
use super::scene::Scene;
use super::svg::{Extras, document};
use super::words::{outcome_words, steps};
use crate::html::Page;
use stratagem_proto::v1::HeistProblem;

/// Steps that are listed: more are only counted.
const STEPS_MAX: usize = 6_000;

/// Returns a heist as one self-contained page of HTML, without scripts: the map with the plan, the
/// outcome, the plan step by step, and the explained problem. At most 6,000 steps are listed.
#[must_use]
pub fn page(problem: &HeistProblem, drawn: Drawn<'_>) -> String {
    let scene = Scene::new(problem);
    let title = match scene.world.title.as_str() {
        "" => "Heist",
        title => title,
    };
    let mut page = Page::new(title, &scene.world.description);
    let caption = match drawn.plan {
        Some(_) => "The museum and the plan: numbers are those of steps",
        None => "The museum as it is believed to be",
    };
    page.picture(&document(&scene, drawn, Extras::BARE), caption);
    if let Some(plan) = drawn.plan {
        page.heading("The plan");
        if let Some(outcome) = drawn.outcome {
            let words = outcome_words(&scene, plan, outcome);
            page.paragraph(&format!("In fact {words}."));
        }
        let texts = steps(&scene, plan);
        let rows = texts.iter().take(STEPS_MAX).enumerate();
        let rows = rows.map(|(n, s)| vec![(n + 1).to_string(), s.room.clone(), s.words.clone()]);
        let rows: Vec<_> = rows.collect();
        page.table("Step by step", &["step", "room", "action"], &rows);
        if texts.len() > STEPS_MAX {
            page.paragraph(&format!("and {} more steps", texts.len() - STEPS_MAX));
        }
        if texts.is_empty() {
            page.paragraph("Nothing is to be done.");
        }
    }
    for section in sections(&scene) {
        page.heading(section.title);
        page.list(&section.lines);
    }
    page.finish()
}
