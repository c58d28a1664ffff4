//! Simulated annealing of the round of one team.
//!
//! Neighbourhood: insert, remove, replace, move (Or-opt) or reverse (2-opt) goals, change a stay,
//! or shift a goal to a neighbour. Value: the weighted escape of the round alone, or the cost of
//! the whole plan.

use super::round::{Round, RoundEvaluator};
use super::stagger::{Start, Team, stagger_team};
use crate::evaluate::approximate_cost;
use crate::plan::{Plan, Route, Stop};
use crate::problem::PROBABILITY_ONE;
use anytime::math;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Initial temperature for dynamic intruders, as a part of the escape for each vertex of some
/// worth.
const DYNAMIC_HEAT: f64 = 0.5;
/// Maximum number of goals of a round.
const GOALS_MAX: usize = 4_000;

/// Whole plan of which the routes of one team are changed.
pub(super) struct WholePlan<'j> {
    /// Index of the team.
    pub team: usize,
    /// Guards of the team.
    pub guards: &'j [usize],
    pub start: &'j Start,
    /// Routes of all guards.
    pub routes: Vec<Route>,
}

/// Annealing of a round.
pub(super) struct Annealing<'j, 's> {
    pub evaluator: &'j mut RoundEvaluator<'s>,
    /// Weight of the escape of an intruder at each vertex.
    pub worth: &'j [f64],
    pub round: Round,
    pub value: f64,
    /// Best round so far, and its value.
    pub best: (Round, f64),
    /// Sum of `worth`.
    total_worth: f64,
    /// The rest of the plan, where whole plans are evaluated.
    whole: Option<WholePlan<'j>>,
    /// Vertices of positive worth.
    vertices: Vec<usize>,
}

impl<'j, 's> Annealing<'j, 's> {
    /// With the rest of the plan if whole plans are to be evaluated.
    pub(super) fn new(
        evaluator: &'j mut RoundEvaluator<'s>,
        worth: &'j [f64],
        round: Round,
        whole: Option<WholePlan<'j>>,
    ) -> Self {
        let all = worth.iter().enumerate();
        let vertices = all.filter(|(_, worth)| **worth > 0.0).map(|(v, _)| v);
        let mut annealing = Self {
            vertices: vertices.collect(),
            evaluator,
            worth,
            best: (round.clone(), f64::INFINITY),
            round,
            value: f64::INFINITY,
            total_worth: worth.iter().sum(),
            whole,
        };
        annealing.value = annealing.evaluate(&annealing.round.clone());
        annealing.best.1 = annealing.value;
        annealing
    }

    /// Initial temperature: a vertex is given up now and then.
    pub(super) fn initial_temperature(&self) -> f64 {
        let share = 1.0 / self.vertices.len().max(1) as f64;
        let objective = self.evaluator.context.problem.objective();
        match self.whole {
            None => 0.25 * self.total_worth.max(0.01) * share,
            // The value is in ticks, not a probability.
            Some(_) if objective.has_idleness() => 0.05 * self.value.min(1e4),
            Some(_) => DYNAMIC_HEAT * self.value.min(1.0) * share,
        }
    }

    /// Value of a round: its weighted escape, or the cost of the whole plan.
    fn evaluate(&mut self, round: &Round) -> f64 {
        if let Some(whole) = &mut self.whole {
            let team = Team {
                guards: whole.guards.to_vec(),
                round: round.clone(),
            };
            stagger_team(
                self.evaluator,
                whole.team,
                &team,
                whole.start,
                &mut whole.routes,
            );
            let plan = Plan::new(whole.routes.clone());
            let cost =
                approximate_cost(self.evaluator.context, &plan).map(|(_, cost)| cost.0 as f64);
            // Shorter rounds are better where a rule is broken: the plan may be too long.
            let broken = 1e12 + round.goals.len() as f64;
            return cost.map_or(broken, |cost| cost / PROBABILITY_ONE as f64);
        }
        self.evaluator.value(round, self.worth, self.total_worth)
    }

    /// One step at a temperature; returns whether the best round improved.
    pub(super) fn step(&mut self, temperature: f64, rng: &mut Xoshiro256PlusPlus) -> bool {
        let mut round = self.round.clone();
        self.change(&mut round, rng);
        let value = self.evaluate(&round);
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
                // Replace a goal.
                goals.remove(rng.random_range(0..count));
                self.insert(goals, rng);
            }
            6 | 7 if count > 3 => {
                // Or-opt: move a segment, reversed or not.
                let length = rng.random_range(1..=3);
                let from = rng.random_range(0..=count - length);
                let mut moved: Vec<Stop> = goals.drain(from..from + length).collect();
                if rng.random() {
                    moved.reverse();
                }
                let ends = [moved[0].vertex, moved[length - 1].vertex];
                let at = self.insertion_position(goals, ends, rng);
                goals.splice(at..at, moved);
            }
            8 | 9 if count > 3 => {
                // 2-opt.
                let [from, to] = self.reversal(goals, rng);
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

    /// Inserts a random vertex of positive worth.
    fn insert(&mut self, goals: &mut Vec<Stop>, rng: &mut Xoshiro256PlusPlus) {
        if self.vertices.is_empty() {
            return;
        }
        let vertex = self.vertices[rng.random_range(0..self.vertices.len())];
        let at = self.insertion_position(goals, [vertex; 2], rng);
        goals.insert(at, Stop::new(vertex, 0));
    }

    /// Position where a walk from the first to the last of two vertices is the cheapest insertion,
    /// or a random one.
    fn insertion_position(
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
        // Ties go to the first after a random position.
        let offset = rng.random_range(0..count);
        for step in 0..count {
            let index = (offset + step) % count;
            let [here, next] = [goals[index].vertex, goals[(index + 1) % count].vertex];
            let detour = i64::from(paths.ticks_between(here, first))
                + i64::from(paths.ticks_between(last, next))
                - i64::from(paths.ticks_between(here, next));
            if detour < best.0 {
                best = (detour, index);
            }
        }
        best.1 + 1
    }

    /// Segment to be reversed: of a few random ones, the one that saves most time.
    fn reversal(&mut self, goals: &[Stop], rng: &mut Xoshiro256PlusPlus) -> [usize; 2] {
        let count = goals.len();
        let tries = rng.random_range(1..=8);
        let paths = &mut self.evaluator.paths;
        let mut best = (i64::MAX, [0, 2]);
        for _ in 0..tries {
            let [from, to] = random_segment(count, rng);
            let at = |index: usize| goals[index % count].vertex;
            let [before, first, last, after] = [at(from + count - 1), at(from), at(to - 1), at(to)];
            let mut far = |a, b| i64::from(paths.ticks_between(a, b));
            let delta =
                far(before, last) + far(first, after) - far(before, first) - far(last, after);
            best = best.min((delta, [from, to]));
        }
        best.1
    }
}

/// Random segment of a list, at least two long.
fn random_segment(count: usize, rng: &mut Xoshiro256PlusPlus) -> [usize; 2] {
    let from = rng.random_range(0..count - 1);
    [from, rng.random_range(from + 2..=count)]
}
