//! Rules of a problem, in the paths of the contract's `PatrolProblem`.

use super::{
    EDGES_MAX, Edge, Entry, GUARDS_MAX, Guard, INSTANTS_MAX, LENGTH_MAX, MISSION_MAX, PLACES_MAX,
    SIGHTS_MAX, SPEED_RANGE_MILLI, STEPS_MAX, Spec, TERM_WEIGHT_MAX, TICKS_MAX, VERTICES_MAX,
    WEIGHT_MAX_MICRO,
};
use anytime::{Fault, Path, element, fault, millionths, time};
use petgraph::unionfind::UnionFind;
use std::collections::{BTreeMap, BTreeSet};

/// All faults, in the order of the fields.
pub(super) fn faults(spec: &Spec) -> Vec<Fault> {
    let mut faults = Vec::new();
    check_count("vertices", spec.vertices, 1, VERTICES_MAX, &mut faults);
    check_edges(spec, &mut faults);
    check_guards(spec, &mut faults);
    check_sights(spec, &mut faults);
    check_weights(spec, &mut faults);
    check_intruder(spec, &mut faults);
    check_side_constraints(spec, &mut faults);
    check_objective(spec, &mut faults);
    faults
}

fn check_count(field: &'static str, given: usize, min: usize, max: usize, faults: &mut Vec<Fault>) {
    let at = Path::root(field);
    if given < min {
        faults.push(anytime::check::required(&at));
    }
    faults.extend(anytime::check::too_many(&at, given, max));
}

/// Checks that a vertex exists.
fn check_vertex(spec: &Spec, vertex: usize, at: &Path<'_>, faults: &mut Vec<Fault>) {
    if vertex >= spec.vertices {
        faults.push(fault!("UNKNOWN", at, "names a vertex that does not exist"));
    }
}

fn check_edges(spec: &Spec, faults: &mut Vec<Fault>) {
    let given = spec.edges.len();
    if given > EDGES_MAX {
        check_count("edges", given, 0, EDGES_MAX, faults);
        return;
    }
    let before = faults.len();
    let edges = Path::root("edges");
    let mut seen = BTreeMap::new();
    for (index, edge) in spec.edges.iter().enumerate() {
        let at = edges.index(index);
        for end in edge.ends {
            check_vertex(spec, end, &at, faults);
        }
        let Edge {
            ends: [a, b],
            length,
        } = *edge;
        if a == b {
            let (at, end) = (at.field("to_vertex_id"), element("vertex", a));
            faults.push(fault!("SELF_LOOP", at, "is {}, as is the other end", end));
        }
        check_duration(length, 1, LENGTH_MAX, &at.field("travel_duration"), faults);
        let first = *seen.entry((a.min(b), a.max(b))).or_insert(index);
        if first != index {
            faults.push(fault!(
                "DUPLICATE",
                at,
                "joins the same vertices as edge {}",
                first
            ));
        }
    }
    if faults.len() == before
        && (1..=VERTICES_MAX).contains(&spec.vertices)
        && let Some(vertex) = unreachable_vertex(spec)
    {
        let vertices = Path::root("vertices");
        let at = vertices.index(vertex);
        let [vertex, first] = [vertex, 0].map(|vertex| element("vertex", vertex));
        faults.push(fault!(
            "DISCONNECTED",
            at,
            "is {}, to which there is no path from {}",
            vertex,
            first
        ));
    }
}

/// Checks a duration in ticks.
fn check_duration(ticks: u32, min: u32, max: u32, at: &Path<'_>, faults: &mut Vec<Fault>) {
    if !(min..=max).contains(&ticks) {
        let [given, min, max] = [ticks, min, max].map(time);
        faults.push(fault!(
            "OUT_OF_RANGE",
            at,
            "takes {}, outside of {} to {}",
            given,
            min,
            max
        ));
    }
}

/// A vertex that cannot be reached from vertex 0.
fn unreachable_vertex(spec: &Spec) -> Option<usize> {
    let mut joined = UnionFind::new(spec.vertices);
    for Edge { ends: [a, b], .. } in &spec.edges {
        joined.union(*a, *b);
    }
    (0..spec.vertices).find(|vertex| !joined.equiv(0, *vertex))
}

