//! A patrol as one page of HTML.

use super::Drawn;
use super::ground::Ground;
use super::heat::{Heat, percent};
use super::svg::{Layer, untitled};
use super::walk::{Visit, Walk, walks};
use crate::html::Page;
use crate::time::{micros, span_text};
use stratagem_proto::v1::{PatrolEvaluation, PatrolProblem, PatrolWatched};

/// Stops that are listed: more are only counted.
const STOPS_MAX: usize = 6_000;

/// Returns a patrol as one self-contained page of HTML, without scripts: guards that go round on the
/// map, how good the patrol is, maps and a table of how well each vertex is watched, and a table of
/// each route. At most 6,000 stops are listed.
#[must_use]
pub fn page(problem: &PatrolProblem, drawn: Drawn<'_>) -> String {
    let ground = Ground::new(problem);
    let mut page = Page::new(&problem.title, &problem.description);
    page.heading("The patrol");
    let moving = untitled(&ground, drawn, (Heat::Capture, Layer::Moving));
    let caption = "Guards on their rounds; arrows tell which way they go, dots where they start";
    page.picture(&moving, caption);
    if let Some(evaluation) = drawn.evaluation {
        page.list(&quality(&ground, evaluation));
        watched(&mut page, (&ground, drawn), evaluation);
    }
    if let Some(plan) = drawn.plan {
        page.heading("Who goes where");
        let mut room = STOPS_MAX;
        let walks = walks(&ground, plan);
        for walk in &walks {
            route(&mut page, (&ground, walk), &mut room);
        }
        let stops = |w: &Walk<'_>| w.prefix.len() + w.cycle.len();
        let stops: usize = walks.iter().map(stops).sum();
        if stops > STOPS_MAX {
            page.paragraph(&format!("and {} more stops", stops - STOPS_MAX));
        }
    }
    page.finish()
}

/// How good it is, in words.
fn quality(ground: &Ground<'_>, evaluation: &PatrolEvaluation) -> Vec<String> {
    let label = |id: &str| match ground.find(id) {
        Some(vertex) => ground.label(vertex).to_owned(),
        None => id.to_owned(),
    };
    let caught = percent(evaluation.capture_probability);
    let mut items = vec![format!("{caught} of the intruders are caught.")];
    if let Some(worst) = &evaluation.worst {
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
fn watched(
    page: &mut Page,
    (ground, drawn): (&Ground<'_>, Drawn<'_>),
    evaluation: &PatrolEvaluation,
) {
    page.heading("How well each place is watched");
    for (heat, caption) in [
        (Heat::Capture, "How likely who enters is caught, by place"),
        (
            Heat::Idleness,
            "How long each place is out of sight at most",
        ),
    ] {
        page.picture(&untitled(ground, drawn, (heat, Layer::Bare)), caption);
    }
    let row = |w: &PatrolWatched| {
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
    let mut vertices: Vec<&PatrolWatched> = evaluation.vertices.iter().collect();
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

fn route(page: &mut Page, (ground, walk): (&Ground<'_>, &Walk<'_>), room: &mut usize) {
    let span = |ticks: i64| span_text(ticks.saturating_mul(ground.tick_us));
    let row = |(visit, part): (&Visit, &str)| {
        vec![
            ground.label(visit.vertex).to_owned(),
            span(visit.at),
            span(visit.stay),
            part.to_owned(),
        ]
    };
    let prefix = walk.prefix.iter().map(|v| (v, "first"));
    let cycle = walk.cycle.iter().map(|v| (v, "round"));
    let rows: Vec<_> = prefix.chain(cycle).take(*room).map(row).collect();
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
