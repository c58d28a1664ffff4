//! Earliest times, propagated along routes and couplings.
//!
//! Every rule about times is a lower bound of one time by a monotone function of another: an
//! arrival after an arc, a start in a window, a start after a gap, and, for a longest gap, the end
//! of the first task not too long before the second. Such a system has a least solution if it has
//! any. Times are raised until a fixpoint; if there is none, the system is infeasible.

use super::instance::{CoupledInstance, Kind};
use super::state::State;
use crate::problem::Micros;
use crate::solve::model::NONE;

/// Most propagations for each node before a plan is regarded as infeasible.
const PROPAGATIONS_MAX: usize = 64;

/// Before any time.
pub(super) const UNTIMED_US: Micros = -1;

/// Infeasible times: a node would be after its latest time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLate;

impl State {
    /// The earliest time of a node after its predecessors; `Err`: it is too late.
    pub(super) fn earliest(
        &mut self,
        instance: &CoupledInstance<'_>,
        node: u32,
    ) -> Result<Micros, TooLate> {
        let mut least = self.arrival_us(instance, node);
        if let Kind::Task(task) = instance.kind(node) {
            for arc in &instance.into[task] {
                if self.is_assigned(arc.task) {
                    least = least.max(self.times_us[arc.task as usize] + arc.offset_us);
                }
            }
        }
        self.first_in_window(instance, node, least)
    }

    /// Arrival at a node, after the breaks before it.
    fn arrival_us(&self, instance: &CoupledInstance<'_>, node: u32) -> Micros {
        let before = self.prev[node as usize];
        let awake_us = self.times_us[before as usize] + instance.length_us(before);
        if instance.is_break(node) {
            let to = self.skip_breaks(instance, node);
            return departure_us(instance, before, to, awake_us);
        }
        let (mut from, mut rested_us) = (before, 0);
        while instance.is_break(from) {
            rested_us += instance.length_us(from);
            from = self.prev[from as usize];
        }
        let worker = &instance.model.workers[self.agent[node as usize] as usize];
        let travel_us = instance
            .model
            .time_us(worker, instance.place(from), instance.place(node));
        let free_us = self.times_us[from as usize] + instance.length_us(from);
        awake_us.max(departure_us(instance, from, node, free_us) + travel_us + rested_us)
    }

    /// The first time from `least` on within the node's windows.
    fn first_in_window(
        &mut self,
        instance: &CoupledInstance<'_>,
        node: u32,
        least: Micros,
    ) -> Result<Micros, TooLate> {
        let (fitted, latest) = match instance.kind(node) {
            Kind::Task(task) => {
                let job = &instance.model.jobs[task];
                (job.start_us(least), job.latest_us)
            }
            Kind::Break(index) => {
                let one = &instance.breaks[index];
                (least.max(one.earliest_us), one.latest_us)
            }
            Kind::First(agent) => (least, instance.model.workers[agent].leaves_us),
            Kind::Last(agent) => (least, instance.model.workers[agent].shift_end_us),
        };
        self.work.waits += usize::from(fitted > least);
        if fitted > latest {
            Err(TooLate)
        } else {
            Ok(fitted)
        }
    }

    /// Computes the time of a node that was just linked, and propagates it.
    pub(super) fn propagate(
        &mut self,
        instance: &CoupledInstance<'_>,
        node: u32,
    ) -> Result<(), TooLate> {
        self.delay_breaks(instance, node)?;
        let time_us = self.earliest(instance, node)?;
        let old = std::mem::replace(&mut self.times_us[node as usize], time_us);
        self.work.log.push((node, old));
        if matches!(instance.kind(node), Kind::Task(_)) {
            self.count_lateness(instance, node, 1);
        }
        self.enqueue_first(node);
        if instance.is_break(node) {
            // The interrupted arc takes longer.
            let before = self.skip_breaks_back(instance, node);
            self.work.queue.push(before);
            self.work.queued[before as usize] = true;
        }
        self.propagate_from(instance, node)
    }

    /// Delays the breaks before a task that was just linked until now, if they follow the committed
    /// prefix: on the arc to the end place they may be in the past.
    fn delay_breaks(&mut self, instance: &CoupledInstance<'_>, node: u32) -> Result<(), TooLate> {
        let before = self.prev[node as usize];
        if instance.pinned.is_empty() || !instance.is_break(before) || instance.is_break(node) {
            return Ok(());
        }
        let from = self.skip_breaks_back(instance, before);
        let free_us = self.times_us[from as usize] + instance.length_us(from);
        let mut awake_us = departure_us(instance, from, node, free_us);
        let mut rest = self.next[from as usize];
        while rest != node {
            let time_us =
                self.first_in_window(instance, rest, awake_us.max(self.times_us[rest as usize]))?;
            let old = std::mem::replace(&mut self.times_us[rest as usize], time_us);
            self.work.log.push((rest, old));
            awake_us = time_us + instance.length_us(rest);
            rest = self.next[rest as usize];
        }
        Ok(())
    }

    /// Delays a node, and propagates that.
    pub(super) fn delay(
        &mut self,
        instance: &CoupledInstance<'_>,
        node: u32,
        time_us: Micros,
    ) -> Result<(), TooLate> {
        self.work.queue.clear();
        self.raise(instance, node, time_us)?;
        self.propagate_from(instance, node)
    }

