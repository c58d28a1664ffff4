//! What is valid has its storylines and its copies.

use crate::verify_stories::{lasts, link, needs, ours, story};
use narrative::problem::{
    Activity, CAPACITY_MAX, Choice, Chooser, EVENTS_MAX, LINKS_MAX, Link, Micros, Node,
    OPTIONS_MAX, Picks, RESOURCES_MAX, Resource, STORYLINES_MAX, Spec, Start, TIME_MAX_US,
};
use narrative::{Answer, Narrative, Plan, Policy, verify};

#[test]
fn only_so_many_storylines_are_supported() {
    let story = |count: usize, options: usize| {
        let option = |choice: usize, option: usize| vec![1 + choice * options + option];
        let choice = |choice| Choice {
            chooser: Chooser::Player,
            options: (0..options).map(|at| option(choice, at)).collect(),
        };
        Narrative::new(Spec {
            events: count * options,
            choices: (0..count).map(choice).collect(),
            ..Spec::default()
        })
    };
    assert_eq!(story(10, 2).unwrap().storylines().len(), STORYLINES_MAX);
    let errors = story(11, 2).unwrap_err();
    assert_eq!((errors[0].code, errors.len()), ("TOO_MANY", 1));
    assert_eq!(errors[0].field(), "choices");
    assert!(story(2, OPTIONS_MAX).is_ok());
}

/// Picks, where 9 stands for nothing to choose.
fn lines(lines: &[&[usize]]) -> Vec<Picks> {
    let pick = |&pick: &usize| (pick < 9).then_some(pick);
    lines
        .iter()
        .map(|line| line.iter().map(pick).collect())
        .collect()
}

/// First 1 or 2; after 1, 3 or 4, after 2 nothing to choose; then 5 or not.
fn nested() -> Spec {
    Spec {
        events: 5,
        choices: vec![
            ours(&[&[1, 3, 4], &[2]]),
            ours(&[&[3], &[4]]),
            ours(&[&[5], &[]]),
        ],
        ..Spec::default()
    }
}

#[test]
fn choices_inside_of_options_come_up_only_there() {
    let narrative = Narrative::new(nested()).unwrap();
    let expected = lines(&[
        &[0, 0, 0],
        &[0, 0, 1],
        &[0, 1, 0],
        &[0, 1, 1],
        &[1, 9, 0],
        &[1, 9, 1],
    ]);
    assert_eq!(narrative.storylines(), expected);
    let present = |picks: &Picks| -> Vec<Node> {
        (0..narrative.nodes())
            .filter(|node| narrative.present(picks, *node))
            .collect()
    };
    let presents: Vec<_> = expected.iter().map(present).collect();
    let nodes: [&[Node]; 6] = [
        &[0, 1, 3, 5],
        &[0, 1, 3],
        &[0, 1, 4, 5],
        &[0, 1, 4],
        &[0, 2, 5],
        &[0, 2],
    ];
    assert_eq!(presents, nodes);
    assert_eq!(present(&vec![]), [0, 1, 2, 3, 4, 5], "nothing is known yet");
    assert_eq!(present(&vec![Some(0)]), [0, 1, 3, 4, 5]);
}

#[test]
fn choices_that_were_made_leave_their_storylines() {
    let with = |made: &[(usize, usize)]| {
        let mut spec = nested();
        spec.progress.made = made.to_vec();
        Narrative::new(spec).unwrap().storylines().to_vec()
    };
    assert_eq!(with(&[(0, 1)]), lines(&[&[1, 9, 0], &[1, 9, 1]]));
    assert_eq!(with(&[(2, 1), (0, 0)]), lines(&[&[0, 0, 1], &[0, 1, 1]]));
    // A choice that has been made does not say that the one before it went its way.
    assert_eq!(with(&[(1, 0)]).len(), 4);
}

#[test]
fn an_option_of_which_an_event_has_happened_was_picked() {
    let with = |happened: &[Node]| {
        let mut spec = nested();
        spec.progress.now_us = 5;
        spec.progress.happened = happened.iter().map(|node| (*node, 1)).collect();
        let story = Narrative::new(spec);
        story.map(|story| story.storylines().to_vec())
    };
    assert_eq!(with(&[2]).unwrap(), lines(&[&[1, 9, 0], &[1, 9, 1]]));
    // Node 3 is inside of an option of the first choice, too.
    assert_eq!(with(&[3]).unwrap(), lines(&[&[0, 0, 0], &[0, 0, 1]]));
    let both = with(&[4, 3]).unwrap_err();
    assert_eq!((both[0].code, both.len()), ("CONTRADICTION", 1));
    assert_eq!(both[0].field(), "progress.happened[0].event_id");
}

#[test]
fn storylines_are_sorted_and_different() {
    let narrative = Narrative::new(nested()).unwrap();
    assert!(narrative.storylines().is_sorted_by(|one, next| one < next));
    let alone = Spec {
        events: 1,
        ..Spec::default()
    };
    assert_eq!(Narrative::new(alone).unwrap().storylines(), [Picks::new()]);
}

#[test]
fn what_happened_is_known_by_node() {
    let mut spec = story();
    spec.progress.now_us = 7;
    spec.progress.happened = vec![(1, 5)];
    let narrative = Narrative::new(spec).unwrap();
    let times: Vec<_> = (0..5).map(|node| narrative.happened(node)).collect();
    assert_eq!(times, [Some(0), Some(5), None, None, None]);
}

