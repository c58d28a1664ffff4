//! PSPLIB's single-mode projects (`.sm`), one thread. `STRATAGEM_PSPLIB` names the folder; without
//! it nothing is measured. `optima.json` or `bounds.json` in it has what is published.
//! `STRATAGEM_PSPLIB_SECONDS` is the limit for each file, 10 by default. An argument selects files:
//! part of a name, or `=` and a whole name. Prints a table in Markdown. The same files with another
//! solver: `psplib_cpsat.py`.

#![expect(clippy::unwrap_used, reason = "a bench: what is missing ends it")]
#![expect(
    clippy::disallowed_methods,
    reason = "a bench gets the place of its files, and measures time"
)]

#[path = "../../../benches/kit/processor.rs"]
mod processor;

use anytime::{Conclusion, Control, Limits, Offer, Sink};
use processor::processor;
use schedule::problem::{Activity, Demand, Mode, Precedence, Resource};
use schedule::{Cost, Params, Plan, Problem, Spec, solve, verify};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// One unit of time of a file, in microseconds.
const UNIT_US: i64 = 1_000_000;

/// Plans of one search: the last one, the bound, and when the first one came.
struct Progress {
    begin: Instant,
    first: Option<Duration>,
    best: Option<(Plan, Cost)>,
    bound: Option<Cost>,
}

impl Sink<Plan, Cost> for Progress {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        self.first = self.first.or(Some(self.begin.elapsed()));
        self.best = Some((offer.plan.clone(), offer.cost));
    }

    fn bound(&mut self, bound: Cost, _: &'static str) {
        self.bound = Some(bound);
    }
}

struct Row {
    name: String,
    makespan: Option<i64>,
    bound: i64,
    published: Option<Published>,
    is_proved: bool,
    wall_ms: f64,
    processor_ms: f64,
    first_ms: f64,
    iterations: u64,
}

/// What is known of a file: some schedule, and a bound.
#[derive(Clone, Copy)]
struct Published {
    makespan: i64,
    bound: i64,
}

fn main() {
    let Some(folder) = std::env::var_os("STRATAGEM_PSPLIB").map(PathBuf::from) else {
        println!("STRATAGEM_PSPLIB names no folder: nothing is measured");
        return;
    };
    let seconds = std::env::var("STRATAGEM_PSPLIB_SECONDS").ok();
    let seconds: f64 = seconds.map_or(10.0, |seconds| seconds.parse().unwrap());
    println!("| file | makespan | bound | published | wall ms | CPU ms | first ms | iterations |");
    println!("|---|---|---|---|---|---|---|---|");
    let rows: Vec<Row> = names(&folder)
        .into_iter()
        .map(|name| {
            let text = std::fs::read_to_string(folder.join(format!("{name}.sm"))).unwrap();
            let published = published(&folder, &name);
            let row = measure(name, &text, published, Duration::from_secs_f64(seconds));
            print_row(&row);
            row
        })
        .collect();
    print_totals(&rows);
}

/// Names of the selected files.
fn names(folder: &Path) -> Vec<String> {
    let mut arguments = std::env::args().skip(1);
    let only = arguments.find(|argument| !argument.starts_with("--"));
    let is_selected = |name: &String| {
        let only = only.as_ref();
        only.is_none_or(|only| *only == format!("={name}") || name.contains(only.as_str()))
    };
    let files = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = files
        .filter_map(|file| file.unwrap().file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".sm").map(str::to_string))
        .filter(is_selected)
        .collect();
    names.sort_by_key(|name| (name.len(), name.clone()));
    names
}

fn published(folder: &Path, name: &str) -> Option<Published> {
    let read = |file: &str| -> Option<serde_json::Value> {
        let text = std::fs::read_to_string(folder.join(file)).ok()?;
        let values: serde_json::Value = serde_json::from_str(&text).unwrap();
        values.get(name).cloned()
    };
    if let Some(optimum) = read("optima.json").and_then(|value| value.as_i64()) {
        let (makespan, bound) = (optimum, optimum);
        return Some(Published { makespan, bound });
    }
    let bounds = read("bounds.json")?;
    Some(Published {
        makespan: bounds["best_known"].as_i64()?,
        bound: bounds["lower_bound"].as_i64()?,
    })
}

