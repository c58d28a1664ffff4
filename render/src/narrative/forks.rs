//! Which events come before which, and so when choices are made.

use super::story::Story;
use std::collections::{BTreeMap, VecDeque};

/// Events that are looked at, one group's.
const EVENTS_MAX: usize = 1_000;
/// Steps from event to event for all choices together: enough for any valid narrative.
const WORK_MAX: usize = 5_000_000;

/// Who comes before whom, for sure: by links with a lower bound of 0 or above, and by durations.
pub(super) struct Precedence<'a> {
    /// Events that lead to each event; the origin is none.
    leads: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> Precedence<'a> {
    pub(super) fn new(story: &Story<'a>) -> Self {
        let problem = story.problem;
        let events = problem.events.iter().take(EVENTS_MAX);
        let mut leads: BTreeMap<_, _> = events.map(|e| (e.id.as_str(), Vec::new())).collect();
        let mut lead = |from: &'a str, to: &'a str| {
            if leads.contains_key(from)
                && let Some(before) = leads.get_mut(to)
            {
                before.push(from);
            }
        };
        for link in &problem.links {
            let not_below = |d: &prost_types::Duration| d.seconds >= 0 && d.nanos >= 0;
            let not_above = |d: &prost_types::Duration| d.seconds <= 0 && d.nanos <= 0;
            if link.lower.as_ref().is_some_and(not_below) {
                lead(&link.from_event_id, &link.to_event_id);
            } else if link.upper.as_ref().is_some_and(not_above) {
                lead(&link.to_event_id, &link.from_event_id);
            }
        }
        for link in &problem.contingent_links {
            lead(&link.from_event_id, &link.to_event_id);
        }
        Self { leads }
    }

    /// For each choice the events that happen before every event of all its options, in the order
    /// of their ids. An event of an option is never among them.
    pub(super) fn before_choices(&self, story: &Story<'a>) -> Vec<Vec<&'a str>> {
        let mut work = WORK_MAX;
        let choices = story.problem.choices.iter();
        choices
            .map(|choice| {
                let events = choice.options.iter().flat_map(|o| &o.event_ids);
                let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
                let mut total = 0;
                for event in events.take(EVENTS_MAX) {
                    total += 1;
                    for before in self.before(event, &mut work) {
                        *counts.entry(before).or_default() += 1;
                    }
                }
                let all = counts.into_iter().filter(|(_, count)| *count == total);
                all.map(|(event, _)| event).collect()
            })
            .collect()
    }

    /// All events before one.
    fn before(&self, event: &str, work: &mut usize) -> Vec<&'a str> {
        let mut seen = BTreeMap::new();
        let mut queue: VecDeque<&str> = VecDeque::from([event]);
        while let Some(at) = queue.pop_front() {
            for from in self.leads.get(at).into_iter().flatten() {
                if *work == 0 {
                    break;
                }
                *work -= 1;
                if *from != event && seen.insert(*from, ()).is_none() {
                    queue.push_back(from);
                }
            }
        }
        seen.into_keys().collect()
    }
}
