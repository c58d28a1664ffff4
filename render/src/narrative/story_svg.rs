//! The story from top to bottom, in SVG.

use super::Drawn;
use super::gantt_svg::{STYLE, WIDTH};
use super::story::Story;
use super::text::conflict_lines;
use super::tree::{Edge, Kind, Look, Node, Tree};
use crate::label::{columns, fit};
use crate::svg::Canvas;
use std::collections::{BTreeMap, BTreeSet};
use stratagem_proto::v1::narrative_conflict_member::Rule;
use stratagem_proto::v1::{NarrativeConflict, NarrativeProblem};

/// Boxes side by side, at most.
const ROW_MAX: usize = 6;
/// Size of a box.
const BOX: (f64, f64) = (158.0, 38.0);
/// From one row to the next.
const PITCH: f64 = 74.0;
/// Width of the boxes' part; what is right of it belongs to long lines.
const BOXES: f64 = 1_030.0;
/// Letters of a line in a box.
const LETTERS: usize = 23;
/// Long lines that have a way of their own.
const WAYS_MAX: usize = 8;
/// Lines about a conflict.
const LINES_MAX: usize = 30;

/// Returns a story as a self-contained SVG document without scripts: events in their order from top
/// to bottom, choices with who makes them, and options. Events that we make happen are green, those
/// of players violet; durations that players pick are dashed. Of a conflict the links, events,
/// choices and activities are red, and listed below. With groups: the story that each lives
/// through. Ids and bounds are tooltips. At most 1,000 events and 2,000 links are drawn.
#[must_use]
pub fn story_svg(problem: &NarrativeProblem, drawn: Drawn<'_>) -> String {
    let mut canvas = Canvas::new();
    let height = draw(&mut canvas, &Story::new(problem), drawn, 8.0);
    canvas.finish(WIDTH, height + 16.0, STYLE)
}

/// Draws a story below `top` and returns its height.
pub(super) fn draw(canvas: &mut Canvas, story: &Story<'_>, drawn: Drawn<'_>, top: f64) -> f64 {
    let tree = Tree::new(story);
    let (places, rows) = places(&tree);
    let marked = drawn
        .conflict
        .map_or_else(BTreeSet::new, |c| marked(story, c));
    let mut picture = Picture {
        tree: &tree,
        places,
        marked,
        top,
        labels: Vec::new(),
    };
    picture.edges(canvas);
    for i in 0..tree.nodes.len() {
        picture.node(canvas, i);
    }
    for (at, text) in &picture.labels {
        let half = half(text);
        let below = [at.0 - half, at.1 - 9.0, 2.0 * half, 12.0];
        canvas.rect(below, "#fff", text);
        canvas.text(at.0, at.1, "edge middle", text);
    }
    let mut height = rows as f64 * PITCH;
    let lines = drawn
        .conflict
        .map_or_else(Vec::new, |c| conflict_lines(story, c));
    for line in lines.iter().take(LINES_MAX) {
        height += 18.0;
        canvas.text(16.0, top + height, "plain", fit(line, 165, "…").trim_end());
    }
    height + 8.0
}

/// What of a story is part of a conflict: ids without groups, as `link `, `event ` or `choice `
/// and the id.
fn marked(story: &Story<'_>, conflict: &NarrativeConflict) -> BTreeSet<String> {
    let mut marked = BTreeSet::new();
    let mut mark = |kind: &str, id: &str| marked.insert(format!("{kind} {}", story.local(id).0));
    for member in &conflict.members {
        match &member.rule {
            Some(Rule::Bound(bound)) => {
                mark("link", &bound.link_id);
            }
            Some(Rule::ChoiceId(id)) => {
                mark("choice", id);
            }
            Some(Rule::EventId(id)) => {
                mark("event", id);
            }
            Some(Rule::Overload(overload)) => {
                let ids: BTreeSet<_> = overload.activity_ids.iter().collect();
                for activity in story.activities.iter().filter(|a| ids.contains(&a.id)) {
                    mark("event", &activity.given.start_event_id);
                    mark("event", &activity.given.end_event_id);
                }
            }
            None => {}
        }
    }
    marked
}

