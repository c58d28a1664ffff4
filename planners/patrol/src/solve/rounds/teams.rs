//! Who walks together, and where at first.

use super::is_idle;
use crate::plan::Stop;
use crate::scene::Scene;
use crate::solve::round::{Judge, Round};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Ways to make teams of guards who are alike: all together, each alone, and some in between.
pub(super) fn formations(scene: &Scene<'_>) -> Vec<Vec<Vec<usize>>> {
    let problem = scene.problem;
    let mut kinds: Vec<Vec<usize>> = Vec::new();
    for guard in 0..scene.guards() {
        match kinds
            .iter_mut()
            .find(|kind| problem.are_alike(kind[0], guard))
        {
            Some(kind) => kind.push(guard),
            None => kinds.push(vec![guard]),
        }
    }
    let mut all: Vec<Vec<Vec<usize>>> = Vec::new();
    for size in 1..=scene.guards() {
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
pub(super) fn roles(scene: &Scene<'_>, rng: &mut Xoshiro256PlusPlus) -> Vec<usize> {
    let mut roles: Vec<usize> = (0..scene.guards()).collect();
    for guard in 1..roles.len() {
        let other = rng.random_range(0..=guard);
        if scene.problem.are_alike(guard, other) {
            roles.swap(guard, other);
        }
    }
    roles
}

/// Steps that a place in a round counts for, as [`Steps`](crate::scene::Steps) counts them.
const PLACE_STEPS: u64 = 8;

/// A round past these vertices, each put where it costs least time; none: where the guard starts. Past the first ones only, when told to
/// stop.
pub(super) fn tour(judge: &mut Judge<'_>, vertices: &[usize]) -> Round {
    let start = judge.scene.problem.guards()[judge.guard].start;
    let first = vertices.first().copied().unwrap_or(start);
    let mut goals = vec![Stop {
        vertex: first,
        stay: 0,
    }];
    for vertex in vertices.iter().copied().skip(1) {
        let count = goals.len();
        if !judge.scene.steps.aside(PLACE_STEPS * count as u64) {
            break;
        }
        let detour = |at: &usize, judge: &mut Judge<'_>| {
            let [here, next] = [goals[*at].vertex, goals[(at + 1) % count].vertex];
            let ways = &mut judge.ways;
            i64::from(ways.far(here, vertex)) + i64::from(ways.far(vertex, next))
                - i64::from(ways.far(here, next))
        };
        let at = (0..count).min_by_key(|at| detour(at, judge));
        let at = at.expect("there is a goal") + 1;
        goals.insert(at, Stop { vertex, stay: 0 });
    }
    Round { goals }
}
