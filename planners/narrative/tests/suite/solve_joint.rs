//! Stories in which what is good for one policy is bad for another; every answer is verified.

use crate::searched::concluded;
use crate::verify_stories::link;
use anytime::Conclusion;
use narrative::generate::{Evening, evening};
use narrative::problem::{Choice, Chooser, Spec};
use narrative::solve::{Detail, Params};
use narrative::{Answer, Narrative};

fn answer(narrative: &Narrative, iterations: u64) -> (Option<Answer>, Conclusion) {
    let params = Params {
        detail: Detail::NONE,
        ..Params::default()
    };
    concluded(narrative, &params, iterations)
}

#[test]
fn answers_about_evenings_are_verified_and_most_are_decided() {
    let decided = (0..40).filter(|seed| {
        let (answer, conclusion) = answer(&evening(*seed), 1_000);
        let is_decided = !matches!(conclusion, Conclusion::Stopped(_));
        assert_eq!(answer.is_some(), is_decided);
        is_decided
    });
    assert!(decided.count() >= 37);
}

#[test]
fn two_groups_half_an_hour_apart_get_along() {
    let evening = Evening {
        offset_us: 30 * 60_000_000,
        ..Evening::default()
    };
    let (answer, conclusion) = answer(&evening.narrative(), 1_000);
    assert_eq!(conclusion, Conclusion::Optimal);
    assert!(matches!(answer, Some(Answer::Plan(_))), "{answer:?}");
}

#[test]
fn groups_that_meet_closely_are_decided_choice_by_choice() {
    // What goes wrong before the second group chooses is not looked at again for each of its
    // choices.
    for seed in [48, 119] {
        let (answer, conclusion) = answer(&evening(seed), 1_500);
        assert_eq!(conclusion, Conclusion::Optimal, "evening {seed}");
        assert!(matches!(answer, Some(Answer::Plan(_))));
    }
}

#[test]
fn what_no_choice_can_help_is_refuted_by_a_few_outcomes() {
    for seed in [11, 77] {
        let (answer, conclusion) = answer(&evening(seed), 3_000);
        assert_eq!(conclusion, Conclusion::Infeasible, "evening {seed}");
        assert!(matches!(answer, Some(Answer::Infeasible { .. })));
    }
}

/// A player picks at node 1, at which something else of ours has to happen: node 2 is up to `room`
/// after it, and has to be 5 before the end of one option, and 10 before that of the other.
fn parted(room: i64) -> Narrative {
    let spec = Spec {
        events: 4,
        links: vec![
            link(0, 1, 10, 10),
            link(0, 2, 0, 10),
            link(1, 3, 5, 5),
            link(1, 4, 5, 5),
            link(2, 3, 15, 15 + room),
            link(2, 4, 5, 7),
        ],
        choices: vec![Choice::new(Chooser::Player, vec![vec![3], vec![4]])],
        ..Spec::default()
    };
    Narrative::new(spec).expect("the story is valid")
}

#[test]
fn a_decision_before_a_player_picks_has_to_be_right_for_both_options() {
    let (answer, conclusion) = answer(&parted(0), 1_000);
    assert_eq!(conclusion, Conclusion::Infeasible);
    assert!(matches!(answer, Some(Answer::Infeasible { .. })));
}
