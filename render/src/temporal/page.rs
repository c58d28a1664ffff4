//! All that is known about a network as one page of HTML.

use super::Drawn;
use super::graph::{Graph, Link, Owner};
use super::links::range_text;
use super::svg::{untitled, window_text};
use super::timeline::in_order;
use super::windows::windows;
use crate::html::Page;
use crate::time::span_text;
use stratagem_proto::v1::{TemporalConflict, TemporalNetwork};

/// Rows of a table: more are only counted.
const ROWS_MAX: usize = 2_000;

/// Returns a network as one self-contained page of HTML, without scripts: the conflict, the
/// pictures of [`super::svg`], and tables of time windows of events and of links. At most 2,000
/// events and links are listed, links of the conflict first.
#[must_use]
pub fn page(network: &TemporalNetwork, drawn: Drawn<'_>) -> String {
    let graph = Graph::new(network, &drawn);
    let mut page = Page::new(&network.title, &network.description);
    if let Some(conflict) = drawn.conflict {
        page.heading("What clashes");
        page.paragraph(&conflict.summary);
        page.list(&rules(conflict));
    }
    page.heading("The network");
    let caption = "Events in the order of time, links between them, and when each event may happen";
    page.picture(&untitled(network, drawn), caption);
    events(&mut page, &graph, &drawn);
    links(&mut page, network, &graph);
    page.finish()
}

fn rules(conflict: &TemporalConflict) -> Vec<String> {
    let members = conflict.members.iter().take(ROWS_MAX);
    members.map(|member| member.message.clone()).collect()
}

/// When each event may happen, the earliest first.
fn events(page: &mut Page, graph: &Graph<'_>, drawn: &Drawn<'_>) {
    let windows = windows(graph, drawn);
    let order = in_order(&windows);
    let rows = order.iter().take(ROWS_MAX).map(|&i| {
        let whose = match graph.owners[i] {
            Owner::Us => "ours",
            Owner::Teammate => "a teammate's",
            Owner::Nature => "Nature's",
        };
        let broken = windows[i].broken.map(span_text).unwrap_or_default();
        vec![
            graph.events[i].to_owned(),
            whose.to_owned(),
            window_text(windows[i]),
            broken,
        ]
    });
    let mut rows: Vec<_> = rows.collect();
    let mut head = vec!["event", "whose", "when", "breaks at"];
    if rows.iter().all(|row| row[3].is_empty()) {
        head.pop();
        rows.iter_mut().for_each(|row| row.truncate(3));
    }
    page.table("When events may happen", &head, &rows);
    left_out(page, order.len(), "events");
}

/// What the links ask for, those that clash first.
fn links(page: &mut Page, network: &TemporalNetwork, graph: &Graph<'_>) {
    let origin = match network.origin_id.as_str() {
        "" => "origin",
        id => id,
    };
    let mut links: Vec<&Link> = graph.links.iter().collect();
    links.sort_by_key(|link| !link.clashes);
    let rows = links.iter().take(ROWS_MAX).map(|link| {
        let name = |end: Option<usize>| end.map_or(origin, |i| graph.events[i]).to_owned();
        let clashes = if link.clashes { "yes" } else { "" };
        vec![
            link.id.clone(),
            name(link.ends[0]),
            name(link.ends[1]),
            range_text(link),
            clashes.to_owned(),
        ]
    });
    let rows: Vec<_> = rows.collect();
    page.table("Links", &["link", "from", "to", "takes", "clashes"], &rows);
    left_out(page, links.len(), "links");
}

fn left_out(page: &mut Page, all: usize, what: &str) {
    if all > ROWS_MAX {
        page.paragraph(&format!("and {} more {what}", all - ROWS_MAX));
    }
}
