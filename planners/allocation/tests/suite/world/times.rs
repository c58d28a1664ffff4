//! Earliest times of the oracle's plans.

use super::{Visit, Walk};

/// Sweeps over all times; each moves at least one time to where some window or gap puts it. Tiny
/// problems need far fewer.
const SWEEPS_MAX: usize = 400;

impl Walk<'_> {
    /// Earliest times of all tasks and breaks: sweeps until nothing moves. `None` if something is
    /// too late or has no way.
    pub(super) fn times(&self) -> Option<(Vec<i64>, Vec<i64>)> {
        let couplings = self.problem.couplings();
        let mut tasks_us = vec![0; self.used.len()];
        let mut rests_us = vec![0; couplings.breaks.len()];
        for _ in 0..SWEEPS_MAX {
            let before = (tasks_us.clone(), rests_us.clone());
            for agent in 0..self.routes.len() {
                self.sweep(agent, &mut tasks_us, &mut rests_us)?;
            }
            let end = |tasks_us: &[i64], task: usize| {
                tasks_us[task] + self.problem.tasks()[task].service_us
            };
            for order in &couplings.orders {
                if self.agent_of(order.second).is_some() {
                    let least = end(&tasks_us, order.first) + order.gap_min_us;
                    tasks_us[order.second] = tasks_us[order.second].max(least);
                    if let Some(gap_us) = order.gap_max_us {
                        let service_us = self.problem.tasks()[order.first].service_us;
                        let least = tasks_us[order.second] - gap_us - service_us;
                        tasks_us[order.first] = tasks_us[order.first].max(least);
                    }
                }
            }
            for group in &couplings.groups {
                let last = group.tasks.iter().map(|t| tasks_us[*t]).max();
                for task in &group.tasks {
                    tasks_us[*task] = last.unwrap_or(0);
                }
            }
            for (task, one) in self.problem.tasks().iter().enumerate() {
                let Some(last) = one.windows.last().filter(|_| self.agent_of(task).is_some())
                else {
                    continue;
                };
                if tasks_us[task] > last.close_us + one.lateness_max_us.unwrap_or(0) {
                    return None;
                }
                let start_us = tasks_us[task];
                let open = one.windows.iter().find(|w| start_us <= w.close_us);
                tasks_us[task] = open.map_or(start_us, |w| start_us.max(w.open_us));
            }
            if before == (tasks_us.clone(), rests_us.clone()) {
                return Some((tasks_us, rests_us));
            }
        }
        None
    }

    /// The visits after what is under way, if there is a task among them.
    fn open(&self, agent: usize) -> std::ops::Range<usize> {
        let visits = &self.routes[agent];
        let is_task = |position: &usize| matches!(visits[*position], Visit::Task(_));
        let mut tasks = (0..visits.len()).filter(is_task);
        match self.problem.committed(agent).len().checked_sub(1) {
            None => 0..visits.len(),
            Some(last) => match (tasks.nth(last), tasks.next()) {
                (Some(last), Some(_)) => last + 1..visits.len(),
                _ => 0..0,
            },
        }
    }

    /// Times along one route.
    fn sweep(&self, agent: usize, tasks_us: &mut [i64], rests_us: &mut [i64]) -> Option<()> {
        let one = &self.problem.agents()[agent];
        let mut free_us = one.shift_start_us;
        let now_us = self.problem.spec().now_us;
        let open = self.open(agent);
        for (position, visit) in self.routes[agent].iter().enumerate() {
            // What is not under way lies in the future, with the arc to it and the breaks on it.
            let is_open = open.clone().contains(&position);
            if is_open {
                free_us = free_us.max(now_us);
            }
            match *visit {
                Visit::Task(task) => {
                    let (from, rested_us) = self.before(agent, position);
                    let place = |task: usize| self.problem.tasks()[task].location;
                    let travel_us =
                        self.travel_us(agent, from.map_or(one.start, place), place(task))?;
                    let leave_us = from.map_or(one.shift_start_us, |from| {
                        tasks_us[from] + self.problem.tasks()[from].service_us
                    });
                    let leave_us = if is_open {
                        leave_us.max(now_us)
                    } else {
                        leave_us
                    };
                    let least = free_us.max(leave_us + travel_us + rested_us);
                    tasks_us[task] = tasks_us[task].max(least);
                    free_us = tasks_us[task] + self.problem.tasks()[task].service_us;
                }
                Visit::Break(index) => {
                    let least = free_us.max(self.rest(index).earliest_us);
                    rests_us[index] = rests_us[index].max(least);
                    if rests_us[index] > self.rest(index).latest_us {
                        return None;
                    }
                    free_us = rests_us[index] + self.rest(index).length_us;
                }
            }
        }
        Some(())
    }
}
