//! The parts of a plan's cost, each bounded apart. See [`crate::bound`] for the proof.

use super::reach::{Group, Reach, earliest_start};
use crate::plan::Cost;
use crate::problem::{LEVELS_MAX, MICRO, Micros, Problem, Term};

/// Levels of a cost, wide enough for sums over tasks that no one plan could do together.
type Levels = [i128; LEVELS_MAX];

pub(super) struct Parts<'p> {
    problem: &'p Problem,
    tasks: Vec<Part>,
    /// Agents with tasks, at least.
    used: usize,
    /// What their ways to their end places cost, at least.
    home_micro: i64,
    /// Forced tasks that are too many to carry, at least: 0 where tasks may be left out.
    over: usize,
}

/// What one task costs, at least.
struct Part {
    /// When it is done; `None` if it cannot be.
    done: Option<Done>,
    /// Whether leaving it out need not be thought of.
    forced: bool,
}

/// What doing one task takes, at least.
struct Done {
    /// Cheapest way in, in millionths.
    way_micro: i64,
    lateness_us: Micros,
    /// When its agent is done with everything.
    end_us: Micros,
    /// Quickest way in and service.
    work_us: Micros,
}

impl<'p> Parts<'p> {
    pub(super) fn new(problem: &'p Problem, reach: &Reach) -> Self {
        let mut parts = Self {
            problem,
            tasks: Vec::with_capacity(problem.tasks().len()),
            used: 0,
            home_micro: 0,
            over: 0,
        };
        let mut all: Vec<Done> = problem.tasks().iter().map(|_| Done::UNKNOWN).collect();
        for group in reach.groups() {
            let home_us = home_us(problem, group);
            for (task, done) in all.iter_mut().enumerate() {
                done.alone(problem, group, (task, home_us));
            }
            for from in 0..all.len() {
                ways_from(problem, group, from, &mut all);
            }
        }
        for (done, task) in all.into_iter().zip(problem.tasks()) {
            let done = done.known().map(|done| done.with_service(task.service_us));
            let forced = problem.is_strict() && task.drop_penalty_micro.is_none() && done.is_some();
            parts.tasks.push(Part { done, forced });
        }
        for agent in 0..problem.agents().len() {
            parts.under_way(agent);
        }
        parts.routes(reach);
        parts
    }

    /// Tasks under way are where they are.
    fn under_way(&mut self, agent: usize) {
        let problem = self.problem;
        let one = &problem.agents()[agent];
        let (mut here, mut free_us) = (one.start, one.shift_start_us);
        for &index in problem.started(agent) {
            let task = &problem.tasks()[index];
            // Without a way, or with a window missed, there is no plan to say anything wrong about.
            let travel = problem.travel();
            let way_us = travel.duration_at_us(here, task.location, one.speed_micro);
            let arrival_us = free_us.saturating_add(way_us.unwrap_or(0));
            let start_us = earliest_start(task, arrival_us).unwrap_or(arrival_us);
            free_us = start_us.saturating_add(task.service_us);
            let late_us = task.windows.last().map_or(0, |w| start_us - w.close_us);
            self.tasks[index] = Part {
                forced: true,
                done: Some(Done {
                    way_micro: way_us.map_or(0, |_| travel.cost_micro(here, task.location)),
                    lateness_us: late_us.max(0),
                    end_us: free_us,
                    work_us: way_us.unwrap_or(0).saturating_add(task.service_us),
                }),
            };
            here = task.location;
        }
    }

