//! Step-by-step execution of a story: applicable actions, and the score so far.

use crate::compiled::code::Writes;
use crate::compiled::index::World;
use crate::compiled::{ChoiceSet, CompiledDomain};
use crate::plan::Action;
use crate::problem::Problem;

/// The compiled rules of a domain, for many stories.
#[derive(Debug, Clone)]
pub struct Rules {
    pub(crate) compiled: CompiledDomain,
}

impl Rules {
    /// The rules of a problem.
    #[must_use]
    pub fn new(problem: &Problem) -> Self {
        Self {
            compiled: CompiledDomain::new(problem),
        }
    }
}

/// A story that is executed step by step.
///
/// # Examples
/// See the tests; the search does the same.
#[derive(Debug, Clone)]
pub struct Play<'r> {
    compiled: &'r CompiledDomain,
    world: World,
    writes: Writes,
    choices: Vec<ChoiceSet>,
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
            compiled: &rules.compiled,
            world: rules.compiled.init.clone(),
            writes: Vec::new(),
            choices: Vec::new(),
            goals: rules.compiled.goal_share(&rules.compiled.init.facts),
            believability: 1.0,
            actions: 0,
        }
    }

    /// How many actions can be done next; asked once for each state, before [`Play::choice`] and
    /// [`Play::act`]. None where the story is as long as it may be.
    pub fn choices(&mut self) -> usize {
        self.choices.clear();
        if self.actions >= self.compiled.actions_max {
            return 0;
        }
        self.compiled.choice_sets(&self.world, &mut self.choices)
    }

    /// The action of this number.
    ///
    /// # Panics
    /// When `index` is too large.
    #[must_use]
    pub fn choice(&self, index: usize) -> Action {
        let action_id = self.compiled.nth_action(&self.choices, index);
        self.compiled
            .action(action_id.expect("the caller knows how many there are"))
    }

    /// Does the action of this number, and says how believable it was.
    ///
    /// # Panics
    /// When `index` is too large.
    pub fn act(&mut self, index: usize) -> f64 {
        let (world, writes) = (&mut self.world, &mut self.writes);
        let step = self
            .compiled
            .apply_choice(world, writes, &self.choices, index);
        let step = step.expect("the caller knows how many there are");
        if self.compiled.matters_to_goals(&self.writes) {
            self.goals = self.compiled.goal_share(&self.world.facts);
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
        self.world.clone_from(&self.compiled.init);
        self.goals = self.compiled.goal_share(&self.world.facts);
        (self.believability, self.actions) = (1.0, 0);
    }
}
