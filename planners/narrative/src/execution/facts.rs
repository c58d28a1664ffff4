//! What has happened in a story.

use super::EventError;
use crate::problem::{Activity, Micros, Narrative, Node, Picks, Spec};
use stn::progress::Progress;

/// What has happened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// The current time, and the times of events.
    pub progress: Progress,
    /// By choice the option that was picked.
    pub picks: Picks,
}

/// Why a report is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportError {
    /// An event, by its index in the report. Activities end after their start, like contingent
    /// links.
    Event(usize, EventError),
    /// The picks leave out an event, by its index in the report.
    LeftOut(usize),
    /// Another option was picked, by the index of the pick in the report.
    Repicked(usize),
}

impl Facts {
    /// What a narrative says of its progress.
    #[must_use]
    pub fn from_progress(narrative: &Narrative) -> Self {
        let nodes = 1..narrative.nodes();
        Self {
            progress: Progress {
                now_us: narrative.spec().progress.now_us,
                times_us: nodes.map(|node| narrative.happened(node)).collect(),
            },
            picks: narrative.made(),
        }
    }

    /// Options that have a node, with what was picked there, or is the only one to pick.
    fn options_of(&self, node: Node, spec: &Spec) -> impl Iterator<Item = (usize, Option<usize>)> {
        let choices = spec.choices.iter().zip(&self.picks).enumerate();
        choices.filter_map(move |(index, (choice, pick))| {
            let option = choice.option_of(node)?;
            Some((option, pick.or_else(|| spec.only_option(index))))
        })
    }

    /// Whether the picks leave out a node.
    pub(super) fn leave_out(&self, node: Node, spec: &Spec) -> bool {
        let mut options = self.options_of(node, spec);
        options.any(|(option, pick)| pick.is_some_and(|pick| pick != option))
    }

    /// Whether a node is part of the story whatever is picked from here on.
    pub(super) fn is_sure(&self, node: Node, spec: &Spec) -> bool {
        let mut options = self.options_of(node, spec);
        options.all(|(option, pick)| pick == Some(option))
    }

    /// What has happened after a report.
    pub(super) fn after(
        &self,
        now_us: Micros,
        events: &[(Node, Micros)],
        picks: &[(usize, usize)],
        spec: &Spec,
    ) -> Result<Self, ReportError> {
        let progress = self.progress.after(now_us, events, &spec.contingent);
        let progress = progress.map_err(|(index, error)| ReportError::Event(index, error))?;
        let mut facts = Self {
            progress,
            picks: self.picks.clone(),
        };
        for (index, &(choice, option)) in picks.iter().enumerate() {
            let known = facts.picks[choice].replace(option);
            if known.is_some_and(|known| known != option) {
                return Err(ReportError::Repicked(index));
            }
        }
        for (index, &(node, _)) in events.iter().enumerate() {
            for (choice, pick) in spec.choices.iter().zip(&mut facts.picks) {
                if let Some(option) = choice.option_of(node)
                    && *pick.get_or_insert(option) != option
                {
                    return Err(ReportError::LeftOut(index));
                }
            }
        }
        for (index, &(node, _)) in events.iter().enumerate() {
            let activities = spec.activities.iter();
            let mut own = activities.filter(|own| [own.start, own.end].contains(&node));
            let time = |node: Node| facts.progress.time(node);
            let is_reversed = |activity: &Activity| {
                let (start, end) = (time(activity.start), time(activity.end));
                end.is_some_and(|end_us| start.is_some_and(|start_us| start_us > end_us))
            };
            if own.any(is_reversed) {
                return Err(ReportError::Event(index, EventError::BeforeStart));
            }
        }
        Ok(facts)
    }
}

/// Choices that were made, with their options.
pub fn made(picks: &[Option<usize>]) -> impl Iterator<Item = (usize, usize)> {
    let picks = picks.iter().enumerate();
    picks.filter_map(|(choice, pick)| Some((choice, (*pick)?)))
}
