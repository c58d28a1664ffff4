//! Schedules, relaxations and simulations as tables.

use crate::network;
use crate::output::table::{Table, figures, text};
use crate::output::{Display, numbers};
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    TemporalNetwork, TemporalRelaxation, TemporalSchedule, TemporalSimulation,
};
use stratagem_render::time::{micros, span_text};

/// Events that are listed; pictures and JSON have all.
const EVENTS_MAX: usize = 60;

/// When each event happens, or may happen, in the order of time.
pub(super) fn schedule(
    display: &Display,
    network: &TemporalNetwork,
    schedule: &TemporalSchedule,
) -> String {
    let owners: BTreeMap<_, _> = network
        .events
        .iter()
        .map(|e| (e.id.as_str(), e.agent_id.as_str()))
        .collect();
    let owner = |id: &str| match owners.get(id) {
        Some(&"") | None => String::new(),
        Some(name) => (*name).to_owned(),
    };
    let mut rows = Vec::new();
    for event in &schedule.events {
        let time = micros(event.time_offset.as_ref());
        let cells = [span_text(time), String::new(), String::new()];
        rows.push((time, &event.event_id, cells));
    }
    for range in &schedule.ranges {
        let earliest = micros(range.earliest_offset.as_ref());
        let latest = micros(range.latest_offset.as_ref());
        let cells = [String::new(), span_text(earliest), span_text(latest)];
        rows.push((earliest, &range.event_id, cells));
    }
    // Stable: events at one moment stay in the order of the answer.
    rows.sort_by_key(|(time, ..)| *time);
    let mut table = Table::new(vec![
        figures("AT"),
        figures("FROM"),
        figures("TO"),
        text("EVENT"),
        text("AGENT"),
    ]);
    for (_, id, [at, from, to]) in rows.iter().take(EVENTS_MAX) {
        table.push(&[
            at.clone(),
            from.clone(),
            to.clone(),
            (*id).clone(),
            owner(id),
        ]);
    }
    let mut out = table.text(display);
    if rows.len() > EVENTS_MAX {
        let more = numbers::things((rows.len() - EVENTS_MAX) as i64, "events");
        out += &format!("and {more} more: see -o json\n");
    }
    out
}

/// Changes that help: a line for each changed bound.
pub(super) fn relaxations(display: &Display, relaxations: &[TemporalRelaxation]) -> String {
    let mut table = Table::new(vec![figures("#"), figures("TOTAL"), text("CHANGE")]);
    for (n, relaxation) in relaxations.iter().enumerate() {
        let mut first = [
            (n + 1).to_string(),
            span_text(micros(relaxation.total_duration.as_ref())),
        ];
        for change in &relaxation.changes {
            let [number, total] = std::mem::take(&mut first);
            table.push(&[number, total, network::change_text(change)]);
        }
    }
    table.text(display)
}

/// How often each model of a teammate let every rule be kept.
pub(super) fn simulations(display: &Display, simulations: &[TemporalSimulation]) -> String {
    let mut table = Table::new(vec![
        text("MODEL"),
        figures("RUNS"),
        figures("KEPT"),
        figures("RATE"),
        text("95 % INTERVAL"),
    ]);
    for simulation in simulations {
        let (runs, kept) = (simulation.runs, simulation.successes);
        // A simulation without runs says nothing.
        let rate = match runs {
            0 => "-".into(),
            _ => numbers::percent(f64::from(kept) / f64::from(runs)),
        };
        let interval = [simulation.rate_lower, simulation.rate_upper].map(numbers::percent);
        table.push(&[
            simulation.model.clone(),
            numbers::count(runs.into()),
            numbers::count(kept.into()),
            rate,
            interval.join(" to "),
        ]);
    }
    table.text(display)
}
