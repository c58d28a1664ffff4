//! What agents can do: names become bits.

use crate::mistakes::{Code, Mistakes};
use anytime::Path;
use std::collections::HashMap;

/// Most different skills in a problem: they are bits of one word.
const SKILLS_MAX: usize = u64::BITS as usize;

/// The skills seen so far.
#[derive(Default)]
pub(super) struct Skills {
    names: Vec<String>,
    index: HashMap<String, usize>,
}

impl Skills {
    /// The set of these skills. Naming one twice changes nothing.
    pub(super) fn bits(&mut self, given: Vec<String>, at: &Path<'_>, wrong: &mut Mistakes) -> u64 {
        let mut bits = 0;
        for (i, name) in given.into_iter().enumerate() {
            let at = at.index(i);
            wrong.visible(&at, &name);
            bits |= self.bit(name, &at, wrong);
        }
        bits
    }

    fn bit(&mut self, name: String, at: &Path<'_>, wrong: &mut Mistakes) -> u64 {
        if let Some(index) = self.index.get(&name) {
            return 1 << index;
        }
        let index = self.names.len();
        if index == SKILLS_MAX {
            let why = format!("is one more than the {SKILLS_MAX} different skills of a problem");
            wrong.add(at, Code::TooMany, why);
            return 0;
        }
        self.names.push(name.clone());
        self.index.insert(name, index);
        1 << index
    }

    pub(super) fn into_names(self) -> Vec<String> {
        self.names
    }
}
