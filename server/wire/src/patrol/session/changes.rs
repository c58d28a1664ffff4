//! Changes of a problem that is patrolled.

use crate::mistakes::{Code, Mistakes};
use crate::values::shown;
use anytime::Path;
use std::collections::HashMap;
use stratagem_proto::v1 as pb;

/// Applies changes in order, and notes those about what is not there.
pub(super) fn apply(
    changes: pb::PatrolChanges,
    problem: &mut pb::PatrolProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) {
    let pb::PatrolChanges {
        removed_guard_ids,
        put_guards,
        positions,
        removed_edges,
        put_edges,
        weights,
    } = changes;
    let list = at.field("removed_guard_ids");
    for (index, id) in removed_guard_ids.iter().enumerate() {
        if let Some(guard) = guard(problem, id, &list.index(index), wrong) {
            problem.guards.remove(guard);
        }
    }
    for given in put_guards {
        match problem.guards.iter_mut().find(|guard| guard.id == given.id) {
            Some(guard) => *guard = given,
            None => problem.guards.push(given),
        }
    }
    let list = at.field("positions");
    for (index, given) in positions.into_iter().enumerate() {
        let id_at = list.index(index);
        if let Some(guard) = guard(problem, &given.guard_id, &id_at.field("guard_id"), wrong) {
            let guard = &mut problem.guards[guard];
            guard.start_vertex_id = given.vertex_id;
            guard.next_vertex_id = given.next_vertex_id;
            guard.elapsed_duration = given.elapsed_duration;
        }
    }
    if !(removed_edges.is_empty() && put_edges.is_empty()) {
        let list = at.field("removed_edges");
        change_edges(problem, &removed_edges, put_edges, &list, wrong);
    }
    weigh(problem, &weights, &at.field("weights"), wrong);
}

/// Changes weights of vertices.
fn weigh(
    problem: &mut pb::PatrolProblem,
    weights: &[pb::PatrolVertexWeight],
    list: &Path<'_>,
    wrong: &mut Mistakes,
) {
    let vertices = problem.vertices.iter().enumerate();
    let places: HashMap<_, _> = vertices.map(|(index, it)| (it.id.clone(), index)).collect();
    for (index, given) in weights.iter().enumerate() {
        match places.get(&given.vertex_id) {
            Some(place) => problem.vertices[*place].weight = Some(given.weight),
            None => {
                let at = list.index(index);
                unknown("vertex", &given.vertex_id, &at.field("vertex_id"), wrong);
            }
        }
    }
}

/// The ends of an edge, in either direction.
fn ends(edge: &pb::PatrolEdge) -> [String; 2] {
    let mut ends = [edge.from_vertex_id.clone(), edge.to_vertex_id.clone()];
    ends.sort_unstable();
    ends
}

fn change_edges(
    problem: &mut pb::PatrolProblem,
    removed: &[pb::PatrolEdge],
    put: Vec<pb::PatrolEdge>,
    list: &Path<'_>,
    wrong: &mut Mistakes,
) {
    let edges = std::mem::take(&mut problem.edges).into_iter();
    let mut edges: Vec<Option<pb::PatrolEdge>> = edges.map(Some).collect();
    let known = edges.iter().flatten().map(ends).enumerate();
    let mut places: HashMap<_, _> = known.map(|(place, ends)| (ends, place)).collect();
    for (index, gone) in removed.iter().enumerate() {
        match places.remove(&ends(gone)) {
            Some(place) => edges[place] = None,
            None => {
                let [one, other] = ends(gone);
                let [one, other] = [&one, &other].map(|id| shown(id));
                let why = format!("is between {one} and {other}, where there is no edge");
                wrong.add(&list.index(index), Code::Unknown, why);
            }
        }
    }
    for given in put {
        match places.get(&ends(&given)) {
            Some(place) => edges[*place] = Some(given),
            None => {
                places.insert(ends(&given), edges.len());
                edges.push(Some(given));
            }
        }
    }
    problem.edges = edges.into_iter().flatten().collect();
}

/// The guard with an id; notes that there is none.
fn guard(
    problem: &pb::PatrolProblem,
    id: &str,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<usize> {
    let found = problem.guards.iter().position(|guard| guard.id == id);
    if found.is_none() {
        unknown("guard", id, at, wrong);
    }
    found
}

fn unknown(kind: &str, id: &str, at: &Path<'_>, wrong: &mut Mistakes) {
    let why = format!("is {}, which is no {kind}", shown(id));
    wrong.add(at, Code::Unknown, why);
}
