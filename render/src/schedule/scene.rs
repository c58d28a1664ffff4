//! What is in a picture of a schedule: bars of activities, and profiles of resources.

use crate::time::{micros, span_text};
use std::collections::{BTreeMap, HashMap};
use stratagem_proto::v1::{
    ScheduleActivity, ScheduleMode, SchedulePlan, SchedulePoint, SchedulePrecedence,
    ScheduleProblem,
};

/// Latest time that is drawn, in microseconds: what is later is drawn there.
const TIME_MAX_US: i64 = i64::MAX / 4;

/// A schedule as it is drawn.
pub(super) struct Scene<'s> {
    /// In the order of their starts.
    pub(super) bars: Vec<Bar<'s>>,
    pub(super) profiles: Vec<Profile<'s>>,
    /// From 0 to the end of the last bar.
    pub(super) horizon: (i64, i64),
    /// Whether the bars are those of a plan, and not the earliest times without resources.
    pub(super) is_planned: bool,
}

/// An activity over time.
pub(super) struct Bar<'s> {
    pub(super) name: &'s str,
    pub(super) start_us: i64,
    pub(super) end_us: i64,
    /// Id of its mode, where it has several.
    pub(super) mode: Option<&'s str>,
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
        let mode = self.mode.map(|mode| format!(", mode {mode}"));
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
        let mut placed = match plan {
            Some(plan) => planned(problem, plan),
            None => earliest(problem),
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
            is_planned: plan.is_some(),
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
    let number = mode.map_or(0, |(index, _)| index);
    let several = activity.modes.len() > 1;
    let id = mode.map(|(_, mode)| mode.id.as_str());
    let numbered = NUMBERS.get(number).copied().unwrap_or("?");
    let id = id.map(|id| if id.is_empty() { numbered } else { id });
    Bar {
        name: name(&activity.label, &activity.id),
        start_us: *start_us,
        end_us: start_us
            .saturating_add(placed.duration_us())
            .min(TIME_MAX_US),
        mode: id.filter(|_| several),
        demands: demands.collect::<Vec<_>>().join(", "),
    }
}

/// Ids of modes without one, by index.
const NUMBERS: [&str; 16] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
];

/// Activities as a plan has them. What the problem does not have is left out.
fn planned<'s>(problem: &'s ScheduleProblem, plan: &'s SchedulePlan) -> Vec<Placed<'s>> {
    let known: HashMap<&str, &ScheduleActivity> =
        problem.activities.iter().map(|it| (&*it.id, it)).collect();
    let placed = plan.activities.iter().filter_map(|it| {
        let activity = *known.get(it.activity_id.as_str())?;
        let mut modes = activity.modes.iter().enumerate();
        let is_meant = |index: usize, mode: &ScheduleMode| {
            let numbered = mode.id.is_empty() && NUMBERS.get(index) == Some(&&*it.mode_id);
            it.mode_id.is_empty() || mode.id == it.mode_id || numbered
        };
        Some(Placed {
            activity,
            mode: modes.find(|(index, mode)| is_meant(*index, mode)),
            start_us: micros(it.start_offset.as_ref()).clamp(0, TIME_MAX_US),
        })
    });
    placed.collect()
}

/// Activities in their first modes at the earliest times that releases and minimal lags allow,
/// whatever resources there are. Of a cycle without end only as many rounds as activities.
fn earliest(problem: &ScheduleProblem) -> Vec<Placed<'_>> {
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
    let lags: Vec<_> = { problem.precedences.iter() }
        .filter_map(|it| minimal_lag(it, &index))
        .collect();
    for _ in 0..placed.len() {
        let mut is_stable = true;
        for lag in &lags {
            let from = &placed[lag.from];
            let from_us = from.start_us + if lag.from_end { from.duration_us() } else { 0 };
            let before_us = if lag.to_end {
                placed[lag.to].duration_us()
            } else {
                0
            };
            let start_us = from_us.saturating_add(lag.lag_us).saturating_sub(before_us);
            let start_us = start_us.min(TIME_MAX_US);
            is_stable &= start_us <= placed[lag.to].start_us;
            placed[lag.to].start_us = start_us.max(placed[lag.to].start_us);
        }
        if is_stable {
            break;
        }
    }
    placed
}

/// A minimal lag between points of two activities, by index.
struct MinimalLag {
    from: usize,
    from_end: bool,
    to: usize,
    to_end: bool,
    lag_us: i64,
}

fn minimal_lag(it: &SchedulePrecedence, index: &HashMap<&str, usize>) -> Option<MinimalLag> {
    let default_us = it.upper.is_none().then_some(0);
    Some(MinimalLag {
        from: *index.get(it.from_activity_id.as_str())?,
        from_end: it.from_point() != SchedulePoint::Start,
        to: *index.get(it.to_activity_id.as_str())?,
        to_end: it.to_point() == SchedulePoint::End,
        lag_us: it
            .lower
            .as_ref()
            .map(|it| micros(Some(it)))
            .or(default_us)?,
    })
}

fn profiles<'s>(problem: &'s ScheduleProblem, placed: &[Placed<'s>]) -> Vec<Profile<'s>> {
    let mut changes: HashMap<&str, BTreeMap<i64, i64>> = HashMap::new();
    for it in placed.iter().filter(|it| it.duration_us() > 0) {
        let end_us = it.start_us.saturating_add(it.duration_us());
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
