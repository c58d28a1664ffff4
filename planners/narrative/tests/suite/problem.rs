//! Invalid narratives are refused: every broken rule, with its code and field.

use crate::verify_stories::{lasts, link, needs, ours, story};
use anytime::Fault;
use narrative::Narrative;
use narrative::problem::{
    ACTIVITIES_MAX, Activity, CAPACITY_MAX, CHOICES_MAX, CONTINGENT_MAX, Choice, Contingent,
    EVENTS_MAX, LINKS_MAX, Link, Micros, Node, OPTIONS_MAX, RESOURCES_MAX, Resource, Spec,
    TIME_MAX_US,
};

/// Code and field of each fault.
fn rules(faults: &[Fault]) -> Vec<String> {
    assert!(faults.iter().all(|fault| !fault.to_string().is_empty()));
    let rules = faults
        .iter()
        .map(|fault| format!("{} {}", fault.code, fault.field()));
    rules.collect()
}

/// The faults after one change of a valid story.
fn after(change: impl FnOnce(&mut Spec)) -> Vec<String> {
    let mut spec = story();
    assert!(Narrative::new(spec.clone()).is_ok());
    change(&mut spec);
    rules(&Narrative::new(spec).err().unwrap_or_default())
}

#[test]
fn a_story_without_events_is_refused() {
    let errors = Narrative::new(Spec::default()).unwrap_err();
    assert_eq!(rules(&errors), ["REQUIRED events"]);
}

#[test]
fn groups_are_given_for_all_events_or_none() {
    let spec = Spec {
        events: 2,
        groups: vec![0],
        ..Spec::default()
    };
    let errors = Narrative::new(spec).unwrap_err();
    assert_eq!(rules(&errors), ["CONTRADICTION groups"]);
}

#[test]
fn sizes_are_judged_before_anything_else() {
    let many = Spec {
        events: EVENTS_MAX + 1,
        links: vec![link(9_999, 9_999, 1, 0); LINKS_MAX + 1],
        contingent: vec![lasts(9_999, 9_999, 1, 0); CONTINGENT_MAX + 1],
        activities: vec![Activity::new(9_999, 9_999, vec![]); ACTIVITIES_MAX + 1],
        resources: vec![Resource { capacity: u32::MAX }; RESOURCES_MAX + 1],
        choices: vec![ours(&[]); CHOICES_MAX + 1],
        ..Spec::default()
    };
    let expected = [
        "TOO_MANY events",
        "TOO_MANY links",
        "TOO_MANY contingent_links",
        "TOO_MANY activities",
        "TOO_MANY resources",
        "TOO_MANY choices",
    ];
    assert_eq!(rules(&Narrative::new(many).unwrap_err()), expected);
}

#[test]
fn links_lead_from_one_node_to_another_with_bounds_in_order() {
    let change = |given: Link| after(|spec| spec.links[0] = given);
    assert_eq!(change(link(5, 9, 0, 1)), ["UNKNOWN links[0]"; 2]);
    assert_eq!(change(link(2, 2, 0, 1)), ["SELF_LOOP links[0].to_event_id"]);
    assert_eq!(change(link(2, 3, 2, 1)), ["REVERSED links[0].upper"]);
    let given_us = TIME_MAX_US + 1;
    let far = ["OUT_OF_RANGE links[0]"];
    assert_eq!(change(link(2, 3, 0, given_us)), far);
    assert_eq!(change(link(2, 3, Micros::MIN, 0)), far);
    let mut free = link(2, 3, 0, 0);
    (free.lower_us, free.upper_us) = (None, None);
    assert_eq!(change(free), ["REQUIRED links[0]"]);
}

