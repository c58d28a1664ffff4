//! How a rehearsal stands, for people.

use super::Stage;
use crate::narrative::Names;
use std::fmt::Write as _;
use stratagem_proto::v1::{TemporalBoundSide, TemporalVerdict};
use stratagem_render::time::{micros, span_text};

impl Stage<'_> {
    /// Whether everything has happened.
    pub(crate) fn is_over(&self) -> bool {
        let it = &self.decisions;
        let waits = it.due.len() + it.upcoming.len() + it.expected.len() + it.open_choices.len();
        waits == 0 && it.verdict() == TemporalVerdict::Holds
    }

    /// What time it is, what comes, and what the players may do.
    pub(crate) fn status(&self, names: &Names<'_>) -> String {
        let mut out = format!("now {}\n", span_text(self.now_us));
        if let Some((choice, options)) = self.open() {
            let _ = writeln!(out, "  yours: pick {choice} ({})", options.join(", "));
        } else if let Some((event, at_us)) = self.next_of_ours() {
            let at = span_text(at_us);
            let _ = writeln!(out, "  ours: {} at {at}", names.event(event));
        } else if !self.is_over() {
            out.push_str("  ours: nothing until the players act\n");
        }
        for (event, earliest_us, latest_us) in self.running() {
            let earliest = span_text(earliest_us.max(self.now_us));
            let latest = span_text(latest_us);
            let _ = writeln!(out, "  yours: {event} from {earliest} to {latest}");
        }
        out
    }

    /// Sentences about what was broken, for people: none when the story stayed on schedule.
    pub(crate) fn broken(&self) -> Vec<String> {
        let decisions = &self.decisions;
        let deviation = decisions.deviation.as_ref().map(|it| {
            let at = span_text(micros(it.at_offset.as_ref()));
            let kind = it
                .kind()
                .as_str_name()
                .rsplit('_')
                .next()
                .unwrap_or_default();
            let kind = kind.to_lowercase();
            format!("deviation at {at}: {} is {kind}", it.event_id)
        });
        let bounds = decisions.broken_bounds.iter();
        let bounds = bounds.map(|it| {
            let side = if it.side() == TemporalBoundSide::Lower {
                "lower"
            } else {
                "upper"
            };
            format!("the {side} bound of {} is broken", it.link_id)
        });
        let horizon = decisions
            .missed_horizon
            .then(|| "the horizon is missed".to_owned());
        let open = (!self.is_over()).then(|| "the story has not ended".to_owned());
        let all = deviation.into_iter().chain(bounds);
        all.chain(horizon).chain(open).collect()
    }
}
