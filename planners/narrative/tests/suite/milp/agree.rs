//! Agreement with the other strategy on tiny stories.

use super::{found, verdict};
use anytime::Conclusion;
use narrative::generate::{tiny, tiny_story};
use narrative::problem::{Activity, Demand, Link, Objective, Resource};
use narrative::solve::Strategy;
use narrative::{Answer, Narrative};
use proptest::prelude::*;

/// A tiny story with activities in which all options happen.
fn one_storyline(seed: u64) -> Narrative {
    let mut spec = tiny_story(seed).spec().clone();
    spec.choices.clear();
    Narrative::new(spec).expect("a story needs no choices")
}

/// A tiny story in which all options happen, with more activities than it has, many of which may
/// take no time, and little of what they need.
fn crowded(seed: u64) -> Narrative {
    let mut spec = one_storyline(seed).spec().clone();
    let mut bits = seed;
    let mut pick = |of: u64| {
        let picked = bits % of;
        bits = bits.rotate_right(7).wrapping_mul(6_364_136_223_846_793_005) ^ seed;
        picked
    };
    let capacity = 1 + u32::from(pick(4) == 0);
    spec.resources = vec![Resource { capacity }; 2];
    for link in &mut spec.links {
        if pick(2) == 0 && link.lower_us < Some(0) && link.upper_us >= Some(0) {
            link.lower_us = Some(0);
        }
    }
    let links = spec.links.iter().filter(|link| is_waiting(link));
    let links = links.map(|link| (link.from, link.to));
    let lasting = spec.contingent.iter().map(|link| (link.from, link.to));
    let ends: Vec<_> = links.chain(lasting).collect();
    let activities = (0..2 + pick(4)).map(|_| {
        let (start, end) = ends[pick(ends.len() as u64) as usize];
        let demands = (0..2).filter_map(|resource| {
            let consumed = pick(4) == 0;
            (pick(3) > 0).then_some(Demand {
                resource,
                amount: 1,
                consumed,
            })
        });
        let demands = demands.collect();
        Activity::new(start, end, demands)
    });
    spec.activities = activities.collect();
    Narrative::new(spec).expect("activities are between events of links")
}

/// A tiny story in which all options happen, with an objective.
fn aiming(seed: u64, objective: Objective) -> Narrative {
    let mut spec = one_storyline(seed).spec().clone();
    spec.objective = objective;
    Narrative::new(spec).expect("an objective changes nothing else")
}

fn soon(seed: u64) -> Narrative {
    let objective = Objective::makespan(2);
    aiming(seed, objective)
}

fn slack(seed: u64) -> Narrative {
    let objective = Objective {
        slack: 3,
        ..Objective::default()
    };
    aiming(seed, objective)
}

#[test]
fn what_takes_no_time_hands_on_in_one_direction() {
    // Two scenes at one moment had handed a room to each other, which neither had from anybody.
    let seed = 18_158_727_852_308_187_341;
    agree_on_one(&one_storyline(seed)).expect("both say the same");
    agree_on_the_best(&slack(seed)).expect("both say the same");
    agree_on_the_best(&soon(9_996_978_117_014_503_272)).expect("both say the same");
}

#[test]
fn what_takes_no_time_may_be_before_each_other() {
    // The third comes after both of two scenes at one moment: each of these orders was held to rule
    // out the other.
    let narrative = tiny_story(15_949_299_113_589_346_076);
    for strategy in [Strategy::Auto, Strategy::Milp] {
        assert_eq!(verdict(&found(&narrative, strategy)), Some(true));
    }
}

proptest! {
    #[test]
    fn both_say_the_same_about_one_storyline(seed: u64) {
        for narrative in [tiny(seed), one_storyline(seed)] {
            agree_on_one(&narrative)?;
        }
    }

    #[test]
    fn both_say_the_same_where_much_is_at_one_moment(seed: u64) {
        agree_on_one(&crowded(seed))?;
    }

    #[test]
    fn neither_contradicts_the_other_about_choices(seed: u64) {
        let narrative = tiny_story(seed);
        let [auto, milp] = [Strategy::Auto, Strategy::Milp].map(|s| found(&narrative, s));
        let (auto, milp) = (verdict(&auto), verdict(&milp));
        prop_assume!(auto.is_some() && milp.is_some(), "not decided");
        prop_assert_eq!(auto, milp, "{:?}", narrative);
    }

    #[test]
    fn both_find_the_least_makespan(seed: u64) {
        agree_on_the_best(&soon(seed))?;
    }

    #[test]
    fn both_find_the_largest_slack(seed: u64) {
        agree_on_the_best(&slack(seed))?;
    }

    #[test]
    fn nothing_is_better_than_a_proved_mixture(
        seed: u64,
        forked: bool,
        makespan in 0_u32..3,
        slack in 0_u32..3,
        idle in 0_u32..3,
    ) {
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

/// Both know whether there is a plan.
fn agree_on_one(narrative: &Narrative) -> Result<(), TestCaseError> {
    let [auto, milp] = [Strategy::Auto, Strategy::Milp].map(|s| found(narrative, s));
    prop_assert!(verdict(&milp).is_some(), "{:?} {narrative:?}", milp.1);
    prop_assert_eq!(verdict(&auto), verdict(&milp), "{:?}", narrative);
    Ok(())
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
