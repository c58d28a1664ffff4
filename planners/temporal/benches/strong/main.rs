//! Verdicts on strong controllability: one run over many networks, as markdown tables.
//!
//! `cargo bench -p temporal --bench strong`. Quality and time of whole answers, so no criterion:
//! each network is asked about once, as a service would be. Read from the environment:
//! * `STRATAGEM_TEMPORAL`: a directory with `stnit/answers.json` and the networks it names, which are
//!   then checked against their verdicts.
//! * `STRATAGEM_PARTS`: some of `shared,small,large,milp` (default: all).
//! * `STRATAGEM_TEMPORAL_MILP`: with `--features milp`, how many of the networks are also given to the integer
//!   program, 60 s each, default 100.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench measures time and takes a directory from the environment"
)]

mod shared;

use anytime::{Control, Limits};
use std::path::Path;
use std::time::{Duration, Instant};
use temporal::generate::{Shape, teammates};
use temporal::solve::check_strong;
use temporal::{Detail, Network, Open, Strategy, StrongFinding, StrongParams, Verdict};

/// Nothing but the verdict and its schedule.
const BARE: Detail = Detail {
    conflict: false,
    relaxations_max: 0,
    robustness: false,
    simulation_runs: 0,
};
/// For each network and strategy.
const SECONDS_MAX: u64 = 60;

struct Run {
    verdict: Verdict,
    time: Duration,
    iterations: u64,
}

fn run(network: &Network, strategy: Strategy, detail: Detail) -> Run {
    let mut verdict = Verdict::Unknown;
    let mut sink = |finding: &StrongFinding, _: Open| verdict = finding.verdict;
    let start = Instant::now();
    let limits = Limits::until(start + Duration::from_secs(SECONDS_MAX));
    let mut control = Control::new(limits, 1, &mut sink);
    let params = StrongParams { strategy, detail };
    check_strong(network, &params, &mut control).expect("the strategy is built in");
    let (time, iterations) = (start.elapsed(), control.iterations());
    Run {
        verdict,
        time,
        iterations,
    }
}

/// Network `seed` of a kind with 6 to 100 events, all sizes alike.
fn network(seed: u64, horizon_percent: u32) -> Network {
    let tasks = 3 + usize::try_from(seed % 48).expect("small");
    let shape = Shape {
        horizon_percent,
        ..Shape::paper(tasks)
    };
    teammates(seed, &shape)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn row(title: &str, runs: &[Run]) {
    let count = |verdict| runs.iter().filter(|run| run.verdict == verdict).count();
    let mut times: Vec<Duration> = runs.iter().map(|run| run.time).collect();
    times.sort();
    let at = |share: usize| millis(times[(times.len() - 1) * share / 100]);
    println!(
        "| {title} | {} | {} | {} | {} | {:.3} | {:.3} | {:.3} | {} |",
        runs.len(),
        count(Verdict::Holds),
        count(Verdict::Fails),
        count(Verdict::Unknown),
        at(50),
        at(99),
        at(100),
        runs.iter().map(|run| run.iterations).max().unwrap_or(0),
    );
}

fn many(title: &str, networks: &[Network], strategy: Strategy, detail: Detail) -> Vec<Run> {
    let runs = networks
        .iter()
        .map(|network| run(network, strategy, detail));
    let runs: Vec<Run> = runs.collect();
    row(title, &runs);
    runs
}

/// The integer program on the same networks: how much longer it takes, and whether they agree.
#[cfg(feature = "milp")]
fn compare(networks: &[Network], auto: &[Run]) {
    let count = std::env::var("STRATAGEM_TEMPORAL_MILP");
    let count = count.map_or(100, |count| count.parse().expect("a number"));
    // Spread over all sizes.
    let step = (networks.len() / count.max(1)).max(1);
    let picked: Vec<usize> = (0..networks.len()).step_by(step).take(count).collect();
    let some: Vec<Network> = picked.iter().map(|at| networks[*at].clone()).collect();
    for strategy in [Strategy::Lp, Strategy::LpNormalised] {
        many(&format!("{strategy:?}"), networks, strategy, BARE);
    }
    let runs = many("Milp", &some, Strategy::Milp, BARE);
    let pairs = picked.iter().map(|at| &auto[*at]).zip(&runs);
    let decided = |run: &Run| run.verdict != Verdict::Unknown;
    let contradict = |(auto, milp): &(&Run, &Run)| {
        decided(auto) && decided(milp) && auto.verdict != milp.verdict
    };
    let mut ratios: Vec<f64> = pairs
        .clone()
        .map(|(auto, milp)| millis(milp.time) / millis(auto.time))
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!(
        "\nMilp against auto on {count} networks: time ratio median {:.1}, largest {:.0}; contradictions {}",
        ratios[ratios.len() / 2],
        ratios[ratios.len() - 1],
        pairs.filter(contradict).count(),
    );
}

#[cfg(not(feature = "milp"))]
fn compare(_: &[Network], _: &[Run]) {}

fn main() {
    let parts = std::env::var("STRATAGEM_PARTS");
    let parts = parts.unwrap_or_else(|_| "shared,small,large,milp".into());
    let directory = std::env::var_os("STRATAGEM_TEMPORAL");
    if let Some(directory) = directory.filter(|_| parts.contains("shared")) {
        shared::check(Path::new(&directory));
    }
    println!(
        "\n| networks | count | holds | fails | unknown | median ms | p99 ms | max ms | max iterations |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let networks: Vec<Network> = (0..1_000).map(|seed| network(seed, 100)).collect();
    let title = "6 to 100 events, horizon 100 %";
    let auto = many(title, &networks, Strategy::Auto, BARE);
    if parts.contains("small") {
        small(&networks);
    }
    if parts.contains("large") {
        large();
    }
    if parts.contains("milp") {
        compare(&networks, &auto);
    }
}

/// Other horizons; the same networks with reasons, and by other strategies.
fn small(networks: &[Network]) {
    for percent in [103, 110, 130] {
        let others: Vec<Network> = (0..1_000).map(|seed| network(seed, percent)).collect();
        let title = format!("6 to 100 events, horizon {percent} %");
        many(&title, &others, Strategy::Auto, BARE);
    }
    let title = "horizon 100 % with reasons and robustness";
    many(title, networks, Strategy::Auto, Detail::default());
    for strategy in [
        Strategy::Tropical,
        Strategy::Search,
        Strategy::Early,
        Strategy::Random,
    ] {
        let title = format!("horizon 100 % by {strategy:?}");
        many(&title, networks, strategy, BARE);
    }
}

/// More events than the paper has.
fn large() {
    for (events, count) in [(200, 40), (500, 6), (1_000, 4)] {
        let large = (0..count).map(|seed| teammates(seed, &Shape::paper(events / 2)));
        let large: Vec<Network> = large.collect();
        many(&format!("{events} events"), &large, Strategy::Auto, BARE);
        many(
            &format!("{events} events, with reasons"),
            &large,
            Strategy::Auto,
            Detail::default(),
        );
    }
}
