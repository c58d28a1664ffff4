//! Several plans that differ.

use super::Drawn;
use super::heat::percent;
use super::many::{Choice, Together, choices_page, choices_svg};
use super::map_text::map_text;
use super::text::route_lines;
use crate::label::printable;
use crate::text::TextOptions;
use std::fmt::Write as _;
use stratagem_proto::v1::{PatrolProblem, PatrolVariant};

/// Returns several plans as one SVG document, as [`choices_svg`] does: a small map of each.
#[must_use]
pub fn variants_svg(problem: &PatrolProblem, variants: &[PatrolVariant]) -> String {
    choices_svg(problem, Together::default(), &choices(variants))
}

/// Returns several plans as one page of HTML, as [`choices_page`] does.
#[must_use]
pub fn variants_page(problem: &PatrolProblem, variants: &[PatrolVariant]) -> String {
    choices_page(problem, Together::default(), &choices(variants))
}

fn choices(variants: &[PatrolVariant]) -> Vec<Choice<'_>> {
    let choice = |(n, variant)| Choice {
        title: title(n, variant),
        drawn: drawn(variant),
    };
    variants.iter().enumerate().map(choice).collect()
}

fn drawn(variant: &PatrolVariant) -> Drawn<'_> {
    Drawn {
        plan: variant.plan.as_ref(),
        evaluation: variant.evaluation.as_ref(),
    }
}

/// How good a plan is, and how much it differs.
fn title(n: usize, variant: &PatrolVariant) -> String {
    let mut title = format!("Patrol {}", n + 1);
    if let Some(evaluation) = &variant.evaluation {
        let _ = write!(
            title,
            ": {} caught",
            percent(evaluation.capture_probability)
        );
    }
    if let Some(distance) = variant.distance {
        let _ = write!(title, ", {} unlike any other", percent(distance));
    }
    title
}

/// Returns all that can be said of several plans on a terminal: how good each is, how much it
/// differs, who goes where, and maps.
#[must_use]
pub fn variants_text(
    problem: &PatrolProblem,
    variants: &[PatrolVariant],
    options: &TextOptions,
) -> String {
    let mut out = String::new();
    for (n, variant) in variants.iter().enumerate() {
        let title = printable(&title(n, variant));
        let space = if n == 0 { "" } else { "\n" };
        let _ = writeln!(out, "{space}{}", options.styled("1", &title));
        if let Some(plan) = &variant.plan {
            out += &route_lines(problem, plan, options);
        }
        let map = map_text(problem, drawn(variant), options);
        let _ = write!(out, "\n{map}");
    }
    out
}
