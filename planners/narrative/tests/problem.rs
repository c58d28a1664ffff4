//! What makes no sense is refused: every mistake, with the element at fault.

mod verify_stories;

use narrative::errors::Which;
use narrative::problem::{
    ACTIVITIES_MAX, Activity, CAPACITY_MAX, CHOICES_MAX, CONTINGENT_MAX, Choice, Contingent,
    EVENTS_MAX, LINKS_MAX, Link, Micros, Node, OPTIONS_MAX, RESOURCES_MAX, Resource, Spec,
    TIME_MAX_US,
};
use narrative::{Narrative, NarrativeError};
use verify_stories::{lasts, link, needs, ours, story};

/// The mistakes after one change of a story that makes sense.
fn after(change: impl FnOnce(&mut Spec)) -> Vec<NarrativeError> {
    let mut spec = story();
    assert!(Narrative::new(spec.clone()).is_ok());
    change(&mut spec);
    let errors = Narrative::new(spec).err().unwrap_or_default();
    assert!(errors.iter().all(|error| !error.to_string().is_empty()));
    errors
}

#[test]
fn a_story_without_events_is_refused() {
    let errors = Narrative::new(Spec::default()).unwrap_err();
    assert_eq!(errors, [NarrativeError::NoEvents]);
}

#[test]
fn groups_are_given_for_all_events_or_none() {
    let spec = Spec {
        events: 2,
        groups: vec![0],
        ..Spec::default()
    };
    let errors = Narrative::new(spec).unwrap_err();
    let expected = NarrativeError::GroupCount {
        given: 1,
        events: 2,
    };
    assert_eq!(errors, [expected]);
}

#[test]
fn sizes_are_judged_before_anything_else() {
    let many = Spec {
        events: EVENTS_MAX + 1,
        links: vec![link(9_999, 9_999, 1, 0); LINKS_MAX + 1],
        contingent: vec![lasts(9_999, 9_999, 1, 0); CONTINGENT_MAX + 1],
        activities: vec![
            Activity {
                start: 9_999,
                end: 9_999,
                demands: vec![],
            };
            ACTIVITIES_MAX + 1
        ],
        resources: vec![Resource { capacity: u32::MAX }; RESOURCES_MAX + 1],
        choices: vec![ours(&[]); CHOICES_MAX + 1],
        ..Spec::default()
    };
    let expected = [
        NarrativeError::TooManyEvents {
            given: EVENTS_MAX + 1,
        },
        NarrativeError::TooManyLinks {
            given: LINKS_MAX + 1,
        },
        NarrativeError::TooManyContingent {
            given: CONTINGENT_MAX + 1,
        },
        NarrativeError::TooManyActivities {
            given: ACTIVITIES_MAX + 1,
        },
        NarrativeError::TooManyResources {
            given: RESOURCES_MAX + 1,
        },
        NarrativeError::TooManyChoices {
            given: CHOICES_MAX + 1,
        },
    ];
    assert_eq!(Narrative::new(many).unwrap_err(), expected);
}

#[test]
fn links_lead_from_one_node_to_another_with_bounds_in_order() {
    let which = Which::Link(0);
    let change = |given: Link| after(|spec| spec.links[0] = given);
    let unknown = |node| NarrativeError::UnknownNode {
        which,
        node,
        nodes: 5,
    };
    assert_eq!(change(link(5, 9, 0, 1)), [unknown(5), unknown(9)]);
    assert_eq!(
        change(link(2, 2, 0, 1)),
        [NarrativeError::SelfLoop { which, node: 2 }]
    );
    let (lower_us, upper_us) = (2, 1);
    let reversed = NarrativeError::Reversed {
        which,
        lower_us,
        upper_us,
    };
    assert_eq!(change(link(2, 3, 2, 1)), [reversed]);
    let given_us = TIME_MAX_US + 1;
    let far = |given_us| NarrativeError::BoundOutOfRange { which, given_us };
    assert_eq!(change(link(2, 3, 0, given_us)), [far(given_us)]);
    assert_eq!(change(link(2, 3, Micros::MIN, 0)), [far(Micros::MIN)]);
    let mut free = link(2, 3, 0, 0);
    (free.lower_us, free.upper_us) = (None, None);
    assert_eq!(change(free), [NarrativeError::Unbounded { link: 0 }]);
}

