//! Routes that are being searched, and what they cost.

use super::ground::{Ground, Kind};
use super::timing::UNTIMED_US;
use crate::plan::{Plan, Rest, Route, Stop, Terms};
use crate::problem::{MICRO, Micros};
use crate::solve::model::{FAR, NONE};
use crate::solve::scale::Scale;

/// Routes as linked lists, and the earliest times at which everything can start.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// The node after each; of one that is in no route it means nothing.
    pub(super) next: Vec<u32>,
    pub(super) prev: Vec<u32>,
    /// The agent on whose route a node is, or [`NONE`].
    pub(super) agent: Vec<u32>,
    pub(super) times_us: Vec<Micros>,
    pub(super) sums: Sums,
    /// Travel and work of each agent.
    pub(super) busy_us: Vec<Micros>,
    pub(super) work: Work,
    /// What terms weigh in the search.
    pub(super) scale: Scale,
}

/// Travel and work of the busiest and of the least busy of some agents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    most_us: Micros,
    least_us: Micros,
}

impl Extent {
    const NOBODY: Self = Self {
        most_us: Micros::MIN,
        least_us: Micros::MAX,
    };

    /// The same with another agent, which is busy for so long.
    pub(super) fn and(self, busy_us: Micros) -> Self {
        Self {
            most_us: self.most_us.max(busy_us),
            least_us: self.least_us.min(busy_us),
        }
    }

    /// How much longer the busiest is busy than the least busy.
    pub(super) fn balance_us(self) -> Micros {
        self.most_us - self.least_us
    }
}

/// Sums over all that is done, and what is left out.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Sums {
    pub(super) travel_micro: i64,
    pub(super) lateness_us: Micros,
    /// Of starts too late only.
    pub(super) wishes_micro: i64,
    pub(super) moved: i64,
    pub(super) used: i64,
    pub(super) unserved: i64,
    pub(super) drop_micro: i64,
}

/// What is only used within one change.
#[derive(Debug, Clone, Default)]
pub(super) struct Work {
    /// Nodes whose times have changed, first in first out, and where the next one is.
    pub(super) queue: Vec<u32>,
    pub(super) queued: Vec<bool>,
    /// Times as they were before.
    pub(super) log: Vec<(u32, Micros)>,
    /// Starts that had to wait for a window.
    pub(super) waits: usize,
}

/// A state to return to, as long as what was linked since is unlinked in the reverse order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    sums: Sums,
    log: usize,
}

impl State {
    /// Nobody does anything.
    pub(super) fn new(ground: &Ground<'_>) -> Self {
        let nodes = ground.nodes();
        let mut state = Self {
            next: vec![NONE; nodes],
            prev: vec![NONE; nodes],
            agent: vec![NONE; nodes],
            times_us: vec![0; nodes],
            sums: Sums::default(),
            busy_us: vec![0; ground.model.workers.len()],
            work: Work {
                queued: vec![false; nodes],
                ..Work::default()
            },
            scale: ground.model.scale,
        };
        for (agent, worker) in ground.model.workers.iter().enumerate() {
            let (first, last) = (ground.first(agent), ground.last(agent));
            state.next[first as usize] = last;
            state.prev[last as usize] = first;
            for node in [first, last] {
                state.agent[node as usize] = agent as u32;
            }
            state.times_us[first as usize] = worker.leaves_us;
            state.times_us[last as usize] = UNTIMED_US;
        }
        for job in &ground.model.jobs {
            state.sums.leave(job.penalty_micro, 1);
        }
        state
    }

    pub(super) fn copy(&mut self, from: &Self) {
        self.next.clone_from(&from.next);
        self.prev.clone_from(&from.prev);
        self.agent.clone_from(&from.agent);
        self.times_us.clone_from(&from.times_us);
        self.busy_us.clone_from(&from.busy_us);
        self.sums = from.sums;
    }

    pub(super) fn is_done(&self, node: u32) -> bool {
        self.agent[node as usize] != NONE
    }

    /// Whether some task is not done.
    pub(super) fn leaves_out(&self) -> bool {
        self.sums.unserved > 0 || self.sums.drop_micro > 0
    }

    pub(super) fn is_used(&self, ground: &Ground<'_>, agent: usize) -> bool {
        self.onward(ground, self.next[ground.first(agent) as usize]) != ground.last(agent)
    }

