//! Transposition table: states seen in a tree, which prune the states that they dominate.

use super::bound::LowerBound;
use super::domain::AllocationDomain;
use super::state::State;
use crate::plan::{Cost, Terms};
use crate::problem::{LEVELS_MAX, Micros};
use crate::solve::model::Load;
use mcts::Bound;
use std::cell::RefCell;

/// Size of the table as a power of two, in groups of [`GROUP`]; some 3 MiB when full.
const GROUPS_LOG2: u32 = 12;
const GROUP: usize = 4;

/// Agent, last task and tasks left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    left: u64,
    turn: u32,
    last: u32,
}

/// A state that was seen.
#[derive(Debug, Clone, Copy)]
struct Seen {
    key: Key,
    /// Hash of the sequence of actions to it.
    path: u64,
    first: u32,
    free_us: Micros,
    load: Load,
    changes: usize,
    terms: Terms,
}

impl Seen {
    /// Whether all continuations of `other` are feasible for this one, for no more in any term.
    fn dominates(&self, other: &Self) -> bool {
        let (a, b) = (&self.terms, &other.terms);
        // With the same last task and the same tasks left the continuations are the same. Earlier
        // is never worse, and a lower first task restricts the following agents of the class less.
        self.free_us <= other.free_us
            && (0..self.load.len()).all(|d| self.load[d] <= other.load[d])
            && self.changes <= other.changes
            && self.first.wrapping_add(1) <= other.first.wrapping_add(1)
            && a.travel_cost_micro <= b.travel_cost_micro
            && a.makespan_us <= b.makespan_us
            && a.lateness_us <= b.lateness_us
            && a.agents_used_micro <= b.agents_used_micro
    }
}

/// A [`LowerBound`] with the transposition table of one tree.
///
/// A state is pruned if another state that was seen before, by another path, dominates it: the best
/// plan below the other is no worse. The other is in the tree, or will be, since it was bounded; or
/// it was pruned because it holds nothing better, and then neither does this; or a third state that
/// was seen still earlier dominates it. A state that is bounded again by the same path does not
/// prune itself.
pub(crate) struct TranspositionBound<'c> {
    bound: &'c LowerBound,
    transpositions: Option<RefCell<TranspositionTable>>,
}

/// A table that grows as it is filled: most searches are too short to fill it.
struct TranspositionTable {
    /// States in the order of their insertion.
    seen: Vec<Seen>,
    /// By the hash of their keys.
    groups: Vec<Group>,
}

#[derive(Clone, Copy, Default)]
struct Group {
    /// Indices of states plus 1; 0 for none.
    places: [u16; GROUP],
    /// The entry to replace when none is free.
    oldest: u16,
}

impl<'c> TranspositionBound<'c> {
    pub(crate) fn new(bound: &'c LowerBound, is_small: bool) -> Self {
        let transpositions = || {
            RefCell::new(TranspositionTable {
                seen: Vec::new(),
                groups: vec![Group::default(); 1 << GROUPS_LOG2],
            })
        };
        Self {
            bound,
            transpositions: is_small.then(transpositions),
        }
    }
}

impl TranspositionTable {
    /// Whether a state that was seen dominates this one; inserts it if not.
    fn is_dominated(&mut self, new: &Seen) -> bool {
        let who = mix(u64::from(new.key.turn) << 32 | u64::from(new.key.last));
        let hash = mix(new.key.left ^ who);
        let group = &mut self.groups[(hash >> (64 - GROUPS_LOG2)) as usize];
        let taken = || group.places.iter().take_while(|&&place| place != 0);
        let alike = |seen: &&Seen| seen.key == new.key;
        let states = taken().map(|&place| &self.seen[usize::from(place) - 1]);
        let dominates = |seen: &Seen| seen.path != new.path && seen.dominates(new);
        if states.clone().filter(alike).any(dominates) {
            return true;
        }
        let useless = |seen: &Seen| seen.key == new.key && new.dominates(seen);
        let (free, useless) = (taken().count(), states.clone().position(useless));
        let place = useless.unwrap_or(if free < GROUP {
            free
        } else {
            usize::from(group.oldest)
        });
        if place == free {
            self.seen.push(*new);
            group.places[place] = u16::try_from(self.seen.len()).expect("there are fewer places");
        } else {
            if useless.is_none() {
                group.oldest = (group.oldest + 1) % GROUP as u16;
            }
            self.seen[usize::from(group.places[place]) - 1] = *new;
        }
        false
    }
}

impl Bound<AllocationDomain<'_>> for TranspositionBound<'_> {
    fn lower(&self, domain: &AllocationDomain<'_>, state: &State) -> Option<Cost> {
        let lower = self.bound.lower(domain, state);
        if let Some(transpositions) = &self.transpositions
            && domain.agent(state).is_some()
            && transpositions
                .borrow_mut()
                .is_dominated(&seen(domain, state))
        {
            return Some(Cost([i64::MAX; LEVELS_MAX]));
        }
        lower
    }

    fn is_sound(&self) -> bool {
        self.bound.is_sound()
    }
}

fn seen(domain: &AllocationDomain<'_>, state: &State) -> Seen {
    let mut path = 0_u64;
    for done in &state.done {
        let step = u64::from(done.agent) << 32 | u64::from(done.task);
        path = mix(path.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ step);
    }
    Seen {
        key: Key {
            left: state
                .left
                .iter()
                .fold(0, |set, task| set | 1 << domain.numbers[*task as usize]),
            turn: state.turn,
            last: state.last,
        },
        path,
        first: state.first,
        free_us: state.free_us,
        load: state.load,
        changes: state.changes,
        terms: state.terms,
    }
}

/// The output function of SplitMix64.
fn mix(value: u64) -> u64 {
    let z = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
