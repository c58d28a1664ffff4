//! Peak memory of stories as large as they may be.

use crate::run::run;
use narrative::Narrative;
use narrative::generate::{SUITE1, choices, evening, suite1};
use narrative::problem::{Chooser, EVENTS_MAX, Start};
use std::time::Duration;

/// Solves stories of nearly [`EVENTS_MAX`] events, one after the other, and prints the peak of this
/// process after each: so it must be the only part of a run.
pub(crate) fn measure(time: Duration) {
    println!("\n| story | events | storylines | first answer | peak MiB |\n|---|---|---|---|---|");
    row("begun", "| | ");
    let crowd = suite1(1, SUITE1 / 3);
    let stories = [
        ("first suite, its largest", suite1(1, SUITE1 - 1)),
        (
            "first suite, its largest, twice",
            copies(&suite1(1, SUITE1 - 1)),
        ),
        ("first suite, one of a third, many times", copies(&crowd)),
        (
            "choices of ours, many groups",
            copies(&choices(1, Chooser::System, 2)),
        ),
        (
            "choices of players, many groups",
            copies(&choices(1, Chooser::Player, 2)),
        ),
        ("evening, many groups", copies(&evening(1))),
    ];
    row("all made", "| | ");
    for (name, narrative) in &stories {
        let ran = run(narrative, time);
        let (events, lines) = (narrative.spec().events, narrative.storylines().len());
        row(
            name,
            &format!(
                "{events} | {lines} | {}, {:.1} s",
                ran.found(),
                ran.verdict.as_secs_f64()
            ),
        );
    }
}

/// As many groups at once as there may be.
fn copies(one: &Narrative) -> Narrative {
    let most = EVENTS_MAX / one.spec().events;
    let groups = (1..=most)
        .rev()
        .map(|groups| vec![Start::default(); groups]);
    let mut all = groups.map(|starts| Narrative::new(one.spec().copies(&starts)));
    let valid = all.find_map(Result::ok);
    valid.expect("one group is a story")
}

fn row(name: &str, rest: &str) {
    match peak_kib() {
        Some(kib) => println!("| {name} | {rest} | {:.0} |", kib / 1024.0),
        None => println!("| {name} | {rest} | not known on this system |"),
    }
}

/// The most memory that was ever resident.
fn peak_kib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
