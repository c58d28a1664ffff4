//! Several patrols: a mixture, and plans that differ.

use crate::patrol::keep::{evaluation, plan, problem};
use crate::patrol::{NARROW, golden};
use stratagem_proto::v1::{
    PatrolMixture, PatrolMixtureEvaluation, PatrolMixturePart, PatrolMixturePlan,
    PatrolMixtureVertex, PatrolPlan, PatrolVariant,
};
use stratagem_render::patrol::{Mixed, mixture as mixed_scene, variants as variants_scene};
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
    golden("mixture.svg", &mixed_scene(&problem(), mixed).svg());
    golden("mixture.html", &mixed_scene(&problem(), mixed).html());
    golden(
        "mixture.txt",
        &mixed_scene(&problem(), mixed).untitled().text(&NARROW),
    );
    golden(
        "variants.svg",
        &variants_scene(&problem(), &variants()).svg(),
    );
    golden(
        "variants.html",
        &variants_scene(&problem(), &variants()).html(),
    );
    let text = variants_scene(&problem(), &variants())
        .untitled()
        .text(&NARROW);
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
    let text = mixed_scene(&problem(), mixed).untitled().text(&ascii);
    assert!(
        text.contains("1: 70% of the time\n") && text.is_ascii(),
        "{text}"
    );
    assert!(!text.contains("caught"), "{text}");
    let svg = mixed_scene(&problem(), mixed).svg();
    assert!(!svg.contains("caught") && svg.contains("30% of the time"));
}

#[test]
fn of_many_patrols_some_are_drawn_and_the_others_counted() {
    let mixture = mixture(40);
    let mixed = Mixed {
        mixture: &mixture,
        evaluation: None,
    };
    let svg = mixed_scene(&problem(), mixed).svg();
    assert!(
        svg.contains("and 28 more") && svg.contains("12: 0.8%"),
        "{svg}"
    );
    assert!(
        mixed_scene(&problem(), mixed)
            .html()
            .contains("and 28 more")
    );
    assert!(
        mixed_scene(&problem(), mixed)
            .untitled()
            .text(&NARROW)
            .contains("and 28 more")
    );
}
