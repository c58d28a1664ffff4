//! Stories of about 100 events: how soon there is a first plan, and another one in the middle of
//! the story.

use crate::run::{Run, run_with};
use crate::table::percentile;
use narrative::generate::{SUITE1, suite1};
use narrative::plan::Plan;
use narrative::problem::Progress;
use narrative::solve::{Detail, Params};
use narrative::{Answer, Narrative, verify};
use std::time::{Duration, Instant};

/// Events of the stories that are measured.
const EVENTS: std::ops::RangeInclusive<usize> = 85..=115;

/// Prints both, of the problems of the first suite that are of this size and have a plan.
pub(crate) fn measure(time: Duration) {
    let mut first = Vec::new();
    let mut again = Vec::new();
    // Why there is no plan does not matter here.
    let bare = Params {
        detail: Detail::NONE,
        ..Params::default()
    };
    let stories = (0..SUITE1).map(|index| (index, suite1(1, index)));
    for (index, narrative) in stories.filter(|story| EVENTS.contains(&story.1.spec().events)) {
        let begun = run_with(&narrative, time, &bare);
        let Some(Answer::Plan(plan)) = &begun.answer else {
            continue;
        };
        if std::env::var_os("STRATAGEM_VERBOSE").is_some() {
            println!(
                "story {index}: first {:.1?}, processor {:.1?}, {} iterations, verified in {:.1?}",
                begun.first.unwrap_or_default(),
                begun.busy.unwrap_or_default(),
                begun.iterations,
                begun.checking
            );
        }
        let progress = halfway(&narrative, plan);
        first.push(begun);
        let mut spec = narrative.spec().clone();
        spec.progress = progress;
        let start = Instant::now();
        let later = Narrative::new(spec).expect("what has happened makes sense");
        let read = start.elapsed();
        let mut later = run_with(&later, time, &bare);
        later.first = later.first.map(|first| first + read);
        if std::env::var_os("STRATAGEM_VERBOSE").is_some() {
            println!(
                "story {index} again: first {:.1?}, processor {:.1?}, {} iterations",
                later.first.unwrap_or_default(),
                later.busy.unwrap_or_default(),
                later.iterations
            );
        }
        again.push(later);
    }
    println!(
        "\n| stories of {} to {} events | number | median | p95 | max | over 20 ms | over 50 ms \
        | processor, median | p95 | max | with verification, median | max | processor for \
        verification, median | p95 | max | wrong |",
        EVENTS.start(),
        EVENTS.end()
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    print("first plan", &first);
    print("again in the middle, first plan", &again);
}

/// What has happened by half of the time when durations are neither long nor short.
fn halfway(narrative: &Narrative, plan: &Plan) -> Progress {
    let links = narrative.spec().contingent.iter();
    let durations: Vec<i64> = links
        .map(|link| link.lower_us + (link.upper_us - link.lower_us) / 2)
        .collect();
    let run = verify::simulate(narrative, plan, &durations, &[]).expect("the plan is verified");
    let last = run.times_us.iter().flatten().max().copied().unwrap_or(0);
    let now_us = last / 2;
    let times = run.times_us.iter().enumerate().skip(1);
    let happened = times.filter_map(|(node, time)| Some((node, (*time)?)));
    Progress {
        now_us,
        happened: happened.filter(|(_, time)| *time <= now_us).collect(),
        made: Vec::new(),
    }
}

fn print(what: &str, runs: &[Run]) {
    let mut first: Vec<Duration> = runs.iter().filter_map(|run| run.first).collect();
    let mut verified: Vec<Duration> = runs
        .iter()
        .filter_map(|run| Some(run.first? + run.verified))
        .collect();
    let mut checking: Vec<Duration> = runs.iter().map(|run| run.checking).collect();
    let mut busy: Vec<Duration> = runs.iter().filter_map(|run| run.busy).collect();
    first.sort();
    busy.sort();
    checking.sort();
    verified.sort();
    let over = |ms: u64| {
        let limit = Duration::from_millis(ms);
        first.iter().filter(|time| **time > limit).count()
    };
    let wrong: usize = runs.iter().map(|run| run.wrong).sum();
    let [median, p95, max] = [50, 95, 100].map(|share| percentile(&first, share));
    let three = |times: &[Duration]| {
        let shares = [50, 95, 100].map(|share| percentile(times, share));
        shares.join(" | ")
    };
    println!(
        "| {what} | {} of {} | {median} | {p95} | {max} | {} | {} | {} | {} | {} | {} | {wrong} |",
        first.len(),
        runs.len(),
        over(20),
        over(50),
        three(&busy),
        percentile(&verified, 50),
        percentile(&verified, 100),
        three(&checking),
    );
}
