//! Whether stories that are said to have no plan have one by strands.

use crate::generate::{choices, tiny_story};
use crate::problem::{
    Activity, Choice, Chooser, Demand, Link, Micros, Node, Resource, STRANDS_MAX, Spec, Start,
};
use crate::solve::{Detail, Params, solve};
use crate::{Answer, Cost, Narrative, verify};
use anytime::{Conclusion, Control, Limits};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const MINUTE_US: Micros = 60_000_000;

/// The last answer of a search, verified.
fn answer(
    narrative: &Narrative,
    search: &dyn Fn(&mut Control<'_, Answer, Cost>) -> Option<Conclusion>,
) -> (Option<Answer>, Option<Conclusion>) {
    let mut last = None;
    let mut sink = |answer: &Answer, cost: Cost| {
        assert_eq!(verify::answer(narrative, answer), Ok(cost));
        last = Some(answer.clone());
    };
    let mut control = Control::new(Limits::iterations(2_000), 1, &mut sink);
    let conclusion = search(&mut control);
    (last, conclusion)
}

fn solved(narrative: &Narrative, detail: Detail) -> (Option<Answer>, Option<Conclusion>) {
    let params = Params {
        detail,
        ..Params::default()
    };
    answer(narrative, &|control| {
        solve(narrative, &params, control).ok()
    })
}

/// Whether there is a plan by strands.
fn has_strands(narrative: &Narrative) -> bool {
    let by_strands = answer(narrative, &|control| {
        super::planned(narrative, Detail::NONE, control).ok()
    });
    matches!(by_strands.0, Some(Answer::Plan(_)))
}

/// Groups that start some time apart.
fn groups(spec: &Spec, count: i64, apart_us: Micros) -> Spec {
    let starts = (0..count).map(|group| Start {
        offset_us: group * apart_us,
    });
    spec.copies(&starts.collect::<Vec<_>>())
}

/// What depends on the first choice has happened long before the second, for which the next group's
/// first choice would have to wait.
fn out_of_turn(chooser: Chooser) -> Spec {
    let link = |from: Node, to: Node, minutes: Micros| Link {
        from,
        to,
        lower_us: Some(minutes * MINUTE_US),
        upper_us: Some(minutes * MINUTE_US),
    };
    let [a, l, r, e, u, v] = [1, 2, 3, 4, 5, 6];
    Spec {
        events: 6,
        links: vec![
            link(0, a, 10),
            link(a, l, 1),
            link(a, r, 1),
            link(l, e, 2),
            link(r, e, 4),
            link(a, u, 40),
            link(a, v, 40),
        ],
        choices: vec![
            Choice::new(chooser, vec![vec![l], vec![r]]),
            Choice::new(chooser, vec![vec![u], vec![v]]),
        ],
        ..Spec::default()
    }
}

#[test]
fn groups_whose_choices_need_not_wait_for_each_other_are_planned_by_strands() {
    for shrink in [false, true] {
        let spec = groups(&out_of_turn(Chooser::Player), 2, 20 * MINUTE_US);
        let narrative = Narrative::new(spec).expect("it is valid");
        assert!(has_strands(&narrative));
        let detail = Detail {
            shrink,
            ..Detail::NONE
        };
        match solved(&narrative, detail) {
            (Some(Answer::Plan(_)), Some(Conclusion::Optimal)) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// Eight groups with 16 strands each.
fn random_groups(first_by: Option<Micros>) -> Narrative {
    let mut spec = Spec {
        events: 8,
        ..Spec::default()
    };
    for choice in 0..4 {
        let options = [2 * choice + 1, 2 * choice + 2];
        let time_us = (choice as Micros + 1) * 10 * MINUTE_US;
        spec.links
            .extend(options.map(|option| Link::new(0, option, time_us, time_us)));
        spec.choices.push(Choice::new(
            Chooser::Player,
            options.map(|option| vec![option]).into(),
        ));
    }
    spec.links
        .extend(first_by.map(|upper_us| Link::new(0, 1, None, upper_us)));
    Narrative::new(groups(&spec, 8, 5 * MINUTE_US)).expect("it is valid")
}

#[test]
fn the_most_strands_that_a_story_may_have_are_planned() {
    match solved(&random_groups(None), Detail::NONE) {
        (Some(Answer::Plan(plan)), Some(Conclusion::Optimal)) => {
            assert_eq!(plan.policies.len(), STRANDS_MAX);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn choices_of_other_groups_do_not_keep_a_conflict_from_being_minimal() {
    let detail = Detail {
        shrink: true,
        ..Detail::NONE
    };
    match solved(&random_groups(Some(9 * MINUTE_US)), detail) {
        (Some(Answer::Infeasible { conflict, .. }), Some(Conclusion::Infeasible)) => {
            assert!(conflict.minimal, "{conflict:?}");
            assert_eq!(conflict.members.len(), 3);
        }
        other => panic!("{other:?}"),
    }
}

/// A number up to another.
fn below(random: &mut Xoshiro256PlusPlus, most: Micros) -> Micros {
    random.random_range(0..=most)
}

/// The story of [`out_of_turn`] with other times, one more event before the first choice, and
/// activities from there on.
fn varied(seed: u64) -> Spec {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
    let chooser = [Chooser::Player, Chooser::System][usize::from(random.random_range(0..4) == 0)];
    let mut spec = out_of_turn(chooser);
    for link in &mut spec.links {
        let lower = link.lower_us.unwrap_or(0) / MINUTE_US + below(random, 2);
        link.lower_us = Some(lower * MINUTE_US);
        link.upper_us = Some((lower + below(random, 2)) * MINUTE_US);
    }
    spec.events += 1;
    let extra = spec.events;
    for to in [2, 3] {
        let lower = below(random, 8) * MINUTE_US;
        spec.links.push(Link::new(
            extra,
            to,
            lower,
            lower + below(random, 6) * MINUTE_US,
        ));
    }
    let activity = |start: Node, end: Node| Activity::new(start, end, vec![Demand::new(0, 1)]);
    spec.resources = vec![Resource { capacity: 1 }];
    spec.activities = vec![activity(2, 4), activity(3, 4), activity(1, 5)];
    spec.activities.truncate(below(random, 3) as usize);
    spec
}

/// A random story of two groups.
fn random(seed: u64) -> Option<Narrative> {
    let spec = match seed % 6 {
        0 => choices(seed, Chooser::Player, 2).spec().clone(),
        1 => choices(seed, Chooser::System, 2).spec().clone(),
        2 => tiny_story(seed).spec().clone(),
        _ => varied(seed),
    };
    let unit = if seed % 6 == 2 { 1 } else { MINUTE_US };
    let apart_us = [0, 1, 2, 4, 20][(seed / 6) as usize % 5] * unit;
    let mut spec = groups(&spec, 2, apart_us);
    spec.horizon_us = spec.horizon_us.filter(|_| seed.is_multiple_of(5));
    for resource in &mut spec.resources {
        resource.capacity *= 1 + (seed / 30) as u32 % 2;
    }
    Narrative::new(spec).ok()
}

#[test]
fn what_has_no_plan_has_none_by_strands() {
    let (mut planned, mut refused, mut apart) = (0, 0, 0);
    for seed in 0..600 {
        let Some(narrative) = random(seed) else {
            continue;
        };
        match solved(&narrative, Detail::NONE) {
            (Some(Answer::Infeasible { conflict, .. }), _) => {
                refused += 1;
                apart += u32::from(conflict.uncovered.is_none());
                assert!(!has_strands(&narrative), "{seed}");
            }
            (Some(Answer::Plan(_)), _) => planned += 1,
            _ => {}
        }
    }
    let found = [planned, refused, apart];
    assert!(found.iter().all(|found| *found > 20), "{found:?}");
}
