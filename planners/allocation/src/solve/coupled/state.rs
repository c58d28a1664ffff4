//! A plan during the search, with its cost.

use super::instance::{CoupledInstance, Kind};
use super::timing::UNTIMED_US;
use crate::plan::{Plan, Rest, Route, Stop, Terms};
use crate::problem::{MICRO, Micros};
use crate::solve::model::{NONE, UNREACHABLE};
use crate::solve::scale::Scale;

/// Routes as doubly linked lists, and the earliest times of all nodes.
#[derive(Debug, Clone)]
pub(crate) struct State {
    /// The next node of each; invalid for a node that is on no route.
    pub(super) next: Vec<u32>,
    pub(super) prev: Vec<u32>,
    /// The agent whose route has a node, or [`NONE`].
    pub(super) agent: Vec<u32>,
    pub(super) times_us: Vec<Micros>,
    pub(super) sums: Sums,
    /// Travel and work of each agent.
    pub(super) busy_us: Vec<Micros>,
    pub(super) work: Work,
    /// Weights of the terms.
    pub(super) scale: Scale,
}

/// Travel and work of the busiest and of the least busy of some agents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    most_us: Micros,
    least_us: Micros,
}

impl Extent {
    const EMPTY: Self = Self {
        most_us: Micros::MIN,
        least_us: Micros::MAX,
    };

    /// The extent with another agent.
    pub(super) fn with_agent(self, busy_us: Micros) -> Self {
        Self {
            most_us: self.most_us.max(busy_us),
            least_us: self.least_us.min(busy_us),
        }
    }

    /// Difference between the busiest and the least busy agent.
    pub(super) fn balance_us(self) -> Micros {
        self.most_us - self.least_us
    }
}

/// Sums over assigned and unassigned tasks.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Sums {
    pub(super) travel_micro: i64,
    pub(super) lateness_us: Micros,
    /// Of late starts only.
    pub(super) preferences_micro: i64,
    pub(super) moved: i64,
    pub(super) used: i64,
    pub(super) unserved: i64,
    pub(super) drop_micro: i64,
}

/// Scratch space of a change.
#[derive(Debug, Clone, Default)]
pub(super) struct Work {
    /// Nodes whose times have changed, first in first out.
    pub(super) queue: Vec<u32>,
    pub(super) queued: Vec<bool>,
    /// Log of changed times, to undo them.
    pub(super) log: Vec<(u32, Micros)>,
    /// Number of starts that waited for a window.
    pub(super) waits: usize,
}

/// A state to restore, once all nodes linked since are unlinked in reverse order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    sums: Sums,
    log: usize,
}

