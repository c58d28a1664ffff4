//! Cancellation and panics in the middle of a round.

use crate::digits::{Chosen, Digits};
use crate::{Offers, listen, plant};
use anytime::{CancelToken, Conclusion, Limits, Stop};
use mcts::{Domain, NoBound, Outcome, ParallelSettings, Plain, parallel};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Digits whose rules do something unexpected when a certain number of ends have been reached.
struct Trap<'t> {
    digits: Digits,
    reached: AtomicUsize,
    at: usize,
    spring: &'t (dyn Fn() + Sync),
}

impl Domain for Trap<'_> {
    type State = Chosen;
    type Action = u8;
    type Cost = u32;
    fn root(&self) -> Chosen {
        self.digits.root()
    }
    fn actions(&self, state: &Chosen, out: &mut Vec<u8>) {
        self.digits.actions(state, out);
    }
    fn apply(&self, state: &mut Chosen, digit: u8) {
        self.digits.apply(state, digit);
    }
    fn outcome(&self, terminal: &Chosen) -> Outcome<u32> {
        let reached = self.reached.fetch_add(1, Ordering::Relaxed);
        if reached == self.at {
            (self.spring)();
        }
        self.digits.outcome(terminal)
    }
}

/// What comes of four trees in the trap, and how many ends they reached.
fn trapped(spring: &(dyn Fn() + Sync), limits: Limits) -> (Conclusion, Offers<Chosen>, usize) {
    let trap = Trap {
        digits: Digits::random(7, 12, 10),
        reached: 0.into(),
        at: 700,
        spring,
    };
    let (conclusion, offers) = listen(limits, |control| {
        let trees = plant(control, &trap, &Plain, NoBound, 4);
        parallel(control, trees, Chosen::clone, ParallelSettings::default())
    });
    (conclusion, offers, trap.reached.into_inner())
}

#[test]
fn a_cancelled_round_stops_at_once_and_offers_what_it_has() {
    for threads in [1, 2] {
        let cancel = CancelToken::new();
        let limits = Limits::iterations(100_000).with_threads(threads);
        let limits = limits.with_cancel(cancel.clone());
        let (conclusion, offers, reached) = trapped(&|| cancel.cancel(), limits);
        assert_eq!(conclusion, Conclusion::Stopped(Stop::Cancelled));
        assert!(!offers.is_empty());
        // Alone, nobody begins another iteration; with two threads the other one may be ahead.
        assert!(reached == 701 || threads > 1, "{reached}");
    }
}

#[test]
fn a_panic_in_any_thread_is_the_callers_panic() {
    for threads in [1, 2, 4] {
        let limits = Limits::iterations(100_000).with_threads(threads);
        let result = std::panic::catch_unwind(|| trapped(&|| panic!("sprung"), limits));
        let payload = result.expect_err("the panic is not swallowed");
        assert_eq!(payload.downcast_ref(), Some(&"sprung"));
    }
}
