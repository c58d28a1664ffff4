//! Stories whose answers can be given by hand, the traps of the printed equations among them.

use super::{found, verdict};
use crate::searched::refused;
use crate::verify_stories::{
    acts, cycle, figure_2, fork, lasts, link, ours, relay, stock, two_visits,
};
use anytime::{CancelToken, Conclusion, Control, Limits, SolveError, Stop};
use narrative::generate::{SUITE1, suite1};
use narrative::plan::Plan;
use narrative::problem::{Chooser, Objective, Spec};
use narrative::solve::{Params, Strategy, solve};
use narrative::{Answer, Cost, Narrative};

fn narrative(spec: &Spec) -> Narrative {
    Narrative::new(spec.clone()).expect("the story is valid")
}

fn milp(spec: &Spec) -> super::Found {
    found(&narrative(spec), Strategy::Milp)
}

fn plan(spec: &Spec) -> Plan {
    let (mut answers, conclusion) = milp(spec);
    match answers.pop() {
        Some((Answer::Plan(plan), _)) => plan,
        other => panic!("{other:?} {conclusion:?}"),
    }
}

fn refuses(spec: &Spec) {
    assert_eq!(verdict(&milp(spec)), Some(false));
}

#[test]
fn three_storylines_together_cover_what_none_or_two_do() {
    for few in [&[0][..], &[1], &[2], &[0, 1], &[0, 2], &[1, 2]] {
        refuses(&figure_2(Chooser::System, few));
    }
    let plan = plan(&figure_2(Chooser::System, &[0, 1, 2]));
    let mut picks: Vec<_> = plan.policies.iter().map(|policy| policy.picks[0]).collect();
    picks.sort_unstable();
    assert_eq!(picks, [Some(0), Some(1), Some(2)]);
    refuses(&figure_2(Chooser::Player, &[0, 1, 2]));
}

/// The same with times that many times as long.
fn longer(mut spec: Spec, by: i64) -> Spec {
    for link in &mut spec.links {
        let times = [&mut link.lower_us, &mut link.upper_us];
        times.into_iter().flatten().for_each(|time| *time *= by);
    }
    for link in &mut spec.contingent {
        link.lower_us *= by;
        link.upper_us *= by;
    }
    spec
}

#[test]
fn in_whole_seconds_each_microsecond_is_covered_too() {
    let second = 1_000_000;
    for few in [&[0, 1][..], &[0, 2], &[1, 2]] {
        refuses(&longer(figure_2(Chooser::System, few), second));
    }
    let all = figure_2(Chooser::System, &[0, 1, 2]);
    assert_eq!(plan(&longer(all, second)).policies.len(), 3);
    assert!(plan(&longer(two_seen(12), second)).policies.len() > 3);
    refuses(&longer(two_seen(8), second));
}

#[test]
fn what_follows_starts_when_its_forerunner_ends_not_after_its_longest_duration() {
    // Equation 8 as printed wants (2, 3) to wait for 90, and 5 after the end of (0, 1) is then too
    // late.
    assert_eq!(plan(relay().spec()).policies.len(), 1);
}

/// Two durations of 1 to 11, then one option for sums of 10 and above, or another for sums of up to
/// `most`.
fn two_seen(most: i64) -> Spec {
    Spec {
        events: 5,
        links: vec![
            link(2, 3, 0, 2),
            link(2, 4, 24 - most, 24 - most + 1),
            link(3, 5, 0, 0),
            link(4, 5, 0, 0),
            link(0, 5, 12, 24),
        ],
        contingent: vec![lasts(0, 1, 1, 11), lasts(1, 2, 1, 11)],
        choices: vec![ours(&[&[3], &[4]])],
        ..Spec::default()
    }
}

#[test]
fn durations_seen_before_one_choice_are_covered_together_not_each_by_itself() {
    // By each duration alone, [1, 6] twice and [6, 11] twice would pass.
    let plan = plan(&two_seen(12));
    assert!(plan.policies.len() > 3, "{plan:?}");
    let (answers, conclusion) = milp(&two_seen(8));
    assert_eq!(conclusion, Ok(Conclusion::Infeasible));
    let Some((Answer::Infeasible { conflict, .. }, _)) = answers.last() else {
        panic!("{answers:?}");
    };
    let witness = conflict.uncovered.as_ref().expect("choices are involved");
    let sum: i64 = witness.durations_us.iter().map(|(_, time)| time).sum();
    assert_eq!(sum, 9, "{witness:?}");
}

#[test]
fn visits_to_one_actor_come_one_after_the_other() {
    assert_eq!(plan(&two_visits(40)).policies[0].order.len(), 1);
    refuses(&two_visits(39));
}

#[test]
fn what_is_used_up_is_not_handed_on() {
    let mut spec = two_visits(100);
    spec.activities[0].demands[0].consumed = true;
    assert_eq!(plan(&spec).policies[0].order, [(1, 0)]);
    spec.activities[1].demands[0].consumed = true;
    refuses(&spec);
}

/// The cost of the best plan, which is proved.
fn best(spec: &Spec) -> Cost {
    let (answers, conclusion) = milp(spec);
    assert_eq!(conclusion, Ok(Conclusion::Optimal));
    answers.last().expect("there is a plan").1
}

