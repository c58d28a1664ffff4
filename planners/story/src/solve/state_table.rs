//! Hash table of states (the keys of a transposition table), and the plans that lead to them.

use crate::compiled::{ActionId, CompiledDomain};
use crate::plan::Plan;

/// No node, no parent.
pub(super) const NONE: u32 = u32::MAX;

/// The plan that leads to a node. `step` returns the parent of a node, and the action from there;
/// the first node has no parent.
pub(super) fn plan_to(
    compiled: &CompiledDomain,
    node: u32,
    step: impl Fn(u32) -> (u32, ActionId),
) -> Plan {
    let mut actions = Vec::new();
    let (mut parent, mut action_id) = step(node);
    while parent != NONE {
        actions.push(compiled.action(action_id));
        (parent, action_id) = step(parent);
    }
    actions.reverse();
    Plan { actions }
}

/// States, numbered in the order in which they were found.
pub(super) struct StateTable {
    width: usize,
    facts: Vec<i16>,
    /// Open addressing: number of the state plus one, or 0.
    table: Vec<u32>,
    count: usize,
}

impl StateTable {
    pub(super) fn new(width: usize) -> Self {
        Self {
            width,
            facts: Vec::new(),
            table: vec![0; 1 << 10],
            count: 0,
        }
    }

    /// The facts of a state.
    pub(super) fn facts(&self, state: u32) -> &[i16] {
        let start = state as usize * self.width;
        &self.facts[start..start + self.width]
    }

    /// The number of a state, and whether it is new.
    pub(super) fn insert(&mut self, facts: &[i16]) -> (u32, bool) {
        let slot = self.slot(facts);
        if self.table[slot] > 0 {
            return (self.table[slot] - 1, false);
        }
        let state = self.count as u32;
        self.count += 1;
        self.facts.extend_from_slice(facts);
        self.table[slot] = state + 1;
        if self.count * 2 > self.table.len() {
            self.grow();
        }
        (state, true)
    }

    /// Where a state is in the table, or would be.
    fn slot(&self, facts: &[i16]) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash(facts) as usize & mask;
        while self.table[slot] > 0 && self.facts(self.table[slot] - 1) != facts {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let length = self.table.len() * 2;
        self.table = vec![0; length];
        for state in 0..self.count as u32 {
            let mut slot = hash(self.facts(state)) as usize & (length - 1);
            while self.table[slot] > 0 {
                slot = (slot + 1) & (length - 1);
            }
            self.table[slot] = state + 1;
        }
    }
}

/// The same on every machine and in every run.
fn hash(facts: &[i16]) -> u64 {
    let mut hash = 0_u64;
    for four in facts.chunks(4) {
        let word = four
            .iter()
            .fold(0, |word, fact| word << 16 | u64::from(*fact as u16));
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    hash ^ hash >> 32
}
