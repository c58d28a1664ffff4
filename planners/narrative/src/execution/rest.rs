//! The rest of a story: what has happened leaves of it, without what cannot be satisfied.

use super::{Execution, Facts, made};
use crate::problem::{Micros, Narrative, Node, Progress, Source, Spec, TIME_MAX_US};

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
            self.drop_overloads(resource, &mut spec);
        }
        if spec.objective.makespan == 0 && spec.horizon_us.is_none() {
            spec.horizon_us = Some(far_horizon(&spec));
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

    /// Drops the demands for a resource that overload it: those of activities that began when not
    /// enough was left.
    fn drop_overloads(&self, resource: usize, spec: &mut Spec) {
        let progress = &self.facts.progress;
        let capacity = u64::from(spec.resources[resource].capacity);
        let mut begun: Vec<(Micros, usize)> = Vec::new();
        for (at, activity) in spec.activities.iter().enumerate() {
            begun.extend(progress.time(activity.start).map(|start_us| (start_us, at)));
        }
        begun.sort_unstable();
        // Amounts that are held, and until when.
        let mut held: Vec<(u64, Micros)> = Vec::new();
        for (start_us, at) in begun {
            let activity = &mut spec.activities[at];
            let mut demands = activity.demands.iter();
            let Some(place) = demands.position(|demand| demand.resource == resource) else {
                continue;
            };
            let demand = activity.demands[place];
            let end_us = progress.time(activity.end).filter(|_| !demand.consumed);
            held.retain(|(_, until_us)| *until_us > start_us);
            let in_use = held.iter().map(|(amount, _)| amount).sum::<u64>();
            let amount = u64::from(demand.amount);
            if end_us == Some(start_us) {
                continue;
            }
            if in_use + amount > capacity {
                activity.demands.remove(place);
            } else {
                held.push((amount, end_us.unwrap_or(Micros::MAX)));
            }
        }
    }

    pub(super) fn find_broken(&self) -> Vec<Source> {
        let spec = self.narrative.spec();
        let progress = &self.facts.progress;
        let is_sure = |node: Node| self.facts.is_sure(node, spec);
        let links = spec.links.iter().enumerate();
        let broken = links.map(|(at, link)| (at, link, progress.broken_bounds(link)));
        let broken = broken.filter(|(_, link, broken)| {
            broken.contains(&true) && is_sure(link.from) && is_sure(link.to)
        });
        let bounds = broken.flat_map(|(at, _, [lower, upper])| {
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
        _ => rest.horizon_us != story.horizon_us,
    }
}

/// A horizon that every plan can keep: all that has to pass one after the other, twice, and a day.
fn far_horizon(spec: &Spec) -> Micros {
    const DAY_US: Micros = 86_400_000_000;
    let links = spec
        .links
        .iter()
        .flat_map(|link| [link.lower_us, link.upper_us]);
    let longest = spec.contingent.iter().map(|link| link.upper_us);
    let all = links.flatten().map(Micros::abs).chain(longest);
    let most_us = all.fold(DAY_US, |sum, us| sum.saturating_add(2 * us));
    most_us
        .saturating_add(spec.progress.now_us)
        .min(TIME_MAX_US)
}
