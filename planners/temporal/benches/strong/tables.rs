//! The paper's tables 1 and 2 on generated networks, next to the printed figures.
//!
//! Table 1: how many schedules each strategy finds, and how many of them the check accepts. Table
//! 2: how often these schedules work out against simulated teammates. The paper gives its random
//! strategy 50 tries for each network; so do we.

use super::measure::{CLASSES, NETWORKS, Question, network, percentile};
use super::plot;
use anytime::Pulse;
use temporal::plan::Model;
use temporal::simulate::{Runs, simulate, wilson};
use temporal::verify::strong;
use temporal::{Network, Schedule, Strategy, Verdict};

/// Tries of the random strategy for each network.
const TRIES: u64 = 50;
/// Runs against random teammates for each schedule of the others. Early teammates do the same in
/// all.
const RUNS: u32 = 50;
const MODELS: [Model; 2] = [Model::Random, Model::Early];

/// A strategy and what the paper prints about it.
struct Entry {
    strategy: Strategy,
    title: &'static str,
    tries: u64,
    printed: Printed,
}

/// Text of table 1, and the shares in table 2 (all networks, controllable networks) for each model.
struct Printed {
    found: &'static str,
    verified: &'static str,
    success: [&'static str; 4],
    /// The shares of controllable networks in numbers, per cent: verified, random and early
    /// success.
    bars: [f64; 3],
}

/// What a strategy came to on one network.
#[derive(Debug, Clone, Default)]
struct Outcome {
    holds: bool,
    /// Share of tries with a schedule, whether good or not.
    found: f64,
    refuted: bool,
    /// By try.
    verified: Vec<bool>,
    /// Share of runs that worked out, by model; without a schedule none does.
    success: [f64; 2],
}

pub(crate) fn run() {
    let networks: Vec<Network> = (0..NETWORKS).map(|seed| network(seed, 100)).collect();
    let exact = Question::bare(Strategy::Auto);
    let holds: Vec<bool> = networks
        .iter()
        .map(|network| exact.ask(network).verdict() == Verdict::Holds)
        .collect();
    sizes(&networks, &holds);
    let mut bars = Vec::new();
    let mut rows: [Vec<String>; 2] = Default::default();
    for entry in entries() {
        let pairs = networks.iter().zip(&holds);
        let results: Vec<Outcome> = pairs.map(|(one, holds)| entry.solve(one, *holds)).collect();
        rows[0].push(entry.first(&results));
        rows[1].push(entry.second(&results));
        let ours = entry.bars(&results);
        bars.push((entry.title, ours, entry.printed.bars));
    }
    println!(
        "\n| strategy | schedules | refuted | undecided | verified | of the controllable | \
         paper: found, verified |"
    );
    println!("|---|---|---|---|---|---|---|\n{}", rows[0].join("\n"));
    println!(
        "\n| strategy | random, all | random, controllable | early, all | early, controllable | \
         paper |"
    );
    println!("|---|---|---|---|---|---|\n{}", rows[1].join("\n"));
    plot::strategies(&bars);
}

/// How many are controllable, by size: what the paper's share depends on.
fn sizes(networks: &[Network], holds: &[bool]) {
    println!("\n| events | networks | controllable | share | share of all up to this size |");
    println!("|---|---|---|---|---|");
    let mut ends: Vec<usize> = CLASSES.iter().map(|class| class.1).collect();
    ends.insert(3, 70);
    let mut least = 0;
    for most in ends {
        let count = |least, most| {
            let sized = networks.iter().zip(holds);
            let sized = sized.filter(|(one, _)| (least..=most).contains(&one.owners().len()));
            let sized: Vec<bool> = sized.map(|(_, holds)| *holds).collect();
            (sized.len(), sized.iter().filter(|holds| **holds).count())
        };
        let ((all, held), (all_so_far, held_so_far)) = (count(least, most), count(0, most));
        println!(
            "| up to {most} | {all} | {held} | {:.0} % | {:.1} % |",
            percent(held as f64, all as f64),
            percent(held_so_far as f64, all_so_far as f64),
        );
        least = most + 1;
    }
}

fn percent(part: f64, all: f64) -> f64 {
    100.0 * part / all.max(1.0)
}

impl Entry {
    fn solve(&self, network: &Network, holds: bool) -> Outcome {
        let mut result = Outcome {
            holds,
            ..Outcome::default()
        };
        for seed in 1..=self.tries {
            let question = Question {
                seed,
                ..Question::bare(self.strategy)
            };
            let run = question.ask(network);
            result.refuted = run.verdict() == Verdict::Fails;
            let Some(schedule) = &run.finding.schedule else {
                result.verified.push(false);
                continue;
            };
            let verified = strong(network, schedule).is_ok();
            assert_eq!(verified, run.verdict() == Verdict::Holds, "claims are true");
            result.verified.push(verified);
            result.found += 1.0 / self.tries as f64;
            for (model, success) in MODELS.iter().zip(&mut result.success) {
                *success += self.play(network, schedule, (*model, seed)) / self.tries as f64;
            }
        }
        result
    }

