//! Each way in which a plan can be wrong is reported.

use crate::verify_stories::{
    codes, duet, duet_spec, fork, kept, lasts, link, narrative, plan, policy, wait,
};
use narrative::Cost;
use narrative::plan::{Flexibility, HandOver, Outcomes, Peak, Plan, Policy};
use narrative::problem::{Chooser, Micros, Objective, Progress, Spec};
use narrative::verify::{POLICIES_MAX, strategy};

/// What is wrong after one change of a plan that is right.
fn after(change: impl FnOnce(&mut Plan)) -> Vec<&'static str> {
    let mut plan = plan(60, &[policy(&[0], &[])]);
    assert_eq!(codes(&duet(), &plan), Vec::<&str>::new());
    change(&mut plan);
    codes(&duet(), &plan)
}

/// What is wrong after one change of its policy.
fn policy_after(change: impl FnOnce(&mut Policy)) -> Vec<&'static str> {
    after(|plan| change(&mut plan.policies[0]))
}

fn hand(from: Option<usize>, to: usize, amount: u32) -> HandOver {
    HandOver {
        resource: 0,
        from,
        to,
        amount,
    }
}

fn outcomes(contingent: usize, lower_us: Micros, upper_us: Micros) -> Outcomes {
    Outcomes {
        contingent,
        lower_us,
        upper_us,
    }
}

#[test]
fn a_plan_has_one_policy_or_more_but_not_too_many() {
    assert_eq!(after(|plan| plan.policies.clear()), ["NO_POLICY"]);
    let many = |plan: &mut Plan| plan.policies = vec![Policy::default(); POLICIES_MAX + 1];
    assert_eq!(after(many), ["TOO_MANY_POLICIES"]);
}

#[test]
fn picks_are_those_of_a_storyline() {
    for picks in [vec![], vec![None], vec![Some(2)], vec![Some(0), Some(0)]] {
        assert_eq!(policy_after(|policy| policy.picks = picks), ["PICKS_WRONG"]);
    }
}

#[test]
fn outcomes_are_sorted_and_inside_what_the_link_may_take() {
    for wrong in [
        vec![outcomes(1, 5, 8)],
        vec![outcomes(0, 4, 8)],
        vec![outcomes(0, 5, 9)],
        vec![outcomes(0, 7, 6)],
    ] {
        assert_eq!(
            policy_after(|policy| policy.outcomes = wrong),
            ["OUTCOMES_WRONG"]
        );
    }
    let twice = vec![outcomes(0, 5, 8), outcomes(0, 5, 8)];
    assert_eq!(
        policy_after(|policy| policy.outcomes = twice),
        ["OUTCOMES_WRONG"]
    );
}

#[test]
fn only_what_a_choice_of_ours_has_seen_is_divided() {
    let mut spec = duet_spec();
    spec.choices[0].chooser = Chooser::Player;
    let mut part = plan(60, &[policy(&[0], &[(0, 5, 6)])]);
    assert_eq!(codes(&narrative(spec), &part), ["NOT_SEEN"]);
    part.policies[0].outcomes[0].upper_us = 8;
    assert_eq!(codes(&duet(), &part), Vec::<&str>::new());
}

#[test]
fn an_order_is_of_activities_that_are_there_and_without_circles() {
    for pair in [(0, 0), (0, 2), (usize::MAX, 0)] {
        assert_eq!(
            policy_after(|policy| policy.order = vec![pair]),
            ["ORDER_WRONG"]
        );
    }
    let cycle = vec![(0, 1), (1, 0)];
    assert_eq!(
        policy_after(|policy| policy.order = cycle),
        ["ORDER_CIRCLE"]
    );
    let backwards = vec![(1, 0)];
    assert_eq!(
        policy_after(|policy| policy.order = backwards),
        ["NOT_CONTROLLABLE"]
    );
}

