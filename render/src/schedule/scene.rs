//! What is in a picture of a schedule: bars of activities, and profiles of resources.

use crate::time::{micros, span_text};
use prost_types::Duration;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use stratagem_proto::v1::{
    ScheduleActivity, ScheduleMode, SchedulePlan, SchedulePoint, SchedulePrecedence,
    ScheduleProblem,
};

/// Latest time that is drawn, in microseconds: what is later is drawn there.
const TIME_MAX_US: i64 = i64::MAX / 8;
/// What is drawn without a plan.
const EARLIEST: &str = "earliest times in the first modes, without regard to resources; end";
/// Steps of looking for the earliest times: beyond, they count as contradictory.
const STEPS_MAX: usize = 10_000_000;

/// A schedule as it is drawn.
pub(super) struct Scene<'s> {
    /// In the order of their starts.
    pub(super) bars: Vec<Bar<'s>>,
    pub(super) profiles: Vec<Profile<'s>>,
    /// From 0 to the end of the last bar.
    pub(super) horizon: (i64, i64),
    /// What the bars are, and where the last one ends.
    pub(super) note: String,
}

/// An activity over time.
pub(super) struct Bar<'s> {
    pub(super) name: &'s str,
    pub(super) start_us: i64,
    pub(super) end_us: i64,
    /// Id of its mode, where it has several.
    pub(super) mode: Option<Cow<'s, str>>,
    /// What it holds, as in `2 smith, 1 forge`.
    pub(super) demands: String,
}

/// How much of a resource is held over time.
pub(super) struct Profile<'s> {
    pub(super) name: &'s str,
    pub(super) capacity: i64,
    /// From each of these moments on, in microseconds, this much is held.
    pub(super) steps: Vec<(i64, i64)>,
}

impl Profile<'_> {
    /// Largest amount that is held at any moment.
    pub(super) fn peak(&self) -> i64 {
        self.steps.iter().map(|(_, held)| *held).max().unwrap_or(0)
    }

    /// Largest amount that is held between two moments.
    pub(super) fn held(&self, from_us: i64, to_us: i64) -> i64 {
        let after = self.steps.partition_point(|(at_us, _)| *at_us <= from_us);
        let before = after.checked_sub(1).map_or(0, |last| self.steps[last].1);
        let within = self.steps[after..]
            .iter()
            .take_while(|(at_us, _)| *at_us < to_us);
        within.map(|(_, held)| *held).fold(before, i64::max)
    }
}

impl Bar<'_> {
    /// The activity in one line.
    pub(super) fn tip(&self) -> String {
        let (start, end) = (span_text(self.start_us), span_text(self.end_us));
        let mode = self.mode.as_ref().map(|mode| format!(", mode {mode}"));
        let holds = match self.demands.as_str() {
            "" => String::new(),
            demands => format!(", holds {demands}"),
        };
        format!(
            "{}: {start} to {end}{}{holds}",
            self.name,
            mode.unwrap_or_default()
        )
    }
}

/// When an activity takes place, in a mode.
struct Placed<'s> {
    activity: &'s ScheduleActivity,
    mode: Option<(usize, &'s ScheduleMode)>,
    start_us: i64,
}

impl Placed<'_> {
    fn duration_us(&self) -> i64 {
        let mode = self.mode.and_then(|(_, mode)| mode.work_duration.as_ref());
        micros(mode).clamp(0, TIME_MAX_US)
    }
}

impl<'s> Scene<'s> {
    /// The bars of a plan; without a plan, of the earliest times that precedences allow.
    pub(super) fn new(problem: &'s ScheduleProblem, plan: Option<&'s SchedulePlan>) -> Self {
        let (mut placed, what) = match plan {
            Some(plan) => (planned(problem, plan), "makespan"),
            None => match earliest(problem) {
                (placed, true) => (placed, EARLIEST),
                (placed, false) => (placed, "the precedences conflict; drawn up to"),
            },
        };
        placed.sort_by_key(|it| it.start_us);
        let names: HashMap<&str, &str> = { problem.resources.iter() }
            .map(|it| (&*it.id, name(&it.label, &it.id)))
            .collect();
        let bars: Vec<Bar<'s>> = placed.iter().map(|it| bar(it, &names)).collect();
        let last = bars.iter().map(|bar| bar.end_us).max().unwrap_or(0);
        Self {
            profiles: profiles(problem, &placed),
            horizon: (0, last),
            note: format!("{what} {}", span_text(last)),
            bars,
        }
    }
}

/// The label where there is one, or else the id.
fn name<'s>(label: &'s str, id: &'s str) -> &'s str {
    if label.is_empty() { id } else { label }
}

fn bar<'s>(placed: &Placed<'s>, names: &HashMap<&str, &str>) -> Bar<'s> {
    let Placed {
        activity,
        mode,
        start_us,
    } = placed;
    let demands = mode.iter().flat_map(|(_, mode)| &mode.demands);
    let demands = demands.map(|demand| {
        let id = demand.resource_id.as_str();
        format!(
            "{} {}",
            demand.amount.unwrap_or(1),
            names.get(id).unwrap_or(&id)
        )
    });
    let several = activity.modes.len() > 1;
    let id = mode.filter(|_| several);
    Bar {
        name: name(&activity.label, &activity.id),
        start_us: *start_us,
        end_us: start_us
            .saturating_add(placed.duration_us())
            .min(TIME_MAX_US),
        mode: id.map(|(index, mode)| mode_id(index, mode)),
        demands: demands.collect::<Vec<_>>().join(", "),
    }
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
fn planned<'s>(problem: &'s ScheduleProblem, plan: &'s SchedulePlan) -> Vec<Placed<'s>> {
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
fn earliest(problem: &ScheduleProblem) -> (Vec<Placed<'_>>, bool) {
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

fn profiles<'s>(problem: &'s ScheduleProblem, placed: &[Placed<'s>]) -> Vec<Profile<'s>> {
    let mut changes: HashMap<&str, BTreeMap<i64, i64>> = HashMap::new();
    for it in placed.iter().filter(|it| it.duration_us() > 0) {
        let end_us = it
            .start_us
            .saturating_add(it.duration_us())
            .min(TIME_MAX_US);
        for demand in it.mode.iter().flat_map(|(_, mode)| &mode.demands) {
            let amount = i64::from(demand.amount.unwrap_or(1));
            let of = changes.entry(&demand.resource_id).or_default();
            *of.entry(it.start_us).or_default() += amount;
            *of.entry(end_us).or_default() -= amount;
        }
    }
    let profile = |resource: &'s stratagem_proto::v1::ScheduleResource| {
        let changes = changes.get(resource.id.as_str());
        let mut held = 0_i64;
        let steps = changes.into_iter().flatten().map(|(at_us, change)| {
            held = held.saturating_add(*change);
            (*at_us, held)
        });
        Profile {
            name: name(&resource.label, &resource.id),
            capacity: resource.capacity.unwrap_or(1).into(),
            steps: steps.collect(),
        }
    };
    problem.resources.iter().map(profile).collect()
}