    /// How many agents it takes, and their ways home.
    fn routes(&mut self, reach: &Reach) {
        let problem = self.problem;
        let agents = 0..problem.agents().len();
        let (busy, mut idle): (Vec<usize>, Vec<usize>) =
            agents.partition(|a| !problem.started(*a).is_empty());
        // Who can do nothing has no route.
        idle.retain(|a| reach.group(*a).starts_us.iter().any(Option::is_some));
        let forced = self.tasks.iter().any(|t| t.forced);
        let able: Vec<usize> = busy.iter().chain(&idle).copied().collect();
        let over = (0..problem.dimensions()).map(|d| self.over(d, &able)).max();
        self.over = over.filter(|_| problem.is_strict()).unwrap_or(0);
        let dimensions = 0..problem.dimensions();
        let by_load = dimensions.map(|d| self.carriers(d, &busy, &idle)).max();
        self.used = by_load
            .unwrap_or(0)
            .max(busy.len())
            .max(usize::from(forced));
        let home = |agent: &usize| self.home_cost_micro(reach, *agent);
        let mut others: Vec<i64> = idle.iter().map(home).collect();
        others.sort_unstable();
        let more = self.used - busy.len();
        self.home_micro = busy
            .iter()
            .map(home)
            .chain(others.into_iter().take(more))
            .sum();
    }

    /// How many forced tasks have to be left out for want of capacity in one dimension, at least:
    /// the largest first.
    fn over(&self, dimension: usize, able: &[usize]) -> usize {
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
                let over = load > room;
                load -= **demand;
                over
            })
            .count()
    }

    /// Agents that carry the forced tasks in one dimension, at least: the busy ones, then the
    /// largest of the idle. All, when that is not enough: then no plan does all forced tasks, and
    /// nothing said about such plans is wrong.
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

    /// The cheapest way to the end place of an agent from a task that can be its last, or 0 if it
    /// has none.
    fn home_cost_micro(&self, reach: &Reach, agent: usize) -> i64 {
        let problem = self.problem;
        let Some(end) = problem.agents()[agent].end else {
            return 0;
        };
        let (travel, group) = (problem.travel(), reach.group(agent));
        let open = (0..problem.tasks().len()).filter(|t| group.starts_us[*t].is_some());
        let lasts = open.chain(problem.started(agent).last().copied());
        let way = |task: usize| {
            let from = problem.tasks()[task].location;
            travel
                .duration_us(from, end)
                .map(|_| travel.cost_micro(from, end))
        };
        lasts.filter_map(way).min().unwrap_or(0)
    }

    /// The sum of all parts.
    pub(super) fn bound(&self) -> Cost {
        if self.over > 0 {
            // More is left out than forced says: only that much is known.
            let left_out = self.tasks.iter().zip(self.problem.tasks());
            let left_out =
                left_out.filter(|(p, t)| p.done.is_none() && t.drop_penalty_micro.is_none());
            let unserved = (left_out.count() + self.over) as i64 * MICRO;
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
            add(&mut plain, &self.least(index, 0), 1);
            let agents = self.problem.agents().len() as i64;
            let share_us = self.tasks[index]
                .done
                .as_ref()
                .map_or(0, |d| d.work_us / agents);
            add(&mut spread, &self.least(index, share_us), 1);
        }
        let last = |index: usize| {
            let end_us = self.tasks[index].done.as_ref().map_or(0, |d| d.end_us);
            let mut sum = plain;
            add(&mut sum, &self.least(index, 0), -1);
            add(&mut sum, &self.least(index, end_us), 1);
            sum
        };
        let best = (0..self.tasks.len()).map(last).chain([plain, spread]).max();
        cost(best.unwrap_or(plain))
    }

    /// The least that a task costs, when doing it adds so much to the makespan.
    fn least(&self, index: usize, makespan_us: Micros) -> Levels {
        let task = &self.problem.tasks()[index];
        let left_out = match task.drop_penalty_micro {
            None => self.amount(Term::Unserved, MICRO),
            Some(penalty_micro) => self.amount(Term::DropPenalty, penalty_micro),
        };
        let part = &self.tasks[index];
        let Some(done) = &part.done else {
            return left_out;
        };
        let mut levels = self.amount(Term::TravelCost, done.way_micro);
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

    /// What an amount of a term costs.
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
    /// Above all that is found.
    const UNKNOWN: Self = Self {
        way_micro: i64::MAX,
        lateness_us: Micros::MAX,
        end_us: Micros::MAX,
        work_us: Micros::MAX,
    };

    /// `None` when no agent can do it, or come to it from anywhere.
    fn known(self) -> Option<Self> {
        (self.way_micro < i64::MAX).then_some(self)
    }

    fn with_service(mut self, service_us: Micros) -> Self {
        self.work_us = self.work_us.saturating_add(service_us);
        self
    }

    /// What the task takes if agents of the group do it, and the ways to it from where these are.
    fn alone(&mut self, problem: &Problem, group: &Group, (task, home_us): (usize, Micros)) {
        let one = &problem.tasks()[task];
        let Some(start_us) = group.starts_us[task] else {
            return;
        };
        let late_us = one.windows.last().map_or(0, |w| start_us - w.close_us);
        self.lateness_us = self.lateness_us.min(late_us.max(0));
        let end_us = start_us.saturating_add(one.service_us);
        self.end_us = self.end_us.min(end_us.saturating_add(home_us));
        for source in &group.sources {
            if let Some(way_us) = source.way_us(problem, source.location, one.location)
                && in_time(group, task, source.free_us.saturating_add(way_us))
            {
                let cost_micro = problem.travel().cost_micro(source.location, one.location);
                self.way_micro = self.way_micro.min(cost_micro);
                self.work_us = self.work_us.min(way_us);
            }
        }
    }
}

