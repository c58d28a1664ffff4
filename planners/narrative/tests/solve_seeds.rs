//! Tiny stories whose answers were wrong once.

use anytime::{Conclusion, Control, Limits};
use narrative::generate::tiny_story;
use narrative::solve::{Params, solve};
use narrative::{Answer, Cost, verify};

/// Every answer about a tiny story is verified; the last one.
fn refused(seed: u64) -> Answer {
    let narrative = tiny_story(seed);
    let mut answers: Vec<(Answer, Cost)> = Vec::new();
    let mut sink = |answer: &Answer, cost: Cost| answers.push((answer.clone(), cost));
    let mut control = Control::new(Limits::iterations(20_000), 1, &mut sink);
    let conclusion = solve(&narrative, &Params::default(), &mut control);
    assert_eq!(conclusion, Ok(Conclusion::Infeasible), "{seed}");
    for (answer, cost) in &answers {
        assert_eq!(verify::answer(&narrative, answer), Ok(*cost), "{seed}");
    }
    answers.pop().expect("a refusal has reasons").0
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
    // A scene that takes no time ends in time for the next one, since the other option needs it there.
    let answer = refused(10_757_016_466_968_450_043);
    let Answer::Infeasible { relaxations, .. } = answer else {
        panic!("the story has no plan");
    };
    assert!(relaxations.len() > 1, "{relaxations:?}");
}
