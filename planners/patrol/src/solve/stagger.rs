//! From rounds to a plan: who joins which round where, at equal distances.

use super::round::{Round, RoundEvaluator};
use crate::plan::{Plan, Route, Stop};

/// A round, and who walks it.
#[derive(Clone)]
pub(super) struct Team {
    pub guards: Vec<usize>,
    pub round: Round,
}

/// How teams begin.
#[derive(Debug, Clone, Default)]
pub(super) struct Start {
    /// For each team, how far it is on its round at tick 0, in any unit: rounds come round. None:
    /// 0.
    pub ahead: Vec<u32>,
    /// For each guard, who takes its place; none: it does.
    pub roles: Vec<usize>,
    /// Whether rounds are walked the other way.
    pub is_reversed: bool,
}

/// The plan in which the guards of each team join its round as early as possible, at equal
/// distances.
pub(super) fn stagger(
    evaluators: &mut [RoundEvaluator<'_>],
    teams: &[Team],
    start: &Start,
) -> Plan {
    let guards = teams.iter().map(|team| team.guards.len()).sum();
    let mut routes = vec![Route::default(); guards];
    for (index, (evaluator, team)) in evaluators.iter_mut().zip(teams).enumerate() {
        stagger_team(evaluator, (index, team), start, &mut routes);
    }
    Plan { routes }
}

/// The routes of one team, the one with this index.
pub(super) fn stagger_team(
    evaluator: &mut RoundEvaluator<'_>,
    (index, team): (usize, &Team),
    start: &Start,
    routes: &mut [Route],
) {
    let (mut stops, ticks) = evaluator.stops(&team.round);
    if start.is_reversed {
        stops.reverse();
    }
    let shift = start.ahead.get(index).map_or(0, |ahead| ahead % ticks);
    let count = u32::try_from(team.guards.len()).expect("few");
    for (place, guard) in team.guards.iter().enumerate() {
        let place = u32::try_from(place).expect("few");
        // Where on the round it would have to be at tick 0.
        let ahead = (place * ticks / count + shift) % ticks;
        let guard = start.roles.get(*guard).copied().unwrap_or(*guard);
        routes[guard] = join(evaluator, guard, (&stops, ticks, ahead));
    }
}

/// A route that goes to the round and walks it as if it had been at `ahead` ticks of it at tick 0.
fn join(
    evaluator: &mut RoundEvaluator<'_>,
    guard: usize,
    (stops, ticks, ahead): (&[Stop], u32, u32),
) -> Route {
    let problem = evaluator.context.problem;
    let start = problem.guards()[guard].start;
    let mut when = 0;
    // Least time until it is on the round in step: at which stop, and how long it waits there.
    let mut best = (u32::MAX, 0, 0);
    for (index, stop) in stops.iter().enumerate() {
        let arrives = if stop.vertex == start {
            0
        } else {
            evaluator.paths.far(start, stop.vertex) + problem.pause(start)
        };
        let wait = (when + 2 * ticks - ahead - arrives % ticks) % ticks;
        best = best.min((arrives + wait, index, wait));
        let next = &stops[(index + 1) % stops.len()];
        let edge = problem.out_edge(stop.vertex, next.vertex);
        when += stop.stay + edge.map_or(0, |edge| problem.ticks(evaluator.guard, edge));
    }
    let (_, index, wait) = best;
    let mut prefix = Vec::new();
    let entry = stops[index];
    if entry.vertex != start {
        let stay = problem.pause(start);
        prefix.push(Stop {
            vertex: start,
            stay,
        });
    }
    evaluator.paths.walk([start, entry.vertex], |vertex, _| {
        let stay = problem.pause(vertex);
        prefix.push(Stop { vertex, stay });
    });
    if entry.vertex != start {
        prefix.pop();
    }
    let may_stay = problem.spec().may_stay;
    let mut cycle = stops.to_vec();
    cycle.rotate_left(index);
    if wait > 0 && may_stay && stops.len() > 1 {
        // It stands longer the first time it is there: that visit is not part of the cycle.
        prefix.push(Stop {
            stay: entry.stay + wait,
            ..entry
        });
        cycle.rotate_left(1);
    }
    Route { prefix, cycle }
}
