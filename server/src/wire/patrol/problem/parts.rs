//! Vertices, edges and guards.

use super::TITLE_MAX;
use super::sights::Sights;
use crate::wire::mistakes::Mistakes;
use crate::wire::path::Path;
use crate::wire::patrol::names::Names;
use patrol::problem::{
    Edge, Gap, Guard, LENGTH_MAX, Pause, SPEED_RANGE_MILLI, TICKS_MAX, WEIGHT_MAX_MICRO,
};
use std::ops::RangeInclusive;
use stratagem_proto::v1 as pb;

/// In ones.
const WEIGHTS: RangeInclusive<f64> = 0.0..=WEIGHT_MAX_MICRO as f64 / 1e6;
/// Of a vertex that has none.
const WEIGHT_DEFAULT_MICRO: u64 = 1_000_000;
const SPEED_DEFAULT_MILLI: u32 = 1_000;
/// What an id that nothing has stands for: no list is so long. The planner finds it wrong too, which is
/// passed over.
const NOTHING: usize = usize::MAX;

/// A vertex that was read.
pub(super) struct Vertex {
    weight_micro: Option<u64>,
    pause: u32,
    gap: u32,
    seen: Vec<String>,
}

/// All that the planner is told about vertices, each in its list.
pub(super) struct Wishes {
    pub weights_micro: Vec<u64>,
    pub pauses: Vec<Pause>,
    pub gaps: Vec<Gap>,
    /// Ids of what is seen from each.
    pub seen: Vec<Vec<String>>,
}

impl Wishes {
    pub(super) fn new(vertices: Vec<Vertex>) -> Self {
        let weight = |one: &Vertex| one.weight_micro.unwrap_or(WEIGHT_DEFAULT_MICRO);
        let all = || vertices.iter().enumerate();
        let pauses = all().filter(|(_, one)| one.pause > 0);
        let gaps = all().filter(|(_, one)| one.gap > 0);
        Self {
            weights_micro: vertices.iter().map(weight).collect(),
            pauses: pauses
                .map(|(vertex, one)| Pause {
                    vertex,
                    ticks: one.pause,
                })
                .collect(),
            gaps: gaps
                .map(|(vertex, one)| Gap {
                    vertex,
                    ticks: one.gap,
                })
                .collect(),
            seen: vertices.into_iter().map(|one| one.seen).collect(),
        }
    }
}

pub(super) fn vertex(
    given: pb::PatrolVertex,
    at: &Path<'_>,
    names: &mut Names,
    wrong: &mut Mistakes,
) -> Vertex {
    let pb::PatrolVertex {
        id,
        label,
        weight,
        point,
        seen_vertex_ids,
        pause_duration,
        gap_duration,
    } = given;
    names.vertices.take(&at.field("id"), id, wrong);
    wrong.text(&at.field("label"), &label, TITLE_MAX);
    if let Some(pb::PatrolPoint { x, y }) = point {
        let at = at.field("point");
        wrong.number(&at.field("x"), x, f64::MIN..=f64::MAX);
        wrong.number(&at.field("y"), y, f64::MIN..=f64::MAX);
    }
    let weight_micro = weight.map(|weight| {
        let weight = wrong.micro(&at.field("weight"), weight, WEIGHTS);
        u64::try_from(weight).unwrap_or(0)
    });
    let mut ticks = |field, given: Option<prost_types::Duration>| {
        given.map_or(0, |given| {
            let at = at.field(field);
            names.clock.ticks((&at, given), 0..=TICKS_MAX, wrong)
        })
    };
    Vertex {
        weight_micro,
        pause: ticks("pause_duration", pause_duration),
        gap: ticks("gap_duration", gap_duration),
        seen: seen_vertex_ids,
    }
}

pub(super) fn edge(
    given: pb::PatrolEdge,
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) -> Edge {
    let pb::PatrolEdge {
        from_vertex_id,
        to_vertex_id,
        travel_duration,
    } = given;
    let mut end = |field, id: &str| {
        let found = names.vertices.find(&at.field(field), id, wrong);
        found.unwrap_or(NOTHING)
    };
    let ends = [
        end("from_vertex_id", &from_vertex_id),
        end("to_vertex_id", &to_vertex_id),
    ];
    let length = travel_duration.map_or(1, |given| {
        let at = at.field("travel_duration");
        names.clock.ticks((&at, given), 1..=LENGTH_MAX, wrong)
    });
    Edge { ends, length }
}

pub(super) fn guard(
    given: pb::PatrolGuard,
    at: &Path<'_>,
    (names, all): (&mut Names, &mut Sights),
    wrong: &mut Mistakes,
) -> Guard {
    let pb::PatrolGuard {
        id,
        label,
        start_vertex_id,
        speed,
        sights,
    } = given;
    names.guards.take(&at.field("id"), id, wrong);
    wrong.text(&at.field("label"), &label, TITLE_MAX);
    let start_at = at.field("start_vertex_id");
    let start = names.vertices.find(&start_at, &start_vertex_id, wrong);
    Guard {
        start: start.unwrap_or(NOTHING),
        speed_milli: speed_milli(speed, &at.field("speed"), wrong),
        sight: all.of_guard(sights, &at.field("sights"), (names, wrong)),
    }
}

fn speed_milli(speed: Option<f64>, at: &Path<'_>, wrong: &mut Mistakes) -> u32 {
    let Some(speed) = speed else {
        return SPEED_DEFAULT_MILLI;
    };
    let (least, most) = (*SPEED_RANGE_MILLI.start(), *SPEED_RANGE_MILLI.end());
    let range = f64::from(least) / 1e3..=f64::from(most) / 1e3;
    wrong.rounded::<1_000>(at, speed, range) as u32
}
