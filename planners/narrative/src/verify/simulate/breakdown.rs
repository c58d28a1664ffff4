//! What can go wrong in a run, and the rules checked on its times.

use super::super::format::Time;
use super::Run;
use crate::plan::Plan;
use crate::problem::{Activity, Micros, Narrative, Node, ORIGIN};

/// The first thing that went wrong in a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Breakdown {
    /// Nothing can happen any more, but the story is not over.
    #[error("at {} nothing can happen any more, but node {node} has not happened", Time(*time_us))]
    Stuck { node: Node, time_us: Micros },
    /// An event that has to wait beyond its last moment.
    #[error(
        "node {node} cannot happen before {}, but may not after {}",
        Time(*time_us), Time(*latest_us)
    )]
    Late {
        node: Node,
        time_us: Micros,
        latest_us: Micros,
    },
    /// What happened has no policy.
    #[error("no policy is left at {}", Time(*time_us))]
    NoPolicy { time_us: Micros },
    /// A link whose bounds do not hold.
    #[error("link {link} took {}", Time(*taken_us))]
    LinkBroken { link: usize, taken_us: Micros },
    /// An event beyond the horizon or the makespan.
    #[error("node {node} happened at {}, after {}", Time(*time_us), Time(*latest_us))]
    AfterEnd {
        node: Node,
        time_us: Micros,
        latest_us: Micros,
    },
    /// Too much of a resource in use.
    #[error(
        "{amount} of resource {resource} are in use at {}, of which there are {capacity}",
        Time(*time_us)
    )]
    Overload {
        resource: usize,
        amount: u64,
        time_us: Micros,
        capacity: u32,
    },
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
