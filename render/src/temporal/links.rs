//! A network as lines of text: a line for each link, in the order of time.

use super::Drawn;
use super::graph::{Graph, Link, Order};
use super::windows::windows;
use crate::axis::push_line;
use crate::label::{columns, fit, printable};
use crate::text::TextOptions;
use crate::time::bounds_text;
use stratagem_proto::v1::TemporalNetwork;

/// Most columns of an event's name.
const NAME_MAX: usize = 24;
/// Links that are listed, those that clash first of all.
const LINES_MAX: usize = 200;

/// Returns a network as text: a line for each link with its two events, the earlier one first where
/// the link says which, the bounds between them, and its id; links that clash are marked. Lines are
/// in the order of time, end with `\n` and have no blanks at their ends. At most 200 links.
///
/// # Examples
/// ```
/// use stratagem_proto::v1::TemporalNetwork;
/// use stratagem_render::temporal::{Drawn, links_text};
/// use stratagem_render::text::TextOptions;
/// let text = links_text(
///     &TemporalNetwork::default(),
///     Drawn::default(),
///     &TextOptions::default(),
/// );
/// assert_eq!(text, "no links\n");
/// ```
#[must_use]
pub fn links_text(network: &TemporalNetwork, drawn: Drawn<'_>, options: &TextOptions) -> String {
    let graph = Graph::new(network, &drawn);
    if graph.links.is_empty() {
        return "no links\n".into();
    }
    let windows = windows(&graph, &drawn);
    let begin = |end: Option<usize>| end.map_or(i64::MIN, |i| windows[i].begin());
    let mut links: Vec<&Link> = graph.links.iter().collect();
    // Stable: the order of the network decides between equals.
    links.sort_by_key(|l| !l.clashes);
    let left_out = links.len().saturating_sub(LINES_MAX);
    links.truncate(LINES_MAX);
    links.sort_by_key(|l| (begin(l.ends[0]), begin(l.ends[1])));
    let origin = match network.origin_id.as_str() {
        "" => "origin",
        id => id,
    };
    let name = |end: Option<usize>| end.map_or(origin, |i| graph.events[i]);
    let widest = |side: usize| {
        let names = links
            .iter()
            .map(|l| columns(&printable(name(l.ends[side]))));
        names.max().unwrap_or(0).min(NAME_MAX)
    };
    let (from_width, to_width) = (widest(0), widest(1));
    let bounds = links.iter().map(|l| columns(&range_text(l))).max();
    let ellipsis = if options.ascii { "~" } else { "…" };
    let mut text = String::new();
    for link in &links {
        let from = fit(name(link.ends[0]), from_width, ellipsis);
        let to = fit(name(link.ends[1]), to_width, ellipsis);
        let arrow = arrow(link, bounds.unwrap_or(0), options.ascii);
        let mark = if link.clashes { '!' } else { ' ' };
        let line = format!("{mark} {from} {arrow} {to}  {}", printable(&link.id));
        let line = fit(&line, options.columns(), ellipsis);
        let line = line.trim_end();
        let line = if link.clashes {
            options.styled("31", line)
        } else {
            line.to_owned()
        };
        push_line(&mut text, &line);
    }
    if left_out > 0 {
        push_line(&mut text, &format!("and {left_out} more links"));
    }
    push_line(&mut text, &legend(&links, options.ascii));
    text
}

/// The bounds of a link for people.
pub(super) fn range_text(link: &Link) -> String {
    bounds_text(link.lower, link.upper)
}

/// Line and head of an arrow.
fn strokes(order: Order, ascii: bool) -> (char, char) {
    match (order, ascii) {
        (Order::Before, false) => ('─', '>'),
        (Order::Before, true) => ('-', '>'),
        (Order::Any, false) => ('·', '·'),
        (Order::Any, true) => ('.', '.'),
        (Order::Contingent, false) => ('═', '>'),
        (Order::Contingent, true) => ('=', '>'),
    }
}

/// An arrow with the bounds in its middle.
fn arrow(link: &Link, width: usize, ascii: bool) -> String {
    let (line, head) = strokes(link.order, ascii);
    let text = range_text(link);
    let missing = width.saturating_sub(columns(&text));
    let fill = |n: usize| line.to_string().repeat(n);
    let left = missing / 2;
    format!(
        "{} {text} {}{head}",
        fill(2 + left),
        fill(1 + missing - left)
    )
}

/// What the arrows mean, as far as they are there.
fn legend(links: &[&Link], ascii: bool) -> String {
    let mut parts = Vec::new();
    for (order, meaning) in [
        (Order::Before, "comes before"),
        (Order::Any, "in any order"),
        (Order::Contingent, "Nature decides how long"),
    ] {
        if links.iter().any(|l| l.order == order) {
            let (line, head) = strokes(order, ascii);
            parts.push(format!("{line}{line}{head} {meaning}"));
        }
    }
    if links.iter().any(|l| l.clashes) {
        parts.push("! clashes".into());
    }
    parts.join("  ")
}
