//! What a session shows: what is due, comes next and is waited for, and what can be picked.

use super::State;
use crate::session::{Executed as _, Settled};
use crate::temporal::session::{deviation, window};
use crate::values::duration_of_micros;
use ::narrative::execution::{Forecast, Window, made};
use ::narrative::problem::Source;
use std::collections::BTreeSet;
use stratagem_proto::v1::{self as pb, session_view::Plan};

impl State {
    /// What is to happen next, in a view that is empty otherwise.
    pub(super) fn decisions(&self) -> pb::SessionView {
        let settled = self.settled().map(Settled::finding);
        let verdict = self.verdict();
        let broken = self.execution.broken();
        let links = broken.iter().filter_map(|source| self.names.link(*source));
        let bounds = links.map(|(called, side)| pb::TemporalBrokenBound {
            link_id: called.id.clone(),
            side: side.into(),
        });
        let facts_alone;
        let forecast = match self.execution.forecast() {
            Some(forecast) => forecast,
            None => {
                let picks = self.execution.facts().picks.clone();
                facts_alone = Forecast {
                    picks,
                    ..Forecast::default()
                };
                &facts_alone
            }
        };
        let id = |event: u32| self.names.node(event as usize);
        let windows = |windows: &[Window]| windows.iter().map(|it| window(it, &id)).collect();
        let picks = made(&forecast.picks);
        let open = forecast.open.iter().map(|open| {
            let fork = &self.names.choices[open.choice];
            let options = open.options.iter();
            let options = options.map(|option| fork.options[*option].clone());
            pb::NarrativeOpenChoice {
                choice_id: fork.id.clone(),
                option_ids: options.collect(),
                not_after_offset: open.latest_us.map(duration_of_micros),
            }
        });
        let decisions = pb::NarrativeDecisions {
            verdict: verdict.into(),
            due: windows(&forecast.due),
            upcoming: windows(&forecast.upcoming),
            expected: windows(&forecast.expected),
            next_wake_offset: forecast.wake_us.map(duration_of_micros),
            picks: picks
                .map(|(choice, option)| self.names.pick(choice, option))
                .collect(),
            open_choices: open.collect(),
            hand_overs: self.hand_overs(forecast),
            deviation: self.execution.deviation().map(|it| deviation(it, &id)),
            broken_bounds: bounds.collect(),
            missed_horizon: broken.iter().any(|it| matches!(it, Source::Horizon(_))),
            conflict: settled.and_then(|finding| finding.conflict.clone()),
            relaxations: settled.map_or_else(Vec::new, |finding| finding.relaxations.clone()),
        };
        pb::SessionView {
            plan: Some(Plan::Narrative(decisions)),
            complete: verdict == pb::TemporalVerdict::Holds && broken.is_empty(),
            ..pb::SessionView::default()
        }
    }

    /// What is handed over to activities that start with due or expected events, by a possible
    /// policy.
    fn hand_overs(&self, forecast: &Forecast) -> Vec<pb::NarrativeHandOver> {
        let Some((rest, plan)) = self.execution.planned() else {
            return Vec::new();
        };
        let next = forecast.due.iter().chain(&forecast.expected);
        let next: BTreeSet<usize> = next.map(|window| window.event as usize).collect();
        let policy = forecast
            .policies
            .first()
            .map(|policy| &plan.policies[*policy]);
        let all = policy.into_iter().flat_map(|policy| &policy.hand_overs);
        let activities = &rest.spec().activities;
        let now = all.filter(|hand_over| next.contains(&activities[hand_over.to].start));
        now.map(|hand_over| super::super::plan::hand_over(&self.names, hand_over))
            .collect()
    }
}