    /// The first node that is no break, from `node` on.
    pub(super) fn onward(&self, ground: &Ground<'_>, mut node: u32) -> u32 {
        while ground.is_break(node) {
            node = self.next[node as usize];
        }
        node
    }

    /// The last node that is no break, up to `node`.
    pub(super) fn back(&self, ground: &Ground<'_>, mut node: u32) -> u32 {
        while ground.is_break(node) {
            node = self.prev[node as usize];
        }
        node
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            sums: self.sums,
            log: self.work.log.len(),
        }
    }

    /// Times and sums as they were.
    pub(super) fn restore(&mut self, mark: Mark) {
        while self.work.log.len() > mark.log {
            let Some((node, time_us)) = self.work.log.pop() else {
                break;
            };
            self.times_us[node as usize] = time_us;
        }
        self.sums = mark.sums;
    }

    /// Puts a node behind another. Times stay as they are.
    pub(super) fn link(&mut self, ground: &Ground<'_>, node: u32, behind: u32) {
        let agent = self.agent[behind as usize];
        let after = self.next[behind as usize];
        self.next[behind as usize] = node;
        self.prev[after as usize] = node;
        (self.prev[node as usize], self.next[node as usize]) = (behind, after);
        self.agent[node as usize] = agent;
        if let Kind::Task(task) = ground.kind(node) {
            self.sums.leave(ground.model.jobs[task].penalty_micro, -1);
            self.sums.moved += ground.model.change(node, agent as usize) as i64;
            self.pay(ground, node, 1);
        }
    }

    /// Takes a node off its route. Times stay as they are.
    pub(super) fn unlink(&mut self, ground: &Ground<'_>, node: u32) {
        let agent = self.agent[node as usize];
        let (before, after) = (self.prev[node as usize], self.next[node as usize]);
        if let Kind::Task(task) = ground.kind(node) {
            self.sums.leave(ground.model.jobs[task].penalty_micro, 1);
            self.sums.moved -= ground.model.change(node, agent as usize) as i64;
            self.pay(ground, node, -1);
            self.count(ground, node, -1);
        }
        self.next[before as usize] = after;
        self.prev[after as usize] = before;
        self.agent[node as usize] = NONE;
    }

    /// Travel cost and work of a task that is linked, or with a sign of -1 about to be unlinked.
    fn pay(&mut self, ground: &Ground<'_>, node: u32, sign: i64) {
        let before = self.back(ground, self.prev[node as usize]);
        let after = self.onward(ground, self.next[node as usize]);
        let agent = self.agent[node as usize] as usize;
        let is_alone = before == ground.first(agent) && after == ground.last(agent);
        self.sums.used += sign * i64::from(is_alone);
        let worker = &ground.model.workers[agent];
        let [from, here, to] = [before, node, after].map(|node| ground.place(node));
        let model = &ground.model;
        let mut travel = model.cost_micro(from, here) + model.cost_micro(here, to);
        if !is_alone {
            travel -= model.cost_micro(from, to);
        }
        self.sums.travel_micro += sign * travel;
        if ground.counts.balance {
            let mut busy_us = model.time_us(worker, from, here)
                + model.time_us(worker, here, to)
                + ground.length_us(node);
            if !is_alone {
                busy_us -= model.time_us(worker, from, to);
            }
            self.busy_us[agent] += sign * busy_us;
        }
    }

    /// Lateness of a task at its time.
    pub(super) fn count(&mut self, ground: &Ground<'_>, node: u32, sign: i64) {
        let start_us = self.times_us[node as usize];
        let job = &ground.model.jobs[node as usize];
        self.sums.lateness_us += sign * job.lateness_us(start_us);
        if let Some(wish) = &ground.wishes[node as usize] {
            let late = wish.cost_micro(start_us.max(wish.from_us));
            self.sums.wishes_micro = self.sums.wishes_micro.saturating_add(sign * late);
        }
    }

    /// What it costs, without what is too early.
    pub(super) fn terms(&self, ground: &Ground<'_>) -> Terms {
        let workers = 0..ground.model.workers.len();
        let mut terms = Terms {
            unserved_micro: self.sums.unserved * MICRO,
            drop_penalty_micro: self.sums.drop_micro,
            travel_cost_micro: self.sums.travel_micro,
            lateness_us: self.sums.lateness_us,
            agents_used_micro: self.sums.used * MICRO,
            preferences_micro: self.sums.wishes_micro,
            tasks_moved_micro: self.sums.moved * MICRO,
            ..Terms::default()
        };
        if ground.counts.makespan {
            let used = workers.filter(|agent| self.is_used(ground, *agent));
            let ends = used.map(|agent| self.times_us[ground.last(agent) as usize]);
            terms.makespan_us = ends.max().unwrap_or(0);
        }
        if ground.counts.balance {
            terms.balance_us = self.extent_without(&[]).balance_us();
        }
        terms
    }

    /// The same with what is too early.
    pub(super) fn all_terms(&self, ground: &Ground<'_>) -> Terms {
        let mut terms = self.terms(ground);
        if ground.counts.early {
            let done = (0..ground.tasks()).filter(|task| self.is_done(*task as u32));
            let early = done.map(|task| {
                let start_us = self.times_us[task];
                ground.wishes[task].map_or(0, |wish| wish.cost_micro(start_us.min(wish.until_us)))
            });
            terms.preferences_micro = early.fold(terms.preferences_micro, i64::saturating_add);
        }
        terms
    }

    /// The agents that alone make what the objective counts: the busiest and the least busy, and
    /// the one that is done last.
    pub(super) fn extremes(&self, ground: &Ground<'_>) -> [Option<usize>; 3] {
        let agents = 0..self.busy_us.len();
        let mut extremes = [None; 3];
        if ground.counts.balance {
            let busy_us = |agent: &usize| self.busy_us[*agent];
            extremes[0] = agents.clone().max_by_key(busy_us);
            extremes[1] = agents.clone().min_by_key(busy_us);
        }
        if ground.counts.makespan {
            let end_us = |agent: &usize| self.times_us[ground.last(*agent) as usize];
            let used = agents.filter(|agent| self.is_used(ground, *agent));
            extremes[2] = used.max_by_key(end_us);
        }
        extremes
    }

    /// Sums in place of what only the extreme agents make, as large as what all make together.
    pub(super) fn usual_terms(&self, ground: &Ground<'_>) -> Terms {
        let mut terms = self.all_terms(ground);
        terms.makespan_us *= self.sums.used;
        terms.balance_us = self.busy_us.iter().sum();
        terms
    }

    pub(super) fn energy(&self, ground: &Ground<'_>) -> f64 {
        self.scale.energy(&self.terms(ground))
    }

    /// How busy all agents are but these.
    pub(super) fn extent_without(&self, agents: &[usize]) -> Extent {
        let others = self.busy_us.iter().enumerate();
        let others = others.filter(|(agent, _)| !agents.contains(agent));
        others.fold(Extent::NOBODY, |extent, (_, busy_us)| extent.and(*busy_us))
    }

    /// Whether a way is there.
    pub(super) fn is_way(cost_micro: i64) -> bool {
        cost_micro < FAR
    }

    pub(super) fn plan(&self, ground: &Ground<'_>) -> Plan {
        let mut plan = Plan::default();
        for agent in 0..ground.model.workers.len() {
            if !self.is_used(ground, agent) {
                continue;
            }
            let mut route = Route {
                agent,
                ..Route::default()
            };
            let mut node = self.next[ground.first(agent) as usize];
            while node != ground.last(agent) {
                let start_us = self.times_us[node as usize];
                match ground.kind(node) {
                    Kind::Task(task) => route.stops.push(Stop { task, start_us }),
                    Kind::Break(index) => route.rests.push(Rest {
                        index,
                        stop: route.stops.len(),
                        start_us,
                    }),
                    Kind::First(_) | Kind::Last(_) => {}
                }
                node = self.next[node as usize];
            }
            plan.routes.push(route);
        }
        plan
    }
}

impl Sums {
    /// Counts a task as left out, or with a sign of -1 no longer.
    fn leave(&mut self, penalty_micro: Option<i64>, sign: i64) {
        match penalty_micro {
            None => self.unserved += sign,
            Some(penalty) => self.drop_micro += sign * penalty,
        }
    }
}
