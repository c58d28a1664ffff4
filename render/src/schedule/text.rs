//! A schedule as rows of characters over an axis of time.

use super::scene::{Profile, Scene};
use crate::axis::{CharAxis, push_line};
use crate::label::{columns, fit, printable};
use crate::text::TextOptions;
use stratagem_proto::v1::{SchedulePlan, ScheduleProblem};

/// Most columns of a name.
const NAME_MAX: usize = 28;
/// Rows of a picture: more are only counted.
const ROWS_MAX: usize = 200;
/// Shares of a capacity, from none to all.
const SHARES: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const SHARES_ASCII: [char; 9] = [' ', '1', '2', '3', '4', '5', '6', '7', '8'];

/// Returns a schedule as text: an axis of time, a bar for each activity in the order of their
/// starts, and for each resource the share of its capacity that is held, and the largest amount. A
/// plan is drawn as it is; without one the bars are at the earliest times that precedences allow in
/// the first modes. Lines end with `\n` and have no blanks at
/// their ends. At most 200 activities.
///
/// # Examples
/// ```
/// use stratagem_proto::v1::ScheduleProblem;
/// use stratagem_render::schedule::text;
/// use stratagem_render::text::TextOptions;
/// let text = text(&ScheduleProblem::default(), None, &TextOptions::default());
/// assert_eq!(text, "no activities\n");
/// ```
#[must_use]
pub fn text(
    problem: &ScheduleProblem,
    plan: Option<&SchedulePlan>,
    options: &TextOptions,
) -> String {
    let scene = Scene::new(problem, plan);
    if scene.bars.is_empty() {
        return "no activities\n".into();
    }
    let width = options.columns();
    let names = scene.bars.iter().map(|bar| bar.name);
    let names = names.chain(scene.profiles.iter().map(|it| it.name));
    let longest = names.map(|name| columns(&printable(name))).max();
    let name_width = longest.unwrap_or(0).min(NAME_MAX).min(width / 3).max(4);
    let peaks = scene.profiles.iter();
    let peaks = peaks.map(|it| format!(" {} of {}", it.peak(), it.capacity).len());
    // Left out where they take more than a third of the width.
    let peak_width = peaks.max().filter(|it| *it <= width / 3);
    let axis = CharAxis {
        width: width - name_width - peak_width.unwrap_or(0) - 1,
        horizon: scene.horizon,
        ascii: options.ascii,
    };
    let ellipsis = if options.ascii { "~" } else { "…" };
    let mut text = String::new();
    for line in axis.lines() {
        push_line(&mut text, &format!("{} {line}", " ".repeat(name_width)));
    }
    for bar in scene.bars.iter().take(ROWS_MAX) {
        let row = row(&axis, bar.start_us, bar.end_us);
        let name = fit(bar.name, name_width, ellipsis);
        let row = options.styled("32", &row);
        push_line(&mut text, &format!("{name} {row}"));
    }
    if scene.bars.len() > ROWS_MAX {
        let more = scene.bars.len() - ROWS_MAX;
        push_line(&mut text, &format!("and {more} more activities"));
    }
    if !scene.profiles.is_empty() {
        push_line(&mut text, "");
    }
    for profile in &scene.profiles {
        let name = fit(profile.name, name_width, ellipsis);
        let row = self::profile(&axis, profile);
        let row = options.styled("33", &row);
        let (peak, capacity) = (profile.peak(), profile.capacity);
        let peak = peak_width.map(|_| format!(" {peak} of {capacity}"));
        let peak = peak.unwrap_or_default();
        push_line(&mut text, &format!("{name} {row}{peak}"));
    }
    push_line(&mut text, &scene.note);
    text
}

/// A bar; a single moment has one character.
fn row(axis: &CharAxis, start_us: i64, end_us: i64) -> String {
    let start = axis.column(start_us).min(axis.width - 1);
    if start_us == end_us {
        let mark = if axis.ascii { '|' } else { '│' };
        return format!("{}{mark}", " ".repeat(start));
    }
    let bar = if axis.ascii { "=" } else { "█" };
    let end = axis.column(end_us).max(start + 1);
    format!("{}{}", " ".repeat(start), bar.repeat(end - start))
}

/// The largest share that is held in each column; `!` where it is more than there is.
fn profile(axis: &CharAxis, profile: &Profile<'_>) -> String {
    let shares = if axis.ascii { &SHARES_ASCII } else { &SHARES };
    let share = |column: usize| {
        let held = profile.held(axis.moment(column), axis.moment(column + 1));
        if held > profile.capacity {
            return '!';
        }
        let capacity = profile.capacity.max(1);
        // At most the capacity, and something is never shown as nothing.
        let eighths = (held.max(0) * 8 + capacity - 1) / capacity;
        shares[usize::try_from(eighths).unwrap_or(0).min(8)]
    };
    (0..axis.width).map(share).collect()
}
