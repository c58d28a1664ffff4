//! A problem, from the wire.

use super::names::Names;
use crate::mistakes::Mistakes;
use crate::values::{millionths, read_each, rounded_micros};
use anytime::Path;
use crew::problem::{DAMAGE_MAX_MICRO, TIME_MAX_US};
use crew::{Arc, Effort, Event, Limit, Problem, Spec};
use prost_types::Duration;
use stratagem_proto::v1 as pb;

/// Default time of an arc: one second.
const WALK_DEFAULT_US: u64 = 1_000_000;
/// The vertex of what could not be read.
const NOWHERE: usize = usize::MAX;

/// A checked problem, and the names in it.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub problem: Problem,
    pub names: Names,
}

/// A problem; `None` when it is invalid.
pub(crate) fn problem(
    given: pb::CrewProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Decoded> {
    let pb::CrewProblem {
        title: _,
        description: _,
        nodes,
        arcs,
        players,
        tools,
        events,
        max_duration,
        max_damage,
        max_damage_kind,
        allow_revisits,
    } = given;
    let mut names = Names::default();
    read_each(nodes, &at.field("nodes"), |it, at| {
        names.nodes.take(&at.field("id"), it.id, wrong);
    });
    let spec = Spec {
        vertices: names.nodes.list().len(),
        arcs: self::arcs(arcs, &at.field("arcs"), &mut names, wrong),
        players: read_each(players, &at.field("players"), |it, at| {
            names.players.take(&at.field("id"), it.id, wrong);
            vertex(&it.node_id, &at.field("node_id"), &names, wrong)
        }),
        tools: read_each(tools, &at.field("tools"), |it, at| {
            names.tools.take(&at.field("id"), it.id, wrong);
            vertex(&it.node_id, &at.field("node_id"), &names, wrong)
        }),
        events: read_each(events, &at.field("events"), |it, at| {
            event(it, at, &mut names, wrong)
        }),
        time_max_us: max_duration.map_or(TIME_MAX_US, time),
        damage_max: limit(max_damage_kind, max_damage.map_or(DAMAGE_MAX_MICRO, damage)),
        once: allow_revisits == Some(false),
    };
    // Also with mistakes of single fields, so that the caller hears about everything at once.
    match Problem::new(spec) {
        Ok(problem) => Some(Decoded { problem, names }),
        Err(faults) => {
            wrong.add_faults(&faults, &names, at);
            None
        }
    }
}

/// Arcs; one that leads both ways is two.
fn arcs(
    given: Vec<pb::CrewArc>,
    at: &Path<'_>,
    names: &mut Names,
    wrong: &mut Mistakes,
) -> Vec<Arc> {
    let mut arcs = Vec::with_capacity(2 * given.len());
    for (index, given) in given.into_iter().enumerate() {
        let at = at.index(index);
        let pb::CrewArc {
            from_node_id,
            to_node_id,
            walk_duration,
            fetch_damage,
            carry_damage,
            one_way,
        } = given;
        let arc = Arc {
            from: vertex(&from_node_id, &at.field("from_node_id"), names, wrong),
            to: vertex(&to_node_id, &at.field("to_node_id"), names, wrong),
            time_us: walk_duration.map_or(WALK_DEFAULT_US, time),
            fetch_micro: damage(fetch_damage),
            carry_micro: damage(carry_damage),
        };
        arcs.push(arc);
        names.arcs.push((index, false));
        if !one_way {
            arcs.push(Arc {
                from: arc.to,
                to: arc.from,
                ..arc
            });
            names.arcs.push((index, true));
        }
    }
    arcs
}

fn event(given: pb::CrewEvent, at: &Path<'_>, names: &mut Names, wrong: &mut Mistakes) -> Event {
    let pb::CrewEvent {
        id,
        node_id,
        label: _,
        efforts,
        rank,
    } = given;
    names.events.take(&at.field("id"), id, wrong);
    Event {
        vertex: vertex(&node_id, &at.field("node_id"), names, wrong),
        rank: rank.unsigned_abs(),
        efforts: efforts.into_iter().map(effort).collect(),
    }
}

fn effort(given: pb::CrewEffort) -> Effort {
    Effort {
        time_us: given.work_duration.map_or(0, time),
        damage_micro: damage(given.damage),
    }
}

/// The vertex of a node.
fn vertex(id: &str, at: &Path<'_>, names: &Names, wrong: &mut Mistakes) -> usize {
    names.nodes.find(at, id, wrong).unwrap_or(NOWHERE)
}

/// A time in microseconds.
pub(super) fn time(given: Duration) -> u64 {
    u64::try_from(rounded_micros(&given)).unwrap_or(0)
}

/// A damage in millionths.
pub(super) fn damage(given: f64) -> u64 {
    u64::try_from(millionths(given)).unwrap_or(0)
}

fn limit(kind: i32, most: u64) -> Limit {
    use pb::CrewLimitKind as Kind;
    match Kind::try_from(kind).unwrap_or_default() {
        Kind::Unspecified | Kind::Inclusive => Limit::Within(most),
        Kind::Exclusive => Limit::Below(most),
    }
}
