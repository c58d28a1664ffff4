//! Vertices, edges and guards.

use super::sights::Sights;
use crate::mistakes::Mistakes;
use crate::patrol::names::Names;
use crate::values::millionths;
use anytime::Path;
use patrol::problem::{Edge, Gap, Guard, LENGTH_MAX, Pause, TICKS_MAX};
use stratagem_proto::v1 as pb;

/// Defaults.
const WEIGHT_DEFAULT_MICRO: u64 = 1_000_000;
const SPEED_DEFAULT_MILLI: u32 = 1_000;
/// Longest time that a guard has been on its first edge, in ticks.
const ELAPSED_MAX: u32 = 100 * LENGTH_MAX;
/// Index for an unknown id: no list is that long. The fault that the planner finds is not reported
/// again.
const UNKNOWN: usize = usize::MAX;

/// Vertex, as read.
pub(super) struct Vertex {
    weight_micro: Option<u64>,
    pause: u32,
    gap: u32,
    seen: Vec<String>,
}

/// Properties of vertices, in the lists of the planner.
pub(super) struct VertexLists {
    pub weights_micro: Vec<u64>,
    pub pauses: Vec<Pause>,
    pub gaps: Vec<Gap>,
    /// Ids of the vertices visible from each.
    pub seen: Vec<Vec<String>>,
}

impl VertexLists {
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
        label: _,
        weight,
        point: _,
        seen_vertex_ids,
        pause_duration,
        gap_duration,
    } = given;
    names.vertices.take(&at.field("id"), id, wrong);
    let mut ticks = |field, given: Option<prost_types::Duration>| {
        given.map_or(0, |given| {
            let at = at.field(field);
            names.clock.ticks(&at, given, 0..=TICKS_MAX, wrong)
        })
    };
    Vertex {
        weight_micro: weight.map(|weight| millionths(weight).unsigned_abs()),
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
        found.unwrap_or(UNKNOWN)
    };
    let ends = [
        end("from_vertex_id", &from_vertex_id),
        end("to_vertex_id", &to_vertex_id),
    ];
    let length = travel_duration.map_or(1, |given| {
        let at = at.field("travel_duration");
        names.clock.ticks(&at, given, 1..=LENGTH_MAX, wrong)
    });
    Edge { ends, length }
}

pub(super) fn guard(
    given: pb::PatrolGuard,
    at: &Path<'_>,
    names: &mut Names,
    all: &mut Sights,
    wrong: &mut Mistakes,
) -> Guard {
    let pb::PatrolGuard {
        id,
        label: _,
        start_vertex_id,
        speed,
        sights,
        next_vertex_id,
        elapsed_duration,
    } = given;
    names.guards.take(&at.field("id"), id, wrong);
    let start_at = at.field("start_vertex_id");
    let start = names.vertices.find(&start_at, &start_vertex_id, wrong);
    let next_at = at.field("next_vertex_id");
    let has_next = !next_vertex_id.is_empty();
    let next = has_next.then(|| names.vertices.find(&next_at, &next_vertex_id, wrong));
    let elapsed_at = at.field("elapsed_duration");
    let elapsed = elapsed_duration.map_or(0, |given| {
        names
            .clock
            .ticks(&elapsed_at, given, 0..=ELAPSED_MAX, wrong)
    });
    Guard {
        start: start.unwrap_or(UNKNOWN),
        next: next.flatten(),
        elapsed,
        speed_milli: speed.map_or(SPEED_DEFAULT_MILLI, |speed| (speed * 1e3).round() as u32),
        sight: all.of_guard(sights, &at.field("sights"), names, wrong),
    }
}
