//! Reports of what has happened in a story.

use super::State;
use crate::mistakes::{Code, Mistakes};
use crate::narrative::read::unknown;
use crate::values::{read_each, rounded_micros, shown};
use ::narrative::execution::{EventError, ReportError};
use ::narrative::problem::{Micros, Node};
use anytime::Path;
use stratagem_proto::v1 as pb;

/// Events with their times, and picks.
pub(super) type Report = (Vec<(Node, Micros)>, Vec<(usize, usize)>);

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
        let (happened, made) = (happened.into_iter().flatten(), made.into_iter().flatten());
        (happened.collect(), made.collect())
    }

    /// Notes the time and what has happened.
    pub(super) fn report(
        &mut self,
        now_us: Micros,
        report: &Report,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) {
        let (events, picks) = report;
        let Err(error) = self.execution.report(now_us, events, picks) else {
            return;
        };
        let list = at.field("happened");
        let id = |index: usize| shown(self.names.node(events[index].0));
        match error {
            ReportError::Event(index, EventError::Repeated) => {
                let why = format!("is {}, which has happened already", id(index));
                wrong.add(&list.index(index).field("event_id"), Code::Duplicate, why);
            }
            ReportError::Event(index, EventError::OutOfRange) => {
                let at_us = events[index].1;
                let why = format!("is {at_us} us, after now, which is {now_us} us");
                wrong.add(&list.index(index).field("at_offset"), Code::OutOfRange, why);
            }
            ReportError::Event(index, EventError::BeforeStart) => {
                let id = id(index);
                let why = format!("is {id}, the end of a link or activity that begins later");
                wrong.add(
                    &list.index(index).field("event_id"),
                    Code::Contradiction,
                    why,
                );
            }
            ReportError::LeftOut(index) => {
                let why = format!("is {}, which the picks leave out", id(index));
                wrong.add(
                    &list.index(index).field("event_id"),
                    Code::Contradiction,
                    why,
                );
            }
            ReportError::Repicked(index) => {
                let made = at.field("made");
                let why = "is another option than the one that was picked before";
                wrong.add(
                    &made.index(index).field("option_id"),
                    Code::Contradiction,
                    why,
                );
            }
        }
    }
}
