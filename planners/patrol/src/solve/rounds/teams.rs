//! Partitions of guards into teams, initial tours, and the teams of a given plan.

#[cfg(test)]
mod tests;

use super::formation::InitialRounds;
use crate::context::Context;
use crate::plan::{Plan, Route, Stop, duration};
use crate::problem::{Problem, Tick};
use crate::solve::round::{Round, RoundEvaluator};
use crate::solve::stagger::Start;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Maximum number of stops of a cycle of a warm start.
const STOPS_MAX: usize = 2_000;

/// Partitions of the guards into teams of interchangeable ones: from the largest teams to single
/// guards.
pub(super) fn partitions(context: &Context<'_>) -> Vec<Vec<Vec<usize>>> {
    let problem = context.problem;
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for guard in 0..context.guards() {
        match classes
            .iter_mut()
            .find(|class| problem.are_interchangeable(class[0], guard))
        {
            Some(class) => class.push(guard),
            None => classes.push(vec![guard]),
        }
    }
    let mut all: Vec<Vec<Vec<usize>>> = Vec::new();
    for size in 1..=context.guards() {
        let teams = classes.iter().flat_map(|class| class.chunks(size));
        let teams: Vec<Vec<usize>> = teams.map(<[usize]>::to_vec).collect();
        if !all.contains(&teams) {
            all.push(teams);
        }
    }
    // The largest teams first.
    all.reverse();
    if problem.objective().has_idleness() {
        all.truncate(1);
    }
    all
}

/// Random permutation of the guards that exchanges interchangeable ones only.
pub(super) fn roles(context: &Context<'_>, rng: &mut Xoshiro256PlusPlus) -> Vec<usize> {
    let mut roles: Vec<usize> = (0..context.guards()).collect();
    for guard in 1..roles.len() {
        let other = rng.random_range(0..=guard);
        if context.problem.are_interchangeable(guard, other) {
            roles.swap(guard, other);
        }
    }
    roles
}

/// Work of a position in a round, in steps of [`WorkCounter`](crate::context::WorkCounter).
const POSITION_STEPS: u64 = 8;

/// Round past some vertices by cheapest insertion; without vertices, the start of the guard. When
/// stopped, past the first ones only.
pub(super) fn tour(evaluator: &mut RoundEvaluator<'_>, vertices: &[usize]) -> Round {
    let (start, _) = evaluator.context.problem.first_arrival(evaluator.guard);
    let first = vertices.first().copied().unwrap_or(start);
    let mut goals = vec![Stop::new(first, 0)];
    for vertex in vertices.iter().copied().skip(1) {
        let count = goals.len();
        if !evaluator
            .context
            .work
            .proceed_uncounted(POSITION_STEPS * count as u64)
        {
            break;
        }
        let detour = |at: &usize, evaluator: &mut RoundEvaluator<'_>| {
            let [here, next] = [goals[*at].vertex, goals[(at + 1) % count].vertex];
            let paths = &mut evaluator.paths;
            i64::from(paths.ticks_between(here, vertex))
                + i64::from(paths.ticks_between(vertex, next))
                - i64::from(paths.ticks_between(here, next))
        };
        let at = (0..count).min_by_key(|at| detour(at, evaluator));
        let at = at.expect("there is a goal") + 1;
        goals.insert(at, Stop::new(vertex, 0));
    }
    Round { goals }
}

/// Teams and rounds of a plan, in up to two partitions: each guard alone, and interchangeable
/// guards with the same cycle together, at equal distances. Empty if a cycle is too long to be
/// improved.
pub(super) fn teams_of(
    context: &Context<'_>,
    plan: &Plan,
) -> Vec<(Vec<Vec<usize>>, InitialRounds)> {
    let problem = context.problem;
    if plan
        .routes
        .iter()
        .any(|route| route.cycle.len() > STOPS_MAX)
    {
        return Vec::new();
    }
    let cycle = |guard: usize| &plan.routes[guard].cycle;
    let guards = 0..plan.routes.len();
    let alone: Vec<Vec<usize>> = guards.clone().map(|guard| vec![guard]).collect();
    let mut together: Vec<Vec<usize>> = Vec::new();
    for guard in guards {
        let shares = |team: &&mut Vec<usize>| {
            problem.are_interchangeable(team[0], guard)
                && is_same_cycle(context, cycle(team[0]), cycle(guard))
        };
        match together.iter_mut().find(shares) {
            Some(team) => team.push(guard),
            None => together.push(vec![guard]),
        }
    }
    let rounds = |teams: &[Vec<usize>]| {
        let start = Start {
            phases: teams
                .iter()
                .map(|team| phase(problem, team[0], &plan.routes[team[0]]))
                .collect(),
            ..Start::default()
        };
        let cycles = teams
            .iter()
            .map(|team| round(problem, &plan.routes[team[0]]));
        InitialRounds::Round(cycles.collect(), start)
    };
    let mut all = vec![alone];
    if together != all[0] {
        all.push(together);
    }
    all.into_iter()
        .map(|teams| {
            let rounds = rounds(&teams);
            (teams, rounds)
        })
        .collect()
}

/// Whether two cycles are equal up to rotation. Also false when the search has to stop.
fn is_same_cycle(context: &Context<'_>, one: &[Stop], other: &[Stop]) -> bool {
    let is_rotation = |from: usize| other[from..].iter().chain(&other[..from]).eq(one);
    let mut rotations =
        (0..other.len()).take_while(|_| context.work.proceed_uncounted(other.len() as u64));
    one.len() == other.len() && rotations.any(is_rotation)
}

/// The cycle of a route as a round.
fn round(problem: &Problem, route: &Route) -> Round {
    let goal = |stop: &Stop| Stop {
        stay: stop.stay.saturating_sub(problem.pause(stop.vertex)),
        ..*stop
    };
    Round {
        goals: route.cycle.iter().map(goal).collect(),
    }
}

/// Phase of a guard on its cycle at tick 0, if the cycle begins at the end of its prefix.
fn phase(problem: &Problem, guard: usize, route: &Route) -> u32 {
    let ticks = |stops: &[Stop]| duration(problem, guard, stops, &route.cycle[0]);
    let gone = Tick::from(problem.ticks_gone(guard));
    let (prefix, period) = (ticks(&route.prefix), ticks(&route.cycle).max(1));
    let begin = prefix.saturating_sub(gone);
    u32::try_from((period - begin % period) % period).expect("periods are limited")
}
