//! The best of all stories of a domain.

use std::collections::BTreeMap;
use story::play::Rules;
use story::{Play, Problem};

/// The best score of all stories: level by level, each state with the highest believability that
/// leads there. None: more states in a level than `states_max`.
pub(crate) fn best_within(problem: &Problem, states_max: usize) -> Option<f64> {
    let rules = Rules::new(problem);
    let start = Play::new(&rules);
    let mut best = start.score();
    let mut level = BTreeMap::from([(start.facts().to_vec(), start)]);
    for _ in 0..problem.actions_max() {
        let mut next: BTreeMap<Vec<i16>, Play<'_>> = BTreeMap::new();
        for mut play in level.into_values() {
            for choice in 0..play.choices() {
                let mut after = play.clone();
                after.act(choice);
                best = best.max(after.score());
                let old = next.get(after.facts());
                if old.is_none_or(|old| old.believability() < after.believability()) {
                    next.insert(after.facts().to_vec(), after);
                }
            }
        }
        if next.len() > states_max {
            return None;
        }
        level = next;
    }
    Some(best)
}
