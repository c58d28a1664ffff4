//! Stories that a story has to be different from.

use super::{Ground, Machine};
use crate::plan::Plan;
use std::collections::BTreeMap;

const _: () = assert!(
    crate::problem::ACTIONS_MAX <= 64,
    "the actions of a story are bits of a word"
);

/// The actions of each earlier story that are done again: a word for each story. Grows with a
/// story.
pub(crate) type Again = Box<[u64]>;

/// Stories that a story has to be different from, and what of them may be told again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Avoid {
    /// By story: how many of its actions may be told again.
    most: Box<[u32]>,
    /// By action: the stories that have it, and where.
    places: BTreeMap<Ground, Vec<(u32, u64)>>,
}

impl Avoid {
    /// Requires `difference` actions of each of these stories to be missing, or all where it has
    /// fewer.
    pub(crate) fn new(machine: &Machine, stories: &[&Plan], difference: usize) -> Self {
        let mut avoid = Self::default();
        let most = stories
            .iter()
            .map(|story| story.actions.len().saturating_sub(difference) as u32);
        avoid.most = most.collect();
        for (number, story) in stories.iter().enumerate() {
            for (place, action) in story.actions.iter().enumerate() {
                let Some(ground) = machine.ground(action) else {
                    continue;
                };
                let all = avoid.places.entry(ground).or_default();
                match all.last_mut() {
                    Some((last, bits)) if *last == number as u32 => *bits |= 1 << place,
                    _ => all.push((number as u32, 1 << place)),
                }
            }
        }
        avoid
    }

    /// Before anything is told.
    pub(crate) fn start(&self) -> Again {
        vec![0; self.most.len()].into()
    }

    /// Notes an action. Of one that is told more than once as many count as the earlier story has.
    ///
    /// False: too much is told again; no story that goes on like this is different enough.
    pub(crate) fn tell(&self, again: &mut [u64], ground: Ground) -> bool {
        let Some(places) = self.places.get(&ground) else {
            return true;
        };
        places.iter().all(|(story, bits)| {
            let told = &mut again[*story as usize];
            let open = bits & !*told;
            *told |= open & open.wrapping_neg();
            told.count_ones() <= self.most[*story as usize]
        })
    }

    /// Whether an action may come next.
    pub(crate) fn allows(&self, again: &[u64], ground: Ground) -> bool {
        let Some(places) = self.places.get(&ground) else {
            return true;
        };
        places.iter().all(|(story, bits)| {
            let told = again[*story as usize];
            let more = u32::from(bits & !told != 0);
            told.count_ones() + more <= self.most[*story as usize]
        })
    }

    /// Whether there are no such stories.
    pub(crate) fn is_empty(&self) -> bool {
        self.most.is_empty()
    }
}
