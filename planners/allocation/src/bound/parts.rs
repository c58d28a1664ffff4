//! Lower bounds on the parts of a plan's cost. See [`crate::bound`] for the proof.

mod arcs;

use super::earliest_arrival::{AgentGroup, EarliestArrivals, earliest_start};
use crate::plan::Cost;
use crate::problem::{LEVELS_MAX, MICRO, Micros, Problem, Term};
use arcs::{ReturnArcs, arcs_from, home_us, in_time, nearest_arcs};

/// Levels of a cost, wide enough for sums over tasks that no single plan does.
type Levels = [i128; LEVELS_MAX];

pub(super) struct Parts<'p> {
    problem: &'p Problem,
    tasks: Vec<Part>,
    /// Lower bound on the number of agents with tasks.
    used: usize,
    /// Lower bound on the cost of their arcs to their end places.
    home_micro: i64,
    /// Lower bound on the forced tasks left out for want of capacity; 0 where the problem is not
    /// strict.
    excess: usize,
}

/// Lower bounds on what one task costs.
struct Part {
    /// If it is done; `None`: no plan does it.
    done: Option<Done>,
    /// Whether all plans that matter do it.
    forced: bool,
}

/// Lower bounds on what doing one task takes.
struct Done {
    /// Cost of the arc in, in millionths.
    arc_micro: i64,
    lateness_us: Micros,
    /// End of its agent's route.
    end_us: Micros,
    /// Arc in and service.
    work_us: Micros,
}

impl<'p> Parts<'p> {
    /// `None`: `go_on`, which is called now and then, returned false.
    pub(super) fn new(
        problem: &'p Problem,
        arrivals: &EarliestArrivals,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let mut parts = Self {
            problem,
            tasks: Vec::with_capacity(problem.tasks().len()),
            used: 0,
            home_micro: 0,
            excess: 0,
        };
        let mut all: Vec<Done> = problem.tasks().iter().map(|_| Done::UNKNOWN).collect();
        for group in arrivals.groups() {
            let home_us = home_us(problem, group, go_on)?;
            for (task, done) in all.iter_mut().enumerate() {
                if !go_on() {
                    return None;
                }
                done.include_group(problem, group, task, home_us);
            }
            if problem.is_large() {
                nearest_arcs(problem, group, &mut all, go_on)?;
                continue;
            }
            for from in 0..all.len() {
                if !go_on() {
                    return None;
                }
                arcs_from(problem, group, from, &mut all);
            }
        }
        for (done, task) in all.into_iter().zip(problem.tasks()) {
            let done = done.known().map(|done| done.with_service(task.service_us));
            let forced = problem.is_strict() && task.drop_penalty_micro.is_none() && done.is_some();
            parts.tasks.push(Part { done, forced });
        }
        for agent in 0..problem.agents().len() {
            parts.fix_committed(agent);
        }
        parts.bound_routes(arrivals, go_on)?;
        Some(parts)
    }

    /// Tasks under way have one place and one earliest time.
    fn fix_committed(&mut self, agent: usize) {
        let problem = self.problem;
        let one = &problem.agents()[agent];
        let (mut here, mut free_us) = (one.start, one.shift_start_us);
        for &index in problem.committed(agent) {
            let task = &problem.tasks()[index];
            // Without an arc, or with a window missed, no plan is valid: any bound holds.
            let travel = problem.travel();
            let travel_us = travel.duration_at_us(here, task.location, one.speed_micro);
            let arrival_us = free_us.saturating_add(travel_us.unwrap_or(0));
            let start_us = earliest_start(task, arrival_us).unwrap_or(arrival_us);
            free_us = start_us.saturating_add(task.service_us);
            let late_us = task.windows.last().map_or(0, |w| start_us - w.close_us);
            self.tasks[index] = Part {
                forced: true,
                done: Some(Done {
                    arc_micro: travel_us.map_or(0, |_| travel.cost_micro(here, task.location)),
                    lateness_us: late_us.max(0),
                    end_us: free_us,
                    work_us: travel_us.unwrap_or(0).saturating_add(task.service_us),
                }),
            };
            here = task.location;
        }
    }