#[test]
fn durations_that_players_pick_are_not_negative_and_end_once() {
    let change = |given: Contingent| after(|spec| spec.contingent[0] = given);
    let negative = ["OUT_OF_RANGE contingent_links[0].lower"];
    assert_eq!(change(lasts(1, 2, -1, 4)), negative);
    let reversed = ["REVERSED contingent_links[0].upper"];
    assert_eq!(change(lasts(1, 2, 5, 4)), reversed);
    let far = change(lasts(1, 2, 5, TIME_MAX_US + 1));
    assert_eq!(far, ["OUT_OF_RANGE contingent_links[0]"]);
    let origin = after(|spec| spec.contingent.push(lasts(1, 0, 1, 1)));
    assert_eq!(origin, ["CONTRADICTION contingent_links[1].to_event_id"]);
    let two = after(|spec| spec.contingent.push(lasts(0, 2, 1, 1)));
    assert_eq!(two, ["DUPLICATE contingent_links[1].to_event_id"]);
    let cycle = after(|spec| spec.contingent.push(lasts(2, 1, 1, 1)));
    let members = [
        "CIRCULAR contingent_links[0]",
        "CIRCULAR contingent_links[1]",
    ];
    assert_eq!(cycle, members);
    let unknown = after(|spec| spec.contingent.push(lasts(1, usize::MAX, 1, 1)));
    assert_eq!(unknown, ["UNKNOWN contingent_links[1]"]);
}

#[test]
fn activities_take_time_and_need_what_there_is() {
    let change = |change: fn(&mut Activity)| after(|spec| change(&mut spec.activities[0]));
    // Node 0 leads to node 2 by no link.
    let apart = change(|given| given.start = 0);
    assert_eq!(apart, ["REQUIRED activities[0]"]);
    let back = after(|spec| {
        spec.links.push(link(0, 2, -1, 9));
        spec.activities[0].start = 0;
    });
    assert_eq!(back, ["REQUIRED activities[0]"]);
    let none = change(|given| given.demands[0].resource = 2);
    assert_eq!(none, ["UNKNOWN activities[0].demands[0].resource_id"]);
    let twice = change(|given| given.demands.push(needs(0, 1)));
    assert_eq!(twice, ["DUPLICATE activities[0].demands[1].resource_id"]);
    for amount in [0, 4] {
        let errors = after(|spec| spec.activities[0].demands[0].amount = amount);
        assert_eq!(errors, ["OUT_OF_RANGE activities[0].demands[0].amount"]);
    }
    let large = after(|spec| spec.resources[1].capacity = CAPACITY_MAX + 1);
    assert_eq!(large, ["OUT_OF_RANGE resources[1].capacity"]);
}

#[test]
fn choices_have_options_that_do_not_overlap() {
    let change = |given: Choice| after(|spec| spec.choices[0] = given);
    assert_eq!(change(ours(&[&[3]])), ["REQUIRED choices[0].options"]);
    assert_eq!(
        change(ours(&[[].as_slice(); OPTIONS_MAX + 1])),
        ["TOO_MANY choices[0].options"]
    );
    let overlap = |option| [format!("OVERLAP choices[0].options[{option}].event_ids")];
    assert_eq!(change(ours(&[&[3, 4], &[4]])), overlap(1));
    assert_eq!(change(ours(&[&[3, 3], &[4]])), overlap(0));
    let origin = ["CONTRADICTION choices[0].options[1]"];
    assert_eq!(change(ours(&[&[3], &[0]])), origin);
    let unknown = ["UNKNOWN choices[0].options[1]"];
    assert_eq!(change(ours(&[&[3], &[5]])), unknown);
}

#[test]
fn both_ends_of_durations_and_activities_happen_in_the_same_storylines() {
    let half = after(|spec| spec.choices[0] = ours(&[&[2, 3], &[4]]));
    let expected = [
        "CONTRADICTION contingent_links[0]",
        "CONTRADICTION activities[0]",
    ];
    assert_eq!(half, expected);
}

