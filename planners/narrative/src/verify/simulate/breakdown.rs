//! Breakdowns of a run: rules that a simulated dispatch breaks.

use super::Run;
use crate::plan::Plan;
use crate::problem::{Activity, Micros, Narrative, Node, ORIGIN};
use anytime::{Argument, Fault, Path, element, fault, time};

/// The first rule that a run breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Breakdown {
    /// Nothing can happen any more, but the story is not over.
    Stuck { node: Node, time_us: Micros },
    /// An event that has to wait beyond its latest time.
    Late {
        node: Node,
        time_us: Micros,
        latest_us: Micros,
    },
    /// No policy is left for what happened.
    NoPolicy { time_us: Micros },
    /// A link whose bounds are violated.
    LinkBroken { link: usize, taken_us: Micros },
    /// An event beyond the horizon or the makespan.
    AfterEnd {
        node: Node,
        time_us: Micros,
        latest_us: Micros,
    },
    /// More of a resource in use than there is.
    Overload {
        resource: usize,
        amount: u64,
        time_us: Micros,
        capacity: u32,
    },
}

impl Breakdown {
    /// The fault of a plan that breaks down with these durations.
    pub(super) fn fault(&self, durations_us: &[Micros]) -> Fault {
        let at = Path::root("policies");
        let durations = durations_us.iter().map(|duration| time(*duration));
        let durations = Argument::List(durations.collect());
        let (what, when, how) = match *self {
            Self::Stuck { node, time_us } => {
                (element("node", node), time(time_us), "can no longer happen")
            }
            Self::Late { node, time_us, .. } => {
                (element("node", node), time(time_us), "happens too late")
            }
            Self::NoPolicy { time_us } => (
                Argument::from("the story"),
                time(time_us),
                "has no policy left",
            ),
            Self::LinkBroken { link, taken_us } => (
                element("link", link),
                time(taken_us),
                "is violated by what it takes",
            ),
            Self::AfterEnd { node, time_us, .. } => (
                element("node", node),
                time(time_us),
                "happens after the end",
            ),
            Self::Overload {
                resource, time_us, ..
            } => (
                element("resource", resource),
                time(time_us),
                "is overloaded",
            ),
        };
        fault!(
            "DISPATCH_BROKEN",
            at,
            "break down with durations [{}]: {} {}, {}",
            durations,
            what,
            how,
            when
        )
    }
}

/// The first rule of the narrative that the times of a run break.
pub(super) fn first_breakdown(
    narrative: &Narrative,
    plan: &Plan,
    run: &Run,
    durations_us: &[Micros],
) -> Option<Breakdown> {
    let spec = narrative.spec();
    let missing = (0..narrative.nodes())
        .find(|node| narrative.present(&run.picks, *node) && run.times_us[*node].is_none());
    if let Some(node) = missing {
        let time_us = run.times_us.iter().flatten().max().copied();
        let time_us = time_us.unwrap_or(spec.progress.now_us);
        return Some(Breakdown::Stuck { node, time_us });
    }
    let taken = |from: Node, to: Node| Some(run.times_us[to]? - run.times_us[from]?);
    for (link, given) in spec.links.iter().enumerate() {
        if let Some(taken_us) = taken(given.from, given.to)
            && (given.lower_us.is_some_and(|lower| taken_us < lower)
                || given.upper_us.is_some_and(|upper| taken_us > upper))
        {
            return Some(Breakdown::LinkBroken { link, taken_us });
        }
    }
    for (given, duration) in spec.contingent.iter().zip(durations_us) {
        debug_assert!(taken(given.from, given.to).is_none_or(|taken| taken == *duration));
    }
    let latest_us = spec.horizon_us.unwrap_or(Micros::MAX).min(plan.makespan_us);
    for node in ORIGIN + 1..narrative.nodes() {
        if let Some(time_us) = run.times_us[node]
            && time_us > latest_us
        {
            return Some(Breakdown::AfterEnd {
                node,
                time_us,
                latest_us,
            });
        }
    }
    (0..spec.resources.len()).find_map(|resource| overload(narrative, run, resource))
}

/// Goes through the starts and ends of what needs a resource, ends first at each moment.
fn overload(narrative: &Narrative, run: &Run, resource: usize) -> Option<Breakdown> {
    let mut changes: Vec<(Micros, i64)> = Vec::new();
    let times = |activity: &Activity| {
        let start = run.times_us[activity.start]?;
        Some((start, run.times_us[activity.end]?))
    };
    for activity in &narrative.spec().activities {
        let mut demands = activity.demands.iter();
        let demand = demands.find(|demand| demand.resource == resource);
        if let (Some(demand), Some((start, end))) = (demand, times(activity)) {
            let amount = i64::from(demand.amount);
            if demand.consumed {
                changes.push((start, amount));
            } else if start < end {
                changes.extend([(start, amount), (end, -amount)]);
            }
        }
    }
    changes.sort_unstable();
    let capacity = narrative.spec().resources[resource].capacity;
    let mut amount = 0;
    for (time_us, change) in changes {
        amount += change;
        if amount > i64::from(capacity) {
            return Some(Breakdown::Overload {
                resource,
                amount: amount.unsigned_abs(),
                time_us,
                capacity,
            });
        }
    }
    None
}
