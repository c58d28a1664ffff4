//! Lower bounds on the parts of a plan's cost. See [`crate::bound`] for the proof.

use super::earliest_arrival::{AgentGroup, EarliestArrivals, earliest_start};
use crate::plan::Cost;
use crate::problem::{LEVELS_MAX, MICRO, Micros, Problem, Term};
use crate::travel::{Strip, at_speed};

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
    pub(super) fn new(problem: &'p Problem, arrivals: &EarliestArrivals) -> Self {
        let mut parts = Self {
            problem,
            tasks: Vec::with_capacity(problem.tasks().len()),
            used: 0,
            home_micro: 0,
            excess: 0,
        };
        let mut all: Vec<Done> = problem.tasks().iter().map(|_| Done::UNKNOWN).collect();
        for group in arrivals.groups() {
            let home_us = home_us(problem, group);
            for (task, done) in all.iter_mut().enumerate() {
                done.include_group(problem, group, task, home_us);
            }
            if problem.is_large() {
                nearest_arcs(problem, group, &mut all);
                continue;
            }
            for from in 0..all.len() {
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
        parts.bound_routes(arrivals);
        parts
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
    fn bound_routes(&mut self, arrivals: &EarliestArrivals) {
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
        let home = |agent: &usize| self.home_cost_micro(arrivals, *agent);
        let mut others: Vec<i64> = idle.iter().map(home).collect();
        others.sort_unstable();
        let more = self.used - busy.len();
        self.home_micro = busy
            .iter()
            .map(home)
            .chain(others.into_iter().take(more))
            .sum();
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

    /// The cheapest arc to the end place of an agent from a task that can be its last; 0 without an
    /// end place.
    fn home_cost_micro(&self, arrivals: &EarliestArrivals, agent: usize) -> i64 {
        let problem = self.problem;
        let Some(end) = problem.agents()[agent].end else {
            return 0;
        };
        let (travel, group) = (problem.travel(), arrivals.group(agent));
        let open = (0..problem.tasks().len()).filter(|t| group.starts_us[*t].is_some());
        let lasts = open.chain(problem.committed(agent).last().copied());
        let arc = |task: usize| {
            let from = problem.tasks()[task].location;
            travel
                .duration_us(from, end)
                .map(|_| travel.cost_micro(from, end))
        };
        lasts.filter_map(arc).min().unwrap_or(0)
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

/// Lowers the bounds to the arcs from one task to all others, where an agent of the group can do
/// both in time.
fn arcs_from(problem: &Problem, group: &AgentGroup, from: usize, all: &mut [Done]) {
    let Some(start_us) = group.starts_us[from] else {
        return;
    };
    let (one, travel) = (&problem.tasks()[from], problem.travel());
    let departure_us = start_us.saturating_add(one.service_us);
    for (to, done) in all.iter_mut().enumerate().filter(|(to, _)| *to != from) {
        let other = &problem.tasks()[to];
        let cost_micro = travel.cost_micro(one.location, other.location);
        let travel_us = travel.duration_at_us(one.location, other.location, group.speed_micro);
        let Some(travel_us) =
            travel_us.filter(|us| cost_micro < done.arc_micro || *us < done.work_us)
        else {
            continue;
        };
        // One of many merged agents may have room for both: checking that would take too long.
        let fits = || group.sources.len() > 1 || group.sources[0].fits(&[one, other]);
        if in_time(group, to, departure_us.saturating_add(travel_us)) && fits() {
            done.arc_micro = done.arc_micro.min(cost_micro);
            done.work_us = done.work_us.min(travel_us);
        }
    }
}

/// Lowers the bounds to the arcs from the nearest task, whether an agent can do both or not.
fn nearest_arcs(problem: &Problem, group: &AgentGroup, all: &mut [Done]) {
    let (strip, tasks) = (Strip::of_tasks(problem), problem.tasks());
    let known = (0..).zip(all).zip(&group.starts_us);
    for ((task, done), _) in known.filter(|(_, start_us)| start_us.is_some()) {
        let to = tasks[task as usize].location;
        let mut least_micro = i64::MAX;
        strip.scan(task, |other| {
            let from = tasks[other as usize].location;
            least_micro = least_micro.min(problem.travel().cost_micro(from, to));
            least_micro as f64
        });
        done.arc_micro = done.arc_micro.min(least_micro);
        done.work_us = done.work_us.min(at_speed(least_micro, group.speed_micro));
    }
}

/// Whether a task can start in time after this arrival. Closed windows do not matter: the latest
/// start is in a window.
fn in_time(group: &AgentGroup, task: usize, arrival_us: Micros) -> bool {
    group.latest_us[task].is_some_and(|latest_us| arrival_us <= latest_us)
}

/// The quickest arc to an end place from a task that can be the last; 0 where an agent of the group
/// has no end place.
fn home_us(problem: &Problem, group: &AgentGroup) -> Micros {
    let travel = problem.travel();
    let quickest = |source: &super::earliest_arrival::Source| {
        let Some(end) = source.end else {
            return Some(0);
        };
        let lasts = (0..problem.tasks().len()).filter(|t| group.starts_us[*t].is_some());
        let arcs = lasts.filter_map(|t| {
            let from = problem.tasks()[t].location;
            travel.duration_at_us(from, end, group.speed_micro)
        });
        arcs.min()
    };
    group.sources.iter().filter_map(quickest).min().unwrap_or(0)
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
