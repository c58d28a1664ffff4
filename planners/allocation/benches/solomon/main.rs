//! Quality over time on Solomon's problems of 100 tasks, and on larger generated ones.
//!
//! `STRATAGEM_SOLOMON=FOLDER cargo bench -p stratagem-allocation --bench solomon`, where FOLDER
//! holds the instances (`C101.txt`, ...) and `best_known.csv` with the columns `instance`,
//! `vehicles_exact` and `distance_1dec_truncated`. Distances are truncated to one decimal, as in
//! the exact literature. Limits are processor time, so that other work on the machine does not
//! count: with a limit of 1 s, two threads together get 2 s. More settings:
//!
//! * `STRATAGEM_INSTANCES`: beginnings of names, as in `C1,R101`. Default: all.
//! * `STRATAGEM_SECONDS`: limits. Default: `1,10`.
//! * `STRATAGEM_THREADS`: numbers of threads. Default: `2,1`.
//! * `STRATAGEM_SEEDS`: seeds from 1 to this. Default: 3.
//! * `STRATAGEM_PARTS`: `solomon`, `bounds`, `first`, `large`, `scale`, `started`, `varied`.
//!   Default: all. `bounds` needs the feature `milp`; its limit is by the clock: the last of the
//!   limits. `started` plans again what is left of a plan that is being executed. `varied` prints
//!   costs of problems with all kinds of rules, to compare two versions.
//! * `STRATAGEM_LONG`: seconds of the long run of `large` and of `started`, and for each 1,000
//!   tasks of `scale`. Default: 60.
//! * `STRATAGEM_SIZES`: numbers of tasks of `scale`. Default: `1000,2000,5000,10000`.

mod bounds;
mod instances;
mod started;

use allocation::generate::{Shape, generate, spec};
use allocation::{Allocation, Cost, Params, Plan, Problem};
use anytime::{CancelToken, Control, Limits, Planner as _};
use instances::{Instance, load};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn main() {
    let all = "solomon,bounds,first,large,scale,started,varied";
    let parts = setting("STRATAGEM_PARTS", all);
    if parts.contains("solomon") {
        solomon();
    }
    if parts.contains("bounds") {
        bounds::bounds(&wanted());
    }
    if parts.contains("first") {
        first_plans();
    }
    if parts.contains("large") {
        large();
    }
    if parts.contains("scale") {
        scale();
    }
    if parts.contains("started") {
        started::table(&wanted());
    }
    if parts.contains("varied") {
        varied();
    }
}

#[expect(clippy::disallowed_methods, reason = "a bench is set from outside")]
fn setting(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

fn numbers<T: std::str::FromStr>(name: &str, default: &str) -> Vec<T> {
    let text = setting(name, default);
    text.split(',').filter_map(|n| n.parse().ok()).collect()
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn now() -> Instant {
    Instant::now()
}

/// Seconds of the long runs.
fn long() -> f64 {
    let long = numbers("STRATAGEM_LONG", "60");
    long.first().copied().unwrap_or(60.0)
}

/// Seconds that this process was on a processor, in steps of 10 ms.
fn processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name, which may hold blanks: state is field 3, the times are 14 and 15.
    let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
}

/// Seconds of processor time, or by the clock where that is not known.
fn used(start: Instant) -> f64 {
    processor().unwrap_or_else(|| now().duration_since(start).as_secs_f64())
}

/// Result of a search.
struct Seen {
    best: Option<Cost>,
    plan: Option<Plan>,
    first_complete: Option<Duration>,
    /// Costs of complete plans, and the processor time until then in seconds.
    curve: Vec<(f64, i64)>,
    iterations: u64,
    found_by: String,
}

struct Listener {
    begin: Instant,
    /// Processor time at the begin, in seconds.
    used: f64,
    seen: Seen,
}

impl anytime::Sink<Plan, Cost> for Listener {
    fn offer(&mut self, offer: anytime::Offer<'_, Plan, Cost>) {
        if offer.cost.0[0] == 0 {
            let time = now().duration_since(self.begin);
            self.seen.first_complete.get_or_insert(time);
            let used = used(self.begin) - self.used;
            self.seen.curve.push((used, offer.cost.0[1]));
        }
        self.seen.best = Some(offer.cost);
        self.seen.found_by = offer.found_by.to_owned();
        self.seen.plan = Some(offer.plan.clone());
    }
}

/// Searches until `threads` threads have used `seconds` each, taken together.
fn search(problem: &Problem, seconds: f64, threads: usize, seed: u64) -> Seen {
    let cancel = CancelToken::new();
    let limits = Limits::iterations(u64::MAX)
        .with_threads(threads)
        .with_cancel(cancel.clone());
    let mut listener = Listener {
        begin: now(),
        used: used(now()),
        seen: Seen {
            best: None,
            plan: None,
            first_complete: None,
            curve: Vec::new(),
            iterations: 0,
            found_by: String::new(),
        },
    };
    let over = AtomicBool::new(false);
    let start = now();
    let end = used(start) + seconds * threads as f64;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) && used(start) < end {
                std::thread::park_timeout(Duration::from_millis(2));
            }
            cancel.cancel();
        });
        let mut control = Control::new(limits, seed, &mut listener);
        Allocation::solve(problem, &Params::default(), &mut control).expect("supported");
        listener.seen.iterations = control.iterations();
        over.store(true, Ordering::Relaxed);
    });
    if let Some(plan) = &listener.seen.plan {
        let cost = Allocation::verify(problem, plan);
        assert_eq!(
            cost.ok(),
            listener.seen.best,
            "plans are what they claim to be"
        );
    }
    listener.seen
}