impl State {
    /// A state in which all tasks are unassigned.
    pub(super) fn new(instance: &CoupledInstance<'_>) -> Self {
        let nodes = instance.nodes();
        let mut state = Self {
            next: vec![NONE; nodes],
            prev: vec![NONE; nodes],
            agent: vec![NONE; nodes],
            times_us: vec![0; nodes],
            sums: Sums::default(),
            busy_us: vec![0; instance.model.workers.len()],
            work: Work {
                queued: vec![false; nodes],
                ..Work::default()
            },
            scale: instance.model.scale,
        };
        for (agent, worker) in instance.model.workers.iter().enumerate() {
            let (first, last) = (instance.first(agent), instance.last(agent));
            state.next[first as usize] = last;
            state.prev[last as usize] = first;
            for node in [first, last] {
                state.agent[node as usize] = agent as u32;
            }
            state.times_us[first as usize] = worker.leaves_us;
            state.times_us[last as usize] = UNTIMED_US;
        }
        for job in &instance.model.jobs {
            state.sums.count_unassigned(job.penalty_micro, 1);
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

    #[inline]
    pub(super) fn is_assigned(&self, node: u32) -> bool {
        self.agent[node as usize] != NONE
    }

    /// Whether some task is unassigned.
    pub(super) fn has_unassigned(&self) -> bool {
        self.sums.unserved > 0 || self.sums.drop_micro > 0
    }

    #[inline]
    pub(super) fn is_used(&self, instance: &CoupledInstance<'_>, agent: usize) -> bool {
        self.skip_breaks(instance, self.next[instance.first(agent) as usize])
            != instance.last(agent)
    }

    /// The first node from `node` on that is not a break.
    #[inline]
    pub(super) fn skip_breaks(&self, instance: &CoupledInstance<'_>, mut node: u32) -> u32 {
        while instance.is_break(node) {
            node = self.next[node as usize];
        }
        node
    }

    /// The last node up to `node` that is not a break.
    #[inline]
    pub(super) fn skip_breaks_back(&self, instance: &CoupledInstance<'_>, mut node: u32) -> u32 {
        while instance.is_break(node) {
            node = self.prev[node as usize];
        }
        node
    }

    #[inline]
    pub(super) fn mark(&self) -> Mark {
        Mark {
            sums: self.sums,
            log: self.work.log.len(),
        }
    }

    /// Restores times and sums.
    #[inline]
    pub(super) fn restore(&mut self, mark: Mark) {
        while self.work.log.len() > mark.log {
            let Some((node, time_us)) = self.work.log.pop() else {
                break;
            };
            self.times_us[node as usize] = time_us;
        }
        self.sums = mark.sums;
    }

    /// Inserts a node behind another. Does not change times.
    pub(super) fn link(&mut self, instance: &CoupledInstance<'_>, node: u32, behind: u32) {
        let agent = self.agent[behind as usize];
        let after = self.next[behind as usize];
        self.next[behind as usize] = node;
        self.prev[after as usize] = node;
        (self.prev[node as usize], self.next[node as usize]) = (behind, after);
        self.agent[node as usize] = agent;
        if let Kind::Task(task) = instance.kind(node) {
            self.sums
                .count_unassigned(instance.model.jobs[task].penalty_micro, -1);
            self.sums.moved += instance.model.change(node, agent as usize) as i64;
            self.count_travel(instance, node, 1);
        }
    }

    /// Removes a node from its route. Does not change times.
    pub(super) fn unlink(&mut self, instance: &CoupledInstance<'_>, node: u32) {
        let agent = self.agent[node as usize];
        let (before, after) = (self.prev[node as usize], self.next[node as usize]);
        if let Kind::Task(task) = instance.kind(node) {
            self.sums
                .count_unassigned(instance.model.jobs[task].penalty_micro, 1);
            self.sums.moved -= instance.model.change(node, agent as usize) as i64;
            self.count_travel(instance, node, -1);
            self.count_lateness(instance, node, -1);
        }
        self.next[before as usize] = after;
        self.prev[after as usize] = before;
        self.agent[node as usize] = NONE;
    }

    /// Adds travel cost and work of a linked task; with a sign of -1 subtracts them before it is
    /// unlinked.
    fn count_travel(&mut self, instance: &CoupledInstance<'_>, node: u32, sign: i64) {
        let before = self.skip_breaks_back(instance, self.prev[node as usize]);
        let after = self.skip_breaks(instance, self.next[node as usize]);
        let agent = self.agent[node as usize] as usize;
        let is_alone = before == instance.first(agent) && after == instance.last(agent);
        self.sums.used += sign * i64::from(is_alone);
        let worker = &instance.model.workers[agent];
        let model = &instance.model;
        let here = model.jobs[node as usize].location;
        let (from, to) = (instance.place(before), instance.place(after));
        let mut travel = model.cost_micro(from, here) + model.cost_micro(here, to);
        if !is_alone {
            travel -= model.cost_micro(from, to);
        }
        self.sums.travel_micro += sign * travel;
        if instance.counts.balance {
            let mut busy_us = model.time_us(worker, from, here)
                + model.time_us(worker, here, to)
                + instance.length_us(node);
            if !is_alone {
                busy_us -= model.time_us(worker, from, to);
            }
            self.busy_us[agent] += sign * busy_us;
        }
    }

    /// Adds lateness and late preferences of a task; with a sign of -1 subtracts them.
    pub(super) fn count_lateness(&mut self, instance: &CoupledInstance<'_>, node: u32, sign: i64) {
        let start_us = self.times_us[node as usize];
        let job = &instance.model.jobs[node as usize];
        self.sums.lateness_us += sign * job.lateness_us(start_us);
        if let Some(preference) = &instance.preferences[node as usize] {
            let late = preference.cost_micro(start_us.max(preference.from_us));
            self.sums.preferences_micro = self.sums.preferences_micro.saturating_add(sign * late);
        }
    }

    /// The terms of the cost, without preferences of early starts.
    pub(super) fn terms(&self, instance: &CoupledInstance<'_>) -> Terms {
        let workers = 0..instance.model.workers.len();
        let mut terms = Terms {
            unserved_micro: self.sums.unserved * MICRO,
            drop_penalty_micro: self.sums.drop_micro,
            travel_cost_micro: self.sums.travel_micro,
            lateness_us: self.sums.lateness_us,
            agents_used_micro: self.sums.used * MICRO,
            preferences_micro: self.sums.preferences_micro,
            tasks_moved_micro: self.sums.moved * MICRO,
            ..Terms::default()
        };
        if instance.counts.makespan {
            let used = workers.filter(|agent| self.is_used(instance, *agent));
            let ends = used.map(|agent| self.times_us[instance.last(agent) as usize]);
            terms.makespan_us = ends.max().unwrap_or(0);
        }
        if instance.counts.balance {
            terms.balance_us = self.extent_without(&[]).balance_us();
        }
        terms
    }

    /// The terms of the cost.
    pub(super) fn all_terms(&self, instance: &CoupledInstance<'_>) -> Terms {
        let mut terms = self.terms(instance);
        if instance.counts.early {
            let done = (0..instance.tasks()).filter(|task| self.is_assigned(*task as u32));
            let early = done.map(|task| {
                let start_us = self.times_us[task];
                instance.preferences[task].map_or(0, |preference| {
                    preference.cost_micro(start_us.min(preference.until_us))
                })
            });
            terms.preferences_micro = early.fold(terms.preferences_micro, i64::saturating_add);
        }
        terms
    }

    /// The agents that determine balance and makespan: the busiest, the least busy, and the one
    /// that ends last.
    pub(super) fn extremes(&self, instance: &CoupledInstance<'_>) -> [Option<usize>; 3] {
        let agents = 0..self.busy_us.len();
        let mut extremes = [None; 3];
        if instance.counts.balance {
            let busy_us = |agent: &usize| self.busy_us[*agent];
            extremes[0] = agents.clone().max_by_key(busy_us);
            extremes[1] = agents.clone().min_by_key(busy_us);
        }
        if instance.counts.makespan {
            let end_us = |agent: &usize| self.times_us[instance.last(*agent) as usize];
            let used = agents.filter(|agent| self.is_used(instance, *agent));
            extremes[2] = used.max_by_key(end_us);
        }
        extremes
    }

    /// The terms with sums over all agents in place of makespan and balance, for temperatures.
    pub(super) fn usual_terms(&self, instance: &CoupledInstance<'_>) -> Terms {
        let mut terms = self.all_terms(instance);
        terms.makespan_us *= self.sums.used;
        terms.balance_us = self.busy_us.iter().sum();
        terms
    }

    pub(super) fn penalised_cost(&self, instance: &CoupledInstance<'_>) -> f64 {
        self.scale.penalised_cost(&self.terms(instance))
    }

    /// The extent of all agents but these.
    pub(super) fn extent_without(&self, agents: &[usize]) -> Extent {
        let others = self.busy_us.iter().enumerate();
        let others = others.filter(|(agent, _)| !agents.contains(agent));
        others.fold(Extent::EMPTY, |extent, (_, busy_us)| {
            extent.with_agent(*busy_us)
        })
    }

    /// Whether an arc exists.
    pub(super) fn is_way(cost_micro: i64) -> bool {
        cost_micro < UNREACHABLE
    }

    pub(super) fn plan(&self, instance: &CoupledInstance<'_>) -> Plan {
        let mut plan = Plan::default();
        for agent in 0..instance.model.workers.len() {
            if !self.is_used(instance, agent) {
                continue;
            }
            let mut route = Route {
                agent,
                ..Route::default()
            };
            let mut node = self.next[instance.first(agent) as usize];
            while node != instance.last(agent) {
                let start_us = self.times_us[node as usize];
                match instance.kind(node) {
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
    /// Counts a task as unassigned; with a sign of -1 as assigned.
    fn count_unassigned(&mut self, penalty_micro: Option<i64>, sign: i64) {
        match penalty_micro {
            None => self.unserved += sign,
            Some(penalty) => self.drop_micro += sign * penalty,
        }
    }
}
