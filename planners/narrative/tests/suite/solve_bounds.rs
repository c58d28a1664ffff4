//! Bounds of stories with choices and durations that others pick: no plan, however it is found, is
//! below them.

use anytime::{Conclusion, Control, Limits, Offer, Sink};
use narrative::generate::{choices, tiny_story};
use narrative::problem::{Chooser, Objective, Spec};
use narrative::solve::{Params, solve};
use narrative::{Answer, Cost, Narrative, verify};
use proptest::prelude::*;

#[derive(Default)]
struct Ear {
    answers: Vec<(Answer, Cost)>,
    bounds: Vec<(Cost, &'static str)>,
}

impl Sink<Answer, Cost> for Ear {
    fn offer(&mut self, offer: Offer<'_, Answer, Cost>) {
        self.answers.push((offer.plan.clone(), offer.cost));
    }

    fn bound(&mut self, bound: Cost, method: &'static str) {
        self.bounds.push((bound, method));
    }
}

fn heard(narrative: &Narrative, iterations: u64) -> (Ear, Conclusion) {
    let mut ear = Ear::default();
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut ear);
    let conclusion = solve(narrative, &Params::default(), &mut control);
    let conclusion = conclusion.expect("the strategy is built in");
    for (answer, cost) in &ear.answers {
        assert_eq!(verify::answer(narrative, answer), Ok(*cost));
    }
    (ear, conclusion)
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
        let (ear, _) = heard(&shorter, 10_000);
        let Some((answer, _)) = ear.answers.last() else {
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
            0 => Objective { makespan: 2, ..Objective::default() },
            1 => Objective { slack: 1, ..Objective::default() },
            _ => Objective { makespan: 1, slack: 3, ..Objective::default() },
        };
        let narrative = changed(&tiny_story(seed), |spec| spec.objective = objective.clone());
        let (ear, conclusion) = heard(&narrative, 10_000);
        let best = ear.answers.last().map(|(_, cost)| *cost);
        prop_assume!(matches!(best, Some(Cost::Weighted(_))), "no plan");
        let bound = ear.bounds.last().map(|(bound, _)| *bound);
        prop_assert!(bound <= best);
        let found = other_costs(&narrative);
        prop_assert!(found.iter().all(|cost| Some(*cost) >= bound));
        if conclusion == Conclusion::Optimal {
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
        let (ear, conclusion) = heard(&narrative, 5_000);
        if matches!(ear.answers.last(), Some((_, Cost::Weighted(_)))) {
            proved[usize::from(conclusion == Conclusion::Optimal)] += 1;
            assert!(!ear.bounds.is_empty());
        }
    }
    assert!(proved[1] > 2 * proved[0], "{proved:?}");
}
