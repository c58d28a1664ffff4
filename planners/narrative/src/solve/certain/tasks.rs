//! A story in which nothing varies, or one outcome of a story, as tasks and lags.
//!
//! Nodes whose differences are fixed move as one: a *group*. Each activity that competes is a task;
//! every other group hangs on a task by a lag, or is a task that needs nothing.

use super::super::precedences::{OrderingProblem, ResourceUsers, shares};
use crate::problem::{Micros, ORIGIN};
use cp::rcpsp::{Activity, Demand, Lag, Point, Project, Schedule, TIME_MAX};
use std::collections::BTreeMap;
use stn::{Closure, Edge};

/// Where a group hangs: the node at `offset` in it happens at `point`.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    point: Point,
    offset: Micros,
}

/// Project, and how to read schedules of it.
#[derive(Debug)]
pub(super) struct Certain {
    pub(super) project: Project,
    /// Who competes for what.
    shares: Vec<ResourceUsers>,
    /// By node: its point, and how much later than that it happens.
    places: Vec<(Point, Micros)>,
    /// By task: the nodes of its start and its end.
    spans: Vec<(usize, usize)>,
    closure: Closure,
}

/// Everything of a joint network as it is turned into tasks.
struct Draft {
    nodes: usize,
    edges: Vec<Edge>,
    closure: Closure,
    /// By node: its group, and how much later than the first of the group it happens.
    groups: Vec<(usize, Micros)>,
    /// By group.
    anchors: Vec<Option<Anchor>>,
    /// By task.
    spans: Vec<(usize, usize)>,
    project: Project,
}

impl Certain {
    /// The tasks of a question when durations are longest. `None`: an activity may take no time at
    /// all, which tasks model differently; times are too large; infeasible; or stopped.
    pub(super) fn new(
        question: &OrderingProblem<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let joint = question.joint;
        let mut edges = joint.requirements.clone();
        for link in &joint.contingents {
            edges.push(Edge::new(link.from, link.to, link.upper, 0));
            edges.push(Edge::new(link.to, link.from, -link.upper, 0));
        }
        let closure = Closure::new_within(joint.nodes, &edges, go_on).ok()??;
        let shares = shares(question.story, joint, question.skeletons);
        let mut shares: Vec<ResourceUsers> = shares.into_iter().flatten().collect();
        shares.retain(|share| !share.fits());
        let takes_time = |share: &ResourceUsers| {
            let mut users = share.users.iter();
            users.all(|user| {
                user.consumed || closure.row(user.end as usize)[user.start as usize] < 0
            })
        };
        if !shares.iter().all(takes_time) {
            return None;
        }
        let horizon = horizon(&closure, &edges).filter(|horizon| *horizon <= TIME_MAX)?;
        let (groups, count) = groups(&closure);
        let mut draft = Draft {
            nodes: joint.nodes,
            edges,
            closure,
            groups,
            anchors: vec![None; count],
            spans: Vec::new(),
            project: Project {
                capacities: shares.iter().map(|s| i64::from(s.capacity)).collect(),
                horizon,
                ..Project::default()
            },
        };
        draft.add_all(&shares);
        let place = |node: usize| draft.place(node);
        Some(Self {
            places: (0..draft.nodes).map(place).collect(),
            project: draft.project,
            spans: draft.spans,
            closure: draft.closure,
            shares,
        })
    }

    /// When each node happens.
    pub(super) fn times(&self, schedule: &Schedule) -> Vec<Micros> {
        let time = |(point, plus): &(Point, Micros)| match point {
            Point::Start(task) => schedule.starts[*task] + plus,
            Point::End(task) => schedule.ends[*task] + plus,
        };
        self.places.iter().map(time).collect()
    }

    /// The schedule with nodes at these times.
    pub(super) fn schedule(&self, times: &[Micros]) -> Schedule {
        let time = |node: usize| times[node];
        Schedule {
            starts: self.spans.iter().map(|span| time(span.0)).collect(),
            ends: self.spans.iter().map(|span| time(span.1)).collect(),
            modes: Vec::new(),
            makespan: times.iter().copied().max().unwrap_or(0),
        }
    }

    /// Orders that a schedule keeps, and that leave no resource overloaded: those that do not
    /// follow from others.
    pub(super) fn orders(&self, times: &[Micros]) -> Vec<Edge> {
        let mut all = BTreeMap::new();
        for share in &self.shares {
            let size = share.users.len();
            let when = |node: u32| times[node as usize];
            let done = |first: usize, second: usize| {
                let order = share.order(first, second).filter(|_| first != second);
                order.filter(|order| when(order.end) <= when(order.start))
            };
            for (first, second) in (0..size).flat_map(|a| (0..size).map(move |b| (a, b))) {
                let Some(order) = done(first, second) else {
                    continue;
                };
                let between =
                    |middle: usize| done(first, middle).is_some() && done(middle, second).is_some();
                let most = self.closure.row(order.start as usize)[order.end as usize];
                if most > 0 && !(0..size).any(between) {
                    let name = all.len() as u32;
                    all.entry(order)
                        .or_insert(Edge::new(order.start, order.end, 0, name));
                }
            }
        }
        all.into_values().collect()
    }
}

