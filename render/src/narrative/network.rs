//! The story from top to bottom.

use super::story::Story;
use super::tree::{Edge, Kind, Look, Node, Tree};
use crate::label::columns;
use crate::scene::{Drawing, Form, Point};
use std::collections::{BTreeMap, BTreeSet};
use stratagem_proto::v1::NarrativeConflict;
use stratagem_proto::v1::narrative_conflict_member::Rule;

/// Boxes side by side, at most.
const ROW_MAX: usize = 6;
/// Size of a box.
const BOX: (f64, f64) = (158.0, 38.0);
/// From one row to the next.
const PITCH: f64 = 74.0;
/// Width of the boxes' part; what is right of it belongs to long lines.
const BOXES: f64 = 1_030.0;
/// Width of the picture, and what is above it.
const WIDTH: f64 = 1_160.0;
const TOP: f64 = 8.0;
/// Letters of a line in a box.
const LETTERS: usize = 22;
/// Long lines that have a way of their own.
const WAYS_MAX: usize = 8;
/// Events in their order from top to bottom, choices with who makes them, and options. Events that
/// we make happen are green, those of players violet; durations that players pick are dashed. What
/// is part of a conflict is red. At most 1,000 events and 2,000 links are drawn.
pub(super) fn drawing(story: &Story<'_>, conflict: Option<&NarrativeConflict>) -> Drawing {
    let tree = Tree::new(story);
    let (places, rows) = places(&tree);
    let marked = conflict.map_or_else(BTreeSet::new, |it| marked(story, it));
    let mut picture = Picture {
        tree: &tree,
        places,
        marked,
        labels: Vec::new(),
        all: Drawing {
            width: WIDTH,
            height: rows as f64 * PITCH + 8.0,
            ..Drawing::default()
        },
    };
    picture.edges();
    for i in 0..tree.nodes.len() {
        picture.node(i);
    }
    let Picture {
        mut all, labels, ..
    } = picture;
    for (at, text) in labels {
        all.text(at, "small halo", &text);
    }
    all
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
    /// Texts that are drawn over everything.
    labels: Vec<(Point, String)>,
    all: Drawing,
}

impl Picture<'_> {
    /// Middle of the upper edge of a box.
    fn upper(&self, node: usize) -> (f64, f64) {
        let (x, row) = self.places[node];
        (x, TOP + row as f64 * PITCH)
    }

    fn clashes(&self, edge: &Edge) -> bool {
        !edge.id.is_empty() && self.marked.contains(&format!("link {}", edge.id))
    }

    fn edges(&mut self) {
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
                Some(way) => self.detour(edge, way, &mut entries),
                None => self.straight(edge),
            }
        }
    }

    /// A line down to a box below.
    fn straight(&mut self, edge: &Edge) {
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
        let curve = self.all.add(Form::Curve(points), class);
        curve.stroke(colour).tip(edge.tip.as_str());
        if edge.look != Look::Any {
            self.all.head(points[2], end, colour);
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
    fn detour(&mut self, edge: &Edge, way: usize, entries: &mut BTreeMap<usize, usize>) {
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
        self.all.line(&points, class, colour);
        self.all.head((x, y), end, colour);
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
        let text = edge.label.as_str();
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

    fn node(&mut self, i: usize) {
        let node = &self.tree.nodes[i];
        let (x, y) = self.upper(i);
        let choice = matches!(node.kind, Kind::OurChoice | Kind::PlayersChoice);
        let mark = if choice { "choice" } else { "event" };
        let clashes = !node.id.is_empty() && self.marked.contains(&format!("{mark} {}", node.id));
        let (fill, stroke) = colours(node);
        let stroke = if clashes { "#d00" } else { stroke };
        let size = [x - BOX.0 / 2.0, y, BOX.0, BOX.1];
        let all = &mut self.all;
        if clashes {
            let around = [size[0] - 2.0, y - 2.0, BOX.0 + 4.0, BOX.1 + 4.0];
            all.card(around, "#fdd", stroke);
        }
        all.card(size, fill, stroke).tip(node.tip.as_str());
        let room = BOX.0 - 8.0;
        if choice {
            let whose = match node.kind {
                Kind::OurChoice => "we choose",
                _ => "players choose",
            };
            all.fitted((x, y + 16.0), "strong", &node.label, room);
            all.text((x, y + 30.0), "small", whose);
            return;
        }
        let lines = wrapped(&node.label);
        let first = if lines.len() == 1 { 23.0 } else { 16.0 };
        for (n, line) in lines.iter().enumerate() {
            all.fitted((x, y + first + 14.0 * n as f64), "middle", line, room);
        }
    }
}

/// Half of the pixels that a line's text takes.
fn half(text: &str) -> f64 {
    columns(text) as f64 * 2.8 + 2.0
}

/// A label in one or two lines.
fn wrapped(label: &str) -> Vec<&str> {
    if columns(label) <= LETTERS {
        return vec![label];
    }
    let spaces = label.match_indices(' ').map(|(at, _)| at);
    let fitting = spaces.take_while(|at| columns(&label[..*at]) <= LETTERS);
    match fitting.last() {
        Some(at) => vec![&label[..at], label[at..].trim_start()],
        None => vec![label],
    }
}

/// Class and colour of a line.
fn look(edge: &Edge, clashes: bool) -> (&'static str, &'static str) {
    match edge.look {
        _ if clashes => ("bold", "#d00"),
        Look::Before => ("line", "#555"),
        Look::Any => ("line dots", "#999"),
        Look::Contingent => ("bold dash", "#7a3fb0"),
        Look::Fork => ("line", "#2a6fb0"),
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
