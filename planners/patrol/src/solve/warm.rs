//! Warm start: the previous plan, continued from the present vertex of each guard.
//! [`Params::warm`](super::Params::warm) documents the guarantees for the first plan.

#[cfg(test)]
mod tests;

use super::shortest_paths::ShortestPaths;
use crate::context::{Context, Position, STANDING};
use crate::evaluate::exact_cost;
use crate::plan::{Cost, PERIOD_MAX, Plan, Route, Stop};
use crate::problem::Problem;

/// Maximum number of continuations of a route that are tried.
const CHOICES_MAX: usize = 8;
/// Maximum number of stops of all continuations of a route, unless one alone has more.
const STOPS_MAX: usize = PERIOD_MAX as usize;
/// Maximum number of plans that are evaluated.
const TRIES_MAX: usize = 64;
/// Slices of work after which no other plan is evaluated.
const SLICES_MAX: u64 = 20;

/// Continuations of the route of a guard.
struct Choices {
    routes: Vec<Route>,
    /// Index of the first that begins on the cycle; 0 if none does.
    first_on_cycle: usize,
}

/// Cheapest continuation of a previous plan that breaks no rule, of those tried.
///
/// A guard at a vertex of its prefix or cycle continues from there; any other takes a shortest path
/// to one of the nearest stops of its cycle. If a vertex has several visits, several are tried, the
/// first in any case: the previous plan does not state the present one.
pub(super) fn continued(context: &Context<'_>, previous: &Plan) -> Option<(Plan, Cost)> {
    let choices = (0..context.guards()).map(|guard| {
        let mut continuation = Continuation {
            context,
            guard,
            paths: ShortestPaths::new(context, guard),
        };
        let route = previous.routes.get(guard);
        let known = route.and_then(|route| continuation.continuations(route));
        known.unwrap_or_else(|| continuation.idle())
    });
    let mut trial = Trial {
        context,
        choices: choices.collect(),
        left: TRIES_MAX,
        best: None,
    };
    trial.run();
    let (picks, cost) = trial.best.take()?;
    Some((trial.plan(&picks), cost))
}

/// Search for the best choice of a continuation for each guard.
struct Trial<'s> {
    context: &'s Context<'s>,
    choices: Vec<Choices>,
    /// Number of plans that may still be evaluated.
    left: usize,
    /// Best choice by guard, and its cost.
    best: Option<(Vec<usize>, Cost)>,
}

impl Trial<'_> {
    fn plan(&self, picks: &[usize]) -> Plan {
        let routes = self.choices.iter().zip(picks);
        Plan {
            routes: routes
                .map(|(all, pick)| all.routes[*pick].clone())
                .collect(),
        }
    }

    /// Evaluates a plan within the limits. The first is evaluated in any case.
    fn evaluate(&mut self, picks: &[usize]) {
        let is_first = self.left == TRIES_MAX;
        let work = &self.context.work;
        let is_over = self.left == 0 || work.is_stopped() || work.total_slices() >= SLICES_MAX;
        if is_over && !is_first {
            return;
        }
        self.left -= 1;
        let evaluated = exact_cost(self.context, &self.plan(picks));
        if let Some((_, cost)) = evaluated
            && self.best.as_ref().is_none_or(|best| cost < best.1)
        {
            self.best = Some((picks.to_vec(), cost));
        }
    }

    /// Tries all plans if they are few, else those that differ from the best for one guard.
    fn run(&mut self) {
        let guards = self.choices.len();
        let sizes: Vec<usize> = self.choices.iter().map(|all| all.routes.len()).collect();
        let mut picks = vec![0; guards];
        self.evaluate(&picks);
        let all = sizes
            .iter()
            .try_fold(1_usize, |all, size| all.checked_mul(*size));
        if all.is_some_and(|all| all <= TRIES_MAX) {
            while advance(&mut picks, &sizes) {
                self.evaluate(&picks);
            }
            return;
        }
        picks = self.choices.iter().map(|all| all.first_on_cycle).collect();
        self.evaluate(&picks);
        for guard in 0..guards {
            for pick in 0..sizes[guard] {
                let best = self.best.as_ref().map(|best| &best.0);
                let mut picks = best.unwrap_or(&picks).clone();
                if std::mem::replace(&mut picks[guard], pick) != pick {
                    self.evaluate(&picks);
                }
            }
        }
    }
}

/// Next combination; false: it was the last.
fn advance(picks: &mut [usize], sizes: &[usize]) -> bool {
    for (pick, size) in picks.iter_mut().zip(sizes) {
        *pick = (*pick + 1) % size;
        if *pick > 0 {
            return true;
        }
    }
    false
}

