//! Verdicts on strong controllability: one run over many networks, as markdown tables.
//!
//! `cargo bench -p stratagem-temporal --bench strong`. Measures quality and time of whole answers,
//! so without criterion: each network is solved once, as a service would. Read from the
//! environment:
//! * `STRATAGEM_TEMPORAL`: a directory with `stnit/answers.json` and the networks it names, which
//!   are then checked against their verdicts.
//! * `STRATAGEM_PARTS`: some of `memory,shared,small,large,verify,agree,tables,milp`; default: all.
//! * `STRATAGEM_TEMPORAL_MILP`: with `--features milp`, how many of the networks are also given to
//!   the integer program, 60 s each, default 100.
//! * `STRATAGEM_TEMPORAL_RUNS`: the output of an earlier run; its networks are not given to the
//!   integer program again.
//! * `STRATAGEM_PLOT`: a directory for pictures, of parts `tables` and `milp`.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench measures time and takes a directory from the environment"
)]

mod agree;
#[cfg(feature = "milp")]
mod compare;
mod measure;
mod memory;
mod plot;
#[path = "../../../../benches/kit/processor.rs"]
mod processor;
mod shared;
mod tables;
mod verify;

use measure::{NETWORKS, Question, Run, millis, network, percentile};
use std::path::Path;
use temporal::generate::{Shape, teammates};
use temporal::{Detail, Network, Strategy, Verdict};

fn main() {
    let parts = std::env::var("STRATAGEM_PARTS");
    let default = "memory,shared,small,large,verify,agree,tables,milp";
    let parts = parts.unwrap_or_else(|_| default.into());
    let wanted = |part| parts.split(',').any(|one| one == part);
    // First, since a peak never goes down.
    if wanted("memory") {
        memory::run();
    }
    let directory = std::env::var_os("STRATAGEM_TEMPORAL");
    let directory = directory.filter(|_| wanted("shared") || wanted("agree"));
    let known = directory.map_or_else(Vec::new, |path| shared::networks(Path::new(&path)));
    if wanted("shared") {
        shared::check(&known);
    }
    if wanted("small") {
        small();
    }
    if wanted("large") {
        large();
    }
    if wanted("verify") {
        verify::run();
    }
    if wanted("agree") {
        agree::run(&known);
    }
    if wanted("tables") {
        tables::run();
    }
    #[cfg(feature = "milp")]
    if wanted("milp") {
        let count = std::env::var("STRATAGEM_TEMPORAL_MILP");
        compare::run(count.map_or(100, |count| count.parse().expect("a number")));
    }
}

fn head() {
    println!(
        "\n| networks | count | holds | fails | unknown | median ms | p99 ms | max ms | \
         max ms on a processor | max iterations |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
}

fn row(title: &str, runs: &[Run]) {
    let count = |verdict| runs.iter().filter(|run| run.verdict() == verdict).count();
    let times: Vec<f64> = runs.iter().map(|run| millis(run.time)).collect();
    let cpu: Vec<f64> = runs.iter().map(|run| millis(run.cpu)).collect();
    println!(
        "| {title} | {} | {} | {} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {} |",
        runs.len(),
        count(Verdict::Holds),
        count(Verdict::Fails),
        count(Verdict::Unknown),
        percentile(&times, 50),
        percentile(&times, 99),
        percentile(&times, 100),
        percentile(&cpu, 100),
        runs.iter().map(|run| run.iterations).max().unwrap_or(0),
    );
}

fn measure_all(title: &str, networks: &[Network], strategy: Strategy, detail: Detail) {
    let question = Question {
        detail,
        ..Question::bare(strategy)
    };
    let runs: Vec<Run> = networks
        .iter()
        .map(|network| question.ask(network))
        .collect();
    row(title, &runs);
}

/// The benchmark, at several horizons; the same networks with reasons, and by other strategies.
fn small() {
    head();
    let at = |percent| (0..NETWORKS).map(move |seed| network(seed, percent));
    for percent in [100, 103, 110, 130] {
        let title = format!("6 to 100 events, horizon {percent} %");
        let networks: Vec<Network> = at(percent).collect();
        measure_all(&title, &networks, Strategy::Auto, Detail::NONE);
    }
    let networks: Vec<Network> = at(100).collect();
    let title = "horizon 100 % with reasons and robustness";
    measure_all(title, &networks, Strategy::Auto, Detail::default());
    for strategy in [
        Strategy::Tropical,
        Strategy::Search,
        Strategy::Early,
        Strategy::Random,
    ] {
        let title = format!("horizon 100 % by {strategy:?}");
        measure_all(&title, &networks, strategy, Detail::NONE);
    }
}

/// More events than the paper has.
fn large() {
    head();
    for (events, count) in [(200, 40), (500, 6), (1_000, 4)] {
        let large = (0..count).map(|seed| teammates(seed, &Shape::paper(events / 2)));
        let large: Vec<Network> = large.collect();
        let title = format!("{events} events");
        measure_all(&title, &large, Strategy::Auto, Detail::NONE);
        let title = format!("{title}, with reasons");
        measure_all(&title, &large, Strategy::Auto, Detail::default());
    }
}
