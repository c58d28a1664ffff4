//! Pictures of stories: acts with believabilities, the score over time, and places of characters.

mod curve;
mod lines;
mod page;
mod prose;
mod svg;
mod text;
mod whereabouts;

pub use crate::text::TextOptions;
pub use curve::curve_lines;
pub use lines::{act_lines, act_name, paragraph};
pub use page::{page, pages};
pub use prose::{markdown, prose};
pub use svg::svg;
pub use text::text;

use crate::picture::{Drawable, Form, Look, Response};
use stratagem_proto::v1::{StoryPlan, StoryProblem};

/// Most acts that are drawn; no server sends more.
const ACTS_MAX: usize = 200;

/// A share of 1 for people, with up to four decimals.
fn share_text(share: f64) -> String {
    if !share.is_finite() {
        return "-".into();
    }
    if share.abs() > 1e6 {
        return format!("{share:.0e}");
    }
    let text = format!("{share:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() { "0" } else { text }.to_owned()
}

/// A share that can be drawn: in [0, 1], 0 where it is no number.
fn share(number: f64) -> f64 {
    if number.is_finite() {
        number.clamp(0.0, 1.0)
    } else {
        0.0
    }
}

impl Drawable for StoryProblem {
    fn picture(&self, response: Option<&Response>, look: &Look) -> Option<String> {
        let plan = match response {
            Some(Response::VaryStories(found)) => return several(self, &found.plans, look),
            Some(Response::GenerateStory(found)) => found.plan.as_ref(),
            Some(_) => return None,
            None => None,
        };
        Some(look.rendered(
            plan,
            |it, options| text(self, it, options),
            |it| svg(self, it),
            |it| page(self, it),
        ))
    }
}

/// Several stories; there is no one SVG picture of them.
fn several(problem: &StoryProblem, plans: &[StoryPlan], look: &Look) -> Option<String> {
    let options = match &look.form {
        Form::Text(options) => options,
        Form::Html => return Some(pages(problem, plans)),
        Form::Svg | Form::AnimatedSvg => return None,
    };
    let texts = plans.iter().enumerate().map(|(at, plan)| {
        let title = format!("Story {} of {}", at + 1, plans.len());
        let title = options.styled("1", &title);
        let text = text(problem, Some(plan), options);
        // Without the title, which is that of all.
        let text = text.split_once('\n').map_or("", |(_, rest)| rest);
        format!("{title}\n{text}")
    });
    Some(texts.collect::<Vec<_>>().join("\n"))
}
