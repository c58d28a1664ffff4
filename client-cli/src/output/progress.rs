//! How a search goes: a live line on a terminal, a line for each improvement elsewhere.

use super::{Display, numbers, objective};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};
use stratagem_proto::v1::SolveEvent;
use stratagem_render::time::{micros, span_text};

/// Shows a search on stderr.
pub struct Progress {
    sink: Sink,
    began: Instant,
    budget: Option<Duration>,
    /// Names of the terms that plans are compared by.
    deciding: Vec<String>,
    /// The newest step with a cost.
    status: String,
}

enum Sink {
    Bar(ProgressBar),
    Lines,
    Silent,
}

impl Progress {
    /// Progress of a search with a budget, where it is known. Off a terminal only steps have
    /// anything.
    #[must_use]
    pub fn new(display: &Display, budget: Option<Duration>) -> Self {
        let sink = match (display.quiet, display.live) {
            (true, _) => Sink::Silent,
            (_, true) => Sink::Bar(bar(display, budget.map(|b| b.as_millis() as u64))),
            (_, false) => Sink::Lines,
        };
        let mut progress = Self {
            sink,
            began: Instant::now(),
            budget,
            deciding: Vec::new(),
            status: "searching".into(),
        };
        progress.tick();
        progress
    }

    /// The same, with no more of costs than these terms.
    #[must_use]
    pub fn with_terms(mut self, deciding: Vec<String>) -> Self {
        self.deciding = deciding;
        self
    }

    /// Takes a step of the search.
    pub fn step(&mut self, event: &SolveEvent) {
        let text = describe(event, &self.deciding);
        if let Sink::Lines = self.sink
            && !event.heartbeat
        {
            eprintln!("{}", line(event, &self.deciding));
        }
        if !text.is_empty() {
            self.status = text;
        }
        self.tick();
    }

    /// Lets the time on the live line go on.
    pub fn tick(&mut self) {
        let Sink::Bar(bar) = &self.sink else {
            return;
        };
        let elapsed = self.began.elapsed();
        let clock = match self.budget {
            Some(budget) => format!("{}/{}", clock(elapsed), clock(budget)),
            None => clock(elapsed),
        };
        // Milliseconds of at most a day.
        bar.set_position(elapsed.as_millis() as u64);
        bar.set_message(format!("{clock}  {}", self.status));
        bar.tick();
    }

    /// Takes the live line away.
    pub fn finish(&self) {
        if let Sink::Bar(bar) = &self.sink {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    /// An error's message starts on a line of its own.
    fn drop(&mut self) {
        self.finish();
    }
}

/// Progress of reading a file, on a terminal; the line disappears with the bar.
#[must_use]
pub fn reading(display: &Display, name: &str, bytes: u64) -> ProgressBar {
    if display.quiet || !display.live {
        return ProgressBar::hidden();
    }
    bar(display, Some(bytes)).with_message(format!("reading {name}"))
}

fn bar(display: &Display, length: Option<u64>) -> ProgressBar {
    let bar = match length {
        Some(length) => ProgressBar::new(length),
        None => ProgressBar::no_length(),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(15));
    let paint = if display.progress_colour {
        ".green"
    } else {
        ""
    };
    let template = match length {
        Some(_) => format!("{{bar:20{paint}}} {{wide_msg}}"),
        None => format!("{{spinner{paint}}} {{wide_msg}}"),
    };
    let characters = if display.ascii { "#>-" } else { "█▌░" };
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars(characters).tick_chars("-\\|/ "));
    }
    bar
}

/// Seconds with one decimal; shorter budgets in full.
fn clock(time: Duration) -> String {
    // At most a day.
    let us = time.as_micros() as i64;
    if us < 1_000_000 {
        return span_text(us / 1_000 * 1_000);
    }
    span_text(us / 100_000 * 100_000)
}

/// Cost, bound, gap and finder of a step; empty when nothing is known yet.
fn describe(event: &SolveEvent, deciding: &[String]) -> String {
    let mut parts = Vec::new();
    if let Some(cost) = &event.objective {
        parts.push(objective::brief(cost, deciding));
    }
    if let Some(bound) = &event.bound {
        let text = objective::bound(bound, event.objective.as_ref());
        parts.push(format!("bound {text}"));
    }
    if let Some(gap) = event.gap {
        parts.push(format!("gap {}", numbers::percent(gap)));
    }
    if !event.found_by.is_empty() {
        parts.push(format!("by {}", super::table::printable(&event.found_by)));
    }
    if event.iterations > 0 {
        parts.push(format!("{} it", numbers::short_count(event.iterations)));
    }
    parts.join("  ")
}

/// An improvement on a line of its own.
fn line(event: &SolveEvent, deciding: &[String]) -> String {
    let elapsed = span_text(micros(event.elapsed.as_ref()));
    format!("{elapsed:>10}  {}", describe(event, deciding))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{Objective, ObjectiveTerm, ProvedBound};
    use stratagem_render::time::from_micros;

    fn event() -> SolveEvent {
        let term = ObjectiveTerm {
            name: "travel_cost".into(),
            value: 1_035.7,
            unit: "cost".into(),
            sense: 0,
        };
        SolveEvent {
            sequence: 3,
            elapsed: Some(from_micros(3_141_592)),
            objective: Some(Objective {
                levels: vec![0.0, 1_035.7],
                terms: vec![term],
            }),
            bound: Some(ProvedBound {
                levels: vec![0.0, 827.3],
                method: "arrival".into(),
                terms: Vec::new(),
            }),
            gap: Some(0.2012),
            iterations: 1_234_567,
            found_by: "mcts tree 2".into(),
            heartbeat: false,
        }
    }

    #[test]
    fn an_improvement_is_one_line() {
        let text =
            "    3.142s  travel cost 1,035.7  bound 827.3  gap 20.12%  by mcts tree 2  1.2M it";
        assert_eq!(line(&event(), &["travel_cost".into()]), text);
    }

    #[test]
    fn a_step_that_knows_nothing_says_nothing() {
        assert_eq!(describe(&SolveEvent::default(), &[]), "");
    }

    #[test]
    fn clocks_do_not_jitter() {
        let texts = [1, 250, 999, 1_234, 61_000].map(|ms| clock(Duration::from_millis(ms)));
        assert_eq!(texts, ["1ms", "250ms", "999ms", "1.2s", "1m01s"]);
    }
}
