//! Rules for part of all stories, and actions one by one.

use super::avoid::Avoid;
use super::code::SLOTS;
use super::index::World;
use super::{Ground, Machine};
use crate::plan::{Action, Plan};

impl Machine {
    /// The same rules, for stories without `difference` of the actions of each of these, or without
    /// all.
    pub(crate) fn avoiding(&self, stories: &[&Plan], difference: usize) -> Self {
        Self {
            avoid: Avoid::new(self, stories, difference),
            ..self.clone()
        }
    }

    /// The same rules, for what comes after `told` actions, which led to this state.
    pub(crate) fn starting(&self, init: World, told: usize) -> Self {
        Self {
            init,
            actions_max: self.actions_max.saturating_sub(told),
            ..self.clone()
        }
    }

    /// The same rules, for stories in which only these take part.
    pub(crate) fn casting(&self, cast: Vec<bool>) -> Self {
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
    pub(crate) fn ground(&self, action: &Action) -> Option<Ground> {
        let schema = self.schemas.get(action.schema)?;
        let mut slots = [0; SLOTS];
        if action.args.len() != schema.ranges.len() {
            return None;
        }
        for (slot, (arg, range)) in action.args.iter().zip(&schema.ranges).enumerate() {
            slots[slot] = u8::try_from(*arg).ok().filter(|arg| range.contains(arg))?;
        }
        Some(schema.ground(&slots))
    }

    /// Whether an action can be done.
    pub(crate) fn can(&self, world: &World, ground: Ground) -> bool {
        let mut slots = [0; SLOTS];
        let schema = &self.schemas[self.decode(ground, &mut slots)];
        let facts = &world.facts[..];
        schema.levels.is_some()
            && schema.may_happen(&slots)
            && schema.conditions.holds(facts, &mut slots)
            && schema.believability(facts, &mut slots) > 0.0
    }
}