#[test]
fn durations_that_players_pick_are_not_negative_and_end_once() {
    let which = Which::Contingent(0);
    let change = |given: Contingent| after(|spec| spec.contingent[0] = given);
    let lower_us = -1;
    let negative = NarrativeError::NegativeDuration {
        contingent: 0,
        lower_us,
    };
    assert_eq!(change(lasts(1, 2, -1, 4)), [negative]);
    let reversed = NarrativeError::Reversed {
        which,
        lower_us: 5,
        upper_us: 4,
    };
    assert_eq!(change(lasts(1, 2, 5, 4)), [reversed]);
    let given_us = TIME_MAX_US + 1;
    let far = NarrativeError::BoundOutOfRange { which, given_us };
    assert_eq!(change(lasts(1, 2, 5, given_us)), [far]);
    let origin = after(|spec| spec.contingent.push(lasts(1, 0, 1, 1)));
    assert_eq!(origin, [NarrativeError::EndsAtOrigin { contingent: 1 }]);
    let two = after(|spec| spec.contingent.push(lasts(0, 2, 1, 1)));
    let (first, second, node) = (0, 1, 2);
    let expected = NarrativeError::TwoContingent {
        first,
        second,
        node,
    };
    assert_eq!(two, [expected]);
    let circle = after(|spec| spec.contingent.push(lasts(2, 1, 1, 1)));
    let member = |contingent| NarrativeError::ContingentCircle { contingent };
    assert_eq!(circle, [member(0), member(1)]);
    let unknown = after(|spec| spec.contingent.push(lasts(1, usize::MAX, 1, 1)));
    let expected = NarrativeError::UnknownNode {
        which: Which::Contingent(1),
        node: usize::MAX,
        nodes: 5,
    };
    assert_eq!(unknown, [expected]);
}

#[test]
fn activities_take_time_and_need_what_there_is() {
    let change = |change: fn(&mut Activity)| after(|spec| change(&mut spec.activities[0]));
    let activity = 0;
    // Node 0 leads to node 2 by no link.
    let apart = change(|given| given.start = 0);
    assert_eq!(apart, [NarrativeError::NoDuration { activity }]);
    let back = after(|spec| {
        spec.links.push(link(0, 2, -1, 9));
        spec.activities[0].start = 0;
    });
    assert_eq!(back, [NarrativeError::NoDuration { activity }]);
    let none = change(|given| given.demands[0].resource = 2);
    let (demand, resource) = (0, 2);
    let expected = NarrativeError::UnknownResource {
        activity,
        demand,
        resource,
        resources: 2,
    };
    assert_eq!(none, [expected]);
    let twice = change(|given| given.demands.push(needs(0, 1)));
    let expected = NarrativeError::DemandTwice {
        activity,
        demand: 1,
        resource: 0,
    };
    assert_eq!(twice, [expected]);
    for amount in [0, 4] {
        let errors = after(|spec| spec.activities[0].demands[0].amount = amount);
        let expected = NarrativeError::DemandOutOfRange {
            activity,
            demand: 0,
            resource: 0,
            amount,
            capacity: 3,
        };
        assert_eq!(errors, [expected]);
    }
    let large = after(|spec| spec.resources[1].capacity = CAPACITY_MAX + 1);
    let (resource, given) = (1, CAPACITY_MAX + 1);
    assert_eq!(
        large,
        [NarrativeError::CapacityOutOfRange { resource, given }]
    );
}

#[test]
fn choices_have_options_that_do_not_overlap() {
    let change = |given: Choice| after(|spec| spec.choices[0] = given);
    let count = |given| NarrativeError::OptionCount { choice: 0, given };
    assert_eq!(change(ours(&[&[3]])), [count(1)]);
    assert_eq!(
        change(ours(&[[].as_slice(); OPTIONS_MAX + 1])),
        [count(OPTIONS_MAX + 1)]
    );
    let overlap = |option, node| NarrativeError::OptionsOverlap {
        choice: 0,
        option,
        node,
    };
    assert_eq!(change(ours(&[&[3, 4], &[4]])), [overlap(1, 4)]);
    assert_eq!(change(ours(&[&[3, 3], &[4]])), [overlap(0, 3)]);
    let which = Which::Option(0, 1);
    assert_eq!(
        change(ours(&[&[3], &[0]])),
        [NarrativeError::Origin { which }]
    );
    let unknown = NarrativeError::UnknownNode {
        which,
        node: 5,
        nodes: 5,
    };
    assert_eq!(change(ours(&[&[3], &[5]])), [unknown]);
}

