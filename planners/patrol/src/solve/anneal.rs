//! A round gets better by simulated annealing.

use super::round::{Round, RoundEvaluator};
use super::stagger::{Start, Team, stagger_team};
use crate::evaluate::about;
use crate::plan::{Plan, Route, Stop};
use crate::problem::PROBABILITY_ONE;
use anytime::math;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How hot it is at first for walkers: parts of what escapes for each vertex that counts.
const WALKERS: f64 = 0.5;
/// Most goals of a round.
const GOALS_MAX: usize = 4_000;

/// A plan of which the routes of one team are changed.
pub(super) struct Whole<'j> {
    /// The team's index, and who walks its round.
    pub team: (usize, &'j [usize]),
    pub start: &'j Start,
    /// The routes of all.
    pub routes: Vec<Route>,
}

/// A round that is being changed.
pub(super) struct Anneal<'j, 's> {
    pub evaluator: &'j mut RoundEvaluator<'s>,
    /// What an intruder who is missed at a vertex is worth.
    pub worth: &'j [f64],
    pub round: Round,
    pub value: f64,
    /// The best so far.
    pub best: (Round, f64),
    /// What all vertices are worth.
    all: f64,
    /// The rest of the plan, where whole plans are judged.
    whole: Option<Whole<'j>>,
    /// Vertices of which something is worth more than nothing.
    vertices: Vec<usize>,
}

