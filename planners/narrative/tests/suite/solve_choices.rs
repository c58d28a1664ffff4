//! Why stories with choices have no plan.

use crate::searched;
use crate::verify_stories::link;
use narrative::generate::Evening;
use narrative::plan::{Conflict, Member};
use narrative::problem::{Activity, Choice, Chooser, Contingent, Demand, Resource, Source, Spec};
use narrative::solve::Params;

/// The last conflict; every one is verified.
fn refused(spec: &Spec) -> Conflict {
    searched::refused(spec, &Params::default(), 10_000).0
}

/// A search of 10 to 90, and then what a player picks: a long scene, which has to begin by 120, or
/// a short one.
fn picked() -> Spec {
    Spec {
        events: 5,
        links: vec![
            link(1, 2, 50, 60),
            link(1, 3, 5, 5),
            link(0, 2, 0, 120),
            link(0, 3, 0, 200),
            link(0, 4, 0, 300),
            link(4, 5, 0, 9),
        ],
        contingent: vec![Contingent::new(0, 1, 10, 90)],
        choices: vec![Choice::new(Chooser::Player, vec![vec![2], vec![3]])],
        ..Spec::default()
    }
}

#[test]
fn a_conflict_about_a_choice_names_only_what_is_needed() {
    let conflict = refused(&picked());
    assert!(conflict.minimal);
    assert!(conflict.uncovered.is_some());
    let expected = [
        Member::Bound(Source::LinkUpper(2)),
        Member::Bound(Source::LinkLower(0)),
        Member::Bound(Source::ContingentUpper(0)),
        Member::Choice { choice: 0 },
    ];
    assert_eq!(conflict.members, expected);
}

#[test]
fn a_conflict_about_a_choice_names_who_is_short() {
    let mut spec = picked();
    // Now there is time, but for the actor, who is busy elsewhere until 125.
    spec.links[2].upper_us = Some(141);
    spec.events = 8;
    spec.links
        .extend([link(0, 6, 0, 0), link(6, 7, 125, 125), link(2, 8, 20, 20)]);
    spec.choices[0].options[0].push(8);
    let act = |start, end| Activity::new(start, end, vec![Demand::new(0, 1)]);
    spec.activities = vec![act(6, 7), act(2, 8)];
    spec.resources = vec![Resource { capacity: 1 }];
    let conflict = refused(&spec);
    assert!(conflict.minimal);
    let short = Member::Capacity {
        resource: 0,
        activities: vec![0, 1],
    };
    assert!(conflict.members.contains(&short), "{conflict:?}");
    assert!(conflict.members.len() <= 9, "{conflict:?}");
}

#[test]
fn a_conflict_about_two_groups_is_a_quarter_of_all_rules() {
    let evening = Evening {
        chooser: Chooser::Player,
        ..Evening::default()
    };
    let conflict = refused(evening.narrative().spec());
    assert!(conflict.minimal);
    let mut members = conflict.members.iter();
    assert!(members.all(|member| !matches!(member, Member::Bound(Source::Start(_)))));
    // Of 93 that are about all of the story.
    assert!(conflict.members.len() <= 23, "{conflict:?}");
}
