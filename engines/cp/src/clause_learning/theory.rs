//! The interface of a theory: propagators that explain what they set.

use super::literal::Lit;
use super::trail::{Cause, Conflict, Trail};

/// The verdict of a theory on an assignment that satisfies all clauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is a solution.
    Solution,
    /// This has to be decided first; it neither holds nor fails.
    Decide(Lit),
}

/// Rules that are not clauses.
///
/// The search calls [`Theory::propagate`] whenever clauses have nothing left to propagate; the
/// theory sets what follows. The theory keeps up with the trail by itself: it reads events from
/// [`Trail::event`] on, and [`Theory::backtrack`] shortens the trail again.
pub trait Theory {
    /// Sets literals that follow from the bounds. It is called again when something was set.
    ///
    /// # Errors
    /// [`Trail::set`] or [`Trail::refute`] noted a conflict.
    fn propagate(&mut self, trail: &mut Trail) -> Result<(), Conflict>;

    /// Why a literal follows: adds literals to `out`, all of which held before event `before`, and
    /// which imply `lit` by the theory. `lit` may be weaker than what was set with `cause`.
    fn explain(&mut self, trail: &Trail, because: Consequence, out: &mut Vec<Lit>);

    /// Takes back what depends on events that are gone; `trail` has none of them any more.
    fn backtrack(&mut self, trail: &Trail);

    /// What to decide before VSIDS decides; nothing by default. `restarts` were made so far.
    fn first(&mut self, trail: &Trail, restarts: u64) -> Option<Lit> {
        let _ = (trail, restarts);
        None
    }

    /// Judges an assignment when VSIDS has nothing left to decide.
    ///
    /// # Errors
    /// [`Trail::set`] or [`Trail::refute`] noted a conflict.
    fn last(&mut self, trail: &mut Trail) -> Result<Verdict, Conflict>;
}

/// A literal to explain.
#[derive(Debug, Clone, Copy)]
pub struct Consequence {
    /// What follows.
    pub lit: Lit,
    /// What the theory noted when it set the literal, or one that is stronger.
    pub cause: Cause,
    /// The explanation held before the event with this index.
    pub before: usize,
}

/// No rules but clauses: all Booleans and integers that literals name are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoTheory;

impl Theory for NoTheory {
    fn propagate(&mut self, _: &mut Trail) -> Result<(), Conflict> {
        Ok(())
    }

    fn explain(&mut self, _: &Trail, _: Consequence, _: &mut Vec<Lit>) {}

    fn backtrack(&mut self, _: &Trail) {}

    fn last(&mut self, _: &mut Trail) -> Result<Verdict, Conflict> {
        Ok(Verdict::Solution)
    }
}