impl Draft {
    fn add_all(&mut self, shares: &[ResourceUsers]) {
        // The origin first: its group is fixed in time.
        self.anchor_group(ORIGIN);
        self.project.activities[0].deadline = Some(self.project.activities[0].longest);
        for ((start, end), demands) in held(shares) {
            self.add_activity(start, end, demands);
        }
        for node in 0..self.nodes {
            if self.anchors[self.groups[node].0].is_none() {
                self.anchor_group(node);
            }
        }
        self.add_ends();
        self.add_lags();
    }

    /// The least and the most that `to` is after `from`.
    fn span(&self, from: usize, to: usize) -> (Micros, Micros) {
        let least = self.closure.get(to, from).map_or(0, |most| -most);
        let most = self.closure.get(from, to);
        (least, most.unwrap_or(self.project.horizon))
    }

    /// The earliest and the latest time of a node.
    fn window(&self, node: usize) -> (Micros, Micros) {
        let (earliest, latest) = self.span(ORIGIN, node);
        (earliest.max(0), latest.min(self.project.horizon))
    }

    /// Anchors the group of a node to a task of its own, from its first node to its last.
    fn anchor_group(&mut self, node: usize) {
        let group = self.groups[node].0;
        let members = || (0..self.nodes).filter(|node| self.groups[*node].0 == group);
        let offset = |node: &usize| self.groups[*node].1;
        let first = members().find(|node| offset(node) == 0).unwrap_or(node);
        let last = members().max_by_key(offset).unwrap_or(node);
        let lasts = offset(&last);
        let task = Activity {
            shortest: lasts,
            longest: lasts,
            release: self.window(first).0,
            deadline: Some(self.window(last).1),
            ..Activity::default()
        };
        self.anchors[group] = Some(Anchor {
            point: Point::Start(self.project.activities.len()),
            offset: 0,
        });
        self.project.activities.push(task);
        self.spans.push((first, last));
    }

    fn add_activity(&mut self, start: usize, end: usize, demands: Vec<Demand>) {
        let index = self.project.activities.len();
        let (shortest, longest) = self.span(start, end);
        self.spans.push((start, end));
        self.project.activities.push(Activity {
            shortest: shortest.max(0),
            longest,
            release: self.window(start).0,
            deadline: Some(self.window(end).1),
            demands,
            modes: Vec::new(),
        });
        for (node, point) in [(start, Point::Start(index)), (end, Point::End(index))] {
            let (group, offset) = self.groups[node];
            if let Some(anchor) = self.anchors[group] {
                // Already somewhere else, or at the other end of this very task.
                if anchor.point != Point::Start(index) {
                    self.tie(Anchor { point, offset }, anchor);
                }
            } else {
                self.anchors[group] = Some(Anchor { point, offset });
            }
        }
    }

    /// Fixes another point of a group to the one where the group hangs.
    fn tie(&mut self, other: Anchor, anchor: Anchor) {
        let Anchor { point, offset } = other;
        let lag = |from, to, least| Lag { from, to, least };
        let after = offset - anchor.offset;
        let back = lag(point, anchor.point, -after);
        // That nothing is before the origin is said by releases.
        if anchor.point != Point::Start(0) {
            self.project.lags.push(lag(anchor.point, point, after));
        } else if let (Point::End(_), true) = (point, after > 0) {
            self.project.lags.push(lag(anchor.point, point, after));
        }
        self.project.lags.push(back);
    }

    /// A node's point, and how much later than that it happens.
    fn place(&self, node: usize) -> (Point, Micros) {
        let (group, offset) = self.groups[node];
        let anchor = self.anchors[group].expect("all groups hang somewhere");
        (anchor.point, offset - anchor.offset)
    }

    /// Activities that end with the last node of each group, so that the makespan is that of all
    /// nodes.
    fn add_ends(&mut self) {
        let mut last = BTreeMap::new();
        for node in 0..self.nodes {
            let (point, plus) = self.place(node);
            let most = last.entry(point).or_insert((plus, node));
            *most = (*most).max((plus, node));
        }
        for (point, (plus, node)) in last {
            let lasts = match point {
                Point::Start(task) => self.project.activities[task].shortest,
                Point::End(_) => 0,
            };
            if plus > lasts {
                let (earliest, latest) = self.window(node);
                let to = Point::Start(self.project.activities.len());
                self.project.lags.push(Lag {
                    from: point,
                    to,
                    least: plus,
                });
                self.spans.push((node, node));
                self.project.activities.push(Activity {
                    release: earliest,
                    deadline: Some(latest),
                    ..Activity::default()
                });
            }
        }
    }

