//! How soon there is any level.

use super::{hit, run_to, share, spec};
use anytime::Conclusion;
use puzzle::{Cost, Problem, Spec, Strategy, Theme};

/// Any level at all.
const ANY: Cost = Cost {
    missing: 0,
    miss_micro: i64::MAX,
};

/// Time to the first level, boards of many sizes.
pub(super) fn first() {
    println!("\nThe first level of a wanted difficulty, 100 seeds each\n");
    println!("| board | boxes | theme | median, ms | p95, ms | slowest, ms | later than 20 ms |");
    println!("|---|---|---|---|---|---|---|");
    for (side, boxes) in [(7, 2), (8, 3), (10, 4), (11, 5), (12, 6), (14, 8), (20, 8)] {
        for theme in [Theme::Any, Theme::Static] {
            let problem = Problem::new(Spec {
                goal: hit(9.0, 9.0),
                theme,
                ..spec(side, boxes)
            });
            let problem = problem.expect("a problem");
            let mut times: Vec<f64> = (0..100)
                .map(|seed| run_to(&problem, Strategy::Auto, seed, 10, Some(ANY)))
                .inspect(|run| assert_ne!(run.end, Conclusion::Infeasible))
                .map(|run| run.first_seconds * 1e3)
                .collect();
            let late = times.iter().filter(|time| **time > 20.0).count();
            println!(
                "| {side}x{side} | {boxes} | {theme:?} | {:.2} | {:.2} | {:.2} | {late} |",
                share(&mut times, 0.5),
                share(&mut times, 0.95),
                share(&mut times, 1.0),
            );
        }
    }
}