impl<'j, 's> Anneal<'j, 's> {
    /// With the rest of the plan if whole plans are to be judged.
    pub(super) fn new(
        evaluator: &'j mut RoundEvaluator<'s>,
        worth: &'j [f64],
        (round, whole): (Round, Option<Whole<'j>>),
    ) -> Self {
        let all = worth.iter().enumerate();
        let vertices = all.filter(|(_, worth)| **worth > 0.0).map(|(v, _)| v);
        let mut one = Self {
            vertices: vertices.collect(),
            evaluator,
            worth,
            best: (round.clone(), f64::INFINITY),
            round,
            value: f64::INFINITY,
            all: worth.iter().sum(),
            whole,
        };
        one.value = one.of(&one.round.clone());
        one.best.1 = one.value;
        one
    }

    /// A temperature at which a vertex now and then is given up.
    pub(super) fn hot(&self) -> f64 {
        let share = 1.0 / self.vertices.len().max(1) as f64;
        let objective = self.evaluator.context.problem.objective();
        let is_idle = objective.worst_idleness > 0 || objective.mean_idleness > 0;
        match self.whole {
            None => 0.25 * self.all.max(0.01) * share,
            // Ticks, not shares.
            Some(_) if is_idle => 0.05 * self.value.min(1e4),
            Some(_) => WALKERS * self.value.min(1.0) * share,
        }
    }

    /// What a round misses, by worth, or what its plan costs.
    fn of(&mut self, round: &Round) -> f64 {
        if let Some(whole) = &mut self.whole {
            let team = Team {
                guards: whole.team.1.to_vec(),
                round: round.clone(),
            };
            let index = whole.team.0;
            stagger_team(
                self.evaluator,
                (index, &team),
                whole.start,
                &mut whole.routes,
            );
            let plan = Plan {
                routes: whole.routes.clone(),
            };
            let cost = about(self.evaluator.context, &plan).map(|(_, cost)| cost.0 as f64);
            // What is too long gets shorter.
            let broken = 1e12 + round.goals.len() as f64;
            return cost.map_or(broken, |cost| cost / PROBABILITY_ONE as f64);
        }
        self.evaluator.value(round, (self.worth, self.all))
    }

    /// Tries one change at a temperature; says whether the best became better.
    pub(super) fn step(&mut self, temperature: f64, rng: &mut Xoshiro256PlusPlus) -> bool {
        let mut round = self.round.clone();
        self.change(&mut round, rng);
        let value = self.of(&round);
        let worse = value - self.value;
        if worse > 0.0 && rng.random::<f64>() >= math::exp(-worse / temperature) {
            return false;
        }
        self.round = round;
        self.value = value;
        let better = value + 1e-12 < self.best.1;
        if better {
            self.best = (self.round.clone(), value);
        }
        better
    }

    fn change(&mut self, round: &mut Round, rng: &mut Xoshiro256PlusPlus) {
        let goals = &mut round.goals;
        let count = goals.len();
        match rng.random_range(0..12) {
            0..=2 if count < GOALS_MAX => self.insert(goals, rng),
            3 | 4 if count > 1 => {
                goals.remove(rng.random_range(0..count));
            }
            5 if count > 1 => {
                // One vertex for another.
                goals.remove(rng.random_range(0..count));
                self.insert(goals, rng);
            }
            6 | 7 if count > 3 => {
                // Some in a row go elsewhere.
                let long = rng.random_range(1..=3);
                let from = rng.random_range(0..=count - long);
                let mut moved: Vec<Stop> = goals.drain(from..from + long).collect();
                if rng.random() {
                    moved.reverse();
                }
                let ends = [moved[0].vertex, moved[long - 1].vertex];
                let at = self.place(goals, ends, rng);
                goals.splice(at..at, moved);
            }
            8 | 9 if count > 3 => {
                let [from, to] = self.turn(goals, rng);
                goals[from..to].reverse();
            }
            10 if self.evaluator.context.problem.spec().may_stay => {
                let goal = rng.random_range(0..count);
                let wait = rng.random_range(1..=4);
                goals[goal].stay = if rng.random_bool(0.5) {
                    goals[goal].stay.saturating_sub(wait)
                } else {
                    goals[goal].stay + wait
                };
            }
            _ => {
                let goal = rng.random_range(0..count);
                let edges = self.evaluator.context.problem.out_edges(goals[goal].vertex);
                if !edges.is_empty() {
                    goals[goal].vertex = edges[rng.random_range(0..edges.len())].to;
                }
            }
        }
    }

    /// A vertex that counts, more.
    fn insert(&mut self, goals: &mut Vec<Stop>, rng: &mut Xoshiro256PlusPlus) {
        if self.vertices.is_empty() {
            return;
        }
        let vertex = self.vertices[rng.random_range(0..self.vertices.len())];
        let at = self.place(goals, [vertex; 2], rng);
        goals.insert(at, Stop { vertex, stay: 0 });
    }

    /// Where a walk between two vertices costs least time, or anywhere.
    fn place(
        &mut self,
        goals: &[Stop],
        [first, last]: [usize; 2],
        rng: &mut Xoshiro256PlusPlus,
    ) -> usize {
        let count = goals.len();
        if rng.random_ratio(1, 4) {
            return rng.random_range(1..=count);
        }
        let paths = &mut self.evaluator.paths;
        let mut best = (i64::MAX, 0);
        // Of equals the first after a random place.
        let offset = rng.random_range(0..count);
        for step in 0..count {
            let index = (offset + step) % count;
            let [here, next] = [goals[index].vertex, goals[(index + 1) % count].vertex];
            let longer = i64::from(paths.far(here, first)) + i64::from(paths.far(last, next))
                - i64::from(paths.far(here, next));
            if longer < best.0 {
                best = (longer, index);
            }
        }
        best.1 + 1
    }

    /// A part of the round to be walked the other way: the one of some that saves most time.
    fn turn(&mut self, goals: &[Stop], rng: &mut Xoshiro256PlusPlus) -> [usize; 2] {
        let count = goals.len();
        let tries = rng.random_range(1..=8);
        let paths = &mut self.evaluator.paths;
        let mut best = (i64::MAX, [0, 2]);
        for _ in 0..tries {
            let [from, to] = stretch(count, rng);
            let at = |index: usize| goals[index % count].vertex;
            let [before, first, last, after] = [at(from + count - 1), at(from), at(to - 1), at(to)];
            let mut far = |a, b| i64::from(paths.far(a, b));
            let longer =
                far(before, last) + far(first, after) - far(before, first) - far(last, after);
            best = best.min((longer, [from, to]));
        }
        best.1
    }
}

/// A part of a list, at least two long.
fn stretch(count: usize, rng: &mut Xoshiro256PlusPlus) -> [usize; 2] {
    let from = rng.random_range(0..count - 1);
    [from, rng.random_range(from + 2..=count)]
}
