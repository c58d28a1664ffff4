//! Teams of guards that share a round, and how they begin.

#[cfg(test)]
mod tests;

use super::formation::Begin;
use super::is_idle;
use crate::context::Context;
use crate::plan::{Plan, Route, Stop, duration};
use crate::problem::Problem;
use crate::solve::round::{Round, RoundEvaluator};
use crate::solve::stagger::Start;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Most stops of a cycle that the search begins with.
const STOPS_MAX: usize = 2_000;

/// Ways to make teams of guards who are alike: all together, each alone, and some in between.
pub(super) fn formations(context: &Context<'_>) -> Vec<Vec<Vec<usize>>> {
    let problem = context.problem;
    let mut kinds: Vec<Vec<usize>> = Vec::new();
    for guard in 0..context.guards() {
        match kinds
            .iter_mut()
            .find(|kind| problem.are_alike(kind[0], guard))
        {
            Some(kind) => kind.push(guard),
            None => kinds.push(vec![guard]),
        }
    }
    let mut all: Vec<Vec<Vec<usize>>> = Vec::new();
    for size in 1..=context.guards() {
        let teams = kinds.iter().flat_map(|kind| kind.chunks(size));
        let teams: Vec<Vec<usize>> = teams.map(<[usize]>::to_vec).collect();
        if !all.contains(&teams) {
            all.push(teams);
        }
    }
    // All together first: a plan for everybody at once.
    all.reverse();
    if is_idle(problem) {
        all.truncate(1);
    }
    all
}

/// Guards who are alike in any order.
pub(super) fn roles(context: &Context<'_>, rng: &mut Xoshiro256PlusPlus) -> Vec<usize> {
    let mut roles: Vec<usize> = (0..context.guards()).collect();
    for guard in 1..roles.len() {
        let other = rng.random_range(0..=guard);
        if context.problem.are_alike(guard, other) {
            roles.swap(guard, other);
        }
    }
    roles
}

/// Steps that a place in a round counts for, as [`Steps`](crate::context::WorkCounter) counts them.
const PLACE_STEPS: u64 = 8;

/// A round past these vertices, each inserted where it costs least time; without vertices, the
/// start of the guard. Past the first ones only, when stopped.
pub(super) fn tour(evaluator: &mut RoundEvaluator<'_>, vertices: &[usize]) -> Round {
    let start = evaluator.context.problem.guards()[evaluator.guard].start;
    let first = vertices.first().copied().unwrap_or(start);
    let mut goals = vec![Stop {
        vertex: first,
        stay: 0,
    }];
    for vertex in vertices.iter().copied().skip(1) {
        let count = goals.len();
        if !evaluator
            .context
            .work
            .proceed_uncounted(PLACE_STEPS * count as u64)
        {
            break;
        }
        let detour = |at: &usize, evaluator: &mut RoundEvaluator<'_>| {
            let [here, next] = [goals[*at].vertex, goals[(at + 1) % count].vertex];
            let paths = &mut evaluator.paths;
            i64::from(paths.far(here, vertex)) + i64::from(paths.far(vertex, next))
                - i64::from(paths.far(here, next))
        };
        let at = (0..count).min_by_key(|at| detour(at, evaluator));
        let at = at.expect("there is a goal") + 1;
        goals.insert(at, Stop { vertex, stay: 0 });
    }
    Round { goals }
}

/// Two ways to make teams of a plan: each guard alone, and guards that are alike and share a cycle
/// together, at equal distances. None if a cycle is too long to be improved.
pub(super) fn teams_of(context: &Context<'_>, plan: &Plan) -> Vec<(Vec<Vec<usize>>, Begin)> {
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
            problem.are_alike(team[0], guard) && is_same(context, [cycle(team[0]), cycle(guard)])
        };
        match together.iter_mut().find(shares) {
            Some(team) => team.push(guard),
            None => together.push(vec![guard]),
        }
    }
    let begin = |teams: &[Vec<usize>]| {
        let first = |team: &Vec<usize>| (team[0], &plan.routes[team[0]]);
        let start = Start {
            ahead: teams
                .iter()
                .map(|team| ahead(problem, first(team)))
                .collect(),
            ..Start::default()
        };
        let rounds = teams.iter().map(|team| round(problem, first(team).1));
        Begin::Round(rounds.collect(), start)
    };
    let mut all = vec![alone];
    if together != all[0] {
        all.push(together);
    }
    all.into_iter()
        .map(|teams| {
            let begin = begin(&teams);
            (teams, begin)
        })
        .collect()
}

/// Whether two cycles differ at most in where they begin. False, too, when the search has to stop.
fn is_same(context: &Context<'_>, [one, other]: [&[Stop]; 2]) -> bool {
    let turned = |from: usize| other[from..].iter().chain(&other[..from]).eq(one);
    let mut turns =
        (0..other.len()).take_while(|_| context.work.proceed_uncounted(other.len() as u64));
    one.len() == other.len() && turns.any(turned)
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

/// How far on its cycle a guard is at tick 0, if it begins the cycle at the end of its prefix.
fn ahead(problem: &Problem, (guard, route): (usize, &Route)) -> u32 {
    let ticks = |stops: &[Stop]| duration(problem, guard, stops, &route.cycle[0]);
    let (prefix, period) = (ticks(&route.prefix), ticks(&route.cycle).max(1));
    u32::try_from((period - prefix % period) % period).expect("periods are limited")
}
