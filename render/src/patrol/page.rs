//! A patrol as one page of HTML.

use super::Drawn;
use super::ground::Ground;
use super::heat::{Heat, percent};
use super::svg::{Layer, untitled};
use super::walk::{Walk, walks};
use super::wishes::Wishes;
use crate::html::Page;
use crate::time::{micros, span_text};
use stratagem_proto::v1::{PatrolEvaluation, PatrolProblem, PatrolVertexCoverage};

/// Stops that are listed: more are only counted.
pub(super) const STOPS_MAX: usize = 6_000;

/// Returns a patrol as one self-contained page of HTML, without scripts: guards that go round on
/// the map, how good the patrol is, maps and a table of how well each vertex is watched, and a
/// table of each route. At most 6,000 stops are listed.
#[must_use]
pub fn page(problem: &PatrolProblem, drawn: Drawn<'_>) -> String {
    let ground = Ground::new(problem);
    let mut page = Page::new(&problem.title, &problem.description);
    page.heading("The patrol");
    let mut room = STOPS_MAX;
    plan(&mut page, &ground, drawn, &mut room);
    page.finish()
}

/// A patrol as a part of a page: all of it.
pub(super) fn plan(page: &mut Page, ground: &Ground<'_>, drawn: Drawn<'_>, room: &mut usize) {
    let moving = untitled(ground, drawn, Heat::Capture, Layer::Moving);
    let caption = "Guards on their rounds; arrows show directions, dots starts";
    page.picture(&moving, caption);
    if let Some(evaluation) = drawn.evaluation {
        page.list(&quality(ground, evaluation));
        watched(page, ground, drawn, evaluation);
    }
    wished(page, ground);
    if let Some(plan) = drawn.plan {
        page.heading("Who goes where");
        let walks = walks(ground, plan);
        let stops = |w: &Walk<'_>| w.prefix.len() + w.cycle.len();
        let stops: usize = walks.iter().map(stops).sum();
        let left_out = stops.saturating_sub(*room);
        for walk in &walks {
            route(page, ground, walk, room);
        }
        if left_out > 0 {
            page.paragraph(&format!("and {left_out} more stops"));
        }
    }
}

/// A table of pauses, gaps and what is seen from where, if there are any.
fn wished(page: &mut Page, ground: &Ground<'_>) {
    let wishes = Wishes::new(ground);
    let span = |us: i64| if us > 0 { span_text(us) } else { String::new() };
    let row = |vertex: usize| {
        vec![
            ground.problem.vertices[vertex].id.clone(),
            ground.label(vertex).to_owned(),
            span(wishes.pauses_us[vertex]),
            span(wishes.gaps_us[vertex]),
            wishes.seen[vertex].len().to_string(),
        ]
    };
    let said = (0..wishes.seen.len()).filter(|vertex| !wishes.words(*vertex).is_empty());
    let rows: Vec<_> = said.map(row).collect();
    if rows.is_empty() {
        return;
    }
    let head = [
        "vertex",
        "name",
        "guards stay",
        "unseen once a round",
        "other places seen from here",
    ];
    page.table("Pauses, gaps and sight", &head, &rows);
}

/// A table of how likely who enters is caught at each vertex, and nothing else.
pub(super) fn watched_captures(
    page: &mut Page,
    ground: &Ground<'_>,
    evaluation: &PatrolEvaluation,
) {
    let row = |w: &PatrolVertexCoverage| {
        let vertex = ground.find(&w.vertex_id);
        let label = vertex.map_or("", |v| ground.label(v));
        let caught = percent(w.capture_probability);
        vec![w.vertex_id.clone(), label.to_owned(), caught]
    };
    let mut vertices: Vec<&PatrolVertexCoverage> = evaluation.vertices.iter().collect();
    vertices.sort_by(|a, b| a.capture_probability.total_cmp(&b.capture_probability));
    let rows: Vec<_> = vertices.into_iter().map(row).collect();
    let head = ["vertex", "name", "caught"];
    page.table("The worst places first", &head, &rows);
}

