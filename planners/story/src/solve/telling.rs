//! Stories as a world of the tree search.

use crate::machine::avoid::Again;
use crate::machine::code::Writes;
use crate::machine::index::World;
use crate::machine::{Ground, Machine};
use crate::plan::{Cost, Plan};
use mcts::{Domain, Outcome};

/// More than any story costs: what has to happen has not.
const UNTOLD: Cost = Cost {
    loss_pico: u64::MAX,
};

/// Stories of a domain.
pub(super) struct Telling<'m> {
    pub(super) machine: &'m Machine,
}

/// A story under way, and its best beginning.
pub(super) struct Told {
    world: World,
    writes: Writes,
    actions: Vec<Ground>,
    again: Again,
    believability: f64,
    /// Score and length of the best beginning; None: what has to happen has not in any.
    best: Option<(f64, usize)>,
    is_complete: bool,
}

impl Clone for Told {
    fn clone(&self) -> Self {
        Self {
            world: self.world.clone(),
            writes: Vec::new(),
            actions: self.actions.clone(),
            again: self.again.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.world.clone_from(&other.world);
        self.actions.clone_from(&other.actions);
        self.again.clone_from(&other.again);
        self.believability = other.believability;
        self.best = other.best;
        self.is_complete = other.is_complete;
    }
}

impl Told {
    pub(super) fn new(machine: &Machine) -> Self {
        let mut told = Self {
            world: machine.init.clone(),
            writes: Vec::new(),
            actions: Vec::new(),
            again: machine.avoid.start(),
            believability: 1.0,
            best: None,
            is_complete: false,
        };
        told.judge(machine);
        told
    }

    fn judge(&mut self, machine: &Machine) {
        if !machine.is_allowed_end(&self.world.facts) {
            return;
        }
        let goals = machine.goals(&self.world.facts);
        let score = goals * self.believability;
        self.is_complete = goals >= 1.0;
        if self.best.is_none_or(|(best, _)| score > best) {
            self.best = Some((score, self.actions.len()));
        }
    }

    pub(super) fn act(&mut self, machine: &Machine, ground: Ground) {
        self.believability *= machine.apply(&mut self.world, &mut self.writes, ground);
        self.actions.push(ground);
        if !machine.avoid.is_empty() {
            machine.avoid.tell(&mut self.again, ground);
        }
        self.judge(machine);
    }

    /// Whether an action may come next.
    pub(super) fn can(&self, machine: &Machine, ground: Ground) -> bool {
        let is_short = self.actions.len() < machine.actions_max;
        is_short && machine.avoid.allows(&self.again, ground) && machine.can(&self.world, ground)
    }

    /// E of all of it. None: what has to happen has not.
    pub(super) fn score(&self, machine: &Machine) -> Option<f64> {
        let facts = &self.world.facts;
        machine
            .is_allowed_end(facts)
            .then(|| machine.goals(facts) * self.believability)
    }

    /// Whether no longer story can be better: B only falls, and G is at most 1.
    pub(super) fn is_over(&self, machine: &Machine) -> bool {
        let long = self.actions.len() >= machine.actions_max;
        long || self.is_complete
            || self
                .best
                .is_some_and(|(best, _)| self.believability <= best)
    }

    /// The best beginning, as a plan.
    pub(super) fn plan(&self, machine: &Machine) -> Option<(Plan, Cost)> {
        let (score, length) = self.best?;
        let actions = self.actions[..length].iter();
        let plan = Plan {
            actions: actions.map(|ground| machine.action(*ground)).collect(),
        };
        Some((plan, Cost::of_score(score)))
    }
}

impl Domain for Telling<'_> {
    type State = Told;
    type Action = Ground;
    type Cost = Cost;

    fn root(&self) -> Told {
        Told::new(self.machine)
    }

    fn actions(&self, state: &Told, out: &mut Vec<Ground>) {
        if !state.is_over(self.machine) {
            self.machine.applicable(&state.world, out);
            let avoid = &self.machine.avoid;
            if !avoid.is_empty() {
                out.retain(|ground| avoid.allows(&state.again, *ground));
            }
        }
    }

    fn apply(&self, state: &mut Told, action: Ground) {
        state.act(self.machine, action);
    }

    /// Equation 5.1 of the best beginning.
    fn outcome(&self, terminal: &Told) -> Outcome<Cost> {
        match terminal.best {
            Some((score, _)) => Outcome {
                cost: Cost::of_score(score),
                reward: score.clamp(0.0, 1.0),
            },
            None => Outcome {
                cost: UNTOLD,
                reward: 0.0,
            },
        }
    }
}

/// B falls with every action, and G is at most 1: no story that begins like this is better than its
/// beginning's B.
pub(super) struct Falling;

impl mcts::Bound<Telling<'_>> for Falling {
    fn lower(&self, _: &Telling<'_>, state: &Told) -> Option<Cost> {
        let best = state.best.map_or(0.0, |(best, _)| best);
        Some(Cost::of_score(state.believability.max(best)))
    }
}
