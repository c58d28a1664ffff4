//! Obstacles found by trying a task at every place of a plan.

use super::Obstacle;
use crate::bound::reach::{earliest_start, latest_close};
use crate::bound::under_way::worst;
use crate::problem::{Agent, MICRO, Micros, Task};
use crate::verify::{schedule, timeline};
use crate::{Plan, Problem, Terms};

/// Most stops looked at, all trials together: some 10 ms.
const STEPS_MAX: usize = 2_000_000;

/// A plan to try tasks in.
pub(crate) struct Trial<'p> {
    problem: &'p Problem,
    /// One for each agent, with tasks or not.
    rides: Vec<Ride>,
    terms: Terms,
    /// Whether one task more may go to another agent than before.
    may_change: bool,
    steps: usize,
}

/// What an agent does in the plan, each task as early as possible.
#[derive(Default)]
struct Ride {
    stops: Vec<crate::Stop>,
    end_us: Micros,
    /// When the last of all other agents is done.
    others_end_us: Micros,
}

/// What comes of trying one place.
enum Outcome {
    NoWay,
    Late { shortfall_us: Micros },
    Fits(Added),
}

/// What the task adds to the terms.
#[derive(Default)]
struct Added {
    travel_cost_micro: i64,
    lateness_us: Micros,
    /// When the agent is done then.
    end_us: Micros,
}

impl<'p> Trial<'p> {
    pub(crate) fn new(problem: &'p Problem, plan: &Plan) -> Self {
        let order = |route: &crate::Route| {
            let tasks = route.stops.iter().map(|s| s.task).collect();
            (route.agent, tasks)
        };
        let orders: Vec<(usize, Vec<usize>)> = plan.routes.iter().map(order).collect();
        let plan = schedule(problem, &orders);
        let mut rides: Vec<Ride> = problem.agents().iter().map(|_| Ride::default()).collect();
        for (times, route) in timeline(problem, &plan).iter().zip(&plan.routes) {
            rides[route.agent].end_us = times.end_us;
            rides[route.agent].stops.clone_from(&route.stops);
        }
        for agent in 0..rides.len() {
            let others = rides
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != agent);
            rides[agent].others_end_us = others.map(|(_, r)| r.end_us).max().unwrap_or(0);
        }
        let changed = |(agent, task): (usize, &usize)| {
            problem
                .previous_agent(*task)
                .is_some_and(|before| before != agent)
        };
        let pairs = orders
            .iter()
            .flat_map(|(agent, tasks)| tasks.iter().map(|t| (*agent, t)));
        let changes = pairs.filter(|pair| changed(*pair)).count();
        let changes_max = problem.previous().and_then(|p| p.changes_max);
        Self {
            problem,
            rides,
            // Of a plan that is not valid the answer means nothing.
            terms: crate::verify::terms(problem, &plan).unwrap_or_default(),
            may_change: changes_max.is_none_or(|max| changes < max),
            steps: 0,
        }
    }

    /// What keeps an agent from a task in this plan.
    pub(super) fn obstacle(&mut self, agent: usize, task: usize) -> Obstacle {
        if self.steps >= STEPS_MAX {
            return Obstacle::Untested;
        }
        if let Some(over) = self.capacity(agent, task) {
            return over;
        }
        let (mut fits, mut shortfall_us) = (None, None);
        for at in self.problem.started(agent).len()..=self.rides[agent].stops.len() {
            match self.outcome(agent, task, at) {
                Outcome::NoWay => {}
                Outcome::Late { shortfall_us: us } => {
                    shortfall_us = Some(shortfall_us.unwrap_or(us).min(us));
                }
                Outcome::Fits(added) => {
                    let cheaper = self.is_cheaper(agent, task, &added);
                    fits = Some(fits.unwrap_or(false) || cheaper);
                }
            }
        }
        match (fits, shortfall_us) {
            (Some(_), _) if self.is_change(agent, task) => Obstacle::Changes,
            (Some(true), _) => Obstacle::Fits,
            (Some(false), _) => Obstacle::Price,
            (None, Some(shortfall_us)) => Obstacle::NoRoom { shortfall_us },
            (None, None) => Obstacle::Unreachable,
        }
    }

    /// What the whole plan comes to when an agent does `task` before the stop `at`, or last;
    /// `None`: a rule is broken.
    pub(crate) fn terms_with(&mut self, agent: usize, task: usize, at: usize) -> Option<Terms> {
        match self.outcome(agent, task, at) {
            Outcome::Fits(added) => Some(self.terms(agent, task, &added)),
            Outcome::NoWay | Outcome::Late { .. } => None,
        }
    }

    /// At how many places an agent could do one task more, by load, changes and what it has under
    /// way: from the first to the last stop before which it may come.
    pub(crate) fn places(&self, agent: usize, task: usize) -> std::ops::RangeInclusive<usize> {
        let (first, last) = (
            self.problem.started(agent).len(),
            self.rides[agent].stops.len(),
        );
        let given = &self.problem.tasks()[task];
        let lacks = given.skills & !self.problem.agents()[agent].skills != 0;
        if lacks || self.capacity(agent, task).is_some() || self.is_change(agent, task) {
            return last + 1..=last;
        }
        first..=last
    }

    /// Whether it would be a change of the previous plan for which there is no room.
    fn is_change(&self, agent: usize, task: usize) -> bool {
        let before = self.problem.previous_agent(task);
        !self.may_change && before.is_some_and(|before| before != agent)
    }

    fn capacity(&self, agent: usize, task: usize) -> Option<Obstacle> {
        let tasks = self.rides[agent].stops.iter().map(|s| s.task).chain([task]);
        worst(
            self.problem,
            agent,
            &tasks.map(|t| &self.problem.tasks()[t]),
        )
    }

    /// What comes of doing `task` before the stop `at`, or last.
    fn outcome(&mut self, agent: usize, task: usize, at: usize) -> Outcome {
        let problem = self.problem;
        let (ride, one) = (&self.rides[agent], &problem.agents()[agent]);
        let mut here = ride.place_before(problem, one, at);
        let mut free_us = at.checked_sub(1).map_or(one.shift_start_us, |before| {
            let before = ride.stops[before];
            before
                .start_us
                .saturating_add(problem.tasks()[before.task].service_us)
        });
        // The task is not under way: its agent leaves for it now or later.
        free_us = free_us.max(problem.now_us());
        let mut added = Added {
            travel_cost_micro: ride.detour_micro(problem, one, (task, at)),
            lateness_us: 0,
            end_us: ride.end_us,
        };
        let rest = ride.stops[at..].iter().map(|s| (s.task, Some(s.start_us)));
        for (index, planned_us) in [(task, None)].into_iter().chain(rest) {
            self.steps += 1;
            let next = &problem.tasks()[index];
            let Some(arrival_us) = arrival_us(problem, one, (here, next.location), free_us) else {
                return Outcome::NoWay;
            };
            let Some(start_us) = earliest_start(next, arrival_us) else {
                let latest_us = latest_close(next);
                return Outcome::Late {
                    shortfall_us: arrival_us.saturating_sub(latest_us),
                };
            };
            if planned_us == Some(start_us) {
                // From here on everything is as before.
                return Outcome::Fits(added);
            }
            added.lateness_us += late_us(next, start_us);
            added.lateness_us -= planned_us.map_or(0, |planned_us| late_us(next, planned_us));
            here = next.location;
            free_us = start_us.saturating_add(next.service_us);
        }
        if let Some(end) = one.end {
            match arrival_us(problem, one, (here, end), free_us) {
                None => return Outcome::NoWay,
                Some(home_us) => free_us = home_us,
            }
        }
        added.end_us = free_us;
        if free_us > one.shift_end_us {
            return Outcome::Late {
                shortfall_us: free_us - one.shift_end_us,
            };
        }
        Outcome::Fits(added)
    }

    /// Whether the plan costs less with the task.
    fn is_cheaper(&self, agent: usize, task: usize, added: &Added) -> bool {
        let terms = self.terms(agent, task, added);
        self.problem.cost(&terms) < self.problem.cost(&self.terms)
    }

    /// What the plan comes to with the task.
    fn terms(&self, agent: usize, task: usize, added: &Added) -> Terms {
        let ride = &self.rides[agent];
        let mut terms = self.terms;
        match self.problem.tasks()[task].drop_penalty_micro {
            None => terms.unserved_micro -= MICRO,
            Some(penalty_micro) => terms.drop_penalty_micro -= penalty_micro,
        }
        terms.travel_cost_micro += added.travel_cost_micro;
        terms.lateness_us += added.lateness_us;
        terms.makespan_us = ride.others_end_us.max(added.end_us);
        if ride.stops.is_empty() {
            terms.agents_used_micro += MICRO;
        }
        terms
    }
}

