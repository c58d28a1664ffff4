//! A point in the tree: some agents have their routes, one is on its way, the others wait.

use crate::plan::Terms;
use crate::problem::Micros;
use crate::solve::model::{Load, NONE};

/// What the agent whose turn it is does next: a task, or nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Action(u32);

impl Action {
    /// Goes to its end place; if it has no tasks, all agents of its class stay idle.
    pub(crate) const HOME: Self = Self(NONE);

    pub(crate) fn visit(task: u32) -> Self {
        Self(task)
    }

    /// The task, unless it goes home.
    #[inline]
    pub(crate) fn task(self) -> Option<u32> {
        (self.0 != NONE).then_some(self.0)
    }
}

/// A task that is done, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) agent: u32,
    pub(crate) task: u32,
}

/// Some agents have their routes, one is on its way, the others wait.
#[derive(Debug, PartialEq)]
pub(crate) struct State {
    /// Whose turn it is, counted in the order of employment; their number when all is over.
    pub(crate) turn: u32,
    /// Its last task, or [`NONE`].
    pub(crate) last: u32,
    /// Where it is.
    pub(crate) here: u32,
    /// Since when it can go on.
    pub(crate) free_us: Micros,
    pub(crate) load: Load,
    /// First task of the last agent of the class that has any, or [`NONE`].
    pub(crate) first: u32,
    /// All tasks that are done, route by route in the order of employment.
    pub(crate) done: Vec<Done>,
    /// Tasks that are not done, in no order that means anything.
    pub(crate) left: Vec<u32>,
    /// Where each task is in `left`, or [`NONE`].
    pub(crate) place: Vec<u32>,
    /// Of what is done and of what is left; the way home is paid when it is gone.
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
    /// Takes a task off the list of what is left.
    pub(super) fn take(&mut self, task: u32) {
        let at = std::mem::replace(&mut self.place[task as usize], NONE) as usize;
        self.left.swap_remove(at);
        if let Some(&moved) = self.left.get(at) {
            self.place[moved as usize] = at as u32;
        }
    }

    /// Whether `task` is not done.
    #[inline]
    pub(crate) fn is_left(&self, task: u32) -> bool {
        self.place[task as usize] != NONE
    }
}
