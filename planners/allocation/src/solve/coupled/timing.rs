//! Earliest times, pushed along routes and couplings.
//!
//! Every rule about times is a lower bound of one time by a rising function of another: an arrival
//! after an arc, a start in a window, a start after a gap, and, for a longest gap, the end of the
//! first task not too long before the second. Such systems have a least solution if they have any.
//! Times are pushed up until nothing moves; if that does not end, the system is infeasible.

use super::ground::{Ground, Kind};
use super::state::State;
use crate::problem::Micros;
use crate::solve::model::NONE;

/// Pushes for each node and way to wait before a repair of everything is given up.
const PUSHES_MAX: usize = 64;

/// Before any time.
pub(super) const UNTIMED_US: Micros = -1;

/// A node whose time some rule pushes beyond what another allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Late;

impl State {
    /// The earliest time of a node by all that is before it; `Err`: that is too late.
    pub(super) fn earliest(&mut self, ground: &Ground<'_>, node: u32) -> Result<Micros, Late> {
        let mut least = self.arrival_us(ground, node);
        if let Kind::Task(task) = ground.kind(node) {
            for arc in &ground.into[task] {
                if self.is_done(arc.task) {
                    least = least.max(self.times_us[arc.task as usize] + arc.offset_us);
                }
            }
        }
        self.fitted(ground, node, least)
    }

    /// When the agent is there, and has rested before.
    fn arrival_us(&self, ground: &Ground<'_>, node: u32) -> Micros {
        let before = self.prev[node as usize];
        let awake_us = self.times_us[before as usize] + ground.length_us(before);
        if ground.is_break(node) {
            let to = self.onward(ground, node);
            return left_us(ground, (before, to), awake_us);
        }
        let (mut from, mut rested_us) = (before, 0);
        while ground.is_break(from) {
            rested_us += ground.length_us(from);
            from = self.prev[from as usize];
        }
        let worker = &ground.model.workers[self.agent[node as usize] as usize];
        let way_us = ground
            .model
            .time_us(worker, ground.place(from), ground.place(node));
        let free_us = self.times_us[from as usize] + ground.length_us(from);
        awake_us.max(left_us(ground, (from, node), free_us) + way_us + rested_us)
    }

    /// The first time from `least` on that a node's own windows allow.
    fn fitted(&mut self, ground: &Ground<'_>, node: u32, least: Micros) -> Result<Micros, Late> {
        let (fitted, latest) = match ground.kind(node) {
            Kind::Task(task) => {
                let job = &ground.model.jobs[task];
                (job.start_us(least), job.latest_us)
            }
            Kind::Break(index) => {
                let one = &ground.breaks[index];
                (least.max(one.earliest_us), one.latest_us)
            }
            Kind::First(agent) => (least, ground.model.workers[agent].leaves_us),
            Kind::Last(agent) => (least, ground.model.workers[agent].shift_end_us),
        };
        self.work.waits += usize::from(fitted > least);
        if fitted > latest {
            Err(Late)
        } else {
            Ok(fitted)
        }
    }

    /// Times a node that was just linked, and all that it pushes.
    pub(super) fn settle(&mut self, ground: &Ground<'_>, node: u32) -> Result<(), Late> {
        self.hold_rests(ground, node)?;
        let time_us = self.earliest(ground, node)?;
        let old = std::mem::replace(&mut self.times_us[node as usize], time_us);
        self.work.log.push((node, old));
        if matches!(ground.kind(node), Kind::Task(_)) {
            self.count(ground, node, 1);
        }
        self.start(node);
        if ground.is_break(node) {
            // The way that it interrupts takes longer.
            let before = self.back(ground, node);
            self.work.queue.push(before);
            self.work.queued[before as usize] = true;
        }
        self.push_from(ground, node)
    }

    /// Moves the breaks before a task that was just linked to now, if they come right after what is
    /// under way: on the arc to the end place they may lie in the past.
    fn hold_rests(&mut self, ground: &Ground<'_>, node: u32) -> Result<(), Late> {
        let before = self.prev[node as usize];
        if ground.pinned.is_empty() || !ground.is_break(before) || ground.is_break(node) {
            return Ok(());
        }
        let from = self.back(ground, before);
        let free_us = self.times_us[from as usize] + ground.length_us(from);
        let mut awake_us = left_us(ground, (from, node), free_us);
        let mut rest = self.next[from as usize];
        while rest != node {
            let time_us = self.fitted(ground, rest, awake_us.max(self.times_us[rest as usize]))?;
            let old = std::mem::replace(&mut self.times_us[rest as usize], time_us);
            self.work.log.push((rest, old));
            awake_us = time_us + ground.length_us(rest);
            rest = self.next[rest as usize];
        }
        Ok(())
    }

    /// Starts a node later, and pushes what that pushes.
    pub(super) fn delay(
        &mut self,
        ground: &Ground<'_>,
        node: u32,
        time_us: Micros,
    ) -> Result<(), Late> {
        self.work.queue.clear();
        self.raise(ground, node, time_us)?;
        self.push_from(ground, node)
    }

