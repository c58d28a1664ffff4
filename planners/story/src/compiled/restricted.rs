//! Compiled domains for part of all stories, and single actions.

use super::code::SLOTS;
use super::diversity::Diversity;
use super::index::World;
use super::{ActionId, CompiledDomain};
use crate::plan::{Action, Plan};

impl CompiledDomain {
    /// The same rules, for stories without `difference` of the actions of each of these, or without
    /// all.
    pub(crate) fn with_diversity(&self, stories: &[&Plan], difference: usize) -> Self {
        Self {
            diversity: Diversity::new(self, stories, difference),
            ..self.clone()
        }
    }

    /// The same rules, for what comes after `actions_before` actions, which led to this state.
    pub(crate) fn starting_at(&self, init: World, actions_before: usize) -> Self {
        Self {
            init,
            actions_max: self.actions_max.saturating_sub(actions_before),
            ..self.clone()
        }
    }

    /// The same rules, for stories in which only these take part.
    pub(crate) fn with_cast(&self, cast: Vec<bool>) -> Self {
        Self {
            cast,
            ..self.clone()
        }
    }

    /// Whether an entity takes part.
    pub(crate) fn is_cast(&self, entity: usize) -> bool {
        self.cast.get(entity).is_none_or(|cast| *cast)
    }

    /// An action as a number. None: there is no such action.
    pub(crate) fn action_id(&self, action: &Action) -> Option<ActionId> {
        let schema = self.schemas.get(action.schema)?;
        let mut slots = [0; SLOTS];
        if action.args.len() != schema.ranges.len() {
            return None;
        }
        for (slot, (arg, range)) in action.args.iter().zip(&schema.ranges).enumerate() {
            slots[slot] = u8::try_from(*arg).ok().filter(|arg| range.contains(arg))?;
        }
        Some(schema.action_id(&slots))
    }

    /// Whether an action can be done.
    pub(crate) fn is_applicable(&self, world: &World, action_id: ActionId) -> bool {
        let mut slots = [0; SLOTS];
        let schema = &self.schemas[self.decode(action_id, &mut slots)];
        let facts = &world.facts[..];
        schema.levels.is_some()
            && schema.may_happen(&slots)
            && schema.conditions.holds(facts, &mut slots)
            && schema.believability(facts, &mut slots) > 0.0
    }
}
