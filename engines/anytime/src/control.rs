//! A planner's only view of the outside.

use crate::{Limits, Pulse, Stop, derive_seed};
use std::cell::Cell;
use std::rc::Rc;

/// A better plan, on its way out.
#[derive(Debug)]
pub struct Offer<'o, P, C> {
    /// The plan.
    pub plan: &'o P,
    /// Its cost, as the planner claims.
    pub cost: C,
    /// What found it, for people: `insertion`, `mcts tree 2`.
    pub found_by: &'o str,
    /// Iterations made so far.
    pub iterations: u64,
}

/// Who listens to a search. Called on the searching thread: be quick.
///
/// Any `FnMut(&Plan, Cost)` is a sink that listens to plans only.
pub trait Sink<P, C> {
    /// A plan of strictly lower cost than all before.
    fn offer(&mut self, offer: Offer<'_, P, C>);

    /// Every plan costs at least `bound`, by `method`; strictly higher than all before.
    fn bound(&mut self, bound: C, method: &'static str) {
        let _ = (bound, method);
    }
}

impl<P, C, F: FnMut(&P, C)> Sink<P, C> for F {
    fn offer(&mut self, offer: Offer<'_, P, C>) {
        self(offer.plan, offer.cost);
    }
}

/// What the plans and bounds of another problem mean for this one. See [`Control::through`].
pub trait Translate<P, C> {
    /// The plan of this problem that a plan of the other stands for; `None`: none.
    fn plan(&mut self, plan: &P, cost: C) -> Option<(P, C)>;

    /// What every plan of this problem costs at least, where those of the other cost at least this.
    fn bound(&mut self, bound: C) -> C;
}

/// A planner's only view of the outside: may I go on, here is a better plan, this is proved, which
/// seed.
///
/// # Examples
/// ```
/// use anytime::{Control, Limits, Stop};
/// let mut seen = Vec::new();
/// let mut sink = |plan: &u8, cost: u32| seen.push((*plan, cost));
/// let mut control = Control::new(Limits::iterations(2), 7, &mut sink);
/// assert!(control.tick());
/// assert!(control.offer(&1, 50, "example"));
/// assert!(control.tick());
/// assert!(!control.offer(&2, 50, "example"), "equal is not better");
/// assert!(!control.tick());
/// assert_eq!(control.stop(), Some(Stop::Iterations));
/// assert_eq!(seen, [(1, 50)]);
/// ```
pub struct Control<'a, P, C> {
    limits: Limits,
    seed: u64,
    pulse: Pulse,
    sink: &'a mut dyn Sink<P, C>,
    target: Option<C>,
    best: Option<C>,
    bound: Option<C>,
    iterations: u64,
    stop: Option<Stop>,
    /// Set where the search that this one is a part of has to stop.
    outer_stop: Option<Rc<Cell<Option<Stop>>>>,
}

/// Passes on what a search through another problem finds.
struct Passage<'s, 'a, P, C> {
    outer: &'s mut Control<'a, P, C>,
    translate: &'s mut dyn Translate<P, C>,
    iterations: u64,
    stop: Rc<Cell<Option<Stop>>>,
}

impl<P, C: Ord + Copy> Sink<P, C> for Passage<'_, '_, P, C> {
    fn offer(&mut self, offer: Offer<'_, P, C>) {
        if let Some((plan, cost)) = self.translate.plan(offer.plan, offer.cost) {
            self.outer.iterations = self.iterations.saturating_add(offer.iterations);
            self.outer.offer(&plan, cost, offer.found_by);
            self.stop.set(self.outer.known_stop());
        }
    }

    fn bound(&mut self, bound: C, method: &'static str) {
        self.outer.prove(self.translate.bound(bound), method);
    }
}

impl<'a, P, C: Ord + Copy> Control<'a, P, C> {
    /// A control that stops at `limits` and forwards to `sink`.
    pub fn new(limits: Limits, seed: u64, sink: &'a mut dyn Sink<P, C>) -> Self {
        let pulse = Pulse::new(limits.deadline, limits.cancel.clone());
        Self {
            limits,
            seed,
            pulse,
            sink,
            target: None,
            best: None,
            bound: None,
            iterations: 0,
            stop: None,
            outer_stop: None,
        }
    }

