//! How long a solve goes on after its stop signal: `cargo bench -p stratagem-milp`.
//!
//! Generalised assignments of the hard kind, cancelled from another thread, or ended by their
//! deadline, at moments spread over the first two seconds. The bar: at most 100 ms after a
//! cancellation, 20 ms after a deadline (p50). On Linux also in the solving thread's own time,
//! which a busy machine does not stretch. HiGHS is compiled for speed in every profile, so that
//! `cargo bench -p stratagem-milp --profile dev` shows the same.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench of time reads the clock and waits for moments"
)]

#[path = "../tests/milp/instances.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
#[expect(clippy::unwrap_used, reason = "instances of a bench are what they are")]
mod instances;

use anytime::{CancelToken, Pulse};
use instances::{Assignment, Random};
use milp::{Model, Params, Verdict, solve};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

const MOMENTS: u64 = 32;

fn main() {
    println!("after the stop signal, in ms:");
    println!("agents x jobs   signal         clock      p50     p90     max   solves");
    for (agents, jobs) in [(10, 60), (20, 100), (40, 400)] {
        let model = Assignment::new(1, agents, jobs).model().0;
        for (name, is_deadline) in [("cancelling", false), ("a deadline", true)] {
            let mut random = Random::new(9);
            let late: Vec<Late> = (0..MOMENTS)
                .filter_map(|seed| {
                    let wait = u64::try_from(random.draw(20, 2_000)).ok()?;
                    lateness(&model, seed, Duration::from_millis(wait), is_deadline)
                })
                .collect();
            // A solve that was done earlier measures nothing.
            let solves = late.len();
            if solves == 0 {
                println!("{agents:4} x {jobs:3}      {name}: all were done before");
                continue;
            }
            let wall = late.iter().map(|late| late.wall).collect();
            let busy = late.iter().filter_map(|late| late.busy).collect();
            for (clock, spent) in [("wall", wall), ("thread", busy)] {
                if let Some([p50, p90, max]) = quantiles(spent) {
                    println!(
                        "{agents:4} x {jobs:3}      {name}  {clock:>8}  {p50:7.1} {p90:7.1} \
                         {max:7.1} {solves:8}"
                    );
                }
            }
        }
    }
}

/// How late a solve came back.
struct Late {
    wall: Duration,
    /// By the clock of the solving thread, where there is one; not of deadlines.
    busy: Option<Duration>,
}

/// How long after the moment the solve came back; none when it was done before.
fn lateness(model: &Model, seed: u64, wait: Duration, is_deadline: bool) -> Option<Late> {
    let token = CancelToken::new();
    let moment = Instant::now() + wait;
    let pulse = Pulse::new(is_deadline.then_some(moment), token.clone());
    let params = Params {
        seed,
        ..Params::default()
    };
    let solving = fs::read_link("/proc/thread-self").unwrap_or_default();
    let busy = || busy(&solving);
    thread::scope(|scope| {
        let canceller = scope.spawn(move || {
            thread::sleep(moment - Instant::now());
            let signal = (Instant::now(), busy());
            if !is_deadline {
                token.cancel();
            }
            signal
        });
        let outcome = solve(model, &params, &pulse, &mut ()).expect("a model without mistakes");
        let back = (Instant::now(), busy());
        let signal = canceller.join().expect("it only waits");
        let since = if is_deadline { moment } else { signal.0 };
        let stopped = matches!(outcome.verdict, Verdict::Stopped(_));
        stopped.then(|| Late {
            wall: back.0.saturating_duration_since(since),
            // A thread that waits for a deadline wakes some time after it.
            busy: (back.1.zip(signal.1).filter(|_| !is_deadline))
                .map(|(back, signal)| back.saturating_sub(signal)),
        })
    })
}

/// Time on a processor of the thread that `link` below /proc names, if the system reports it.
fn busy(link: &Path) -> Option<Duration> {
    let text = fs::read_to_string(Path::new("/proc").join(link).join("schedstat")).ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Median, nine tenths and the largest, in milliseconds.
fn quantiles(mut spent: Vec<Duration>) -> Option<[f64; 3]> {
    spent.sort();
    let last = spent.len().checked_sub(1)?;
    Some([last / 2, last * 9 / 10, last].map(|i| spent[i].as_secs_f64() * 1e3))
}
