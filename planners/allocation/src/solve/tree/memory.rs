//! States that a tree has seen, so that it does not search below one that is no better than
//! another.

use super::SMALL_MAX;
use super::cut::Cut;
use super::rules::World;
use super::state::State;
use crate::plan::{Cost, Terms};
use crate::problem::{LEVELS_MAX, Micros};
use crate::solve::model::Load;
use mcts::Bound;
use std::cell::RefCell;

/// States that are remembered, by power of two, in groups of [`GROUP`]; some 3 MiB when all are.
const GROUPS_LOG2: u32 = 12;
const GROUP: usize = 4;

/// Same agent, at the same task, with the same tasks left.
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
    /// Which sequence of actions led there.
    path: u64,
    first: u32,
    free_us: Micros,
    load: Load,
    changes: usize,
    terms: Terms,
}

impl Seen {
    /// Whether all that can follow on `other` can follow on this as well, for no more in any term.
    fn dominates(&self, other: &Self) -> bool {
        let (a, b) = (&self.terms, &other.terms);
        // Whoever is at one task with the same tasks left can do the same; earlier is never worse,
        // and a lower first task forbids less to the agents of its class that follow.
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

/// A [`Cut`], and a memory of one tree.
///
/// A state that another one dominates that was seen before, by another path, need not be searched:
/// what is best below it is no better than what is best below the other. The other is in the tree,
/// or will be, since it was asked about; or it was closed because it could hold nothing better, and
/// then neither can this; or because a third dominates it that was seen still earlier. A state that
/// is asked about again, by the same path, is not held against itself.
pub(crate) struct Remembering<'c> {
    cut: &'c Cut,
    memory: Option<RefCell<Memory>>,
}

/// A table that takes memory as it is filled: most searches are short, and making all of it would
/// take longer than they do.
struct Memory {
    /// In the order in which their places were taken.
    seen: Vec<Seen>,
    /// By the hash of their keys.
    groups: Vec<Group>,
}

#[derive(Clone, Copy, Default)]
struct Group {
    /// Indices of states, one up; 0 for none.
    places: [u16; GROUP],
    /// Which place is taken next when none is free.
    oldest: u16,
}

impl<'c> Remembering<'c> {
    pub(crate) fn new(cut: &'c Cut, tasks: usize) -> Self {
        let wanted = tasks <= SMALL_MAX && cut.prunes();
        let memory = || {
            RefCell::new(Memory {
                seen: Vec::new(),
                groups: vec![Group::default(); 1 << GROUPS_LOG2],
            })
        };
        Self {
            cut,
            memory: wanted.then(memory),
        }
    }
}

impl Memory {
    /// Whether a state that was seen dominates this one; remembers it if not.
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

impl Bound<World<'_>> for Remembering<'_> {
    fn lower(&self, world: &World<'_>, state: &State) -> Option<Cost> {
        let lower = self.cut.lower(world, state);
        if let Some(memory) = &self.memory
            && world.agent(state).is_some()
            && memory.borrow_mut().is_dominated(&seen(state))
        {
            return Some(Cost([i64::MAX; LEVELS_MAX]));
        }
        lower
    }

    fn is_sound(&self) -> bool {
        self.cut.is_sound()
    }
}

fn seen(state: &State) -> Seen {
    let mut path = 0_u64;
    for done in &state.done {
        let step = u64::from(done.agent) << 32 | u64::from(done.task);
        path = mix(path.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ step);
    }
    Seen {
        key: Key {
            left: state.left.iter().fold(0, |set, task| set | 1 << task),
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
