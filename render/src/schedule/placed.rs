//! When the activities of a schedule take place, and what they hold.

use crate::scene::Amounts;
use crate::time::micros;
use prost_types::Duration;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use stratagem_proto::v1::{
    ScheduleActivity, ScheduleMode, SchedulePlan, SchedulePoint, SchedulePrecedence,
    ScheduleProblem,
};

/// Latest time that is drawn, in microseconds: what is later is drawn there.
const TIME_MAX_US: i64 = i64::MAX / 8;
/// Steps of looking for the earliest times: beyond, they count as contradictory.
const STEPS_MAX: usize = 10_000_000;

/// When an activity takes place, in a mode.
pub(super) struct Placed<'s> {
    pub(super) activity: &'s ScheduleActivity,
    pub(super) mode: Option<(usize, &'s ScheduleMode)>,
    pub(super) start_us: i64,
}

impl Placed<'_> {
    pub(super) fn end_us(&self) -> i64 {
        self.start_us
            .saturating_add(self.duration_us())
            .min(TIME_MAX_US)
    }

    fn duration_us(&self) -> i64 {
        let mode = self.mode.and_then(|(_, mode)| mode.work_duration.as_ref());
        micros(mode).clamp(0, TIME_MAX_US)
    }

    /// Id of its mode, where it has several.
    pub(super) fn mode_id(&self) -> Cow<'_, str> {
        let mode = self.mode.filter(|_| self.activity.modes.len() > 1);
        mode.map_or_else(Cow::default, |(index, mode)| mode_id(index, mode))
    }

    /// What it holds, as in `2 smith, 1 forge`.
    pub(super) fn demands(&self, names: &HashMap<&str, &str>) -> String {
        let demands = self.mode.iter().flat_map(|(_, mode)| &mode.demands);
        let demands = demands.map(|demand| {
            let id = demand.resource_id.as_str();
            let name = names.get(id).unwrap_or(&id);
            format!("{} {name}", demand.amount.unwrap_or(1))
        });
        demands.collect::<Vec<_>>().join(", ")
    }
}

/// The label where there is one, or else the id.
pub(super) fn name<'s>(label: &'s str, id: &'s str) -> &'s str {
    if label.is_empty() { id } else { label }
}

/// The id of a mode, by default its number.
fn mode_id(index: usize, mode: &ScheduleMode) -> Cow<'_, str> {
    if mode.id.is_empty() {
        (index + 1).to_string().into()
    } else {
        mode.id.as_str().into()
    }
}

/// Activities as a plan has them. What the problem does not have is left out.
pub(super) fn planned<'s>(problem: &'s ScheduleProblem, plan: &'s SchedulePlan) -> Vec<Placed<'s>> {
    let known: HashMap<&str, &ScheduleActivity> =
        problem.activities.iter().map(|it| (&*it.id, it)).collect();
    let placed = plan.activities.iter().filter_map(|it| {
        let activity = *known.get(it.activity_id.as_str())?;
        let mut modes = activity.modes.iter().enumerate();
        let is_meant = |index, mode| it.mode_id.is_empty() || mode_id(index, mode) == it.mode_id;
        Some(Placed {
            activity,
            mode: modes.find(|(index, mode)| is_meant(*index, mode)),
            start_us: micros(it.start_offset.as_ref()).clamp(0, TIME_MAX_US),
        })
    });
    placed.collect()
}

