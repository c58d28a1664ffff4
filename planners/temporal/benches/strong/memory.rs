//! Peak memory of one network of 1,000 events.

use super::measure::{Question, millis};
use std::time::Duration;
use temporal::generate::{Shape, teammates};
use temporal::{Detail, Network, Strategy};

/// Prints the peak of this process after each step: so it must be the first that a run does.
pub(crate) fn run() {
    println!("\n| moment | peak MiB | verdict | ms |\n|---|---|---|---|");
    row("begun", "");
    let few = Shape {
        teammates_percent: Some(1),
        ..Shape::paper(500)
    };
    let kinds = [
        ("1,000 events", teammates(0, &Shape::paper(500))),
        ("1,000 events, few of them of teammates", teammates(0, &few)),
    ];
    row("both networks made", "");
    for (kind, network) in &kinds {
        ask(
            &format!("{kind}: verdict"),
            network,
            Question::bare(Strategy::Auto),
        );
    }
    for (kind, network) in &kinds {
        let detailed = Question {
            detail: Detail::default(),
            within: Duration::from_secs(2),
            ..Question::bare(Strategy::Auto)
        };
        ask(
            &format!("{kind}: with details, deadline 2 s"),
            network,
            detailed,
        );
    }
}

fn ask(title: &str, network: &Network, question: Question) {
    let run = question.ask(network);
    row(
        title,
        &format!("{:?} | {:.0}", run.verdict(), millis(run.time)),
    );
}

fn row(title: &str, rest: &str) {
    let rest = if rest.is_empty() { " | " } else { rest };
    match peak_kib() {
        Some(kib) => println!("| {title} | {:.1} | {rest} |", kib / 1024.0),
        None => println!("| {title} | not reported by this system | {rest} |"),
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
