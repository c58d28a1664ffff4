//! Random sizes.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stream of random numbers.
#[derive(Debug)]
pub struct Draw(Xoshiro256PlusPlus);

impl Draw {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number from `min` to `max`, both included.
    pub fn pick(&mut self, min: usize, max: usize) -> usize {
        self.0.random_range(min..=max)
    }

    /// A size from `min` to `max`: each power of two between them is as likely as the next.
    pub fn size(&mut self, min: usize, max: usize) -> usize {
        let (low, high) = ((min as f64).ln(), ((max + 1) as f64).ln());
        let exponent = low + self.0.random::<f64>() * (high - low);
        (exponent.exp() as usize).clamp(min, max)
    }

    /// Whether an event of this likelihood happens.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.pick(0, 99) < percent
    }

    /// One of several.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.pick(0, all.len() - 1)]
    }
}
