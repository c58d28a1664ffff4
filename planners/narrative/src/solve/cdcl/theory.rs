//! What a theory brings to the search.

use super::literal::Lit;
use super::trail::{Cause, Clash, Trail};

/// What a theory says about an assignment with which no clause is at odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is a solution.
    Solution,
    /// This has to be decided first; it neither holds nor fails.
    Decide(Lit),
    /// Clauses were added by [`Trail::add_lemma`], one or more: go on.
    Lemmas,
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
    fn propagate(&mut self, trail: &mut Trail) -> Result<(), Clash>;

    /// Why a literal follows: adds literals to `out`, all of which held before event `before`, and
    /// which imply `lit` by the theory. `lit` may be weaker than what was set with `cause`.
    fn explain(&mut self, trail: &Trail, because: Asked, out: &mut Vec<Lit>);

    /// Takes back what depends on events that are gone; `trail` has none of them any more.
    fn backtrack(&mut self, trail: &Trail);

    /// What to decide before activities are asked; nothing by default. `restarts` were made so far.
    fn first(&mut self, trail: &Trail, restarts: u64) -> Option<Lit> {
        let _ = (trail, restarts);
        None
    }

    /// Judges an assignment when activities have nothing left to decide.
    ///
    /// # Errors
    /// [`Trail::set`] or [`Trail::refute`] noted a conflict.
    fn last(&mut self, trail: &mut Trail) -> Result<Verdict, Clash>;
}

/// A literal to explain.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// What follows.
    pub lit: Lit,
    /// What the theory noted when it set the literal, or one that is stronger.
    pub cause: Cause,
    /// The explanation held before the event with this index.
    pub before: usize,
}

/// No rules but clauses: all Booleans and integers that literals name are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clauses;

impl Theory for Clauses {
    fn propagate(&mut self, _: &mut Trail) -> Result<(), Clash> {
        Ok(())
    }

    fn explain(&mut self, _: &Trail, _: Asked, _: &mut Vec<Lit>) {}

    fn backtrack(&mut self, _: &Trail) {}

    fn last(&mut self, _: &mut Trail) -> Result<Verdict, Clash> {
        Ok(Verdict::Solution)
    }
}
