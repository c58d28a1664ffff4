//! Agreement with the other strategy on tiny stories.

use super::{found, verdict};
use anytime::Conclusion;
use narrative::generate::{tiny, tiny_story};
use narrative::problem::{Link, Objective};
use narrative::solve::Strategy;
use narrative::{Answer, Narrative};
use proptest::prelude::*;

/// A tiny story with activities in which all options happen.
fn one_storyline(seed: u64) -> Narrative {
    let mut spec = tiny_story(seed).spec().clone();
    spec.choices.clear();
    Narrative::new(spec).expect("a story needs no choices")
}

proptest! {
    #[test]
    fn both_say_the_same_about_one_storyline(seed: u64) {
        for narrative in [tiny(seed), one_storyline(seed)] {
            let [auto, milp] = [Strategy::Auto, Strategy::Milp].map(|s| found(&narrative, s));
            prop_assert!(verdict(&milp).is_some(), "{:?} {narrative:?}", milp.1);
            prop_assert_eq!(verdict(&auto), verdict(&milp), "{:?}", narrative);
        }
    }

    #[test]
    fn neither_contradicts_the_other_about_choices(seed: u64) {
        let narrative = tiny_story(seed);
        let [auto, milp] = [Strategy::Auto, Strategy::Milp].map(|s| found(&narrative, s));
        if let Some((auto, milp)) = verdict(&auto).zip(verdict(&milp)) {
            prop_assert_eq!(auto, milp, "{:?}", narrative);
        }
    }

    #[test]
    fn both_find_the_least_makespan(seed: u64) {
        let mut spec = one_storyline(seed).spec().clone();
        spec.objective.makespan = 2;
        agree_on_the_best(&Narrative::new(spec).expect("an objective changes nothing else"))?;
    }

    #[test]
    fn both_find_the_largest_slack(seed: u64) {
        let mut spec = one_storyline(seed).spec().clone();
        spec.objective.slack = 3;
        agree_on_the_best(&Narrative::new(spec).expect("an objective changes nothing else"))?;
    }

    #[test]
    fn nothing_is_better_than_a_proved_mixture(seed: u64, forked: bool, makespan in 0_u32..3, slack in 0_u32..3, idle in 0_u32..3) {
        let narrative = if forked { tiny_story(seed) } else { one_storyline(seed) };
        let mut spec = narrative.spec().clone();
        spec.waiting = (0..spec.links.len()).filter(|at| is_waiting(&spec.links[*at])).collect();
        spec.objective = Objective { makespan, slack, idle };
        let narrative = Narrative::new(spec).expect("an objective changes nothing else");
        let [auto, milp] = [Strategy::Auto, Strategy::Milp].map(|s| found(&narrative, s));
        if milp.1 == Ok(Conclusion::Optimal) && verdict(&auto) == Some(true) {
            prop_assert!(milp.0.last().map(|last| last.1) <= auto.0.last().map(|last| last.1));
        }
        if auto.1 == Ok(Conclusion::Optimal) && verdict(&milp) == Some(true) {
            prop_assert!(auto.0.last().map(|last| last.1) <= milp.0.last().map(|last| last.1));
        }
    }
}

fn is_waiting(link: &Link) -> bool {
    link.lower_us.is_some_and(|lower| lower >= 0)
}

/// Both prove the same cost, or that there is no plan.
fn agree_on_the_best(narrative: &Narrative) -> Result<(), TestCaseError> {
    let [auto, milp] = [Strategy::Auto, Strategy::Milp].map(|s| found(narrative, s));
    prop_assert_eq!(&auto.1, &milp.1, "{:?}", narrative);
    let cost = |found: &super::Found| {
        found
            .0
            .last()
            .map(|(answer, cost)| matches!(answer, Answer::Plan(_)).then_some(*cost))
    };
    prop_assert_eq!(cost(&auto), cost(&milp), "{:?}", narrative);
    Ok(())
}
