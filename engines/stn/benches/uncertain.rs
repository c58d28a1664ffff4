//! Time to decide how far a network with uncertain durations can be controlled, at two sizes, on
//! one thread. The bars: dynamic controllability of 100 events in 2 ms, of 500 in 150 ms. Criterion
//! has means of many calls on one network; the table before has single calls on all of them.
//!
//! `STRATAGEM_STNU` may name a directory of networks in JSON (`vertices`, `links` of kind `ctg` and
//! `req`) with a `labels.json` (network name: dynamically controllable or not); then our verdicts
//! are compared with the labels first.

#[path = "../tests/suite/uncertain/networks.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod networks;
#[path = "../../../benches/kit/processor.rs"]
mod processor;
#[path = "../tests/suite/uncertain/rul.rs"]
mod rul;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use networks::large;
use processor::processor;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use stn::Edge;
use stn::dispatch::{Dispatcher, Observation};
use stn::uncertain::{Contingent, Stnu, StnuError, Verdict, dynamic, strategy, strong, weak};

const PARTS_MAX: u64 = 10_000;
/// The first seed of each verdict is measured.
const SEEDS: u64 = 20;

fn yes() -> impl FnMut() -> bool {
    || true
}

fn verdicts(c: &mut Criterion) {
    let mut group = c.benchmark_group("stn/uncertain");
    group.sample_size(10);
    group.warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_secs(1));
    for (events, contingents) in [(100, 50), (500, 250)] {
        let made: Vec<Stnu> = (0..SEEDS)
            .map(|seed| large(seed, events, contingents))
            .collect();
        let holding = |network: &&Stnu| dynamic(network, &mut yes()).holds();
        println!(
            "{events} events, {contingents} contingent: {} of {SEEDS} dynamically controllable",
            made.iter().filter(holding).count()
        );
        let yes_no = [
            ("holds", made.iter().find(holding)),
            ("fails", made.iter().find(|network| !holding(network))),
        ];
        for (verdict, network) in yes_no {
            let Some(network) = network else { continue };
            let case = format!("{events}/{contingents}/{verdict}");
            let name = |what| BenchmarkId::new(what, &case);
            group.bench_function(name("dynamic"), |b| {
                b.iter(|| black_box(dynamic(network, &mut yes())));
            });
            group.bench_function(name("rul"), |b| {
                b.iter(|| black_box(rul::is_controllable(network)));
            });
            group.bench_function(name("strategy"), |b| {
                b.iter(|| black_box(strategy(network, &mut yes())));
            });
            group.bench_function(name("strong"), |b| b.iter(|| black_box(strong(network))));
        }
    }
    group.finish();
}

