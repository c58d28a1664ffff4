//! What must hold for each story, whatever the search does.

use crate::searched::unverified;
use anytime::{Conclusion, Record};
use narrative::generate::{tiny, tiny_story};
use narrative::plan::{Change, Relaxation};
use narrative::problem::{Chooser, Objective, Source, Spec};
use narrative::solve::Params;
use narrative::{Answer, Cost, Narrative, verify};
use proptest::prelude::*;

fn found(narrative: &Narrative, iterations: u64) -> Record<Answer, Cost> {
    unverified(narrative, &Params::default(), iterations)
}

/// Every answer is verified, at its cost.
fn judge(narrative: &Narrative, found: &Record<Answer, Cost>) -> Result<(), TestCaseError> {
    for (answer, cost) in &found.offers {
        // Whether a dispatcher can follow a plan is tested with the verification.
        let verified = match answer {
            Answer::Plan(plan) => verify::strategy(narrative, plan),
            refused => verify::answer(narrative, refused),
        };
        prop_assert_eq!(verified, Ok(*cost), "{:?} {:?}", answer, narrative);
    }
    let last = found.offers.last().map(|(answer, _)| answer);
    let is_plan = matches!(last, Some(Answer::Plan(_)));
    match found.conclusion {
        Conclusion::Optimal => prop_assert!(is_plan),
        Conclusion::Infeasible => prop_assert!(!is_plan && last.is_some()),
        Conclusion::Partial(_) | Conclusion::Stopped(_) => {}
    }
    Ok(())
}

/// The narrative after a change that was offered.
fn changed(narrative: &Narrative, relaxation: &Relaxation) -> Narrative {
    let mut spec: Spec = narrative.spec().clone();
    for change in &relaxation.changes {
        match *change {
            Change::Bound { source, new_us, .. } => match source {
                Source::LinkUpper(at) => spec.links[at].upper_us = Some(new_us),
                Source::LinkLower(at) => spec.links[at].lower_us = Some(new_us),
                Source::ContingentUpper(at) => spec.contingent[at].upper_us = new_us,
                Source::ContingentLower(at) => spec.contingent[at].lower_us = new_us,
                Source::Horizon(_) => spec.horizon_us = Some(new_us),
                Source::Start(_) | Source::Happened(_) => panic!("nobody can change that"),
            },
            Change::Capacity { resource, capacity } => spec.resources[resource].capacity = capacity,
            Change::Chooser { choice } => spec.choices[choice].chooser = Chooser::System,
            Change::Offer { choice, option } => {
                spec.withheld.retain(|given| *given != (choice, option));
            }
            Change::Withhold { choice, option } => {
                spec.withheld.push((choice, option));
                spec.withheld.sort_unstable();
            }
        }
    }
    Narrative::new(spec).expect("a relaxation leaves a narrative")
}

/// A tiny story with activities in which all options happen.
fn one_storyline(seed: u64) -> Narrative {
    let mut spec = tiny_story(seed).spec().clone();
    spec.choices.clear();
    Narrative::new(spec).expect("a story needs no choices")
}

/// A tiny story in which some activities take no time, and some none of their own accord.
fn in_no_time(seed: u64, none: u8) -> Narrative {
    let mut spec = one_storyline(seed).spec().clone();
    for (at, link) in spec.contingent.iter_mut().enumerate() {
        if none >> at & 1 == 1 {
            (link.lower_us, link.upper_us) = (0, 0);
        }
    }
    for (at, activity) in spec.activities.iter().enumerate() {
        let links = spec.links.iter_mut();
        let own = links.filter(|link| (link.from, link.to) == (activity.start, activity.end));
        let forward = own.filter(|link| link.lower_us >= Some(0));
        for link in forward.filter(|_| none >> (at + 4) & 1 == 1) {
            link.lower_us = Some(0);
            link.upper_us = link.upper_us.map(|upper| upper * i64::from(none >> 7));
        }
    }
    Narrative::new(spec).expect("an activity may take no time")
}

/// Two clashes in one storyline, the other being withheld: neither needs the other.
#[test]
fn a_conflict_of_one_storyline_is_minimal_by_itself() {
    let mut spec = tiny_story(14_866_246_321_323_169_227).spec().clone();
    spec.withheld = vec![(0, 1)];
    let narrative = Narrative::new(spec).expect("the choice has another option");
    let found = found(&narrative, 20_000);
    assert!(judge(&narrative, &found).is_ok(), "{found:?}");
}

proptest! {
    #[test]
    fn activities_that_take_no_time_are_decided(seed: u64, none: u8) {
        let narrative = in_no_time(seed, none);
        let found = found(&narrative, 20_000);
        judge(&narrative, &found)?;
        prop_assert!(!matches!(found.conclusion, Conclusion::Stopped(_)), "{found:?}");
    }

    #[test]
    fn answers_about_one_storyline_are_verified_and_decided(seed: u64) {
        for narrative in [tiny(seed), one_storyline(seed)] {
            let found = found(&narrative, 20_000);
            judge(&narrative, &found)?;
            prop_assert!(!matches!(found.conclusion, Conclusion::Stopped(_)), "{found:?}");
        }
    }

    #[test]
    fn answers_about_choices_are_verified(seed: u64, withhold: bool) {
        let mut spec = tiny_story(seed).spec().clone();
        if withhold {
            let choices = spec.choices.iter().enumerate();
            let one = |given: usize| (seed % given as u64) as usize;
            spec.withheld = choices.map(|(at, given)| (at, one(given.options.len()))).collect();
        }
        let narrative = Narrative::new(spec).expect("each choice has another option");
        judge(&narrative, &found(&narrative, 20_000))?;
    }

    #[test]
    fn relaxations_help(seed: u64) {
        let narrative = one_storyline(seed);
        let first = found(&narrative, 20_000);
        let mut looked = 0;
        if let Some((Answer::Infeasible { relaxations, .. }, _)) = first.offers.last() {
            looked += relaxations.len();
            for relaxation in relaxations {
                prop_assert!(relaxation.plan.is_some(), "{:?}", relaxation);
                let other = changed(&narrative, relaxation);
                let again = found(&other, 20_000);
                judge(&other, &again)?;
                prop_assert_eq!(again.conclusion, Conclusion::Optimal, "{:?}", relaxation);
            }
        }
        prop_assume!(looked > 0, "nothing to relax");
    }

    #[test]
    fn better_plans_are_verified_too(seed: u64, makespan in 0_u32..3, slack in 0_u32..3) {
        let mut spec = one_storyline(seed).spec().clone();
        spec.objective = Objective { makespan, slack, idle: 0 };
        let narrative = Narrative::new(spec).expect("an objective changes nothing else");
        judge(&narrative, &found(&narrative, 5_000))?;
    }

    #[test]
    fn the_same_question_has_the_same_answer(seed: u64, iterations in 0_u64..20) {
        let narrative = tiny_story(seed);
        prop_assert_eq!(found(&narrative, iterations), found(&narrative, iterations));
    }
}
