//! A plan, for the wire.

use super::names::Names;
use patrol::problem::{Problem, Tick};
use patrol::{Plan, Route, Stop};
use stratagem_proto::v1 as pb;

/// A verified plan for the wire.
pub(super) fn plan((problem, names): (&Problem, &Names), plan: &Plan) -> pb::PatrolPlan {
    let (mut prefix, mut period): (Tick, Tick) = (0, 1);
    let routes = plan.routes.iter().enumerate().map(|(guard, one)| {
        let mut walk = Walk {
            problem,
            names,
            guard,
            now: 0,
        };
        let first = one.cycle.first();
        let way_in = one.prefix.iter().skip(1).chain(first);
        let prefix_stops = walk.stops(&one.prefix, way_in);
        let begin = walk.now;
        let around = one.cycle.iter().skip(1).chain(first);
        let cycle_stops = walk.stops(&one.cycle, around);
        prefix = prefix.max(begin);
        // Both within the limit on joint periods: no overflow.
        let round = walk.now - begin;
        period = period / common(period, round) * round;
        pb::PatrolRoute {
            guard_id: names.guard(guard).into(),
            prefix: prefix_stops,
            cycle: cycle_stops,
        }
    });
    let routes = routes.collect();
    pb::PatrolPlan {
        routes,
        prefix_duration: Some(names.clock.duration(prefix)),
        period_duration: Some(names.clock.duration(period)),
    }
}

/// A guard on its way.
struct Walk<'w> {
    problem: &'w Problem,
    names: &'w Names,
    guard: usize,
    /// The tick at which it arrives at the next stop.
    now: Tick,
}

impl Walk<'_> {
    /// Stops with when it arrives there; `next` has the stop after each.
    fn stops<'s>(
        &mut self,
        stops: &'s [Stop],
        next: impl Iterator<Item = &'s Stop>,
    ) -> Vec<pb::PatrolStop> {
        let mut told = Vec::with_capacity(stops.len());
        for (stop, next) in stops.iter().zip(next) {
            told.push(pb::PatrolStop {
                vertex_id: self.names.vertex(stop.vertex).into(),
                arrival_offset: Some(self.names.clock.duration(self.now)),
                stay_duration: Some(self.names.clock.duration(stop.stay.into())),
            });
            // A cycle of one stop has no way: there it stands.
            let edge = self.problem.out_edge(stop.vertex, next.vertex);
            let ticks = edge.map_or(0, |edge| self.problem.ticks(self.guard, edge));
            self.now += Tick::from(stop.stay) + Tick::from(ticks);
        }
        told
    }
}

/// Greatest common divisor.
fn common(a: Tick, b: Tick) -> Tick {
    if b == 0 { a } else { common(b, a % b) }
}

/// A plan of as many routes as there are guards, all empty.
pub(super) fn empty(guards: usize) -> Plan {
    Plan {
        routes: vec![Route::default(); guards],
    }
}
