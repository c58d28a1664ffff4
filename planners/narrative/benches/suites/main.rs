//! The paper's suites: how many narratives are decided, how soon, and whether the answers agree with known ones.
//!
//! `cargo bench -p narrative --bench suites`. Times are those of the first answer, which decides; *explained* is when
//! conflicts were made small and relaxations solved. Each narrative is asked about once, on one thread, as a service would
//! be; every plan is verified. Read from the environment:
//! * `STRATAGEM_NARRATIVE`: a folder with folders of narratives in the format linsp/1, with `answers.json`.
//! * `STRATAGEM_SECONDS`: the time for each, default 60.
//! * `STRATAGEM_EVERY`: of the generated narratives only every so manyth.
//! * `STRATAGEM_VERBOSE`: a line for each narrative.

#![expect(
    clippy::disallowed_methods,
    reason = "a bench measures time and takes a directory from the environment"
)]

mod linsp;

use anytime::{Conclusion, Control, Limits};
use narrative::generate::{SUITE1, SUITE2, choices, suite1, suite2};
use narrative::problem::Chooser;
use narrative::solve::{Params, solve};
use narrative::{Answer, Cost, Narrative};
use std::path::Path;
use std::time::{Duration, Instant};

fn main() {
    let seconds = std::env::var("STRATAGEM_SECONDS");
    let seconds = seconds.map_or(60, |text| text.parse().expect("a whole number of seconds"));
    let time = Duration::from_secs(seconds);
    println!(
        "| suite | narratives | plan | none | open | median | p95 | max | first plan | wrong |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    if let Some(folder) = std::env::var_os("STRATAGEM_NARRATIVE") {
        for suite in ["examples", "choices", "suite1", "suite2"] {
            let mut table = Table::default();
            for given in &linsp::folder(&Path::new(&folder).join(suite)) {
                let run = run(&given.narrative, time);
                table.add(&given.name, &run, given.status.as_deref());
            }
            table.print(suite);
        }
    }
    generated("choices of ours, generated", (ours, 100), time);
    generated("choices of players, generated", (players, 100), time);
    generated("suite 1, generated", (suite1, SUITE1), time);
    generated("suite 2, generated", (suite2, SUITE2), time);
}

fn ours(seed: u64, index: usize) -> Narrative {
    choices(seed + index as u64, Chooser::System, 2 + index % 3)
}

fn players(seed: u64, index: usize) -> Narrative {
    choices(seed + index as u64, Chooser::Player, 2 + index % 3)
}

/// A suite of our own: every `STRATAGEM_EVERY`th of its narratives, default all.
fn generated(suite: &str, (draw, count): (fn(u64, usize) -> Narrative, usize), time: Duration) {
    let every = std::env::var("STRATAGEM_EVERY");
    let every = every.map_or(1, |text| text.parse().expect("a whole number"));
    let mut table = Table::default();
    for index in (0..count).step_by(every) {
        let narrative = draw(1, index);
        let run = run(&narrative, time);
        table.add(
            &format!("{index} ({} events)", narrative.spec().events),
            &run,
            None,
        );
    }
    table.print(suite);
}

/// What came of one narrative.
struct Run {
    conclusion: Conclusion,
    /// Until the end, until the first answer, and until the first plan.
    all: Duration,
    verdict: Duration,
    first: Option<Duration>,
    /// Answers that break rules.
    wrong: usize,
}

fn run(narrative: &Narrative, time: Duration) -> Run {
    let start = Instant::now();
    let mut first = None;
    let mut verdict = None;
    let mut answers = Vec::new();
    let mut sink = |answer: &Answer, cost: Cost| {
        verdict = verdict.or(Some(start.elapsed()));
        if matches!(answer, Answer::Plan(_)) {
            first = first.or(Some(start.elapsed()));
        }
        answers.push((answer.clone(), cost));
    };
    let mut control = Control::new(Limits::until(start + time), 1, &mut sink);
    let conclusion = solve(narrative, &Params::default(), &mut control);
    let all = start.elapsed();
    let mut wrong = 0;
    for (answer, cost) in &answers {
        match narrative::verify::answer(narrative, answer) {
            Ok(found) if found == *cost => {}
            other => {
                wrong += 1;
                println!("WRONG: {other:?}, claimed {cost:?}");
            }
        }
    }
    Run {
        conclusion: conclusion.expect("the strategy is built in"),
        all,
        verdict: verdict.unwrap_or(all),
        first,
        wrong,
    }
}

#[derive(Default)]
struct Table {
    times: Vec<Duration>,
    explained: Vec<Duration>,
    first: Vec<Duration>,
    plans: usize,
    none: usize,
    open: usize,
    wrong: usize,
}

impl Table {
    fn add(&mut self, name: &str, run: &Run, known: Option<&str>) {
        let found = match (run.conclusion, run.first) {
            (Conclusion::Infeasible, _) => "infeasible",
            (_, Some(_)) => "feasible",
            _ => "unknown",
        };
        match found {
            "infeasible" => self.none += 1,
            "feasible" => self.plans += 1,
            _ => self.open += 1,
        }
        let contradicts = found != "unknown" && known.is_some_and(|known| known != found);
        self.wrong += run.wrong + usize::from(contradicts);
        self.times.push(run.verdict);
        self.explained.push(run.all);
        self.first.extend(run.first);
        if std::env::var_os("STRATAGEM_VERBOSE").is_some() || contradicts {
            println!(
                "{name}: {found} ({known:?}) in {:.1?}, first {:.1?}",
                run.all, run.first
            );
        }
    }

    fn print(mut self, suite: &str) {
        self.times.sort();
        self.explained.sort();
        self.first.sort();
        let times = [50, 95, 100].map(|share| percentile(&self.times, share));
        println!(
            "| {suite} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            self.times.len(),
            self.plans,
            self.none,
            self.open,
            times[0],
            times[1],
            times[2],
            percentile(&self.first, 50),
            percentile(&self.explained, 95),
            self.wrong,
        );
    }
}

fn percentile(sorted: &[Duration], share: usize) -> String {
    let at = (sorted.len() * share).div_ceil(100).saturating_sub(1);
    let time = sorted.get(at).copied().unwrap_or_default();
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