fn measure(name: String, text: &str, published: Option<Published>, limit: Duration) -> Row {
    let problem = Problem::new(read(text)).unwrap();
    let (begin, used) = (Instant::now(), processor_ms());
    let mut progress = Progress {
        begin,
        first: None,
        best: None,
        bound: None,
    };
    let mut control = Control::new(Limits::until(begin + limit), 1, &mut progress);
    let conclusion = solve(&problem, &Params::default(), &mut control).unwrap();
    let iterations = control.iterations();
    let wall = begin.elapsed();
    let processor_ms = processor_ms() - used;
    if let Some((plan, cost)) = &progress.best {
        assert_eq!(verify(&problem, plan), Ok(*cost), "{name}");
    }
    let units = |cost: Cost| (cost.makespan_us + UNIT_US - 1) / UNIT_US;
    Row {
        makespan: progress.best.map(|(_, cost)| units(cost)),
        bound: progress.bound.map_or(0, units),
        is_proved: conclusion == Conclusion::Optimal,
        published,
        wall_ms: wall.as_secs_f64() * 1e3,
        processor_ms,
        first_ms: progress.first.unwrap_or(wall).as_secs_f64() * 1e3,
        iterations,
        name,
    }
}

fn print_row(row: &Row) {
    let Row {
        name,
        bound,
        wall_ms,
        processor_ms,
        first_ms,
        iterations,
        ..
    } = row;
    let makespan = row.makespan.map_or("-".into(), |it| it.to_string());
    let published = row.published.map_or("-".into(), |it| {
        if it.makespan == it.bound {
            it.makespan.to_string()
        } else {
            format!("{} ({})", it.makespan, it.bound)
        }
    });
    let times = format!("{wall_ms:.2} | {processor_ms:.2} | {first_ms:.2}");
    println!("| {name} | {makespan} | {bound} | {published} | {times} | {iterations} |");
}

fn print_totals(rows: &[Row]) {
    let proved = rows.iter().filter(|row| row.is_proved).count();
    let wrong = rows.iter().filter(|row| {
        row.published.is_some_and(|published| {
            let makespan = row.makespan.unwrap_or(i64::MAX);
            row.bound > published.makespan || makespan < published.bound
        })
    });
    let sum: i64 = rows.iter().filter_map(|row| row.makespan).sum();
    let published: i64 = rows
        .iter()
        .filter_map(|row| row.published)
        .map(|it| it.makespan)
        .sum();
    println!();
    println!("{proved} of {} proved, {} wrong", rows.len(), wrong.count());
    println!("sum of makespans: {sum}, of those published {published}");
    for (what, of) in [
        ("wall", (|row| row.wall_ms) as fn(&Row) -> f64),
        ("CPU", |row| row.processor_ms),
        ("first plan", |row| row.first_ms),
    ] {
        let mut all: Vec<f64> = rows.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        let (sum, max) = (all.iter().sum::<f64>(), all.last().copied().unwrap_or(0.0));
        let median = all.get(all.len() / 2).copied().unwrap_or(0.0);
        println!("{what}: median {median:.2} ms, max {max:.2} ms, sum {sum:.1} ms");
    }
    let iterations: u64 = rows.iter().map(|row| row.iterations).sum();
    println!("iterations: {iterations}");
}

/// Milliseconds on a processor so far; 0 where the system does not report it.
fn processor_ms() -> f64 {
    processor().unwrap_or_default().as_secs_f64() * 1e3
}

/// A project in PSPLIB's single-mode format.
fn read(text: &str) -> Spec {
    let numbers = |line: &str| -> Vec<i64> {
        let words: Result<_, _> = line.split_whitespace().map(str::parse).collect();
        words.unwrap_or_default()
    };
    let part = |from: &str| -> Vec<Vec<i64>> {
        let lines = text.lines().skip_while(|line| !line.starts_with(from));
        let lines = lines.skip(1).skip_while(|line| numbers(line).is_empty());
        let lines = lines.map(numbers);
        lines.take_while(|numbers| !numbers.is_empty()).collect()
    };
    let index = |job: i64| usize::try_from(job - 1).unwrap();
    let activity = |line: Vec<i64>| {
        let demands = line[3..].iter().enumerate();
        let demands = demands.filter(|(_, amount)| **amount > 0);
        let demands = demands.map(|(resource, amount)| Demand {
            resource,
            amount: *amount,
        });
        Activity {
            modes: vec![Mode {
                duration_us: line[2] * UNIT_US,
                demands: demands.collect(),
            }],
            ..Activity::default()
        }
    };
    let precedences = part("PRECEDENCE RELATIONS").into_iter().flat_map(|line| {
        let followers = line[3..].to_vec();
        followers
            .into_iter()
            .map(move |next| Precedence::finish_to_start(index(line[0]), index(next)))
    });
    let capacities = part("RESOURCEAVAILABILITIES").remove(0).into_iter();
    Spec {
        activities: part("REQUESTS/DURATIONS")
            .into_iter()
            .map(activity)
            .collect(),
        precedences: precedences.collect(),
        resources: capacities.map(|capacity| Resource { capacity }).collect(),
        deadline_us: None,
    }
}