fn ms(time: Option<Duration>) -> String {
    time.map_or("none".into(), |t| format!("{:.2}", t.as_secs_f64() * 1e3))
}

/// The instances that are there and wanted.
fn wanted() -> Vec<Instance> {
    let folder = PathBuf::from(setting("STRATAGEM_SOLOMON", ""));
    if folder.as_os_str().is_empty() {
        println!("skipped: STRATAGEM_SOLOMON does not name a folder with Solomon's instances");
        return Vec::new();
    }
    let wanted = setting("STRATAGEM_INSTANCES", "");
    let wanted: Vec<_> = wanted.split(',').collect();
    let mut instances = load(&folder);
    instances.retain(|instance| wanted.iter().any(|name| instance.name.starts_with(name)));
    instances
}

fn solomon() {
    let instances = wanted();
    let seeds: u64 = numbers("STRATAGEM_SEEDS", "3")
        .first()
        .copied()
        .unwrap_or(3);
    for seconds in numbers::<f64>("STRATAGEM_SECONDS", "1,10") {
        for threads in numbers::<usize>("STRATAGEM_THREADS", "2,1") {
            table(&instances, seconds, threads, seeds);
        }
    }
}

fn table(instances: &[Instance], seconds: f64, threads: usize, seeds: u64) {
    println!("\n### {seconds} s, {threads} threads, gap in %, seeds 1 to {seeds}\n");
    println!("| instance | K | gaps | complete | first complete ms | iterations |");
    println!("|---|---|---|---|---|---|");
    let (mut all, mut partial) = (Vec::new(), 0);
    for instance in instances {
        let problem = instance.problem(instance.vehicles);
        let mut gaps = Vec::new();
        let (mut complete, mut first, mut iterations) = (0, Vec::new(), 0);
        for seed in 1..=seeds {
            let seen = search(&problem, seconds, threads, seed);
            iterations += seen.iterations / seeds;
            first.push(ms(seen.first_complete));
            match seen.best {
                Some(cost) if cost.0[0] == 0 => {
                    let distance = cost.0[1] as f64 / 1e6;
                    let gap = 100.0 * (distance / instance.distance - 1.0);
                    all.push(gap);
                    gaps.push(format!("{gap:.2} ({})", seen.found_by));
                    complete += 1;
                }
                Some(cost) => gaps.push(format!("{} left out", cost.0[0] / 1_000_000)),
                None => gaps.push("nothing".into()),
            }
        }
        partial += seeds - complete;
        let (gaps, first) = (gaps.join(", "), first.join(", "));
        let Instance { name, vehicles, .. } = instance;
        println!("| {name} | {vehicles} | {gaps} | {complete}/{seeds} | {first} | {iterations} |");
    }
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    let worst = all.iter().copied().fold(0.0, f64::max);
    println!("\nMean {mean:.3} %, worst {worst:.2} %, partial plans {partial}.");
}

