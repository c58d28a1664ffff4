//! A thread that searches for lower bounds while the islands search for plans.
//!
//! It takes one of the threads of the search, after a while, if there are several and the time is
//! long. Under a limit on iterations there is none: such an answer must not depend on the time that
//! anything takes. No bound leaves the thread before its proof has passed the check.

use crate::bound::columns::{METHOD, Memory, dual_bounds};
use crate::solve::draft::Draft;
use crate::verify::{Refuted, dual_bound, verify};
use crate::{Cost, DualBound, Plan, Problem};
use anytime::{CancelGuard, CancelToken, Control, Pulse, Rounds};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::Scope;
use std::time::Duration;

/// Least time that is left when the islands begin: searches of 10 s and more.
const TIME_MIN: Duration = Duration::from_millis(9_500);
/// Share of that time before the thread begins, in percent.
const WAIT: u32 = 5;
/// Share of the thread's time for finding bounds, in percent. The rest is for the last check.
const FIND: u32 = 90;
/// A bound is checked when it closes one of this many parts of the gap.
const GAP_PARTS: i64 = 4;

/// The thread, or what it waits for.
pub(super) struct BoundSearch<'e> {
    problem: &'e Problem,
    state: State,
}

enum State {
    /// There is no thread.
    Over,
    /// It begins when this stops.
    Waiting(Pulse),
    Running(Running),
}

struct Running {
    found: Receiver<Cost>,
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
            State::Running(_) => {
                if self.receive(control) {
                    self.state = State::Over;
                    rounds.reserve(0);
                }
            }
        }
    }

    /// Passes on what was found; true if the thread has ended.
    pub(super) fn receive(&self, control: &mut Control<'_, Plan, Cost>) -> bool {
        let State::Running(running) = &self.state else {
            return false;
        };
        loop {
            match running.found.try_recv() {
                Ok(found) if control.bound().is_none_or(|bound| found > bound) => {
                    control.prove(found, METHOD);
                }
                Ok(_) => {}
                Err(end) => return end == TryRecvError::Disconnected,
            }
        }
    }
}

/// Checks bounds before they are sent: those that close a good part of the gap, and the last one.
struct Checks<'c> {
    problem: &'c Problem,
    pulse: &'c Pulse,
    /// Cost of a plan.
    best: Cost,
    /// The last bound that was sent.
    sent: Cost,
    sender: Sender<Cost>,
    /// The last bound, if it was not checked.
    unchecked: Option<DualBound>,
    /// Stops the thread when a check is too large: those of better bounds will be, too.
    own: CancelToken,
}

impl Checks<'_> {
    fn take(&mut self, proof: DualBound) {
        let differs = |level: &usize| self.sent.0[*level] != proof.bound.0[*level];
        let closes_much = |level: usize| {
            let costs = [self.sent, proof.bound, self.best];
            let [sent, bound, best] = costs.map(|cost| cost.0[level]);
            bound - sent >= (best - sent) / GAP_PARTS
        };
        let level = (0..self.sent.0.len()).find(differs);
        if level.is_some_and(closes_much) {
            self.check(&proof);
        } else {
            self.unchecked = Some(proof);
        }
    }

    fn check(&mut self, proof: &DualBound) {
        self.unchecked = None;
        match dual_bound(self.problem, proof, self.pulse) {
            Ok(()) => {
                self.sent = proof.bound;
                // Where the search is over no bound is wanted.
                let _ = self.sender.send(proof.bound);
            }
            Err(Refuted::Unfinished) => self.own.cancel(),
            Err(wrong) => debug_assert!(false, "{wrong:?}"),
        }
    }

    fn check_last(&mut self) {
        if let Some(last) = self.unchecked.take() {
            self.check(&last);
        }
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
    let observed = own.clone();
    let token = CancelToken::observed(move || observed.stop().or_else(|| whole.stop()));
    let pulse = Pulse::new(control.limits().deadline, token);
    let sent = control.bound().unwrap_or_default();
    scope.spawn(move || {
        let Ok(best) = verify(problem, &start) else {
            return;
        };
        let mut checks = Checks {
            problem,
            pulse: &pulse,
            best,
            sent,
            sender,
            unchecked: None,
            own,
        };
        let mut take = |proof| checks.take(proof);
        let (memory, early) = (Memory::default(), pulse.share(FIND));
        dual_bounds(problem, memory, &start, &early, &mut take);
        checks.check_last();
    });
    Running {
        found,
        _guard: guard,
    }
}