    /// The number of agents with tasks, and their arcs to their end places.
    fn bound_routes(
        &mut self,
        arrivals: &EarliestArrivals,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<()> {
        let problem = self.problem;
        let agents = 0..problem.agents().len();
        let is_busy = |agent: &usize| !problem.committed(*agent).is_empty();
        let busy: Vec<usize> = agents.clone().filter(is_busy).collect();
        let mut idle: Vec<usize> = agents.filter(|agent| !is_busy(agent)).collect();
        // Agents that can do no task have no route.
        idle.retain(|a| arrivals.group(*a).starts_us.iter().any(Option::is_some));
        let forced = self.tasks.iter().any(|t| t.forced);
        let able: Vec<usize> = busy.iter().chain(&idle).copied().collect();
        let excess = (0..problem.dimensions()).map(|d| self.excess(d, &able));
        let excess = excess.max();
        self.excess = excess.filter(|_| problem.is_strict()).unwrap_or(0);
        let dimensions = 0..problem.dimensions();
        let by_load = dimensions.map(|d| self.carriers(d, &busy, &idle)).max();
        self.used = by_load
            .unwrap_or(0)
            .max(busy.len())
            .max(usize::from(forced));
        let mut arcs = ReturnArcs::new(problem, arrivals);
        let mut home = |agent: &usize| go_on().then(|| arcs.least_micro(*agent));
        let own: Vec<i64> = busy.iter().map(&mut home).collect::<Option<_>>()?;
        let mut others: Vec<i64> = idle.iter().map(home).collect::<Option<_>>()?;
        others.sort_unstable();
        let more = self.used - busy.len();
        self.home_micro = own.into_iter().chain(others.into_iter().take(more)).sum();
        Some(())
    }

    /// Lower bound on the forced tasks left out for want of capacity in one dimension: the largest
    /// first.
    fn excess(&self, dimension: usize, able: &[usize]) -> usize {
        let value = |list: &[i64]| list.get(dimension).copied().unwrap_or(0);
        let agents = self.problem.agents();
        let room: i64 = able.iter().map(|a| value(&agents[*a].capacities)).sum();
        let tasks = self.problem.tasks().iter().zip(&self.tasks);
        let forced = tasks.filter(|(_, part)| part.forced);
        let mut demands: Vec<i64> = forced.map(|(task, _)| value(&task.demands)).collect();
        demands.sort_unstable();
        let mut load: i64 = demands.iter().sum();
        let largest_first = demands.iter().rev();
        largest_first
            .take_while(|demand| {
                let exceeds = load > room;
                load -= **demand;
                exceeds
            })
            .count()
    }

    /// Lower bound on the number of agents that carry the forced tasks in one dimension: the busy
    /// ones, then the largest of the idle. All agents where that is not enough: then no plan does
    /// all forced tasks, and any statement about such plans holds.
    fn carriers(&self, dimension: usize, busy: &[usize], idle: &[usize]) -> usize {
        let value = |list: &[i64]| list.get(dimension).copied().unwrap_or(0);
        let capacity = |agent: &usize| value(&self.problem.agents()[*agent].capacities);
        let tasks = self.problem.tasks().iter().zip(&self.tasks);
        let forced = tasks.filter(|(_, part)| part.forced);
        let mut load: i64 = forced.map(|(task, _)| value(&task.demands)).sum();
        load -= busy.iter().map(capacity).sum::<i64>();
        let mut rooms: Vec<i64> = idle.iter().map(capacity).collect();
        rooms.sort_unstable_by_key(|room| std::cmp::Reverse(*room));
        let mut used = busy.len();
        for room in rooms {
            if load <= 0 {
                break;
            }
            load -= room;
            used += 1;
        }
        used
    }

    /// The sum of all parts.
    pub(super) fn bound(&self) -> Cost {
        if self.excess > 0 {
            // Forced tasks are left out: only their number is known.
            let left_out = self.tasks.iter().zip(self.problem.tasks());
            let left_out =
                left_out.filter(|(p, t)| p.done.is_none() && t.drop_penalty_micro.is_none());
            let unserved = (left_out.count() + self.excess) as i64 * MICRO;
            return cost(self.amount(Term::Unserved, unserved));
        }
        let mut fixed = self.amount(Term::TravelCost, self.home_micro);
        add(
            &mut fixed,
            &self.amount(Term::AgentsUsed, self.used as i64 * MICRO),
            1,
        );
        let mut plain = fixed;
        let mut spread = fixed;
        for index in 0..self.tasks.len() {
            add(&mut plain, &self.part(index, 0), 1);
            let agents = self.problem.agents().len() as i64;
            let share_us = self.tasks[index]
                .done
                .as_ref()
                .map_or(0, |d| d.work_us / agents);
            add(&mut spread, &self.part(index, share_us), 1);
        }
        let last = |index: usize| {
            let end_us = self.tasks[index].done.as_ref().map_or(0, |d| d.end_us);
            let mut sum = plain;
            add(&mut sum, &self.part(index, 0), -1);
            add(&mut sum, &self.part(index, end_us), 1);
            sum
        };
        let best = (0..self.tasks.len()).map(last).chain([plain, spread]).max();
        cost(best.unwrap_or(plain))
    }

    /// Lower bound on the cost of a task, if doing it adds an amount to the makespan.
    fn part(&self, index: usize, makespan_us: Micros) -> Levels {
        let task = &self.problem.tasks()[index];
        let left_out = match task.drop_penalty_micro {
            None => self.amount(Term::Unserved, MICRO),
            Some(penalty_micro) => self.amount(Term::DropPenalty, penalty_micro),
        };
        let part = &self.tasks[index];
        let Some(done) = &part.done else {
            return left_out;
        };
        let mut levels = self.amount(Term::TravelCost, done.arc_micro);
        add(
            &mut levels,
            &self.amount(Term::Lateness, done.lateness_us),
            1,
        );
        add(&mut levels, &self.amount(Term::Makespan, makespan_us), 1);
        if part.forced {
            levels
        } else {
            levels.min(left_out)
        }
    }

    /// Cost of an amount of a term.
    fn amount(&self, term: Term, amount: i64) -> Levels {
        let mut levels = Levels::default();
        for (value, level) in levels.iter_mut().zip(self.problem.levels()) {
            let weights = level
                .terms
                .iter()
                .filter(|t| t.0 == term)
                .map(|t| i128::from(t.1));
            *value = weights.sum::<i128>() * i128::from(amount);
        }
        levels
    }
}

impl Done {
    /// Above all bounds.
    const UNKNOWN: Self = Self {
        arc_micro: i64::MAX,
        lateness_us: Micros::MAX,
        end_us: Micros::MAX,
        work_us: Micros::MAX,
    };

