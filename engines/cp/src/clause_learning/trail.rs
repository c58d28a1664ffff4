//! The trail: current bounds of all variables, and the events that led to them.

use super::literal::{Lit, Side, Var};

/// No event.
pub(super) const NONE: u32 = u32::MAX;

/// What a theory remembers of why it set a literal, to explain it on request. Its meaning is the
/// theory's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    /// Which rule, for which object.
    pub tag: u32,
    /// A number: a moment, an index.
    pub at: i64,
}

/// Why an event took place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// It was tried.
    Decision,
    /// It is the first literal of this clause, all others of which fail.
    Clause(u32),
    /// A theory explains it.
    Theory(Cause),
    /// It holds always.
    Fact,
}

/// A bound of a side that became tighter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    pub(super) side: Side,
    pub(super) level: u32,
    pub(super) old: i64,
    pub(super) new: i64,
    /// The event before it on the same side.
    pub(super) prev: u32,
    pub(super) reason: Reason,
}

/// A conflict, noted on the trail; only the trail makes it.
#[derive(Debug, PartialEq, Eq)]
pub struct Conflict(());

/// The conflict that is noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noted {
    /// [`Trail::conflict`] holds literals that cannot all hold.
    Literals,
    /// A theory set a literal that fails already.
    Failed(Lit, Cause),
}

/// Bounds of all variables with their history.
#[derive(Debug, Default)]
pub struct Trail {
    /// Upper bound of each side.
    upper: Vec<i64>,
    /// Last event of each side.
    last: Vec<u32>,
    pub(super) events: Vec<Event>,
    /// Number of events before each level from 1 on.
    pub(super) levels: Vec<u32>,
    /// Literals that hold and cannot all hold.
    pub(super) conflict: Vec<Lit>,
    pub(super) noted: Option<Noted>,
    /// Booleans that the search has not met yet.
    pub(super) bools: Vec<Var>,
}

impl Trail {
    /// A new integer from `min` to `max`.
    ///
    /// # Panics
    /// When `min > max`.
    pub(super) fn new_int(&mut self, min: i64, max: i64) -> Var {
        assert!(min <= max, "an empty range");
        let var = Var(u32::try_from(self.upper.len() / 2).expect("fewer than 2^31 variables"));
        self.upper.extend([max, -min]);
        self.last.extend([NONE, NONE]);
        var
    }

    /// A new Boolean. The search decides it, whereas a variable of
    /// [`Trail::new_int`] from 0 to 1 is not decided on its own account before a clause or a
    /// conflict is about it.
    pub(super) fn new_bool(&mut self) -> Var {
        let var = self.new_int(0, 1);
        self.bools.push(var);
        var
    }

    /// How many variables there are.
    #[must_use]
    pub fn vars(&self) -> usize {
        self.upper.len() / 2
    }

    /// The largest value that is left to a variable.
    #[must_use]
    pub fn max(&self, var: Var) -> i64 {
        self.upper(var.plus())
    }

    /// The smallest value that is left to a variable.
    #[must_use]
    pub fn min(&self, var: Var) -> i64 {
        -self.upper(var.minus())
    }

    /// The upper bound of a side.
    #[must_use]
    pub fn upper(&self, side: Side) -> i64 {
        self.upper[side.index()]
    }

    /// Whether a literal holds for sure.
    #[must_use]
    pub fn holds(&self, lit: Lit) -> bool {
        self.upper(lit.side) <= lit.most
    }

    /// Whether a literal fails for sure.
    #[must_use]
    pub fn fails(&self, lit: Lit) -> bool {
        -self.upper(lit.side.opposite()) > lit.most
    }

    /// How many events there were; what [`Trail::event`] counts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there was no event yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The literal that an event made hold.
    #[must_use]
    pub fn event(&self, index: usize) -> Lit {
        let event = self.events[index];
        event.side.at_most(event.new)
    }

    /// How many decisions are in force.
    #[must_use]
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// The upper bound of a side before the event with this index. Time: events of the side since
    /// then.
    #[must_use]
    pub fn upper_before(&self, side: Side, index: usize) -> i64 {
        let mut upper = self.upper(side);
        let mut at = self.last[side.index()];
        while at != NONE && at as usize >= index {
            let event = &self.events[at as usize];
            upper = event.old;
            at = event.prev;
        }
        upper
    }

    /// Makes a literal hold, for a reason that the theory explains on request; returns whether that
    /// is new.
    ///
    /// # Errors
    /// The literal fails: a conflict is noted.
    pub fn set(&mut self, lit: Lit, cause: Cause) -> Result<bool, Conflict> {
        if self.holds(lit) {
            return Ok(false);
        }
        if self.fails(lit) {
            self.noted = Some(Noted::Failed(lit, cause));
            return Err(Conflict(()));
        }
        self.push(lit, Reason::Theory(cause));
        Ok(true)
    }

    /// Notes that literals which all hold contradict each other.
    pub fn refute(&mut self, lits: impl IntoIterator<Item = Lit>) -> Conflict {
        self.conflict.clear();
        self.conflict.extend(lits);
        debug_assert!(self.conflict.iter().all(|lit| self.holds(*lit)));
        self.noted = Some(Noted::Literals);
        Conflict(())
    }

    /// The first event that made a literal hold, which holds; `None`: it holds from the beginning.
    pub(super) fn event_of(&self, lit: Lit) -> Option<usize> {
        let mut at = self.last[lit.side.index()];
        while at != NONE {
            let event = &self.events[at as usize];
            debug_assert!(event.new <= lit.most, "the literal holds");
            if event.old > lit.most {
                return Some(at as usize);
            }
            at = event.prev;
        }
        // All events of the side came after the literal did.
        None
    }

    /// How many events there were when a literal that holds began to: 0 if from the beginning.
    #[must_use]
    pub fn since(&self, lit: Lit) -> usize {
        self.event_of(lit).map_or(0, |event| event + 1)
    }

    /// The level at which a literal that holds began to; 0 if from the beginning.
    pub(super) fn level_of(&self, lit: Lit) -> usize {
        self.event_of(lit)
            .map_or(0, |event| self.events[event].level as usize)
    }

    /// Makes a literal hold that neither holds nor fails.
    pub(super) fn push(&mut self, lit: Lit, reason: Reason) {
        debug_assert!(!self.holds(lit) && !self.fails(lit));
        let side = lit.side.index();
        let index = u32::try_from(self.events.len()).expect("fewer than 2^32 events");
        self.events.push(Event {
            side: lit.side,
            level: u32::try_from(self.levels.len()).expect("fewer levels than events"),
            old: self.upper[side],
            new: lit.most,
            prev: self.last[side],
            reason,
        });
        self.upper[side] = lit.most;
        self.last[side] = index;
    }

    pub(super) fn open_level(&mut self) {
        let len = u32::try_from(self.events.len()).expect("fewer than 2^32 events");
        self.levels.push(len);
    }

    /// Takes back the last event.
    pub(super) fn pop(&mut self) -> Event {
        let event = self.events.pop().expect("only what happened is taken back");
        self.upper[event.side.index()] = event.old;
        self.last[event.side.index()] = event.prev;
        event
    }
}