#[test]
fn what_is_kept_and_waited_for_is_between_nodes_of_the_storyline() {
    for wrong in [
        kept(0, 7, 5),
        kept(0, 6, 5),
        kept(2, 2, 0),
        kept(0, 2, Micros::MIN),
        kept(0, 2, Micros::MAX),
    ] {
        assert_eq!(
            policy_after(|policy| policy.bounds = vec![wrong]),
            ["KEPT_WRONG"]
        );
    }
    for wrong in [
        wait(0, 0, 1),
        wait(6, 0, 1),
        wait(3, 1, 1),
        wait(3, 0, Micros::MAX),
        wait(usize::MAX, usize::MAX, 0),
    ] {
        assert_eq!(
            policy_after(|policy| policy.waits = vec![wrong]),
            ["WAIT_WRONG"]
        );
    }
    let tight = vec![kept(1, 2, 7)];
    assert_eq!(
        policy_after(|policy| policy.bounds = tight),
        ["NOT_CONTROLLABLE"]
    );
}

#[test]
fn hand_overs_give_each_what_it_needs_from_what_is_free() {
    let after = |given: &[HandOver]| policy_after(|policy| policy.hand_overs = given.to_vec());
    let fine = [hand(None, 0, 1), hand(Some(0), 1, 1)];
    assert_eq!(after(&fine), Vec::<&str>::new());
    assert_eq!(after(&[hand(None, 2, 1)]), ["HAND_OVER_WRONG"]);
    assert_eq!(after(&[hand(Some(9), 1, 1)]), ["HAND_OVER_WRONG"]);
    assert_eq!(after(&[hand(None, 0, 0)]), ["HAND_OVER_WRONG"]);
    assert_eq!(after(&fine[..1]), ["HAND_OVER_AMOUNT"]);
    assert_eq!(
        after(&[hand(Some(1), 0, 1), hand(None, 1, 1)]),
        ["HAND_OVER_EARLY"]
    );
    assert_eq!(
        after(&[hand(None, 0, 1), hand(None, 1, 1)]),
        ["HAND_OVER_EXCESS"]
    );
    let mut more = fine.to_vec();
    more[1].amount = 2;
    assert_eq!(after(&more), ["HAND_OVER_AMOUNT", "HAND_OVER_EXCESS"]);
}

#[test]
fn what_is_used_up_is_not_passed_on() {
    let mut spec = duet_spec();
    spec.resources[0].capacity = 2;
    spec.activities[0].demands[0].consumed = true;
    let mut passed = plan(60, &[policy(&[0], &[])]);
    passed.policies[0].hand_overs = vec![hand(None, 0, 1), hand(Some(0), 1, 1)];
    let wrong = codes(&narrative(spec), &passed);
    assert_eq!(wrong, ["HAND_OVER_EARLY", "HAND_OVER_EXCESS"]);
}

#[test]
fn numbers_of_the_plan_are_sensible() {
    assert_eq!(after(|plan| plan.makespan_us = -1), ["CLAIM_WRONG"]);
    assert_eq!(
        after(|plan| plan.makespan_us = Micros::MAX),
        ["CLAIM_WRONG"]
    );
    assert_eq!(after(|plan| plan.slack_us = -1), ["CLAIM_WRONG"]);
    assert_eq!(after(|plan| plan.idle_us = Micros::MIN), ["CLAIM_WRONG"]);
}

#[test]
fn peaks_are_told_for_all_resources_and_exactly() {
    let peak = |resource, amount| Peak { resource, amount };
    let after = |peaks: &[Peak]| after(|plan| plan.peaks = peaks.to_vec());
    assert_eq!(after(&[peak(0, 1)]), Vec::<&str>::new());
    assert_eq!(after(&[peak(0, 2)]), ["PEAK_WRONG"]);
    assert_eq!(after(&[peak(0, 1), peak(1, 1)]), ["PEAK_WRONG"]);
    assert_eq!(
        after(&[peak(usize::MAX, u32::MAX)]),
        ["PEAK_WRONG", "PEAK_WRONG"]
    );
}

