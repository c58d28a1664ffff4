//! What is offered for narratives that are nearly right passes the whole of verify: stories of all
//! kinds with other numbers, ends, lists, choosers, objectives and progress, as far as they still
//! are valid.

use crate::mutated;
use crate::searched::searched;
use crate::verify_stories::{link, narrative, soon_after, sooner_than_picked, whenever};
use anytime::{Conclusion, Stop};
use narrative::generate::tiny_story;
use narrative::problem::{Chooser, Spec};
use narrative::solve::Params;
use narrative::{Answer, Cost, Narrative};

/// Plans and refusals that were offered, all of them checked.
fn offered(narrative: &Narrative, params: &Params, iterations: u64) -> (usize, usize) {
    let found = searched(narrative, params, iterations);
    let (answers, conclusion) = (found.offers, found.conclusion);
    let spec = narrative.spec();
    let is_plan = |answer: &Answer| matches!(answer, Answer::Plan(_));
    let last = answers.last().map(|(answer, _)| is_plan(answer));
    match conclusion {
        Conclusion::Optimal => assert_eq!(last, Some(true), "{spec:?}"),
        Conclusion::Infeasible => assert_eq!(last, Some(false), "{spec:?}"),
        Conclusion::Partial(_) | Conclusion::Stopped(_) => {}
    }
    let plans = answers.iter().filter(|(answer, _)| is_plan(answer)).count();
    let is_refusal = |answer: &Answer| matches!(answer, Answer::Infeasible { .. });
    let refusals = answers.iter().filter(|(answer, _)| is_refusal(answer));
    let undecided = matches!(conclusion, Conclusion::Stopped(Stop::Exhausted)) && plans == 0;
    let is_told = matches!(
        answers.last(),
        Some((Answer::Undecided(_), Cost::Undecided))
    );
    assert_eq!(
        undecided, is_told,
        "what was exhausted is reported: {spec:?}"
    );
    (plans, refusals.count())
}

#[test]
fn answers_to_stories_that_are_nearly_right_pass() {
    let (mut plans, mut refusals) = (0, 0);
    for seed in 0..600 {
        let mut random = mutated::random(seed);
        let narrative = mutated::narrative(&mut random);
        let (params, iterations) = mutated::how(&mut random);
        let (offered_plans, refused) = offered(&narrative, &params, iterations);
        plans += offered_plans;
        refusals += refused;
    }
    assert!(plans >= 300 && refusals >= 300, "{plans} {refusals}");
}

#[test]
fn what_a_choice_brings_waits_for_the_choices_before() {
    let offered = offered(&narrative(soon_after()), &Params::default(), 1_000);
    assert_eq!(offered, (1, 0));
}

#[test]
fn what_cannot_wait_for_the_choices_before_is_not_offered() {
    let offered = offered(&narrative(sooner_than_picked()), &Params::default(), 1_000);
    assert_eq!(offered, (0, 0), "no plan, and no proof either");
}

#[test]
fn what_a_choice_waits_for_does_not_wait_for_later_choices() {
    let offered = offered(&narrative(whenever()), &Params::default(), 1_000);
    assert_eq!(offered, (1, 0));
}

/// What players have picked decides when node 5 happens: that waits for our choice, too.
#[test]
fn what_depends_on_a_later_choice_waits_for_those_before() {
    let mut spec = whenever();
    spec.events = 5;
    spec.links.push(link(5, 4, -1, 0));
    let offered = offered(&narrative(spec), &Params::default(), 1_000);
    assert_eq!(offered, (1, 0));
}

/// With node 5, 3 after node 4 if that was picked: sooner than 5 only if that were before its turn.
#[test]
fn plans_that_are_made_sooner_keep_turns() {
    let mut spec = soon_after();
    spec.events = 5;
    spec.links.push(link(4, 5, 3, 3));
    spec.choices[1].options[0].push(5);
    spec.objective.makespan = 1;
    let narrative = narrative(spec);
    let (plans, refusals) = offered(&narrative, &Params::default(), 1_000);
    assert!(plans >= 1 && refusals == 0, "{plans} {refusals}");
}

/// Node 5 cannot happen, and if it could, node 4 still could not wait for its turn.
#[test]
fn what_helps_keeps_turns() {
    let mut spec = sooner_than_picked();
    spec.events = 5;
    spec.links.extend([link(0, 5, 0, 2), link(0, 5, 3, 4)]);
    let narrative = narrative(spec);
    let (plans, refusals) = offered(&narrative, &Params::default(), 1_000);
    assert!(plans == 0 && refusals >= 1, "{plans} {refusals}");
}

/// All stories with one option left of each choice of ours.
fn fixed(given: &Narrative) -> Vec<Narrative> {
    let choices = given.spec().choices.iter().enumerate();
    let ours = choices.filter(|(_, choice)| choice.chooser == Chooser::System);
    let mut all = vec![given.spec().clone()];
    for (at, choice) in ours {
        let one = |spec: &Spec, kept: usize| {
            let mut spec = spec.clone();
            let others = (0..choice.options.len()).filter(|option| *option != kept);
            spec.withheld.extend(others.map(|option| (at, option)));
            spec.withheld.sort_unstable();
            spec.withheld.dedup();
            spec
        };
        let offered = |option: &usize| !given.spec().withheld.contains(&(at, *option));
        let options = (0..choice.options.len()).filter(offered);
        let each = options.flat_map(|kept| all.iter().map(move |spec| one(spec, kept)));
        all = each.collect();
    }
    all.into_iter()
        .filter_map(|spec| Narrative::new(spec).ok())
        .collect()
}

/// Nobody says that there is no plan, or gives up, where one of our picks, fixed, would do.
#[test]
fn a_story_is_never_given_up_that_has_a_plan_with_fixed_picks_of_ours() {
    let (mut without, mut undecided) = (0, 0);
    let mut params = Params::default();
    params.detail.shrink = false;
    params.detail.relaxations_max = 0;
    for seed in 0..200 {
        let stories = [
            mutated::narrative(&mut mutated::random(seed)),
            tiny_story(seed),
        ];
        for narrative in stories {
            let spec = narrative.spec();
            if offered(&narrative, &params, 1_000).0 > 0 || spec.choices.is_empty() {
                continue;
            }
            for fixed in fixed(&narrative) {
                without += 1;
                let (plans, refusals) = offered(&fixed, &params, 1_000);
                undecided += usize::from(plans + refusals == 0);
                assert_eq!(plans, 0, "{seed}: {spec:?}");
            }
        }
    }
    assert!(
        without >= 200 && undecided * 4 <= without,
        "{without} {undecided}"
    );
}