/// Activities in their first modes at the earliest times that releases and precedences allow,
/// whatever resources there are, and whether there are such times.
pub(super) fn earliest(problem: &ScheduleProblem) -> (Vec<Placed<'_>>, bool) {
    let index: HashMap<&str, usize> = { problem.activities.iter().enumerate() }
        .map(|(index, it)| (&*it.id, index))
        .collect();
    let mut placed: Vec<_> = { problem.activities.iter() }
        .map(|activity| Placed {
            activity,
            mode: activity.modes.first().map(|mode| (0, mode)),
            start_us: micros(activity.release_offset.as_ref()).clamp(0, TIME_MAX_US),
        })
        .collect();
    let mut lags = Vec::new();
    for it in &problem.precedences {
        lags.extend(minimal_lags(it, &index, &placed));
    }
    let rounds_max = (placed.len() + 1).min(STEPS_MAX / lags.len().max(1));
    for _ in 0..rounds_max {
        let mut is_stable = true;
        for lag in &lags {
            let start_us = placed[lag.from].start_us.saturating_add(lag.lag_us);
            let to = &mut placed[lag.to];
            is_stable &= start_us <= to.start_us;
            to.start_us = start_us.min(TIME_MAX_US).max(to.start_us);
        }
        if is_stable {
            return (placed, true);
        }
    }
    (placed, false)
}

/// A minimal lag from the start of an activity to that of another, by index.
struct MinimalLag {
    from: usize,
    to: usize,
    lag_us: i64,
}

/// The lags of a precedence between activities with these modes. A maximal lag is a minimal one in
/// the other direction.
fn minimal_lags(
    it: &SchedulePrecedence,
    index: &HashMap<&str, usize>,
    placed: &[Placed<'_>],
) -> Vec<MinimalLag> {
    let ends = [&it.from_activity_id, &it.to_activity_id].map(|id| index.get(id.as_str()));
    let [Some(&from), Some(&to)] = ends else {
        return Vec::new();
    };
    let is_from_end = it.from_point() != SchedulePoint::Start;
    let is_to_end = it.to_point() == SchedulePoint::End;
    let before_us = if is_from_end {
        placed[from].duration_us()
    } else {
        0
    };
    let within_us = if is_to_end {
        placed[to].duration_us()
    } else {
        0
    };
    // Of the starts, both within the times that are drawn.
    let between_us = before_us - within_us;
    let lag = |bound: &Duration| {
        let bound_us = micros(Some(bound)).clamp(-TIME_MAX_US, TIME_MAX_US);
        bound_us + between_us
    };
    let is_ordinary = it.lower.is_none() && it.upper.is_none();
    let lower_us = it.lower.as_ref().map(lag);
    let lower_us = lower_us.or(is_ordinary.then_some(between_us));
    let lower = lower_us.map(|lag_us| MinimalLag { from, to, lag_us });
    let upper = it.upper.as_ref().map(|upper| MinimalLag {
        from: to,
        to: from,
        lag_us: -lag(upper),
    });
    lower.into_iter().chain(upper).collect()
}

/// How much of each resource is held over time.
pub(super) fn amounts(problem: &ScheduleProblem, placed: &[Placed<'_>]) -> Vec<Amounts> {
    let mut changes: HashMap<&str, BTreeMap<i64, i64>> = HashMap::new();
    for it in placed.iter().filter(|it| it.duration_us() > 0) {
        for demand in it.mode.iter().flat_map(|(_, mode)| &mode.demands) {
            let amount = i64::from(demand.amount.unwrap_or(1));
            let of = changes.entry(&demand.resource_id).or_default();
            *of.entry(it.start_us).or_default() += amount;
            *of.entry(it.end_us()).or_default() -= amount;
        }
    }
    let held = |resource: &stratagem_proto::v1::ScheduleResource| {
        let changes = changes.get(resource.id.as_str());
        let mut held = 0_i64;
        let steps = changes.into_iter().flatten().map(|(at_us, change)| {
            held = held.saturating_add(*change);
            (*at_us, held)
        });
        let mut amounts = Amounts {
            steps: steps.collect(),
            limit: resource.capacity.unwrap_or(1).into(),
            fill: "#7fa7d9",
            ..Amounts::default()
        };
        amounts.note = format!("{} of {}", amounts.peak(), amounts.limit);
        amounts
    };
    problem.resources.iter().map(held).collect()
}