/// Single calls, each network in turn: what one caller may meet.
fn spread(_: &mut Criterion) {
    println!(
        "\nMilliseconds by the clock, with the slowest network's median, and on a processor:\n\n\
         | events | algorithm | calls | median | p99 | max | slowest | median | p99 | max |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (events, contingents, rounds) in [(100, 50, 100), (500, 250, 10), (1_000, 500, 2)] {
        let made: Vec<Stnu> = (0..SEEDS)
            .map(|seed| large(seed, events, contingents))
            .collect();
        let title = |algorithm| format!("| {events} | {algorithm}");
        row(&title("dynamic"), &made, rounds, |network| {
            black_box(dynamic(network, &mut yes()));
        });
        row(&title("rul"), &made, rounds, |network| {
            black_box(rul::is_controllable(network));
        });
        row(&title("strategy"), &made, rounds, |network| {
            black_box(strategy(network, &mut yes()));
        });
    }
    println!();
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn row(title: &str, networks: &[Stnu], rounds: usize, call: impl Fn(&Stnu)) {
    let mut each = vec![Vec::new(); networks.len()];
    let mut spent = Vec::new();
    for _ in 0..rounds {
        for (network, times) in networks.iter().zip(&mut each) {
            let before = processor();
            let start = Instant::now();
            call(network);
            let time = start.elapsed();
            let after = processor();
            times.push(millis(time));
            // Either is too long: one by waiting for a processor, the other by reading twice.
            let cpu = before.and_then(|before| after?.checked_sub(before));
            spent.push(millis(cpu.map_or(time, |cpu| cpu.min(time))));
        }
    }
    let at = |times: &[f64], share: usize| {
        let mut times = times.to_vec();
        times.sort_by(f64::total_cmp);
        times[(times.len() - 1) * share / 100]
    };
    let ends = |times: &[f64]| [50, 99, 100].map(|share| format!("{:.2}", at(times, share)));
    let slowest = each.iter().map(|times| at(times, 50)).fold(0.0, f64::max);
    let (clock, spent) = (ends(&each.concat()), ends(&spent));
    println!(
        "{title} | {} | {} | {slowest:.2} | {} |",
        rounds * networks.len(),
        clock.join(" | "),
        spent.join(" | "),
    );
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Bounds before and after reduction, and single decisions of runs of both networks, with durations
/// in the middle of their ranges. The bar: p99 of 2 ms at 500 events.
#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn decisions(_: &mut Criterion) {
    println!("\n| events | network | bounds | waits | decisions | median us | p99 us | max us |");
    println!("|---|---|---|---|---|---|---|---|");
    for events in [100, 500] {
        let made = (0..SEEDS).map(|seed| large(seed, events, events / 2));
        let network = made.into_iter().find_map(|network| {
            let whole = strategy(&network, &mut yes()).witness()?;
            Some((network, whole))
        });
        let (network, whole) = network.expect("one of them is controllable");
        let reduced = whole.reduced(&mut yes()).expect("it is not stopped");
        for (name, one) in [("whole", &whole), ("reduced", &reduced)] {
            let mut times = Vec::new();
            for _ in 0..20 {
                let mut run = Dispatcher::new(&one.into()).expect("a strategy is valid");
                let (mut now, mut seen) = (0, Vec::new());
                while !run.is_over() {
                    let start = Instant::now();
                    let decision = run.step(now, &seen).expect("it is dispatchable");
                    times.push(millis(start.elapsed()) * 1e3);
                    let ends = network.contingents().iter().filter_map(|link| {
                        let open = run.times()[link.to as usize].is_none();
                        let begun = run.times()[link.from as usize].filter(|_| open)?;
                        let at = begun + i64::midpoint(link.lower, link.upper);
                        Some(Observation { event: link.to, at })
                    });
                    let ends: Vec<Observation> = ends.collect();
                    let first = ends.iter().map(|end| end.at).chain(decision.wake).min();
                    now = first.unwrap_or(now);
                    seen = ends.into_iter().filter(|end| end.at == now).collect();
                }
            }
            times.sort_by(f64::total_cmp);
            let at = |share: usize| times[(times.len() - 1) * share / 100];
            let (bounds, waits, count) = (one.bounds().len(), one.waits().len(), times.len());
            let ends = [at(50), at(99), at(100)].map(|time| format!("{time:.1}"));
            let ends = ends.join(" | ");
            println!("| {events} | {name} | {bounds} | {waits} | {count} | {ends} |");
        }
    }
    println!();
}

/// Compares both algorithms on 2,000 networks.
fn agreement(_: &mut Criterion) {
    let mut holding = 0;
    for seed in 0..2_000 {
        let events = 20 + (seed % 61) as u32;
        let network = large(seed, events, events / 2);
        let verdict = dynamic(&network, &mut yes());
        assert_eq!(verdict.holds(), rul::is_controllable(&network), "{seed}");
        if let Verdict::Fails(conflict) = &verdict {
            assert_eq!(conflict.sum(&network), i128::from(conflict.value), "{seed}");
        }
        holding += usize::from(verdict.holds());
    }
    println!("2,000 networks of 20 to 80 events: no disagreement, {holding} controllable");
}

/// Compares with the labels of `STRATAGEM_STNU`, if it is set.
fn labels(_: &mut Criterion) {
    #[expect(
        clippy::disallowed_methods,
        reason = "the caller says where the networks are"
    )]
    let Ok(folder) = std::env::var("STRATAGEM_STNU") else {
        return;
    };
    let folder = Path::new(&folder);
    let labels = fs::read_to_string(folder.join("labels.json")).expect("labels.json");
    let (mut same, mut other) = (0, 0);
    for line in labels.split(['{', '}', ',']) {
        let Some((name, label)) = line.split_once(':') else {
            continue;
        };
        let (name, label) = (name.trim().trim_matches('"'), label.trim() == "true");
        let text = fs::read_to_string(folder.join(format!("{name}.json"))).expect("a network");
        let network = match read(&text) {
            Ok(network) => network,
            Err(errors) => {
                println!("{name}: invalid: {errors:?}");
                continue;
            }
        };
        let verdict = dynamic(&network, &mut yes());
        assert_eq!(verdict.holds(), rul::is_controllable(&network), "{name}");
        if verdict.holds() == label {
            same += 1;
        } else {
            other += 1;
            let weak = weak(&network, PARTS_MAX, &mut yes());
            println!(
                "{name}: label {label}, morris and rul {}, strong {}, weak {weak:?}",
                verdict.holds(),
                strong(&network).holds()
            );
        }
    }
    println!("{same} labels confirmed, {other} contradicted by both algorithms");
}

/// A network in JSON, times in units with up to six decimals.
fn read(text: &str) -> Result<Stnu, Vec<StnuError>> {
    let (head, links) = text.split_once("\"links\"").expect("links");
    let (_, vertices) = head.split_once("\"vertices\"").expect("vertices");
    let vertices: Vec<&str> = vertices.split('"').skip(1).step_by(2).collect();
    let event = |name: &str| vertices.iter().position(|v| *v == name).expect("a vertex") as u32;
    let micros = |number: &str| {
        let number: Option<f64> = number.parse().ok();
        number.map(|units| (units * 1e6).round() as i64)
    };
    let (mut requirements, mut contingents) = (Vec::new(), Vec::new());
    for (id, link) in (0..).zip(links.split('{').skip(1)) {
        let (from, to) = (event(field(link, "from")), event(field(link, "to")));
        let (lower, upper) = (micros(field(link, "lb")), micros(field(link, "ub")));
        if field(link, "kind") == "ctg" {
            let (lower, upper) = (lower.expect("a bound"), upper.expect("a bound"));
            contingents.push(Contingent::new(from, to, lower, upper, id));
            continue;
        }
        requirements.extend(upper.map(|weight| Edge::new(from, to, weight, id)));
        requirements.extend(lower.map(|lower| Edge::new(to, from, -lower, id)));
    }
    Stnu::new(vertices.len(), requirements, contingents)
}

fn field<'a>(link: &'a str, name: &str) -> &'a str {
    let (_, rest) = link.split_once(&format!("\"{name}\":")).expect("a field");
    let end = rest.find([',', '}']).unwrap_or(rest.len());
    rest[..end].trim().trim_matches('"')
}

criterion_group!(benches, decisions, spread, agreement, labels, verdicts);
criterion_main!(benches);
