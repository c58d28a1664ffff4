//! The dispatcher: what it is given is enough, or it is said where it breaks down.

use crate::verify_stories::{
    acts, castle, fork, kept, lasts, link, narrative, plan, policy, relay, stock, wait,
};
use anytime::Fault;
use narrative::Narrative;
use narrative::plan::{Answer, Cost, Plan};
use narrative::problem::{Chooser, Micros, Progress, Spec};
use narrative::verify::{Breakdown, Run, answer, simulate};

/// The three storylines of the castle, each with what has to be kept besides its links.
fn evening() -> Plan {
    let mut magic = policy(&[1], &[(0, 10, 30)]);
    let mut sword = policy(&[0], &[(0, 15, 80)]);
    let mut robbery = policy(&[2], &[(0, 60, 90)]);
    magic.bounds = vec![kept(4, 0, -15)];
    // Even the shortest fight with the longest pause may not end before 70.
    sword.bounds = vec![kept(2, 0, -20)];
    robbery.bounds = vec![kept(6, 0, -62)];
    plan(135, &[magic, sword, robbery])
}

fn run(narrative: &Narrative, plan: &Plan, durations: &[Micros], picks: &[Option<usize>]) -> Run {
    simulate(narrative, plan, durations, picks).expect("plan and durations are valid")
}

fn broken(narrative: &Narrative, plan: &Plan) -> Vec<Fault> {
    let checked = answer(narrative, &Answer::Plan(plan.clone()));
    checked.expect_err("the plan is wrong")
}

#[test]
fn the_castle_can_be_played() {
    let castle = castle(Chooser::System);
    assert_eq!(
        answer(&castle, &Answer::Plan(evening())),
        Ok(Cost::Weighted(0))
    );
}

#[test]
fn the_first_policy_with_the_outcome_that_is_seen_is_followed() {
    let castle = castle(Chooser::System);
    for (look, pick, end) in [
        (10, 1, 10 + 5 + 80 + 10),
        (30, 1, 30 + 5 + 80 + 10),
        (31, 0, 31 + 2 + 40 + 5),
        (80, 0, 80 + 2 + 40 + 5),
        (81, 2, 81 + 1 + 5 + 1),
    ] {
        let run = run(&castle, &evening(), &[look, 40, 80, 5], &[]);
        assert_eq!(run.breakdown, None);
        assert_eq!(run.picks, [Some(pick)], "{look}");
        assert_eq!(run.times_us[8], Some(end), "{look}");
        assert_eq!(run.times_us[1], Some(look));
        assert_eq!(run.times_us[2].is_some(), pick == 0);
    }
}

#[test]
fn a_bound_that_is_not_kept_is_found_by_playing() {
    let castle = castle(Chooser::System);
    let mut hasty = evening();
    hasty.policies[1].bounds.clear();
    let run = run(&castle, &hasty, &[31, 30, 70, 4], &[]);
    assert_eq!(run.breakdown, None, "fine when looking around took long");
    hasty.policies.remove(0);
    let late = simulate(&castle, &hasty, &[15, 30, 70, 4], &[]).unwrap();
    let expected = Breakdown::Late {
        node: 8,
        time_us: 70,
        latest_us: 67,
    };
    assert_eq!(late.breakdown, Some(expected));
}

/// Node 2 is at most 2 before node 1, which comes whenever it likes, and at most 5 after it.
fn whenever() -> Narrative {
    narrative(Spec {
        events: 2,
        links: vec![link(1, 2, -2, 5)],
        contingent: vec![lasts(0, 1, 1, 10)],
        ..Spec::default()
    })
}

#[test]
fn waits_hold_until_the_link_ends_or_their_time_is_over() {
    let mut patient = policy(&[], &[]);
    patient.waits = vec![wait(2, 0, 8)];
    let patient = plan(20, &[patient]);
    assert_eq!(
        answer(&whenever(), &Answer::Plan(patient.clone())),
        Ok(Cost::Weighted(0))
    );
    for (duration, time) in [(3, 3), (8, 8), (10, 8)] {
        let run = run(&whenever(), &patient, &[duration], &[]);
        assert_eq!(run.times_us[2], Some(time));
    }
    let codes: Vec<_> = broken(&whenever(), &plan(20, &[policy(&[], &[])]))
        .iter()
        .map(|one| one.code)
        .collect();
    assert_eq!(codes, ["DISPATCH_BROKEN"]);
}

#[test]
fn the_next_actor_starts_the_moment_the_first_ends() {
    let mut first = policy(&[], &[]);
    first.order = vec![(0, 1)];
    let relayed = plan(100, &[first]);
    for duration in [10, 47, 90] {
        let run = run(&relay(), &relayed, &[duration], &[]);
        assert_eq!(
            run.times_us,
            [0, duration, duration, duration + 5].map(Some)
        );
        assert_eq!(run.breakdown, None);
    }
}

