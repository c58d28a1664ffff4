//! What a session shows: what is due, comes next and is waited for, and what cannot be any more.

use super::State;
use crate::session::{Executed as _, Settled};
use crate::values::duration_of_micros;
use ::temporal::execution::{Deviated, Deviation, Forecast, Window};
use ::temporal::problem::{Source, TIME_MAX_US};
use stratagem_proto::v1::{self as pb, session_view::Plan};

impl State {
    /// What is to happen next, in a view that is empty otherwise.
    pub(super) fn decisions(&self) -> pb::SessionView {
        let forecast = self.execution.forecast();
        let settled = self.settled().map(Settled::finding);
        let verdict = self.verdict();
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
        let id = |event: u32| self.names.node(event as usize);
        let windows = |windows: Vec<Window>| windows.iter().map(|it| window(it, &id)).collect();
        let decisions = pb::TemporalDecisions {
            verdict: verdict.into(),
            due: windows(due),
            upcoming: windows(upcoming),
            expected: windows(expected),
            next_wake_offset: wake.map(duration_of_micros),
            deviation: self.execution.deviation().map(|it| deviation(it, &id)),
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
}

/// When an event may happen. `id`: of a node.
pub(crate) fn window<'n>(window: &Window, id: &dyn Fn(u32) -> &'n str) -> pb::TemporalWindow {
    // Later ones come from bounds that are dropped.
    let latest_us = window.latest.filter(|us| *us <= TIME_MAX_US);
    let until = window.until.iter();
    pb::TemporalWindow {
        event_id: id(window.event).to_owned(),
        not_before_offset: Some(duration_of_micros(window.earliest)),
        not_after_offset: latest_us.map(duration_of_micros),
        waits_for_event_ids: until.map(|event| id(*event).to_owned()).collect(),
    }
}

/// A deviation, likewise.
pub(crate) fn deviation<'n>(
    deviated: Deviated,
    id: &dyn Fn(u32) -> &'n str,
) -> pb::TemporalDeviation {
    use pb::TemporalDeviationKind as Kind;
    let (kind, event) = match deviated.what {
        Deviation::Late { event, latest: _ } => (Kind::Late, Some(event)),
        Deviation::Outside { event } => (Kind::Outside, Some(event)),
        Deviation::Stuck => (Kind::Stuck, None),
    };
    pb::TemporalDeviation {
        kind: kind.into(),
        event_id: event.map_or("", id).to_owned(),
        at_offset: Some(duration_of_micros(deviated.at_us)),
    }
}
