//! What Nature and teammates may do, by what has happened so far.

use super::bounds::{NONE, Owner, Rules};
use stratagem_render::time::span_text;

/// An event of others that has not happened yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Index of the event.
    pub event: usize,
    /// Events that come first and have not happened: indexes.
    pub waits_for: Vec<usize>,
    /// Earliest moment, as far as it is known, in microseconds; not before now.
    pub earliest_us: i64,
    /// Latest moment, as far as it is known.
    pub latest_us: Option<i64>,
}

impl Choice {
    /// Whether the event may happen now.
    ///
    /// # Errors
    /// Why not, for people.
    pub(super) fn allowed(&self, rules: &Rules, now_us: i64) -> Result<(), String> {
        let id = &rules.events[self.event];
        if let Some(first) = self.waits_for.first() {
            let first = &rules.events[*first];
            return Err(format!("{id} comes after {first}, which has not happened"));
        }
        if now_us < self.earliest_us {
            let earliest = span_text(self.earliest_us);
            return Err(format!("{id} may not happen before {earliest}"));
        }
        match self.latest_us {
            Some(latest) if latest < now_us => {
                Err(format!("{id} had to happen by {}", span_text(latest)))
            }
            _ => Ok(()),
        }
    }

    /// Whether a moment is too late, or too early although nothing later is allowed.
    pub(super) fn overdue(&self, at_us: i64) -> bool {
        let over = self.latest_us.is_some_and(|latest| latest < at_us);
        over || self.earliest_us > at_us || !self.waits_for.is_empty()
    }
}

/// All events of others that have not happened yet, in the order of the network.
pub(super) fn choices(rules: &Rules, times: &[Option<i64>], now_us: i64) -> Vec<Choice> {
    let open = (0..rules.events.len()).filter(|i| times[*i].is_none());
    let choice = |event: usize| match rules.owners[event] {
        Owner::Us => None,
        Owner::Nature(link) => Some(of_nature(rules, times, event, link, now_us)),
        Owner::Teammate => Some(of_teammate(rules, times, event, now_us)),
    };
    open.filter_map(choice).collect()
}

fn of_nature(
    rules: &Rules,
    times: &[Option<i64>],
    event: usize,
    link: usize,
    now_us: i64,
) -> Choice {
    let link = &rules.contingent[link];
    match times[link.from] {
        Some(begun) => Choice {
            event,
            waits_for: Vec::new(),
            earliest_us: (begun + link.lower_us).max(now_us),
            latest_us: Some(begun + link.upper_us),
        },
        None => Choice {
            event,
            waits_for: vec![link.from],
            earliest_us: now_us + link.lower_us,
            latest_us: None,
        },
    }
}

/// The teammate's rules: what comes first must have happened, and every bound to what has happened
/// is kept. By the closure, so that bounds to what has not happened are kept too.
fn of_teammate(rules: &Rules, times: &[Option<i64>], event: usize, now_us: i64) -> Choice {
    let mut choice = Choice {
        event,
        waits_for: Vec::new(),
        earliest_us: now_us,
        latest_us: None,
    };
    let mut latest = NONE;
    for (other, time) in times.iter().enumerate() {
        if other == event {
            continue;
        }
        let (lower, upper) = rules.range(other, event);
        let first = other == rules.origin() || comes_first(rules, other, event, lower, upper);
        match time {
            Some(time) => {
                if first && lower > -NONE {
                    choice.earliest_us = choice.earliest_us.max(time + lower);
                }
                // What had to come later and came at this moment bounds nothing any more.
                if upper < NONE && (first || upper > 0) {
                    latest = latest.min(time + upper);
                }
            }
            None if first => choice.waits_for.push(other),
            None => {}
        }
    }
    choice.latest_us = (latest < NONE).then_some(latest);
    choice
}

/// Whether one event comes before another. Of two that happen together ours is first, then the
/// order of the network decides.
fn comes_first(rules: &Rules, one: usize, other: usize, lower: i64, upper: i64) -> bool {
    if lower == 0 && upper == 0 {
        let rank = |i: usize| (rules.owners[i] != Owner::Us, i);
        return rank(one) < rank(other);
    }
    lower >= 0
}
