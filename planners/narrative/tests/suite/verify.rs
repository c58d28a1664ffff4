//! Plans that are right pass; each way of being wrong is reported.

use crate::verify_stories::{
    acts, castle, codes, fork, lasts, link, narrative, plan, policy, relay, stock, two_links,
};
use narrative::plan::Cost;
use narrative::problem::{Chooser, Spec};
use narrative::verify;

const MAGIC: (usize, i64, i64) = (0, 10, 30);
const SWORD: (usize, i64, i64) = (0, 15, 80);
const ROBBERY: (usize, i64, i64) = (0, 60, 90);

#[test]
fn the_castle_has_a_plan_with_all_three_storylines() {
    let castle = castle(Chooser::System);
    let all = plan(
        135,
        &[
            policy(&[1], &[MAGIC]),
            policy(&[0], &[SWORD]),
            policy(&[2], &[ROBBERY]),
        ],
    );
    assert_eq!(verify::strategy(&castle, &all), Ok(Cost::Weighted(0)));
}

#[test]
fn no_one_and_no_two_storylines_of_the_castle_are_enough() {
    let castle = castle(Chooser::System);
    let policies = [
        policy(&[1], &[MAGIC]),
        policy(&[0], &[SWORD]),
        policy(&[2], &[ROBBERY]),
    ];
    for policy in &policies {
        assert_eq!(
            codes(&castle, &plan(135, std::slice::from_ref(policy))),
            ["UNCOVERED"]
        );
        let others: Vec<_> = policies
            .iter()
            .filter(|other| *other != policy)
            .cloned()
            .collect();
        assert_eq!(codes(&castle, &plan(135, &others)), ["UNCOVERED"]);
    }
}

#[test]
fn the_ranges_of_the_castle_are_the_widest() {
    let castle = castle(Chooser::System);
    for (pick, wide) in [
        (1, (0, 10, 31)),
        (0, (0, 14, 80)),
        (0, (0, 15, 81)),
        (2, (0, 59, 90)),
    ] {
        let alone = plan(135, &[policy(&[pick], &[wide])]);
        assert_eq!(
            codes(&castle, &alone),
            ["NOT_CONTROLLABLE", "UNCOVERED"],
            "{wide:?}"
        );
    }
}

#[test]
fn players_who_choose_at_the_castle_cannot_be_told_when() {
    let castle = castle(Chooser::Player);
    let all = plan(
        135,
        &[policy(&[0], &[]), policy(&[1], &[]), policy(&[2], &[])],
    );
    assert_eq!(codes(&castle, &all), ["NOT_CONTROLLABLE"]);
    let divided = plan(135, &[policy(&[1], &[MAGIC]), policy(&[0], &[SWORD])]);
    assert_eq!(codes(&castle, &divided), ["NOT_SEEN", "NOT_SEEN"]);
}

#[test]
fn an_activity_may_follow_the_end_of_another_at_once() {
    let mut first = policy(&[], &[]);
    first.order = vec![(0, 1)];
    assert_eq!(
        verify::strategy(&relay(), &plan(100, &[first])),
        Ok(Cost::Weighted(0))
    );
    let overload = verify::strategy(&relay(), &plan(100, &[policy(&[], &[])])).unwrap_err();
    assert_eq!(
        overload[0].to_string(),
        "policies[0] lets activity 0, activity 1 overlap: they need 2 of resource 0, of which \
         there are 1"
    );
}

#[test]
fn outcomes_that_cover_each_link_by_itself_are_refused_with_the_point_they_leave_out() {
    let both = plan(
        24,
        &[
            policy(&[0], &[(0, 6, 11), (1, 6, 11)]),
            policy(&[1], &[(0, 1, 6), (1, 1, 6)]),
        ],
    );
    let wrong = verify::strategy(&two_links(), &both).unwrap_err();
    assert_eq!((wrong[0].code, wrong.len()), ("UNCOVERED", 1));
    let witness = "after picks [] and durations [contingent link 0, 0.000001 s, contingent link 1, \
                   0.000007 s]";
    assert!(wrong[0].to_string().ends_with(witness), "{wrong:?}");
    let second = plan(24, &[policy(&[1], &[])]);
    assert_eq!(
        verify::strategy(&two_links(), &second),
        Ok(Cost::Weighted(0))
    );
}

/// Node 1 is ours and comes before node 2, which a player ends; then node 3 or 4.
fn early(chooser: Chooser) -> narrative::Narrative {
    narrative(Spec {
        events: 4,
        links: vec![
            link(1, 2, 0, 100),
            link(2, 3, 0, 100),
            link(2, 4, 0, 100),
            link(1, 3, 20, 20),
            link(0, 3, 25, 25),
            link(1, 4, 20, 20),
            link(0, 4, 30, 30),
        ],
        contingent: vec![lasts(0, 2, 11, 15)],
        choices: vec![fork(chooser, &[&[3], &[4]])],
        ..Spec::default()
    })
}

