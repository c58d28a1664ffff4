//! When to call, what to send, and until when it is wanted.

use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The random times, problems and deadlines of a run.
#[derive(Debug)]
pub struct Pace {
    random: Xoshiro256PlusPlus,
    /// Number of problems.
    works: usize,
    deadlines: RangeInclusive<Duration>,
}

/// What to send next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Next {
    /// Which problem.
    pub work: usize,
    /// How long its answer is waited for.
    pub deadline: Duration,
}

impl Pace {
    /// This number of problems, and deadlines between these.
    #[must_use]
    pub fn new(works: usize, deadlines: RangeInclusive<Duration>, seed: u64) -> Self {
        Self {
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            works,
            deadlines,
        }
    }

    /// Time from one call to the next where calls do not know of each other: exponential, with this
    /// many a second in the mean.
    pub fn gap(&mut self, rate: f64) -> Duration {
        let share: f64 = self.random.random();
        // `share` is below 1. Gaps are at most an hour.
        Duration::from_secs_f64((-(1.0 - share).ln() / rate).clamp(0.0, 3_600.0))
    }

    /// What to send: any problem, deadlines such that each doubling is as frequent as the others.
    pub fn draw(&mut self) -> Next {
        let work = self.random.random_range(0..self.works);
        let (least, most) = (self.deadlines.start(), self.deadlines.end());
        let share: f64 = self.random.random();
        let factor = (most.as_secs_f64() / least.as_secs_f64()).powf(share);
        Next {
            work,
            deadline: least.mul_f64(factor).clamp(*least, *most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn the_mean_gap_is_that_of_the_rate() {
        let mut pace = Pace::new(1, MS(25)..=MS(25), 1);
        let total: Duration = (0..20_000).map(|_| pace.gap(200.0)).sum();
        let mean = total.as_secs_f64() / 20_000.0;
        assert!((mean - 0.005).abs() < 0.000_2, "{mean}");
    }

    #[test]
    fn problems_are_as_frequent_and_deadlines_within_their_range() {
        let mut pace = Pace::new(2, MS(25)..=MS(250), 2);
        let (mut first, mut short) = (0, 0);
        for _ in 0..20_000 {
            let next = pace.draw();
            assert!((MS(25)..=MS(250)).contains(&next.deadline), "{next:?}");
            first += usize::from(next.work == 0);
            // The geometric middle.
            short += usize::from(next.deadline < Duration::from_micros(79_057));
        }
        assert!((9_700..10_300).contains(&first), "{first}");
        assert!((9_700..10_300).contains(&short), "{short}");
    }

    #[test]
    fn a_seed_is_a_run() {
        let run = |seed| {
            let mut pace = Pace::new(3, MS(5)..=MS(50), seed);
            (0..50)
                .map(|_| (pace.gap(10.0), pace.draw()))
                .collect::<Vec<_>>()
        };
        assert_eq!(run(4), run(4));
        assert_ne!(run(4), run(5));
    }
}