#[test]
fn the_best_makespan_slack_and_idle_time_are_proved() {
    let mut spec = two_visits(1_000);
    spec.objective.makespan = 3;
    assert_eq!(best(&spec), Cost::Weighted(120));
    spec = two_visits(47);
    spec.objective.slack = 2;
    assert_eq!(best(&spec), Cost::Weighted(-6));
    spec = two_visits(100);
    spec.waiting = vec![0, 1];
    spec.objective.idle = 1;
    assert_eq!(best(&spec), Cost::Weighted(20));
}

#[test]
fn the_best_makespan_with_choices_is_proved() {
    let mut spec = figure_2(Chooser::System, &[0, 1, 2]);
    spec.objective.makespan = 2;
    let auto = found(&narrative(&spec), Strategy::Auto);
    assert_eq!(auto.1, Ok(Conclusion::Optimal));
    assert_eq!(Some(best(&spec)), auto.0.last().map(|last| last.1));
    assert_eq!(best(&two_ways(Chooser::Player)), Cost::Weighted(9));
    assert_eq!(best(&two_ways(Chooser::System)), Cost::Weighted(7));
}

/// What takes 1 to 4, then a way of 3 or one of 5, as somebody likes; the makespan counts.
fn two_ways(chooser: Chooser) -> Spec {
    Spec {
        events: 4,
        links: vec![link(1, 2, 3, 9), link(1, 3, 5, 9), link(0, 4, 2, 9)],
        contingent: vec![lasts(0, 1, 1, 4)],
        choices: vec![fork(chooser, &[&[2], &[3]])],
        horizon_us: Some(20),
        objective: Objective::makespan(1),
        ..Spec::default()
    }
}

#[test]
fn slack_and_idle_time_are_those_of_the_policy_where_they_are_worst() {
    let mut spec = two_ways(Chooser::Player);
    spec.objective = Objective {
        slack: 1,
        ..Objective::default()
    };
    // 4 + 11 and the way of 5 are over at 20.
    assert_eq!(best(&spec), Cost::Weighted(-11));
    spec.objective = Objective {
        idle: 2,
        ..Objective::default()
    };
    spec.waiting = vec![0, 1];
    assert_eq!(best(&spec), Cost::Weighted(10));
}

#[test]
fn slack_with_idle_time_and_stories_too_large_are_refused_in_words() {
    let mut mixed = two_visits(100);
    mixed.objective = Objective {
        makespan: 0,
        slack: 1,
        idle: 1,
    };
    let large = suite1(1, SUITE1 - 1);
    let refused = [(narrative(&mixed), "slack"), (large, "size")];
    for (narrative, why) in &refused {
        let Err(SolveError::Unsupported { strategy, feature }) = found(narrative, Strategy::Milp).1
        else {
            panic!("{why}");
        };
        assert_eq!(strategy, "milp");
        assert!(feature.contains(why), "{feature}");
    }
}

#[test]
fn a_limit_or_a_cancellation_ends_it_and_the_conclusion_says_so() {
    let narrative = narrative(&two_visits(40));
    let params = Params {
        strategy: Strategy::Milp,
        ..Params::default()
    };
    let mut none = |_: &Answer, _: Cost| panic!("there was no time");
    let mut control = Control::new(Limits::iterations(0), 1, &mut none);
    let conclusion = solve(&narrative, &params, &mut control);
    assert_eq!(conclusion, Ok(Conclusion::Stopped(Stop::Iterations)));
    let cancel = CancelToken::new();
    cancel.cancel();
    let limits = Limits {
        cancel,
        ..Limits::iterations(1_000)
    };
    let mut control = Control::new(limits, 1, &mut none);
    let conclusion = solve(&narrative, &params, &mut control);
    assert_eq!(conclusion, Ok(Conclusion::Stopped(Stop::Cancelled)));
}

#[test]
fn reasons_are_made_small_and_verified() {
    let params = Params {
        strategy: Strategy::Milp,
        ..Params::default()
    };
    let (conflict, relaxations) = refused(&two_visits(39), &params, 10_000);
    assert!(conflict.minimal && !relaxations.is_empty(), "{conflict:?}");
}

#[test]
fn no_circle_of_many_that_take_no_time_hands_on() {
    // Three visits that take no time cannot be during the long one, with one room for all. The
    // others, later, only make the room one of many.
    let spec = |most| {
        let mut activities: Vec<_> = [(0, 7), (1, 2), (3, 4), (5, 6)]
            .map(|(start, end)| acts(start, end, &[(0, 1)]))
            .into();
        activities.extend((0..24).map(|_| acts(8, 9, &[(0, 1)])));
        Spec {
            events: 9,
            links: vec![
                link(0, 7, 5, 5),
                link(0, 8, 10, 10),
                link(8, 9, 0, 0),
                link(1, 2, 0, 1),
                link(3, 4, 0, 1),
                link(5, 6, 0, 1),
                link(0, 1, 1, most),
                link(0, 3, 1, most),
                link(0, 5, 1, most),
            ],
            activities,
            resources: stock(&[1]),
            ..Spec::default()
        }
    };
    refuses(&spec(4));
    assert_eq!(plan(&spec(5)).policies.len(), 1);
}

#[test]
fn visits_that_use_up_what_others_need_first_are_at_one_moment() {
    for visits in 2..6 {
        assert_eq!(plan(&cycle(visits, 0)).policies.len(), 1);
        refuses(&cycle(visits, 1));
    }
}