/// Middle of the upper edge of each box, in pixels and rows, and the number of rows.
fn places(tree: &Tree<'_>) -> (Vec<(f64, usize)>, usize) {
    let mut ranks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, node) in tree.nodes.iter().enumerate() {
        ranks.entry(node.rank).or_default().push(i);
    }
    let mut leads: Vec<Vec<usize>> = vec![Vec::new(); tree.nodes.len()];
    for edge in tree.edges.iter().filter(|e| e.look != Look::Any) {
        let (from, to) = edge.ends;
        if tree.nodes[from].rank < tree.nodes[to].rank {
            leads[to].push(from);
        }
    }
    let mut places = vec![(BOXES / 2.0, 0); tree.nodes.len()];
    let mut row = 0;
    for nodes in ranks.values() {
        let wish = |i: usize| {
            let sum: f64 = leads[i].iter().map(|from| places[*from].0).sum();
            match leads[i].len() {
                0 => BOXES / 2.0,
                count => sum / count as f64,
            }
        };
        let mut wishes: Vec<_> = nodes.iter().map(|i| (wish(*i), *i)).collect();
        wishes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for chunk in wishes.chunks(ROW_MAX) {
            let pitch = (BOXES / chunk.len() as f64).min(260.0);
            let left = (BOXES - pitch * (chunk.len() - 1) as f64) / 2.0;
            for (n, (wish, i)) in chunk.iter().enumerate() {
                // One alone stays where it came from.
                let x = match chunk.len() {
                    1 => wish.clamp(BOX.0 / 2.0 + 8.0, BOXES - BOX.0 / 2.0),
                    _ => left + n as f64 * pitch,
                };
                places[*i] = (x, row);
            }
            row += 1;
        }
    }
    (places, row)
}

struct Picture<'a> {
    tree: &'a Tree<'a>,
    places: Vec<(f64, usize)>,
    marked: BTreeSet<String>,
    top: f64,
    /// Texts that are drawn over everything.
    labels: Vec<((f64, f64), String)>,
}

impl Picture<'_> {
    /// Middle of the upper edge of a box.
    fn upper(&self, node: usize) -> (f64, f64) {
        let (x, row) = self.places[node];
        (x, self.top + row as f64 * PITCH)
    }

    fn clashes(&self, edge: &Edge) -> bool {
        !edge.id.is_empty() && self.marked.contains(&format!("link {}", edge.id))
    }

    fn edges(&mut self, canvas: &mut Canvas) {
        let mut edges: Vec<&Edge> = self.tree.edges.iter().collect();
        // What clashes is drawn last, over the others.
        edges.sort_by_key(|e| self.clashes(e));
        let long = |e: &&&Edge| {
            let (from, to) = (self.places[e.ends.0].1, self.places[e.ends.1].1);
            e.look != Look::Fork && to > from + 1
        };
        let ways: Vec<&Edge> = edges
            .iter()
            .filter(long)
            .rev()
            .take(WAYS_MAX)
            .copied()
            .collect();
        let mut entries: BTreeMap<usize, usize> = BTreeMap::new();
        for edge in edges {
            match ways.iter().position(|w| std::ptr::eq(*w, edge)) {
                Some(way) => self.way_round(canvas, edge, way, &mut entries),
                None => self.straight(canvas, edge),
            }
        }
    }

    /// A line down to a box below.
    fn straight(&mut self, canvas: &mut Canvas, edge: &Edge) {
        let (from, to) = (self.upper(edge.ends.0), self.upper(edge.ends.1));
        let clashes = self.clashes(edge);
        let (class, colour) = look(edge, clashes);
        let start = (from.0, from.1 + BOX.1);
        let down = to.1 > start.1;
        // Within a row, and upwards, lines come in from below.
        let end = if down { to } else { (to.0, to.1 + BOX.1) };
        let bend = if down { (end.1 - start.1) / 2.0 } else { 26.0 };
        let back = if down { -bend } else { bend };
        let points = [start, (start.0, start.1 + bend), (end.0, end.1 + back), end];
        canvas.curve(points, class, colour, &edge.tip);
        if edge.look != Look::Any {
            head(canvas, end, if down { -7.0 } else { 7.0 }, colour);
        }
        let near = |t: f64| {
            let u = 1.0 - t;
            let at = |p: [f64; 4]| {
                let [a, b, c, d] = p;
                u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
            };
            (at(points.map(|p| p.0)), at(points.map(|p| p.1)) + 3.0)
        };
        self.label(edge, [0.5, 0.7, 0.3].map(near));
    }

    /// A line that leaves to the right and comes back further down.
    fn way_round(
        &mut self,
        canvas: &mut Canvas,
        edge: &Edge,
        way: usize,
        entries: &mut BTreeMap<usize, usize>,
    ) {
        let (from, to) = (self.upper(edge.ends.0), self.upper(edge.ends.1));
        let (class, colour) = look(edge, self.clashes(edge));
        let row = self.places[edge.ends.1].1;
        let entry = entries.entry(row).or_default();
        let y = to.1 + BOX.1 / 2.0 + [0.0, 12.0, -12.0][*entry % 3];
        *entry += 1;
        let x = BOXES + 22.0 + way as f64 * 13.0;
        let start = (from.0 + BOX.0 / 2.0, from.1 + BOX.1 / 2.0 + 4.0);
        let end = (to.0 + BOX.0 / 2.0, y);
        let points = [start, (x, start.1), (x, y), end];
        canvas.polyline(&points, class, colour);
        let (ex, ey) = end;
        canvas.polygon(&[end, (ex + 7.0, ey - 3.5), (ex + 7.0, ey + 3.5)], colour);
        let row_end = self.places.iter().filter(|p| p.1 == row).map(|p| p.0);
        let right = row_end.fold(0.0, f64::max) + BOX.0 / 2.0;
        let text = format!("{}: {}", edge.id, edge.label);
        let half = half(&text);
        let near = [0.0, 12.0, 24.0].map(|d| (right + 14.0 + half, y + 3.5 + d));
        let named = Edge {
            label: text,
            ..edge.clone()
        };
        self.label(&named, near);
    }

    /// Writes what a line stands for to the first of some places that is free; nowhere if none is.
    fn label(&mut self, edge: &Edge, places: [(f64, f64); 3]) {
        let text = fit(&edge.label, columns(&edge.label).min(34), "…");
        let text = text.trim_end();
        let half = half(text) + 1.0;
        let free = |at: &(f64, f64)| {
            self.labels.iter().all(|(o, other)| {
                let apart = half + self::half(other) + 1.0;
                (o.0 - at.0).abs() > apart || (o.1 - at.1).abs() > 11.0
            })
        };
        if !text.is_empty()
            && self.labels.len() < 2 * WAYS_MAX * ROW_MAX * 4
            && let Some(at) = places.iter().find(|p| free(p))
        {
            self.labels.push((*at, text.to_owned()));
        }
    }

    fn node(&self, canvas: &mut Canvas, i: usize) {
        let node = &self.tree.nodes[i];
        let (x, y) = self.upper(i);
        let choice = matches!(node.kind, Kind::OurChoice | Kind::PlayersChoice);
        let mark = if choice { "choice" } else { "event" };
        let clashes = !node.id.is_empty() && self.marked.contains(&format!("{mark} {}", node.id));
        let (fill, stroke) = colours(node);
        let stroke = if clashes { "#d00" } else { stroke };
        let size = [x - BOX.0 / 2.0, y, BOX.0, BOX.1];
        if clashes {
            let around = [size[0] - 2.0, y - 2.0, BOX.0 + 4.0, BOX.1 + 4.0];
            canvas.outlined(around, "#fdd", stroke, &node.tip);
        }
        canvas.outlined(size, fill, stroke, &node.tip);
        if choice {
            let whose = match node.kind {
                Kind::OurChoice => "we choose",
                _ => "players choose",
            };
            let label = fit(&node.label, columns(&node.label).min(LETTERS), "…");
            canvas.text(x, y + 16.0, "strong", &label);
            canvas.text(x, y + 30.0, "small", whose);
            return;
        }
        let lines = wrapped(&node.label);
        let first = if lines.len() == 1 { 23.0 } else { 16.0 };
        for (n, line) in lines.iter().enumerate() {
            canvas.text(x, y + first + 14.0 * n as f64, "middle", line);
        }
    }
}

