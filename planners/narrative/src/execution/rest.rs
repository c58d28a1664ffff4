//! The rest of a story: what has happened leaves of it, without what cannot be satisfied.

use super::{Execution, Facts, made};
use crate::problem::{CAPACITY_MAX, Micros, Narrative, Node, Progress, Source, Spec, TIME_MAX_US};

impl Execution {
    /// The rest of the story. `None`: its durations have become too long to be added up, or the
    /// picks leave no storyline.
    #[must_use]
    pub fn rest(&self) -> Option<Narrative> {
        let mut spec = self.narrative.spec().clone();
        let Facts { progress, picks } = &self.facts;
        spec.progress = Progress {
            now_us: progress.now_us,
            happened: progress.happened().collect(),
            made: made(picks).collect(),
        };
        for source in &self.broken {
            match *source {
                Source::LinkUpper(at) => spec.links[at].upper_us = Some(TIME_MAX_US),
                Source::LinkLower(at) => self.drop_lower(at, &mut spec),
                _ => spec.horizon_us = None,
            }
        }
        for link in &mut spec.contingent {
            *link = progress.left(*link, TIME_MAX_US);
        }
        for resource in 0..spec.resources.len() {
            let used = self.used(resource);
            let capacity = &mut spec.resources[resource].capacity;
            *capacity = used.max(*capacity);
        }
        Narrative::new(spec).ok()
    }

    /// Drops a lower bound: of an activity no further than to what it took. One that has ended
    /// without a start is left as it is: its start is missing.
    fn drop_lower(&self, at: usize, spec: &mut Spec) {
        let link = &mut spec.links[at];
        let [begin, end] = [link.from, link.to].map(|node| self.facts.progress.time(node));
        let taken = begin.zip(end).map(|(begin, end)| end - begin);
        let ends = (link.from, link.to);
        let mut activities = spec.activities.iter();
        let is_activity = activities.any(|activity| (activity.start, activity.end) == ends);
        link.lower_us = match taken {
            Some(taken_us) if taken_us >= 0 => Some(taken_us),
            _ if is_activity => link.lower_us,
            _ => Some(-TIME_MAX_US),
        };
        if link.lower_us < Some(0) {
            spec.waiting.retain(|waiting| *waiting != at);
        }
    }

    /// The largest amount of a resource that was in use at once.
    fn used(&self, resource: usize) -> u32 {
        let progress = &self.facts.progress;
        let mut changes: Vec<(Micros, i64)> = Vec::new();
        for activity in &self.narrative.spec().activities {
            let mut demands = activity.demands.iter();
            let demand = demands.find(|demand| demand.resource == resource);
            let (Some(demand), Some(start)) = (demand, progress.time(activity.start)) else {
                continue;
            };
            let end = progress.time(activity.end).filter(|_| !demand.consumed);
            let amount = i64::from(demand.amount);
            changes.push((start, amount));
            changes.extend(end.map(|end| (end, -amount)));
        }
        // What ends makes room for what starts then.
        changes.sort_unstable();
        let (mut used, mut most) = (0_i64, 0);
        for (_, change) in changes {
            used += change;
            most = most.max(used);
        }
        u32::try_from(most).unwrap_or(CAPACITY_MAX)
    }

    pub(super) fn find_broken(&self) -> Vec<Source> {
        let spec = self.narrative.spec();
        let progress = &self.facts.progress;
        let is_sure = |node: Node| self.facts.is_sure(node, spec);
        let links = spec.links.iter().enumerate();
        let links = links.filter(|(_, link)| is_sure(link.from) && is_sure(link.to));
        let bounds = links.flat_map(|(at, link)| {
            let [lower, upper] = progress.broken_bounds(link);
            let upper = upper.then_some(Source::LinkUpper(at));
            [upper, lower.then_some(Source::LinkLower(at))]
                .into_iter()
                .flatten()
        });
        let horizon_us = spec.horizon_us.unwrap_or(Micros::MAX);
        let mut nodes = (1..self.narrative.nodes()).filter(|node| is_sure(*node));
        let missed =
            nodes.find(|node| progress.time(*node).unwrap_or(progress.now_us) > horizon_us);
        bounds.chain(missed.map(Source::Horizon)).collect()
    }
}

/// Whether the rest of a story is without a bound that the story has.
pub(super) fn is_dropped(story: &Narrative, rest: &Narrative, source: Source) -> bool {
    let (story, rest) = (story.spec(), rest.spec());
    match source {
        Source::LinkUpper(at) => rest.links[at].upper_us != story.links[at].upper_us,
        Source::LinkLower(at) => rest.links[at].lower_us != story.links[at].lower_us,
        _ => rest.horizon_us.is_none(),
    }
}
