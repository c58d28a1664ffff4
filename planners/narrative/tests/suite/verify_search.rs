//! What the search offers on generated stories passes the whole of verify, the dispatcher too.

use crate::searched::searched;
use crate::verify_stories::{castle, relay, two_links};
use anytime::Conclusion;
use narrative::generate::{choices, suite1, suite2, tiny, tiny_story};
use narrative::problem::{Chooser, Micros, Progress};
use narrative::solve::Params;
use narrative::verify::simulate;
use narrative::{Answer, Narrative, Plan};

/// Plans that were offered, all answers checked, and how the search ended.
fn offered(narrative: &Narrative, iterations: u64) -> (Vec<Plan>, Conclusion) {
    let found = searched(narrative, &Params::default(), iterations);
    let plans = found
        .offers
        .into_iter()
        .filter_map(|(answer, _)| match answer {
            Answer::Plan(plan) => Some(plan),
            Answer::Infeasible { .. } | Answer::Undecided(_) => None,
        });
    (plans.collect(), found.conclusion)
}

#[test]
fn answers_to_tiny_stories_pass() {
    let mut found = 0;
    for seed in 0..300 {
        found += offered(&tiny(seed), 1_000).0.len();
        found += offered(&tiny_story(seed), 1_000).0.len();
    }
    assert!(found >= 100, "{found}");
}

/// Found among many: binding bounds follow from several bounds, over events that only one policy
/// has, over links that take no time for the outcomes of one policy, or from a cycle of orders.
#[test]
fn answers_to_stories_that_were_played_wrongly_pass() {
    for seed in [
        4_332_803_275_457_147_671,
        2_519_477_956_620_971_825,
        1_611_972_672_312_295_716,
        1_539_940_637_855_111_643,
        16_809_984_403_938_826_374,
        6_323_160_034_942_395_022,
        13_458_513_655_505_721_694,
    ] {
        assert!(!offered(&tiny_story(seed), 20_000).0.is_empty(), "{seed}");
    }
}

/// Their waits are for durations that vary more than those that are played: none is for longer than
/// a duration lasts.
#[test]
fn answers_with_slack_pass() {
    let mut found = 0;
    for seed in 0..1_000 {
        let mut spec = tiny_story(seed).spec().clone();
        spec.objective.slack = 1;
        let narrative = Narrative::new(spec).expect("the story still is valid");
        found += offered(&narrative, 10_000).0.len();
    }
    assert!(found >= 300, "{found}");
}

#[test]
fn answers_to_stories_with_choices_pass() {
    let mut found = 0;
    for seed in 0..40 {
        for options in 2..5 {
            found += offered(&choices(seed, Chooser::System, options), 1_000)
                .0
                .len();
            found += offered(&choices(seed, Chooser::Player, options), 1_000)
                .0
                .len();
        }
    }
    assert!(found >= 20, "{found}");
}

#[test]
fn answers_to_some_of_the_suites_pass() {
    let mut found = 0;
    for index in (0..60).step_by(7) {
        found += offered(&suite1(1, index), 300).0.len();
        found += offered(&suite2(1, index), 300).0.len();
    }
    assert!(found >= 9, "{found}");
}

#[test]
fn the_known_stories_are_told() {
    for story in [castle(Chooser::System), relay(), two_links()] {
        assert!(!offered(&story, 1_000).0.is_empty());
    }
    let (plans, conclusion) = offered(&castle(Chooser::Player), 1_000);
    assert!(plans.is_empty() && conclusion == Conclusion::Infeasible);
}

#[test]
fn a_story_is_planned_again_from_its_middle() {
    let castle = castle(Chooser::System);
    let (plans, _) = offered(&castle, 1_000);
    let plan = plans.last().expect("there is one");
    for look in (10..=90).step_by(10) {
        let run = simulate(&castle, plan, &[look, 40, 80, 5], &[]).expect("it is well formed");
        assert_eq!(run.breakdown, None);
        let times: Vec<Micros> = run.times_us.iter().flatten().copied().collect();
        for now_us in times {
            let mut spec = castle.spec().clone();
            let happened = run.times_us.iter().enumerate().skip(1);
            let happened = happened.filter_map(|(node, time)| Some((node, (*time)?)));
            spec.progress = Progress {
                now_us,
                happened: happened.filter(|(_, time)| *time <= now_us).collect(),
                made: vec![],
            };
            if now_us > look {
                spec.progress.made = vec![(0, run.picks[0].expect("it was made"))];
            }
            let middle = Narrative::new(spec).expect("it went like that");
            assert!(!offered(&middle, 1_000).0.is_empty(), "{look} at {now_us}");
        }
    }
}
