//! What a search reaches in some seconds of processor time on maps of tiles with sight and on an open grid: `cargo bench -p stratagem-patrol
//! --bench bars`. `STRATAGEM_CASES=WORD`: cases with this in their name. `STRATAGEM_SECONDS=N`: instead of each case's own.
#![expect(
    clippy::disallowed_methods,
    reason = "how long it takes is for whoever runs this"
)]

mod tiles;

use anytime::{CancelToken, Control, Limits, Offer, Sink};
use patrol::generate::{grid, staying};
use patrol::mixture::{MixtureParams, mixture};
use patrol::variety::{Variety, VarietyParams, variety};
use patrol::{Cost, Params, Problem, solve};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Processor time of the first thread so far, in seconds; known on Linux only.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("it is Linux");
    let nanos = text.split_whitespace().next().expect("it has fields");
    nanos.parse::<f64>().expect("it is a number") / 1e9
}

/// Prints when which capture was reached, and cancels when the time is over.
struct Heard {
    begin: f64,
    last: f64,
    bound: f64,
    offers: usize,
    marks: Vec<(f64, f64)>,
}

impl Heard {
    fn hear(&mut self, capture: f64) {
        self.last = capture;
        self.offers += 1;
        self.marks.push((seconds() - self.begin, capture));
    }
}

impl<P> Sink<P, Cost> for Heard {
    fn offer(&mut self, offer: Offer<'_, P, Cost>) {
        self.hear(1.0 - offer.cost.level());
    }

    fn bound(&mut self, bound: Cost, _: &'static str) {
        self.bound = 1.0 - bound.level();
    }
}

/// Runs a search for so many seconds of processor time.
fn run(name: &str, time: f64, search: impl FnOnce(Limits, &mut Heard)) {
    if std::env::var("STRATAGEM_CASES").is_ok_and(|word| !name.contains(&word)) {
        return;
    }
    let time = std::env::var("STRATAGEM_SECONDS").map_or(time, |given| {
        given.parse().expect("STRATAGEM_SECONDS is a number")
    });
    let cancel = CancelToken::new();
    let limits = Limits::iterations(u64::MAX).with_cancel(cancel.clone());
    let begin = seconds();
    let mut heard = Heard {
        begin,
        last: 0.0,
        bound: 1.0,
        offers: 0,
        marks: Vec::new(),
    };
    let is_over = Arc::new(AtomicBool::new(false));
    let watch = std::thread::spawn({
        let is_over = Arc::clone(&is_over);
        move || {
            while seconds() - begin < time && !is_over.load(Ordering::Relaxed) {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            cancel.cancel();
        }
    });
    search(limits, &mut heard);
    is_over.store(true, Ordering::Relaxed);
    watch.join().expect("it only waits");
    let at = |share: f64| {
        let until = heard
            .marks
            .iter()
            .rev()
            .find(|(when, _)| *when <= share * time);
        until.map_or(0.0, |(_, capture)| *capture)
    };
    println!(
        "{name}: {:.4} at a tenth, {:.4} at a half, {:.4} after {:.1} s; bound {:.4}; {} offers",
        at(0.1),
        at(0.5),
        heard.last,
        seconds() - begin,
        heard.bound,
        heard.offers
    );
}

fn patrol(name: &str, time: f64, problem: &Problem) {
    for seed in 1..=2 {
        run(name, time, |limits, heard| {
            let mut control = Control::new(limits, seed, heard);
            solve(problem, &Params::default(), &mut control).expect("it is supported");
        });
    }
}

fn main() {
    let castle = tiles::read(include_str!("castle.map"), (4, 15));
    let dungeon = tiles::read(include_str!("dungeon.map"), (3, 21));
    patrol("castle", 5.0, &castle);
    patrol("dungeon", 5.0, &dungeon);
    let open = Problem::new(staying(grid(20, 20, 8), 49)).expect("it is valid");
    patrol("grid", 10.0, &open);
    for (name, problem) in [("dungeon", &dungeon), ("castle", &castle)] {
        run(&format!("mixture {name}"), 10.0, |limits, heard| {
            let mut control = Control::new(limits, 1, heard);
            let params = MixtureParams::default();
            mixture(problem, &params, &mut control).expect("it is supported");
        });
    }
    for (name, problem) in [("dungeon", &dungeon), ("castle", &castle)] {
        let several = Variety::new(problem.clone(), 3, 500_000).expect("it is valid");
        run(&format!("variety {name}"), 10.0, |limits, heard| {
            let mut sink = |_: &patrol::variety::Plans, cost: patrol::variety::VarietyCost| {
                println!(
                    "missing {}, worst {:.4}",
                    cost.missing,
                    1.0 - cost.worst.level()
                );
            };
            let _ = &heard;
            let mut control = Control::new(limits, 1, &mut sink);
            variety(&several, &VarietyParams::default(), &mut control).expect("it is supported");
        });
    }
}
