//! Servers as they are now, for people.

use super::table::{Table, figures, text};
use super::{Display, Style};
use crate::top::view::{Quantiles, View};
use std::collections::BTreeMap;
use stratagem_render::time::span_text;

/// All servers, and who waits there, as lines.
#[must_use]
pub fn lines(display: &Display, views: &[View]) -> Vec<String> {
    let mut lines = servers(display, views);
    let waiting = waiting(display, views);
    if !waiting.is_empty() {
        lines.push(String::new());
        lines.extend(waiting);
    }
    let errors: Vec<_> = views
        .iter()
        .filter_map(|view| view.error.as_ref())
        .collect();
    if !errors.is_empty() {
        lines.push(String::new());
        let errors = errors
            .into_iter()
            .map(|error| super::table::printable(error));
        lines.extend(errors.map(|error| display.styled(Style::Doubtful, &error)));
    }
    lines
}

fn styled(display: &Display, table: &Table) -> Vec<String> {
    let mut lines = table.lines(display.terminal_width).into_iter();
    let heading = lines.next().map(|l| display.styled(Style::Heading, &l));
    heading.into_iter().chain(lines).collect()
}

fn servers(display: &Display, views: &[View]) -> Vec<String> {
    let mut table = Table::new(vec![
        text("SERVER"),
        text("STATE"),
        figures("BUSY"),
        figures("WAITING"),
        figures("CALLS/S"),
        figures("REFUSED/S"),
        figures("WAIT P50"),
        figures("P99"),
        figures("SOLVE P50"),
        figures("P99"),
        figures("MEMORY"),
        text("JOBS"),
    ]);
    for view in views {
        let is_there = view.state != "unreachable";
        let known = |text: String| if is_there { text } else { "-".into() };
        let [wait, solve] = [view.wait_ms, view.solve_ms].map(times);
        let (wait_p50, wait_p99) = wait;
        let (solve_p50, solve_p99) = solve;
        table.push(&[
            view.server.clone(),
            view.state.to_owned(),
            known(format!("{}/{}", view.busy_slots, view.slots)),
            known(view.waiting.to_string()),
            rate(view.calls_per_second),
            rate(view.refused_per_second),
            wait_p50,
            wait_p99,
            solve_p50,
            solve_p99,
            view.memory_bytes
                .map_or("-".into(), |bytes| format!("{} MiB", bytes >> 20)),
            jobs(&view.jobs),
        ]);
    }
    styled(display, &table)
}

/// Who waits, over all servers.
fn waiting(display: &Display, views: &[View]) -> Vec<String> {
    let mut all: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for one in views.iter().flat_map(|view| &view.waiting_by) {
        *all.entry((&one.tenant, &one.priority)).or_default() += one.requests;
    }
    if all.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(vec![text("TENANT"), text("PRIORITY"), figures("WAITING")]);
    for ((tenant, priority), requests) in all {
        table.push(&[tenant.to_owned(), priority.to_owned(), requests.to_string()]);
    }
    styled(display, &table)
}

fn rate(rate: Option<f64>) -> String {
    rate.map_or("-".into(), |rate| format!("{rate:.1}"))
}

fn times(quantiles: Option<Quantiles>) -> (String, String) {
    // Two digits: they are estimates.
    let text = |ms: f64| {
        let us = (ms * 1e3).max(1.0);
        let digits = 10_f64.powf(us.log10().floor() - 1.0).max(1.0);
        span_text(((us / digits).round() * digits) as i64)
    };
    match quantiles {
        Some(Quantiles { p50, p99 }) => (text(p50), text(p99)),
        None => ("-".into(), "-".into()),
    }
}

fn jobs(jobs: &BTreeMap<String, u64>) -> String {
    let jobs = jobs.iter();
    let jobs = jobs.map(|(state, count)| format!("{count} {}", state.to_lowercase()));
    jobs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::top::view::Waiting;

    #[test]
    fn a_server_is_one_line_and_who_waits_is_summed_up() {
        let waiting = |requests| Waiting {
            tenant: "arena".into(),
            priority: "high".into(),
            requests,
        };
        let view = View {
            server: "http://a".into(),
            state: "serving",
            slots: 2,
            busy_slots: 1,
            waiting: 3,
            waiting_by: vec![waiting(3)],
            calls_per_second: Some(20.5),
            refused_per_second: Some(0.0),
            wait_ms: Some(Quantiles {
                p50: 0.6123,
                p99: 12.34,
            }),
            jobs: [("QUEUED".to_owned(), 3)].into(),
            memory_bytes: Some(5 << 20),
            ..View::default()
        };
        let other = View {
            waiting_by: vec![waiting(2)],
            ..View::unreachable("http://b", "nobody".into())
        };
        let lines = lines(&Display::PLAIN, &[view, other]);
        let words = |line: &str| {
            line.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words(&lines[1])[..10],
            [
                "http://a", "serving", "1/2", "3", "20.5", "0.0", "610us", "12ms", "-", "-"
            ]
        );
        assert!(lines[1].ends_with("5 MiB  3 queued"), "{}", lines[1]);
        assert_eq!(words(&lines[2])[..4], ["http://b", "unreachable", "-", "-"]);
        assert_eq!(words(&lines[5]), ["arena", "high", "5"]);
        assert_eq!(lines.last().unwrap(), "nobody");
    }
}
