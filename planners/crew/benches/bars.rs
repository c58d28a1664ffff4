//! How long fronts take, on a ship like the paper's and on larger ones.
//!
//! ```sh
//! cargo bench -p stratagem-crew --bench bars
//! ```

#[path = "../../../benches/kit/processor.rs"]
mod processor;

use crew::generate::{Shape, generate};
use crew::{Limit, Params, Problem, fronts, verify};
use processor::processor;
use std::hint::black_box;
use std::time::Duration;

/// The median time of one solve, over `runs` runs of `each` solves, in microseconds.
fn median(problem: &Problem, runs: usize, each: u32) -> f64 {
    let used = || processor().unwrap_or_default();
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let begin = used();
            for _ in 0..each {
                black_box(fronts(black_box(problem), &Params::default()));
            }
            (used() - begin) / each
        })
        .collect();
    times.sort_unstable();
    times[runs / 2].as_secs_f64() * 1e6
}

fn main() {
    println!("| ship | players | tools | points | median of one solve, on a processor, us |");
    println!("|---|---|---|---|---|");
    let shapes = [
        (
            "36 rooms, times of 1, damage 0 or 1",
            6,
            4,
            3,
            1,
            1,
            Limit::Below(2),
        ),
        (
            "196 rooms, times of 1, damage 0 to 3",
            14,
            20,
            20,
            1,
            3,
            Limit::Within(1_000),
        ),
        (
            "196 rooms, times to 10, damage to 10",
            14,
            20,
            20,
            10,
            10,
            Limit::Within(1_000),
        ),
        (
            "196 rooms, times to 100, damage to 100",
            14,
            20,
            20,
            100,
            100,
            Limit::Within(100_000),
        ),
    ];
    for (name, side, players, tools, time_max_us, damage_max_micro, damage_max) in shapes {
        let shape = Shape {
            side,
            players,
            tools,
            time_max_us,
            damage_max_micro,
        };
        let mut spec = generate(&shape, 1);
        spec.damage_max = damage_max;
        let problem = Problem::new(spec).expect("a generated ship makes sense");
        let plan = fronts(&problem, &Params::default());
        verify(&problem, &plan).expect("fronts hold");
        let fronts = plan.events[0].iter();
        let points: usize = fronts.map(|front| front.points.len()).sum();
        let (runs, each) = (15, if side < 10 { 500 } else { 5 });
        let time = median(&problem, runs, each);
        println!("| {name} | {players} | {tools} | {points} | {time:.1} |");
    }
}
