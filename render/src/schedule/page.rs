//! A schedule as one page of HTML.

use super::scene::Scene;
use super::svg;
use crate::html::Page;
use crate::svg::Canvas;
use crate::time::span_text;
use stratagem_proto::v1::{SchedulePlan, ScheduleProblem};

/// Rows of a table: more are only counted.
const ROWS_MAX: usize = 2_000;

/// Returns a schedule as one self-contained page of HTML, without scripts: the picture of
/// [`svg`](fn@svg::svg), and tables of activities and resources. At most 2,000 activities are
/// listed.
#[must_use]
pub fn page(problem: &ScheduleProblem, plan: Option<&SchedulePlan>) -> String {
    let scene = Scene::new(problem, plan);
    let mut page = Page::new(&problem.title, &problem.description);
    let picture = svg::draw(Canvas::new(), &scene, 8.0);
    page.picture(
        &picture,
        "Activities over time, and how much of each resource is held",
    );
    let rows = scene.bars.iter().take(ROWS_MAX).map(|bar| {
        vec![
            bar.name.to_owned(),
            span_text(bar.start_us),
            span_text(bar.end_us),
            bar.mode.as_deref().unwrap_or_default().to_owned(),
            bar.demands.clone(),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let head = ["activity", "start", "end", "mode", "holds"];
    page.table("Activities", &head, &rows);
    if scene.bars.len() > ROWS_MAX {
        page.paragraph(&format!("and {} more", scene.bars.len() - ROWS_MAX));
    }
    let rows = scene.profiles.iter().map(|it| {
        let (capacity, peak) = (it.capacity.to_string(), it.peak().to_string());
        vec![it.name.to_owned(), capacity, peak]
    });
    let rows: Vec<_> = rows.collect();
    page.table("Resources", &["resource", "capacity", "peak"], &rows);
    page.finish()
}
