//! How often two strategies agree.

use super::{Run, Says};
use std::time::Duration;

#[derive(Default)]
pub(crate) struct Table {
    narratives: usize,
    plans: usize,
    none: usize,
    late: usize,
    open: usize,
    refused: usize,
    /// What the other strategy left open and this one did not.
    ahead: usize,
    /// Plans of milp that cost less, or more.
    better: usize,
    worse: usize,
    contradictions: usize,
    wrong: usize,
    /// Of what was decided, by either strategy.
    times: [Vec<Duration>; 2],
}

impl Table {
    pub(crate) fn print_heads() {
        println!(
            "| narratives | number | plan | none | out of time | gave up | refused | only milp \
            decided | milp better | milp worse | median | slowest decided | auto, median | \
            contradictions | wrong answers |"
        );
        println!("|{}", "---|".repeat(15));
    }

    pub(crate) fn add(&mut self, name: &str, auto: &Run, milp: &Run) {
        self.narratives += 1;
        match milp.says {
            Says::Plan => self.plans += 1,
            Says::None => self.none += 1,
            Says::Late => self.late += 1,
            Says::Open => self.open += 1,
            Says::Refused => self.refused += 1,
        }
        let decided = |run: &Run| matches!(run.says, Says::Plan | Says::None);
        let beyond = |one: &Run, other: &Run| match (one.bound, other.cost) {
            (Some(bound), Some(cost)) => cost < bound,
            _ => false,
        };
        let contradicts = decided(auto) && decided(milp) && auto.says != milp.says
            || beyond(auto, milp)
            || beyond(milp, auto);
        self.better += usize::from(milp.cost < auto.cost && milp.cost.is_some());
        self.worse += usize::from(auto.cost.is_some() && milp.cost > auto.cost);
        self.contradictions += usize::from(contradicts);
        self.ahead += usize::from(decided(milp) && !decided(auto));
        self.wrong += auto.wrong + milp.wrong;
        for (times, run) in self.times.iter_mut().zip([auto, milp]) {
            times.extend(decided(run).then_some(run.time));
        }
        let verbose = std::env::var_os("STRATAGEM_VERBOSE").is_some() && !name.is_empty();
        if verbose || contradicts {
            println!(
                "{name}: auto {:?} in {:.1?}, milp {:?} in {:.1?}",
                auto.says, auto.time, milp.says, milp.time
            );
        }
    }

    /// Prints a line, and returns how many things are wrong.
    pub(crate) fn print(mut self, name: &str) -> usize {
        self.times.iter_mut().for_each(|times| times.sort());
        let [auto, milp] = &self.times;
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            self.narratives,
            self.plans,
            self.none,
            self.late,
            self.open,
            self.refused,
            self.ahead,
            self.better,
            self.worse,
            percentile(milp, 50),
            percentile(milp, 100),
            percentile(auto, 50),
            self.contradictions,
            self.wrong,
        );
        self.contradictions + self.wrong
    }
}

fn percentile(sorted: &[Duration], share: usize) -> String {
    let at = (sorted.len() * share).div_ceil(100).saturating_sub(1);
    let time = sorted.get(at).copied().unwrap_or_default();
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
