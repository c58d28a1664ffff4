//! Choices are made in story order: what depends on a later one waits for those before it.

use crate::verify_stories::{codes, fork, kept, lasts, link, narrative, plan, policy};
use narrative::Narrative;
use narrative::plan::{DispatchBound, Policy};
use narrative::problem::{Chooser, Micros, Spec};

/// Node 1 comes, and 1 to 2 later others end node 2; then we pick node 3 or not, and only then
/// players node 4 or not, before which nothing has to happen. Node 5 may happen whenever we like.
fn story() -> Narrative {
    narrative(Spec {
        events: 5,
        links: vec![link(0, 1, 0, 4), link(2, 3, 0, 9)],
        contingent: vec![lasts(1, 2, 1, 2)],
        choices: vec![
            fork(Chooser::System, &[&[3], &[]]),
            fork(Chooser::Player, &[&[4], &[]]),
        ],
        horizon_us: Some(9),
        ..Spec::default()
    })
}

/// What is wrong with a plan in which node `event` happens by `early` if node 4 was picked, and not
/// before `late` if not; with or without policies for our other option.
fn wrong(event: usize, early: Micros, late: Micros, both: bool) -> Vec<&'static str> {
    let given = |pick: usize, bound: DispatchBound| Policy {
        bounds: vec![bound],
        ..policy(&[0, pick], &[])
    };
    let mut policies = vec![
        given(0, kept(0, event, early)),
        given(1, kept(event, 0, -late)),
    ];
    if both {
        policies.extend([policy(&[1, 0], &[]), policy(&[1, 1], &[])]);
    }
    codes(&story(), &plan(9, &policies))
}

#[test]
fn what_an_earlier_choice_waits_for_does_not_depend_on_a_later_one() {
    assert!(wrong(1, 3, 3, true).is_empty());
    // When node 1 has to come nobody has picked anything.
    assert_eq!(wrong(1, 2, 3, true), ["NOT_CONTROLLABLE"]);
}

#[test]
fn what_depends_on_a_later_choice_comes_after_those_before() {
    // Node 2 may be as late as 2, and so both choices.
    assert!(wrong(5, 2, 7, false).is_empty());
    assert_eq!(wrong(5, 1, 7, true), ["NOT_CONTROLLABLE"]);
    // Who never picks the other option has nothing to choose.
    assert!(wrong(5, 1, 7, false).is_empty());
}
