//! Who walks together, and where at first.

use super::is_idle;
use super::tour::tour;
use crate::scene::Scene;
use crate::solve::round::{Judge, Round};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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

/// Vertices from which a guard sees all that counts: a greedy set cover (Chvatal, "A greedy heuristic for the set-covering problem", 1979).
fn cover(scene: &Scene<'_>, guard: usize) -> Vec<usize> {
    let problem = scene.problem;
    let mut open = problem.shares().to_vec();
    let gain = |vertex: usize, open: &[u64]| -> u64 {
        let seen = problem.sight(guard, vertex).iter();
        seen.map(|seen| open[*seen as usize]).sum()
    };
    // By what each gains, of equals the first; gains only fall, so that what is still the highest after a second look is so.
    let all = (0..problem.vertices()).map(|vertex| (gain(vertex, &open), Reverse(vertex)));
    let mut heap: BinaryHeap<(u64, Reverse<usize>)> = all.collect();
    let mut cover = Vec::new();
    while let Some((known, Reverse(vertex))) = heap.pop() {
        if known == 0 || !scene.steps.aside(problem.sight(guard, vertex).len() as u64) {
            break;
        }
        let now = gain(vertex, &open);
        if now < known {
            heap.push((now, Reverse(vertex)));
            continue;
        }
        for seen in problem.sight(guard, vertex) {
            open[*seen as usize] = 0;
        }
        cover.push(vertex);
    }
    cover
}

/// The first guard that is like this one.
fn kind(scene: &Scene<'_>, guard: usize) -> usize {
    let mut all = 0..guard;
    all.find(|other| scene.problem.are_alike(*other, guard))
        .unwrap_or(guard)
}

/// For each guard that is the first of its kind, a short round from which all is seen that counts; for others nothing.
pub(super) fn covers(scene: &Scene<'_>) -> Vec<Round> {
    let cover = |guard: usize| match kind(scene, guard) == guard {
        true => tour(&mut Judge::new(scene, (guard, 1)), &cover(scene, guard)),
        false => Round { goals: Vec::new() },
    };
    (0..scene.guards()).map(cover).collect()
}

/// A team's part of the round of its kind: as long as the team is large.
pub(super) fn part(
    scene: &Scene<'_>,
    (sizes, team): (&[Vec<usize>], usize),
    covers: &[Round],
) -> Vec<usize> {
    let own = kind(scene, sizes[team][0]);
    let goals = &covers[own].goals;
    let alike = |team: &&Vec<usize>| kind(scene, team[0]) == own;
    let count = |teams: &[Vec<usize>]| teams.iter().filter(alike).map(Vec::len).sum::<usize>();
    let (all, before) = (count(sizes), count(&sizes[..team]));
    let until = before + sizes[team].len();
    let part = &goals[before * goals.len() / all..until * goals.len() / all];
    part.iter().map(|goal| goal.vertex).collect()
}
