//! Seeded random instances for tests, benches and demonstrations.

mod coupled;
mod depot;
mod varied;

use crate::problem::{Problem, Spec};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Size and family of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of tasks, at most [`TASKS_MAX`](crate::problem::TASKS_MAX).
    pub tasks: usize,
    /// Number of agents, 1 to [`AGENTS_MAX`](crate::problem::AGENTS_MAX).
    pub agents: usize,
    /// What kind of problem.
    pub family: Family,
}

/// Kinds of problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// All features of the model, each in about a third of the problems. Some have no complete
    /// plan, a few no valid plan. Now is later than the start of the plan in a third.
    Varied,
    /// Identical agents at one depot, after Solomon's class R1: tasks spread evenly, windows on
    /// most, distances truncated to one decimal.
    Depot,
    /// As [`Family::Varied`], with orders, pairs, groups, breaks and preferences, each in about
    /// half of the problems.
    Coupled,
    /// As [`Family::Depot`], in pairs of pickup and delivery, after Li and Lim.
    Deliveries,
}

impl Family {
    fn shape(self, tasks: usize, agents: usize) -> Shape {
        Shape {
            tasks,
            agents,
            family: self,
        }
    }
}

impl Shape {
    /// A shape of family [`Family::Varied`].
    #[must_use]
    pub fn varied(tasks: usize, agents: usize) -> Self {
        Family::Varied.shape(tasks, agents)
    }

    /// A shape of family [`Family::Coupled`].
    #[must_use]
    pub fn coupled(tasks: usize, agents: usize) -> Self {
        Family::Coupled.shape(tasks, agents)
    }

    /// A shape of family [`Family::Deliveries`].
    #[must_use]
    pub fn deliveries(tasks: usize, agents: usize) -> Self {
        Family::Deliveries.shape(tasks, agents)
    }

    /// A shape of family [`Family::Depot`].
    #[must_use]
    pub fn depot(tasks: usize, agents: usize) -> Self {
        Family::Depot.shape(tasks, agents)
    }
}

/// The problem number `seed` of a shape.
///
/// # Panics
/// When the shape has more tasks or agents than a problem may have, or no agents.
///
/// # Examples
/// ```
/// use allocation::generate::{Shape, generate};
/// let problem = generate(7, &Shape::depot(20, 4));
/// assert_eq!((problem.tasks().len(), problem.agents().len()), (20, 4));
/// assert_eq!(problem, generate(7, &Shape::depot(20, 4)));
/// ```
#[must_use]
pub fn generate(seed: u64, shape: &Shape) -> Problem {
    Problem::new(spec(seed, shape)).expect("generated problems are valid within the limits of size")
}

/// The same before it is checked, so that it can be changed.
#[must_use]
pub fn spec(seed: u64, shape: &Shape) -> Spec {
    let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(seed));
    let mut spec = match shape.family {
        Family::Varied => varied::spec(shape, &mut random),
        Family::Depot => depot::spec(shape, &mut random),
        Family::Coupled => coupled::spec(shape, &mut random),
        Family::Deliveries => coupled::deliveries(shape, &mut random),
    };
    let is_varied = matches!(shape.family, Family::Varied | Family::Coupled);
    if is_varied && random.chance(30) {
        spec.now_us = random.pick(0, varied::horizon_us(shape));
    }
    spec
}

/// A stream of random numbers.
struct Random(Xoshiro256PlusPlus);

impl Random {
    /// A whole number from `min` to `max`, ends included.
    fn pick(&mut self, min: i64, max: i64) -> i64 {
        self.0.random_range(min..=max)
    }

    /// An index below `len`, which is at least 1.
    fn index(&mut self, len: usize) -> usize {
        self.0.random_range(0..len)
    }

    /// True in `percent` of all cases.
    fn chance(&mut self, percent: u32) -> bool {
        self.0.random_range(0..100) < percent
    }

    /// Shuffles a list.
    fn shuffle<T>(&mut self, list: &mut [T]) {
        use rand::seq::SliceRandom;
        list.shuffle(&mut self.0);
    }
}
