//! A story under way: what can happen next, and how good it is so far.

use crate::machine::code::Writes;
use crate::machine::index::World;
use crate::machine::{Choices, Machine};
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
    choices: Vec<Choices>,
    /// G.
    goals: f64,
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
            goals: rules.machine.goals(&rules.machine.init.facts),
            believability: 1.0,
            actions: 0,
        }
    }

    /// How many actions can be done next; asked once for each state, before [`Play::choice`] and
    /// [`Play::act`]. None where the story is as long as it may be.
    pub fn choices(&mut self) -> usize {
        self.choices.clear();
        if self.actions >= self.machine.actions_max {
            return 0;
        }
        self.machine.bunches(&self.world, &mut self.choices)
    }

    /// The action of this number.
    ///
    /// # Panics
    /// When there are not so many.
    #[must_use]
    pub fn choice(&self, index: usize) -> Action {
        let ground = self.machine.chosen(&self.choices, index);
        self.machine
            .action(ground.expect("the caller knows how many there are"))
    }

    /// Does the action of this number, and says how believable it was.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn act(&mut self, index: usize) -> f64 {
        let state = (&mut self.world, &mut self.writes);
        let step = self.machine.apply_choice(state, (&self.choices, index));
        let step = step.expect("the caller knows how many there are");
        if self.machine.matters_to_goals(&self.writes) {
            self.goals = self.machine.goals(&self.world.facts);
        }
        self.believability *= step;
        self.actions += 1;
        step
    }

    /// E of the story so far (equation 5.1); 0 where something that has to happen has not.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.goals * self.believability
    }

    /// B of the story so far (equation 5.4), in [0, 1].
    #[must_use]
    pub fn believability(&self) -> f64 {
        self.believability
    }

    /// The state, as one small number for each fact: what can follow, and how believable it is,
    /// depends on these alone.
    #[must_use]
    pub fn facts(&self) -> &[i16] {
        &self.world.facts
    }

    /// Whether all goals hold.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.goals >= 1.0
    }

    /// Back to the beginning.
    pub fn restart(&mut self) {
        self.world.clone_from(&self.machine.init);
        self.goals = self.machine.goals(&self.world.facts);
        (self.believability, self.actions) = (1.0, 0);
    }
}
