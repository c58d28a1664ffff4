//! When events may happen, by the bounds of the network or by a schedule.

use super::Drawn;
use super::graph::Graph;
use crate::time::{micros, span_text};
use std::collections::BTreeMap;

/// Relaxations of bounds, at most: enough for any network of 500 events, and for larger ones that
/// are not made to be hard. What is left over is drawn too wide.
const WORK_MAX: usize = 100_000_000;
/// Far before everything, in microseconds.
const NEVER: i64 = i64::MAX / 4;

/// When an event happens or may happen; in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Window {
    /// None: no bound.
    pub(super) earliest: Option<i64>,
    /// None: no bound.
    pub(super) latest: Option<i64>,
    /// The time that was chosen.
    pub(super) at: Option<i64>,
    /// In the conflict: the time that comes as close as it gets, or what others do then.
    pub(super) broken: Option<i64>,
}

impl Window {
    /// All moments that are drawn.
    pub(super) fn moments(&self) -> impl Iterator<Item = i64> {
        [self.earliest, self.latest, self.at, self.broken]
            .into_iter()
            .flatten()
    }

    /// By what events are put in order: the earliest moment that is known.
    pub(super) fn begin(&self) -> i64 {
        self.at.or(self.earliest).unwrap_or(0)
    }

    /// When it happens, for people.
    pub(super) fn words(&self) -> String {
        match (self.at, self.earliest, self.latest) {
            (Some(at), ..) => format!("at {}", span_text(at)),
            (None, Some(a), Some(b)) if a == b => format!("at {}", span_text(a)),
            (None, Some(a), Some(b)) => format!("{} to {}", span_text(a), span_text(b)),
            (None, Some(a), None) => format!("from {}", span_text(a)),
            (None, None, Some(b)) => format!("until {}", span_text(b)),
            (None, None, None) => "any time".into(),
        }
    }
}

/// The events from the first to the last; ties in the order of the network.
pub(super) fn in_order(windows: &[Window]) -> Vec<usize> {
    let mut order: Vec<_> = (0..windows.len()).collect();
    order.sort_by_key(|i| (windows[*i].begin(), *i));
    order
}

/// First and last moment of all windows, from 0 on unless something comes before.
pub(super) fn horizon(windows: &[Window]) -> (i64, i64) {
    let moments = || windows.iter().flat_map(Window::moments);
    let first = moments().min().unwrap_or(0).min(0);
    (first, moments().max().unwrap_or(0).max(first))
}

/// The windows of all events. A schedule replaces the bounds of the network.
pub(super) fn windows(graph: &Graph<'_>, drawn: &Drawn<'_>) -> Vec<Window> {
    let start = vec![graph.horizon.map(|_| 0); graph.events.len()];
    let end = vec![graph.horizon; graph.events.len()];
    let latest = bounds(graph, false, end);
    let mut earliest = bounds(graph, true, start);
    if earliest.contains(&None) {
        // What nothing ties to the origin is drawn as if it began there, unless it must be over
        // then.
        let at_origin = |latest: &Option<i64>| -latest.map_or(0, |l| l.clamp(-NEVER, 0));
        let known = earliest.iter().zip(&latest);
        let start = known.map(|(e, latest)| Some(e.map_or(at_origin(latest), i64::saturating_neg)));
        earliest = bounds(graph, true, start.collect());
    }
    let both = earliest.into_iter().zip(latest);
    let mut windows: Vec<_> = both
        .map(|(earliest, latest)| Window {
            earliest,
            latest,
            ..Window::default()
        })
        .collect();
    let index: BTreeMap<&str, usize> = graph
        .events
        .iter()
        .enumerate()
        .rev()
        .map(|(i, id)| (*id, i))
        .collect();
    if let Some(schedule) = drawn.schedule {
        for event in &schedule.events {
            if let Some(i) = index.get(event.event_id.as_str()) {
                let at = Some(micros(event.time_offset.as_ref()));
                windows[*i] = Window {
                    earliest: at,
                    latest: at,
                    at,
                    broken: None,
                };
            }
        }
        for range in &schedule.ranges {
            if let Some(i) = index.get(range.event_id.as_str()) {
                windows[*i].earliest = Some(micros(range.earliest_offset.as_ref()));
                windows[*i].latest = Some(micros(range.latest_offset.as_ref()));
            }
        }
    }
    if let Some(conflict) = drawn.conflict {
        for event in conflict.candidate.iter().chain(&conflict.behavior) {
            if let Some(i) = index.get(event.event_id.as_str()) {
                windows[*i].broken = Some(micros(event.time_offset.as_ref()));
            }
        }
    }
    windows
}

/// Earliest or latest times by the bounds alone (Bellman-Ford from the origin), from times that are
/// known: as they are, or negated for the earliest. Contradicting bounds give some times.
fn bounds(graph: &Graph<'_>, earliest: bool, known: Vec<Option<i64>>) -> Vec<Option<i64>> {
    // Everything as distances to minimise: latest times, or negated earliest ones.
    let mut times = known;
    let mut arcs = Vec::new();
    for link in &graph.links {
        let [from, to] = link.ends;
        let negated_lower = link.lower.map(i64::saturating_neg);
        // time(to) <= time(from) + upper, time(from) <= time(to) - lower; for the negated times the
        // ends change places.
        let pairs = [(from, to, link.upper), (to, from, negated_lower)];
        for (a, b, bound) in pairs {
            if let Some(bound) = bound {
                arcs.push(if earliest {
                    (b, a, bound)
                } else {
                    (a, b, bound)
                });
            }
        }
    }
    let rounds = times.len().min(WORK_MAX / arcs.len().max(1)) + 1;
    for _ in 0..rounds {
        let mut changed = false;
        for (from, to, bound) in &arcs {
            let base = from.map_or(Some(0), |i| times[i]);
            if let (Some(base), Some(to)) = (base, *to) {
                let time = base.saturating_add(*bound);
                if times[to].is_none_or(|known| time < known) {
                    times[to] = Some(time);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    if earliest {
        times
            .iter_mut()
            .flatten()
            .for_each(|t| *t = t.saturating_neg());
    }
    times
}
