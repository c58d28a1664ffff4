//! Diversity constraints: earlier stories that a story has to be different from.

use super::{ActionId, CompiledDomain};
use crate::plan::Plan;
use std::collections::BTreeMap;

const _: () = assert!(
    crate::problem::ACTIONS_MAX <= 64,
    "the actions of a story are bits of a word"
);

/// The repeated actions of each earlier story, as bits of a word for each. Grows with a story.
pub(crate) type Repeats = Box<[u64]>;

/// Earlier stories, and how many of their actions a story may repeat.
#[derive(Debug, Clone, Default)]
pub(crate) struct Diversity {
    /// By story: the most of its actions that may be repeated.
    repeats_max: Box<[u32]>,
    /// By action: the stories that have it, and where.
    places: BTreeMap<ActionId, Vec<(u32, u64)>>,
}

impl Diversity {
    /// Requires `difference` actions of each of these stories to be missing, or all where it has
    /// fewer.
    pub(crate) fn new(compiled: &CompiledDomain, stories: &[&Plan], difference: usize) -> Self {
        let mut diversity = Self::default();
        let repeats_max = stories
            .iter()
            .map(|story| story.actions.len().saturating_sub(difference) as u32);
        diversity.repeats_max = repeats_max.collect();
        for (number, story) in stories.iter().enumerate() {
            for (place, action) in story.actions.iter().enumerate() {
                let Some(action_id) = compiled.action_id(action) else {
                    continue;
                };
                let all = diversity.places.entry(action_id).or_default();
                match all.last_mut() {
                    Some((last, bits)) if *last == number as u32 => *bits |= 1 << place,
                    _ => all.push((number as u32, 1 << place)),
                }
            }
        }
        diversity
    }

    /// The repetitions of the empty story.
    pub(crate) fn start(&self) -> Repeats {
        vec![0; self.repeats_max.len()].into()
    }

    /// Records an action. It counts at most as often as the earlier story has it.
    ///
    /// False: too much is repeated; no story with this prefix is different enough.
    pub(crate) fn record(&self, repeats: &mut [u64], action_id: ActionId) -> bool {
        let Some(places) = self.places.get(&action_id) else {
            return true;
        };
        places.iter().all(|(story, bits)| {
            let repeated = &mut repeats[*story as usize];
            let open = bits & !*repeated;
            *repeated |= open & open.wrapping_neg();
            repeated.count_ones() <= self.repeats_max[*story as usize]
        })
    }

    /// Whether an action may come next.
    pub(crate) fn allows(&self, repeats: &[u64], action_id: ActionId) -> bool {
        let Some(places) = self.places.get(&action_id) else {
            return true;
        };
        places.iter().all(|(story, bits)| {
            let repeated = repeats[*story as usize];
            let more = u32::from(bits & !repeated != 0);
            repeated.count_ones() + more <= self.repeats_max[*story as usize]
        })
    }

    /// Whether there are no such stories.
    pub(crate) fn is_empty(&self) -> bool {
        self.repeats_max.is_empty()
    }
}
