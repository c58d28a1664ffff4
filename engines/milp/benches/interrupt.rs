//! How long a solve goes on after it was told to stop: `cargo bench -p milp`.
//!
//! Generalised assignments of the hard kind, cancelled from another thread, or ended by their deadline, at moments
//! spread over the first two seconds. The bar: at most 100 ms after a cancellation, 20 ms after a deadline (p50).
//! HiGHS is compiled for speed in every profile, so that `cargo bench -p milp --profile dev` tells the same.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench of time reads the clock and waits for moments"
)]

#[path = "../tests/milp/instances.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
#[expect(clippy::unwrap_used, reason = "instances of a bench are what they are")]
mod instances;

use anytime::{CancelToken, Pulse};
use instances::{Assignment, Luck};
use milp::{Model, Params, Verdict, solve};
use std::thread;
use std::time::{Duration, Instant};

const MOMENTS: u64 = 16;

fn main() {
    println!("after being told to stop, in ms:");
    println!("agents x jobs   told by      p50     p90     max   solves");
    for (agents, jobs) in [(10, 60), (20, 100), (40, 400)] {
        let model = Assignment::new(1, agents, jobs).model().0;
        for (name, is_deadline) in [("cancelling", false), ("a deadline", true)] {
            let mut luck = Luck::new(9);
            let mut late: Vec<Duration> = (0..MOMENTS)
                .filter_map(|seed| {
                    let wait = u64::try_from(luck.draw(20, 2_000)).ok()?;
                    lateness(&model, seed, Duration::from_millis(wait), is_deadline)
                })
                .collect();
            late.sort();
            // A solve that was done earlier tells nothing.
            let Some(last) = late.len().checked_sub(1) else {
                println!("{agents:4} x {jobs:3}      {name}: all were done before");
                continue;
            };
            let [p50, p90, max] = [last / 2, last * 9 / 10, last].map(|i| millis(late[i]));
            let solves = late.len();
            println!("{agents:4} x {jobs:3}      {name} {p50:7.1} {p90:7.1} {max:7.1} {solves:8}");
        }
    }
}

/// How long after the moment the solve came back; none when it was done before.
fn lateness(model: &Model, seed: u64, wait: Duration, is_deadline: bool) -> Option<Duration> {
    let token = CancelToken::new();
    let moment = Instant::now() + wait;
    let pulse = Pulse::new(is_deadline.then_some(moment), token.clone());
    let params = Params {
        seed,
        ..Params::default()
    };
    thread::scope(|scope| {
        let canceller = scope.spawn(move || {
            thread::sleep(moment - Instant::now());
            let told = Instant::now();
            if !is_deadline {
                token.cancel();
            }
            told
        });
        let outcome = solve(model, &params, &pulse, &mut ()).expect("a model without mistakes");
        let back = Instant::now();
        let told = canceller.join().expect("it only waits");
        let told = if is_deadline { moment } else { told };
        matches!(outcome.verdict, Verdict::Stopped(_)).then(|| back.saturating_duration_since(told))
    })
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
