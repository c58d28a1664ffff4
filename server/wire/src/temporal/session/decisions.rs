//! What a session shows: what is due, comes next and is waited for, and what cannot be any more.

use super::State;
use crate::values::duration_of_micros;
use ::temporal::execution::{Deviated, Deviation, Forecast, Window};
use ::temporal::problem::{Source, TIME_MAX_US};
use stratagem_proto::v1::{self as pb, session_view::Plan};

impl State {
    /// What is to happen next, in a view that is empty otherwise.
    #[must_use]
    pub fn view(&self) -> pb::SessionView {
        let forecast = self.execution.forecast();
        let settled = self.settled();
        let verdict = match settled {
            Some(finding) => finding.verdict(),
            None if forecast.is_some() || self.execution.is_over() => pb::TemporalVerdict::Holds,
            None => pb::TemporalVerdict::Unknown,
        };
        let broken = self.execution.broken();
        let links = broken.iter().filter_map(|source| self.names.link(*source));
        let bounds = links.map(|(id, side)| pb::TemporalBrokenBound {
            link_id: id.to_owned(),
            side: side.into(),
        });
        let Forecast {
            due,
            upcoming,
            expected,
            wake,
        } = forecast.unwrap_or_default();
        let windows = |windows: Vec<Window>| windows.iter().map(|it| self.window(it)).collect();
        let decisions = pb::TemporalDecisions {
            verdict: verdict.into(),
            due: windows(due),
            upcoming: windows(upcoming),
            expected: windows(expected),
            next_wake_offset: wake.map(duration_of_micros),
            deviation: self.execution.deviation().map(|it| self.deviation(it)),
            broken_bounds: bounds.collect(),
            missed_horizon: broken.iter().any(|it| matches!(it, Source::Horizon(_))),
            conflict: settled.and_then(|finding| finding.conflict.clone()),
            relaxations: settled.map_or_else(Vec::new, |finding| finding.relaxations.clone()),
        };
        pb::SessionView {
            plan: Some(Plan::Temporal(decisions)),
            complete: verdict == pb::TemporalVerdict::Holds && broken.is_empty(),
            ..pb::SessionView::default()
        }
    }

    fn window(&self, window: &Window) -> pb::TemporalWindow {
        // Later ones come from bounds that are dropped.
        let latest_us = window.latest.filter(|us| *us <= TIME_MAX_US);
        pb::TemporalWindow {
            event_id: self.id(window.event),
            not_before_offset: Some(duration_of_micros(window.earliest)),
            not_after_offset: latest_us.map(duration_of_micros),
            waits_for_event_ids: window.until.iter().map(|event| self.id(*event)).collect(),
        }
    }

    fn deviation(&self, deviated: Deviated) -> pb::TemporalDeviation {
        use pb::TemporalDeviationKind as Kind;
        let (kind, event) = match deviated.what {
            Deviation::Late { event, latest: _ } => (Kind::Late, Some(event)),
            Deviation::Outside { event } => (Kind::Outside, Some(event)),
            Deviation::Stuck => (Kind::Stuck, None),
        };
        pb::TemporalDeviation {
            kind: kind.into(),
            event_id: event.map_or_else(String::new, |event| self.id(event)),
            at_offset: Some(duration_of_micros(deviated.at_us)),
        }
    }

    fn id(&self, event: u32) -> String {
        self.names.node(event as usize).to_owned()
    }
}
