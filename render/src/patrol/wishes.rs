//! What a problem says of its vertices beside who watches them: pauses, gaps, and what is seen from
//! where.

use super::ground::Ground;
use super::letters::digit;
use super::map::Frame;
use crate::scene::{Drawing, Form, colour};
use crate::time::{micros, span_text};
use std::collections::BTreeMap;
use stratagem_proto::v1::PatrolVertex;

/// Lines of sight that are drawn, of all vertices together.
const LINES_MAX: usize = 20_000;

/// What is wished for at vertices, and seen from them.
pub(super) struct Wishes {
    /// How long guards stay, in microseconds; 0 where nothing is said. By vertex, as all lists.
    pub(super) pauses_us: Vec<i64>,
    /// How long it is to be out of sight, in microseconds.
    pub(super) gaps_us: Vec<i64>,
    /// The other vertices that are seen from each.
    pub(super) seen: Vec<Vec<usize>>,
    /// The same for guards who see otherwise, by the number of the guard and the vertex.
    own: BTreeMap<(usize, usize), Vec<usize>>,
}

impl Wishes {
    pub(super) fn new(ground: &Ground<'_>) -> Self {
        let vertices = &ground.problem.vertices;
        let span = |of: fn(&PatrolVertex) -> &Option<prost_types::Duration>| {
            let span = |vertex| micros(of(vertex).as_ref()).max(0);
            vertices.iter().map(span).collect()
        };
        let known = |ids: &[String], from: usize| {
            let found = ids.iter().filter_map(|id| ground.find(id));
            let mut found: Vec<usize> = found.filter(|vertex| *vertex != from).collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        let each = vertices.iter().enumerate();
        let guards = ground.problem.guards.iter().enumerate();
        let own = guards.flat_map(|(n, guard)| guard.sights.iter().map(move |sight| (n, sight)));
        Self {
            pauses_us: span(|vertex| &vertex.pause_duration),
            gaps_us: span(|vertex| &vertex.gap_duration),
            seen: each.map(|(n, v)| known(&v.seen_vertex_ids, n)).collect(),
            own: own
                .filter_map(|(n, sight)| {
                    let vertex = ground.find(&sight.vertex_id)?;
                    Some(((n, vertex), known(&sight.seen_vertex_ids, vertex)))
                })
                .collect(),
        }
    }

    /// Whether nothing is wished for, and nothing seen from afar.
    pub(super) fn are_none(&self) -> bool {
        (0..self.seen.len()).all(|vertex| self.words(vertex).is_empty())
    }

    /// Whether there is a pause or a gap.
    fn has_marks(&self) -> bool {
        let mut all = self.pauses_us.iter().chain(&self.gaps_us);
        all.any(|span| *span > 0)
    }

    /// What is said of a vertex, as parts of a sentence.
    pub(super) fn words(&self, vertex: usize) -> Vec<String> {
        let mut words = Vec::new();
        if self.pauses_us[vertex] > 0 {
            words.push(format!("guards stay {}", span_text(self.pauses_us[vertex])));
        }
        if self.gaps_us[vertex] > 0 {
            let gap = span_text(self.gaps_us[vertex]);
            words.push(format!("unseen for {gap} once a round"));
        }
        match self.seen[vertex].len() {
            0 => {}
            1 => words.push("one other place is seen from here".into()),
            many => words.push(format!("{many} other places are seen from here")),
        }
        words
    }

    /// What a guard sees from a vertex besides it.
    fn sight(&self, guard: usize, vertex: usize) -> &[usize] {
        let own = self.own.get(&(guard, vertex));
        own.unwrap_or(&self.seen[vertex])
    }

    /// Draws what is seen from each vertex, which is shown when somebody points at it.
    pub(super) fn lines(
        &self,
        all: &mut Drawing,
        frame: &Frame,
        ground: &Ground<'_>,
        tip: impl Fn(usize) -> String,
    ) {
        let mut room = LINES_MAX;
        for (vertex, seen) in self.seen.iter().enumerate() {
            if seen.is_empty() || seen.len() > room {
                continue;
            }
            room -= seen.len();
            let (x, y) = frame.place(ground, vertex);
            let ends = seen.iter().map(|to| frame.place(ground, *to));
            let rays = Form::Rays([x, y, frame.radius], ends.collect());
            all.add(rays, "").tip(tip(vertex));
        }
    }

    /// Draws what each guard sees from where it starts: tinted tiles, or faint lines.
    pub(super) fn starts(&self, all: &mut Drawing, frame: &Frame, ground: &Ground<'_>) {
        for (n, guard) in ground.problem.guards.iter().enumerate() {
            let Some(start) = ground.find(&guard.start_vertex_id) else {
                continue;
            };
            let seen = self.sight(n, start).iter().take(LINES_MAX);
            let seen = seen.map(|to| frame.place(ground, *to));
            if ground.are_tiles() {
                let side = 2.0 * frame.radius;
                let cells = seen.map(|(x, y)| [x - side / 2.0, y - side / 2.0, side, side]);
                let cells = Form::Cells(cells.collect());
                let tip = format!("seen by {} at the start", ground.guard(&guard.id));
                all.add(cells, "faint").fill(&colour(n)).tip(tip);
                continue;
            }
            let from = frame.place(ground, start);
            for to in seen {
                all.line(&[from, to], "thin pale", &colour(n));
            }
        }
    }

    /// Draws two bars on vertices with a pause and a dashed ring around those with a gap.
    pub(super) fn marks(&self, all: &mut Drawing, frame: &Frame, ground: &Ground<'_>) {
        let half = frame.radius * 0.5;
        for vertex in 0..ground.places.len() {
            let (x, y) = frame.place(ground, vertex);
            let words = self.words(vertex).join(", ");
            let tip = format!("{}: {words}", ground.label(vertex));
            if self.pauses_us[vertex] > 0 {
                for side in [-0.7, 0.25] {
                    let bar = [x + side * half, y - half, 0.45 * half, 2.0 * half];
                    all.rect(bar, "#222").tip(tip.as_str());
                }
            }
            if self.gaps_us[vertex] > 0 {
                let ring = [x, y, frame.radius + 2.0];
                all.disc(ring, "none", "dash").stroke("#333").tip(tip);
            }
        }
    }

    /// What marks mean, a line each.
    pub(super) fn legend(&self) -> Vec<&'static str> {
        let any = |all: &[i64]| all.iter().any(|span| *span > 0);
        let parts = [
            (any(&self.pauses_us), "two bars: guards stay a while"),
            (
                any(&self.gaps_us),
                "dashed ring: out of sight for a while once a round",
            ),
            (
                self.seen.iter().any(|seen| !seen.is_empty()),
                "tinted: what guards see from where they start; \
                 point at a place to see what is seen from there",
            ),
        ];
        let said = parts.into_iter().filter(|(there, _)| *there);
        said.map(|(_, words)| words).collect()
    }

    /// The letter of a vertex on a terminal: `P` for a pause, `V` for a gap, `B` for both, else how
    /// many others are seen from it.
    pub(super) fn letter(&self, vertex: usize) -> &'static str {
        match (self.pauses_us[vertex] > 0, self.gaps_us[vertex] > 0) {
            (true, true) => "B",
            (true, false) => "P",
            (false, true) => "V",
            (false, false) => digit(self.seen[vertex].len()),
        }
    }

    /// What the letters on a terminal mean.
    pub(super) fn title(&self) -> &'static str {
        if self.has_marks() {
            "P pause, V gap, else places seen"
        } else {
            "places seen from here"
        }
    }
}
