//! Many narratives in one row.

use crate::run::Run;
use std::time::Duration;

/// The heads of the columns of [`Table::print`].
pub(crate) fn print_heads(what: &str) {
    println!(
        "\n| {what} | narratives | plan | none | open | decided | median | p95 | max | first \
        plan | explained, p95 | wrong |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
}

#[derive(Default)]
pub(crate) struct Table {
    times: Vec<Duration>,
    explained: Vec<Duration>,
    first: Vec<Duration>,
    plans: usize,
    none: usize,
    open: usize,
    wrong: usize,
}

impl Table {
    /// Adds a narrative; `known` is what is known about it.
    pub(crate) fn add(&mut self, name: &str, run: &Run, known: Option<&str>) {
        let found = run.found();
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
        if contradicts {
            println!("WRONG: {name} is {found}, known: {known:?}");
        }
    }

    pub(crate) fn print(mut self, row: &str) {
        self.times.sort();
        self.explained.sort();
        self.first.sort();
        let times = [50, 95, 100].map(|share| percentile(&self.times, share));
        let decided = (self.plans + self.none) as f64 / self.times.len().max(1) as f64;
        println!(
            "| {row} | {} | {} | {} | {} | {:.1} % | {} | {} | {} | {} | {} | {} |",
            self.times.len(),
            self.plans,
            self.none,
            self.open,
            100.0 * decided,
            times[0],
            times[1],
            times[2],
            percentile(&self.first, 50),
            percentile(&self.explained, 95),
            self.wrong,
        );
    }
}

/// A percentile of sorted times.
pub(crate) fn percentile(sorted: &[Duration], share: usize) -> String {
    let at = (sorted.len() * share).div_ceil(100).saturating_sub(1);
    let time = sorted.get(at).copied().unwrap_or_default();
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
