//! Seeded narratives: for tests, benches and demonstrations.
//!
//! After Azad, Xu, Yu and Li, "Scheduling live interactive narratives with mixed-integer linear
//! programming" (2017), "Setup and results". The paper says how many narratives, copies, events,
//! resources and contingent links there are, that bounds are mostly local and grow linearly with
//! events, and that half of them become activities. What it does not say is drawn as follows.
//!
//! * *Links.* Each event follows one of the four events before it, by 2 to 20 s and up to 4 to 16 s
//!   more; this is one run of the story. Half as many links again as there are events lead from an
//!   event to one of the six after it, with 5 to 15 s of room on either side of that run. The last
//!   event is at most a fifth later than in the run.
//! * *Contingent links* are some of those by which an event follows another. What is not
//!   controllable without resources is drawn again, with a fifth less variation, so that only
//!   resources and choices make stories impossible.
//! * *Copies* start at times of our choice, within a window of 20 to 120 % of the length of the
//!   story for each copy but one.
//! * *Resources.* Activities need one each of up to three. Copies are started evenly over the
//!   window; in two of three narratives there is as much of each resource as this needs at once, up
//!   to a quarter more; in the others 60 to 95 % of it, at least one. Of 62 problems of the first
//!   suite 44 have a plan, 15 have none, and 3 were not decided soon; all of the second have one.

mod choices;
mod evening;
mod suites;
mod tiny;

pub use choices::choices;
pub use evening::{Evening, evening};
pub use suites::{SUITE1, SUITE2, suite1, suite2};
pub use tiny::{tiny, tiny_story};

use crate::problem::{Micros, Narrative, Spec};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// One second.
const SECOND_US: Micros = 1_000_000;

fn valid(spec: Spec) -> Narrative {
    Narrative::new(spec).expect("generated narratives are valid within the limits of size")
}

/// A random stream.
struct Random(Xoshiro256PlusPlus);

impl Random {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A whole number from `min` to `max`, ends included.
    fn pick(&mut self, min: i64, max: i64) -> i64 {
        self.0.random_range(min..=max)
    }

    /// As many seconds.
    fn seconds(&mut self, min: i64, max: i64) -> Micros {
        self.pick(min, max) * SECOND_US
    }

    /// An index below `len`, which is at least 1.
    fn index(&mut self, len: usize) -> usize {
        self.0.random_range(0..len)
    }

    /// True in `percent` of all cases.
    fn chance(&mut self, percent: u32) -> bool {
        self.0.random_range(0..100) < percent
    }

    /// `count` different indices below `len`, sorted.
    fn some(&mut self, count: usize, len: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..len).collect();
        let taken = count.min(len);
        let mut some: Vec<usize> = (0..taken)
            .map(|_| {
                let at = self.index(left.len());
                left.swap_remove(at)
            })
            .collect();
        some.sort_unstable();
        some
    }
}