#[test]
fn players_pick_what_they_like() {
    let story = narrative(Spec {
        events: 3,
        links: vec![link(1, 2, 5, 9), link(1, 3, 7, 9)],
        contingent: vec![lasts(0, 1, 1, 4)],
        choices: vec![fork(Chooser::Player, &[&[2], &[3]])],
        ..Spec::default()
    });
    let both = plan(20, &[policy(&[0], &[]), policy(&[1], &[])]);
    assert_eq!(
        answer(&story, &Answer::Plan(both.clone())),
        Ok(Cost::Weighted(0))
    );
    let first = run(&story, &both, &[4], &[Some(0)]);
    assert_eq!(first.times_us, [Some(0), Some(4), Some(9), None]);
    let second = run(&story, &both, &[1], &[Some(1)]);
    assert_eq!(second.times_us, [Some(0), Some(1), None, Some(8)]);
    assert_eq!((second.picks, second.policies), (vec![Some(1)], vec![1]));
}

#[test]
fn durations_that_cannot_be_are_refused() {
    let patient = plan(20, &[policy(&[], &[])]);
    for (given, shown) in [
        (vec![], "missing"),
        (vec![11], "0.000011 s"),
        (vec![0], "0 s"),
    ] {
        let wrong = simulate(&whenever(), &patient, &given, &[]).unwrap_err();
        assert_eq!((wrong[0].code, wrong.len()), ("DURATION_WRONG", 1));
        let text =
            format!("durations[0] is {shown}, but contingent link 0 takes 0.000001 s to 0.00001 s");
        assert_eq!(wrong[0].to_string(), text);
    }
}

#[test]
fn a_story_goes_on_from_the_middle() {
    // Node 1 began the scene at 3; it is 7 now, and the scene, which takes 2 to 9, goes on.
    let story = narrative(Spec {
        events: 3,
        links: vec![link(2, 3, 1, 2), link(0, 3, 8, 20)],
        contingent: vec![lasts(1, 2, 2, 9)],
        progress: Progress {
            now_us: 7,
            happened: vec![(1, 3)],
            made: vec![],
        },
        ..Spec::default()
    });
    let rest = plan(14, &[policy(&[], &[])]);
    assert_eq!(
        answer(&story, &Answer::Plan(rest.clone())),
        Ok(Cost::Weighted(0))
    );
    let run = run(&story, &rest, &[4], &[]);
    assert_eq!(run.times_us, [0, 3, 7, 8].map(Some));
    assert!(
        simulate(&story, &rest, &[3], &[]).is_err(),
        "it has lasted 4 already"
    );
    assert_eq!(
        broken(&story, &plan(12, &[policy(&[], &[])]))[0].code,
        "MAKESPAN_BROKEN"
    );
}

#[test]
fn simultaneous_events_happen_together() {
    // Each of nodes 1, 2 and 3 is at or before the next, in a cycle; node 3 is at 5 or later.
    let story = narrative(Spec {
        events: 3,
        links: vec![
            link(1, 2, 0, 100),
            link(2, 3, 0, 100),
            link(3, 1, 0, 100),
            link(0, 3, 5, 9),
        ],
        ..Spec::default()
    });
    let alone = plan(20, &[policy(&[], &[])]);
    let run = run(&story, &alone, &[], &[]);
    assert_eq!(run.times_us, [0, 5, 5, 5].map(Some));
    assert_eq!(run.breakdown, None);
}

#[test]
fn policies_with_the_same_picks_are_told_apart_by_how_long_a_link_took() {
    // The longer the walk (nodes 0 to 1), the shorter the talk (2 to 3); the other option never
    // fits.
    let story = narrative(Spec {
        events: 4,
        links: vec![
            link(1, 2, 1, 2),
            link(2, 3, 1, 20),
            link(0, 3, 12, 24),
            link(1, 4, 30, 30),
        ],
        contingent: vec![lasts(0, 1, 1, 20)],
        choices: vec![fork(Chooser::System, &[&[2, 3], &[4]])],
        ..Spec::default()
    });
    let mut soon = policy(&[0], &[(0, 1, 10)]);
    let mut late = policy(&[0], &[(0, 6, 20)]);
    soon.bounds = vec![kept(3, 0, -14)];
    late.bounds = vec![kept(2, 3, 3)];
    let both = plan(24, &[soon, late]);
    assert_eq!(
        answer(&story, &Answer::Plan(both.clone())).map_err(|wrong| wrong.len()),
        Err(1)
    );
    // The second keeps its talk short, which is too short for 12 after a walk of 6.
    let mut fine = both;
    fine.policies[1].outcomes[0].lower_us = 9;
    assert_eq!(
        answer(&story, &Answer::Plan(fine.clone())),
        Ok(Cost::Weighted(0))
    );
    let first = run(&story, &fine, &[9], &[]);
    assert_eq!((first.policies, first.times_us[3]), (vec![0], Some(14)));
    let second = run(&story, &fine, &[11], &[]);
    assert_eq!((second.policies, second.times_us[3]), (vec![1], Some(13)));
}

