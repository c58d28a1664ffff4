//! A server about itself, for people.

use super::table::{Table, figures, pairs, printable, text};
use super::{Display, Style, numbers};
use std::fmt::Write as _;
use stratagem_proto::v1::{GetServerInfoResponse, MethodInfo, ServerLimit};
use stratagem_render::time::{micros, span_text};

/// Version, load, methods and their strategies.
#[must_use]
pub fn info(display: &Display, address: &str, info: &GetServerInfoResponse) -> String {
    let state = if info.draining {
        display.styled(Style::Doubtful, "shutting down")
    } else {
        display.styled(Style::Good, "serving")
    };
    let busy = format!("{} of {} busy", info.busy_slot_count, info.slot_count);
    let queued = numbers::things(info.queued_count.into(), "requests");
    let rows = [
        ("server", format!("{} {address}", printable(&info.version))),
        ("state", state),
        ("slots", busy),
        ("queued", queued),
    ];
    let mut out = pairs(&rows, display.terminal_width);
    for method in &info.methods {
        let name = display.styled(Style::Heading, &printable(&method.name));
        let kind = if method.streaming { "stream" } else { "unary" };
        let _ = write!(out, "\n{name}  {kind}, {}\n", budgets(method));
        for strategy in &method.strategies {
            let proves = if strategy.proves {
                " (can prove optimality)"
            } else {
                ""
            };
            let description = printable(&strategy.description);
            let _ = writeln!(
                out,
                "  {}: {description}{proves}",
                printable(&strategy.name)
            );
        }
    }
    out
}

fn budgets(method: &MethodInfo) -> String {
    let span = |d: Option<&prost_types::Duration>| span_text(micros(d));
    let default = span(method.default_time_budget.as_ref());
    let max = span(method.max_time_budget.as_ref());
    format!("budget {default}, at most {max}")
}

/// All limits, those of single methods below the general ones.
#[must_use]
pub fn limits(display: &Display, info: &GetServerInfoResponse) -> String {
    let mut table = Table::new(vec![
        text("METHOD"),
        text("LIMIT"),
        figures("MAX"),
        text("UNIT"),
    ]);
    for (method, limit) in all_limits(info) {
        let cells = [
            method,
            &limit.name,
            &numbers::count(limit.max_value),
            &limit.unit,
        ];
        table.push(&cells.map(str::to_owned));
    }
    table.text(display)
}

/// The limits with the methods that they are of, `*` for all.
fn all_limits(info: &GetServerInfoResponse) -> Vec<(&str, ServerLimit)> {
    let general = info.limits.iter().map(|l| ("*", l.clone()));
    let special = info.methods.iter().flat_map(|m| {
        let name = m.name.rsplit('/').next().unwrap_or(&m.name);
        let budget = ServerLimit {
            name: "time_budget".into(),
            max_value: micros(m.max_time_budget.as_ref()) / 1_000,
            unit: "ms".into(),
        };
        m.limits
            .iter()
            .cloned()
            .chain([budget])
            .map(move |l| (name, l))
    });
    general.chain(special).collect()
}
