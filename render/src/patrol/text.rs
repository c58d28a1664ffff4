//! Patrols in words.

use super::Drawn;
use super::ground::Ground;
use super::heat::percent;
use super::map_text::{letter, map_text};
use super::walk::{Visit, Walk, walks};
use crate::label::{columns, printable};
use crate::text::TextOptions;
use crate::time::{micros, span_text};
use std::fmt::Write as _;
use stratagem_proto::v1::{PatrolPlan, PatrolProblem};

/// Most stops of a route that are printed.
const STOPS_MAX: usize = 60;

/// Returns a patrol for terminals: its capture probability, routes with times, and maps.
#[must_use]
pub fn text(problem: &PatrolProblem, drawn: Drawn<'_>, options: &TextOptions) -> String {
    let mut out = String::new();
    if !problem.title.is_empty() {
        let title = printable(&problem.title);
        let _ = write!(out, "{}\n\n", options.styled("1", &title));
    }
    if let Some(evaluation) = drawn.evaluation {
        let caught = percent(evaluation.capture_probability);
        let _ = write!(out, "{caught} of the intruders are caught");
        if let Some(worst) = &evaluation.best_response {
            let when = span_text(micros(worst.entry_offset.as_ref()));
            let how = percent(worst.capture_probability);
            let _ = write!(
                out,
                ", {how} of those who enter at {} at {when}",
                printable(&worst.vertex_id)
            );
        }
        out.push_str("\n\n");
    }
    if let Some(plan) = drawn.plan {
        let _ = writeln!(out, "{}", route_lines(problem, plan, options));
    }
    out + &map_text(problem, drawn, options)
}

/// Returns each guard's prefix and cycle with times; `+3s` is the time of a stay. At most 60 stops
/// of each are listed.
#[must_use]
pub fn route_lines(problem: &PatrolProblem, plan: &PatrolPlan, options: &TextOptions) -> String {
    let ground = Ground::new(problem);
    let mut out = String::new();
    for (n, walk) in walks(&ground, plan).iter().enumerate() {
        let name = format!("{} {}", letter(n), printable(walk.name));
        let _ = writeln!(out, "{}", options.styled("1", &name));
        if !walk.prefix.is_empty() {
            out += &wrapped("  first  ", &stops(&ground, &walk.prefix), options);
        }
        out += &wrapped(&head(&ground, walk), &stops(&ground, &walk.cycle), options);
    }
    out
}

/// What stands before the stops of a cycle.
fn head(ground: &Ground<'_>, walk: &Walk<'_>) -> String {
    match walk.cycle.len() {
        0 | 1 => "  stays  ".into(),
        _ => {
            let long = span_text(walk.long.saturating_mul(ground.tick_us));
            format!("  round of {long}  ")
        }
    }
}

/// Stops in words: `hall 12s +3s`.
fn stops(ground: &Ground<'_>, visits: &[Visit]) -> Vec<String> {
    let span = |ticks: i64| span_text(ticks.saturating_mul(ground.tick_us));
    let stop = |visit: &Visit| {
        let id = printable(&ground.problem.vertices[visit.vertex].id);
        let stays = match visit.stay {
            0 => String::new(),
            stay => format!(" +{}", span(stay)),
        };
        format!("{id} {}{stays}", span(visit.at))
    };
    let mut stops: Vec<_> = visits.iter().take(STOPS_MAX).map(stop).collect();
    if visits.len() > STOPS_MAX {
        stops.push(format!("and {} more", visits.len() - STOPS_MAX));
    }
    stops
}

/// Stops one after the other, in lines as wide as the terminal.
fn wrapped(head: &str, stops: &[String], options: &TextOptions) -> String {
    let arrow = if options.ascii { " > " } else { " → " };
    let mut out = String::new();
    let mut line = head.to_owned();
    for (n, stop) in stops.iter().enumerate() {
        let arrow = if n == 0 { "" } else { arrow };
        if n > 0 && columns(&line) + columns(arrow) + columns(stop) > options.columns() {
            let _ = writeln!(out, "{}", line.trim_end());
            line = " ".repeat(9) + arrow.trim_start();
        } else {
            line += arrow;
        }
        line += stop;
    }
    out + line.trim_end() + "\n"
}