#[test]
fn too_much_in_use_at_once_is_seen_in_the_times() {
    let story = narrative(Spec {
        events: 4,
        links: vec![link(1, 2, 5, 5), link(3, 4, 5, 5)],
        activities: vec![acts(1, 2, &[(0, 1)]), acts(3, 4, &[(0, 1)])],
        resources: stock(&[1]),
        ..Spec::default()
    });
    let run = run(&story, &plan(20, &[policy(&[], &[])]), &[], &[]);
    let expected = Breakdown::Overload {
        resource: 0,
        amount: 2,
        time_us: 0,
        capacity: 1,
    };
    assert_eq!(run.breakdown, Some(expected));
}

#[test]
fn what_happens_at_the_origin_happens_at_once() {
    let story = narrative(Spec {
        events: 2,
        links: vec![link(0, 1, 0, 0), link(1, 2, 0, 0)],
        ..Spec::default()
    });
    let run = run(&story, &plan(0, &[policy(&[], &[])]), &[], &[]);
    assert_eq!(run.times_us, [0, 0, 0].map(Some));
    assert_eq!(run.breakdown, None);
}

#[test]
fn what_takes_no_time_does_not_hold_up_its_own_start() {
    // The start has to be at or after the end, and is.
    let story = narrative(Spec {
        events: 3,
        links: vec![link(2, 1, 0, 9), link(0, 1, 3, 9), link(2, 3, 1, 1)],
        contingent: vec![lasts(1, 2, 0, 0)],
        ..Spec::default()
    });
    let run = run(&story, &plan(4, &[policy(&[], &[])]), &[0], &[]);
    assert_eq!(run.times_us, [0, 3, 3, 4].map(Some));
    assert_eq!(run.breakdown, None);
}

#[test]
fn what_may_be_at_the_same_time_does_not_wait_for_a_choice_that_waits_for_it() {
    // Node 1 is at 4 and comes before the choice; by what the policies keep, node 2 or 3 is no
    // later.
    let story = narrative(Spec {
        events: 3,
        links: vec![link(0, 1, 4, 4), link(1, 2, 0, 9), link(1, 3, 0, 9)],
        choices: vec![fork(Chooser::Player, &[&[2], &[3]])],
        ..Spec::default()
    });
    let mut both = plan(4, &[policy(&[0], &[]), policy(&[1], &[])]);
    both.policies[0].bounds = vec![kept(1, 2, 0)];
    both.policies[1].bounds = vec![kept(1, 3, 0)];
    let run = run(&story, &both, &[], &[Some(1)]);
    assert_eq!(run.times_us, [Some(0), Some(4), None, Some(4)]);
    assert_eq!(run.breakdown, None);
}

#[test]
fn what_one_policy_asks_of_its_own_events_binds_those_that_all_share() {
    // If players pick node 3, it is at the same time as node 2 and 1 or more after node 1 has come.
    let story = narrative(Spec {
        events: 4,
        links: vec![link(2, 3, 0, 0), link(1, 3, 1, 4), link(2, 4, 0, 9)],
        contingent: vec![lasts(0, 1, 0, 2)],
        choices: vec![fork(Chooser::Player, &[&[3], &[4]])],
        horizon_us: Some(12),
        ..Spec::default()
    });
    let both = plan(12, &[policy(&[0], &[]), policy(&[1], &[])]);
    assert_eq!(
        answer(&story, &Answer::Plan(both.clone())),
        Ok(Cost::Weighted(0))
    );
    let run = run(&story, &both, &[2], &[Some(0)]);
    assert_eq!(run.times_us, [Some(0), Some(2), Some(3), Some(3), None]);
}

#[test]
fn events_that_are_at_once_by_way_of_others_do_not_wait_for_each_other() {
    // Node 1 is no earlier than node 3 and no later than node 2, which are as far apart as nodes 4
    // and 3: not at all.
    let story = narrative(Spec {
        events: 4,
        links: vec![
            link(1, 2, 0, 9),
            link(2, 4, 3, 9),
            link(4, 3, -3, 9),
            link(3, 1, 0, 9),
            link(0, 1, 2, 9),
        ],
        ..Spec::default()
    });
    let mut tight = policy(&[], &[]);
    tight.bounds = vec![kept(2, 4, 3), kept(4, 3, -3)];
    let run = run(&story, &plan(9, &[tight]), &[], &[]);
    assert_eq!(run.times_us, [0, 2, 2, 2, 5].map(Some));
    assert_eq!(run.breakdown, None);
}
