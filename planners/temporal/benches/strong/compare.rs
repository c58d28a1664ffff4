//! The integer program on the same networks: how much longer it takes, and whether they agree.
//!
//! Each network is given to `auto` and immediately after to the program, and a line `run,...` is
//! printed, so that a run that is ended early still has results. Networks in the lines of an
//! earlier run, named by `STRATAGEM_TEMPORAL_RUNS`, count with these results, and only the others
//! are solved.

use super::measure::{CLASSES, NETWORKS, Question, SECONDS_MAX, millis, network, percentile};
use super::plot;
use std::collections::BTreeMap;
use temporal::verify::strong;
use temporal::{Network, Strategy, Verdict};

/// Both answers about one network. Times are those on a processor: on a busy machine long solves
/// wait more than short ones, and the clock would flatter the short.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    pub(crate) seed: u64,
    pub(crate) events: usize,
    pub(crate) auto_ms: f64,
    pub(crate) milp_ms: f64,
    /// By the clock, including what other programs took: what the deadline is about.
    milp_clock_ms: f64,
    verdicts: [String; 2],
    nodes: u64,
}

/// Solves, prints and draws. `count` networks spread over all of them.
pub(crate) fn run(count: u64) {
    let known = known();
    let step = NETWORKS / count.clamp(1, NETWORKS);
    let is_picked = |seed: u64| seed.is_multiple_of(step) && seed / step < count;
    println!("\nrun,seed,events,auto,auto cpu ms,milp,milp cpu ms,milp clock ms,nodes");
    let mut pairs = Vec::new();
    for seed in 0..NETWORKS {
        let pair = match known.get(&seed) {
            Some(pair) => pair.clone(),
            None if is_picked(seed) => solve(seed),
            None => continue,
        };
        println!("{}", pair.line());
        pairs.push(pair);
    }
    table(&pairs);
    totals(&pairs);
    plot::times(&pairs);
}

fn solve(seed: u64) -> Pair {
    let network = network(seed, 100);
    let auto = Question::bare(Strategy::Auto).ask(&network);
    let milp = Question::bare(Strategy::Milp).ask(&network);
    for run in [&auto, &milp] {
        if let (Verdict::Holds, Some(schedule)) = (run.verdict(), &run.finding.schedule) {
            let ranges = strong(&network, schedule);
            assert_eq!(ranges.as_ref(), Ok(&run.finding.ranges), "seed {seed}");
        }
    }
    Pair {
        seed,
        events: events(&network),
        auto_ms: millis(auto.cpu),
        milp_ms: millis(milp.cpu),
        milp_clock_ms: millis(milp.time),
        verdicts: [&auto, &milp].map(|run| format!("{:?}", run.verdict())),
        nodes: milp.iterations,
    }
}

fn events(network: &Network) -> usize {
    network.owners().len()
}

impl Pair {
    fn line(&self) -> String {
        let [auto, milp] = &self.verdicts;
        format!(
            "run,{},{},{auto},{:.3},{milp},{:.3},{:.3},{}",
            self.seed, self.events, self.auto_ms, self.milp_ms, self.milp_clock_ms, self.nodes
        )
    }

    fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.strip_prefix("run,")?.split(',').collect();
        let [seed, events, auto, auto_ms, milp, milp_ms, clock_ms, nodes] = fields[..] else {
            return None;
        };
        Some(Self {
            seed: seed.parse().ok()?,
            events: events.parse().ok()?,
            auto_ms: auto_ms.parse().ok()?,
            milp_ms: milp_ms.parse().ok()?,
            milp_clock_ms: clock_ms.parse().ok()?,
            verdicts: [auto, milp].map(String::from),
            nodes: nodes.parse().ok()?,
        })
    }

    /// How many times as long the program takes.
    fn ratio(&self) -> f64 {
        self.milp_ms / self.auto_ms
    }

    fn is_unknown(&self) -> bool {
        self.verdicts[1] == "Unknown"
    }

    fn contradicts(&self) -> bool {
        let decided = |verdict: &String| verdict != "Unknown";
        self.verdicts.iter().all(decided) && self.verdicts[0] != self.verdicts[1]
    }
}

/// The lines of an earlier run, by seed.
fn known() -> BTreeMap<u64, Pair> {
    let Some(file) = std::env::var_os("STRATAGEM_TEMPORAL_RUNS") else {
        return BTreeMap::new();
    };
    let text = std::fs::read_to_string(file).expect("the run is there");
    let pairs = text.lines().filter_map(Pair::read);
    pairs.map(|pair| (pair.seed, pair)).collect()
}

fn table(pairs: &[Pair]) {
    println!(
        "\n| events | networks | auto median / p99 / max ms | HiGHS median / p99 / max ms | \
         timeouts | ratio median / max | most nodes |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (least, most) in CLASSES {
        let class: Vec<Pair> = pairs
            .iter()
            .filter(|pair| (least..=most).contains(&pair.events))
            .cloned()
            .collect();
        row(&format!("{least}-{most}"), &class);
    }
    row("all", pairs);
}

fn row(title: &str, pairs: &[Pair]) {
    let column = |of: &dyn Fn(&Pair) -> f64| pairs.iter().map(of).collect::<Vec<_>>();
    let auto = column(&|pair| pair.auto_ms);
    let milp = column(&|pair| pair.milp_ms);
    let ratio = column(&|pair| pair.ratio());
    let spread = |values: &[f64]| {
        let [median, high, max] = [50, 99, 100].map(|percent| percentile(values, percent));
        format!("{median:.3} / {high:.3} / {max:.3}")
    };
    println!(
        "| {title} | {} | {} | {} | {} | {:.0} / {:.0} | {} |",
        pairs.len(),
        spread(&auto),
        spread(&milp),
        pairs.iter().filter(|pair| pair.is_unknown()).count(),
        percentile(&ratio, 50),
        percentile(&ratio, 100),
        pairs.iter().map(|pair| pair.nodes).max().unwrap_or(0),
    );
}

fn totals(pairs: &[Pair]) {
    let ratios: Vec<f64> = pairs.iter().map(Pair::ratio).collect();
    println!("\nHow many times as long HiGHS takes, by percentile of networks:");
    for percent in [0, 1, 10, 25, 50, 75, 90, 99, 100] {
        println!("* {percent} %: {:.1}", percentile(&ratios, percent));
    }
    let slow: Vec<String> = pairs
        .iter()
        .filter(|pair| pair.is_unknown())
        .map(|pair| {
            let (seed, events, cpu) = (pair.seed, pair.events, pair.milp_ms / 1e3);
            format!("{seed} ({events} events, {cpu:.0} s on a processor)")
        })
        .collect();
    println!(
        "* contradictions {} of {}; not decided in {SECONDS_MAX} s: {} [{}]",
        pairs.iter().filter(|pair| pair.contradicts()).count(),
        pairs.len(),
        slow.len(),
        slow.join(", "),
    );
    let total = |of: &dyn Fn(&Pair) -> f64| pairs.iter().map(of).sum::<f64>() / 1e3;
    println!(
        "* in all: auto {:.2} s, HiGHS {:.0} s, by the clock {:.0} s",
        total(&|pair| pair.auto_ms),
        total(&|pair| pair.milp_ms),
        total(&|pair| pair.milp_clock_ms),
    );
}
