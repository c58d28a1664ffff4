//! Patrols: cyclic routes, and the capture probability at each place.

mod ground;
mod heat;
pub(crate) mod layout;
mod letters;
mod map;
mod several;
mod walk;
mod wishes;

pub use several::{Mixed, mixture, variants};

use crate::picture::{Drawable, Response, Selection};
use crate::scene::{Content, Flow, On, Picture, Scene, table};
use crate::time::{micros, span_text};
use ground::Ground;
use heat::{Heat, percent};
use letters::letter;
use map::{Layer, map};
use stratagem_proto::v1::{PatrolEvaluation, PatrolPlan, PatrolProblem, PatrolVertexCoverage};
use walk::{Visit, Walk, walks};
use wishes::Wishes;

/// Stops that are listed: more are only counted.
const STOPS_MAX: usize = 6_000;
/// Most stops of a route that are printed on a terminal.
const PRINTED_MAX: usize = 60;

/// What is known about a problem of patrol and drawn into its picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// Where guards go.
    pub plan: Option<&'a PatrolPlan>,
    /// How well each vertex is watched.
    pub evaluation: Option<&'a PatrolEvaluation>,
}

/// Returns the scene of a patrol: a map with walls where vertices are tiles, how likely who enters
/// is caught as a colour, the worst place ringed, and guards that move on their routes, prefixes
/// dashed; how good the patrol is, and a table of each route. Where vertices have no points a place
/// is found for each. At most 6,000 stops are listed.
#[must_use]
pub fn scene(problem: &PatrolProblem, drawn: Drawn<'_>) -> Scene {
    let ground = Ground::new(problem);
    let mut scene = Scene::new(&problem.title, &problem.description);
    let mut room = STOPS_MAX;
    plan(&mut scene, &ground, drawn, &mut room);
    scene
}

/// A patrol as a part of a scene: all of it.
fn plan(scene: &mut Scene, ground: &Ground<'_>, drawn: Drawn<'_>, room: &mut usize) {
    let walks = drawn.plan.map_or_else(Vec::new, |plan| walks(ground, plan));
    let picture = map(
        ground,
        drawn.evaluation,
        Heat::Capture,
        &Layer::Walks(&walks),
    );
    let caption = "Guards on their routes; arrows show directions, discs where they are";
    scene.push(
        On::Screen,
        Picture {
            caption: caption.into(),
            ..picture
        },
    );
    if let Some(evaluation) = drawn.evaluation {
        let quality = quality(ground, evaluation);
        scene.push(On::Words, Content::List(quality));
        watched(scene, ground, evaluation);
    }
    print_routes(scene, ground, &walks);
    letters::maps(scene, ground, drawn);
    wished(scene, ground);
    if !walks.is_empty() {
        scene.push(On::Page, Content::Heading("Routes".into()));
    }
    for walk in &walks {
        route(scene, ground, walk, room);
    }
}

/// The routes for terminals.
fn print_routes(scene: &mut Scene, ground: &Ground<'_>, walks: &[Walk<'_>]) {
    for (n, walk) in walks.iter().enumerate() {
        let name = format!("{} {}", letter(n), walk.name);
        scene.push(On::Terminal, Content::Heading(name));
        let flow = |head: String, visits: &[Visit]| Flow {
            head,
            items: printed(ground, visits),
            joint: [" → ", " > "],
            indent: 9,
            columns_max: usize::MAX,
        };
        if !walk.prefix.is_empty() {
            scene.push(On::Terminal, flow("  first  ".into(), &walk.prefix));
        }
        let head = match walk.cycle.len() {
            0 | 1 => "  stays  ".into(),
            _ => {
                let long = span_text(walk.long.saturating_mul(ground.tick_us));
                format!("  round of {long}  ")
            }
        };
        scene.push(On::Terminal, flow(head, &walk.cycle));
    }
}

/// Stops in words: `hall 12s +3s`.
fn printed(ground: &Ground<'_>, visits: &[Visit]) -> Vec<String> {
    let span = |ticks: i64| span_text(ticks.saturating_mul(ground.tick_us));
    let stop = |visit: &Visit| {
        let id = &ground.problem.vertices[visit.vertex].id;
        let stays = match visit.stay {
            0 => String::new(),
            stay => format!(" +{}", span(stay)),
        };
        format!("{id} {}{stays}", span(visit.at))
    };
    let mut stops: Vec<_> = visits.iter().take(PRINTED_MAX).map(stop).collect();
    if visits.len() > PRINTED_MAX {
        stops.push(format!("and {} more", visits.len() - PRINTED_MAX));
    }
    stops
}

