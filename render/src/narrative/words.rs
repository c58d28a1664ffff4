//! A policy in words: what for, what waits for what, and who goes from where to where.

use super::coverage::{outcomes_text, range_text};
use super::story::Story;
use crate::axis::push_line;
use crate::label::{columns, fit, printable};
use crate::text::TextOptions;
use crate::time::micros;
use stratagem_proto::v1::{NarrativeHandOver, NarrativePolicy, NarrativeProblem};

/// Rows of a table: more are only counted.
pub(super) const ROWS_MAX: usize = 200;

/// A table with a title; its rows are as long as its head.
pub(super) struct Table {
    pub(super) title: &'static str,
    pub(super) head: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
    /// Rows that were left out.
    pub(super) left_out: usize,
}

impl Table {
    fn new(title: &'static str, head: &[&'static str], rows: Vec<Vec<String>>) -> Self {
        let left_out = rows.len().saturating_sub(ROWS_MAX);
        let mut rows = rows;
        rows.truncate(ROWS_MAX);
        Self {
            title,
            head: head.to_vec(),
            rows,
            left_out,
        }
    }
}

/// What a policy is for, in one line: `2 sword, when search takes 15m to 1h20m`.
pub(super) fn title(story: &Story<'_>, number: usize, policy: &NarrativePolicy) -> String {
    let picks = story.picks(&policy.picks);
    match outcomes_text(story, policy) {
        outcomes if outcomes.is_empty() => format!("{number} {picks}"),
        outcomes => format!("{number} {picks}, when {outcomes}"),
    }
}

/// When what happens.
pub(super) fn events(story: &Story<'_>, policy: &NarrativePolicy) -> Table {
    let row = |r: &stratagem_proto::v1::TemporalEventRange| {
        let earliest = micros(r.earliest_offset.as_ref());
        let when = range_text((earliest, micros(r.latest_offset.as_ref())));
        vec![story.event(&r.event_id), when]
    };
    let mut ranges: Vec<_> = policy.ranges.iter().collect();
    ranges.sort_by_key(|r| {
        (
            micros(r.earliest_offset.as_ref()),
            micros(r.latest_offset.as_ref()),
        )
    });
    let rows = ranges.into_iter().map(row).collect();
    Table::new("When it happens", &["what", "when"], rows)
}

/// What waits for what.
pub(super) fn orders(story: &Story<'_>, policy: &NarrativePolicy) -> Table {
    let orders = policy.orders.iter();
    let names = orders.map(|o| [&o.first_activity_id, &o.second_activity_id]);
    let rows = names.map(|ids| ids.map(|id| story.activity(id)).to_vec());
    Table::new(
        "What waits for what",
        &["this ends", "before this begins"],
        rows.collect(),
    )
}

/// Who and what goes from where to where.
pub(super) fn hand_overs(story: &Story<'_>, policy: &NarrativePolicy) -> Table {
    let row = |h: &NarrativeHandOver| {
        let from = match h.from_activity_id.as_str() {
            "" => "(at first)".into(),
            id => story.activity(id),
        };
        let count = h.amount.max(1).to_string();
        vec![
            story.resource(&h.resource_id),
            count,
            from,
            story.activity(&h.to_activity_id),
        ]
    };
    let rows = policy.hand_overs.iter().map(row).collect();
    let head = ["who or what", "how many", "goes from", "to"];
    Table::new("Who and what goes where", &head, rows)
}

/// A hand-over in a sentence.
fn hand_over(story: &Story<'_>, hand_over: &NarrativeHandOver) -> String {
    let resource = story.resource(&hand_over.resource_id);
    let who = match hand_over.amount {
        ..=1 => resource,
        amount => format!("{amount} of {resource}"),
    };
    let to = story.activity(&hand_over.to_activity_id);
    match hand_over.from_activity_id.as_str() {
        "" => format!("{who} goes first to \"{to}\""),
        id => format!("{who} goes from \"{}\" to \"{to}\"", story.activity(id)),
    }
}

/// Returns one policy of a plan in words: what is picked and for which outcomes, when each event
/// happens, which activities wait for which, and who and what goes from where to where. Lines end
/// with `\n` and have no blanks at their ends. `number` is what the policy is called, from 1. At
/// most 200 lines for each of the three.
///
/// # Examples
/// ```
/// use stratagem_proto::v1::{NarrativeOrder, NarrativePolicy, NarrativeProblem};
/// use stratagem_render::narrative::policy_text;
/// use stratagem_render::text::TextOptions;
/// let order = NarrativeOrder {
///     first_activity_id: "duel".into(),
///     second_activity_id: "toast".into(),
/// };
/// let policy = NarrativePolicy {
///     orders: vec![order],
///     ..NarrativePolicy::default()
/// };
/// let problem = NarrativeProblem::default();
/// let text = policy_text(&problem, 1, &policy, &TextOptions::default());
/// assert_eq!(text, "1 without a choice\n  \"duel\" ends before \"toast\" begins\n");
/// ```
#[must_use]
pub fn policy_text(
    problem: &NarrativeProblem,
    number: usize,
    policy: &NarrativePolicy,
    options: &TextOptions,
) -> String {
    describe(&Story::new(problem), number, policy, options)
}

/// Like [`policy_text`].
pub(super) fn describe(
    story: &Story<'_>,
    number: usize,
    policy: &NarrativePolicy,
    options: &TextOptions,
) -> String {
    let mut lines = vec![title(story, number, policy)];
    let table = events(story, policy);
    let widest = table.rows.iter().map(|r| columns(&printable(&r[0]))).max();
    let widest = widest.unwrap_or(0).min(options.columns() / 2);
    let ellipsis = if options.ascii { "~" } else { "…" };
    let event = |row: &Vec<String>| format!("  {}  {}", fit(&row[0], widest, ellipsis), row[1]);
    lines.extend(table.rows.iter().map(event));
    push_more(&mut lines, table.left_out);
    let table = orders(story, policy);
    let order = |row: &Vec<String>| format!("  \"{}\" ends before \"{}\" begins", row[0], row[1]);
    lines.extend(table.rows.iter().map(order));
    push_more(&mut lines, table.left_out);
    let hand_overs = policy.hand_overs.iter().take(ROWS_MAX);
    lines.extend(hand_overs.map(|h| format!("  {}", hand_over(story, h))));
    push_more(&mut lines, policy.hand_overs.len().saturating_sub(ROWS_MAX));
    let mut text = String::new();
    for (n, line) in lines.into_iter().enumerate() {
        // What it is for stays on one line.
        let parts = match n {
            0 => vec![line],
            _ => folded(&line, options.columns()),
        };
        for part in parts {
            let part = fit(part.trim_end(), options.columns(), ellipsis);
            push_line(&mut text, &part);
        }
    }
    text
}

/// A line in as many as it takes, the further ones indented; words that are too long stay whole.
fn folded(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in printable(line).split_inclusive(' ') {
        let last = lines.last_mut().expect("there is always a line");
        if !last.trim().is_empty() && columns(last) + columns(word.trim_end()) > width {
            lines.push(format!("      {word}"));
        } else {
            last.push_str(word);
        }
    }
    lines
}

fn push_more(lines: &mut Vec<String>, left_out: usize) {
    if left_out > 0 {
        lines.push(format!("  and {left_out} more"));
    }
}
