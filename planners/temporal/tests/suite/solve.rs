//! Verdicts against the game played out in all ways, and against all schedules there are.

use crate::answers::relaxed;
use crate::game::Game;
use crate::opinions::some_times;
use crate::searched::{self, ALL, levels, levels_within};
use anytime::{Conclusion, Limits, SolveError, Stop};
use temporal::generate::{Shape, teammates, tiny, tiny_uncertain};
use temporal::plan::{Level, Range};
use temporal::verify::strong;
use temporal::{
    Detail, Network, Schedule, Strategy, StrongFinding, StrongParams, Undecided, Verdict,
};

fn asked(
    network: &Network,
    params: &StrongParams,
    iterations: u64,
) -> (StrongFinding, Undecided, Conclusion) {
    let mut found = searched::strong(network, params, Limits::iterations(iterations));
    let (finding, open) = found.offers.pop().expect("a finding is offered");
    // A verdict may come first without its details.
    for (bare, before) in found.offers {
        assert!(before > open && bare.verdict == finding.verdict);
        assert_eq!(
            (&bare.schedule, &bare.ranges),
            (&finding.schedule, &finding.ranges)
        );
    }
    (finding, open, found.conclusion)
}

/// The finding of a strategy without details.
fn bare_finding(network: &Network, strategy: Strategy) -> StrongFinding {
    let detail = Detail::NONE;
    asked(network, &StrongParams { strategy, detail }, 10_000).0
}

fn check_witness(network: &Network, finding: &StrongFinding) {
    let schedule = finding.schedule.as_ref().expect("there is one");
    assert_eq!(
        strong(network, schedule).as_ref(),
        Ok(&finding.ranges),
        "{network:?}"
    );
}

#[test]
fn verdicts_are_those_of_the_game_played_out_with_every_schedule() {
    let (mut holds, mut fails) = (0, 0);
    for seed in 0..5_000 {
        let network = tiny(seed);
        let found = bare_finding(&network, Strategy::Auto);
        assert_eq!(
            bare_finding(&network, Strategy::Search).verdict,
            found.verdict,
            "seed {seed}"
        );
        let tropical = bare_finding(&network, Strategy::Tropical).verdict;
        assert!(
            tropical == found.verdict || tropical == Verdict::Unknown,
            "seed {seed}"
        );
        let Some(game) = Game::new(&network) else {
            assert_eq!(found.verdict, Verdict::Fails, "seed {seed}");
            continue;
        };
        let expected = some_times(&network, |node| game.window(node), &mut |times| {
            // The game itself for some, for the rest what equals it: see `verify.rs`.
            let times_us = times.to_vec();
            if seed < 500 {
                game.is_won(times)
            } else {
                strong(&network, &Schedule { times_us }).is_ok()
            }
        });
        let verdict = if expected {
            Verdict::Holds
        } else {
            Verdict::Fails
        };
        assert_eq!(found.verdict, verdict, "seed {seed}");
        if expected {
            check_witness(&network, &found);
            holds += 1;
        } else {
            fails += 1;
        }
    }
    assert!(holds > 500 && fails > 200, "{holds} hold, {fails} fail");
}

#[test]
fn witnesses_of_larger_networks_pass_the_check_and_strategies_agree() {
    let mut holds = 0;
    for seed in 0..200 {
        let network = teammates(seed, &Shape::paper(3 + seed as usize % 28));
        let found = bare_finding(&network, Strategy::Auto);
        assert_ne!(found.verdict, Verdict::Unknown);
        assert_eq!(
            bare_finding(&network, Strategy::Search).verdict,
            found.verdict,
            "seed {seed}"
        );
        if found.verdict == Verdict::Holds {
            check_witness(&network, &found);
            holds += 1;
        }
        for strategy in [Strategy::Early, Strategy::Random] {
            let candidate = bare_finding(&network, strategy);
            match candidate.verdict {
                Verdict::Holds => check_witness(&network, &candidate),
                Verdict::Unknown => {
                    assert!(strong(&network, &candidate.schedule.unwrap()).is_err());
                }
                Verdict::Fails => panic!("a candidate refutes nothing"),
            }
        }
    }
    assert!((40..160).contains(&holds), "{holds} of 200 hold");
}

#[test]
fn against_nature_verdicts_are_those_of_all_schedules() {
    let (mut holds, mut fails) = (0, 0);
    for seed in 0..1_000 {
        let network = tiny_uncertain(seed);
        let found = bare_finding(&network, Strategy::Auto);
        let expected = some_times(&network, |_| (-6, 12), &mut |times| {
            let times_us = times.to_vec();
            strong(&network, &Schedule { times_us }).is_ok()
        });
        match found.verdict {
            Verdict::Holds => {
                check_witness(&network, &found);
                holds += 1;
            }
            Verdict::Fails => {
                assert!(!expected, "seed {seed}: {network:?}");
                fails += 1;
            }
            Verdict::Unknown => panic!("seed {seed} is undecided"),
        }
    }
    assert!(holds > 100 && fails > 100, "{holds} hold, {fails} fail");
}

