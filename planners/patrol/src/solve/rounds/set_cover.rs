//! Round by greedy weighted set cover: a vertex covers what is visible from it, at the cost of its
//! detour.

use super::super::round::{Round, RoundEvaluator};
use super::super::tour::shorten;
use crate::plan::Stop;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Tries to shorten a round for each of its goals, and in total.
const TRIES_EACH: usize = 40;
const TRIES_MAX: usize = 20_000;
/// Number of times that a round is shortened and extended again.
const PASSES: usize = 4;
/// Ticks of a goal in addition to its detour.
const GOAL_TICKS: f64 = 0.5;

/// Round of at most `ticks_max` ticks that covers much worth, by set cover and shortening.
///
/// The next goal is the vertex with the highest ratio of uncovered worth to detour. `spread` is the
/// width of the range of random factors on worth; 0: none.
pub(super) fn cover(
    evaluator: &mut RoundEvaluator<'_>,
    worth: &[f64],
    ticks_max: u32,
    spread: f64,
    rng: &mut Xoshiro256PlusPlus,
) -> Round {
    let noise = |rng: &mut Xoshiro256PlusPlus| 1.0 + spread * (rng.random::<f64>() - 0.5);
    let (start, _) = evaluator.context.problem.first_arrival(evaluator.guard);
    let first = SetCover::new(evaluator, worth, |_| noise(rng)).richest();
    let mut round = Round {
        goals: vec![Stop::new(first.unwrap_or(start), 0)],
    };
    for _ in 0..PASSES {
        // From scratch, since a shorter round has other paths.
        let mut cover = SetCover::new(evaluator, worth, |_| noise(rng));
        if !cover.extend(evaluator, &mut round, ticks_max) {
            break;
        }
        let tries = (TRIES_EACH * round.goals.len()).min(TRIES_MAX);
        shorten(evaluator, &mut round, tries, rng);
    }
    round
}

/// State of the set cover.
struct SetCover<'w> {
    worth: &'w [f64],
    is_seen: Vec<bool>,
    /// Vertices from which each vertex is visible.
    viewpoints: Vec<Vec<u32>>,
    /// Uncovered worth that is visible from each vertex.
    gains: Vec<f64>,
    /// Random factors on gains.
    noise: Vec<f64>,
}

impl<'w> SetCover<'w> {
    fn new(
        evaluator: &RoundEvaluator<'_>,
        worth: &'w [f64],
        noise: impl FnMut(usize) -> f64,
    ) -> Self {
        let problem = evaluator.context.problem;
        let vertices = problem.vertices();
        let mut viewpoints = vec![Vec::new(); vertices];
        let mut gains = vec![0.0; vertices];
        for (vertex, gain) in gains.iter_mut().enumerate() {
            for seen in problem.sight(evaluator.guard, vertex) {
                viewpoints[*seen as usize].push(vertex as u32);
                *gain += worth[*seen as usize];
            }
        }
        Self {
            worth,
            is_seen: vec![false; vertices],
            viewpoints,
            gains,
            noise: (0..vertices).map(noise).collect(),
        }
    }

    fn gain(&self, vertex: usize) -> f64 {
        self.gains[vertex] * self.noise[vertex]
    }

    /// Vertex with the highest gain.
    fn richest(&self) -> Option<usize> {
        let all = (0..self.gains.len()).filter(|vertex| self.gains[*vertex] > 0.0);
        all.max_by(|one, other| {
            self.gain(*one)
                .total_cmp(&self.gain(*other))
                .then(other.cmp(one))
        })
    }

    /// Covers what is visible from a vertex.
    fn see(&mut self, evaluator: &RoundEvaluator<'_>, vertex: usize) {
        for seen in evaluator.context.problem.sight(evaluator.guard, vertex) {
            let seen = *seen as usize;
            if !std::mem::replace(&mut self.is_seen[seen], true) {
                for viewpoint in &self.viewpoints[seen] {
                    self.gains[*viewpoint as usize] -= self.worth[seen];
                }
            }
        }
    }

