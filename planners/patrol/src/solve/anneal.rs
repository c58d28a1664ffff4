//! A round gets better by simulated annealing.

use super::round::{Judge, Round};
use crate::plan::Stop;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Most goals of a round.
const GOALS_MAX: usize = 4_000;

/// A round that is being changed.
pub(super) struct Anneal<'j, 's> {
    pub judge: &'j mut Judge<'s>,
    /// What an intruder who is missed at a vertex is worth.
    pub worth: &'j [f64],
    pub round: Round,
    pub value: f64,
    /// The best so far.
    pub best: (Round, f64),
    /// What all vertices are worth.
    all: f64,
    /// Vertices of which something is worth more than nothing.
    vertices: Vec<usize>,
}

impl<'j, 's> Anneal<'j, 's> {
    pub(super) fn new(judge: &'j mut Judge<'s>, worth: &'j [f64], round: Round) -> Self {
        let all = worth.iter().enumerate();
        let vertices = all.filter(|(_, worth)| **worth > 0.0).map(|(v, _)| v);
        let mut one = Self {
            vertices: vertices.collect(),
            judge,
            worth,
            best: (round.clone(), f64::INFINITY),
            round,
            value: f64::INFINITY,
            all: worth.iter().sum(),
        };
        one.value = one.of(&one.round.clone());
        one.best.1 = one.value;
        one
    }

    /// What a round misses, by worth.
    fn of(&mut self, round: &Round) -> f64 {
        self.judge.value(round, (self.worth, self.all))
    }

    /// Tries one change at a temperature; says whether the best became better.
    pub(super) fn step(&mut self, temperature: f64, rng: &mut Xoshiro256PlusPlus) -> bool {
        let mut round = self.round.clone();
        self.change(&mut round, rng);
        let value = self.of(&round);
        let worse = value - self.value;
        if worse > 0.0 && rng.random::<f64>() >= (-worse / temperature).exp() {
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
        match rng.random_range(0..10) {
            0..=2 if count < GOALS_MAX && !self.vertices.is_empty() => self.insert(goals, rng),
            3 | 4 if count > 1 => {
                goals.remove(rng.random_range(0..count));
            }
            5 if count > 1 => {
                // A goal goes elsewhere.
                let goal = goals.remove(rng.random_range(0..count));
                goals.insert(rng.random_range(0..count), goal);
            }
            6 if count > 3 => {
                let [from, to] = stretch(count, rng);
                goals[from..to].reverse();
            }
            7 if count > 3 => {
                // Some in a row go elsewhere.
                let [from, to] = stretch(count.min(8), rng);
                let from_end = rng.random_range(0..=count - to);
                let moved: Vec<Stop> = goals.drain(from_end + from..from_end + to).collect();
                let at = rng.random_range(0..=goals.len());
                goals.splice(at..at, moved);
            }
            8 if self.judge.scene.problem.spec().may_stay => {
                let goal = rng.random_range(0..count);
                let wait = rng.random_range(1..=4);
                goals[goal].stay = match rng.random_bool(0.5) {
                    true => goals[goal].stay.saturating_sub(wait),
                    false => goals[goal].stay + wait,
                };
            }
            _ => {
                let goal = rng.random_range(0..count);
                let ways = self.judge.scene.problem.ways(goals[goal].vertex);
                if !ways.is_empty() {
                    goals[goal].vertex = ways[rng.random_range(0..ways.len())].to;
                }
            }
        }
    }

    /// A vertex that counts, where it costs least time among some places, or anywhere.
    fn insert(&mut self, goals: &mut Vec<Stop>, rng: &mut Xoshiro256PlusPlus) {
        let vertex = self.vertices[rng.random_range(0..self.vertices.len())];
        let count = goals.len();
        let mut at = rng.random_range(0..count);
        let mut least = u32::MAX;
        if rng.random_ratio(2, 3) {
            for index in 0..count {
                let [here, next] = [goals[index].vertex, goals[(index + 1) % count].vertex];
                let ways = &mut self.judge.ways;
                let detour = ways.far(here, vertex) + ways.far(vertex, next) - ways.far(here, next);
                if detour < least {
                    (least, at) = (detour, index);
                }
            }
        }
        goals.insert(at + 1, Stop { vertex, stay: 0 });
    }
}

/// A part of a list, at least two long.
fn stretch(count: usize, rng: &mut Xoshiro256PlusPlus) -> [usize; 2] {
    let from = rng.random_range(0..count - 1);
    [from, rng.random_range(from + 2..=count)]
}