fn check_guards(spec: &Spec, faults: &mut Vec<Fault>) {
    check_count("guards", spec.guards.len(), 1, GUARDS_MAX, faults);
    let guards = Path::root("guards");
    for (index, guard) in spec.guards.iter().enumerate().take(GUARDS_MAX) {
        let at = guards.index(index);
        check_vertex(spec, guard.start, &at.field("start_vertex_id"), faults);
        if !SPEED_RANGE_MILLI.contains(&guard.speed_milli) {
            let (min, max) = (SPEED_RANGE_MILLI.start(), SPEED_RANGE_MILLI.end());
            let [given, min, max] =
                [guard.speed_milli, *min, *max].map(|milli| millionths(i128::from(milli) * 1_000));
            let at = at.field("speed");
            faults.push(fault!(
                "OUT_OF_RANGE",
                at,
                "is {}, outside of {} to {}",
                given,
                min,
                max
            ));
        }
        check_progress(spec, guard, &at, faults);
        if guard.sight.is_some_and(|sight| sight >= spec.sights.len()) {
            faults.push(fault!("UNKNOWN", at.field("sights"), "does not exist"));
        }
    }
}

/// Checks where a guard goes next, and since when.
fn check_progress(spec: &Spec, guard: &Guard, at: &Path<'_>, faults: &mut Vec<Fault>) {
    let (min, max) = match guard.next {
        None => (0, TICKS_MAX),
        Some(next) => {
            let mut edges = spec.edges.iter();
            let ends = [[guard.start, next], [next, guard.start]];
            let Some(edge) = edges.find(|edge| ends.contains(&edge.ends)) else {
                let next_at = at.field("next_vertex_id");
                let [next, start] = [next, guard.start].map(|vertex| element("vertex", vertex));
                faults.push(fault!(
                    "UNKNOWN",
                    next_at,
                    "is {}, to which no edge leads from {}",
                    next,
                    start
                ));
                return;
            };
            let ticks = super::progress::ticks(edge.length, guard.speed_milli.max(1));
            (1, ticks.saturating_sub(1))
        }
    };
    check_duration(
        guard.elapsed,
        min,
        max,
        &at.field("elapsed_duration"),
        faults,
    );
}

fn check_sights(spec: &Spec, faults: &mut Vec<Fault>) {
    let given: usize = spec.sights.iter().flatten().map(Vec::len).sum();
    if given > SIGHTS_MAX || spec.sights.len() > GUARDS_MAX {
        faults.push(fault!(
            "TOO_MANY",
            Path::root("guards"),
            "have {} kinds of sight with {} visible vertices, at most {} and {} are allowed",
            spec.sights.len(),
            given,
            GUARDS_MAX,
            SIGHTS_MAX
        ));
        return;
    }
    let vertices = Path::root("vertices");
    for sight in &spec.sights {
        if sight.len() != spec.vertices {
            let (given, count) = (sight.len(), spec.vertices);
            faults.push(fault!(
                "WRONG_SIZE",
                vertices,
                "have {} sights instead of {}",
                given,
                count
            ));
        }
        for (vertex, seen) in sight.iter().enumerate() {
            let vertex_at = vertices.index(vertex);
            for other in seen {
                check_vertex(spec, *other, &vertex_at.field("seen_vertex_ids"), faults);
            }
        }
    }
}

fn check_weights(spec: &Spec, faults: &mut Vec<Fault>) {
    let (given, count) = (spec.weights_micro.len(), spec.vertices);
    if given == 0 {
        return;
    }
    let vertices = Path::root("vertices");
    if given != count {
        faults.push(fault!(
            "WRONG_SIZE",
            vertices,
            "have {} weights instead of {}",
            given,
            count
        ));
    }
    for (vertex, weight) in spec.weights_micro.iter().enumerate() {
        if *weight > WEIGHT_MAX_MICRO {
            let vertex_at = vertices.index(vertex);
            let (at, [given, max]) = (
                vertex_at.field("weight"),
                [*weight, WEIGHT_MAX_MICRO].map(millionths),
            );
            faults.push(fault!(
                "OUT_OF_RANGE",
                at,
                "is {}, at most {} is allowed",
                given,
                max
            ));
        }
    }
    if spec.weights_micro.iter().all(|weight| *weight == 0) {
        faults.push(fault!(
            "ALL_ZERO",
            vertices,
            "have no weight above 0 (in millionths)"
        ));
    }
}

