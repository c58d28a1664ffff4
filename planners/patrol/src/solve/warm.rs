//! Warm start: a plan in execution, continued from the present place of each guard.
//! [`Params::warm`](super::Params::warm) documents the guarantees for the first plan.

#[cfg(test)]
mod tests;

use super::shortest_paths::ShortestPaths;
use crate::context::{Context, Position, STANDING};
use crate::evaluate::worth;
use crate::plan::{Cost, PERIOD_MAX, Plan, Route, Stop};
use crate::problem::Problem;

/// Most continuations of one guard's route that are tried.
const CHOICES_MAX: usize = 8;
/// Most stops of all of them, unless one alone has more.
const STOPS_MAX: usize = PERIOD_MAX as usize;
/// Most plans that are judged.
const TRIES_MAX: usize = 64;
/// Slices of steps after which no other plan is tried.
const SLICES_MAX: u64 = 20;

/// Continuations of one guard's route.
struct Choices {
    routes: Vec<Route>,
    /// The first that is on the cycle already; 0 if none is.
    on_cycle: usize,
}

/// The cheapest continuation of a previous plan that breaks no rule, of those tried.
///
/// A guard on its prefix or its cycle goes on with it; any other takes a quickest path to one of
/// the nearest stops of its cycle. If a vertex comes several times, several visits are tried, the
/// first in any case: the previous plan does not say which one it is now.
pub(super) fn resumed(context: &Context<'_>, previous: &Plan) -> Option<(Plan, Cost)> {
    let choices = (0..context.guards()).map(|guard| {
        let mut walker = Walker {
            context,
            guard,
            paths: ShortestPaths::new(context, guard),
        };
        let route = previous.routes.get(guard);
        let known = route.and_then(|route| walker.continuations(route));
        known.unwrap_or_else(|| walker.idle())
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

/// The choice of a continuation for each guard.
struct Trial<'s> {
    context: &'s Context<'s>,
    choices: Vec<Choices>,
    /// Plans that may still be judged.
    left: usize,
    /// By index of the choice, and what it costs.
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

    /// Judges a plan, unless enough were judged. The first is judged in any case.
    fn evaluate(&mut self, picks: &[usize]) {
        let is_first = self.left == TRIES_MAX;
        let work = &self.context.work;
        let is_over = self.left == 0 || work.is_stopped() || work.total_slices() >= SLICES_MAX;
        if is_over && !is_first {
            return;
        }
        self.left -= 1;
        let judged = worth(self.context, &self.plan(picks));
        if let Some((_, cost)) = judged
            && self.best.as_ref().is_none_or(|best| cost < best.1)
        {
            self.best = Some((picks.to_vec(), cost));
        }
    }

    /// All plans if they are few, else those that differ from the best for one guard.
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
        picks = self.choices.iter().map(|all| all.on_cycle).collect();
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

/// The next of all combinations; false: that was the last.
fn advance(picks: &mut [usize], sizes: &[usize]) -> bool {
    for (pick, size) in picks.iter_mut().zip(sizes) {
        *pick = (*pick + 1) % size;
        if *pick > 0 {
            return true;
        }
    }
    false
}

/// A guard, and its quickest paths.
struct Walker<'s> {
    context: &'s Context<'s>,
    guard: usize,
    paths: ShortestPaths<'s>,
}

impl Walker<'_> {
    fn problem(&self) -> &Problem {
        self.context.problem
    }

    /// A stop that the rules allow.
    fn stop(&self, vertex: usize, stay: u32) -> Stop {
        let stay = if self.problem().spec().may_stay {
            stay.max(self.problem().pause(vertex))
        } else {
            0
        };
        Stop { vertex, stay }
    }

    /// Appends a stop, after those on a quickest path to it if it is no neighbour. `None`: too
    /// long, or stopped.
    fn go(&mut self, stops: &mut Vec<Stop>, next: Stop) -> Option<()> {
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
            self.paths.walk([from, next.vertex], |vertex, _| {
                let stay = problem.pause(vertex);
                stops.push(Stop { vertex, stay });
            });
            stops.pop();
        }
        stops.push(next);
        // The closing visit of a cycle is one more.
        let fits = stops.len() as u64 <= PERIOD_MAX + 1 && self.context.work.proceed_uncounted(1);
        fits.then_some(())
    }

    /// The stops of a route that the problem has, each a neighbour of the one before. `None`: too
    /// long.
    fn line(&mut self, given: &[Stop]) -> Option<Vec<Stop>> {
        let mut stops = Vec::new();
        for stop in given {
            if stop.vertex < self.problem().vertices() {
                self.go(&mut stops, *stop)?;
            }
        }
        Some(stops)
    }

    /// The same as a cycle. `None`: too long, or nothing is left of it.
    fn cycle(&mut self, given: &[Stop]) -> Option<Vec<Stop>> {
        let mut cycle = self.line(given)?;
        let first = *cycle.first()?;
        if cycle.len() > 1 {
            self.go(&mut cycle, first)?;
            let closing = cycle.pop()?;
            // If it comes there at the end already, both are one visit.
            cycle[0].stay = cycle[0].stay.max(closing.stay);
        }
        if cycle.len() == 1 {
            return self.stand(cycle[0]);
        }
        Some(cycle)
    }

    /// The cycle of a guard that stands; where that is not allowed it goes to and fro.
    fn stand(&self, stop: Stop) -> Option<Vec<Stop>> {
        if self.problem().spec().may_stay {
            let stay = stop.stay.max(1);
            return Some(vec![Stop { stay, ..stop }]);
        }
        self.to_and_fro(stop.vertex).into_iter().next()
    }

    /// The cycles to a neighbour and back, the quickest first.
    fn to_and_fro(&self, vertex: usize) -> Vec<Vec<Stop>> {
        let mut edges = self.problem().out_edges(vertex).to_vec();
        edges.sort_by_key(|edge| self.problem().ticks(self.guard, *edge));
        let cycle = |to| vec![self.stop(vertex, 0), self.stop(to, 0)];
        edges.into_iter().map(|edge| cycle(edge.to)).collect()
    }

    /// What a guard without a route does: it stands, or goes to and fro.
    fn idle(&self) -> Choices {
        let start = self.problem().guards()[self.guard].start;
        let may_stay = self.problem().spec().may_stay;
        let stand = may_stay.then(|| vec![self.stop(start, 1)]);
        let cycles = stand.into_iter().chain(self.to_and_fro(start));
        let routes = cycles.take(CHOICES_MAX).map(|cycle| Route {
            prefix: Vec::new(),
            cycle,
        });
        Choices {
            routes: routes.collect(),
            on_cycle: 0,
        }
    }

    /// How a guard goes on with a route from where it is. `None`: it has none.
    fn continuations(&mut self, route: &Route) -> Option<Choices> {
        let start = self.problem().guards()[self.guard].start;
        let prefix = self.line(&route.prefix)?;
        let cycle = self.cycle(&route.cycle)?;
        let at = |stops: &[Stop]| -> Vec<usize> {
            let is_here = |at: &usize| stops[*at].vertex == start;
            (0..stops.len()).filter(is_here).collect()
        };
        let most = (STOPS_MAX / (prefix.len() + cycle.len())).clamp(1, CHOICES_MAX);
        let mut routes = Vec::new();
        for from in at(&prefix).into_iter().take(most.div_ceil(2)) {
            routes.push(self.entering(&prefix[from..], (&cycle, 0))?);
        }
        let on_prefix = routes.len();
        for entry in at(&cycle).into_iter().take(most - on_prefix) {
            routes.push(self.entering(&[], (&cycle, entry))?);
        }
        let is_on_cycle = routes.len() > on_prefix;
        if routes.is_empty() {
            let here = [self.stop(start, 0)];
            for entry in self.nearest(&cycle).into_iter().take(most) {
                routes.push(self.entering(&here, (&cycle, entry))?);
            }
        }
        Some(Choices {
            on_cycle: if is_on_cycle { on_prefix } else { 0 },
            routes,
        })
    }

    /// The stops of a cycle that are nearest to where the guard is, the nearest first.
    fn nearest(&self, cycle: &[Stop]) -> Vec<usize> {
        // Edges and pauses are the same in both directions.
        let start = self.problem().guards()[self.guard].start;
        let far = self.context.distances(self.guard, start);
        let mut entries: Vec<usize> = (0..cycle.len()).collect();
        entries.sort_by_key(|entry| (far[cycle[*entry].vertex], *entry));
        entries
    }

    /// The route along some stops to a stop of a cycle, and round from there. `None`: too long, or
    /// stopped.
    fn entering(&mut self, stops: &[Stop], (cycle, entry): (&[Stop], usize)) -> Option<Route> {
        let mut prefix = stops.to_vec();
        let mut cycle = cycle.to_vec();
        cycle.rotate_left(entry);
        if !prefix.is_empty() {
            self.go(&mut prefix, cycle[0])?;
            let last = prefix.pop()?;
            if last.stay > cycle[0].stay && cycle.len() > 1 {
                // It stays longer the first time: that visit is not part of the cycle.
                prefix.push(last);
                cycle.rotate_left(1);
            }
        }
        let fits = (prefix.len() + cycle.len()) as u64 <= PERIOD_MAX;
        fits.then_some(Route { prefix, cycle })
    }
}

/// Where guards are at each instant of an intruder that enters at tick 0, and how long they still
/// have to stand.
pub(super) fn tracks(context: &Context<'_>, plan: &Plan) -> Vec<Vec<Position>> {
    let instants = context.problem.intruder().instants as usize;
    let track = |(guard, route)| {
        let mut track = context.track((guard, route), instants);
        let mut before: Option<Position> = None;
        for position in &mut track {
            if position.edge == STANDING {
                let last =
                    before.filter(|last| (last.edge, last.vertex) == (STANDING, position.vertex));
                let pause = context.problem.pause(position.vertex as usize);
                position.clock = last.map_or(pause, |last| last.clock.saturating_sub(1));
            }
            before = Some(*position);
        }
        track
    };
    plan.routes.iter().enumerate().map(track).collect()
}
