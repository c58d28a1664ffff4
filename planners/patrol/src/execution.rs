//! Execution of a plan: where guards are at a tick, and how they go over to another plan.

use crate::plan::{PERIOD_MAX, Plan, Route, Stop, duration};
use crate::problem::{Guard, Problem, TICKS_MAX, Tick};
use crate::solve::continued_plan;
use crate::{Cost, verify};

/// Where guards are at a tick of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Present {
    /// The guards, as a problem has them that begins then.
    pub guards: Vec<Guard>,
    /// Their routes from the visits on that they have begun, as a previous plan.
    pub plan: Plan,
}

/// Where guards are at a tick of a plan that breaks no rule.
#[must_use]
pub fn present(problem: &Problem, plan: &Plan, tick: Tick) -> Present {
    let routes = plan.routes.iter().enumerate();
    let each = routes.map(|(guard, route)| {
        let walk = Walk::new(problem, guard, route);
        let place = walk.place_at(tick);
        (walk.guard_at(&place), walk.rest_from(&place))
    });
    let (guards, routes) = each.unzip();
    Present {
        guards,
        plan: Plan::new(routes),
    }
}

/// Plan in which guards follow `plan` until a tick, and another one from there, which is for the
/// problem that begins at the tick; verified. `None`: it breaks a rule, or is too long.
#[must_use]
pub fn switched(problem: &Problem, plan: &Plan, tick: Tick, next: &Plan) -> Option<Plan> {
    let routes = plan.routes.iter().zip(&next.routes).enumerate();
    let routes = routes.map(|(guard, (route, next))| {
        let walk = Walk::new(problem, guard, route);
        let place = walk.place_at(tick);
        walk.switched(&place, next)
    });
    let plan = Plan::new(routes.collect::<Option<_>>()?);
    verify(problem, &plan).is_ok().then_some(plan)
}

/// The cheapest continuation of a previous plan that was tried, without a search; see
/// [`Params::warm`](crate::Params::warm). `None`: each breaks a rule, or is too long.
#[must_use]
pub fn continued(problem: &Problem, previous: &Plan) -> Option<(Plan, Cost)> {
    let (plan, cost) = continued_plan(problem, previous)?;
    (verify(problem, &plan) == Ok(cost)).then_some((plan, cost))
}

/// The visits of a guard in order, without end.
struct Walk<'w> {
    problem: &'w Problem,
    guard: usize,
    route: &'w Route,
}

/// Where a guard is.
struct Place {
    /// Number of the visit that it has begun last.
    visit: usize,
    /// Ticks since it arrived there; before tick 0 they do not count.
    waited: Tick,
    /// Ticks since it left for the next visit; 0: it has not left.
    gone: u32,
}

impl<'w> Walk<'w> {
    fn new(problem: &'w Problem, guard: usize, route: &'w Route) -> Self {
        Self {
            problem,
            guard,
            route,
        }
    }

    fn stop(&self, visit: usize) -> Stop {
        let Route { prefix, cycle } = self.route;
        match visit.checked_sub(prefix.len()) {
            None => prefix[visit],
            Some(on_cycle) => cycle[on_cycle % cycle.len()],
        }
    }

    /// Travel time from a visit to the next; `None`: the guard stands there.
    fn travel(&self, visit: usize) -> Option<u32> {
        let [here, next] = [visit, visit + 1].map(|visit| self.stop(visit).vertex);
        let edge = self.problem.out_edge(here, next)?;
        Some(self.problem.ticks(self.guard, edge))
    }

