//! Solomon's problems of 100 tasks: how soon the first plan is there, and how good tree search
//! alone gets.
//!
//! `STRATAGEM_SOLOMON=FOLDER cargo bench -p stratagem-integration-tests --bench solomon`, where
//! FOLDER holds the instances (`C101.txt`, ...) and `best_known.csv` with the columns `instance`,
//! `vehicles_exact` and `distance_1dec_truncated`. Prints tables for benches/results/allocation.md.
//! Distances are truncated to one decimal, as in the exact literature. More settings:
//!
//! * `STRATAGEM_PARTS`: `first`, `mcts` or `first,mcts` (default).
//! * `STRATAGEM_INSTANCES`: beginnings of names, as in `C1,R101`. Default: all.
//! * `STRATAGEM_RUNS`: runs for each time to the first plan. Default: 11.
//! * `STRATAGEM_STRATEGY`: another strategy in place of `mcts`, to compare.
//! * `STRATAGEM_SECONDS`: tree search on each instance. Default: 60.
//! * `STRATAGEM_TOTAL_SECONDS`: the same for all instances together, in place of it.
//! * `STRATAGEM_THREADS`: threads of the tree search. Default: 2.

mod instances;
mod thesis;

use allocation::{Allocation, Cost, Params, Plan, Problem, Strategy};
use anytime::{Control, Limits, Planner as _};
use instances::{Instance, load};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use stratagem_integration_tests::figures::{Sample, is_wanted, machine, ms, setting};

/// Vehicles that Solomon's files allow.
const VEHICLES_GIVEN: usize = 25;
/// How long the first plan is waited for before a run counts as none.
const FIRST_PATIENCE: Duration = Duration::from_secs(2);

fn main() {
    if !is_wanted() {
        return;
    }
    let Some(folder) = std::env::var_os("STRATAGEM_SOLOMON").map(PathBuf::from) else {
        println!("skipped: STRATAGEM_SOLOMON does not name a folder with Solomon's instances");
        return;
    };
    let wanted = setting("STRATAGEM_INSTANCES", String::new());
    let wanted: Vec<_> = wanted.split(',').collect();
    let mut instances = load(&folder);
    instances.retain(|instance| wanted.iter().any(|name| instance.name.starts_with(name)));
    println!("Measured on {}.\n", machine());
    let parts = setting("STRATAGEM_PARTS", String::from("first,mcts"));
    if parts.contains("first") {
        first_plans(&instances);
    }
    if parts.contains("mcts") {
        tree_search(&instances);
    }
}

/// What a search has shown.
#[derive(Default)]
struct Seen {
    /// When the first plan came.
    first: Option<Duration>,
    /// When the first plan came that does every task.
    first_complete: Option<Duration>,
    /// The last plan, which is the best.
    best: Option<(Plan, Cost)>,
    /// Iterations made.
    iterations: u64,
}

fn search(problem: &Problem, strategy: Strategy, limits: Limits, enough: bool) -> Seen {
    let mut seen = Seen::default();
    let cancel = limits.cancel.clone();
    let params = Params {
        strategy,
        ..Params::default()
    };
    let begin = Instant::now();
    let mut sink = |plan: &Plan, cost: Cost| {
        let now = begin.elapsed();
        seen.first.get_or_insert(now);
        if cost.0[0] == 0 {
            seen.first_complete.get_or_insert(now);
            if enough {
                cancel.cancel();
            }
        }
        seen.best = Some((plan.clone(), cost));
    };
    let mut control = Control::new(limits, 0, &mut sink);
    Allocation::solve(problem, &params, &mut control).expect("these problems are supported");
    let iterations = control.iterations();
    seen.iterations = iterations;
    if let Some((plan, cost)) = &seen.best {
        assert_eq!(
            Allocation::verify(problem, plan),
            Ok(*cost),
            "plans are what they claim"
        );
    }
    seen
}

/// Bar: the first feasible plan of 100 tasks within 5 ms.
fn first_plans(instances: &[Instance]) {
    let runs = setting("STRATAGEM_RUNS", 11_usize).max(1);
    println!("### Time to the first plan\n");
    println!(
        "Milliseconds of search, median of {runs} runs on one thread; \"all\": the first plan with \
         every task.\n"
    );
    println!("| instance | vehicles | insertion first | insertion all | auto first | auto all |");
    println!("|---|---|---|---|---|---|");
    let mut worst = [Duration::ZERO; 2];
    for instance in instances {
        for vehicles in [VEHICLES_GIVEN, instance.vehicles] {
            let problem = instance.problem(vehicles);
            let mut cells = Vec::new();
            for (i, strategy) in [Strategy::Insertion, Strategy::Auto]
                .into_iter()
                .enumerate()
            {
                let times = (0..runs).map(|_| {
                    let limits = Limits::until(Instant::now() + FIRST_PATIENCE);
                    let seen = search(&problem, strategy, limits, true);
                    (seen.first, seen.first_complete)
                });
                let (first, all) = times.unzip::<_, _, Vec<_>, Vec<_>>();
                if let Some(first) = median(&first) {
                    worst[i] = worst[i].max(first);
                }
                cells.extend([median(&first), median(&all)]);
            }
            let cells = cells.iter().map(|cell| cell.map_or("none".into(), ms));
            let cells: Vec<_> = cells.collect();
            println!("| {} | {vehicles} | {} |", instance.name, cells.join(" | "));
        }
    }
    let [insertion, auto] = worst.map(ms);
    println!("\nSlowest median to a first plan: insertion {insertion} ms, auto {auto} ms.\n");
}

