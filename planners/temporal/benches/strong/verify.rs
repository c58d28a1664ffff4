//! How long the independent check of an answer takes.

use super::measure::{Question, millis, percentile, timed};
use anytime::{Control, Limits};
use std::time::Duration;
use temporal::generate::{Shape, Uncertain, teammates, uncertain};
use temporal::plan::Level;
use temporal::solve::check_levels;
use temporal::{Detail, LevelFinding, LevelsParams, Network, Strategy, Undecided, Verdict, verify};

/// Times that each answer is checked.
const CHECKS: usize = 101;

/// Checks an answer of each kind, about the first network that it holds for.
pub(crate) fn run() {
    println!("\n| checked | checks | median ms | median ms on a processor |\n|---|---|---|---|");
    let shape = Shape::paper(120);
    let (network, finding) = (0..)
        .map(|seed| teammates(seed, &shape))
        .find_map(|network| {
            let run = Question::bare(Strategy::Auto).ask(&network);
            (run.verdict() == Verdict::Holds).then_some((network, run.finding))
        })
        .expect("one of a hundred is strongly controllable");
    row("strong, teammates, 120 tasks", || {
        verify::finding(&network, &finding).is_ok()
    });
    let shape = Uncertain {
        ours: 100,
        contingent: 100,
        links: 200,
        chained_percent: 25,
        slack_s: 60,
    };
    let (network, findings) = (0..)
        .map(|seed| uncertain(seed, &shape))
        .find_map(|network| {
            let findings = dynamic(&network);
            (findings[0].verdict == Verdict::Holds).then_some((network, findings))
        })
        .expect("one of a few is dynamically controllable");
    row("dynamic, uncertain durations, 200 events", || {
        verify::levels(&network, &findings).is_ok()
    });
}

/// The finding about dynamic controllability.
fn dynamic(network: &Network) -> Vec<LevelFinding> {
    let mut last = Vec::new();
    let mut sink = |findings: &Vec<LevelFinding>, _: Undecided| last.clone_from(findings);
    let mut control = Control::new(Limits::iterations(1_000_000), 1, &mut sink);
    let params = LevelsParams {
        levels: vec![Level::Dynamic],
        detail: Detail::NONE,
    };
    check_levels(network, &params, &mut control).expect("the question is answered");
    last
}

fn row(title: &str, check: impl Fn() -> bool) {
    let times: Vec<[Duration; 2]> = (0..CHECKS)
        .map(|_| {
            let (holds, time, cpu) = timed(&check);
            assert!(holds, "the answer passes its check");
            [time, cpu]
        })
        .collect();
    let [clock, cpu] = [0, 1].map(|at| {
        let times: Vec<f64> = times.iter().map(|times| millis(times[at])).collect();
        percentile(&times, 50)
    });
    println!("| {title} | {CHECKS} | {clock:.3} | {cpu:.3} |");
}