    /// Share of runs that work out.
    fn play(&self, network: &Network, schedule: &Schedule, how: (Model, u64)) -> f64 {
        let once = self.tries > 1 || how.0 == Model::Early;
        let runs = Runs {
            model: how.0,
            runs: if once { 1 } else { RUNS },
            seed: how.1,
        };
        let found =
            simulate(network, schedule, &runs, &Pulse::unbounded()).expect("it is complete");
        f64::from(found.successes) / f64::from(found.runs)
    }

    /// Verified in each round of tries, counted over all networks: never more than the controllable
    /// ones.
    fn verified(&self, results: &[Outcome]) -> Vec<f64> {
        let count = |at: usize| results.iter().filter(|one| one.verified[at]).count() as f64;
        (0..self.tries as usize).map(count).collect()
    }

    fn first(&self, results: &[Outcome]) -> String {
        let rounds = self.verified(results);
        let mean = rounds.iter().sum::<f64>() / rounds.len() as f64;
        let span = match self.tries {
            1 => format!("{mean:.0}"),
            _ => {
                let ends = [2, 98].map(|share| percentile(&rounds, share));
                format!("{mean:.1} [{:.0}, {:.0}]", ends[0], ends[1])
            }
        };
        let holds = results.iter().filter(|one| one.holds).count();
        let refuted = results.iter().filter(|one| one.refuted).count();
        let found: f64 = results.iter().map(|one| one.found).sum();
        format!(
            "| {} | {found:.0} | {refuted} | {:.0} | {span} | {:.1} % | {}, {} |",
            self.title,
            (results.len() as f64 - found - refuted as f64).abs(),
            percent(mean, holds as f64),
            self.printed.found,
            self.printed.verified,
        )
    }

    fn second(&self, results: &[Outcome]) -> String {
        let mut cells = Vec::new();
        for model in 0..MODELS.len() {
            for only_holding in [false, true] {
                let (rate, count) = rate(results, model, only_holding);
                // Runs on one network are not independent: so the interval is that of one for each.
                let (low, high) = wilson((rate * f64::from(count)).round() as u32, count);
                let [rate, low, high] = [rate, low, high].map(|share| 100.0 * share);
                cells.push(format!("{rate:.1} % [{low:.1}, {high:.1}]"));
            }
        }
        let paper = self.printed.success.join(", ");
        format!("| {} | {} | {paper} |", self.title, cells.join(" | "))
    }

    /// Per cent of the controllable networks: verified, success against random and early teammates.
    fn bars(&self, results: &[Outcome]) -> [f64; 3] {
        let rounds = self.verified(results);
        let mean = rounds.iter().sum::<f64>() / rounds.len() as f64;
        let holds = results.iter().filter(|one| one.holds).count();
        [
            percent(mean, holds as f64),
            100.0 * rate(results, 0, true).0,
            100.0 * rate(results, 1, true).0,
        ]
    }
}

/// Mean success against a model over all or the controllable networks, and how many these are.
fn rate(results: &[Outcome], model: usize, only_holding: bool) -> (f64, u32) {
    let chosen = results.iter().filter(|one| one.holds || !only_holding);
    let rates: Vec<f64> = chosen.map(|one| one.success[model]).collect();
    let mean = rates.iter().sum::<f64>() / rates.len().max(1) as f64;
    (mean, u32::try_from(rates.len()).expect("few"))
}

/// The strategies of the paper, and the second weighting of its linear program.
fn entries() -> Vec<Entry> {
    let entry = |strategy, title, printed| Entry {
        strategy,
        title,
        tries: if strategy == Strategy::Random {
            TRIES
        } else {
            1
        },
        printed,
    };
    let lp = || Printed {
        found: "1000",
        verified: "286",
        success: ["56.5", "69.6", "52.8", "62.0"],
        bars: [45.1, 69.6, 62.0],
    };
    let exact = Printed {
        found: "634 (355 refuted, 11 timeouts)",
        verified: "634",
        success: ["63.4", "100", "63.4", "100"],
        bars: [100.0; 3],
    };
    let early = Printed {
        found: "1000",
        verified: "333",
        success: ["47.3", "63.6", "100", "100"],
        bars: [52.5, 63.6, 100.0],
    };
    let random = Printed {
        found: "1000",
        verified: "85 to 101",
        success: [
            "23.0 to 24.6",
            "31.6 to 34.0",
            "22.0 to 25.3",
            "30.4 to 35.0",
        ],
        bars: [14.7, 32.8, 32.7],
    };
    let mut entries = vec![entry(Strategy::Auto, "exact", exact)];
    if cfg!(feature = "milp") {
        entries.push(entry(Strategy::Lp, "lp", lp()));
        entries.push(entry(Strategy::LpNormalised, "lp-normalised", lp()));
    }
    entries.push(entry(Strategy::Early, "early", early));
    entries.push(entry(Strategy::Random, "random", random));
    entries
}