/// A table of pauses, gaps and what is seen from where, if there are any.
fn wished(scene: &mut Scene, ground: &Ground<'_>) {
    let wishes = Wishes::new(ground);
    let span = |us: i64| if us > 0 { span_text(us) } else { String::new() };
    let known = (0..wishes.seen.len()).filter(|vertex| !wishes.words(*vertex).is_empty());
    let rows = known.map(|vertex| {
        vec![
            ground.problem.vertices[vertex].id.clone(),
            ground.label(vertex).to_owned(),
            span(wishes.pauses_us[vertex]),
            span(wishes.gaps_us[vertex]),
            wishes.seen[vertex].len().to_string(),
        ]
    });
    let head = [
        "vertex",
        "name",
        "guards stay",
        "unseen once a round",
        "other places seen from here",
    ];
    let wished = table("Pauses, gaps and sight", &head, rows, STOPS_MAX);
    scene.push(On::Page, wished);
}

/// How good it is, in words.
fn quality(ground: &Ground<'_>, evaluation: &PatrolEvaluation) -> Vec<String> {
    let caught = percent(evaluation.capture_probability);
    let mut items = vec![format!("{caught} of the intruders are caught.")];
    if let Some(worst) = &evaluation.best_response {
        let when = span_text(micros(worst.entry_offset.as_ref()));
        let how = percent(worst.capture_probability);
        let place = ground.label_of(&worst.vertex_id);
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

/// A map of how long places are out of sight, and a table of how well each is watched.
fn watched(scene: &mut Scene, ground: &Ground<'_>, evaluation: &PatrolEvaluation) {
    let head = "How well each place is watched";
    scene.push(On::Page, Content::Heading(head.into()));
    let picture = map(ground, Some(evaluation), Heat::Idleness, &Layer::Bare);
    scene.push(
        On::Page,
        Picture {
            caption: "How long each place is out of sight at most".into(),
            ..picture
        },
    );
    let row = |w: &PatrolVertexCoverage| {
        let never = || "never seen".to_owned();
        vec![
            percent(w.capture_probability),
            idle(w.worst_idleness_duration.as_ref()).unwrap_or_else(never),
            idle(w.mean_idleness_duration.as_ref()).unwrap_or_else(never),
        ]
    };
    let head = [
        "vertex",
        "name",
        "caught",
        "out of sight at most",
        "on average",
    ];
    scene.push(On::Page, worst_first(ground, evaluation, &head, row));
}

/// A table of vertices, the worst first; in the order of the problem where they are alike.
fn worst_first(
    ground: &Ground<'_>,
    evaluation: &PatrolEvaluation,
    head: &[&'static str],
    row: impl Fn(&PatrolVertexCoverage) -> Vec<String>,
) -> crate::scene::Table {
    let mut vertices: Vec<&PatrolVertexCoverage> = evaluation.vertices.iter().collect();
    vertices.sort_by(|a, b| a.capture_probability.total_cmp(&b.capture_probability));
    let rows = vertices.into_iter().map(|w| {
        let label = ground.find(&w.vertex_id).map_or("", |v| ground.label(v));
        [vec![w.vertex_id.clone(), label.to_owned()], row(w)].concat()
    });
    table("The worst places first", head, rows, STOPS_MAX)
}

fn route(scene: &mut Scene, ground: &Ground<'_>, walk: &Walk<'_>, room: &mut usize) {
    let span = |ticks: i64| span_text(ticks.saturating_mul(ground.tick_us));
    let prefix = walk.prefix.iter().map(|v| (v, "first"));
    let cycle = walk.cycle.iter().map(|v| (v, "round"));
    let rows = prefix.chain(cycle).map(|(visit, part)| {
        vec![
            ground.label(visit.vertex).to_owned(),
            span(visit.at),
            span(visit.stay),
            part.to_owned(),
        ]
    });
    let stops = table(walk.name, &["where", "there", "stays", "part"], rows, *room);
    *room -= stops.rows.len();
    scene.push(On::Page, stops);
    let begin = span(walk.begin);
    let text = match walk.cycle.len() {
        0 | 1 => format!("From {begin} on it stands there."),
        _ => format!(
            "From {begin} on it goes round, once in {}.",
            span(walk.long)
        ),
    };
    scene.push(On::Page, Content::Paragraph(text));
}

impl Drawable for PatrolProblem {
    fn scene(&self, response: Option<&Response>, _: Selection) -> Option<Scene> {
        Some(match response {
            Some(Response::MixPatrols(found)) => {
                let mixed = Mixed {
                    mixture: found.plan.as_ref()?,
                    evaluation: found.evaluation.as_ref(),
                };
                mixture(self, mixed)
            }
            Some(Response::VaryPatrols(found)) => variants(self, &found.plans),
            Some(Response::GeneratePatrol(found)) => {
                let drawn = Drawn {
                    plan: found.plan.as_ref(),
                    evaluation: found.evaluation.as_ref(),
                };
                scene(self, drawn)
            }
            _ => scene(self, Drawn::default()),
        })
    }
}