/// The ways from one task to all others, where someone of the group can do both in time.
fn ways_from(problem: &Problem, group: &Group, from: usize, all: &mut [Done]) {
    let Some(start_us) = group.starts_us[from] else {
        return;
    };
    let (one, travel) = (&problem.tasks()[from], problem.travel());
    let departure_us = start_us.saturating_add(one.service_us);
    for (to, done) in all.iter_mut().enumerate().filter(|(to, _)| *to != from) {
        let other = &problem.tasks()[to];
        let cost_micro = travel.cost_micro(one.location, other.location);
        let way_us = travel.duration_at_us(one.location, other.location, group.speed_micro);
        let Some(way_us) = way_us.filter(|way| cost_micro < done.way_micro || *way < done.work_us)
        else {
            continue;
        };
        // Of many agents that are taken together somebody may have room for both; to look would
        // take too long.
        let together = || group.sources.len() > 1 || group.sources[0].fits(&[one, other]);
        if in_time(group, to, departure_us.saturating_add(way_us)) && together() {
            done.way_micro = done.way_micro.min(cost_micro);
            done.work_us = done.work_us.min(way_us);
        }
    }
}

/// Whether a task can be started in time after this arrival. Windows between do not matter: the
/// latest start is in one.
fn in_time(group: &Group, task: usize, arrival_us: Micros) -> bool {
    group.latest_us[task].is_some_and(|latest_us| arrival_us <= latest_us)
}

/// Quickest way to an end place from a task that can be the last: all agents of the group have to
/// make one, or it is 0.
fn home_us(problem: &Problem, group: &Group) -> Micros {
    let travel = problem.travel();
    let quickest = |source: &super::reach::Source| {
        let Some(end) = source.end else {
            return Some(0);
        };
        let lasts = (0..problem.tasks().len()).filter(|t| group.starts_us[*t].is_some());
        let ways = lasts.filter_map(|t| {
            let from = problem.tasks()[t].location;
            travel.duration_at_us(from, end, group.speed_micro)
        });
        ways.min()
    };
    group.sources.iter().filter_map(quickest).min().unwrap_or(0)
}

fn cost(levels: Levels) -> Cost {
    // A level that fits no cost is above all that do: lowered, the bound is still one.
    Cost(levels.map(|level| i64::try_from(level).unwrap_or(i64::MAX)))
}

fn add(sum: &mut Levels, part: &Levels, sign: i128) {
    for (sum, part) in sum.iter_mut().zip(part) {
        *sum += sign * part;
    }
}
