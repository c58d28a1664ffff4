//! Which requirements were kept.

use super::bounds::{NONE, Rules};
use stratagem_render::time::span_text;

/// Returns what was not kept, for people: a sentence for each requirement that is broken, and for
/// each event that never happened. It looks at the network and at times, not at any plan.
#[must_use]
pub fn broken(rules: &Rules, times: &[Option<i64>]) -> Vec<String> {
    let name = |i: usize| rules.events.get(i).map_or("the beginning", String::as_str);
    let time = |i: usize| {
        if i == rules.origin() {
            Some(0)
        } else {
            times.get(i).copied().flatten()
        }
    };
    let mut broken = Vec::new();
    for requirement in rules.requirements.iter().chain(&rules.contingent) {
        let (Some(from), Some(to)) = (time(requirement.from), time(requirement.to)) else {
            continue;
        };
        let gap = to - from;
        let (lower, upper) = (requirement.lower_us, requirement.upper_us);
        let wanted = if gap < lower && lower > -NONE {
            format!("at least {}", span_text(lower))
        } else if gap > upper && upper < NONE {
            format!("at most {}", span_text(upper))
        } else {
            continue;
        };
        let (distance, order) = if gap < 0 {
            (gap.saturating_neg(), "before")
        } else {
            (gap, "after")
        };
        broken.push(format!(
            "{}: {} came {} {order} {}, but {wanted} after it is required",
            requirement.id,
            name(requirement.to),
            span_text(distance),
            name(requirement.from),
        ));
    }
    for (i, id) in rules.events.iter().enumerate() {
        if time(i).is_none() {
            broken.push(format!("{id} never happened"));
        }
    }
    broken
}
