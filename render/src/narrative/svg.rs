//! All that is known about a narrative as one SVG document.

use super::coverage::Coverage;
use super::gantt::Gantt;
use super::gantt_svg::{STYLE, WIDTH};
use super::story::Story;
use super::{Drawn, coverage_svg, gantt_svg, story_svg, words};
use crate::label::fit;
use crate::svg::Canvas;
use stratagem_proto::v1::NarrativeProblem;

/// Policies that are drawn: more are only counted.
const POLICIES_MAX: usize = 20;
/// Bars of all policies after which no more policies are drawn.
const BARS_MAX: usize = 2_000;

/// Returns a narrative as a self-contained SVG document without scripts: which policy is for which
/// outcomes, each policy over time, and the story with its forks, as in [`super::coverage_svg`],
/// [`super::gantt_svg`] and [`super::story_svg`]. At most 20 policies are drawn.
#[must_use]
pub fn svg(problem: &NarrativeProblem, drawn: Drawn<'_>) -> String {
    let story = Story::new(problem);
    let mut canvas = Canvas::new();
    let mut top = 12.0;
    if !problem.title.is_empty() {
        let title = fit(&problem.title, 100, "…");
        canvas.text((16.0, 30.0), "title", title.trim_end());
        top = 48.0;
    }
    if let Some(plan) = drawn.plan {
        let coverage = Coverage::new(&story, plan);
        let height = coverage_svg::draw(&mut canvas, &coverage, top);
        top += height.map_or(0.0, |h| h + 20.0);
        let mut bars = 0;
        let mut left_out = plan.policies.len();
        for (n, policy) in plan.policies.iter().enumerate().take(POLICIES_MAX) {
            if bars > BARS_MAX {
                break;
            }
            let head = fit(&words::title(&story, n + 1, policy), 140, "…");
            canvas.text((16.0, top + 14.0), "head", head.trim_end());
            let gantt = Gantt::new(&story, policy);
            bars += gantt.bars();
            left_out -= 1;
            top += 24.0;
            top += gantt_svg::draw(&mut canvas, (problem, &gantt), top) + 20.0;
        }
        if left_out > 0 {
            let more = format!("and {left_out} more storylines");
            canvas.text((16.0, top + 12.0), "plain", &more);
            top += 24.0;
        }
    }
    top += story_svg::draw(&mut canvas, (&story, drawn), top + 4.0);
    canvas.finish(WIDTH, top + 12.0, STYLE)
}
