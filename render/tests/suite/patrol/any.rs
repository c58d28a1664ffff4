//! Nothing that a message can say makes a picture fail.

use crate::ESCAPE;
use crate::crew::any::number;
use proptest::prelude::*;
use prost_types::Duration;
use stratagem_proto::v1::{
    PatrolBestResponse, PatrolEdge, PatrolEvaluation, PatrolGuard, PatrolMixture,
    PatrolMixtureEvaluation, PatrolMixturePart, PatrolMixturePlan, PatrolMixtureVertex, PatrolPlan,
    PatrolPoint, PatrolProblem, PatrolRoute, PatrolStop, PatrolVariant, PatrolVertex,
    PatrolVertexCoverage,
};
use stratagem_render::patrol::{
    Drawn, Mixed, mixture as mixture_scene, scene, variants as variants_scene,
};
use stratagem_render::text::TextOptions;

fn id() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "<", "\u{1b}[2J", ""]).prop_map(String::from)
}

fn duration() -> impl Strategy<Value = Option<Duration>> {
    let seconds = prop_oneof![0..20_i64, any::<i64>()];
    prop::option::of(
        (seconds, any::<i32>()).prop_map(|(seconds, nanos)| Duration { seconds, nanos }),
    )
}

fn vertex() -> impl Strategy<Value = PatrolVertex> {
    let point = prop::option::of((number(), number()).prop_map(|(x, y)| PatrolPoint { x, y }));
    (id(), id(), point).prop_map(|(id, label, point)| PatrolVertex {
        id,
        label,
        point,
        ..PatrolVertex::default()
    })
}

fn edge() -> impl Strategy<Value = PatrolEdge> {
    (id(), id(), duration()).prop_map(|(from, to, travel_duration)| PatrolEdge {
        from_vertex_id: from,
        to_vertex_id: to,
        travel_duration,
    })
}

fn stop() -> impl Strategy<Value = PatrolStop> {
    (id(), duration(), duration()).prop_map(|(vertex_id, arrival, stay)| PatrolStop {
        vertex_id,
        arrival_offset: arrival,
        stay_duration: stay,
    })
}

fn stops() -> impl Strategy<Value = Vec<PatrolStop>> {
    prop::collection::vec(stop(), 0..5)
}

fn evaluation() -> impl Strategy<Value = PatrolEvaluation> {
    let watched =
        (id(), number(), duration()).prop_map(|(id, capture, idle)| PatrolVertexCoverage {
            vertex_id: id,
            capture_probability: capture,
            worst_idleness_duration: idle,
            mean_idleness_duration: idle,
        });
    (prop::collection::vec(watched, 0..5), id(), number()).prop_map(|(vertices, id, share)| {
        PatrolEvaluation {
            capture_probability: share,
            best_response: Some(PatrolBestResponse {
                vertex_id: id,
                ..PatrolBestResponse::default()
            }),
            vertices,
            ..PatrolEvaluation::default()
        }
    })
}

fn problem() -> impl Strategy<Value = PatrolProblem> {
    let vertices = prop::collection::vec(vertex(), 0..5);
    let edges = prop::collection::vec(edge(), 0..6);
    let guard = (id(), number()).prop_map(|(id, speed)| PatrolGuard {
        id,
        speed: Some(speed),
        ..PatrolGuard::default()
    });
    let guards = prop::collection::vec(guard, 0..3);
    (vertices, edges, guards, duration()).prop_map(|(vertices, edges, guards, tick_duration)| {
        PatrolProblem {
            vertices,
            edges,
            guards,
            tick_duration,
            ..PatrolProblem::default()
        }
    })
}

/// Text and pictures of a mixture and of several plans that differ.
fn several(
    problem: &PatrolProblem,
    plan: &PatrolPlan,
    evaluation: &PatrolEvaluation,
) -> [(String, [String; 2]); 2] {
    let share = evaluation.capture_probability;
    let part = PatrolMixturePart {
        probability: share,
        plan: Some(plan.clone()),
    };
    let seen = evaluation.vertices.iter().map(|seen| PatrolMixtureVertex {
        vertex_id: seen.vertex_id.clone(),
        capture_probability: seen.capture_probability,
    });
    let worth = PatrolMixtureEvaluation {
        floor_probability: share,
        worst_vertex_id: evaluation
            .best_response
            .clone()
            .unwrap_or_default()
            .vertex_id,
        vertices: seen.collect(),
        plans: vec![PatrolMixturePlan::default()],
    };
    let mixture = PatrolMixture {
        parts: vec![part; 2],
    };
    let mixed = Mixed {
        mixture: &mixture,
        evaluation: Some(&worth),
    };
    let variant = PatrolVariant {
        plan: Some(plan.clone()),
        evaluation: Some(evaluation.clone()),
        distance: Some(share),
    };
    let variants = vec![variant; 2];
    let options = TextOptions::default();
    [
        (
            mixture_scene(problem, mixed).text(&options),
            [
                mixture_scene(problem, mixed).svg(),
                mixture_scene(problem, mixed).html(),
            ],
        ),
        (
            variants_scene(problem, &variants).text(&options),
            [
                variants_scene(problem, &variants).svg(),
                variants_scene(problem, &variants).html(),
            ],
        ),
    ]
}

proptest! {
    /// Whatever a problem, a plan and an evaluation say, they are drawn, twice alike, and no name
    /// reaches the terminal or the document as it is.
    #[test]
    fn anything_can_be_drawn(
        problem in problem(),
        routes in prop::collection::vec((id(), stops(), stops()), 0..4),
        evaluation in evaluation(),
    ) {
        let route = |(guard_id, prefix, cycle)| PatrolRoute { guard_id, prefix, cycle };
        let plan = PatrolPlan {
            routes: routes.into_iter().map(route).collect(),
            ..PatrolPlan::default()
        };
        let drawn = Drawn { plan: Some(&plan), evaluation: Some(&evaluation) };
        let narrow = TextOptions { width: 0, ..TextOptions::default() };
        for options in [TextOptions::default(), narrow] {
            let text = scene(&problem, drawn).text(&options);
            prop_assert!(!text.contains(ESCAPE));
        }
        let moving = scene(&problem, drawn).animated_svg();
        for picture in [scene(&problem, drawn).svg(), moving, scene(&problem, drawn).html()] {
            prop_assert!(!picture.contains("<<") && !picture.contains(ESCAPE));
            prop_assert!(!picture.contains("NaN") && !picture.contains("inf"));
        }
        prop_assert_eq!(scene(&problem, drawn).svg(), scene(&problem, drawn).svg());
        for (text, pictures) in several(&problem, &plan, &evaluation) {
            prop_assert!(!text.contains(ESCAPE));
            for picture in pictures {
                prop_assert!(!picture.contains("<<") && !picture.contains(ESCAPE));
                prop_assert!(!picture.contains("NaN") && !picture.contains("inf"));
            }
        }
    }
}
