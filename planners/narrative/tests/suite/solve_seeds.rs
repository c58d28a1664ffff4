//! Tiny stories whose answers were wrong once.

use crate::verify_stories::cycle;
use anytime::{Conclusion, Control, Limits};
use narrative::generate::tiny_story;
use narrative::solve::{Params, solve};
use narrative::{Answer, Cost, Narrative, verify};

/// All answers about a story, each verified, and how the search ended.
fn verified(narrative: &Narrative) -> (Vec<(Answer, Cost)>, Conclusion) {
    let mut answers: Vec<(Answer, Cost)> = Vec::new();
    let mut sink = |answer: &Answer, cost: Cost| answers.push((answer.clone(), cost));
    let mut control = Control::new(Limits::iterations(20_000), 1, &mut sink);
    let conclusion = solve(narrative, &Params::default(), &mut control);
    for (answer, cost) in &answers {
        assert_eq!(verify::answer(narrative, answer), Ok(*cost));
    }
    (answers, conclusion.expect("the story is within the limits"))
}

/// Every answer about a tiny story is verified; the last one.
fn refused(seed: u64) -> Answer {
    let (mut answers, conclusion) = verified(&tiny_story(seed));
    assert_eq!(conclusion, Conclusion::Infeasible, "{seed}");
    answers.pop().expect("a refusal has reasons").0
}

#[test]
fn what_durations_made_sure_is_ordered_when_they_get_longer() {
    // One scene ends when the other begins, which was no order: with slack the first would have
    // gone on into the second.
    let mut spec = tiny_story(3_968_335_849_237_382_107).spec().clone();
    spec.choices.clear();
    spec.objective.slack = 3;
    let narrative = Narrative::new(spec).expect("a story needs no choices");
    let (answers, conclusion) = verified(&narrative);
    let slack_us = answers.last().map(|(answer, _)| match answer {
        Answer::Plan(plan) => plan.slack_us,
        other => panic!("{other:?}"),
    });
    assert_eq!((conclusion, slack_us), (Conclusion::Optimal, Some(0)));
}

#[test]
fn activities_of_two_sets_that_are_named_may_overlap() {
    // Of three activities two pairs are named: with the third pair kept, too, a rule was missing.
    for seed in [
        639_032_776_547_912_719,
        12_106_867_457_107_994_464,
        5_361_558_756_033_252_441,
        16_636_145_546_298_800_381,
        5_497_552_409_148_353_191,
    ] {
        let Answer::Infeasible { conflict, .. } = refused(seed) else {
            panic!("story {seed} has no plan");
        };
        assert!(conflict.minimal, "{seed}: {conflict:?}");
    }
}

#[test]
fn an_order_that_only_other_policies_make_sure_is_named() {
    // A scene that takes no time ends in time for the next one, since the other option needs it
    // there.
    let answer = refused(10_757_016_466_968_450_043);
    let Answer::Infeasible { relaxations, .. } = answer else {
        panic!("the story has no plan");
    };
    assert!(relaxations.len() > 1, "{relaxations:?}");
}

#[test]
fn visits_that_use_up_what_others_need_first_are_at_one_moment() {
    for visits in 2..6 {
        let narrative = Narrative::new(cycle(visits, 0)).expect("the story is valid");
        let (answers, conclusion) = verified(&narrative);
        assert_eq!(conclusion, Conclusion::Optimal, "{visits} {answers:?}");
        let lasting = Narrative::new(cycle(visits, 1)).expect("the story is valid");
        assert_eq!(verified(&lasting).1, Conclusion::Infeasible);
    }
}