/// How good it is, in words.
fn quality(ground: &Ground<'_>, evaluation: &PatrolEvaluation) -> Vec<String> {
    let label = |id: &str| match ground.find(id) {
        Some(vertex) => ground.label(vertex).to_owned(),
        None => id.to_owned(),
    };
    let caught = percent(evaluation.capture_probability);
    let mut items = vec![format!("{caught} of the intruders are caught.")];
    if let Some(worst) = &evaluation.best_response {
        let when = span_text(micros(worst.entry_offset.as_ref()));
        let how = percent(worst.capture_probability);
        let place = label(&worst.vertex_id);
        items.push(format!(
            "Who knows the patrol enters at {place} at {when}: {how} of those are caught."
        ));
    }
    items.push(match idle(evaluation.worst_idleness_duration.as_ref()) {
        Some(idle) => format!("No place that counts is out of sight for more than {idle}."),
        None => "Some place that counts is never seen.".into(),
    });
    let guess = percent(evaluation.predictability);
    items.push(format!("{guess} of the next steps can be guessed."));
    items
}

fn idle(duration: Option<&prost_types::Duration>) -> Option<String> {
    duration.map(|d| span_text(micros(Some(d))))
}

/// Maps and a table of how well each vertex is watched.
fn watched(page: &mut Page, ground: &Ground<'_>, drawn: Drawn<'_>, evaluation: &PatrolEvaluation) {
    page.heading("How well each place is watched");
    for (heat, caption) in [
        (Heat::Capture, "How likely who enters is caught, by place"),
        (
            Heat::Idleness,
            "How long each place is out of sight at most",
        ),
    ] {
        page.picture(&untitled(ground, drawn, heat, Layer::Bare), caption);
    }
    let row = |w: &PatrolVertexCoverage| {
        let vertex = ground.find(&w.vertex_id);
        let label = vertex.map_or("", |v| ground.label(v));
        let never = || "never seen".to_owned();
        vec![
            w.vertex_id.clone(),
            label.to_owned(),
            percent(w.capture_probability),
            idle(w.worst_idleness_duration.as_ref()).unwrap_or_else(never),
            idle(w.mean_idleness_duration.as_ref()).unwrap_or_else(never),
        ]
    };
    // The worst first; in the order of the problem where they are alike.
    let mut vertices: Vec<&PatrolVertexCoverage> = evaluation.vertices.iter().collect();
    vertices.sort_by(|a, b| a.capture_probability.total_cmp(&b.capture_probability));
    let rows: Vec<_> = vertices.into_iter().map(row).collect();
    let head = [
        "vertex",
        "name",
        "caught",
        "out of sight at most",
        "on average",
    ];
    page.table("The worst places first", &head, &rows);
}

fn route(page: &mut Page, ground: &Ground<'_>, walk: &Walk<'_>, room: &mut usize) {
    let span = |ticks: i64| span_text(ticks.saturating_mul(ground.tick_us));
    let prefix = walk.prefix.iter().map(|v| (v, "first"));
    let cycle = walk.cycle.iter().map(|v| (v, "round"));
    let visits = prefix.chain(cycle).take(*room);
    let rows = visits.map(|(visit, part)| {
        vec![
            ground.label(visit.vertex).to_owned(),
            span(visit.at),
            span(visit.stay),
            part.to_owned(),
        ]
    });
    let rows: Vec<_> = rows.collect();
    *room -= rows.len();
    page.table(walk.name, &["where", "there", "stays", "part"], &rows);
    let begin = span(walk.begin);
    page.paragraph(&match walk.cycle.len() {
        0 | 1 => format!("From {begin} on it stands there."),
        _ => format!(
            "From {begin} on it goes round, once in {}.",
            span(walk.long)
        ),
    });
}