#[test]
fn each_level_implies_the_weaker_ones_and_failures_have_reasons() {
    let mut last_held = [0; 5];
    for seed in 0..500 {
        let findings = levels(&tiny_uncertain(seed), &ALL);
        let held = findings
            .iter()
            .take_while(|one| one.verdict == Verdict::Holds)
            .count();
        for failed in &findings[held..] {
            assert_eq!(failed.verdict, Verdict::Fails, "seed {seed}");
            let conflict = failed.conflict.as_ref().unwrap();
            assert!(!conflict.members.is_empty(), "seed {seed}");
        }
        last_held[held] += 1;
    }
    assert!(last_held.iter().all(|count| *count > 0), "{last_held:?}");
}

#[test]
fn relaxed_networks_hold_at_their_level() {
    let mut offered = 0;
    for seed in 0..200 {
        let network = tiny_uncertain(seed);
        for level in [
            Level::Consistent,
            Level::Weak,
            Level::Dynamic,
            Level::Strong,
        ] {
            let findings = levels(&network, &[level]);
            for relaxation in &findings[0].relaxations {
                let changed = Network::new(relaxed(&network, relaxation)).unwrap();
                let again = levels(&changed, &[level]);
                assert_eq!(again[0].verdict, Verdict::Holds, "seed {seed} {level:?}");
                offered += 1;
            }
        }
    }
    assert!(offered > 100, "{offered}");
}

#[test]
fn the_same_question_has_the_same_answer() {
    for seed in 0..20 {
        let network = teammates(seed, &Shape::paper(12));
        let ask = || asked(&network, &StrongParams::default(), 10_000);
        assert_eq!(ask(), ask(), "seed {seed}");
    }
}

#[test]
fn without_iterations_hard_networks_are_unknown_and_easy_ones_are_not() {
    let (mut unknown, mut known) = (0, 0);
    for seed in 0..300 {
        let network = teammates(
            seed,
            &Shape {
                horizon_percent: 130,
                ..Shape::paper(40)
            },
        );
        let params = StrongParams {
            strategy: Strategy::Search,
            detail: Detail::NONE,
        };
        let (finding, open, conclusion) = asked(&network, &params, 0);
        let unknown_only = Undecided {
            questions: 1,
            missing_details: 0,
        };
        if finding.verdict == Verdict::Unknown {
            assert_eq!(
                (open, conclusion),
                (unknown_only, Conclusion::Stopped(Stop::Iterations))
            );
            unknown += 1;
        } else {
            assert_eq!((open.questions, conclusion), (0, Conclusion::Optimal));
            known += 1;
        }
    }
    assert!(unknown > 0 && known > 0, "{unknown} {known}");
}

#[test]
fn a_cancelled_question_is_unknown() {
    let network = teammates(1, &Shape::paper(50));
    let limits = Limits::iterations(1_000);
    limits.cancel.cancel();
    let found = searched::strong(&network, &StrongParams::default(), limits);
    assert_eq!(found.conclusion, Conclusion::Stopped(Stop::Cancelled));
    let verdict = found.plan().map(|finding| finding.verdict);
    assert_eq!(verdict, Some(Verdict::Unknown));
}

#[test]
fn weak_and_dynamic_are_no_questions_about_teammates() {
    let network = tiny(1);
    for level in [Level::Weak, Level::Dynamic] {
        let refused = levels_within(&network, &[level], Limits::iterations(1));
        assert!(matches!(refused, Err(SolveError::Unsupported { .. })));
    }
    let both = levels(&network, &[Level::Consistent, Level::Strong]);
    assert_eq!(both.len(), 2);
}

#[test]
fn events_of_ours_are_points_in_the_ranges() {
    let network = teammates(4, &Shape::paper(5));
    let found = bare_finding(&network, Strategy::Auto);
    if let Some(schedule) = found.schedule {
        for (time, range) in schedule.times_us.iter().zip(&found.ranges) {
            if let Some(time) = *time {
                let point = Range {
                    earliest_us: time,
                    latest_us: time,
                };
                assert_eq!(*range, point);
            }
        }
    }
}

#[test]
fn an_iteration_limit_ends_the_question_about_weak_controllability() {
    let limits = Limits::iterations(0);
    let found = levels_within(&tiny_uncertain(1), &[Level::Weak], limits).unwrap();
    assert!(matches!(found.conclusion, Conclusion::Stopped(_)));
    let findings = found.plan().unwrap();
    assert_eq!(findings[0].verdict, Verdict::Unknown);
}

#[test]
fn the_verdict_comes_before_its_details() {
    let mut offers = Vec::new();
    for network in (0..40).map(tiny) {
        let limits = Limits::iterations(10_000);
        let found = searched::strong(&network, &StrongParams::default(), limits).offers;
        offers.extend(found.into_iter().map(|(finding, _)| finding));
    }
    let bare = |one: &&StrongFinding| one.robustness.is_none() && one.conflict.is_none();
    let bare = offers.iter().filter(bare).count();
    assert_eq!((bare, offers.len() - bare), (40, 40));
}
