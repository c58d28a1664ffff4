//! Stories as the domain of Monte Carlo tree search: states are story prefixes.

use crate::compiled::code::Writes;
use crate::compiled::diversity::Repeats;
use crate::compiled::index::World;
use crate::compiled::{ActionId, CompiledDomain};
use crate::plan::{Cost, Plan};
use mcts::{Domain, Outcome};

/// The cost of a story without an event that must happen: more than any other.
const INCOMPLETE: Cost = Cost {
    loss_pico: u64::MAX,
};

/// Stories of a domain.
pub(super) struct StoryDomain<'m> {
    pub(super) compiled: &'m CompiledDomain,
}

/// The prefix of a story, and its best prefix so far.
pub(super) struct PartialStory {
    world: World,
    writes: Writes,
    actions: Vec<ActionId>,
    repeats: Repeats,
    believability: f64,
    /// Score and length of the best beginning; None: what has to happen has not in any.
    best: Option<(f64, usize)>,
    is_complete: bool,
}

impl Clone for PartialStory {
    fn clone(&self) -> Self {
        Self {
            world: self.world.clone(),
            writes: Vec::new(),
            actions: self.actions.clone(),
            repeats: self.repeats.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.world.clone_from(&other.world);
        self.actions.clone_from(&other.actions);
        self.repeats.clone_from(&other.repeats);
        self.believability = other.believability;
        self.best = other.best;
        self.is_complete = other.is_complete;
    }
}

impl PartialStory {
    pub(super) fn new(compiled: &CompiledDomain) -> Self {
        let mut story = Self {
            world: compiled.init.clone(),
            writes: Vec::new(),
            actions: Vec::new(),
            repeats: compiled.diversity.start(),
            believability: 1.0,
            best: None,
            is_complete: false,
        };
        story.update_best(compiled);
        story
    }

    fn update_best(&mut self, compiled: &CompiledDomain) {
        if !compiled.is_allowed_end(&self.world.facts) {
            return;
        }
        let goals = compiled.goal_share(&self.world.facts);
        let score = goals * self.believability;
        self.is_complete = goals >= 1.0;
        if self.best.is_none_or(|(best, _)| score > best) {
            self.best = Some((score, self.actions.len()));
        }
    }

    pub(super) fn append(&mut self, compiled: &CompiledDomain, action_id: ActionId) {
        self.believability *= compiled.apply(&mut self.world, &mut self.writes, action_id);
        self.actions.push(action_id);
        if !compiled.diversity.is_empty() {
            compiled.diversity.record(&mut self.repeats, action_id);
        }
        self.update_best(compiled);
    }

    /// Whether an action may come next.
    pub(super) fn may_follow(&self, compiled: &CompiledDomain, action_id: ActionId) -> bool {
        let is_short = self.actions.len() < compiled.actions_max;
        is_short
            && compiled.diversity.allows(&self.repeats, action_id)
            && compiled.is_applicable(&self.world, action_id)
    }

    /// E of all of it. None: what has to happen has not.
    pub(super) fn score(&self, compiled: &CompiledDomain) -> Option<f64> {
        let facts = &self.world.facts;
        compiled
            .is_allowed_end(facts)
            .then(|| compiled.goal_share(facts) * self.believability)
    }

    /// Whether no longer story can be better: B only falls, and G is at most 1.
    pub(super) fn is_over(&self, compiled: &CompiledDomain) -> bool {
        let long = self.actions.len() >= compiled.actions_max;
        long || self.is_complete
            || self
                .best
                .is_some_and(|(best, _)| self.believability <= best)
    }

    /// The best beginning, as a plan.
    pub(super) fn plan(&self, compiled: &CompiledDomain) -> Option<(Plan, Cost)> {
        let (score, length) = self.best?;
        let actions = self.actions[..length].iter();
        let plan = Plan {
            actions: actions
                .map(|action_id| compiled.action(*action_id))
                .collect(),
        };
        Some((plan, Cost::of_score(score)))
    }
}

impl Domain for StoryDomain<'_> {
    type State = PartialStory;
    type Action = ActionId;
    type Cost = Cost;

    fn root(&self) -> PartialStory {
        PartialStory::new(self.compiled)
    }

    fn actions(&self, state: &PartialStory, out: &mut Vec<ActionId>) {
        if !state.is_over(self.compiled) {
            self.compiled.applicable(&state.world, out);
            let diversity = &self.compiled.diversity;
            if !diversity.is_empty() {
                out.retain(|action_id| diversity.allows(&state.repeats, *action_id));
            }
        }
    }

    fn apply(&self, state: &mut PartialStory, action: ActionId) {
        state.append(self.compiled, action);
    }

    /// Equation 5.1 of the best beginning.
    fn outcome(&self, terminal: &PartialStory) -> Outcome<Cost> {
        match terminal.best {
            Some((score, _)) => Outcome {
                cost: Cost::of_score(score),
                reward: score.clamp(0.0, 1.0),
            },
            None => Outcome {
                cost: INCOMPLETE,
                reward: 0.0,
            },
        }
    }
}

/// Lower bound on costs by the believability of the prefix: B falls with each action, and G is at
/// most 1.
pub(super) struct BelievabilityBound;

impl mcts::Bound<StoryDomain<'_>> for BelievabilityBound {
    fn lower(&self, _: &StoryDomain<'_>, state: &PartialStory) -> Option<Cost> {
        let best = state.best.map_or(0.0, |(best, _)| best);
        Some(Cost::of_score(state.believability.max(best)))
    }
}