#[test]
fn copies_are_groups_with_events_of_their_own_on_common_resources() {
    let mut spec = story();
    spec.waiting = vec![1];
    spec.horizon_us = Some(99);
    let two = spec.copies(&[Start::default(), Start { offset_us: 30 }]);
    assert_eq!((two.events, two.horizon_us), (8, Some(99)));
    assert_eq!(two.resources, spec.resources);
    assert_eq!(two.links[..3], spec.links);
    let second = [link(6, 7, 1, 5), link(6, 8, 0, 5), link(0, 5, 30, 80)];
    assert_eq!(two.links[3..6], second);
    assert_eq!(two.waiting, [1, 4]);
    assert_eq!(two.contingent, [lasts(1, 2, 3, 9), lasts(5, 6, 3, 9)]);
    let ends: Vec<_> = two
        .activities
        .iter()
        .map(|given| (given.start, given.end))
        .collect();
    assert_eq!(ends, [(1, 2), (5, 6)]);
    assert_eq!(two.choices, [ours(&[&[3], &[4]]), ours(&[&[7], &[8]])]);
    // Nothing of a group happens before it starts.
    let late = |node| Link::new(0, node, 30, None);
    assert_eq!(two.links[6..], [5, 6, 7, 8].map(late));
    assert_eq!(Narrative::new(two).unwrap().storylines().len(), 4);
}

#[test]
fn times_from_and_to_the_origin_move_with_the_group() {
    let spec = Spec {
        events: 2,
        links: vec![link(2, 0, -9, -4), link(1, 2, 1, 3)],
        contingent: vec![lasts(0, 1, 2, 5)],
        ..Spec::default()
    };
    let one = spec.copies(&[Start { offset_us: 100 }]);
    assert_eq!(one.links[..2], [link(2, 0, -109, -104), link(1, 2, 1, 3)]);
    assert_eq!(one.contingent, [lasts(0, 1, 102, 105)]);
    assert!(Narrative::new(one).is_ok());
}

#[test]
fn groups_that_start_late_have_origins_for_activities_only() {
    let spec = Spec {
        events: 2,
        links: vec![link(1, 2, 1, 3)],
        contingent: vec![lasts(0, 1, 2, 5)],
        activities: vec![Activity::new(0, 1, vec![needs(0, 1)])],
        resources: vec![Resource { capacity: 1 }],
        ..Spec::default()
    };
    let starts = [100, 0, 50].map(|offset_us| Start { offset_us });
    let three = spec.copies(&starts);
    assert_eq!(spec.own_origins(&starts), [(7, 0, 100), (8, 2, 50)]);
    let lasting = [
        lasts(0, 1, 102, 105),
        lasts(0, 3, 2, 5),
        lasts(0, 5, 52, 55),
    ];
    assert_eq!(three.contingent, lasting);
    let starts: Vec<Node> = three.activities.iter().map(|given| given.start).collect();
    assert_eq!(starts, [7, 0, 8]);
    assert_eq!(three.links[three.links.len() - 2], link(0, 8, 50, 50));
    assert!(Narrative::new(three).is_ok());
    let free = Spec {
        activities: vec![],
        ..spec
    };
    assert_eq!(free.own_origins(&[Start { offset_us: 9 }]), []);
    assert_eq!(free.copies(&[Start { offset_us: 9 }]).events, 2);
}

#[test]
fn what_is_needed_from_the_origin_on_is_held_from_when_the_group_starts() {
    // One room, from the origin on, for 10: the second group comes when the first has left.
    let spec = Spec {
        events: 1,
        links: vec![link(0, 1, 10, 10)],
        activities: vec![Activity::new(0, 1, vec![needs(0, 1)])],
        resources: vec![Resource { capacity: 1 }],
        ..Spec::default()
    };
    let answer = |offset_us: Micros| {
        let starts = [Start::default(), Start { offset_us }];
        let both = Narrative::new(spec.copies(&starts)).unwrap();
        let plan = Plan {
            policies: vec![Policy::default()],
            makespan_us: 30,
            ..Plan::default()
        };
        verify::answer(&both, &Answer::Plan(plan))
    };
    assert!(answer(10).is_ok());
    let codes: Vec<_> = answer(9).unwrap_err().iter().map(|one| one.code).collect();
    assert_eq!(codes, ["OVERLOAD"]);
}

#[test]
fn copies_that_start_beyond_all_times_are_refused() {
    let spec = story().copies(&[Start {
        offset_us: Micros::MAX,
    }]);
    let errors = Narrative::new(spec).unwrap_err();
    let far = |fault: &anytime::Fault| fault.code == "OUT_OF_RANGE";
    assert!(errors.iter().all(far) && !errors.is_empty(), "{errors:?}");
}

#[test]
fn no_copies_are_no_story() {
    let errors = Narrative::new(story().copies(&[])).unwrap_err();
    assert_eq!((errors[0].code, errors.len()), ("REQUIRED", 1));
}

#[test]
fn the_largest_sizes_are_fine() {
    let node = |at: usize| at % EVENTS_MAX + 1;
    let spec = Spec {
        events: EVENTS_MAX,
        links: (0..LINKS_MAX)
            .map(|at| link(0, node(at), 0, TIME_MAX_US))
            .collect(),
        contingent: (1..EVENTS_MAX)
            .map(|at| lasts(at, at + 1, 0, TIME_MAX_US))
            .collect(),
        activities: (1..EVENTS_MAX)
            .map(|at| Activity {
                start: at,
                end: at + 1,
                demands: (0..RESOURCES_MAX)
                    .map(|resource| needs(resource, CAPACITY_MAX))
                    .collect(),
            })
            .collect(),
        resources: vec![
            Resource {
                capacity: CAPACITY_MAX
            };
            RESOURCES_MAX
        ],
        ..Spec::default()
    };
    assert!(Narrative::new(spec).is_ok());
}
