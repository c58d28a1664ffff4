//! Bounds of stories with choices and durations that others pick: no plan, however it is found, is
//! below them.

use crate::searched::searched;
use anytime::{Conclusion, Record};
use narrative::generate::{choices, tiny_story};
use narrative::problem::{Chooser, Objective, Spec};
use narrative::solve::Params;
use narrative::{Answer, Cost, Narrative, verify};
use proptest::prelude::*;

fn heard(narrative: &Narrative, iterations: u64) -> Record<Answer, Cost> {
    searched(narrative, &Params::default(), iterations)
}

fn changed(narrative: &Narrative, change: impl Fn(&mut Spec)) -> Narrative {
    let mut spec = narrative.spec().clone();
    change(&mut spec);
    Narrative::new(spec).expect("the story still is valid")
}

/// What plans of the story cost that are found within each horizon, one by one.
fn other_costs(narrative: &Narrative) -> Vec<Cost> {
    let mut all = Vec::new();
    for horizon in 0..=narrative.spec().horizon_us.unwrap_or(0) {
        let shorter = changed(narrative, |spec| {
            spec.horizon_us = Some(horizon);
            spec.objective = Objective::default();
        });
        let heard = heard(&shorter, 10_000);
        let Some((answer, _)) = heard.offers.last() else {
            continue;
        };
        // Moments are others within a horizon, so that not all of these are plans of the story as
        // given.
        let cost = verify::answer(narrative, answer);
        all.extend(cost.ok().filter(|cost| matches!(cost, Cost::Weighted(_))));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_plan_of_a_tiny_story_is_below_a_bound(seed in any::<u64>(), kind in 0..3) {
        let objective = match kind {
            0 => Objective::makespan(2),
            1 => Objective { slack: 1, ..Objective::default() },
            _ => Objective { makespan: 1, slack: 3, ..Objective::default() },
        };
        let narrative = changed(&tiny_story(seed), |spec| spec.objective = objective.clone());
        let heard = heard(&narrative, 10_000);
        let best = heard.cost();
        prop_assume!(matches!(best, Some(Cost::Weighted(_))), "no plan");
        let bound = heard.bound();
        prop_assert!(bound <= best);
        let found = other_costs(&narrative);
        prop_assert!(found.iter().all(|cost| Some(*cost) >= bound));
        if heard.conclusion == Conclusion::Optimal {
            prop_assert!(found.iter().all(|cost| Some(*cost) >= best));
        }
    }
}

#[test]
fn most_stories_with_a_choice_are_proved_shortest() {
    let mut proved = [0, 0];
    for seed in 0..30 {
        let chooser = [Chooser::System, Chooser::Player][seed as usize % 2];
        let narrative = changed(&choices(seed, chooser, 2), |spec| {
            spec.objective.makespan = 1;
        });
        let heard = heard(&narrative, 5_000);
        if matches!(heard.cost(), Some(Cost::Weighted(_))) {
            proved[usize::from(heard.conclusion == Conclusion::Optimal)] += 1;
            assert!(!heard.bounds.is_empty());
        }
    }
    assert!(proved[1] > 2 * proved[0], "{proved:?}");
}
