//! A thread that searches for lower bounds while the islands search for plans.
//!
//! It takes one of the threads of the search, after a while, if there are several and the time is
//! long. Under a limit on iterations there is none: such an answer must not depend on the time that
//! anything takes.

use crate::bound::columns::{METHOD, Memory, dual_bounds};
use crate::solve::draft::Draft;
use crate::verify::{Refuted, dual_bound};
use crate::{Cost, DualBound, Plan, Problem};
use anytime::{CancelGuard, CancelToken, Control, Pulse, Rounds};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::Scope;
use std::time::Duration;

/// Least time that is left when the islands begin: searches of 10 s and more.
const TIME_MIN: Duration = Duration::from_millis(9_500);
/// Share of that time before the thread begins, in percent.
const WAIT: u32 = 5;

/// The thread, or what it waits for.
pub(super) struct BoundSearch<'e> {
    problem: &'e Problem,
    state: State,
    /// The best bound, if it is not checked.
    unchecked: Option<DualBound>,
    /// Whether its check is too large.
    is_too_large: bool,
}

enum State {
    /// There is no thread.
    Over,
    /// It begins when this stops.
    Waiting(Pulse),
    Running(Running),
}

struct Running {
    found: Receiver<DualBound>,
    /// Stops the thread when dropped.
    _guard: CancelGuard,
}

impl<'e> BoundSearch<'e> {
    pub(super) fn new(problem: &'e Problem, control: &Control<'_, Plan, Cost>) -> Self {
        let (limits, pulse) = (control.limits(), control.fork());
        let is_long = pulse.left().is_none_or(|left| left >= TIME_MIN);
        let is_wanted = is_long && limits.threads > 1 && limits.iterations_max.is_none();
        Self {
            problem,
            state: if is_wanted {
                State::Waiting(pulse.share(WAIT))
            } else {
                State::Over
            },
            unchecked: None,
            is_too_large: false,
        }
    }

    /// Begins when it is time, passes on what was found, and gives the thread back at the end.
    pub(super) fn step<'s>(
        &mut self,
        scope: &'s Scope<'s, '_>,
        best: &Draft,
        rounds: &mut Rounds,
        control: &mut Control<'_, Plan, Cost>,
    ) where
        'e: 's,
    {
        match &self.state {
            State::Over => {}
            State::Waiting(early) => {
                let is_time = early.left().is_none() || !early.beats();
                if is_time && best.unserved() == 0 {
                    self.state = State::Running(begin(scope, self.problem, best.plan(), control));
                    rounds.reserve(1);
                }
            }
            State::Running(running) => loop {
                match running.found.try_recv() {
                    Ok(proof) => {
                        if control.bound().is_none_or(|bound| proof.bound > bound) {
                            control.prove(proof.bound, METHOD);
                            (self.unchecked, self.is_too_large) = (Some(proof), false);
                        }
                    }
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        self.state = State::Over;
                        rounds.reserve(0);
                        break;
                    }
                }
            },
        }
    }

    /// Whether the best bound may be relied on: it is of another search, or its proof passes the
    /// check.
    pub(super) fn is_checked(&mut self, control: &Control<'_, Plan, Cost>) -> bool {
        let last = self.unchecked.as_ref();
        let Some(proof) = last.filter(|proof| Some(proof.bound) == control.bound()) else {
            return true;
        };
        if self.is_too_large {
            return false;
        }
        let verdict = dual_bound(self.problem, proof, &control.fork());
        self.is_too_large = verdict == Err(Refuted::Unfinished);
        let is_right = verdict.is_ok();
        debug_assert!(is_right || self.is_too_large, "{verdict:?}");
        if is_right {
            self.unchecked = None;
        }
        is_right
    }
}

/// Starts the thread.
fn begin<'s, 'e: 's>(
    scope: &'s Scope<'s, '_>,
    problem: &'e Problem,
    start: Plan,
    control: &Control<'_, Plan, Cost>,
) -> Running {
    let (sender, found) = channel();
    let (own, whole) = (CancelToken::new(), control.fork());
    let guard = own.guard();
    let token = CancelToken::observed(move || own.stop().or_else(|| whole.stop()));
    let pulse = Pulse::new(control.limits().deadline, token);
    scope.spawn(move || {
        let mut send = |proof| {
            // Where the search is over no bound is wanted.
            let _ = sender.send(proof);
        };
        dual_bounds(problem, Memory::default(), &start, &pulse, &mut send);
    });
    Running {
        found,
        _guard: guard,
    }
}