    /// Inserts goals into a round of at most `ticks_max` ticks while there is a gain; returns
    /// whether there were any.
    fn extend(
        &mut self,
        evaluator: &mut RoundEvaluator<'_>,
        round: &mut Round,
        ticks_max: u32,
    ) -> bool {
        let problem = evaluator.context.problem;
        let (stops, mut ticks) = evaluator.stops(round);
        stops
            .iter()
            .for_each(|stop| self.see(evaluator, stop.vertex));
        let gain_min = self.worth.iter().sum::<f64>().abs() * 1e-9;
        let mut detours: Vec<Option<(u32, usize)>> = vec![None; problem.vertices()];
        let mut is_extended = false;
        loop {
            let mut best: Option<(f64, usize)> = None;
            for (vertex, known) in detours.iter_mut().enumerate() {
                if self.gains[vertex] <= gain_min {
                    continue;
                }
                let (detour, _) = *known.get_or_insert_with(|| detour(evaluator, round, vertex));
                let ticks_more = detour + problem.pause(vertex);
                let rate = self.gain(vertex) / (f64::from(ticks_more) + GOAL_TICKS);
                if ticks + ticks_more <= ticks_max && best.is_none_or(|(best, _)| rate > best) {
                    best = Some((rate, vertex));
                }
            }
            let steps = (problem.vertices() + round.goals.len()) as u64;
            let Some((_, vertex)) =
                best.filter(|_| evaluator.context.work.proceed_uncounted(steps))
            else {
                return is_extended;
            };
            let (detour, at) = detours[vertex].expect("it was computed");
            ticks += detour + problem.pause(vertex);
            is_extended = true;
            self.insert(evaluator, round, vertex, at);
            update_detours(&mut detours, evaluator, round, at);
        }
    }

    /// Inserts a goal into a round, and covers what is visible from its new paths.
    fn insert(
        &mut self,
        evaluator: &mut RoundEvaluator<'_>,
        round: &mut Round,
        vertex: usize,
        at: usize,
    ) {
        round.goals.insert(at, Stop::new(vertex, 0));
        let count = round.goals.len();
        let mut passed = Vec::new();
        for from in [at - 1, at] {
            let [from, to] = [from, from + 1].map(|goal| round.goals[goal % count].vertex);
            evaluator
                .paths
                .walk(from, to, |vertex, _| passed.push(vertex));
        }
        passed
            .into_iter()
            .for_each(|vertex| self.see(evaluator, vertex));
    }
}

/// Detour in ticks of the cheapest insertion of a vertex, and its position.
fn detour(evaluator: &mut RoundEvaluator<'_>, round: &Round, vertex: usize) -> (u32, usize) {
    let count = round.goals.len();
    let at = |goal: usize| goal % count;
    let each = (0..count).map(|goal| {
        let ends = [goal, goal + 1].map(|goal| round.goals[at(goal)].vertex);
        (insertion_detour(evaluator, vertex, ends), goal + 1)
    });
    each.min().expect("a round has a goal")
}

/// Detour in ticks between two vertices past a third. Travel times are symmetric.
fn insertion_detour(
    evaluator: &mut RoundEvaluator<'_>,
    vertex: usize,
    [here, next]: [usize; 2],
) -> u32 {
    let paths = &mut evaluator.paths;
    (paths.ticks_between(vertex, here) + paths.ticks_between(vertex, next))
        .saturating_sub(paths.ticks_between(here, next))
}

/// Updates the cheapest insertions after a goal was inserted: those between its neighbours are
/// invalid, and both sides of it are new positions.
fn update_detours(
    detours: &mut [Option<(u32, usize)>],
    evaluator: &mut RoundEvaluator<'_>,
    round: &Round,
    at: usize,
) {
    let count = round.goals.len();
    let goal = |index: usize| round.goals[index % count].vertex;
    let sides = [at, at + 1].map(|side| (side, [goal(side - 1), goal(side)]));
    for (vertex, detour) in detours.iter_mut().enumerate() {
        let Some((ticks, position)) = detour else {
            continue;
        };
        match (*position).cmp(&at) {
            std::cmp::Ordering::Less => {}
            // Computed again on demand.
            std::cmp::Ordering::Equal => {
                *detour = None;
                continue;
            }
            std::cmp::Ordering::Greater => *position += 1,
        }
        for (side, ends) in sides {
            let other = insertion_detour(evaluator, vertex, ends);
            if other < *ticks {
                (*ticks, *position) = (other, side);
            }
        }
    }
}
