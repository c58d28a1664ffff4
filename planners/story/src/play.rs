//! A story under way: what can happen next, and how good it is so far.

use crate::machine::code::Writes;
use crate::machine::index::World;
use crate::machine::{Ground, Machine};
use crate::plan::Action;
use crate::problem::Problem;

/// The rules of a domain, made fast. Compile once, tell many stories.
#[derive(Debug, Clone)]
pub struct Rules {
    pub(crate) machine: Machine,
}

impl Rules {
    /// The rules of a problem.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        Self {
            machine: Machine::new(problem),
        }
    }
}

/// A story under way.
///
/// # Examples
/// See the tests; the search does the same.
#[derive(Debug, Clone)]
pub struct Play<'r> {
    machine: &'r Machine,
    world: World,
    writes: Writes,
    choices: Vec<Ground>,
    believability: f64,
    actions: usize,
}

impl<'r> Play<'r> {
    /// The beginning: nothing has happened yet.
    #[must_use]
    pub fn new(rules: &'r Rules) -> Self {
        Self {
            machine: &rules.machine,
            world: rules.machine.init.clone(),
            writes: Vec::new(),
            choices: Vec::new(),
            believability: 1.0,
            actions: 0,
        }
    }

    /// How many actions can be done next; asked once for each state, before [`Play::choice`] and [`Play::act`]. None where the story is as
    /// long as it may be.
    pub fn choices(&mut self) -> usize {
        self.choices.clear();
        if self.actions < self.machine.actions_max {
            self.machine.applicable(&self.world, &mut self.choices);
        }
        self.choices.len()
    }

    /// The action of this number.
    ///
    /// # Panics
    /// When there are not so many.
    #[must_use]
    pub fn choice(&self, index: usize) -> Action {
        self.machine.action(self.choices[index])
    }

    /// Does the action of this number, and says how believable it was.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn act(&mut self, index: usize) -> f64 {
        let ground = self.choices[index];
        let step = self
            .machine
            .apply(&mut self.world, &mut self.writes, ground);
        self.believability *= step;
        self.actions += 1;
        step
    }

    /// E of the story so far (equation 5.1); 0 where something that has to happen has not.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.machine.goals(&self.world.facts) * self.believability
    }

    /// Whether all goals hold.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.machine.goals(&self.world.facts) >= 1.0
    }

    /// Back to the beginning.
    pub fn restart(&mut self) {
        self.world.clone_from(&self.machine.init);
        (self.believability, self.actions) = (1.0, 0);
    }
}
