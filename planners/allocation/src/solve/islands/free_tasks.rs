//! The tasks that islands plan, and what is near them.

use super::instance::NIL;
use crate::solve::SearchContext;
use crate::solve::model::{Load, Model, Progress, fits};
use crate::solve::neighbourhood::Ranking;
use std::borrow::Cow;
use std::ops::Range;

/// Tasks of a cluster: their arcs to a task share few cache lines.
const CLUSTER: usize = 16;
/// Most starts near a task.
const STARTS_MAX: usize = 8;

/// The tasks outside committed prefixes. Their nodes are numbered in the order of the tasks.
#[derive(Debug)]
pub(super) struct FreeTasks {
    /// By node, its task.
    pub(super) tasks: Vec<u32>,
    /// By task, its node; [`NIL`] in a committed prefix.
    nodes: Vec<u16>,
    /// The neighbours of the nodes, one after the other, and how many each has. Some are missing
    /// where the search was stopped.
    near: Vec<u16>,
    near_count: usize,
    /// By node, the agents with committed prefixes that go on nearest to it.
    near_agents: Vec<Vec<u16>>,
}

impl FreeTasks {
    /// `None`: `go_on`, which is called for each task, returned false.
    pub(super) fn new(
        context: &SearchContext<'_>,
        agents: &[Progress],
        mut go_on: impl FnMut() -> bool,
    ) -> Option<Self> {
        let model = &context.model;
        let (mut tasks, mut nodes) = (Vec::new(), Vec::new());
        for (task, job) in (0..).zip(&model.jobs) {
            nodes.push(if job.is_committed {
                NIL
            } else {
                tasks.push(task);
                (tasks.len() - 1) as u16
            });
        }
        let neighbourhood = if tasks.len() == nodes.len() {
            Cow::Borrowed(&context.neighbourhood)
        } else {
            Cow::Owned(Ranking::new(model, tasks.clone()).finish(&mut go_on))
        };
        let near = (0..tasks.len() as u32).flat_map(|node| neighbourhood.neighbours(node));
        let near = near.map(|other| *other as u16).collect();
        let near_count = neighbourhood.neighbours(0).len();
        let goes_on = |progress: &Progress| progress.has_begun() && !progress.start.is_over;
        let begun = (0..).zip(agents).filter(|(_, agent)| goes_on(agent));
        let begun: Vec<(u16, &Progress)> = begun.collect();
        let near_agents = tasks.iter();
        let near_agents =
            near_agents.map(|task| go_on().then(|| nearest_agents(model, &begun, *task)));
        let near_agents = near_agents.collect::<Option<_>>()?;
        Some(Self {
            tasks,
            nodes,
            near,
            near_count,
            near_agents,
        })
    }

    pub(super) fn count(&self) -> usize {
        self.tasks.len()
    }

    /// The node of a task outside committed prefixes.
    pub(super) fn node(&self, task: u32) -> u16 {
        self.nodes[task as usize]
    }

    /// The neighbours of a node, the nearest first.
    #[inline]
    pub(super) fn neighbours(&self, node: u16) -> &[u16] {
        self.near.get(self.span(node)).unwrap_or_default()
    }

    /// Where the neighbours of a node are among those of all.
    #[inline]
    pub(super) fn span(&self, node: u16) -> Range<usize> {
        let begin = usize::from(node) * self.near_count;
        begin..begin + self.near_count
    }

    /// The agents with committed prefixes from whose ends it costs least to go to a node.
    #[inline]
    pub(super) fn near_agents(&self, node: u16) -> &[u16] {
        &self.near_agents[node as usize]
    }

    /// The nodes in clusters of neighbours, each cluster next to the last: moves read arcs between
    /// neighbours, and matrices of 1,000 tasks exceed most caches.
    pub(super) fn clustered(&self) -> Vec<u16> {
        let count = self.count();
        let mut order: Vec<u16> = Vec::with_capacity(count);
        let mut is_ordered = vec![false; count];
        let mut next_unordered = 0;
        while order.len() < count {
            while is_ordered[next_unordered] {
                next_unordered += 1;
            }
            let recent = order.len().saturating_sub(CLUSTER);
            let mut near = order[recent..]
                .iter()
                .flat_map(|node| self.neighbours(*node));
            let seed = near.find(|node| !is_ordered[**node as usize]).copied();
            let seed = seed.unwrap_or(next_unordered as u16);
            let cluster = std::iter::once(&seed).chain(self.neighbours(seed));
            let cluster =
                cluster.filter(|node| !std::mem::replace(&mut is_ordered[**node as usize], true));
            order.extend(cluster.take(CLUSTER));
        }
        order
    }
}

/// Those of some agents that can do a task next, and from which the arc to it costs least.
fn nearest_agents(model: &Model<'_>, agents: &[(u16, &Progress)], task: u32) -> Vec<u16> {
    let job = &model.jobs[task as usize];
    let arc = |(agent, progress): &(u16, &Progress)| {
        let worker = &model.workers[usize::from(*agent)];
        let (here, there) = (progress.start.location, job.location);
        let arrival_us = progress.leaves_us + model.time_us(worker, here, there);
        let is_able = job.skills & !worker.skills == 0
            && arrival_us <= job.latest_us
            && fits(&Load::default(), &job.demand, &progress.room);
        is_able.then(|| (model.cost_micro(here, there), *agent))
    };
    let mut arcs: Vec<(i64, u16)> = agents.iter().filter_map(arc).collect();
    if arcs.len() > STARTS_MAX {
        arcs.select_nth_unstable(STARTS_MAX);
        arcs.truncate(STARTS_MAX);
    }
    arcs.sort_unstable();
    arcs.into_iter().map(|(_, agent)| agent).collect()
}