/// The median, where most runs had a result.
fn median(times: &[Option<Duration>]) -> Option<Duration> {
    let found: Vec<_> = times.iter().flatten().copied().collect();
    (found.len() * 2 > times.len()).then(|| Sample::new(found).percentile(0.5))
}

/// Bar: better than the thesis on both, distance and share of tasks.
fn tree_search(instances: &[Instance]) {
    let seconds = setting("STRATAGEM_SECONDS", 60.0_f64);
    let total = setting("STRATAGEM_TOTAL_SECONDS", seconds * instances.len() as f64);
    let each = Duration::from_secs_f64(total / instances.len().max(1) as f64);
    let threads = setting("STRATAGEM_THREADS", 2_usize);
    let name = setting("STRATAGEM_STRATEGY", String::from("mcts"));
    let strategy = Strategy::parse(&name).expect("STRATAGEM_STRATEGY is a strategy");
    println!("### Tree search alone\n");
    println!(
        "Strategy `{name}`, {:.1} s on {threads} threads each, as many vehicles as the best known \
         plan; the thesis: one hour on 8 threads (Table 4.1).\n",
        each.as_secs_f64()
    );
    println!(
        "| instance | vehicles | distance | best known | ratio | tasks | iterations | thesis ratio \
         | thesis tasks |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut results = Vec::new();
    for instance in instances {
        let problem = instance.problem(instance.vehicles);
        let limits = Limits::until(Instant::now() + each).with_threads(threads);
        let seen = search(&problem, strategy, limits, false);
        let result = Outcome::new(instance, &problem, &seen);
        let (thesis_ratio, thesis_tasks) = thesis::cells(&instance.name);
        println!(
            "| {} | {} | {:.1} | {:.1} | {} | {:.0}% | {} | {thesis_ratio} | {thesis_tasks} |",
            instance.name,
            instance.vehicles,
            result.distance,
            instance.best_known,
            result
                .ratio
                .map_or("-".into(), |ratio| format!("{ratio:.3}")),
            result.tasks * 100.0,
            seen.iterations,
        );
        results.push(result);
    }
    summary(&results);
}

struct Outcome {
    class: String,
    distance: f64,
    /// Share of tasks done.
    tasks: f64,
    /// Distance to the best known one; only of plans with every task.
    ratio: Option<f64>,
}

impl Outcome {
    fn new(instance: &Instance, problem: &Problem, seen: &Seen) -> Self {
        let cost = seen
            .best
            .as_ref()
            .map_or(Cost::default(), |(_, cost)| *cost);
        let done = seen.best.as_ref().map_or(0, |(plan, _)| {
            plan.routes.iter().map(|route| route.stops.len()).sum()
        });
        let distance = cost.0[1] as f64 / 1e6;
        let complete = done == problem.tasks().len();
        Self {
            class: instance
                .name
                .trim_end_matches(|c: char| c.is_ascii_digit())
                .to_owned()
                + &instance.name[instance.name.len() - 3..][..1],
            distance,
            tasks: done as f64 / problem.tasks().len() as f64,
            ratio: complete.then(|| distance / instance.best_known),
        }
    }
}

fn summary(results: &[Outcome]) {
    println!(
        "\n| class | instances | mean ratio of complete plans | mean share of tasks | complete plans \
         | thesis |"
    );
    println!("|---|---|---|---|---|---|");
    let mut classes: Vec<_> = results.iter().map(|r| r.class.as_str()).collect();
    classes.sort_unstable();
    classes.dedup();
    for class in classes.into_iter().chain(["all"]) {
        let of_class: Vec<_> = results
            .iter()
            .filter(|r| class == "all" || r.class == class)
            .collect();
        let mean = |values: Vec<f64>| {
            let count = values.len();
            (count > 0).then(|| values.iter().sum::<f64>() / count as f64)
        };
        let ratios: Vec<_> = of_class.iter().filter_map(|r| r.ratio).collect();
        let complete = ratios.len();
        let ratio = mean(ratios).map_or("-".into(), |ratio| format!("{ratio:.3}"));
        let tasks = mean(of_class.iter().map(|r| r.tasks).collect()).unwrap_or(0.0);
        println!(
            "| {class} | {count} | {ratio} | {:.1}% | {complete} of {count} | {} |",
            tasks * 100.0,
            thesis::summary(class),
            count = of_class.len(),
        );
    }
}