#[test]
fn policies_that_disagree_before_they_are_told_apart_are_refused() {
    let story = early(Chooser::Player);
    for pick in 0..2 {
        let alone = plan(100, &[policy(&[pick], &[])]);
        assert_eq!(
            codes(&story, &alone),
            ["UNCOVERED"],
            "fine but for the other"
        );
    }
    let both = plan(100, &[policy(&[0], &[]), policy(&[1], &[])]);
    assert_eq!(codes(&story, &both), ["NOT_CONTROLLABLE"]);
    // One that covers everything is enough where the choice is ours.
    let first = plan(100, &[policy(&[0], &[])]);
    assert_eq!(codes(&early(Chooser::System), &first), Vec::<&str>::new());
}

#[test]
fn a_player_picks_after_our_last_event_before_the_choice() {
    // Node 1 comes before both options; each option wants it at another time.
    let story = |chooser| {
        narrative(Spec {
            events: 3,
            links: vec![
                link(1, 2, 0, 2),
                link(1, 3, 0, 2),
                link(0, 2, 10, 10),
                link(0, 3, 5, 5),
            ],
            choices: vec![fork(chooser, &[&[2], &[3]])],
            ..Spec::default()
        })
    };
    let both = plan(100, &[policy(&[0], &[]), policy(&[1], &[])]);
    assert_eq!(codes(&story(Chooser::Player), &both), ["NOT_CONTROLLABLE"]);
    assert_eq!(codes(&story(Chooser::System), &both), Vec::<&str>::new());
}

#[test]
fn a_makespan_that_cannot_be_kept_is_told_from_bounds_that_cannot() {
    let mut first = policy(&[], &[]);
    first.order = vec![(0, 1)];
    assert_eq!(
        codes(&relay(), &plan(95, std::slice::from_ref(&first))),
        Vec::<&str>::new()
    );
    assert_eq!(codes(&relay(), &plan(94, &[first])), ["MAKESPAN_BROKEN"]);
}

#[test]
fn what_is_used_up_is_held_for_ever() {
    let mut spec = Spec {
        events: 4,
        links: vec![link(1, 2, 5, 5), link(3, 4, 5, 5), link(2, 3, 1, 9)],
        activities: vec![acts(1, 2, &[(0, 2)]), acts(3, 4, &[(0, 2)])],
        resources: stock(&[3]),
        ..Spec::default()
    };
    let alone = plan(100, &[policy(&[], &[])]);
    assert_eq!(codes(&narrative(spec.clone()), &alone), Vec::<&str>::new());
    spec.activities[1].demands[0].consumed = true;
    assert_eq!(codes(&narrative(spec.clone()), &alone), Vec::<&str>::new());
    spec.activities[0].demands[0].consumed = true;
    assert_eq!(codes(&narrative(spec), &alone), ["OVERLOAD"]);
}

#[test]
fn a_scene_of_ours_between_what_is_seen_and_our_choice_may_depend_on_what_was_seen() {
    // Node 1 comes when a player likes, node 2 just after it; then node 3 or 4, by how late it is.
    let story = |chooser| {
        narrative(Spec {
            events: 5,
            links: vec![
                link(1, 2, 2, 2),
                link(2, 3, 0, 10),
                link(2, 4, 0, 10),
                link(0, 3, 20, 30),
                link(0, 4, 40, 50),
            ],
            contingent: vec![lasts(0, 1, 10, 46), lasts(2, 5, 1, 2)],
            choices: vec![fork(chooser, &[&[3], &[4]])],
            ..Spec::default()
        })
    };
    let divided = plan(
        100,
        &[policy(&[0], &[(0, 10, 28)]), policy(&[1], &[(0, 28, 46)])],
    );
    assert_eq!(codes(&story(Chooser::System), &divided), Vec::<&str>::new());
    assert_eq!(
        codes(&story(Chooser::Player), &divided),
        ["NOT_SEEN", "NOT_SEEN"]
    );
}

#[test]
fn a_duration_that_follows_a_divided_one_is_followed_in_each_part() {
    // Two links in a row before the choice; either may be divided, or both.
    let story = two_links();
    for outcomes in [
        [vec![(0, 1, 5)], vec![(0, 5, 11)]],
        [vec![(1, 1, 5)], vec![(1, 5, 11)]],
        [vec![(0, 1, 5), (1, 1, 11)], vec![(0, 6, 11)]],
    ] {
        let parts = outcomes.map(|outcomes| policy(&[1], &outcomes));
        assert_eq!(codes(&story, &plan(24, &parts)), Vec::<&str>::new());
    }
    let cross = [
        policy(&[1], &[(0, 1, 5)]),
        policy(&[1], &[(1, 1, 5)]),
        policy(&[1], &[(0, 6, 11), (1, 6, 11)]),
    ];
    assert_eq!(codes(&story, &plan(24, &cross)), Vec::<&str>::new());
}
