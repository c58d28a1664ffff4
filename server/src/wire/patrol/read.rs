//! Plans of callers, from the wire: to be judged, or to begin with.

use super::names::Names;
use super::plan::empty;
use super::problem::Decoded;
use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use crate::wire::values::{Ids, each, shown};
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
    let reader = Reader {
        names,
        find: Ids::find,
    };
    let (plan, places) = reader.routes(routes, &list, wrong);
    for (guard, _) in places.iter().enumerate().filter(|(_, at)| at.is_none()) {
        let why = format!("have none for guard {}", shown(names.guard(guard)));
        wrong.add(&list, Code::Required, why);
    }
    let at = places.into_iter().collect::<Option<_>>()?;
    wrong.is_empty().then_some(ReadPlan { plan, at })
}

/// A plan to begin with, without guards and vertices that the problem does not have: those without
/// a route have an empty one. `None`: nothing is left of it.
pub(crate) fn previous(
    given: pb::PatrolPlan,
    decoded: &Decoded,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Plan> {
    let pb::PatrolPlan {
        routes,
        prefix_duration: _,
        period_duration: _,
    } = given;
    let list = at.field("routes");
    let reader = Reader {
        names: &decoded.names,
        find: known,
    };
    let (plan, _) = reader.routes(routes, &list, wrong);
    let is_left = plan.routes.iter().any(|route| !route.cycle.is_empty());
    is_left.then_some(plan)
}

/// Index of the element with this id, if there still is one.
fn known(ids: &Ids, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
    let found = ids.get(id);
    if found.is_none() {
        wrong.visible(at, id);
    }
    found
}

/// Reads routes.
struct Reader<'n> {
    names: &'n Names,
    /// The element that an id stands for, and whether it has to exist.
    find: fn(&Ids, &Path<'_>, &str, &mut Mistakes) -> Option<usize>,
}

impl Reader<'_> {
    /// The routes of guards that exist, and where each stands in the list.
    fn routes(
        &self,
        given: Vec<pb::PatrolRoute>,
        list: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> (Plan, Vec<Option<usize>>) {
        let guards = self.names.guards.list().len();
        let mut plan = empty(guards);
        let mut places = vec![None; guards];
        for (index, given) in given.into_iter().enumerate() {
            let pb::PatrolRoute {
                guard_id,
                prefix,
                cycle,
            } = given;
            let at = list.index(index);
            let id_at = at.field("guard_id");
            let guard = (self.find)(&self.names.guards, &id_at, &guard_id, wrong);
            let prefix = self.stops(prefix, &at.field("prefix"), wrong);
            let cycle = self.stops(cycle, &at.field("cycle"), wrong);
            let Some(guard) = guard else {
                continue;
            };
            if places[guard].replace(index).is_some() {
                let why = format!("is {}, which has a route already", shown(&guard_id));
                wrong.add(&id_at, Code::Duplicate, why);
            }
            plan.routes[guard] = patrol::Route { prefix, cycle };
        }
        (plan, places)
    }

    /// Stops at vertices that exist.
    fn stops(&self, given: Vec<pb::PatrolStop>, at: &Path<'_>, wrong: &mut Mistakes) -> Vec<Stop> {
        let stops = each(given, at, |given, at| {
            let pb::PatrolStop {
                vertex_id,
                arrival_offset: _,
                stay_duration,
            } = given;
            let vertex_at = at.field("vertex_id");
            let vertex = (self.find)(&self.names.vertices, &vertex_at, &vertex_id, wrong);
            let stay_at = at.field("stay_duration");
            let stay = stay_duration.map_or(0, |stay| {
                let clock = self.names.clock;
                clock.ticks((&stay_at, stay), 0..=STAY_MAX, wrong)
            });
            vertex.map(|vertex| Stop { vertex, stay })
        });
        stops.into_iter().flatten().collect()
    }
}