#[test]
fn stretches_are_of_links_that_vary_and_hold_all_they_may_take() {
    let stretch = |contingent, shortest_us, longest_us| Flexibility {
        contingent,
        shortest_us,
        longest_us,
    };
    let after =
        |flexibilities: &[Flexibility]| after(|plan| plan.flexibilities = flexibilities.to_vec());
    assert_eq!(after(&[stretch(0, 3, 9)]), Vec::<&str>::new());
    for wrong in [
        stretch(1, 3, 9),
        stretch(0, 6, 9),
        stretch(0, -1, 9),
        stretch(0, 3, 7),
        stretch(0, 3, Micros::MAX),
    ] {
        assert_eq!(after(&[wrong]), ["STRETCH_WRONG"], "{wrong:?}");
    }
}

#[test]
fn slack_is_what_all_durations_may_vary_more() {
    // The first act may last 5 to 8, the second takes 5; everything has to be over by 20.
    let mut spec = duet_spec();
    spec.horizon_us = Some(20);
    let story = narrative(spec);
    let with = |slack_us| Plan {
        slack_us,
        ..plan(20, &[policy(&[0], &[])])
    };
    assert_eq!(codes(&story, &with(7)), Vec::<&str>::new());
    assert_eq!(codes(&story, &with(8)), ["SLACK_BROKEN"]);
}

#[test]
fn idle_time_is_the_longest_that_waiting_can_take() {
    let mut spec = duet_spec();
    spec.waiting = vec![1];
    spec.objective = Objective {
        makespan: 2,
        slack: 3,
        idle: 5,
    };
    let story = narrative(spec);
    let with = |idle_us| Plan {
        idle_us,
        slack_us: 1,
        ..plan(60, &[policy(&[0], &[])])
    };
    assert_eq!(codes(&story, &with(8)), ["IDLE_BROKEN"]);
    let cost = 2 * 60 - 3 + 5 * 9;
    assert_eq!(strategy(&story, &with(9)), Ok(Cost::Weighted(cost)));
    let mut short = with(4);
    short.policies[0].bounds = vec![kept(2, 3, 4)];
    assert_eq!(strategy(&story, &short), Ok(Cost::Weighted(cost - 25)));
}

#[test]
fn outcomes_that_make_too_many_cases_are_refused() {
    // 20 links in a row, all seen, each divided in two by a policy of its own.
    let count = 20;
    let last = count + 1;
    let story = narrative(Spec {
        events: count + 2,
        links: vec![link(count, last, 0, 1), link(count, last + 1, 0, 1)],
        contingent: (0..count).map(|at| lasts(at, at + 1, 1, 4)).collect(),
        choices: vec![fork(Chooser::System, &[&[last], &[last + 1]])],
        ..Spec::default()
    });
    let mut policies: Vec<_> = (0..count).map(|at| policy(&[0], &[(at, 1, 2)])).collect();
    policies.push(policy(&[1], &[]));
    assert_eq!(codes(&story, &plan(100, &policies)), ["TOO_MANY_CASES"]);
}

#[test]
fn what_has_happened_is_as_it_was() {
    let mut spec = duet_spec();
    spec.progress = Progress {
        now_us: 10,
        happened: vec![(1, 0), (2, 6)],
        made: vec![(0, 1)],
    };
    let story = narrative(spec);
    assert_eq!(
        codes(&story, &plan(60, &[policy(&[0], &[])])),
        ["PICKS_WRONG"]
    );
    assert_eq!(
        codes(&story, &plan(60, &[policy(&[1], &[])])),
        Vec::<&str>::new()
    );
    let other = plan(60, &[policy(&[1], &[(0, 7, 8)])]);
    assert_eq!(codes(&story, &other), ["OUTCOMES_WRONG"]);
    assert_eq!(
        codes(&story, &plan(14, &[policy(&[1], &[])])),
        ["MAKESPAN_BROKEN"]
    );
}
