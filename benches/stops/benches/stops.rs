//! How soon searches stop: `cargo bench -p stratagem-stops` prints tables.
//! `STRATAGEM_PARTS=narrative,story` names the families whose names begin like that,
//! `STRATAGEM_COUNT` the number of problems of each, `STRATAGEM_SEED` the first seed,
//! `STRATAGEM_MILLISECONDS` the processor time of each search.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use stops::{Draw, Family, Report, Wish, families, run};

/// Problems of each family.
const COUNT: u64 = 300;
/// Processor time of one search, in milliseconds.
const SEARCH: u64 = 150;
/// Random moments at which each search is asked to stop, besides that before its longest gap.
const MOMENTS: usize = 3;
/// Gaps above this are measured twice: other work on the machine stretches some.
const LONG: u64 = 500_000;
/// The longest wait for one search.
const PATIENCE: Duration = Duration::from_secs(60);

fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn number(name: &str, default: u64) -> u64 {
    setting(name).map_or(default, |text| text.parse().expect("a number"))
}

fn main() {
    // `cargo test` runs benches, too: they have nothing to test.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let parts = setting("STRATAGEM_PARTS").unwrap_or_default();
    let wanted = |family: &Family| {
        let mut parts = parts.split(',');
        parts.any(|part| family.name.starts_with(part))
    };
    println!(
        "\nMilliseconds of processor time between two looks, and from a request to stop to the end\n"
    );
    println!(
        "| search | problems | gap p50 | gap p99 | gap worst | stop p99 | stop worst | seed |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut notes = Vec::new();
    for family in families().iter().filter(|family| wanted(family)) {
        notes.extend(row(family));
    }
    for note in notes {
        println!("{note}");
    }
    // Searches that were given up still run.
    std::process::exit(0);
}

/// Measures a family; returns where its longest gaps are.
fn row(family: &Family) -> Vec<String> {
    let (first, count) = (
        number("STRATAGEM_SEED", 0),
        number("STRATAGEM_COUNT", COUNT),
    );
    let (mut gaps, mut stops, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    let mut places: BTreeMap<String, (u64, u64, usize)> = BTreeMap::new();
    for seed in first..first + count {
        let Some(search) = (family.make)(seed) else {
            continue;
        };
        let search = Arc::new(Mutex::new(search));
        let Some(report) = measured(&search) else {
            lost.push(seed);
            continue;
        };
        gaps.push((report.gap, seed));
        for (stop, asked) in asked_to_stop(&search, &report, seed) {
            stops.push((stop, seed));
            let long = stop > LONG && !asked.is_empty();
            let place = places.entry(asked.join("\n      to ")).or_default();
            if long && stop > place.0 {
                (place.0, place.1) = (stop, seed);
            }
            place.2 += usize::from(long);
        }
    }
    gaps.sort_unstable();
    stops.sort_unstable();
    let at = |list: &[(u64, u64)], percent: usize| {
        let index = (list.len() * percent / 100).min(list.len().saturating_sub(1));
        list.get(index).map_or(0.0, |(time, _)| *time as f64 / 1e6)
    };
    println!(
        "| {} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {} |",
        family.name,
        gaps.len(),
        at(&gaps, 50),
        at(&gaps, 99),
        at(&gaps, 100),
        at(&stops, 99),
        at(&stops, 100),
        stops.last().or(gaps.last()).map_or(0, |(_, seed)| *seed),
    );
    if !lost.is_empty() {
        println!(
            "LOST: {} {lost:?} still ran after {PATIENCE:?}, or panicked",
            family.name
        );
    }
    let mut places: Vec<_> = places.into_iter().filter(|place| place.1.2 > 0).collect();
    places.sort_by_key(|(_, (stop, ..))| std::cmp::Reverse(*stop));
    let notes = places.into_iter().take(12);
    let notes = notes.map(|(place, (stop, seed, times))| {
        let (name, stop) = (family.name, stop as f64 / 1e6);
        format!("{name}: {stop:.2} ms, {times} times, seed {seed}\n    from {place}")
    });
    notes.collect()
}

/// The gaps of a search that runs for a while.
fn measured(search: &Arc<Mutex<stops::Search>>) -> Option<Report> {
    let wish = Wish::until(1_000_000 * number("STRATAGEM_MILLISECONDS", SEARCH));
    let first = run(search, wish, PATIENCE)?;
    if first.gap < LONG {
        return Some(first);
    }
    let again = run(search, wish, PATIENCE)?;
    Some(if again.gap < first.gap { again } else { first })
}

/// Times that a search takes to stop, and where it was.
fn asked_to_stop(
    search: &Arc<Mutex<stops::Search>>,
    report: &Report,
    seed: u64,
) -> Vec<(u64, Vec<String>)> {
    let mut draw = Draw::new(seed);
    let last = usize::try_from(report.looks.saturating_sub(1)).unwrap_or(usize::MAX);
    let mut moments: Vec<u64> = (0..MOMENTS).map(|_| draw.pick(0, last) as u64).collect();
    let longest = report.gap_at.saturating_sub(1);
    moments.push(longest);
    let stopped = |stop_at: u64| {
        let places = report.gap > LONG && stop_at == longest;
        let wish = Wish {
            stop_at,
            processor_max: u64::MAX,
            places,
        };
        let Some(mut stopped) = run(search, wish, PATIENCE) else {
            // Given up: worse than anything measured.
            return Some((u64::MAX >> 8, Vec::new()));
        };
        if places && report.gap_at == 0 {
            // As if it had been asked before it began.
            stopped.places.truncate(1);
            stopped.places.insert(0, "the start".to_owned());
            return Some((stopped.total, stopped.places));
        }
        stopped.stop.map(|stop| (stop, stopped.places))
    };
    moments.into_iter().filter_map(stopped).collect()
}
