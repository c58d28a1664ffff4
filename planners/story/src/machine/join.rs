//! The order in which the parameters of a schema are bound, so that few choices are looked at.

use super::code::{Slots, Small, Truth};
use super::index::{self, Index, Mask, World};
use super::uses::Uses;
use std::ops::Range;

/// One parameter to bind, and what can be checked once it is.
#[derive(Debug, Clone)]
pub(super) struct Level {
    slot: usize,
    range: Range<u8>,
    /// The only entity that comes into question.
    only: Option<Small>,
    /// Where the type is small enough: the set of those that come into question is the intersection of these.
    masks: Option<Box<[Mask]>>,
    /// What else has to hold.
    checks: Box<[Truth]>,
}

/// Levels for parameters of these ranges under these conditions. None: they never hold.
///
/// Greedy: first whatever is determined by what is bound; then what determines most others; then the
/// smallest type; then the lower index.
pub(super) fn levels(
    index: &Index,
    ranges: &[Range<u8>],
    conditions: &Truth,
) -> Option<Vec<Level>> {
    let parts: &[Truth] = match conditions {
        Truth::All(parts) => parts,
        one => std::slice::from_ref(one),
    };
    if parts.contains(&Truth::Const(false)) {
        return None;
    }
    let mut bound = vec![false; ranges.len()];
    let mut used = vec![false; parts.len()];
    let mut levels: Vec<Level> = Vec::new();
    while levels.len() < ranges.len() {
        let free = (0..ranges.len()).filter(|slot| !bound[*slot]);
        let next = free.min_by_key(|&slot| {
            let determined = determined(parts, slot, &bound).is_some();
            let reach = follow(parts, &bound, slot);
            (!determined, usize::MAX - reach, ranges[slot].len(), slot)
        });
        let Some(slot) = next else { break };
        let only = determined(parts, slot, &bound);
        if let Some((part, _)) = only {
            used[part] = true;
        }
        bound[slot] = true;
        let (mut checks, mut masks) = (Vec::new(), Vec::new());
        let start = ranges[slot].start;
        let small = ranges[slot].len() <= 64;
        masks.push(Mask::Const(
            u64::MAX >> (64 - ranges[slot].len().clamp(1, 64)),
        ));
        for (i, part) in parts.iter().enumerate() {
            if !used[i] && slots_of(part, ranges.len()).iter().all(|s| bound[*s]) {
                used[i] = true;
                match index.mask(part, slot as u8, start).filter(|_| small) {
                    Some(mask) => masks.push(mask),
                    None => checks.push(part.clone()),
                }
            }
        }
        levels.push(Level {
            slot,
            range: ranges[slot].clone(),
            only: only.map(|(_, only)| only),
            masks: (small && !ranges[slot].is_empty()).then(|| masks.into()),
            checks: checks.into(),
        });
    }
    Some(levels)
}

fn slots_of(truth: &Truth, count: usize) -> Vec<usize> {
    let mut uses = Uses::default();
    uses.truth(truth);
    uses.free(count)
}

/// The condition that says what a parameter is, given those that are bound, and what it says.
fn determined(parts: &[Truth], slot: usize, bound: &[bool]) -> Option<(usize, Small)> {
    parts.iter().enumerate().find_map(|(i, part)| {
        let small = match part {
            Truth::FactSlot(place, s, true) if *s as usize == slot => Small::Fact(*place),
            Truth::Slots(a, b, true) if *a as usize == slot => Small::Slot(*b),
            Truth::Slots(a, b, true) if *b as usize == slot => Small::Slot(*a),
            Truth::Smalls(sides, true) => match &**sides {
                (Small::Slot(s), other) | (other, Small::Slot(s)) if *s as usize == slot => {
                    other.clone()
                }
                _ => return None,
            },
            _ => return None,
        };
        let mut uses = Uses::default();
        uses.small(&small);
        let free = uses.free(bound.len());
        free.iter().all(|s| bound[*s]).then_some((i, small))
    })
}

/// How many parameters are determined one after the other once this one is bound.
fn follow(parts: &[Truth], bound: &[bool], slot: usize) -> usize {
    let mut bound = bound.to_vec();
    bound[slot] = true;
    let mut count = 0;
    while let Some(next) =
        (0..bound.len()).find(|s| !bound[*s] && determined(parts, *s, &bound).is_some())
    {
        bound[next] = true;
        count += 1;
    }
    count
}

/// Goes through all choices of parameters whose conditions hold.
pub(super) fn visit(
    levels: &[Level],
    world: &World,
    slots: &mut Slots,
    found: &mut impl FnMut(&mut Slots),
) {
    let Some((level, rest)) = levels.split_first() else {
        found(slots);
        return;
    };
    let Some(masks) = &level.masks else {
        return try_all((level, rest), world, slots, found);
    };
    let start = level.range.start;
    let mut bits = match &level.only {
        None => u64::MAX,
        Some(small) => index::only(small, world, slots, start),
    };
    for mask in masks {
        bits &= mask.bits(world, slots);
    }
    while bits != 0 {
        slots[level.slot] = start + bits.trailing_zeros() as u8;
        bits &= bits - 1;
        if level
            .checks
            .iter()
            .all(|check| check.holds(&world.facts[..], slots))
        {
            visit(rest, world, slots, found);
        }
    }
}

/// The same for a type that is too large to be indexed.
fn try_all(
    (level, rest): (&Level, &[Level]),
    world: &World,
    slots: &mut Slots,
    found: &mut impl FnMut(&mut Slots),
) {
    let range = match &level.only {
        None => level.range.clone(),
        Some(only) => {
            let only = only.value(&world.facts[..], slots);
            // Null is nobody.
            if only < 0 || !level.range.contains(&(only as u8)) {
                return;
            }
            only as u8..only as u8 + 1
        }
    };
    for entity in range {
        slots[level.slot] = entity;
        if level
            .checks
            .iter()
            .all(|check| check.holds(&world.facts[..], slots))
        {
            visit(rest, world, slots, found);
        }
    }
}
