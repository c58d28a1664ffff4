//! What is offered for narratives that are nearly right passes the whole of verify: stories of all kinds with other
//! numbers, ends, lists, choosers, objectives and progress, as far as they still make sense.

mod mutated;
mod verify_stories;

use anytime::{Conclusion, Control, Limits};
use mutated::Luck;
use narrative::problem::{Chooser, Spec};
use narrative::solve::{Params, solve};
use narrative::verify::answer;
use narrative::{Answer, Cost, Narrative};
use verify_stories::{fork, lasts, link};

/// Plans and refusals that were offered, all of them checked.
fn offered(narrative: &Narrative, (params, iterations): (&Params, u64)) -> (usize, usize) {
    let mut answers: Vec<(Answer, Cost)> = Vec::new();
    let mut sink = |answer: &Answer, cost: Cost| answers.push((answer.clone(), cost));
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut sink);
    let conclusion = solve(narrative, params, &mut control).expect("the strategy is built in");
    let spec = narrative.spec();
    for (given, cost) in &answers {
        assert_eq!(answer(narrative, given), Ok(*cost), "{given:?} of {spec:?}");
    }
    assert!(
        answers.is_sorted_by(|one, next| one.1 > next.1),
        "{answers:?}"
    );
    let is_plan = |answer: &Answer| matches!(answer, Answer::Plan(_));
    let last = answers.last().map(|(answer, _)| is_plan(answer));
    match conclusion {
        Conclusion::Optimal => assert_eq!(last, Some(true), "{spec:?}"),
        Conclusion::Infeasible => assert_eq!(last, Some(false), "{spec:?}"),
        Conclusion::Stopped(_) => {}
    }
    let plans = answers.iter().filter(|(answer, _)| is_plan(answer)).count();
    (plans, answers.len() - plans)
}

#[test]
fn answers_to_stories_that_are_nearly_right_pass() {
    let (mut plans, mut refusals) = (0, 0);
    for seed in 0..600 {
        let mut luck = Luck::new(seed);
        let narrative = mutated::narrative(&mut luck);
        let (params, iterations) = mutated::how(&mut luck);
        let (told, refused) = offered(&narrative, (&params, iterations));
        plans += told;
        refusals += refused;
    }
    assert!(plans >= 300 && refusals >= 300, "{plans} {refusals}");
}

/// A player picks when node 1 has happened, and only then what is about node 4, which follows node 3 soon: that has to wait.
#[test]
fn what_a_choice_brings_waits_for_the_choices_before() {
    let mut soon = link(3, 4, 0, 1);
    soon.lower_us = None;
    let mut after = link(1, 2, 0, 0);
    after.upper_us = None;
    let spec = Spec {
        events: 4,
        links: vec![after, soon],
        contingent: vec![lasts(0, 1, 0, 2)],
        choices: vec![
            fork(Chooser::Player, &[&[], &[2]]),
            fork(Chooser::Player, &[&[4], &[]]),
        ],
        ..Spec::default()
    };
    let narrative = Narrative::new(spec).expect("it makes sense");
    let (plans, refusals) = offered(&narrative, (&Params::default(), 1_000));
    assert_eq!((plans, refusals), (1, 0));
}

/// The same, but node 4 comes at a moment that is fixed: sooner than the first player may pick.
#[test]
fn what_cannot_wait_for_the_choices_before_is_not_offered() {
    let mut at_once = link(3, 4, 0, 0);
    at_once.lower_us = None;
    let mut after = link(1, 2, 0, 0);
    after.upper_us = None;
    let spec = Spec {
        events: 4,
        links: vec![after, at_once],
        contingent: vec![lasts(0, 1, 0, 1), lasts(0, 3, 0, 0)],
        choices: vec![
            fork(Chooser::Player, &[&[2], &[]]),
            fork(Chooser::Player, &[&[4], &[]]),
        ],
        ..Spec::default()
    };
    let narrative = Narrative::new(spec).expect("it makes sense");
    let offered = offered(&narrative, (&Params::default(), 1_000));
    assert_eq!(offered, (0, 0), "no plan, and no proof either");
}
