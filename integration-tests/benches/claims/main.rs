//! Claims: random problems of all planners for a given time; each plan, bound, optimum, proof of
//! infeasibility and certificate is judged by the independent check, by other searches of the same
//! problem, and by trying everything where that is possible. Searches have tiny limits and are
//! stopped at random moments.
//!
//! `cargo bench -p stratagem-integration-tests --bench claims -- --seconds 3600`; `--planner NAME`
//! and `--seed FIRST` narrow it down. A wrong claim is printed with its seed, and the bench fails.

mod trials;

use std::time::{Duration, Instant};
use trials::{TRIALS, Tally, Trial};

/// Seconds where none are given.
const SECONDS: u64 = 60;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1).cloned()
    };
    let number = |flag: &str| after(flag).map(|text| text.parse().expect("a number"));
    let budget = Duration::from_secs(number("--seconds").unwrap_or(SECONDS));
    let first: u64 = number("--seed").unwrap_or(0);
    let planner = after("--planner");
    let chosen = TRIALS.iter().filter(|trial| match &planner {
        None => true,
        Some(name) => name == trial.name,
    });
    let chosen: Vec<Trial> = chosen.copied().collect();
    let share = budget / u32::try_from(chosen.len().max(1)).expect("a few");
    println!("{}", row("planner", &HEADS.map(String::from)));
    let mut wrong = 0;
    for trial in chosen {
        let tally = tried(trial, first, share);
        println!("{}", row(trial.name, &cells(&tally)));
        for one in tally.wrong.iter().take(20) {
            println!("WRONG {one}");
        }
        wrong += tally.wrong.len();
    }
    assert_eq!(wrong, 0, "wrong claims");
}

/// Seed after seed, for this time.
fn tried(trial: Trial, first: u64, share: Duration) -> Tally {
    let begin = Instant::now();
    let mut tally = Tally::default();
    for seed in first.. {
        if begin.elapsed() >= share {
            break;
        }
        trial.try_one(seed, &mut tally);
    }
    tally
}

const HEADS: [&str; 10] = [
    "problems",
    "known",
    "plans",
    "bounds",
    "optimal",
    "infeasible",
    "proofs",
    "claims",
    "wrong",
    "undecided",
];

fn cells(tally: &Tally) -> [String; 10] {
    [
        tally.problems,
        tally.known,
        tally.plans,
        tally.bounds,
        tally.optimal,
        tally.infeasible,
        tally.proofs,
        tally.claims(),
        tally.wrong.len() as u64,
        tally.undecided,
    ]
    .map(|number| number.to_string())
}

fn row(name: &str, cells: &[String; 10]) -> String {
    let cells = cells.iter().map(|cell| format!("{cell:>11}"));
    format!("{name:<11}{}", cells.collect::<String>())
}
