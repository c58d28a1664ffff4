//! Tables 3.1, 3.2 and 3.3 of the thesis: plain trees and trees with useful cycles, with the same
//! number of simulations and exact scores.

use crate::run::{Budget, run};
use patrol::generate::{grid, line, ring, staying, walking};
use patrol::{Motion, Problem, Spec, Strategy};

/// Prints one table; `budgets` are simulations.
pub(crate) fn tables(scale: f64) {
    let scaled = |budget: f64| (budget * scale) as u64;
    println!("\nTable 3.1, line of 21 ({} simulations)\n", scaled(1e6));
    println!("| | t_p 9 | 14 | 19 | 24 | 29 |\n|---|---|---|---|---|---|");
    let specs = [9, 14, 19, 24, 29].map(|t_p| walking(line(21, 1), Motion::BorderStay, t_p));
    rows(&specs.map(|spec| (spec, scaled(1e6))));
    println!("\nTable 3.2, perimeter of 15 with 3 guards, by simulations, steady\n");
    let budgets = [1e3, 1e4, 5e5, 3e6, 5e6, 6e6].map(scaled);
    println!(
        "| | {} |",
        budgets.map(|budget| budget.to_string()).join(" | ")
    );
    println!("|---|---|---|---|---|---|---|");
    rows(&budgets.map(|budget| (staying(ring(15, 3), 4), budget)));
    for (name, motion) in [("lazy", Motion::Lazy), ("move", Motion::Moving)] {
        println!(
            "\nTable 3.3, 5x5 with 2 guards, {name} ({} simulations)\n",
            scaled(1.28e6)
        );
        println!("| | t_p 30 | 40 | 50 |\n|---|---|---|---|");
        let specs = [30, 40, 50].map(|t_p| walking(grid(5, 5, 2), motion, t_p));
        rows(&specs.map(|spec| (spec, scaled(1.28e6))));
    }
}

fn rows(cases: &[(Spec, u64)]) {
    for (name, strategy) in [
        ("mcts", Strategy::Mcts),
        ("mcts-uc", Strategy::MctsUc),
        ("iterative", Strategy::Iterative),
    ] {
        let value = |(spec, budget): &(Spec, u64)| {
            let problem = Problem::new(spec.clone()).expect("it makes sense");
            let budget = Budget {
                seconds: 0.0,
                iterations: Some(*budget),
                seed: 1,
            };
            let run = run(&problem, strategy, budget);
            format!("{:.4} ({:.1} s)", run.last(), run.all.as_secs_f64())
        };
        let values: Vec<String> = cases.iter().map(value).collect();
        println!("| {name} | {} |", values.join(" | "));
    }
}
