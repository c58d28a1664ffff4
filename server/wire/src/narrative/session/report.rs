//! Reports of what has happened in a story.

use super::State;
use crate::mistakes::{Code, Mistakes};
use crate::narrative::read::unknown;
use crate::session::{RefusedEvent, refuse_event};
use crate::values::{read_each, rounded_micros, shown};
use ::narrative::execution::{EventError, ReportError};
use ::narrative::problem::{Micros, Node};
use anytime::Path;
use stratagem_proto::v1 as pb;

/// What has happened.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) events: Vec<Event>,
    pub(super) picks: Vec<(usize, usize)>,
}

/// An event that has happened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    /// Its index in the message.
    pub(super) place: usize,
    pub(super) node: Node,
    pub(super) at_us: Micros,
}

/// Where a report is in a message, and how its times are called.
pub(super) struct Reported<'p> {
    pub(super) at: Path<'p>,
    pub(super) time: &'static str,
}

impl State {
    /// What has happened and was picked.
    pub(super) fn read(
        &self,
        given: pb::NarrativeChanges,
        now_us: Micros,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Report {
        let happened = read_each(given.happened, &at.field("happened"), |event, at| {
            let node = self.names.event(&event.event_id);
            if node.is_none() {
                unknown(&event.event_id, &at.field("event_id"), wrong);
            }
            let at_us = event.at_offset.as_ref().map_or(now_us, rounded_micros);
            Some((node?, at_us))
        });
        let made = read_each(given.made, &at.field("made"), |pick, at| {
            self.names.picked(&pick, at, wrong)
        });
        let happened = (0..).zip(happened);
        let events = happened.filter_map(|(place, event)| {
            let (node, at_us) = event?;
            Some(Event { place, node, at_us })
        });
        Report {
            events: events.collect(),
            picks: made.into_iter().flatten().collect(),
        }
    }

    /// Notes the time, what has happened, and groups whose time has come. Where that is refused:
    /// the error, and the events that it counts.
    pub(super) fn note(
        &mut self,
        now_us: Micros,
        report: &Report,
    ) -> Result<(), (ReportError, Vec<Event>)> {
        let is_origin = |node: Node| self.origins.iter().any(|origin| origin.0 == node);
        let given = report.events.iter().copied();
        let given: Vec<Event> = given.filter(|event| !is_origin(event.node)).collect();
        // An activity that starts with a group does not end before: the group would start too late.
        let activities = &self.execution.narrative().spec().activities;
        let starts_later = |start: Node, at_us: Micros| {
            let mut origins = self.origins.iter();
            origins.any(|origin| origin.0 == start && origin.1 > at_us)
        };
        let is_early = |event: &Event| {
            let mut own = activities.iter().filter(|own| own.end == event.node);
            own.any(|own| starts_later(own.start, event.at_us))
        };
        if let Some(index) = given.iter().position(is_early) {
            let error = ReportError::Event(index, EventError::BeforeStart);
            return Err((error, given));
        }
        let progress = &self.execution.facts().progress;
        let origins = self.origins.iter().copied();
        let begun =
            origins.filter(|(node, at_us)| *at_us <= now_us && progress.time(*node).is_none());
        let events = given.iter().map(|event| (event.node, event.at_us));
        let events: Vec<(Node, Micros)> = events.chain(begun).collect();
        let noted = self.execution.report(now_us, &events, &report.picks);
        noted.map_err(|error| (error, given))
    }

    /// The same for a report in a message.
    pub(super) fn report(
        &mut self,
        now_us: Micros,
        report: &Report,
        at: &Reported<'_>,
        wrong: &mut Mistakes,
    ) {
        let Err((error, events)) = self.note(now_us, report) else {
            return;
        };
        let Reported { at, time } = at;
        match error {
            ReportError::Event(index, error) => {
                let Event { place, node, at_us } = events[index];
                let event = RefusedEvent {
                    id: self.names.node(node),
                    at_us,
                    now_us,
                    time,
                };
                refuse_event(error, &event, &at.field("happened").index(place), wrong);
            }
            ReportError::LeftOut(index) => {
                let Event { place, node, .. } = events[index];
                let list = at.field("happened");
                let id = shown(self.names.node(node));
                let why = format!("is {id}, which the picks leave out");
                wrong.add(
                    &list.index(place).field("event_id"),
                    Code::Contradiction,
                    why,
                );
            }
            ReportError::Repicked(index) => {
                let list = at.field("made");
                let why = "is another option than the one that was picked before";
                wrong.add(
                    &list.index(index).field("option_id"),
                    Code::Contradiction,
                    why,
                );
            }
        }
    }
}
