//! Work between two looks at the stop signal.

use crate::{Pulse, Stop};
use std::cell::Cell;

/// Counts units of work, and looks at the stop signal with the first unit and once in `period`
/// units from then on. A stop stays.
///
/// # Examples
/// ```
/// use anytime::{CancelToken, Pulse, Stop, Ticker};
/// let cancel = CancelToken::new();
/// let ticker = Ticker::new(Pulse::new(None, cancel.clone()), 100).with_limit(1_000);
/// let work = |until: u64| (0..until).try_for_each(|_| ticker.step(1));
/// assert_eq!(work(150), Ok(()));
/// cancel.cancel();
/// assert_eq!(work(50), Ok(()), "the next look is that of unit 201");
/// assert_eq!(work(1), Err(Stop::Cancelled));
/// ```
#[derive(Debug)]
pub struct Ticker {
    pulse: Pulse,
    period: u64,
    /// The unit, from the last one counted on, that needs a look.
    due: Cell<u64>,
    /// The unit, from `due` on, that is the first beyond the limit.
    beyond: Cell<u64>,
    stop: Cell<Option<Stop>>,
}

impl Ticker {
    /// Work without a limit.
    #[must_use]
    pub fn new(pulse: Pulse, period: u64) -> Self {
        Self {
            pulse,
            period: period.max(1),
            due: Cell::new(0),
            beyond: Cell::new(u64::MAX),
            stop: Cell::new(None),
        }
    }

    /// The same with a limit: more than `units` of work stop with [`Stop::Exhausted`].
    #[must_use]
    pub fn with_limit(self, units: u64) -> Self {
        self.beyond.set(units.saturating_add(1));
        self
    }

    /// Counts units of work that are about to be done: a comparison and a subtraction, except
    /// where a look is due.
    ///
    /// # Errors
    /// When to stop: deadline, cancellation or the limit.
    #[inline]
    pub fn step(&self, units: u64) -> Result<(), Stop> {
        let due = self.due.get();
        if units < due {
            self.due.set(due - units);
            return Ok(());
        }
        self.turn(units)
    }

    /// Looks at the stop signal now, before work that is not counted.
    ///
    /// # Errors
    /// When to stop.
    pub fn look(&self) -> Result<(), Stop> {
        let stop = self.stop.get().or_else(|| self.pulse.stop());
        stop.map_or(Ok(()), |stop| self.end(stop))
    }

    /// Looks, and counts units until the next look.
    #[cold]
    fn turn(&self, units: u64) -> Result<(), Stop> {
        self.look()?;
        let left = self.due.get().saturating_add(self.beyond.get());
        if units >= left {
            return self.end(Stop::Exhausted);
        }
        let due = self.period.min(left - units);
        self.due.set(due);
        self.beyond.set(left - units - due);
        Ok(())
    }

    fn end(&self, stop: Stop) -> Result<(), Stop> {
        self.due.set(0);
        self.stop.set(Some(stop));
        Err(stop)
    }
}

#[cfg(test)]
mod tests {
    use super::Ticker;
    use crate::{CancelToken, Pulse, Stop};
    use proptest::prelude::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// A pulse with the number of looks at it, of which that after `last` stops.
    fn counted(last: u64) -> (Pulse, Arc<AtomicU64>) {
        let looks = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&looks);
        let stop = move || (seen.fetch_add(1, Relaxed) >= last).then_some(Stop::Draining);
        (Pulse::new(None, CancelToken::observed(stop)), looks)
    }

    #[test]
    fn the_first_unit_looks_and_then_one_in_a_period() {
        let (pulse, looks) = counted(u64::MAX);
        let ticker = Ticker::new(pulse, 10);
        let looks_after = |units: u64| {
            (0..units).for_each(|_| assert_eq!(ticker.step(1), Ok(())));
            looks.load(Relaxed)
        };
        assert_eq!([1, 9, 1, 9, 1].map(looks_after), [1, 1, 2, 2, 3]);
        assert_eq!(ticker.step(1_000), Ok(()));
        assert_eq!(looks_after(9), 4, "a large step looks once");
        assert_eq!(looks_after(1), 5);
    }

    #[test]
    fn a_stop_stays_and_is_not_looked_for_again() {
        for units in [0, 1, 1_000] {
            let (pulse, looks) = counted(1);
            let ticker = Ticker::new(pulse, 10).with_limit(20);
            assert_eq!(ticker.step(5), Ok(()));
            assert_eq!(ticker.look(), Err(Stop::Draining));
            assert_eq!(ticker.step(units), Err(Stop::Draining));
            assert_eq!(ticker.look(), Err(Stop::Draining));
            assert_eq!(looks.load(Relaxed), 2);
        }
    }

    proptest! {
        /// The limit is exact, whatever the steps and the period.
        #[test]
        fn a_limit_is_exact(
            limit in 0_u64..100,
            period in 0_u64..30,
            steps in prop::collection::vec(0_u64..20, 1..100),
        ) {
            let ticker = Ticker::new(Pulse::unbounded(), period).with_limit(limit);
            let mut done = 0;
            for step in steps {
                done += step;
                let wanted = if done <= limit { Ok(()) } else { Err(Stop::Exhausted) };
                prop_assert_eq!(ticker.step(step), wanted);
            }
        }
    }
}
