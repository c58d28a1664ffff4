//! Plans from outside: to be verified or evaluated, or for a warm start.

use super::names::Names;
use super::plan::empty;
use super::problem::Decoded;
use crate::mistakes::{Code, Mistakes};
use crate::values::{Ids, read_each, shown};
use anytime::Path;
use patrol::plan::PERIOD_MAX;
use patrol::{Plan, Stop};
use stratagem_proto::v1 as pb;

/// Longest stay in a plan from outside: the longest joint period.
const STAY_MAX: u32 = PERIOD_MAX as u32;

/// Plan from outside.
#[derive(Debug)]
pub struct ReadPlan {
    pub plan: Plan,
    /// Index of each guard's route in the caller's list.
    pub routes: Vec<usize>,
}

/// Plan from outside, readable but not verified. `None` when there are mistakes.
pub(crate) fn plan(
    given: pb::PatrolPlan,
    decoded: &Decoded,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<ReadPlan> {
    // Durations follow from the stops: they are computed, not read.
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
    let routes = places.into_iter().collect::<Option<_>>()?;
    wrong.is_empty().then_some(ReadPlan { plan, routes })
}

/// Plan for a warm start, without guards and vertices that the problem does not have; guards
/// without a route get an empty one. `None`: no route is left.
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

/// Reader of routes.
struct Reader<'n> {
    names: &'n Names,
    /// Looks up an id: index of the element.
    find: fn(&Ids, &Path<'_>, &str, &mut Mistakes) -> Option<usize>,
}

impl Reader<'_> {
    /// Routes of guards that exist, and their indices in the list.
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
        let stops = read_each(given, at, |given, at| {
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
                clock.ticks(&stay_at, stay, 0..=STAY_MAX, wrong)
            });
            vertex.map(|vertex| Stop { vertex, stay })
        });
        stops.into_iter().flatten().collect()
    }
}