#[test]
fn waiting_is_along_links_that_are_not_negative() {
    assert_eq!(after(|spec| spec.waiting = vec![0, 1]), [""; 0]);
    let wrong = |waiting| format!("OUT_OF_RANGE objective.idle_link_ids[{waiting}]");
    assert_eq!(after(|spec| spec.waiting = vec![0, 3]), [wrong(1)]);
    let back = after(|spec| {
        spec.links[0].lower_us = Some(-1);
        spec.links[1].lower_us = None;
        spec.waiting = vec![0, 1];
    });
    assert_eq!(back, [wrong(0), wrong(1)]);
}

#[test]
fn times_of_the_story_are_in_range() {
    for given_us in [-1, TIME_MAX_US + 1] {
        let horizon = after(|spec| spec.horizon_us = Some(given_us));
        assert_eq!(horizon, ["OUT_OF_RANGE horizon_offset"]);
        let now = after(|spec| spec.progress.now_us = given_us);
        assert_eq!(now, ["OUT_OF_RANGE progress.now_offset"]);
    }
}

#[test]
fn what_happened_happened_once_and_in_the_past() {
    let change = |happened: &[(Node, Micros)]| {
        after(|spec| {
            spec.progress.now_us = 20;
            spec.progress.happened = happened.to_vec();
        })
    };
    assert_eq!(change(&[(1, 12)]), [""; 0]);
    for given_us in [-1, 21] {
        let expected = ["OUT_OF_RANGE progress.happened[0].time_offset"];
        assert_eq!(change(&[(3, given_us)]), expected);
    }
    let twice = ["DUPLICATE progress.happened[1].event_id"];
    assert_eq!(change(&[(1, 12), (1, 12)]), twice);
    assert_eq!(change(&[(0, 0)]), ["CONTRADICTION progress.happened[0]"]);
    assert_eq!(change(&[(8, 0)]), ["UNKNOWN progress.happened[0]"]);
}

#[test]
fn durations_that_are_over_or_go_on_are_possible() {
    let change = |now_us, happened: &[(Node, Micros)]| {
        after(|spec| {
            spec.progress.now_us = now_us;
            spec.progress.happened = happened.to_vec();
        })
    };
    assert_eq!(change(9, &[(1, 0)]), [""; 0]);
    assert_eq!(change(1, &[(1, 0)]), [""; 0], "it goes on");
    assert_eq!(change(20, &[(1, 0), (2, 9)]), [""; 0]);
    let taken = ["CONTRADICTION progress"];
    assert_eq!(change(10, &[(1, 0)]), taken);
    assert_eq!(change(20, &[(1, 0), (2, 2)]), taken);
    assert_eq!(change(20, &[(1, 5), (2, 4)]), taken);
    assert_eq!(change(20, &[(2, 4)]), ["CONTRADICTION progress.happened"]);
}

#[test]
fn choices_made_are_of_options_and_leave_what_happened() {
    let change = |made: &[(usize, usize)], happened: &[(Node, Micros)]| {
        after(|spec| {
            spec.progress.now_us = 20;
            spec.progress.happened = happened.to_vec();
            spec.progress.made = made.to_vec();
        })
    };
    assert_eq!(change(&[(0, 1)], &[(1, 3), (2, 6), (4, 7)]), [""; 0]);
    let unknown = ["UNKNOWN progress.made[0].choice_id"];
    assert_eq!(change(&[(1, 0)], &[]), unknown);
    assert_eq!(change(&[(0, 2)], &[]), unknown);
    let twice = ["DUPLICATE progress.made[1].choice_id"];
    assert_eq!(change(&[(0, 1), (0, 1)], &[]), twice);
    let left_out = ["CONTRADICTION progress.happened[2].event_id"];
    assert_eq!(change(&[(0, 1)], &[(1, 3), (2, 6), (3, 7)]), left_out);
}

#[test]
fn all_faults_are_reported_together() {
    let errors = after(|spec| {
        spec.links[0].upper_us = Some(0);
        spec.contingent[0].lower_us = -1;
        spec.activities[0].demands[0].amount = 9;
        spec.horizon_us = Some(-1);
        spec.choices[0].options.pop();
        spec.progress.now_us = -1;
    });
    assert_eq!(errors.len(), 6, "{errors:?}");
}