    /// Lags for all bounds that do not follow from the tasks by themselves.
    fn add_lags(&mut self) {
        let mut lags = BTreeMap::new();
        for edge in &self.edges {
            let (late, early) = (edge.from as usize, edge.to as usize);
            if self.groups[late].0 == self.groups[early].0 {
                continue;
            }
            // time(late) >= time(early) - weight.
            let ((from, more), (to, less)) = (self.place(early), self.place(late));
            let least = more - edge.weight - less;
            if self.follows(from, to, least) {
                continue;
            }
            let known = lags.entry((from, to)).or_insert(least);
            *known = least.max(*known);
        }
        let lag = |((from, to), least)| Lag { from, to, least };
        self.project.lags.extend(lags.into_iter().map(lag));
    }

    /// Whether releases, deadlines and durations say as much.
    fn follows(&self, from: Point, to: Point, least: Micros) -> bool {
        let task = |at: usize| &self.project.activities[at];
        let earliest = |point: Point| match point {
            Point::Start(at) => task(at).release,
            Point::End(at) => task(at).release + task(at).shortest,
        };
        let latest = |point: Point| {
            let end = |at: usize| task(at).deadline.unwrap_or(self.project.horizon);
            match point {
                Point::Start(at) => end(at) - task(at).shortest,
                Point::End(at) => end(at),
            }
        };
        match (from, to) {
            (Point::Start(a), Point::End(b)) if a == b && least <= task(a).shortest => true,
            (Point::End(a), Point::Start(b)) if a == b && -least >= task(a).longest => true,
            _ => latest(from) + least <= earliest(to),
        }
    }
}

/// By start and end: what activities that last from one to the other hold; consumers by themselves.
fn held(shares: &[ResourceUsers]) -> Vec<((usize, usize), Vec<Demand>)> {
    let mut all: BTreeMap<(u32, u32, Option<usize>), BTreeMap<usize, Demand>> = BTreeMap::new();
    for (resource, share) in shares.iter().enumerate() {
        for user in &share.users {
            let alone = user.consumed.then_some(user.activity);
            let demands = all.entry((user.start, user.end, alone)).or_default();
            let demand = demands.entry(resource).or_insert(Demand {
                resource,
                amount: 0,
                consumed: user.consumed,
            });
            demand.amount += i64::from(user.amount);
        }
    }
    let tasks = all.into_iter().map(|((start, end, _), demands)| {
        let span = (start as usize, end as usize);
        (span, demands.into_values().collect())
    });
    tasks.collect()
}

/// Something that everything can happen by if it can at all: every node is as early as others let
/// it, over a path that leaves each node once.
fn horizon(closure: &Closure, edges: &[Edge]) -> Option<Micros> {
    let nodes = closure.nodes();
    let mut longest = vec![0; nodes];
    for edge in edges {
        let after = &mut longest[edge.to as usize];
        *after = (-edge.weight).max(*after);
    }
    let sum: i128 = longest.iter().map(|time| i128::from(*time)).sum();
    let latest = (0..nodes).map(|node| closure.get(ORIGIN, node));
    let latest: Option<Vec<Micros>> = latest.collect();
    let latest = latest.and_then(|all| all.into_iter().max());
    let sum = i64::try_from(sum).ok();
    match (sum, latest) {
        (Some(sum), Some(latest)) => Some(sum.min(latest)),
        (sum, latest) => sum.or(latest),
    }
}

/// By node its group and its offset in it, which is 0 for the first; and how many groups there are.
fn groups(closure: &Closure) -> (Vec<(usize, Micros)>, usize) {
    let nodes = closure.nodes();
    let mut groups: Vec<Option<(usize, Micros)>> = vec![None; nodes];
    let mut count = 0;
    for first in 0..nodes {
        if groups[first].is_some() {
            continue;
        }
        let fixed = |node: &usize| {
            let (there, back) = (closure.get(first, *node), closure.get(*node, first));
            there.is_some_and(|there| Some(-there) == back)
        };
        let members: Vec<usize> = (first..nodes).filter(fixed).collect();
        let offset = |node: usize| closure.get(first, node).unwrap_or(0);
        let least = members.iter().map(|node| offset(*node)).min().unwrap_or(0);
        for node in members {
            groups[node] = Some((count, offset(node) - least));
        }
        count += 1;
    }
    let grouped = groups.into_iter().map(Option::unwrap_or_default);
    (grouped.collect(), count)
}