fn check_intruder(spec: &Spec, faults: &mut Vec<Fault>) {
    let intruder = Path::root("intruder");
    let penetration = intruder.field("penetration_duration");
    let instants = spec.intruder.instants;
    if !(1..=INSTANTS_MAX).contains(&instants) {
        faults.push(fault!(
            "OUT_OF_RANGE",
            penetration,
            "lets the intruder be seen at {} instants, outside of 1 to {}",
            instants,
            INSTANTS_MAX
        ));
    }
    if let Entry::Mission(last) = spec.intruder.entry {
        check_duration(
            last,
            0,
            MISSION_MAX,
            &intruder.field("mission_duration"),
            faults,
        );
    }
    if !spec.intruder.motion.is_dynamic() {
        return;
    }
    let inner = |edge: &Edge| u64::from(edge.length.max(1) - 1);
    let places = spec.vertices as u64 + spec.edges.iter().map(inner).sum::<u64>();
    if places > PLACES_MAX as u64 {
        faults.push(fault!(
            "TOO_MANY",
            Path::root("edges"),
            "have {} places of a dynamic intruder, at most {} are allowed",
            places,
            PLACES_MAX
        ));
    } else if places * u64::from(instants) > STEPS_MAX {
        faults.push(fault!(
            "OUT_OF_RANGE",
            penetration,
            "has {} instants of a dynamic intruder at {} places, a product of at most {} is allowed",
            instants,
            places,
            STEPS_MAX
        ));
    }
}

/// Checks gaps, pauses, and whether guards may stay.
fn check_side_constraints(spec: &Spec, faults: &mut Vec<Fault>) {
    let gaps = spec.gaps.iter().map(|gap| (gap.vertex, gap.ticks));
    for (vertex, ticks) in gaps.take(VERTICES_MAX + 1) {
        check_time_at_vertex(spec, vertex, "gap_duration", ticks, faults);
    }
    let mut seen = BTreeSet::new();
    let pauses = spec.pauses.iter().map(|pause| (pause.vertex, pause.ticks));
    for (vertex, ticks) in pauses.take(VERTICES_MAX + 1) {
        check_time_at_vertex(spec, vertex, "pause_duration", ticks, faults);
        if !seen.insert(vertex) {
            let vertices = Path::root("vertices");
            let vertex_at = vertices.index(vertex);
            let at = vertex_at.field("pause_duration");
            faults.push(fault!("DUPLICATE", at, "is the second pause at the vertex"));
        }
    }
    let staying = Path::root("allow_staying");
    if !spec.may_stay && !spec.pauses.is_empty() {
        faults.push(fault!(
            "CONTRADICTION",
            staying,
            "is false, but there are vertices with a pause"
        ));
    }
    if !spec.may_stay && spec.edges.is_empty() && spec.vertices == 1 {
        faults.push(fault!(
            "CONTRADICTION",
            staying,
            "is false, but there is no edge"
        ));
    }
}

fn check_time_at_vertex(
    spec: &Spec,
    vertex: usize,
    field: &'static str,
    ticks: u32,
    faults: &mut Vec<Fault>,
) {
    let vertices = Path::root("vertices");
    let vertex_at = vertices.index(vertex);
    let at = vertex_at.field(field);
    check_vertex(spec, vertex, &at, faults);
    check_duration(ticks, 1, TICKS_MAX, &at, faults);
}

fn check_objective(spec: &Spec, faults: &mut Vec<Fault>) {
    let at = Path::root("objective");
    let objective = &spec.objective;
    let weights = [
        ("escape_weight", objective.escape),
        ("worst_idleness_weight", objective.worst_idleness),
        ("mean_idleness_weight", objective.mean_idleness),
    ];
    if weights.iter().all(|(_, weight)| *weight == 0) {
        faults.push(fault!("ALL_ZERO", at, "has no weight above 0"));
    }
    for (field, weight) in weights {
        if weight > TERM_WEIGHT_MAX {
            let (at, max) = (at.field(field), TERM_WEIGHT_MAX);
            faults.push(fault!(
                "OUT_OF_RANGE",
                at,
                "is {}, at most {} is allowed",
                weight,
                max
            ));
        }
    }
}
