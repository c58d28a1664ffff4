//! A round past places from where much is seen for the ticks that it takes to go there.

use super::super::round::{Round, RoundEvaluator};
use super::super::tour::shorten;
use crate::plan::Stop;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Tries to shorten a round for each of its goals, and for all together at most.
const TRIES_EACH: usize = 40;
const TRIES_MAX: usize = 20_000;
/// How often a round is made shorter, so that something more fits in.
const PASSES: usize = 4;
/// Ticks that a goal counts for beside its detour.
const GOAL_TICKS: f64 = 0.5;

/// Greedily covers what is worth something, in a round of at most `ticks_max` ticks, and shortens
/// it.
///
/// A set cover in which a place costs its detour: the next goal is where most unseen worth is seen
/// for each tick. `spread`: the width of the range of random factors on worth; 0: none.
pub(super) fn cover(
    evaluator: &mut RoundEvaluator<'_>,
    worth: &[f64],
    (ticks_max, spread): (u32, f64),
    rng: &mut Xoshiro256PlusPlus,
) -> Round {
    let noise = |rng: &mut Xoshiro256PlusPlus| 1.0 + spread * (rng.random::<f64>() - 0.5);
    let start = evaluator.context.problem.guards()[evaluator.guard].start;
    let first = Cover::new(evaluator, worth, |_| noise(rng)).richest();
    let mut round = Round {
        goals: vec![Stop {
            vertex: first.unwrap_or(start),
            stay: 0,
        }],
    };
    for _ in 0..PASSES {
        // From scratch, since a shorter round goes other ways.
        let mut cover = Cover::new(evaluator, worth, |_| noise(rng));
        if !cover.extend(evaluator, &mut round, ticks_max) {
            break;
        }
        let tries = (TRIES_EACH * round.goals.len()).min(TRIES_MAX);
        shorten(evaluator, &mut round, (tries, rng));
    }
    round
}

/// What is not seen yet.
struct Cover<'w> {
    worth: &'w [f64],
    is_seen: Vec<bool>,
    /// For each vertex, from where it is seen.
    watches: Vec<Vec<u32>>,
    /// For each vertex, what it is worth to see all from there that is not seen yet.
    gains: Vec<f64>,
    /// Random factors of them.
    noise: Vec<f64>,
}

impl<'w> Cover<'w> {
    fn new(
        evaluator: &RoundEvaluator<'_>,
        worth: &'w [f64],
        noise: impl FnMut(usize) -> f64,
    ) -> Self {
        let problem = evaluator.context.problem;
        let vertices = problem.vertices();
        let mut watches = vec![Vec::new(); vertices];
        let mut gains = vec![0.0; vertices];
        for (vertex, gain) in gains.iter_mut().enumerate() {
            for seen in problem.sight(evaluator.guard, vertex) {
                watches[*seen as usize].push(vertex as u32);
                *gain += worth[*seen as usize];
            }
        }
        Self {
            worth,
            is_seen: vec![false; vertices],
            watches,
            gains,
            noise: (0..vertices).map(noise).collect(),
        }
    }

    fn gain(&self, vertex: usize) -> f64 {
        self.gains[vertex] * self.noise[vertex]
    }

    /// Where most is seen.
    fn richest(&self) -> Option<usize> {
        let all = (0..self.gains.len()).filter(|vertex| self.gains[*vertex] > 0.0);
        all.max_by(|one, other| {
            self.gain(*one)
                .total_cmp(&self.gain(*other))
                .then(other.cmp(one))
        })
    }

    /// A guard comes by.
    fn see(&mut self, evaluator: &RoundEvaluator<'_>, vertex: usize) {
        for seen in evaluator.context.problem.sight(evaluator.guard, vertex) {
            let seen = *seen as usize;
            if !std::mem::replace(&mut self.is_seen[seen], true) {
                for watch in &self.watches[seen] {
                    self.gains[*watch as usize] -= self.worth[seen];
                }
            }
        }
    }

