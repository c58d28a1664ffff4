//! A small castle, its patrol, and how good that is.

use crate::seconds;
use stratagem_proto::v1::{
    PatrolBestResponse, PatrolEdge, PatrolEvaluation, PatrolGuard, PatrolPlan, PatrolPoint,
    PatrolProblem, PatrolRoute, PatrolStop, PatrolVertex, PatrolVertexCoverage,
};
use stratagem_render::time::from_micros;

const ROOMS: [(&str, &str, f64, f64); 6] = [
    ("gate", "The gate", 0.0, 1.0),
    ("yard", "", 2.0, 1.0),
    ("hall", "Great <hall>", 4.0, 1.0),
    ("tower", "", 2.0, 0.0),
    ("cellar", "", 4.0, 2.0),
    ("crypt", "", 6.0, 2.0),
];

/// Six rooms, of which the cellar counts most.
pub(crate) fn problem() -> PatrolProblem {
    let way = |from: &str, to: &str, s: i64| PatrolEdge {
        from_vertex_id: from.into(),
        to_vertex_id: to.into(),
        travel_duration: seconds(s),
    };
    let guard = |id: &str, speed: Option<f64>| PatrolGuard {
        id: id.into(),
        speed,
        ..PatrolGuard::default()
    };
    PatrolProblem {
        title: "The keep & its <thieves>".into(),
        description: "Who guards the cellar?".into(),
        vertices: ROOMS
            .iter()
            .map(|(id, label, x, y)| PatrolVertex {
                id: (*id).into(),
                label: (*label).into(),
                point: Some(PatrolPoint { x: *x, y: *y }),
                ..PatrolVertex::default()
            })
            .collect(),
        edges: vec![
            way("gate", "yard", 2),
            way("yard", "hall", 2),
            way("yard", "tower", 4),
            way("hall", "cellar", 3),
            way("cellar", "crypt", 2),
            way("tower", "hall", 5),
        ],
        guards: vec![guard("ada", None), guard("bert", Some(2.0))],
        ..PatrolProblem::default()
    }
}

/// Ada goes round above, Bert to and fro below.
pub(crate) fn plan() -> PatrolPlan {
    let stops = |stops: &[(&str, i64)]| {
        let stop = |(id, stay): &(&str, i64)| PatrolStop {
            vertex_id: (*id).into(),
            stay_duration: seconds(*stay),
            ..PatrolStop::default()
        };
        stops.iter().map(stop).collect()
    };
    PatrolPlan {
        routes: vec![
            PatrolRoute {
                guard_id: "ada".into(),
                prefix: stops(&[("gate", 1)]),
                cycle: stops(&[("yard", 0), ("hall", 2), ("tower", 0)]),
            },
            PatrolRoute {
                guard_id: "bert".into(),
                prefix: vec![],
                cycle: stops(&[("hall", 1), ("cellar", 3), ("crypt", 0), ("cellar", 0)]),
            },
        ],
        prefix_duration: seconds(3),
        period_duration: seconds(130),
    }
}

/// Numbers that fit the picture; nobody comes to the gate again.
pub(crate) fn evaluation() -> PatrolEvaluation {
    let watched = |id: &str, capture, idle: Option<i64>| PatrolVertexCoverage {
        vertex_id: id.into(),
        capture_probability: capture,
        worst_idleness_duration: idle.map(|s| from_micros(s * 1_000_000)),
        mean_idleness_duration: idle.map(|s| from_micros(s * 500_000)),
    };
    PatrolEvaluation {
        capture_probability: 0.731_25,
        worst_idleness_duration: None,
        best_response: Some(PatrolBestResponse {
            vertex_id: "gate".into(),
            entry_offset: seconds(4),
            capture_probability: 0.0,
        }),
        predictability: 0.857_1,
        vertices: [
            ("gate", 0.0, None),
            ("yard", 0.77, Some(12)),
            ("hall", 1.0, Some(6)),
            ("tower", 0.62, Some(13)),
            ("cellar", 0.999_9, Some(5)),
            ("crypt", 0.45, Some(9)),
        ]
        .map(|(id, capture, idle)| watched(id, capture, idle))
        .into(),
    }
}
