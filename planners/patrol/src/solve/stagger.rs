//! Plan of teams on rounds: the guards of each team join its round staggered, at equal distances in
//! time.

use super::round::{Round, RoundEvaluator};
use crate::plan::{Plan, Route, Stop};

/// Guards that share a round.
#[derive(Clone)]
pub(super) struct Team {
    pub guards: Vec<usize>,
    pub round: Round,
}

/// Initial phases and roles of teams.
#[derive(Debug, Clone, Default)]
pub(super) struct Start {
    /// Phase of each team on its round at tick 0, modulo the duration of the round. Empty: 0.
    pub phases: Vec<u32>,
    /// For each guard, the guard that takes its place. Empty: itself.
    pub roles: Vec<usize>,
    /// Whether rounds are reversed.
    pub is_reversed: bool,
}

/// Plan in which the guards of each team join its round as early as possible, at equal distances.
pub(super) fn stagger(
    evaluators: &mut [RoundEvaluator<'_>],
    teams: &[Team],
    start: &Start,
) -> Plan {
    let guards = teams.iter().map(|team| team.guards.len()).sum();
    let mut routes = vec![Route::default(); guards];
    for (index, (evaluator, team)) in evaluators.iter_mut().zip(teams).enumerate() {
        stagger_team(evaluator, index, team, start, &mut routes);
    }
    Plan { routes }
}

/// Sets the routes of the team with this index.
pub(super) fn stagger_team(
    evaluator: &mut RoundEvaluator<'_>,
    index: usize,
    team: &Team,
    start: &Start,
    routes: &mut [Route],
) {
    let (mut stops, ticks) = evaluator.stops(&team.round);
    if start.is_reversed {
        stops.reverse();
    }
    let shift = start.phases.get(index).map_or(0, |phase| phase % ticks);
    let count = u32::try_from(team.guards.len()).expect("guards are limited");
    for (place, guard) in team.guards.iter().enumerate() {
        let place = u32::try_from(place).expect("guards are limited");
        // Phase of this guard at tick 0.
        let phase = (place * ticks / count + shift) % ticks;
        let guard = start.roles.get(*guard).copied().unwrap_or(*guard);
        routes[guard] = join(evaluator, guard, &stops, ticks, phase);
    }
}

/// Route that joins the round in time with a guard that is at tick `phase` of it at tick 0.
fn join(
    evaluator: &mut RoundEvaluator<'_>,
    guard: usize,
    stops: &[Stop],
    ticks: u32,
    phase: u32,
) -> Route {
    let problem = evaluator.context.problem;
    let (start, begin) = problem.first_arrival(guard);
    let pause = problem.first_pause(guard);
    let mut when = 0;
    // Least time until the guard is on the round in phase, the stop, and the wait there.
    let mut best = (u32::MAX, 0, 0);
    for (index, stop) in stops.iter().enumerate() {
        let arrives = if stop.vertex == start {
            begin
        } else {
            begin + pause + evaluator.paths.ticks_between(start, stop.vertex)
        };
        let wait = (when + 2 * ticks - phase - arrives % ticks) % ticks;
        best = best.min((arrives + wait, index, wait));
        let next = &stops[(index + 1) % stops.len()];
        let edge = problem.out_edge(stop.vertex, next.vertex);
        when += stop.stay + edge.map_or(0, |edge| problem.ticks(evaluator.guard, edge));
    }
    let (_, index, wait) = best;
    let mut prefix = Vec::new();
    if begin > 0 {
        let left = problem.guards()[guard].start;
        prefix.push(Stop::new(left, 0));
    }
    let entry = stops[index];
    if entry.vertex != start {
        prefix.push(Stop::new(start, pause));
    }
    evaluator.paths.walk(start, entry.vertex, |vertex, _| {
        let stay = problem.pause(vertex);
        prefix.push(Stop::new(vertex, stay));
    });
    if entry.vertex != start {
        prefix.pop();
    }
    let may_stay = problem.spec().may_stay;
    let mut cycle = stops.to_vec();
    cycle.rotate_left(index);
    if wait > 0 && may_stay && stops.len() > 1 {
        // The first visit is longer: it is not part of the cycle.
        prefix.push(Stop {
            stay: entry.stay + wait,
            ..entry
        });
        cycle.rotate_left(1);
    }
    Route { prefix, cycle }
}