    fn enqueue_first(&mut self, node: u32) {
        self.work.queue.clear();
        self.work.queue.push(node);
        self.work.queued[node as usize] = true;
    }

    /// Propagates until a fixpoint. A delay that returns to `origin` without a wait for a window
    /// would return again and again: then there is none.
    fn propagate_from(
        &mut self,
        instance: &CoupledInstance<'_>,
        origin: u32,
    ) -> Result<(), TooLate> {
        let mut waits = self.work.waits;
        let mut head = 0;
        let mut outcome = Ok(());
        while let Some(&node) = self.work.queue.get(head) {
            head += 1;
            self.work.queued[node as usize] = false;
            if outcome.is_err() {
                continue;
            }
            let before = self.times_us[origin as usize];
            outcome = self.propagate_node(instance, node);
            if self.times_us[origin as usize] > before {
                if waits == self.work.waits {
                    outcome = Err(TooLate);
                }
                waits = self.work.waits;
            }
        }
        outcome
    }

    /// Raises the times of the direct successors of a node.
    fn propagate_node(&mut self, instance: &CoupledInstance<'_>, node: u32) -> Result<(), TooLate> {
        let kind = instance.kind(node);
        if let Kind::Last(_) = kind {
            return Ok(());
        }
        self.propagate_along_route(instance, node)?;
        if let Kind::Task(task) = kind {
            for arc in &instance.out[task] {
                if self.is_assigned(arc.task) {
                    let least = self.times_us[node as usize] + arc.offset_us;
                    self.raise(instance, arc.task, least)?;
                }
            }
        }
        Ok(())
    }

    fn propagate_along_route(
        &mut self,
        instance: &CoupledInstance<'_>,
        node: u32,
    ) -> Result<(), TooLate> {
        let mut to = self.next[node as usize];
        if let (Kind::First(_), Kind::Last(_)) = (instance.kind(node), instance.kind(to)) {
            // An agent without tasks stays at its start.
            return Ok(());
        }
        let free_us = self.times_us[node as usize] + instance.length_us(node);
        if instance.is_break(node) {
            return self.raise(instance, to, free_us);
        }
        let (behind, mut rested_us) = (to, 0);
        while instance.is_break(to) {
            rested_us += instance.length_us(to);
            to = self.next[to as usize];
        }
        let leave_us = departure_us(instance, node, to, free_us);
        if behind != to {
            self.raise(instance, behind, leave_us)?;
        }
        let worker = &instance.model.workers[self.agent[node as usize] as usize];
        let travel_us = instance
            .model
            .time_us(worker, instance.place(node), instance.place(to));
        self.raise(instance, to, leave_us + travel_us + rested_us)
    }

    fn raise(
        &mut self,
        instance: &CoupledInstance<'_>,
        node: u32,
        least: Micros,
    ) -> Result<(), TooLate> {
        if least <= self.times_us[node as usize] {
            return Ok(());
        }
        let time_us = self.first_in_window(instance, node, least)?;
        let is_task = matches!(instance.kind(node), Kind::Task(_));
        if is_task {
            self.count_lateness(instance, node, -1);
        }
        let old = std::mem::replace(&mut self.times_us[node as usize], time_us);
        self.work.log.push((node, old));
        if is_task {
            self.count_lateness(instance, node, 1);
        }
        if !self.work.queued[node as usize] {
            self.work.queued[node as usize] = true;
            self.work.queue.push(node);
        }
        Ok(())
    }

    /// Computes all times from scratch. After an error times are invalid.
    pub(super) fn retime(&mut self, instance: &CoupledInstance<'_>) -> Result<(), TooLate> {
        self.work.log.clear();
        self.work.queue.clear();
        (self.sums.lateness_us, self.sums.preferences_micro) = (0, 0);
        let is_used = |state: &Self, node: u32| state.agent[node as usize] != NONE;
        for node in 0..instance.nodes() as u32 {
            if !is_used(self, node) {
                continue;
            }
            self.times_us[node as usize] = match instance.kind(node) {
                Kind::First(agent) => instance.model.workers[agent].leaves_us,
                // Before any time, so that every node is raised into its windows.
                Kind::Task(_) | Kind::Break(_) | Kind::Last(_) => UNTIMED_US,
            };
            if matches!(instance.kind(node), Kind::First(_)) {
                self.work.queued[node as usize] = true;
                self.work.queue.push(node);
            }
        }
        for task in 0..instance.tasks() as u32 {
            if self.is_assigned(task) {
                self.count_lateness(instance, task, 1);
            }
        }
        let propagations_max = PROPAGATIONS_MAX * (self.work.queue.len() + instance.nodes());
        let mut head = 0;
        let mut outcome = Ok(());
        while let Some(&node) = self.work.queue.get(head) {
            head += 1;
            self.work.queued[node as usize] = false;
            if head > propagations_max {
                outcome = Err(TooLate);
            }
            if outcome.is_ok() {
                outcome = self.propagate_node(instance, node);
            }
        }
        self.work.log.clear();
        outcome
    }
}

/// Departure from a node, free at `free_us`, to the next one that is not a break. The arc to the
/// end place belongs to the committed prefix.
#[inline]
fn departure_us(instance: &CoupledInstance<'_>, from: u32, to: u32, free_us: Micros) -> Micros {
    match instance.kind(to) {
        Kind::Last(_) => free_us,
        Kind::Task(_) | Kind::Break(_) | Kind::First(_) => instance.leave_us(from, free_us),
    }
}
