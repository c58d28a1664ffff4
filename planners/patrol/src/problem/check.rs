//! What a problem must be.

use super::{
    EDGES_MAX, Edge, Entry, GUARDS_MAX, INSTANTS_MAX, LENGTH_MAX, MISSION_MAX, Motion, PLACES_MAX,
    SIGHTS_MAX, SPEED_RANGE_MILLI, STEPS_MAX, Spec, TERM_WEIGHT_MAX, TICKS_MAX, VERTICES_MAX,
    WEIGHT_MAX_MICRO,
};
use crate::errors::{ProblemError, Subject};
use std::collections::{BTreeMap, BTreeSet};

/// All mistakes, in the order of the fields.
pub(super) fn errors(spec: &Spec) -> Vec<ProblemError> {
    let mut errors = Vec::new();
    vertices(spec, &mut errors);
    edges(spec, &mut errors);
    guards(spec, &mut errors);
    sights(spec, &mut errors);
    weights(spec, &mut errors);
    intruder(spec, &mut errors);
    wishes(spec, &mut errors);
    objective(spec, &mut errors);
    errors
}

fn vertices(spec: &Spec, errors: &mut Vec<ProblemError>) {
    let given = spec.vertices;
    match given {
        0 => errors.push(ProblemError::NoVertices),
        1..=VERTICES_MAX => {}
        _ => errors.push(ProblemError::TooManyVertices { given }),
    }
}

fn edges(spec: &Spec, errors: &mut Vec<ProblemError>) {
    let given = spec.edges.len();
    if given > EDGES_MAX {
        errors.push(ProblemError::TooManyEdges { given });
        return;
    }
    let before = errors.len();
    let mut seen = BTreeMap::new();
    for (edge, one) in spec.edges.iter().enumerate() {
        for end in one.ends {
            unknown(spec, (Subject::Edge(edge), end), errors);
        }
        let Edge {
            ends: [a, b],
            length,
        } = *one;
        if a == b {
            errors.push(ProblemError::EdgeToItself { edge, vertex: a });
        }
        if !(1..=LENGTH_MAX).contains(&length) {
            errors.push(ProblemError::LengthOutOfRange { edge, length });
        }
        let first = *seen.entry((a.min(b), a.max(b))).or_insert(edge);
        if first != edge {
            errors.push(ProblemError::EdgeRepeated { edge, first });
        }
    }
    if errors.len() == before
        && (1..=VERTICES_MAX).contains(&spec.vertices)
        && let Some(vertex) = apart(spec)
    {
        errors.push(ProblemError::Disconnected { vertex });
    }
}

/// A vertex that cannot be reached from vertex 0.
fn apart(spec: &Spec) -> Option<usize> {
    let mut next = vec![Vec::new(); spec.vertices];
    for Edge { ends: [a, b], .. } in &spec.edges {
        next[*a].push(*b);
        next[*b].push(*a);
    }
    let mut reached = vec![false; spec.vertices];
    let mut open = vec![0];
    while let Some(vertex) = open.pop() {
        if !std::mem::replace(&mut reached[vertex], true) {
            open.extend(&next[vertex]);
        }
    }
    reached.iter().position(|reached| !reached)
}

fn guards(spec: &Spec, errors: &mut Vec<ProblemError>) {
    let given = spec.guards.len();
    if given == 0 {
        errors.push(ProblemError::NoGuards);
    }
    if given > GUARDS_MAX {
        errors.push(ProblemError::TooManyGuards { given });
    }
    for (guard, one) in spec.guards.iter().enumerate().take(GUARDS_MAX) {
        unknown(spec, (Subject::Guard(guard), one.start), errors);
        let speed_milli = one.speed_milli;
        if !SPEED_RANGE_MILLI.contains(&speed_milli) {
            errors.push(ProblemError::SpeedOutOfRange { guard, speed_milli });
        }
        if let Some(sight) = one.sight.filter(|sight| *sight >= spec.sights.len()) {
            errors.push(ProblemError::UnknownSight { guard, sight });
        }
    }
}

fn sights(spec: &Spec, errors: &mut Vec<ProblemError>) {
    let given = spec.sights.iter().flatten().map(Vec::len).sum();
    if given > SIGHTS_MAX || spec.sights.len() > GUARDS_MAX {
        errors.push(ProblemError::TooManySights { given });
        return;
    }
    for (sight, seen) in spec.sights.iter().enumerate() {
        if seen.len() != spec.vertices {
            let given = seen.len();
            errors.push(ProblemError::SightSize { sight, given });
        }
        for (vertex, seen) in seen.iter().enumerate() {
            for other in seen {
                unknown(spec, (Subject::Sight(sight, vertex), *other), errors);
            }
        }
    }
}

