//! State of the tree search: some routes are complete, one is under construction.

use crate::plan::Terms;
use crate::problem::Micros;
use crate::solve::model::{Load, NONE};

/// The next action of the agent at turn: a task, or the end of the route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Action(u32);

impl Action {
    /// Ends the route; without tasks all agents of the class stay idle.
    pub(crate) const END_ROUTE: Self = Self(NONE);

    pub(crate) fn visit(task: u32) -> Self {
        Self(task)
    }

    /// The task, unless the route ends.
    #[inline]
    pub(crate) fn task(self) -> Option<u32> {
        (self.0 != NONE).then_some(self.0)
    }
}

/// A task with its agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) agent: u32,
    pub(crate) task: u32,
}

/// Some routes are complete, one is under construction.
#[derive(Debug, PartialEq)]
pub(crate) struct State {
    /// Number of finished turns; the number of agents in a terminal state.
    pub(crate) turn: u32,
    /// Last task of the agent at turn, or [`NONE`].
    pub(crate) last: u32,
    /// Its location.
    pub(crate) here: u32,
    /// End of its last service.
    pub(crate) free_us: Micros,
    pub(crate) load: Load,
    /// First task of the last used agent of the class, or [`NONE`].
    pub(crate) first: u32,
    /// All tasks done, route by route in the order of turns.
    pub(crate) done: Vec<Done>,
    /// Tasks left, in no particular order.
    pub(crate) left: Vec<u32>,
    /// Index of each task in `left`, or [`NONE`].
    pub(crate) place: Vec<u32>,
    /// Terms of the tasks done and left; the arc to the end place is added when the route ends.
    pub(crate) terms: Terms,
    pub(crate) changes: usize,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let (done, left, place) = (self.done.clone(), self.left.clone(), self.place.clone());
        Self {
            done,
            left,
            place,
            ..*self
        }
    }

    fn clone_from(&mut self, from: &Self) {
        let Self {
            turn,
            last,
            here,
            free_us,
            load,
            first,
            done,
            left,
            place,
            terms,
            changes,
        } = from;
        (self.turn, self.last, self.here) = (*turn, *last, *here);
        (self.free_us, self.load, self.first) = (*free_us, *load, *first);
        (self.terms, self.changes) = (*terms, *changes);
        self.done.clone_from(done);
        self.left.clone_from(left);
        self.place.clone_from(place);
    }
}

impl State {
    /// Removes a task from the tasks left.
    pub(super) fn take(&mut self, task: u32) {
        let at = std::mem::replace(&mut self.place[task as usize], NONE) as usize;
        self.left.swap_remove(at);
        if let Some(&moved) = self.left.get(at) {
            self.place[moved as usize] = at as u32;
        }
    }

    /// Whether `task` is left.
    #[inline]
    pub(crate) fn is_left(&self, task: u32) -> bool {
        self.place[task as usize] != NONE
    }
}