    /// Puts goals into a round while something is gained and the round takes at most `ticks_max`
    /// ticks; returns whether there were any.
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
        let least = self.worth.iter().sum::<f64>().abs() * 1e-9;
        let mut detours: Vec<Option<(u32, usize)>> = vec![None; problem.vertices()];
        let mut any = false;
        loop {
            let mut best: Option<(f64, usize)> = None;
            for (vertex, known) in detours.iter_mut().enumerate() {
                if self.gains[vertex] <= least {
                    continue;
                }
                let (detour, _) = *known.get_or_insert_with(|| detour(evaluator, round, vertex));
                let long = detour + problem.pause(vertex);
                let rate = self.gain(vertex) / (f64::from(long) + GOAL_TICKS);
                if ticks + long <= ticks_max && best.is_none_or(|(most, _)| rate > most) {
                    best = Some((rate, vertex));
                }
            }
            let steps = (problem.vertices() + round.goals.len()) as u64;
            let Some((_, vertex)) =
                best.filter(|_| evaluator.context.work.proceed_uncounted(steps))
            else {
                return any;
            };
            let (detour, at) = detours[vertex].expect("it was computed");
            ticks += detour + problem.pause(vertex);
            any = true;
            self.insert(evaluator, round, (vertex, at));
            renew(&mut detours, evaluator, (round, at));
        }
    }

    /// Puts a goal into a round, and sees what is seen on the way.
    fn insert(
        &mut self,
        evaluator: &mut RoundEvaluator<'_>,
        round: &mut Round,
        (vertex, at): (usize, usize),
    ) {
        round.goals.insert(at, Stop { vertex, stay: 0 });
        let count = round.goals.len();
        let mut passed = Vec::new();
        for from in [at - 1, at] {
            let ends = [from, from + 1].map(|goal| round.goals[goal % count].vertex);
            evaluator.paths.walk(ends, |vertex, _| passed.push(vertex));
        }
        passed
            .into_iter()
            .for_each(|vertex| self.see(evaluator, vertex));
    }
}

/// Where a vertex costs least ticks, and how many.
fn detour(evaluator: &mut RoundEvaluator<'_>, round: &Round, vertex: usize) -> (u32, usize) {
    let count = round.goals.len();
    let at = |goal: usize| goal % count;
    let each = (0..count).map(|goal| {
        let ends = [goal, goal + 1].map(|goal| round.goals[at(goal)].vertex);
        (longer(evaluator, vertex, ends), goal + 1)
    });
    each.min().expect("a round has a goal")
}

/// The detour in ticks from one vertex to another past a third. Paths take as long in both
/// directions.
fn longer(evaluator: &mut RoundEvaluator<'_>, vertex: usize, [here, next]: [usize; 2]) -> u32 {
    let paths = &mut evaluator.paths;
    (paths.far(vertex, here) + paths.far(vertex, next)).saturating_sub(paths.far(here, next))
}

/// After a goal was put into a round: what went between its neighbours has to go elsewhere, or goes
/// to either side of it.
fn renew(
    detours: &mut [Option<(u32, usize)>],
    evaluator: &mut RoundEvaluator<'_>,
    (round, at): (&Round, usize),
) {
    let count = round.goals.len();
    let goal = |index: usize| round.goals[index % count].vertex;
    let sides = [at, at + 1].map(|side| (side, [goal(side - 1), goal(side)]));
    for (vertex, detour) in detours.iter_mut().enumerate() {
        let Some((long, place)) = detour else {
            continue;
        };
        match (*place).cmp(&at) {
            std::cmp::Ordering::Less => {}
            // Looked for again when it is asked for.
            std::cmp::Ordering::Equal => {
                *detour = None;
                continue;
            }
            std::cmp::Ordering::Greater => *place += 1,
        }
        for (side, ends) in sides {
            let other = longer(evaluator, vertex, ends);
            if other < *long {
                (*long, *place) = (other, side);
            }
        }
    }
}
