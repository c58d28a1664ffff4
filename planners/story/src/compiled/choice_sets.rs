//! Applicable actions as sets: random stories count and pick actions without listing them.

use super::code::{SLOTS, Slots, Writes};
use super::index::World;
use super::{ActionId, CompiledDomain, CompiledSchema, join};
use crate::problem::PARAMS_MAX;

/// Actions of a schema that can be done and that differ in one parameter only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChoiceSet {
    schema: u16,
    /// Which parameter; past the last one: none.
    slot: u8,
    /// The entity of the lowest bit.
    start: u8,
    /// The other parameters.
    args: [u8; PARAMS_MAX],
    /// What that one may be.
    bits: u64,
}

impl CompiledDomain {
    /// Appends the actions that can be done, in the same order, as sets; returns their number.
    pub(crate) fn choice_sets(&self, world: &World, out: &mut Vec<ChoiceSet>) -> usize {
        let mut slots = [0; SLOTS];
        let mut count = 0;
        for (index, schema) in self.schemas.iter().enumerate() {
            let Some(levels) = &schema.levels else {
                continue;
            };
            let free = schema.forbidden.is_empty() && !schema.may_be_zero;
            join::visit_bunches(levels, world, &mut slots, &mut |slots, set| {
                let (slot, start, mut bits) = match set {
                    Some(set) => (set.slot, set.start, set.bits),
                    None => (SLOTS as u8 - 1, 0, 1),
                };
                let mut left = if free { 0 } else { bits };
                while left != 0 {
                    slots[slot as usize] = start + left.trailing_zeros() as u8;
                    let can = schema.may_happen(slots)
                        && schema.believability(&world.facts[..], slots) > 0.0;
                    let lowest = left & left.wrapping_neg();
                    left &= !lowest;
                    bits = if can { bits } else { bits & !lowest };
                }
                if bits != 0 {
                    count += bits.count_ones() as usize;
                    let mut args = [0; PARAMS_MAX];
                    args.copy_from_slice(&slots[..PARAMS_MAX]);
                    out.push(ChoiceSet {
                        schema: index as u16,
                        slot,
                        start,
                        args,
                        bits,
                    });
                }
            });
        }
        count
    }

    /// The schema of a choice; its parameters go into `slots`.
    #[inline]
    fn locate(
        &self,
        all: &[ChoiceSet],
        mut index: usize,
        slots: &mut Slots,
    ) -> Option<&CompiledSchema> {
        for set in all {
            let count = set.bits.count_ones() as usize;
            if index < count {
                let mut bits = set.bits;
                (0..index).for_each(|_| bits &= bits - 1);
                slots[..PARAMS_MAX].copy_from_slice(&set.args);
                slots[set.slot as usize] = set.start + bits.trailing_zeros() as u8;
                return Some(&self.schemas[set.schema as usize]);
            }
            index -= count;
        }
        None
    }

    /// The action of this number among some choices. None: the number is too large.
    pub(crate) fn nth_action(&self, all: &[ChoiceSet], index: usize) -> Option<ActionId> {
        let mut slots = [0; SLOTS];
        let schema = self.locate(all, index, &mut slots);
        schema.map(|schema| schema.action_id(&slots))
    }

    /// Does the action of this number among some choices and returns how believable it was. None:
    /// the number is too large.
    pub(crate) fn apply_choice(
        &self,
        world: &mut World,
        writes: &mut Writes,
        all: &[ChoiceSet],
        index: usize,
    ) -> Option<f64> {
        let mut slots = [0; SLOTS];
        let schema = self.locate(all, index, &mut slots)?;
        Some(self.perform(world, writes, schema, &mut slots))
    }
}