impl Ride {
    /// Location of the stop before `at`, or of the start.
    fn place_before(&self, problem: &Problem, agent: &Agent, at: usize) -> usize {
        let before = at.checked_sub(1).map(|before| self.stops[before].task);
        before.map_or(agent.start, |task| problem.tasks()[task].location)
    }

    /// What doing `task` before the stop `at` adds to the travel cost, if there are ways.
    fn detour_micro(&self, problem: &Problem, agent: &Agent, (task, at): (usize, usize)) -> i64 {
        let cost = |from, to| problem.travel().cost_micro(from, to);
        let (before, place) = (
            self.place_before(problem, agent, at),
            problem.tasks()[task].location,
        );
        let next = self
            .stops
            .get(at)
            .map(|s| problem.tasks()[s.task].location)
            .or(agent.end);
        let without = next
            .filter(|_| !self.stops.is_empty())
            .map_or(0, |next| cost(before, next));
        cost(before, place) + next.map_or(0, |next| cost(place, next)) - without
    }
}

fn arrival_us(
    problem: &Problem,
    agent: &Agent,
    (from, to): (usize, usize),
    free_us: Micros,
) -> Option<Micros> {
    let way_us = problem
        .travel()
        .duration_at_us(from, to, agent.speed_micro)?;
    Some(free_us.saturating_add(way_us))
}

fn late_us(task: &Task, start_us: Micros) -> Micros {
    task.windows
        .last()
        .map_or(0, |w| (start_us - w.close_us).max(0))
}
