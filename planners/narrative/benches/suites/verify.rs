//! How long the independent check of a plan takes, for a story of several groups.

use crate::run::{check, run};
use crate::table::percentile;
use narrative::Answer;
use narrative::generate::Evening;
use std::time::Duration;

/// Times that each plan is checked.
const CHECKS: usize = 101;

/// Checks plans of an evening with enough of everything; that for eight groups is by strands.
pub(crate) fn measure(time: Duration) {
    println!("\n| checked | checks | median | median on a processor |\n|---|---|---|---|");
    for groups in [4, 8] {
        let narrative = Evening {
            groups,
            offset_us: 3_600_000_000,
            candles: 8,
            actors: [8; 4],
            ..Evening::default()
        }
        .narrative();
        let answer = run(&narrative, time).answer;
        let plan = answer.filter(|answer| matches!(answer, Answer::Plan(_)));
        let plan = plan.expect("there is enough for all groups");
        let checks = (0..CHECKS).map(|_| {
            let (found, taken, busy) = check(&narrative, &plan);
            assert!(found.is_ok(), "{found:?}");
            (taken, busy)
        });
        let (mut taken, mut busy) = checks.unzip::<_, _, Vec<Duration>, Vec<Duration>>();
        taken.sort();
        busy.sort();
        let [taken, busy] = [taken, busy].map(|times| percentile(&times, 50));
        println!("| evening of {groups} groups | {CHECKS} | {taken} | {busy} |");
    }
}
