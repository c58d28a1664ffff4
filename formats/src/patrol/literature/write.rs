//! Problems as instances of the literature.

use super::super::pace::{TICK_US, unpace};
use crate::json;
use serde_json::{Value, json as value};
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    PatrolEdge, PatrolEntry, PatrolGuard, PatrolIntruder, PatrolMotion, PatrolProblem,
};
use stratagem_render::time::micros;

/// A problem as an instance of the literature, which [`super::read`] reads as the same problem, but
/// for what vertices and guards are called: there they have numbers.
///
/// # Errors
/// What the format cannot say, all of it, in one sentence.
pub fn write(problem: &PatrolProblem) -> Result<String, String> {
    let mut unsaid = Vec::new();
    let mut problem = problem.clone();
    let Some(tick_us) = unpace(&mut problem) else {
        return Err("a time is no whole number of ticks".into());
    };
    let vertices = problem.vertices.iter().enumerate();
    let numbers: BTreeMap<&str, usize> = vertices.map(|(n, v)| (v.id.as_str(), n)).collect();
    let number = |id: &str| numbers.get(id).copied().ok_or_else(|| unknown(id));
    let mut all: Keys = Vec::new();
    if !problem.title.is_empty() {
        all.push(("name", value!(problem.title)));
    }
    if !problem.description.is_empty() {
        all.push(("source", value!(problem.description)));
    }
    if tick_us != TICK_US {
        // A double has more digits than microseconds of an hour.
        all.push(("tick", value!(tick_us as f64 / TICK_US as f64)));
    }
    all.push(("vertices", value!(problem.vertices.len())));
    let edge = |edge: &PatrolEdge| -> Result<Value, String> {
        let ends = [number(&edge.from_vertex_id)?, number(&edge.to_vertex_id)?];
        Ok(match ticks(edge.travel_duration.as_ref()) {
            None | Some(1) => value!(ends),
            Some(length) => value!([ends[0] as i64, ends[1] as i64, length]),
        })
    };
    let edges = problem
        .edges
        .iter()
        .map(edge)
        .collect::<Result<Vec<_>, String>>()?;
    all.push(("edges", value!(edges)));
    all.push(("robots", value!(problem.guards.len())));
    let start = |guard: &PatrolGuard| number(&guard.start_vertex_id);
    let starts = problem
        .guards
        .iter()
        .map(start)
        .collect::<Result<Vec<_>, String>>()?;
    all.push(("start", value!(starts)));
    vertices_into(&mut all, &problem, &mut unsaid);
    if problem.allow_staying == Some(false) {
        all.push(("may_stay", value!(false)));
    }
    let intruder = intruder(problem.intruder.as_ref(), &mut unsaid);
    all.push(("intruder", intruder));
    note_others(&problem, &mut unsaid);
    if !unsaid.is_empty() {
        return Err(format!(
            "instances of the literature have no {}",
            unsaid.join(", no ")
        ));
    }
    Ok(json::object(all))
}

/// Keys of a document with their values, in the order in which they are written.
type Keys = Vec<(&'static str, Value)>;

fn unknown(id: &str) -> String {
    format!("there is no vertex `{id}`")
}

/// A time in ticks of a second.
fn ticks(time: Option<&prost_types::Duration>) -> Option<i64> {
    time.map(|time| micros(Some(time)) / TICK_US)
}

/// Weights and coordinates, where all vertices or any have some.
fn vertices_into(all: &mut Keys, problem: &PatrolProblem, unsaid: &mut Vec<&str>) {
    let vertices = &problem.vertices;
    if vertices.iter().any(|vertex| vertex.weight.is_some()) {
        let weights = vertices.iter().map(|vertex| vertex.weight.unwrap_or(1.0));
        all.push(("weights", value!(weights.collect::<Vec<_>>())));
    }
    let points = vertices
        .iter()
        .map(|v| v.point.as_ref().map(|p| [p.x, p.y]));
    if let Some(points) = points
        .collect::<Option<Vec<_>>>()
        .filter(|all| !all.is_empty())
    {
        all.push(("coords", value!(points)));
    }
    let mut note = |there: bool, what| {
        if there {
            unsaid.push(what);
        }
    };
    note(
        vertices
            .iter()
            .any(|v| ticks(v.pause_duration.as_ref()) > Some(0)),
        "pauses",
    );
    note(
        vertices
            .iter()
            .any(|v| ticks(v.gap_duration.as_ref()) > Some(0)),
        "gaps",
    );
    let sees = |guard: &PatrolGuard| !guard.sights.is_empty();
    let far = vertices.iter().any(|v| !v.seen_vertex_ids.is_empty());
    note(
        far || problem.guards.iter().any(sees),
        "sight beyond a vertex",
    );
}

fn intruder(given: Option<&PatrolIntruder>, unsaid: &mut Vec<&str>) -> Value {
    let given = given.copied().unwrap_or_default();
    let mut all = serde_json::Map::new();
    let walk = match given.motion() {
        PatrolMotion::Lazy => Some("lazy"),
        PatrolMotion::Moving => Some("move"),
        PatrolMotion::BorderStay => Some("border_stay"),
        PatrolMotion::Stationary | PatrolMotion::Unspecified => None,
    };
    let (model, entry) = match walk {
        Some(_) => ("dynamic", PatrolEntry::Start),
        None => ("stationary", PatrolEntry::Steady),
    };
    all.insert("model".into(), value!(model));
    let needs = ticks(given.penetration_duration.as_ref()).unwrap_or(0);
    all.insert("t_p".into(), value!(needs));
    if let Some(walk) = walk {
        all.insert("walk".into(), value!(walk));
    }
    if given.exclusive {
        all.insert("window".into(), value!("exclusive"));
    }
    if ![PatrolEntry::Unspecified, entry].contains(&given.entry()) {
        unsaid.push("other moments of entry");
    }
    Value::Object(all)
}

fn note_others(problem: &PatrolProblem, unsaid: &mut Vec<&str>) {
    let fast = |guard: &PatrolGuard| guard.speed.is_some_and(|speed| speed != 1.0);
    if problem.guards.iter().any(fast) {
        unsaid.push("speeds");
    }
    let is_begun = |guard: &PatrolGuard| guard.elapsed_duration.is_some();
    if problem.guards.iter().any(is_begun) {
        unsaid.push("guards on their way");
    }
    if problem.allow_passing == Some(false) {
        unsaid.push("rule against passing");
    }
    let objective = problem.objective.unwrap_or_default();
    if objective.worst_idleness_weight != 0 || objective.mean_idleness_weight != 0 {
        unsaid.push("idleness that counts");
    }
}