#[test]
fn both_ends_of_durations_and_activities_happen_in_the_same_storylines() {
    let half = after(|spec| spec.choices[0] = ours(&[&[2, 3], &[4]]));
    let expected = [
        NarrativeError::HalfContingent { contingent: 0 },
        NarrativeError::HalfActivity { activity: 0 },
    ];
    assert_eq!(half, expected);
}

#[test]
fn waiting_is_along_links_that_are_not_negative() {
    assert_eq!(after(|spec| spec.waiting = vec![0, 1]), []);
    let wrong = |waiting, link| NarrativeError::NotWaiting { waiting, link };
    assert_eq!(after(|spec| spec.waiting = vec![0, 3]), [wrong(1, 3)]);
    let back = after(|spec| {
        spec.links[0].lower_us = Some(-1);
        spec.links[1].lower_us = None;
        spec.waiting = vec![0, 1];
    });
    assert_eq!(back, [wrong(0, 0), wrong(1, 1)]);
}

#[test]
fn times_of_the_story_are_in_range() {
    for given_us in [-1, TIME_MAX_US + 1] {
        let horizon = after(|spec| spec.horizon_us = Some(given_us));
        assert_eq!(horizon, [NarrativeError::HorizonOutOfRange { given_us }]);
        let now = after(|spec| spec.progress.now_us = given_us);
        assert_eq!(now, [NarrativeError::NowOutOfRange { given_us }]);
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
    assert_eq!(change(&[(1, 12)]), []);
    for given_us in [-1, 21] {
        let expected = NarrativeError::HappenedOutOfRange {
            happened: 0,
            node: 3,
            given_us,
            now_us: 20,
        };
        assert_eq!(change(&[(3, given_us)]), [expected]);
    }
    let (happened, node) = (1, 1);
    assert_eq!(
        change(&[(1, 12), (1, 12)]),
        [NarrativeError::HappenedTwice { happened, node }]
    );
    let which = Which::Happened(0);
    assert_eq!(change(&[(0, 0)]), [NarrativeError::Origin { which }]);
    let unknown = NarrativeError::UnknownNode {
        which,
        node: 8,
        nodes: 5,
    };
    assert_eq!(change(&[(8, 0)]), [unknown]);
}

#[test]
fn durations_that_are_over_or_go_on_are_possible() {
    let change = |now_us, happened: &[(Node, Micros)]| {
        after(|spec| {
            spec.progress.now_us = now_us;
            spec.progress.happened = happened.to_vec();
        })
    };
    assert_eq!(change(9, &[(1, 0)]), []);
    assert_eq!(change(1, &[(1, 0)]), [], "it goes on");
    assert_eq!(change(20, &[(1, 0), (2, 9)]), []);
    let taken = |taken_us| NarrativeError::Impossible {
        contingent: 0,
        taken_us,
        lower_us: 3,
        upper_us: 9,
    };
    assert_eq!(change(10, &[(1, 0)]), [taken(10)]);
    assert_eq!(change(20, &[(1, 0), (2, 2)]), [taken(2)]);
    assert_eq!(change(20, &[(1, 5), (2, 4)]), [taken(-1)]);
    assert_eq!(
        change(20, &[(2, 4)]),
        [NarrativeError::NotBegun { contingent: 0 }]
    );
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
    assert_eq!(change(&[(0, 1)], &[(1, 3), (2, 6), (4, 7)]), []);
    let unknown = |made, choice, option| NarrativeError::UnknownPick {
        made,
        choice,
        option,
    };
    assert_eq!(change(&[(1, 0)], &[]), [unknown(0, 1, 0)]);
    assert_eq!(change(&[(0, 2)], &[]), [unknown(0, 0, 2)]);
    assert_eq!(change(&[(0, 1), (0, 1)], &[]), [unknown(1, 0, 1)]);
    let (happened, node) = (2, 3);
    let elsewhere = NarrativeError::HappenedElsewhere { happened, node };
    assert_eq!(change(&[(0, 1)], &[(1, 3), (2, 6), (3, 7)]), [elsewhere]);
}

#[test]
fn all_mistakes_are_told_at_once() {
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
