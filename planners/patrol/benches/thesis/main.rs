//! Quality over time on the worlds of the thesis, and on those of a folder.
//!
//! `STRATAGEM_PATROL=FOLDER cargo bench -p stratagem-patrol --bench thesis`. Without a folder the
//! generated worlds are used. `STRATAGEM_SECONDS=1,10`: when to look, the last ends the search.
//! `STRATAGEM_ITERATIONS=N`: end after N iterations instead. `STRATAGEM_SEED=N` (default 1).
//! `STRATAGEM_CASES=WORD`: cases with this in their name. `STRATAGEM_STRATEGY=mcts-uc`: instead of
//! `auto`. `STRATAGEM_PARTS=cases,trees`: what to print; `trees` are tables 3.1 to 3.3 with
//! `STRATAGEM_SCALE` (default 1) times the simulations of the thesis.
#![expect(
    clippy::disallowed_methods,
    reason = "benchmarks read the clock and the environment"
)]

mod cases;
#[path = "../../../../benches/kit/processor.rs"]
mod processor;
mod run;
mod trees;

use anytime::Conclusion;
use cases::{BARS, Case};
use patrol::solve::STRATEGIES;
use patrol::{Problem, Strategy};
use run::{Budget, Run};

fn main() {
    let given = |name: &str| std::env::var(name).ok();
    let parts = given("STRATAGEM_PARTS").unwrap_or_else(|| "cases".into());
    let folder = given("STRATAGEM_PATROL");
    let cases = folder.map_or_else(cases::generated, |folder| cases::of_folder(folder.as_ref()));
    let word = given("STRATAGEM_CASES").unwrap_or_default();
    let times = given("STRATAGEM_SECONDS").unwrap_or_else(|| "1,10".into());
    let times: Vec<f64> = times
        .split(',')
        .map(|time| time.parse().expect("STRATAGEM_SECONDS are numbers"))
        .collect();
    let name = given("STRATAGEM_STRATEGY").unwrap_or_else(|| "auto".into());
    let strategy = STRATEGIES.iter().find(|info| info.name == name);
    let strategy = strategy.expect("STRATAGEM_STRATEGY exists").strategy;
    if parts.contains("cases") {
        let cases = cases.iter().filter(|case| case.name.contains(&word));
        let iterations =
            given("STRATAGEM_ITERATIONS").map(|count| count.parse().expect("a number"));
        let budget = Budget {
            seconds: times.last().copied().expect("there is a time"),
            iterations,
            seed: given("STRATAGEM_SEED").map_or(1, |seed| seed.parse().expect("a number")),
        };
        table(cases, &times, budget, strategy);
    }
    if parts.contains("trees") {
        let scale = given("STRATAGEM_SCALE").map_or(1.0, |scale| scale.parse().expect("a number"));
        trees::tables(scale);
    }
}

fn table<'c>(
    cases: impl Iterator<Item = &'c Case>,
    times: &[f64],
    budget: Budget,
    strategy: Strategy,
) {
    let heads: String = times.iter().map(|time| format!(" {time} s |")).collect();
    println!(
        "| case | bar | first plan | value |{heads} end | found by | processor | bound \
         | iterations |"
    );
    println!(
        "|---|---|---|---|{}---|---|---|---|---|",
        "---|".repeat(times.len())
    );
    for case in cases {
        let problem = Problem::new(case.spec.clone()).expect("it makes sense");
        let run = run::run(&problem, strategy, budget);
        println!("{}", row(&case.name, &run, times));
    }
}

fn row(name: &str, run: &Run, times: &[f64]) -> String {
    let bar = BARS.iter().find(|(case, _)| *case == name);
    let bar = bar.map_or_else(String::new, |(_, bar)| bar.to_string());
    let (when, value) = run.plans.first().copied().unwrap_or_default();
    let at = |time: &f64| {
        run.value_at(*time)
            .map_or_else(|| " - |".into(), |v| format!(" {v:.5} |"))
    };
    let values: String = times.iter().map(at).collect();
    let seconds = run.all.as_secs_f64();
    let end = match run.conclusion {
        Conclusion::Optimal => format!("proved in {seconds:.3} s"),
        Conclusion::Infeasible => format!("impossible, {seconds:.3} s"),
        Conclusion::Partial(_) | Conclusion::Stopped(_) => format!("{seconds:.1} s"),
    };
    let (bound, method) = run.bound;
    let processor = run.processor.unwrap_or_default().as_secs_f64();
    format!(
        "| {name} | {bar} | {:.1} ms | {value:.4} |{values} {end} | {} | {processor:.3} s \
         | {bound:.5} {method} | {} |",
        when.as_secs_f64() * 1e3,
        run.found_by,
        run.iterations,
    )
}
