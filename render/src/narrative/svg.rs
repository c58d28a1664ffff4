//! All that is known about a narrative as one SVG document.

use super::coverage::Coverage;
use super::decisions::Decisions;
use super::gantt::Gantt;
use super::gantt_svg::{STYLE, WIDTH};
use super::story::Story;
use super::{Drawn, coverage_svg, decisions_svg, gantt_svg, story_svg, strands, words};
use crate::label::fit;
use crate::svg::Canvas;
use stratagem_proto::v1::NarrativeProblem;

/// Returns a narrative as a self-contained SVG document without scripts: which policy is for which
/// outcomes, what happens when, and the story with its forks, as in [`super::coverage_svg`],
/// [`super::gantt_svg`] and [`super::story_svg`]. Several policies are one tree: each row has what
/// differs from those that it comes after, and what goes on as after another row is not drawn
/// twice.
#[must_use]
pub fn svg(problem: &NarrativeProblem, drawn: Drawn<'_>) -> String {
    let story = Story::new(problem);
    let mut canvas = Canvas::new();
    let mut top = 12.0;
    if !problem.title.is_empty() {
        let title = fit(&problem.title, 100, "…");
        canvas.text(16.0, 30.0, "title", title.trim_end());
        top = 48.0;
    }
    if let Some(plan) = drawn.plan {
        let plan = &*strands::storylines(problem, plan);
        let coverage = Coverage::new(&story, plan);
        let height = coverage_svg::draw(&mut canvas, &coverage, top);
        top += height.map_or(0.0, |h| h + 20.0);
        if plan.policies.len() > 1 {
            canvas.text(
                16.0,
                top + 14.0,
                "head",
                "What happens when, by what is picked",
            );
            let tree = Decisions::new(&story, plan);
            top += 24.0;
            top += decisions_svg::draw(&mut canvas, &tree, top) + 20.0;
        } else if let Some(policy) = plan.policies.first() {
            let head = fit(&words::title(&story, 1, policy), 140, "…");
            canvas.text(16.0, top + 14.0, "head", head.trim_end());
            let gantt = Gantt::new(&story, policy);
            top += 24.0;
            top += gantt_svg::draw(&mut canvas, problem, &gantt, top) + 20.0;
        }
    }
    top += story_svg::draw(&mut canvas, &story, drawn, top + 4.0);
    canvas.finish(WIDTH, top + 12.0, STYLE)
}