    /// `None`: no agent does it, or there is no arc into it.
    fn known(self) -> Option<Self> {
        (self.arc_micro < i64::MAX).then_some(self)
    }

    fn with_service(mut self, service_us: Micros) -> Self {
        self.work_us = self.work_us.saturating_add(service_us);
        self
    }

    /// Lowers the bounds to those of a group of agents, with the arcs from its sources.
    fn include_group(
        &mut self,
        problem: &Problem,
        group: &AgentGroup,
        task: usize,
        home_us: Micros,
    ) {
        let one = &problem.tasks()[task];
        let Some(start_us) = group.starts_us[task] else {
            return;
        };
        let late_us = one.windows.last().map_or(0, |w| start_us - w.close_us);
        self.lateness_us = self.lateness_us.min(late_us.max(0));
        let end_us = start_us.saturating_add(one.service_us);
        self.end_us = self.end_us.min(end_us.saturating_add(home_us));
        for source in &group.sources {
            if let Some(travel_us) = source.travel_us(problem, source.location, one.location)
                && in_time(group, task, source.free_us.saturating_add(travel_us))
            {
                let cost_micro = problem.travel().cost_micro(source.location, one.location);
                self.arc_micro = self.arc_micro.min(cost_micro);
                self.work_us = self.work_us.min(travel_us);
            }
        }
    }
}

fn cost(levels: Levels) -> Cost {
    // A level that is too large for a cost is lowered: a lower bound all the same.
    Cost(levels.map(|level| i64::try_from(level).unwrap_or(i64::MAX)))
}

fn add(sum: &mut Levels, part: &Levels, sign: i128) {
    for (sum, part) in sum.iter_mut().zip(part) {
        *sum += sign * part;
    }
}
