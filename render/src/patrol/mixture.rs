//! Mixed strategies: several patrols of which one is drawn at random.

use super::heat::percent;
use super::many::{Choice, Together, choices_page, choices_svg};
use super::map_text::map_text;
use super::text::route_lines;
use super::{Drawn, ground::Ground};
use crate::label::printable;
use crate::text::TextOptions;
use std::fmt::Write as _;
use stratagem_proto::v1::{
    PatrolBestResponse, PatrolEvaluation, PatrolMixture, PatrolMixtureEvaluation, PatrolProblem,
    PatrolVertexCoverage,
};

/// Plans whose routes are printed on a terminal.
const PLANS_MAX: usize = 8;

/// A mixture, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Mixed<'a> {
    /// The plans, and how likely each is drawn.
    pub mixture: &'a PatrolMixture,
    /// How good it is.
    pub evaluation: Option<&'a PatrolMixtureEvaluation>,
}

/// Returns a mixture as one SVG document, as [`choices_svg`] does: how well each vertex is watched
/// by all plans together, the worst place ringed, and a small map of each plan with its
/// probability.
#[must_use]
pub fn mixture_svg(problem: &PatrolProblem, mixed: Mixed<'_>) -> String {
    shown(problem, mixed, |together, choices| {
        choices_svg(problem, together, choices)
    })
}

/// Returns a mixture as one page of HTML, as [`choices_page`] does.
#[must_use]
pub fn mixture_page(problem: &PatrolProblem, mixed: Mixed<'_>) -> String {
    shown(problem, mixed, |together, choices| {
        choices_page(problem, together, choices)
    })
}

fn shown(
    problem: &PatrolProblem,
    mixed: Mixed<'_>,
    draw: impl FnOnce(Together<'_>, &[Choice<'_>]) -> String,
) -> String {
    let seen = mixed.evaluation.map(summed);
    let notes = notes(problem, mixed);
    let parts = mixed.mixture.parts.iter().enumerate();
    let choices: Vec<Choice<'_>> = parts
        .map(|(n, part)| Choice {
            title: title(problem, mixed, n),
            drawn: Drawn {
                plan: part.plan.as_ref(),
                evaluation: None,
            },
        })
        .collect();
    let together = Together {
        evaluation: seen.as_ref(),
        notes: &notes,
    };
    draw(together, &choices)
}

/// What is known of all plans together, as if it were one.
fn summed(evaluation: &PatrolMixtureEvaluation) -> PatrolEvaluation {
    let watched = evaluation
        .vertices
        .iter()
        .map(|vertex| PatrolVertexCoverage {
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

fn label(problem: &PatrolProblem, id: &str) -> String {
    let ground = Ground::new(problem);
    match ground.find(id) {
        Some(vertex) => ground.label(vertex).to_owned(),
        None => id.to_owned(),
    }
}

/// Sentences about a mixture.
fn notes(problem: &PatrolProblem, mixed: Mixed<'_>) -> Vec<String> {
    let count = match mixed.mixture.parts.len() {
        1 => "One patrol, always the same.".into(),
        many => format!("{many} patrols, of which one is drawn at random."),
    };
    let Some(evaluation) = mixed.evaluation else {
        return vec![count];
    };
    let floor = percent(evaluation.floor_probability);
    let worst = label(problem, &evaluation.worst_vertex_id);
    let worst = format!(
        "Who knows them all, but not the draw, enters at {worst}: {floor} of those are caught."
    );
    vec![
        count,
        worst,
        format!("Wherever somebody enters, at least {floor} are caught."),
    ]
}

/// How likely a plan is drawn, and what it is worth alone.
fn title(problem: &PatrolProblem, mixed: Mixed<'_>, n: usize) -> String {
    let part = &mixed.mixture.parts[n];
    let often = format!("{}: {} of the time", n + 1, percent(part.probability));
    let alone = mixed
        .evaluation
        .and_then(|evaluation| evaluation.plans.get(n));
    match alone {
        Some(alone) => {
            let floor = percent(alone.floor_probability);
            let worst = label(problem, &alone.worst_vertex_id);
            format!("{often}; alone {floor} at {worst}")
        }
        None => often,
    }
}

/// Returns all that can be said of a mixture on a terminal: how good it is, how likely each plan is
/// drawn, and who goes where then, for at most 8 plans; then a map of how well each vertex is
/// watched.
#[must_use]
pub fn mixture_text(problem: &PatrolProblem, mixed: Mixed<'_>, options: &TextOptions) -> String {
    let mut out = String::new();
    for note in notes(problem, mixed) {
        let _ = writeln!(out, "{}", printable(&note));
    }
    for (n, part) in mixed.mixture.parts.iter().enumerate().take(PLANS_MAX) {
        let title = printable(&title(problem, mixed, n));
        let _ = writeln!(out, "\n{}", options.styled("1", &title));
        if let Some(plan) = &part.plan {
            out += &route_lines(problem, plan, options);
        }
    }
    if mixed.mixture.parts.len() > PLANS_MAX {
        let more = mixed.mixture.parts.len() - PLANS_MAX;
        let _ = writeln!(out, "\nand {more} more");
    }
    let seen = mixed.evaluation.map(summed);
    let drawn = Drawn {
        plan: None,
        evaluation: seen.as_ref(),
    };
    let map = map_text(problem, drawn, options);
    if map.is_empty() {
        return out;
    }
    format!("{out}\n{map}")
}