    /// Searches another problem in place of this one, with the same seed and `percent` of the
    /// remaining limits, rounded up. Plans and bounds of `search` are translated and passed on; its
    /// iterations are counted here.
    ///
    /// # Examples
    /// ```
    /// use anytime::{Control, Limits, Translate};
    /// struct Double;
    /// impl Translate<u8, u32> for Double {
    ///     fn plan(&mut self, plan: &u8, cost: u32) -> Option<(u8, u32)> {
    ///         Some((*plan, 2 * cost))
    ///     }
    ///     fn bound(&mut self, bound: u32) -> u32 {
    ///         2 * bound
    ///     }
    /// }
    /// let mut seen = Vec::new();
    /// let mut sink = |plan: &u8, cost: u32| seen.push((*plan, cost));
    /// let mut control = Control::new(Limits::iterations(2), 7, &mut sink);
    /// control.through(&mut Double, 100, |half| {
    ///     while half.tick() {
    ///         half.offer(&1, 10, "example");
    ///     }
    /// });
    /// assert_eq!((control.best(), control.iterations()), (Some(20), 2));
    /// ```
    pub fn through<R>(
        &mut self,
        translate: &mut dyn Translate<P, C>,
        percent: u32,
        search: impl FnOnce(&mut Control<'_, P, C>) -> R,
    ) -> R {
        let left = self.limits.iterations_max.map(|_| self.remaining());
        let others = u128::from(100_u32.saturating_sub(percent));
        let share = |left: u64| left - (u128::from(left) * others / 100) as u64;
        let limits = Limits {
            iterations_max: left.map(share),
            deadline: self.pulse.share(percent).deadline(),
            ..self.limits.clone()
        };
        let (seed, iterations) = (self.seed, self.iterations);
        let stop = Rc::new(Cell::new(self.known_stop()));
        let mut passage = Passage {
            outer: self,
            translate,
            iterations,
            stop: Rc::clone(&stop),
        };
        let mut inner = Control::new(limits, seed, &mut passage);
        inner.outer_stop = Some(stop);
        let result = search(&mut inner);
        let made = inner.iterations;
        self.iterations = iterations.saturating_add(made);
        result
    }

    /// The same, which also stops once a plan of at most this cost is offered.
    #[must_use]
    pub fn with_target(self, target: C) -> Self {
        Self {
            target: Some(target),
            ..self
        }
    }

    /// Whether to make one more iteration; counts it. After the first false it stays false.
    pub fn tick(&mut self) -> bool {
        let go = self.go_on() && self.remaining() > 0;
        if go {
            self.iterations += 1;
        } else if self.stop.is_none() {
            self.stop = Some(Stop::Iterations);
        }
        go
    }

    /// Whether to go on, inside a long iteration or outside of any: nothing is counted.
    pub fn go_on(&mut self) -> bool {
        self.stop = self.known_stop().or_else(|| self.pulse.stop());
        self.stop.is_none()
    }

    /// Why it has to stop, without a look at the clock.
    fn known_stop(&self) -> Option<Stop> {
        let outer = self.outer_stop.as_ref();
        self.stop.or_else(|| outer.and_then(|stop| stop.get()))
    }

    /// Forwards a plan if it is strictly better than all before; returns whether it was. `found_by`
    /// is for people.
    pub fn offer(&mut self, plan: &P, cost: C, found_by: &str) -> bool {
        let better = self.best.is_none_or(|best| cost < best);
        if better {
            self.best = Some(cost);
            self.sink.offer(Offer {
                plan,
                cost,
                found_by,
                iterations: self.iterations,
            });
            if self.target.is_some_and(|target| cost <= target) {
                self.stop = self.stop.or(Some(Stop::Target));
            }
        }
        better
    }

    /// Forwards a proved bound, every plan costs at least `bound`, if it is strictly higher than
    /// all before.
    pub fn prove(&mut self, bound: C, method: &'static str) {
        if self.bound.is_none_or(|old| bound > old) {
            self.bound = Some(bound);
            self.sink.bound(bound, method);
        }
    }

    /// What the threads of a search ask whether to go on. They count their iterations themselves,
    /// within the share that they were given of [`Control::remaining`], and report them through
    /// [`Control::count`].
    #[must_use]
    pub fn fork(&self) -> Pulse {
        self.pulse.clone()
    }

    /// Counts iterations that threads have made.
    ///
    /// # Panics
    /// In debug builds, when there are more than remained: a search may not exceed its limit.
    pub fn count(&mut self, iterations: u64) {
        debug_assert!(
            iterations <= self.remaining(),
            "more iterations than allowed"
        );
        self.iterations = self.iterations.saturating_add(iterations);
    }

    /// Iterations that are left. `u64::MAX` without a limit.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        self.limits
            .iterations_max
            .map_or(u64::MAX, |max| max.saturating_sub(self.iterations))
    }

    /// The seed of random stream `stream`.
    #[must_use]
    pub fn seed(&self, stream: u64) -> u64 {
        derive_seed(self.seed, stream)
    }

    /// What the search may use.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Cost of the best plan offered.
    #[must_use]
    pub fn best(&self) -> Option<C> {
        self.best
    }

    /// Best bound proved.
    #[must_use]
    pub fn bound(&self) -> Option<C> {
        self.bound
    }

    /// Iterations made so far.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The reason to stop, once there is one.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }
}
