//! What a search reaches in some seconds of processor time on maps of tiles with sight and on an
//! open grid: `cargo bench -p stratagem-patrol --bench bars`. `STRATAGEM_CASES=WORD`: cases with
//! this in their name. `STRATAGEM_SECONDS=N`: instead of each case's own. `STRATAGEM_MAP=FILE`:
//! another map instead of the keep, with the same sight and intruder.
#![expect(
    clippy::disallowed_methods,
    reason = "benchmarks read the clock and the environment"
)]

#[path = "../../tests/suite/maps.rs"]
mod maps;

use anytime::{CancelToken, Control, Limits, Offer, Sink};
use patrol::diverse::{DiverseParams, DiverseProblem, find_diverse_plans};
use patrol::generate::{grid, museum, staying};
use patrol::mixed_strategy::{MixedStrategyParams, find_mixed_strategy};
use patrol::{Cost, Params, Problem, solve};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Processor time of the first thread so far, in seconds; known on Linux only.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("it is Linux");
    let nanos = text.split_whitespace().next().expect("it has fields");
    nanos.parse::<f64>().expect("it is a number") / 1e9
}

/// Records the captures over time.
struct Recorder {
    begin: f64,
    last: f64,
    bound: f64,
    offers: usize,
    marks: Vec<(f64, f64)>,
}

impl Recorder {
    fn record(&mut self, capture: f64) {
        self.last = capture;
        self.offers += 1;
        self.marks.push((seconds() - self.begin, capture));
    }
}

impl<P> Sink<P, Cost> for Recorder {
    fn offer(&mut self, offer: Offer<'_, P, Cost>) {
        self.record(1.0 - offer.cost.level());
    }

    fn bound(&mut self, bound: Cost, _: &'static str) {
        self.bound = 1.0 - bound.level();
    }
}

/// Runs a search for some seconds of processor time.
fn run(name: &str, time: f64, search: impl FnOnce(Limits, &mut Recorder)) {
    if std::env::var("STRATAGEM_CASES").is_ok_and(|word| !name.contains(&word)) {
        return;
    }
    let time = std::env::var("STRATAGEM_SECONDS").map_or(time, |given| {
        given.parse().expect("STRATAGEM_SECONDS is a number")
    });
    let cancel = CancelToken::new();
    let limits = Limits::iterations(u64::MAX).with_cancel(cancel.clone());
    let begin = seconds();
    let mut recorder = Recorder {
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
    search(limits, &mut recorder);
    is_over.store(true, Ordering::Relaxed);
    watch.join().expect("it only waits");
    let at = |share: f64| {
        let until = recorder
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
        recorder.last,
        seconds() - begin,
        recorder.bound,
        recorder.offers
    );
}

fn patrol(name: &str, time: f64, problem: &Problem, seeds: u64) {
    for seed in 1..=seeds {
        run(name, time, |limits, recorder| {
            let mut control = Control::new(limits, seed, recorder);
            solve(problem, &Params::default(), &mut control).expect("it is supported");
        });
    }
}

/// Eight worlds that nothing was tuned on, to judge bounds: museums, and grids with some long and
/// some missing edges.
fn unseen() -> Vec<(String, Problem)> {
    let museums = [((4, 3), 2), ((6, 4), 3), ((8, 5), 4), ((10, 6), 4)];
    let museums = museums.iter().enumerate().map(|(index, (size, guards))| {
        let name = format!("unseen museum {} x {}", size.0, size.1);
        (name, museum(size.0, size.1, *guards, 900 + index as u64))
    });
    let grids = [
        ((6, 4), 2, 11),
        ((7, 7), 3, 14),
        ((9, 6), 2, 20),
        ((12, 8), 4, 24),
    ];
    let grids = grids.map(|(size, guards, t_p)| {
        let mut spec = staying(grid(size.0, size.1, guards), t_p);
        let number = |index: usize| anytime::derive_seed(77, index as u64);
        // All edges of the first row and of all columns stay, so that all is connected.
        let mut index = 0;
        spec.edges.retain(|edge| {
            index += 1;
            let is_kept = edge.ends[1] < size.0 || edge.ends[1] - edge.ends[0] > 1;
            is_kept || number(index).is_multiple_of(3)
        });
        for (index, edge) in spec.edges.iter_mut().enumerate() {
            edge.length = 1 + (number(1_000 + index) % 3) as u32;
        }
        let weight = |vertex: usize| 1_000_000 * (1 + number(2_000 + vertex) % 4);
        spec.weights_micro = (0..spec.vertices).map(weight).collect();
        let name = format!("unseen grid {} x {}", size.0, size.1);
        (name, Problem::new(spec).expect("the spec is refused"))
    });
    museums.chain(grids).collect()
}

fn main() {
    let given = std::env::var("STRATAGEM_MAP")
        .map(|file| std::fs::read_to_string(file).expect("STRATAGEM_MAP is a file of text"));
    let keep = maps::read(
        given.as_deref().unwrap_or(maps::KEEP),
        maps::KEEP_SIGHT,
        maps::KEEP_INSTANTS,
    );
    let dungeon = maps::read(include_str!("../../tests/suite/maps/dungeon.map"), 3, 21);
    patrol("keep", 5.0, &keep, 2);
    patrol("dungeon", 5.0, &dungeon, 2);
    let open = Problem::new(staying(grid(20, 20, 8), 49)).expect("the grid is refused");
    patrol("grid", 10.0, &open, 2);
    for (name, problem) in unseen() {
        patrol(&name, 5.0, &problem, 1);
    }
    for (name, problem) in [("dungeon", &dungeon), ("keep", &keep)] {
        run(&format!("mixture {name}"), 10.0, |limits, recorder| {
            let mut control = Control::new(limits, 1, recorder);
            let params = MixedStrategyParams::default();
            find_mixed_strategy(problem, &params, &mut control).expect("it is supported");
        });
    }
    for (name, problem) in [("dungeon", &dungeon), ("keep", &keep)] {
        let several =
            DiverseProblem::new(problem.clone(), 3, 500_000).expect("the parameters are refused");
        run(&format!("variety {name}"), 10.0, |limits, recorder| {
            let mut sink = |_: &patrol::diverse::DiversePlans,
                            cost: patrol::diverse::DiverseCost| {
                println!(
                    "missing {}, worst {:.4}",
                    cost.missing,
                    1.0 - cost.worst.level()
                );
            };
            let _ = &recorder;
            let mut control = Control::new(limits, 1, &mut sink);
            find_diverse_plans(&several, &DiverseParams::default(), &mut control)
                .expect("it is supported");
        });
    }
}