/// Continuation of the route of one guard.
struct Continuation<'s> {
    context: &'s Context<'s>,
    guard: usize,
    paths: ShortestPaths<'s>,
}

impl Continuation<'_> {
    fn problem(&self) -> &Problem {
        self.context.problem
    }

    /// Stop with a stay that the rules allow.
    fn stop(&self, vertex: usize, stay: u32) -> Stop {
        let stay = if self.problem().spec().may_stay {
            stay.max(self.problem().pause(vertex))
        } else {
            0
        };
        Stop::new(vertex, stay)
    }

    /// Appends a stop, and those on a shortest path to it if it is no neighbour. `None`: too long,
    /// or stopped.
    fn append(&mut self, stops: &mut Vec<Stop>, next: Stop) -> Option<()> {
        let next = self.stop(next.vertex, next.stay);
        let Some(last) = stops.last_mut() else {
            stops.push(next);
            return Some(());
        };
        if last.vertex == next.vertex {
            last.stay = last.stay.max(next.stay);
            return Some(());
        }
        let from = last.vertex;
        if self.problem().out_edge(from, next.vertex).is_none() {
            let problem = self.context.problem;
            self.paths.walk(from, next.vertex, |vertex, _| {
                let stay = problem.pause(vertex);
                stops.push(Stop::new(vertex, stay));
            });
            stops.pop();
        }
        stops.push(next);
        // One more for the closing visit of a cycle.
        let fits = stops.len() as u64 <= PERIOD_MAX + 1 && self.context.work.proceed_uncounted(1);
        fits.then_some(())
    }

    /// Stops at vertices that the problem has, connected by shortest paths. `None`: too long.
    fn connected(&mut self, given: &[Stop]) -> Option<Vec<Stop>> {
        let mut stops = Vec::new();
        for stop in given {
            if stop.vertex < self.problem().vertices() {
                self.append(&mut stops, *stop)?;
            }
        }
        Some(stops)
    }

    /// The same as a cycle. `None`: too long, or no stop remains.
    fn cycle(&mut self, given: &[Stop]) -> Option<Vec<Stop>> {
        let mut cycle = self.connected(given)?;
        let first = *cycle.first()?;
        if cycle.len() > 1 {
            self.append(&mut cycle, first)?;
            let closing = cycle.pop()?;
            // If the cycle ends at its first vertex, both are one visit.
            cycle[0].stay = cycle[0].stay.max(closing.stay);
        }
        if cycle.len() == 1 {
            return self.stand(cycle[0]);
        }
        Some(cycle)
    }

    /// Cycle of a guard that stands, or goes back and forth where it may not stay.
    fn stand(&self, stop: Stop) -> Option<Vec<Stop>> {
        if self.problem().spec().may_stay {
            let stay = stop.stay.max(1);
            return Some(vec![Stop { stay, ..stop }]);
        }
        self.back_and_forth(stop.vertex).into_iter().next()
    }

    /// Cycles to a neighbour and back, the fastest first.
    fn back_and_forth(&self, vertex: usize) -> Vec<Vec<Stop>> {
        let mut edges = self.problem().out_edges(vertex).to_vec();
        edges.sort_by_key(|edge| self.problem().ticks(self.guard, *edge));
        let cycle = |to| vec![self.stop(vertex, 0), self.stop(to, 0)];
        edges.into_iter().map(|edge| cycle(edge.to)).collect()
    }

    /// Routes of a guard that had none: it stands, or goes back and forth.
    fn idle(&self) -> Choices {
        let (vertex, _) = self.problem().first_arrival(self.guard);
        let may_stay = self.problem().spec().may_stay;
        let stand = may_stay.then(|| vec![self.stop(vertex, 1)]);
        let cycles = stand.into_iter().chain(self.back_and_forth(vertex));
        let prefix = self.edge_to_end();
        let route = |cycle| Route::new(prefix.clone(), cycle);
        let routes = cycles.take(CHOICES_MAX).map(route);
        Choices {
            routes: routes.collect(),
            first_on_cycle: 0,
        }
    }

    /// The edge on which the guard is, as a prefix.
    fn edge_to_end(&self) -> Vec<Stop> {
        let guard = self.problem().guards()[self.guard];
        let left = guard.next.map(|_| Stop::new(guard.start, 0));
        left.into_iter().collect()
    }

    /// Indices of the visits that the guard has begun, of stops that are followed by others.
    fn visits(&self, stops: &[Stop], after: &[Stop]) -> Vec<usize> {
        let guard = self.problem().guards()[self.guard];
        let nexts = stops.iter().skip(1).chain(after.first());
        let both = stops.iter().zip(nexts).enumerate();
        let fits = |stop: &Stop, next: &Stop| {
            stop.vertex == guard.start && guard.next.is_none_or(|to| next.vertex == to)
        };
        both.filter_map(|(at, (stop, next))| fits(stop, next).then_some(at))
            .collect()
    }

    /// The rest of a visit that the guard has begun.
    fn rest(&self, visit: Stop) -> Stop {
        let guard = self.problem().guards()[self.guard];
        let stay = match guard.next {
            Some(_) => 0,
            None => {
                let left = visit.stay.saturating_sub(guard.elapsed);
                left.max(self.problem().first_pause(self.guard))
            }
        };
        Stop { stay, ..visit }
    }

    /// Continuations of a route from where the guard is. `None`: there are none.
    fn continuations(&mut self, route: &Route) -> Option<Choices> {
        let prefix = self.connected(&route.prefix)?;
        let cycle = self.cycle(&route.cycle)?;
        let count_max = (STOPS_MAX / (prefix.len() + cycle.len())).clamp(1, CHOICES_MAX);
        let mut routes = Vec::new();
        let visits = self.visits(&prefix, &cycle).into_iter();
        for from in visits.take(count_max.div_ceil(2)) {
            let mut stops = prefix[from..].to_vec();
            stops[0] = self.rest(stops[0]);
            routes.push(self.entering(&stops, &cycle, 0)?);
        }
        let on_prefix = routes.len();
        let visits = self.visits(&cycle, &cycle).into_iter();
        for entry in visits.take(count_max - on_prefix) {
            let rest = self.rest(cycle[entry]);
            let is_there = self.problem().guards()[self.guard].next.is_none();
            if is_there && rest.stay == cycle[entry].stay || cycle.len() == 1 {
                routes.push(self.entering(&[], &cycle, entry)?);
            } else {
                routes.push(self.entering(&[rest], &cycle, entry + 1)?);
            }
        }
        let is_on_cycle = routes.len() > on_prefix;
        if routes.is_empty() {
            let (vertex, _) = self.problem().first_arrival(self.guard);
            let mut here = self.edge_to_end();
            here.push(Stop::new(vertex, self.problem().first_pause(self.guard)));
            for entry in self.nearest(&cycle, vertex).into_iter().take(count_max) {
                routes.push(self.entering(&here, &cycle, entry)?);
            }
        }
        Some(Choices {
            first_on_cycle: if is_on_cycle { on_prefix } else { 0 },
            routes,
        })
    }

    /// Indices of the stops of a cycle by rising distance from a vertex.
    fn nearest(&self, cycle: &[Stop], vertex: usize) -> Vec<usize> {
        // Travel times and pauses are symmetric.
        let far = self.context.distances(self.guard, vertex);
        let mut entries: Vec<usize> = (0..cycle.len()).collect();
        entries.sort_by_key(|entry| (far[cycle[*entry].vertex], *entry));
        entries
    }

    /// Route along some stops to a stop of a cycle, and the cycle from there. `None`: too long, or
    /// stopped.
    fn entering(&mut self, stops: &[Stop], cycle: &[Stop], entry: usize) -> Option<Route> {
        let mut prefix = stops.to_vec();
        let mut cycle = cycle.to_vec();
        let stops = cycle.len();
        cycle.rotate_left(entry % stops);
        if !prefix.is_empty() {
            self.append(&mut prefix, cycle[0])?;
            let last = prefix.pop()?;
            if last.stay > cycle[0].stay && cycle.len() > 1 {
                // The first visit is longer: it is not part of the cycle.
                prefix.push(last);
                cycle.rotate_left(1);
            }
        }
        let fits = (prefix.len() + cycle.len()) as u64 <= PERIOD_MAX;
        fits.then_some(Route { prefix, cycle })
    }
}

/// Tracks of a plan at the instants of an intruder that enters at tick 0, with remaining pauses.
pub(super) fn tracks(context: &Context<'_>, plan: &Plan) -> Vec<Vec<Position>> {
    let instants = context.problem.intruder().instants as usize;
    let track = |guard: usize, route: &Route| {
        let mut track = context.track(guard, route, instants);
        let mut before: Option<Position> = None;
        for position in &mut track {
            if position.edge == STANDING {
                let last =
                    before.filter(|last| (last.edge, last.vertex) == (STANDING, position.vertex));
                let pause = match before {
                    None => context.problem.first_pause(guard),
                    Some(_) => context.problem.pause(position.vertex as usize),
                };
                position.clock = last.map_or(pause, |last| last.clock.saturating_sub(1));
            }
            before = Some(*position);
        }
        track
    };
    let routes = plan.routes.iter().enumerate();
    routes.map(|(guard, route)| track(guard, route)).collect()
}
