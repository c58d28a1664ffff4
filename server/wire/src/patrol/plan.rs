//! Plans, for the wire.

use super::names::Names;
use patrol::plan::joint_period;
use patrol::problem::{Problem, Tick};
use patrol::{Plan, Route, Stop};
use stratagem_proto::v1 as pb;

/// Verified plan for the wire.
pub(super) fn plan(problem: &Problem, names: &Names, plan: &Plan) -> pb::PatrolPlan {
    let (mut prefix, mut cycles) = (0, Vec::new());
    let routes = plan.routes.iter().enumerate().map(|(guard, route)| {
        let mut walk = Walk {
            problem,
            names,
            guard,
            now: 0,
            gone: problem.ticks_gone(guard).into(),
        };
        let first = route.cycle.first();
        let prefix_stops = walk.stops(&route.prefix, route.prefix.iter().skip(1).chain(first));
        let begin = walk.now;
        let cycle_stops = walk.stops(&route.cycle, route.cycle.iter().skip(1).chain(first));
        prefix = prefix.max(begin);
        cycles.push(walk.now - begin);
        pb::PatrolRoute {
            guard_id: names.guard(guard).into(),
            prefix: prefix_stops,
            cycle: cycle_stops,
        }
    });
    let routes = routes.collect();
    let period = joint_period(cycles).expect("the plan is verified");
    pb::PatrolPlan {
        routes,
        prefix_duration: Some(names.clock.duration(prefix)),
        period_duration: Some(names.clock.duration(period)),
    }
}

/// Progress of a guard on its route.
struct Walk<'w> {
    problem: &'w Problem,
    names: &'w Names,
    guard: usize,
    /// Tick of arrival at the next stop.
    now: Tick,
    /// Ticks of the first edge that were over before.
    gone: Tick,
}

impl Walk<'_> {
    /// Stops with their ticks of arrival; `next` has the stop after each.
    fn stops<'s>(
        &mut self,
        stops: &'s [Stop],
        next: impl Iterator<Item = &'s Stop>,
    ) -> Vec<pb::PatrolStop> {
        let mut found = Vec::with_capacity(stops.len());
        for (stop, next) in stops.iter().zip(next) {
            found.push(pb::PatrolStop {
                vertex_id: self.names.vertex(stop.vertex).into(),
                arrival_offset: Some(self.names.clock.duration(self.now)),
                stay_duration: Some(self.names.clock.duration(stop.stay.into())),
            });
            // A cycle of one stop has no edge: the guard stands.
            let edge = self.problem.out_edge(stop.vertex, next.vertex);
            let ticks = edge.map_or(0, |edge| self.problem.ticks(self.guard, edge));
            let travel = Tick::from(ticks) - std::mem::take(&mut self.gone);
            self.now += Tick::from(stop.stay) + travel;
        }
        found
    }
}

/// Plan with an empty route for each guard.
pub(super) fn empty(guards: usize) -> Plan {
    Plan {
        routes: vec![Route::default(); guards],
    }
}
