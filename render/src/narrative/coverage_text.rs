//! Which policy is for which outcomes, as rows of characters.

use super::coverage::{Coverage, range_text};
use super::story::Story;
use super::strands;
use crate::axis::{CharAxis, push_line};
use crate::label::{columns, fit, printable};
use crate::text::TextOptions;
use stratagem_proto::v1::{NarrativePlan, NarrativeProblem};

/// Most columns of what a policy picks.
const NAME_MAX: usize = 36;

/// Returns as text which policy is meant for which outcomes: for each duration that players pick
/// and that policies divide among them an axis over all that may happen, and a row for each policy
/// with its part. Lines end with `\n` and have no blanks at their ends. At most 12 durations and 60
/// policies. With several durations a policy is for outcomes that are within its part on each axis.
#[must_use]
pub fn coverage_text(
    problem: &NarrativeProblem,
    plan: &NarrativePlan,
    options: &TextOptions,
) -> String {
    let plan = strands::storylines(problem, plan);
    draw(&Coverage::new(&Story::new(problem), &plan), options)
}

/// Like [`coverage_text`].
pub(super) fn draw(coverage: &Coverage, options: &TextOptions) -> String {
    if coverage.links.is_empty() {
        return "storylines are for all outcomes\n".into();
    }
    let ellipsis = if options.ascii { "~" } else { "…" };
    let name = |p: &super::coverage::Part| format!("{:>2} {}", p.number, p.short);
    let longest = coverage.parts.iter().map(|p| columns(&printable(&name(p))));
    let width = options.columns();
    let name_width = longest
        .max()
        .unwrap_or(0)
        .min(NAME_MAX)
        .min(width / 3)
        .max(4);
    let blank = " ".repeat(name_width);
    let mut text = String::new();
    for (n, link) in coverage.links.iter().enumerate() {
        let title = format!("{}: {}", link.name, range_text(link.whole));
        push_line(&mut text, &fit(&title, width, ellipsis));
        let axis = CharAxis {
            width: width - name_width - 1,
            horizon: link.whole,
            ascii: options.ascii,
        };
        for line in axis.lines() {
            push_line(&mut text, &format!("{blank} {line}"));
        }
        for part in &coverage.parts {
            let last = axis.width - 1;
            let first = axis.column(part.ranges[n].0).min(last);
            let end = axis.column(part.ranges[n].1.saturating_sub(1));
            let bar = if options.ascii { "#" } else { "█" };
            let bar = bar.repeat(end.clamp(first, last) - first + 1);
            let bar = options.styled("36", &bar);
            let name = fit(&name(part), name_width, ellipsis);
            push_line(&mut text, &format!("{name} {}{bar}", " ".repeat(first)));
        }
    }
    if coverage.left_out > 0 {
        let more = format!("and {} more storylines", coverage.left_out);
        push_line(&mut text, &more);
    }
    text
}
