//! Several patrols: a mixture, and plans that differ.

use crate::keep::{evaluation, plan, problem};
use crate::{NARROW, golden};
use stratagem_proto::v1::{
    PatrolMixture, PatrolMixtureEvaluation, PatrolMixturePart, PatrolMixturePlan,
    PatrolMixtureVertex, PatrolPlan, PatrolVariant,
};
use stratagem_render::patrol::{
    Mixed, mixture_page, mixture_svg, mixture_text, variants_page, variants_svg, variants_text,
};
use stratagem_render::text::TextOptions;

/// The keep's plan, and the same with Bert at rest.
fn plans() -> [PatrolPlan; 2] {
    let mut rest = plan();
    rest.routes[1].cycle.truncate(1);
    [plan(), rest]
}

fn mixture(parts: usize) -> PatrolMixture {
    let part = |n: usize| PatrolMixturePart {
        probability: if n == 0 {
            0.7
        } else {
            0.3 / (parts - 1) as f64
        },
        plan: Some(plans()[n.min(1)].clone()),
    };
    PatrolMixture {
        parts: (0..parts).map(part).collect(),
    }
}

fn worth() -> PatrolMixtureEvaluation {
    let seen = evaluation().vertices.into_iter();
    PatrolMixtureEvaluation {
        floor_probability: 0.225,
        worst_vertex_id: "gate".into(),
        vertices: seen
            .map(|seen| PatrolMixtureVertex {
                vertex_id: seen.vertex_id,
                capture_probability: seen.capture_probability,
            })
            .collect(),
        plans: [("hall", 0.1), ("crypt", 0.0)]
            .map(|(id, floor)| PatrolMixturePlan {
                capture_probability: 0.25,
                worst_vertex_id: id.into(),
                floor_probability: floor,
            })
            .into(),
    }
}

fn variants() -> Vec<PatrolVariant> {
    plans()
        .map(|plan| PatrolVariant {
            plan: Some(plan),
            evaluation: Some(evaluation()),
            distance: Some(0.625),
        })
        .into()
}

#[test]
fn documents_of_several_patrols_are_as_they_were() {
    let (mixture, worth) = (mixture(2), worth());
    let mixed = Mixed {
        mixture: &mixture,
        evaluation: Some(&worth),
    };
    golden("mixture.svg", &mixture_svg(&problem(), mixed));
    golden("mixture.html", &mixture_page(&problem(), mixed));
    golden("mixture.txt", &mixture_text(&problem(), mixed, &NARROW));
    golden("variants.svg", &variants_svg(&problem(), &variants()));
    golden("variants.html", &variants_page(&problem(), &variants()));
    let text = variants_text(&problem(), &variants(), &NARROW);
    golden("variants.txt", &text);
}

#[test]
fn what_is_not_known_of_a_mixture_is_not_told() {
    let mixture = mixture(2);
    let mixed = Mixed {
        mixture: &mixture,
        evaluation: None,
    };
    let ascii = TextOptions {
        ascii: true,
        ..NARROW
    };
    let text = mixture_text(&problem(), mixed, &ascii);
    assert!(
        text.contains("1: 70% of the time\n") && text.is_ascii(),
        "{text}"
    );
    assert!(!text.contains("caught"), "{text}");
    let svg = mixture_svg(&problem(), mixed);
    assert!(!svg.contains("caught") && svg.contains("30% of the time"));
}

#[test]
fn of_many_patrols_some_are_drawn_and_the_others_counted() {
    let mixture = mixture(40);
    let mixed = Mixed {
        mixture: &mixture,
        evaluation: None,
    };
    let svg = mixture_svg(&problem(), mixed);
    assert!(
        svg.contains("and 28 more") && svg.contains("12: 0.8%"),
        "{svg}"
    );
    assert!(mixture_page(&problem(), mixed).contains("and 28 more"));
    assert!(mixture_text(&problem(), mixed, &NARROW).contains("and 32 more"));
}