    fn start(&mut self, node: u32) {
        self.work.queue.clear();
        self.work.queue.push(node);
        self.work.queued[node as usize] = true;
    }

    /// Pushes until nothing moves. What comes back to `origin` without having waited for anything
    /// would come back for ever.
    fn push_from(&mut self, ground: &Ground<'_>, origin: u32) -> Result<(), Late> {
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
            outcome = self.push(ground, node);
            if self.times_us[origin as usize] > before {
                if waits == self.work.waits {
                    outcome = Err(Late);
                }
                waits = self.work.waits;
            }
        }
        outcome
    }

    /// Raises what a node pushes directly.
    fn push(&mut self, ground: &Ground<'_>, node: u32) -> Result<(), Late> {
        let kind = ground.kind(node);
        if let Kind::Last(_) = kind {
            return Ok(());
        }
        self.push_route(ground, node)?;
        if let Kind::Task(task) = kind {
            for arc in &ground.out[task] {
                if self.is_done(arc.task) {
                    let least = self.times_us[node as usize] + arc.offset_us;
                    self.raise(ground, arc.task, least)?;
                }
            }
        }
        Ok(())
    }

    fn push_route(&mut self, ground: &Ground<'_>, node: u32) -> Result<(), Late> {
        let mut to = self.next[node as usize];
        if let (Kind::First(_), Kind::Last(_)) = (ground.kind(node), ground.kind(to)) {
            // Who has nothing to do stays.
            return Ok(());
        }
        let free_us = self.times_us[node as usize] + ground.length_us(node);
        if ground.is_break(node) {
            return self.raise(ground, to, free_us);
        }
        let (behind, mut rested_us) = (to, 0);
        while ground.is_break(to) {
            rested_us += ground.length_us(to);
            to = self.next[to as usize];
        }
        let leave_us = left_us(ground, (node, to), free_us);
        if behind != to {
            self.raise(ground, behind, leave_us)?;
        }
        let worker = &ground.model.workers[self.agent[node as usize] as usize];
        let way_us = ground
            .model
            .time_us(worker, ground.place(node), ground.place(to));
        self.raise(ground, to, leave_us + way_us + rested_us)
    }

    fn raise(&mut self, ground: &Ground<'_>, node: u32, least: Micros) -> Result<(), Late> {
        if least <= self.times_us[node as usize] {
            return Ok(());
        }
        let time_us = self.fitted(ground, node, least)?;
        let is_task = matches!(ground.kind(node), Kind::Task(_));
        if is_task {
            self.count(ground, node, -1);
        }
        let old = std::mem::replace(&mut self.times_us[node as usize], time_us);
        self.work.log.push((node, old));
        if is_task {
            self.count(ground, node, 1);
        }
        if !self.work.queued[node as usize] {
            self.work.queued[node as usize] = true;
            self.work.queue.push(node);
        }
        Ok(())
    }

    /// Times everything anew. After an error times mean nothing.
    pub(super) fn retime(&mut self, ground: &Ground<'_>) -> Result<(), Late> {
        self.work.log.clear();
        self.work.queue.clear();
        (self.sums.lateness_us, self.sums.wishes_micro) = (0, 0);
        let is_used = |state: &Self, node: u32| state.agent[node as usize] != NONE;
        for node in 0..ground.nodes() as u32 {
            if !is_used(self, node) {
                continue;
            }
            self.times_us[node as usize] = match ground.kind(node) {
                Kind::First(agent) => ground.model.workers[agent].leaves_us,
                // Before any time, so that everything is pushed into its windows.
                Kind::Task(_) | Kind::Break(_) | Kind::Last(_) => UNTIMED_US,
            };
            if matches!(ground.kind(node), Kind::First(_)) {
                self.work.queued[node as usize] = true;
                self.work.queue.push(node);
            }
        }
        for task in 0..ground.tasks() as u32 {
            if self.is_done(task) {
                self.count(ground, task, 1);
            }
        }
        let pushes_max = PUSHES_MAX * (self.work.queue.len() + ground.nodes());
        let mut head = 0;
        let mut outcome = Ok(());
        while let Some(&node) = self.work.queue.get(head) {
            head += 1;
            self.work.queued[node as usize] = false;
            if head > pushes_max {
                outcome = Err(Late);
            }
            if outcome.is_ok() {
                outcome = self.push(ground, node);
            }
        }
        self.work.log.clear();
        outcome
    }
}

/// When an agent leaves a node for the next one that is no break, free at `free_us`. The arc to the
/// end place belongs to what is under way.
#[inline]
fn left_us(ground: &Ground<'_>, (from, to): (u32, u32), free_us: Micros) -> Micros {
    match ground.kind(to) {
        Kind::Last(_) => free_us,
        Kind::Task(_) | Kind::Break(_) | Kind::First(_) => ground.leave_us(from, free_us),
    }
}
