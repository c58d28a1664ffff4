//! A plan that somebody wants judged, from the wire.

use super::names::Names;
use super::plan::empty;
use super::problem::Decoded;
use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use crate::wire::values::{each, shown};
use patrol::plan::PERIOD_MAX;
use patrol::{Plan, Stop};
use stratagem_proto::v1 as pb;

/// Longest stay that a plan from outside may name: as long as the longest joint period.
const STAY_MAX: u32 = PERIOD_MAX as u32;

/// A plan from outside.
#[derive(Debug)]
pub(crate) struct ReadPlan {
    pub plan: Plan,
    /// Where the route of each guard stands in the list of routes.
    pub at: Vec<usize>,
}

/// A plan from outside: not trusted, only readable. `None` when there are mistakes.
pub(crate) fn plan(
    given: pb::PatrolPlan,
    decoded: &Decoded,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<ReadPlan> {
    // What follows from the stops is computed, not read.
    let pb::PatrolPlan {
        routes,
        prefix_duration: _,
        period_duration: _,
    } = given;
    let names = &decoded.names;
    let guards = names.guards.list().len();
    let list = at.field("routes");
    if !wrong.size(&list, routes.len(), guards) {
        return None;
    }
    let mut plan = empty(guards);
    let mut places = vec![None; guards];
    for (index, given) in routes.into_iter().enumerate() {
        let pb::PatrolRoute {
            guard_id,
            prefix,
            cycle,
        } = given;
        let at = list.index(index);
        let id_at = at.field("guard_id");
        let guard = names.guards.find(&id_at, &guard_id, wrong);
        let prefix = stops(prefix, &at.field("prefix"), names, wrong);
        let cycle = stops(cycle, &at.field("cycle"), names, wrong);
        let Some(guard) = guard else {
            continue;
        };
        if places[guard].replace(index).is_some() {
            let why = format!("is {}, which has a route already", shown(&guard_id));
            wrong.add(&id_at, Code::Duplicate, why);
        }
        plan.routes[guard] = patrol::Route { prefix, cycle };
    }
    for (guard, _) in places.iter().enumerate().filter(|(_, at)| at.is_none()) {
        let why = format!("have none for guard {}", shown(names.guard(guard)));
        wrong.add(&list, Code::Required, why);
    }
    let at = places.into_iter().collect::<Option<_>>()?;
    wrong.is_empty().then_some(ReadPlan { plan, at })
}

fn stops(
    given: Vec<pb::PatrolStop>,
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) -> Vec<Stop> {
    each(given, at, |given, at| {
        let pb::PatrolStop {
            vertex_id,
            arrival_offset: _,
            stay_duration,
        } = given;
        let vertex_at = at.field("vertex_id");
        let vertex = names.vertices.find(&vertex_at, &vertex_id, wrong);
        let stay_at = at.field("stay_duration");
        let stay = stay_duration.map_or(0, |stay| {
            names.clock.ticks((&stay_at, stay), 0..=STAY_MAX, wrong)
        });
        Stop {
            vertex: vertex.unwrap_or(0),
            stay,
        }
    })
}
