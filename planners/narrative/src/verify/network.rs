//! Networks of requirement and contingent links.

use crate::plan::Policy;
use crate::problem::{Micros, Narrative, Node, ORIGIN};

/// `time(to) - time(from) <= most`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bound {
    pub(super) from: Node,
    pub(super) to: Node,
    pub(super) most: Micros,
}

/// A duration that others pick, from `lower` to `upper`, and the contingent link it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Contingent {
    pub(super) contingent: usize,
    pub(super) from: Node,
    pub(super) to: Node,
    pub(super) lower: Micros,
    pub(super) upper: Micros,
}

impl Contingent {
    /// The duration as two bounds.
    pub(super) fn bounds(&self) -> [Bound; 2] {
        let (from, to) = (self.from, self.to);
        let most = self.upper;
        let back = Bound {
            from: to,
            to: from,
            most: -self.lower,
        };
        [Bound { from, to, most }, back]
    }
}

/// Bounds between nodes 0 to `nodes` - 1; node 0 is the origin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Network {
    pub(super) nodes: usize,
    pub(super) bounds: Vec<Bound>,
    pub(super) contingents: Vec<Contingent>,
}

impl Network {
    /// One storyline as given, with the progress made and the horizon: nothing of any policy.
    pub(super) fn storyline(narrative: &Narrative, picks: &[Option<usize>]) -> Self {
        let spec = narrative.spec();
        let present = presence(narrative, picks);
        let mut all = Self {
            nodes: narrative.nodes(),
            ..Self::default()
        };
        for link in &spec.links {
            if present[link.from] && present[link.to] {
                all.between(link.from, link.to, link.lower_us, link.upper_us);
            }
        }
        for node in (1..all.nodes).filter(|node| present[*node]) {
            let time = narrative.happened(node);
            let earliest = time.unwrap_or(spec.progress.now_us);
            all.between(ORIGIN, node, Some(earliest), time);
            if let Some(horizon) = spec.horizon_us {
                all.between(ORIGIN, node, None, Some(horizon));
            }
        }
        for (contingent, link) in spec.contingent.iter().enumerate() {
            if present[link.from] && present[link.to] {
                let (lower, upper) = possible(narrative, contingent);
                all.contingents.push(Contingent {
                    contingent,
                    from: link.from,
                    to: link.to,
                    lower,
                    upper,
                });
            }
        }
        all
    }

    /// One policy: its storyline with the outcomes for which it is meant, its order, what it keeps,
    /// and every event by the makespan. The policy is well formed.
    pub(super) fn policy(narrative: &Narrative, policy: &Policy, makespan: Micros) -> Self {
        let mut all = Self::storyline(narrative, &policy.picks);
        for duration in &mut all.contingents {
            (duration.lower, duration.upper) = outcomes(narrative, policy, duration.contingent);
        }
        let activities = &narrative.spec().activities;
        for &(first, second) in &policy.order {
            let (end, start) = (activities[first].end, activities[second].start);
            all.between(end, start, Some(0), None);
        }
        for kept in &policy.bounds {
            all.between(kept.from, kept.to, None, Some(kept.upper_us));
        }
        for node in (1..all.nodes).filter(|node| narrative.present(&policy.picks, *node)) {
            all.between(ORIGIN, node, None, Some(makespan));
        }
        all
    }

    fn between(&mut self, from: Node, to: Node, lower: Option<Micros>, upper: Option<Micros>) {
        let upper = upper.map(|most| Bound { from, to, most });
        let lower = lower.map(|least| Bound {
            from: to,
            to: from,
            most: -least,
        });
        // A bound between a node and itself is redundant or infeasible: only the latter stays.
        let said = [upper, lower].into_iter().flatten();
        self.bounds
            .extend(said.filter(|bound| from != to || bound.most < 0));
    }

    /// By node, the latest time at which it can happen: shortest paths from the origin, over bounds
    /// of which no cycle is negative; far beyond all times where there is no path.
    pub(super) fn latest(&self) -> Vec<Micros> {
        let mut latest = vec![Micros::MAX; self.nodes];
        latest[ORIGIN] = 0;
        for _ in 0..self.nodes {
            let mut changed = false;
            for bound in self.all_bounds() {
                let through = latest[bound.from].saturating_add(bound.most);
                if latest[bound.from] < Micros::MAX && through < latest[bound.to] {
                    latest[bound.to] = through;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        latest
    }

    /// All bounds, those of durations too.
    pub(super) fn all_bounds(&self) -> impl Iterator<Item = Bound> {
        let duration = self.contingents.iter().flat_map(Contingent::bounds);
        self.bounds.iter().copied().chain(duration)
    }
}

/// Which nodes are part of a storyline.
pub(super) fn presence(narrative: &Narrative, picks: &[Option<usize>]) -> Vec<bool> {
    let nodes = 0..narrative.nodes();
    nodes.map(|node| narrative.present(picks, node)).collect()
}

/// How long a contingent link can still take: what it took when it has ended, and no less than it
/// has lasted when it has begun.
pub(super) fn possible(narrative: &Narrative, contingent: usize) -> (Micros, Micros) {
    let spec = narrative.spec();
    let link = spec.contingent[contingent];
    let ends = (narrative.happened(link.from), narrative.happened(link.to));
    match ends {
        (Some(start), Some(end)) => (end - start, end - start),
        (Some(start), None) => {
            let lasted = spec.progress.now_us - start;
            (link.lower_us.max(lasted), link.upper_us)
        }
        (None, _) => (link.lower_us, link.upper_us),
    }
}

/// The outcomes for which a policy is meant, of those that can still be.
pub(super) fn outcomes(
    narrative: &Narrative,
    policy: &Policy,
    contingent: usize,
) -> (Micros, Micros) {
    let (lower, upper) = possible(narrative, contingent);
    let mut named = policy.outcomes.iter();
    match named.find(|named| named.contingent == contingent) {
        Some(named) => (lower.max(named.lower_us), upper.min(named.upper_us)),
        None => (lower, upper),
    }
}