    fn place_at(&self, tick: Tick) -> Place {
        let Route { prefix, cycle } = self.route;
        let gone = Tick::from(self.problem.ticks_gone(self.guard));
        // As if it had left its first vertex at tick 0.
        let tick = tick + gone;
        let (mut visit, mut arrival) = (0, 0);
        let begin = duration(self.problem, self.guard, prefix, &cycle[0]);
        let lap = duration(self.problem, self.guard, cycle, &cycle[0]);
        if cycle.len() > 1 && tick >= begin {
            let laps = (tick - begin) / lap;
            arrival = begin + laps * lap;
            visit = prefix.len() + usize::try_from(laps).unwrap_or(0) * cycle.len();
        }
        loop {
            let leaves = arrival + Tick::from(self.stop(visit).stay);
            let travel = self.travel(visit);
            match travel.map(Tick::from) {
                Some(travel) if tick >= leaves + travel => {
                    arrival = leaves + travel;
                    visit += 1;
                }
                travel => {
                    let is_gone = travel.is_some() && tick > leaves;
                    let gone = if is_gone { tick - leaves } else { 0 };
                    return Place {
                        visit,
                        waited: tick.min(if is_gone { leaves } else { tick }) - arrival,
                        gone: u32::try_from(gone).unwrap_or(u32::MAX),
                    };
                }
            }
        }
    }

    /// Ticks before tick 0 of a visit.
    fn before(&self, visit: usize) -> u32 {
        let guard = self.problem.guards()[self.guard];
        match guard.next {
            None if visit == 0 => guard.elapsed,
            _ => 0,
        }
    }

    /// Ticks of a visit that are over, as far as they matter, and those that are left.
    fn parts(&self, place: &Place) -> [u32; 2] {
        let stay = Tick::from(self.stop(place.visit).stay);
        let left = stay.saturating_sub(place.waited);
        let waited = Tick::from(self.before(place.visit)) + place.waited;
        let waited = waited
            .min(TICKS_MAX.into())
            .min(PERIOD_MAX.saturating_sub(left));
        [waited, left].map(|ticks| u32::try_from(ticks).unwrap_or(u32::MAX))
    }

    fn guard_at(&self, place: &Place) -> Guard {
        let [waited, _] = self.parts(place);
        let is_gone = place.gone > 0;
        Guard {
            start: self.stop(place.visit).vertex,
            next: is_gone.then(|| self.stop(place.visit + 1).vertex),
            elapsed: if is_gone { place.gone } else { waited },
            ..self.problem.guards()[self.guard]
        }
    }

    /// The route from a visit on, with that as a whole.
    fn rest_from(&self, place: &Place) -> Route {
        let Route { prefix, cycle } = self.route;
        let visit = place.visit;
        let [waited, left] = self.parts(place);
        let whole = |stop: Stop| Stop {
            stay: waited + left,
            ..stop
        };
        let on_cycle = visit.checked_sub(prefix.len());
        let mut rest = Route::new(
            prefix.get(visit..).unwrap_or_default().to_vec(),
            cycle.clone(),
        );
        rest.cycle.rotate_left(on_cycle.unwrap_or(0) % cycle.len());
        match rest.prefix.first_mut() {
            Some(first) => *first = whole(*first),
            None if rest.cycle[0].stay != waited + left && cycle.len() > 1 => {
                rest.prefix.push(whole(rest.cycle[0]));
                rest.cycle.rotate_left(1);
            }
            None => {}
        }
        rest
    }

    /// The route until a place, and another one from there. `None`: it is too long.
    fn switched(&self, place: &Place, next: &Route) -> Option<Route> {
        let visits = place.visit;
        if visits as u64 > PERIOD_MAX {
            return None;
        }
        let mut prefix: Vec<Stop> = (0..visits).map(|visit| self.stop(visit)).collect();
        let mut cycle = next.cycle.clone();
        let waited = u32::try_from(place.waited).unwrap_or(u32::MAX);
        match next.prefix.split_first() {
            Some((first, rest)) => {
                let stay = first.stay.saturating_add(waited);
                prefix.push(Stop { stay, ..*first });
                prefix.extend_from_slice(rest);
            }
            // The first visit is longer than those after it.
            None if waited > 0 && cycle.len() > 1 => {
                let stay = cycle[0].stay.saturating_add(waited);
                prefix.push(Stop { stay, ..cycle[0] });
                cycle.rotate_left(1);
            }
            None => {}
        }
        Some(Route::new(prefix, cycle))
    }
}