fn weights(spec: &Spec, errors: &mut Vec<ProblemError>) {
    let given = spec.weights_micro.len();
    if given == 0 {
        return;
    }
    if given != spec.vertices {
        errors.push(ProblemError::WeightCount { given });
    }
    for (vertex, &weight_micro) in spec.weights_micro.iter().enumerate() {
        if weight_micro > WEIGHT_MAX_MICRO {
            errors.push(ProblemError::WeightOutOfRange {
                vertex,
                weight_micro,
            });
        }
    }
    if spec.weights_micro.iter().all(|weight| *weight == 0) {
        errors.push(ProblemError::NoWeight);
    }
}

fn intruder(spec: &Spec, errors: &mut Vec<ProblemError>) {
    let instants = spec.intruder.instants;
    if !(1..=INSTANTS_MAX).contains(&instants) {
        errors.push(ProblemError::InstantsOutOfRange { instants });
    }
    if let Entry::Mission(last) = spec.intruder.entry
        && last > MISSION_MAX
    {
        errors.push(ProblemError::MissionTooLong { last });
    }
    if spec.intruder.motion == Motion::Still {
        return;
    }
    let inner = |edge: &Edge| u64::from(edge.length.max(1) - 1);
    let places = spec.vertices as u64 + spec.edges.iter().map(inner).sum::<u64>();
    if places > PLACES_MAX as u64 {
        errors.push(ProblemError::TooManyPlaces { places });
    } else if places * u64::from(instants) > STEPS_MAX {
        errors.push(ProblemError::TooManySteps { places, instants });
    }
}

/// Gaps and pauses.
fn wishes(spec: &Spec, errors: &mut Vec<ProblemError>) {
    let gaps = spec.gaps.iter().map(|gap| (gap.vertex, gap.ticks));
    for (index, (vertex, ticks)) in gaps.enumerate().take(VERTICES_MAX + 1) {
        wish(
            (spec, &mut BTreeSet::new()),
            (Subject::Gap(index), vertex, ticks),
            errors,
        );
    }
    let mut seen = BTreeSet::new();
    let pauses = spec.pauses.iter().map(|pause| (pause.vertex, pause.ticks));
    for (index, (vertex, ticks)) in pauses.enumerate().take(VERTICES_MAX + 1) {
        wish(
            (spec, &mut seen),
            (Subject::Pause(index), vertex, ticks),
            errors,
        );
    }
    if !spec.may_stay && !spec.pauses.is_empty() {
        errors.push(ProblemError::PauseWithoutStaying);
    }
    if !spec.may_stay && spec.edges.is_empty() && spec.vertices == 1 {
        errors.push(ProblemError::NowhereToGo);
    }
}

fn wish(
    (spec, seen): (&Spec, &mut BTreeSet<usize>),
    (subject, vertex, ticks): (Subject, usize, u32),
    errors: &mut Vec<ProblemError>,
) {
    unknown(spec, (subject, vertex), errors);
    if !(1..=TICKS_MAX).contains(&ticks) {
        errors.push(ProblemError::TicksOutOfRange { subject, ticks });
    }
    if !seen.insert(vertex) {
        errors.push(ProblemError::WishRepeated { subject, vertex });
    }
}

fn objective(spec: &Spec, errors: &mut Vec<ProblemError>) {
    let objective = &spec.objective;
    let weights = [
        objective.escape,
        objective.worst_idleness,
        objective.mean_idleness,
    ];
    if weights == [0; 3] {
        errors.push(ProblemError::NothingCounts);
    }
    for (term, weight) in weights.into_iter().enumerate() {
        if weight > TERM_WEIGHT_MAX {
            errors.push(ProblemError::TermWeightOutOfRange { term, weight });
        }
    }
}

fn unknown(spec: &Spec, (subject, vertex): (Subject, usize), errors: &mut Vec<ProblemError>) {
    if vertex >= spec.vertices {
        let vertices = spec.vertices;
        errors.push(ProblemError::UnknownVertex {
            subject,
            vertex,
            vertices,
        });
    }
}
