//! Temporal networks: their events and links, when events may happen, and conflicts.

mod graph;
mod layout;
mod network;
mod times;
mod windows;

pub use crate::links::{LinkIds, link_ids};
use crate::picture::{Drawable, Response, Selection};

use crate::scene::{Content, On, Panel, Picture, Scene, table};
use crate::time::{bounds_text, span_text};
use graph::{Graph, Link};
use stratagem_proto::v1::{TemporalConflict, TemporalNetwork, TemporalSchedule};
use windows::{in_order, windows};

/// Rows of a table: more are only counted.
const ROWS_MAX: usize = 2_000;

/// What is known about a network and drawn into its picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// Times of our events, ranges of the others': without it the bounds of the network are drawn.
    pub schedule: Option<&'a TemporalSchedule>,
    /// What clashes: its links are marked, its times drawn.
    pub conflict: Option<&'a TemporalConflict>,
}

/// Returns the scene of a network: the conflict, its events in columns by time with links between
/// them, when each event may happen, and tables of both. Our events are green, teammates' orange,
/// Nature's violet. Links with an order have an arrow, contingent ones are dashed, those without an
/// order dotted; what clashes is red. At most 2,000 links are drawn, those that clash first.
#[must_use]
pub fn scene(network: &TemporalNetwork, drawn: Drawn<'_>) -> Scene {
    let graph = Graph::new(network, &drawn);
    let windows = windows(&graph, &drawn);
    let mut scene = Scene::new(&network.title, &network.description);
    if let Some(conflict) = drawn.conflict {
        let members = conflict.members.iter().take(ROWS_MAX);
        let members = members.map(|member| member.message.clone());
        scene.push(On::Page, Content::Heading("What clashes".into()));
        scene.push(On::Page, Content::Paragraph(conflict.summary.clone()));
        scene.push(On::Page, Content::List(members.collect()));
    }
    scene.push(On::Page, Content::Heading("The network".into()));
    links(&mut scene, network, &graph, &windows);
    let caption = "Events in the order of time, links between them, and when each event may happen";
    scene.push(
        On::All,
        Picture {
            caption: caption.into(),
            panels: vec![
                Panel::Drawing(network::drawing(&graph, &windows)),
                Panel::Chart(times::chart(&graph, &windows)),
            ],
            clock: None,
        },
    );
    let rows = in_order(&windows).into_iter().map(|i| {
        vec![
            graph.events[i].to_owned(),
            graph.owners[i].word().to_owned(),
            windows[i].words(),
            windows[i].broken.map(span_text).unwrap_or_default(),
        ]
    });
    let head = ["event", "whose", "when", "breaks at"];
    let events = table("When events may happen", &head, rows, ROWS_MAX);
    scene.push(On::Page, events.trimmed());
    scene
}

/// Returns when events may happen, alone: a row for each event, the earliest first, with its range
/// or the time that was chosen. What nothing ties to the origin is drawn as if it began there.
#[must_use]
pub fn times(network: &TemporalNetwork, drawn: Drawn<'_>) -> Scene {
    let graph = Graph::new(network, &drawn);
    let windows = windows(&graph, &drawn);
    let mut scene = Scene::default();
    let panels = vec![Panel::Chart(times::chart(&graph, &windows))];
    scene.push(
        On::All,
        Picture {
            panels,
            ..Picture::default()
        },
    );
    scene
}

/// The links, those that clash first, and then in the order of time.
fn links(
    scene: &mut Scene,
    network: &TemporalNetwork,
    graph: &Graph<'_>,
    windows: &[windows::Window],
) {
    let origin = match network.origin_id.as_str() {
        "" => "origin",
        id => id,
    };
    let begin = |end: Option<usize>| end.map_or(i64::MIN, |i| windows[i].begin());
    let mut links: Vec<&Link> = graph.links.iter().collect();
    links.sort_by_key(|l| (!l.clashes, begin(l.ends[0]), begin(l.ends[1])));
    let rows = links.iter().map(|link| {
        let name = |end: Option<usize>| end.map_or(origin, |i| graph.events[i]).to_owned();
        let clashes = if link.clashes { "yes" } else { "" };
        vec![
            link.id.clone(),
            name(link.ends[0]),
            name(link.ends[1]),
            bounds_text(link.lower, link.upper),
            link.order.words().to_owned(),
            clashes.to_owned(),
        ]
    });
    let head = ["link", "from", "to", "takes", "order", "clashes"];
    scene.push(On::Words, table("Links", &head, rows, ROWS_MAX).trimmed());
}

impl Drawable for TemporalNetwork {
    fn scene(&self, response: Option<&Response>, _: Selection) -> Option<Scene> {
        let mut drawn = Drawn::default();
        match response {
            Some(Response::CheckStrongControllability(found)) => {
                drawn.schedule = found.plan.as_ref();
                drawn.conflict = found.conflict.as_ref();
            }
            Some(Response::CheckControllability(found)) => {
                let findings = &found.findings;
                // The last question is the strongest: its times satisfy the most.
                drawn.schedule = findings.iter().rev().find_map(|it| it.plan.as_ref());
                drawn.conflict = findings.iter().find_map(|it| it.conflict.as_ref());
            }
            _ => {}
        }
        // The times of a conflict are its own.
        drawn.schedule = drawn.schedule.filter(|_| drawn.conflict.is_none());
        Some(scene(self, drawn))
    }
}
