//! What can happen next, and when.

use super::super::network::{Bound, Network, possible};
use crate::plan::{Policy, Wait};
use crate::problem::{Contingent, Micros, Narrative, Node};

/// Rules of all policies that are still possible, and what the times so far leave of them.
pub(super) struct Front {
    /// By node: the bounds that begin or end there.
    bounds: Vec<Vec<Bound>>,
    /// By node: what it waits for.
    waits: Vec<Vec<Wait>>,
    /// By node: nodes that have to happen before it, or at the same time.
    before: Vec<usize>,
    /// By node: those of them that have to happen some time before it.
    long_before: Vec<usize>,
    earliest: Vec<Micros>,
    latest: Vec<Micros>,
    /// By node: all nodes that can only happen with it, itself included.
    together: Vec<Vec<Node>>,
}

/// Nodes that we decide about, and ends of links that take no time from them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Ours {
    /// By node: whether we decide about it.
    pub(super) sure: Vec<bool>,
    /// With the ends of such links.
    nodes: Vec<bool>,
    /// From start to end and back, of each such link.
    instant: Vec<Bound>,
}

impl Ours {
    pub(super) fn new(narrative: &Narrative) -> Self {
        let links = &narrative.spec().contingent;
        let mut sure = vec![true; narrative.nodes()];
        for link in links {
            sure[link.to] = false;
        }
        let mut ours = Self {
            nodes: sure.clone(),
            sure,
            instant: Vec::new(),
        };
        loop {
            let mut all = links.iter().enumerate();
            let next = all.find(|(contingent, link)| {
                let instant = possible(narrative, *contingent).1 == 0;
                instant && ours.nodes[link.from] && !ours.nodes[link.to]
            });
            let Some((_, link)) = next else {
                return ours;
            };
            ours.nodes[link.to] = true;
            for (from, to) in [(link.from, link.to), (link.to, link.from)] {
                ours.instant.push(Bound { from, to, most: 0 });
            }
        }
    }
}

impl Front {
    /// `times`: what has happened; `agreed`: nodes that are the same in all these policies.
    pub(super) fn new<'a>(
        policies: impl Iterator<Item = (&'a Network, &'a Policy)>,
        times: &[Option<Micros>],
        (ours, agreed): (&Ours, &[bool]),
    ) -> Self {
        let nodes = times.len();
        let mut all = ours.instant.clone();
        let mut waits = vec![Vec::new(); nodes];
        for (network, policy) in policies {
            all.extend(network.bounds.iter().copied());
            for wait in &policy.waits {
                waits[wait.node].push(*wait);
            }
        }
        all.sort_unstable();
        all.dedup();
        // What has happened waits for nothing any more; what depends on a choice waits for it.
        let open = (0..nodes).map(|node| {
            let decided = !ours.sure[node] || agreed[node];
            ours.nodes[node] && times[node].is_none() && decided
        });
        let open: Vec<bool> = open.collect();
        let together = together(&all, &open);
        let mut front = Self {
            bounds: vec![Vec::new(); nodes],
            waits,
            before: vec![0; nodes],
            long_before: vec![0; nodes],
            earliest: vec![Micros::MIN; nodes],
            latest: vec![Micros::MAX; nodes],
            together,
        };
        for bound in all {
            if front.is_before(&bound) {
                front.before[bound.from] += 1;
                front.long_before[bound.from] += usize::from(bound.most < 0);
            }
            for node in [bound.from, bound.to] {
                front.bounds[node].push(bound);
            }
        }
        for (node, time) in times.iter().enumerate() {
            if let Some(time) = time {
                front.happens(node, *time);
            }
        }
        front
    }

    /// Whether a bound makes its first node wait for its second.
    fn is_before(&self, bound: &Bound) -> bool {
        bound.most <= 0 && !self.together[bound.from].contains(&bound.to)
    }

    /// Notes the time of a node.
    pub(super) fn happens(&mut self, node: Node, time: Micros) {
        for at in 0..self.bounds[node].len() {
            let bound = self.bounds[node][at];
            if bound.to == node {
                let earliest = &mut self.earliest[bound.from];
                *earliest = (*earliest).max(time - bound.most);
                if self.is_before(&bound) {
                    self.before[bound.from] -= 1;
                    self.long_before[bound.from] -= usize::from(bound.most < 0);
                }
            } else {
                let latest = &mut self.latest[bound.to];
                *latest = (*latest).min(time + bound.most);
            }
        }
    }

    /// What happens together with a node.
    pub(super) fn with(&self, node: Node) -> &[Node] {
        &self.together[node]
    }

    /// The latest time of a node, as far as it is known.
    pub(super) fn latest(&self, node: Node) -> Micros {
        self.latest[node]
    }

    /// The earliest time of a node and of all that happen with it, when all that has to happen
    /// before it has; `None`: not yet known.
    pub(super) fn earliest(
        &self,
        node: Node,
        times: &[Option<Micros>],
        links: &[Contingent],
    ) -> Option<Micros> {
        let ready = self.together[node]
            .iter()
            .all(|node| self.before[*node] == 0);
        ready
            .then(|| self.earliest_of(node, times, links))
            .flatten()
    }

    /// The latest time of a node and of all that happen with it, when what has not happened of what
    /// has to happen before may also happen at the same time; its earliest, if nothing says how
    /// late it may be. `None`: not yet known.
    pub(super) fn last_call(
        &self,
        node: Node,
        times: &[Option<Micros>],
        links: &[Contingent],
    ) -> Option<Micros> {
        let with = &self.together[node];
        let ready = with.iter().all(|node| self.long_before[*node] == 0);
        let earliest = ready
            .then(|| self.earliest_of(node, times, links))
            .flatten()?;
        let latest = with.iter().map(|node| self.latest[*node]).min()?;
        Some(match latest {
            Micros::MAX => earliest,
            latest => earliest.max(latest),
        })
    }

    fn earliest_of(
        &self,
        node: Node,
        times: &[Option<Micros>],
        links: &[Contingent],
    ) -> Option<Micros> {
        let mut earliest = Micros::MIN;
        for &node in &self.together[node] {
            earliest = earliest.max(self.earliest[node]);
            for wait in &self.waits[node] {
                let link = links[wait.contingent];
                if times[link.to].is_none() {
                    earliest = earliest.max(times[link.from]? + wait.least_us);
                }
            }
        }
        Some(earliest)
    }
}

/// For each node those nodes of ours, open ones, that have to happen at the same time because each
/// has to happen at or before another.
fn together(bounds: &[Bound], open: &[bool]) -> Vec<Vec<Node>> {
    let mut next = vec![Vec::new(); open.len()];
    for bound in bounds {
        if bound.most == 0 && open[bound.from] && open[bound.to] {
            next[bound.from].push(bound.to);
        }
    }
    let reached = |from: Node| {
        let mut reached = vec![false; open.len()];
        let mut left = vec![from];
        while let Some(node) = left.pop() {
            for &to in &next[node] {
                if !std::mem::replace(&mut reached[to], true) {
                    left.push(to);
                }
            }
        }
        reached
    };
    let all: Vec<Vec<bool>> = (0..open.len()).map(reached).collect();
    let with = |node: Node| {
        let others = 0..open.len();
        let with = others.filter(|other| *other == node || all[node][*other] && all[*other][node]);
        with.collect()
    };
    (0..open.len()).map(with).collect()
}
