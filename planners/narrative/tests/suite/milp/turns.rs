//! What the mixed-integer program offers a dispatcher can follow: no option comes before its turn.

use crate::mutated;
use crate::verify_stories::{narrative, soon_after, sooner_than_picked, whenever};
use anytime::{Limits, record};
use narrative::problem::{Objective, Spec};
use narrative::solve::{Params, Strategy, solve};
use narrative::{Answer, Narrative, verify};

/// Plans and refusals that were offered, all of them checked, plans with runs.
fn offered(narrative: &Narrative, params: Params, iterations: u64) -> (usize, usize) {
    let params = Params {
        strategy: Strategy::Milp,
        ..params
    };
    let found = record(Limits::iterations(iterations), 1, |control| {
        solve(narrative, &params, control)
    });
    // What it cannot say it refuses to look at.
    let answers = found.map_or_else(|_| Vec::new(), |found| found.offers);
    let spec = narrative.spec();
    for (given, cost) in &answers {
        let found = verify::answer(narrative, given);
        assert_eq!(found, Ok(*cost), "{given:?} of {spec:?}");
    }
    let plans = answers.iter();
    let plans = plans.filter(|(answer, _)| matches!(answer, Answer::Plan(_)));
    let plans = plans.count();
    (plans, answers.len() - plans)
}

fn offered_by_default(spec: Spec) -> (usize, usize) {
    offered(&narrative(spec), Params::default(), 1_000)
}

#[test]
fn what_a_choice_brings_waits_for_the_choices_before() {
    assert_eq!(offered_by_default(soon_after()), (1, 0));
    assert_eq!(
        offered_by_default(sooner_than_picked()),
        (0, 0),
        "no plan, no proof either"
    );
    assert_eq!(offered_by_default(whenever()), (1, 0));
}

#[test]
fn plans_that_are_made_better_wait_too() {
    let best = |spec: Spec| Spec {
        objective: Objective::makespan(1),
        ..spec
    };
    assert!(offered_by_default(best(soon_after())).0 >= 1);
    assert_eq!(offered_by_default(best(sooner_than_picked())), (0, 0));
    assert!(offered_by_default(best(whenever())).0 >= 1);
}

#[test]
fn answers_to_small_stories_that_are_nearly_right_pass() {
    let (mut plans, mut refusals) = (0, 0);
    for seed in 0..1_000 {
        let mut random = mutated::random(seed);
        let narrative = mutated::narrative(&mut random);
        let how = mutated::how(&mut random);
        // Others take long.
        if narrative.nodes() <= 9 && narrative.storylines().len() <= 4 {
            let (offered_plans, refused) = offered(&narrative, how.0, how.1);
            plans += offered_plans;
            refusals += refused;
        }
    }
    assert!(plans >= 100 && refusals >= 100, "{plans} {refusals}");
}
