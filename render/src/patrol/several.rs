//! Several patrols of one problem: those that differ, and those of a mixed strategy.

use super::heat::{Heat, percent};
use super::map::{Layer, map};
use super::walk::walks;
use super::{Drawn, Ground, STOPS_MAX, plan, worst_first};
use crate::scene::{Choice, ChoiceOption, Content, On, Panel, Picture, Scene, part};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    PatrolBestResponse, PatrolEvaluation, PatrolMixture, PatrolMixtureEvaluation, PatrolProblem,
    PatrolVariant, PatrolVertexCoverage,
};

/// Patrols that are shown: more are only counted.
const CHOICES_MAX: usize = 12;

/// A mixture, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Mixed<'a> {
    /// The plans, and how likely each is drawn.
    pub mixture: &'a PatrolMixture,
    /// How good it is.
    pub evaluation: Option<&'a PatrolMixtureEvaluation>,
}

/// Returns the scene of several plans that differ: how good each is, and a small map of each; a
/// page shows the selected one whole. At most 12 are shown.
#[must_use]
pub fn variants(problem: &PatrolProblem, variants: &[PatrolVariant]) -> Scene {
    let ground = Ground::new(problem);
    let mut scene = Scene::new(&problem.title, &problem.description);
    let patrols = variants.iter().enumerate().map(|(n, variant)| {
        let mut title = format!("Patrol {}", n + 1);
        if let Some(evaluation) = &variant.evaluation {
            let caught = percent(evaluation.capture_probability);
            let _ = write!(title, ": {caught} caught");
        }
        if let Some(distance) = variant.distance {
            let _ = write!(title, ", {} unlike any other", percent(distance));
        }
        let drawn = Drawn {
            plan: variant.plan.as_ref(),
            evaluation: variant.evaluation.as_ref(),
        };
        (title, drawn)
    });
    choices(&mut scene, &ground, &patrols.collect::<Vec<_>>());
    scene
}

/// Returns the scene of a mixture: how well each vertex is watched by all plans together, the worst
/// place ringed, and a small map of each plan with its probability; a page shows the selected plan
/// whole. At most 12 plans are shown.
#[must_use]
pub fn mixture(problem: &PatrolProblem, mixed: Mixed<'_>) -> Scene {
    let ground = Ground::new(problem);
    let mut scene = Scene::new(&problem.title, &problem.description);
    let notes = notes(&ground, mixed);
    scene.push(On::Words, Content::List(notes.clone()));
    let summed = mixed.evaluation.map(summed);
    if let Some(evaluation) = &summed {
        let head = "How well each place is watched";
        scene.push(On::Page, Content::Heading(head.into()));
        let mut picture = map(&ground, Some(evaluation), Heat::Capture, &Layer::Bare);
        picture.caption = "Probability of capture by entry point".into();
        scene.push(On::Page, picture.clone());
        let notes = notes.into_iter().map(Panel::Note);
        picture.panels.splice(0..0, notes);
        scene.push(On::Svg, picture);
        let row = |w: &PatrolVertexCoverage| vec![percent(w.capture_probability)];
        let head = ["vertex", "name", "caught"];
        scene.push(On::Page, worst_first(&ground, evaluation, &head, row));
    }
    let patrols = mixed.mixture.parts.iter().enumerate().map(|(n, part)| {
        let drawn = Drawn {
            plan: part.plan.as_ref(),
            evaluation: None,
        };
        (title(&ground, mixed, n), drawn)
    });
    choices(&mut scene, &ground, &patrols.collect::<Vec<_>>());
    let drawn = Drawn {
        plan: None,
        evaluation: summed.as_ref(),
    };
    super::letters::maps(&mut scene, &ground, drawn);
    scene
}

/// Adds patrols to select from, and a small map of each.
fn choices(scene: &mut Scene, ground: &Ground<'_>, patrols: &[(String, Drawn<'_>)]) {
    let mut room = STOPS_MAX;
    let options = patrols.iter().take(CHOICES_MAX).map(|(title, drawn)| {
        let walks = drawn.plan.map_or_else(Vec::new, |plan| walks(ground, plan));
        let mut small = map(
            ground,
            drawn.evaluation,
            Heat::Capture,
            &Layer::Small(&walks),
        );
        small.panels.insert(0, Panel::Head(title.clone()));
        let mut whole = Scene::default();
        plan(&mut whole, ground, *drawn, &mut room);
        for part in &mut whole.parts {
            if part.on == On::Screen {
                part.on = On::Page;
            }
        }
        whole.parts.push(part(On::Svg, small));
        ChoiceOption {
            name: title.clone(),
            parts: whole.parts,
        }
    });
    let options = options.collect();
    scene.push(On::Page, Content::Heading("The patrols".into()));
    let legend = "Patrol".into();
    scene.push(On::All, Choice { legend, options });
    if patrols.len() > CHOICES_MAX {
        let more = format!("and {} more", patrols.len() - CHOICES_MAX);
        scene.push(On::Words, Content::Paragraph(more.clone()));
        let note = Picture {
            panels: vec![Panel::Note(more)],
            ..Picture::default()
        };
        scene.push(On::Svg, note);
    }
}

/// What is known of all plans together, as if it were one.
fn summed(evaluation: &PatrolMixtureEvaluation) -> PatrolEvaluation {
    let watched = evaluation.vertices.iter();
    let watched = watched.map(|vertex| PatrolVertexCoverage {
        vertex_id: vertex.vertex_id.clone(),
        capture_probability: vertex.capture_probability,
        ..PatrolVertexCoverage::default()
    });
    PatrolEvaluation {
        best_response: Some(PatrolBestResponse {
            vertex_id: evaluation.worst_vertex_id.clone(),
            entry_offset: None,
            capture_probability: evaluation.floor_probability,
        }),
        vertices: watched.collect(),
        ..PatrolEvaluation::default()
    }
}

/// Sentences about a mixture.
fn notes(ground: &Ground<'_>, mixed: Mixed<'_>) -> Vec<String> {
    let count = match mixed.mixture.parts.len() {
        1 => "One patrol, always the same.".into(),
        many => format!("{many} patrols, of which one is drawn at random."),
    };
    let Some(evaluation) = mixed.evaluation else {
        return vec![count];
    };
    let floor = percent(evaluation.floor_probability);
    let worst = ground.label_of(&evaluation.worst_vertex_id);
    let worst = format!(
        "Who knows them all, but not the draw, enters at {worst}: {floor} of those are caught."
    );
    vec![
        count,
        worst,
        format!("Wherever an intruder enters, at least {floor} are caught."),
    ]
}

/// How likely a plan is drawn, and what it is worth alone.
fn title(ground: &Ground<'_>, mixed: Mixed<'_>, n: usize) -> String {
    let part = &mixed.mixture.parts[n];
    let often = format!("{}: {} of the time", n + 1, percent(part.probability));
    let alone = mixed.evaluation.and_then(|it| it.plans.get(n));
    match alone {
        Some(alone) => {
            let floor = percent(alone.floor_probability);
            let worst = ground.label_of(&alone.worst_vertex_id);
            format!("{often}; alone {floor} at {worst}")
        }
        None => often,
    }
}