/// Half of the pixels that a line's text takes.
fn half(text: &str) -> f64 {
    columns(text) as f64 * 2.8 + 2.0
}

/// A label in one or two lines.
fn wrapped(label: &str) -> Vec<String> {
    if columns(label) <= LETTERS {
        return vec![fit(label, columns(label), "…")];
    }
    let mut first = String::new();
    let mut rest = label;
    while let Some((word, after)) = rest.split_once(' ') {
        if columns(&first) + columns(word) > LETTERS {
            break;
        }
        first += word;
        first.push(' ');
        rest = after;
    }
    let rest = fit(rest, columns(rest).min(LETTERS), "…");
    let lines = [fit(first.trim_end(), columns(first.trim_end()), "…"), rest];
    lines.into_iter().filter(|l| !l.is_empty()).collect()
}

/// The head of an arrow that points down, or up where `back` is above 0.
fn head(canvas: &mut Canvas, tip: (f64, f64), back: f64, colour: &str) {
    let (x, y) = tip;
    canvas.polygon(&[tip, (x - 3.5, y + back), (x + 3.5, y + back)], colour);
}

/// Class and colour of a line.
fn look(edge: &Edge, clashes: bool) -> (&'static str, &'static str) {
    match edge.look {
        _ if clashes => ("clash", "#d00"),
        Look::Before => ("before", "#555"),
        Look::Any => ("any", "#999"),
        Look::Contingent => ("contingent", "#7a3fb0"),
        Look::Fork => ("before", "#2a6fb0"),
    }
}

/// Fill and outline of a box.
fn colours(node: &Node<'_>) -> (&'static str, &'static str) {
    match node.kind {
        Kind::Origin => ("#eee", "#666"),
        Kind::Ours => ("#dff3e1", "#2e8b57"),
        Kind::Players => ("#ece0f8", "#7a3fb0"),
        Kind::OurChoice => ("#d7e8fb", "#2a6fb0"),
        Kind::PlayersChoice => ("#ece0f8", "#7a3fb0"),
        Kind::Option => ("#fff", "#2a6fb0"),
    }
}