/// Bars: the first feasible plan of 100 tasks within 5 ms, of 1,000 tasks and 100 agents within 100
/// ms; an answer within 20 ms of the deadline.
fn first_plans() {
    println!("\n### First complete plan, and how late the answer is, ms by the clock\n");
    for (tasks, agents) in [(100, 25), (1_000, 100)] {
        let (mut first, mut late) = (Vec::new(), Vec::new());
        for seed in 1..=5 {
            let mut spec = spec(seed, &Shape::depot(tasks, agents));
            // Half as much again as in Solomon's class R1: 100 agents can do 1,000 tasks.
            spec.agents.iter_mut().for_each(|a| a.capacities[0] = 300);
            let problem = Problem::new(spec).expect("valid");
            first.push(ms(search(&problem, 0.4, 2, seed).first_complete));
            let deadline = now() + Duration::from_millis(300);
            let limits = Limits::until(deadline).with_threads(2);
            let mut ignore = |_: &Plan, _: Cost| {};
            let mut control = Control::new(limits, seed, &mut ignore);
            Allocation::solve(&problem, &Params::default(), &mut control).expect("supported");
            late.push(ms(Some(now().saturating_duration_since(deadline))));
        }
        let (first, late) = (first.join(", "), late.join(", "));
        println!("{tasks} tasks, {agents} agents: first {first}; late {late}");
    }
}

/// Bar: 200 tasks in 10 s within 1.5 % of the best found in a long run.
fn large() {
    let long = long();
    println!("\n### 200 tasks, 2 threads, gap in % to the best of {long} s\n");
    let mut all = Vec::new();
    for seed in 1..=4 {
        let problem = generate(seed, &Shape::depot(200, 30 + 10 * (seed as usize % 2)));
        let short = search(&problem, 10.0, 2, 1).best;
        let best = search(&problem, long, 2, 2).best.min(short);
        let (short, best) = short.zip(best).expect("plans were offered");
        let gap = 100.0 * (short.0[1] as f64 / best.0[1] as f64 - 1.0);
        println!("generated {seed}: {gap:.2}, unserved {}", short.0[0]);
        all.push(gap);
    }
    println!(
        "\nMean {:.3} %.",
        all.iter().sum::<f64>() / all.len() as f64
    );
}

/// Bars: of 10,000 tasks the first complete plan within 2 s, and a time to 5 % above the last cost
/// that grows about as n log n. Times are processor time.
fn scale() {
    let long = long();
    println!("\n### 1,000 to 10,000 tasks, 1 thread, {long} s for each 1,000 tasks\n");
    println!("| tasks | agents | seed | first s | left out | +20 % s | +10 % s | +5 % s | cost |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for tasks in numbers::<usize>("STRATAGEM_SIZES", "1000,2000,5000,10000") {
        for seed in 1..=2 {
            let mut spec = spec(seed, &Shape::depot(tasks, tasks / 10));
            spec.agents.iter_mut().for_each(|a| a.capacities[0] = 300);
            let problem = Problem::new(spec).expect("valid");
            let seen = search(&problem, long * tasks as f64 / 1_000.0, 1, seed);
            let best = seen.best.expect("plans were offered").0;
            let within = |share: f64| {
                let limit = best[1] as f64 * share;
                let first = seen.curve.iter().find(|(_, cost)| *cost as f64 <= limit);
                first.map_or("none".into(), |(at, _)| format!("{at:.2}"))
            };
            let [far, near, nearest] = [1.2, 1.1, 1.05].map(within);
            let first = within(f64::INFINITY);
            let left = best[0] / 1_000_000;
            let cost = best[1] as f64 / 1e6;
            let agents = tasks / 10;
            let times = format!("{first} | {left} | {far} | {near} | {nearest}");
            println!("| {tasks} | {agents} | {seed} | {times} | {cost:.0} |");
        }
    }
}

fn varied() {
    println!("\n### Problems of all kinds, 1 thread, levels of the best plan\n");
    println!("| seed | tasks | 0.2 s | 1 s |\n|---|---|---|---|");
    for seed in 1..=10 {
        for (tasks, agents) in [(40, 6), (100, 12), (200, 25)] {
            let problem = generate(seed, &Shape::varied(tasks, agents));
            let best = [0.2, 1.0].map(|seconds| search(&problem, seconds, 1, 1).best);
            let [short, long] = best.map(|cost| cost.map(|cost| cost.0));
            println!("| {seed} | {tasks} | {short:?} | {long:?} |");
        }
    }
}
