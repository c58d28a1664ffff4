//! Obstacles found by trying a task at every place of a plan.

use super::Obstacle;
use crate::bound::committed::capacity_obstacle;
use crate::bound::earliest_arrival::{earliest_start, latest_close};
use crate::problem::{Agent, MICRO, Micros, Task};
use crate::verify::{schedule, timeline};
use crate::{Plan, Problem, Terms};

/// Limit on the stops examined in all trials: some 10 ms.
const STEPS_MAX: usize = 2_000_000;

/// A plan to try tasks in.
pub(crate) struct Trial<'p> {
    problem: &'p Problem,
    /// One for each agent, with tasks or not.
    routes: Vec<ScheduledRoute>,
    terms: Terms,
    /// Whether one more task may move from its previous agent.
    may_change: bool,
    steps: usize,
}

/// Route of an agent, each task as early as possible.
#[derive(Default)]
struct ScheduledRoute {
    stops: Vec<crate::Stop>,
    end_us: Micros,
    /// Latest end of the other routes.
    others_end_us: Micros,
}

/// Result of trying one place.
enum Outcome {
    Unreachable,
    Late { shortfall_us: Micros },
    Fits(Added),
}

/// Changes of the terms by the task.
#[derive(Default)]
struct Added {
    travel_cost_micro: i64,
    lateness_us: Micros,
    /// End of the route with the task.
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
        let mut routes: Vec<ScheduledRoute> = problem
            .agents()
            .iter()
            .map(|_| ScheduledRoute::default())
            .collect();
        for (times, route) in timeline(problem, &plan).iter().zip(&plan.routes) {
            routes[route.agent].end_us = times.end_us;
            routes[route.agent].stops.clone_from(&route.stops);
        }
        for agent in 0..routes.len() {
            let others = routes
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != agent);
            routes[agent].others_end_us = others.map(|(_, r)| r.end_us).max().unwrap_or(0);
        }
        let moved = |route: &crate::Route| {
            let tasks = route.stops.iter().map(|stop| stop.task);
            let before = tasks.filter_map(|task| problem.previous_agent(task));
            before.filter(|agent| *agent != route.agent).count()
        };
        let changes: usize = plan.routes.iter().map(moved).sum();
        let changes_max = problem.previous().and_then(|p| p.changes_max);
        Self {
            problem,
            routes,
            // The result for an invalid plan is meaningless.
            terms: crate::verify::terms(problem, &plan).unwrap_or_default(),
            may_change: changes_max.is_none_or(|max| changes < max),
            steps: 0,
        }
    }

    /// The obstacle of a task for an agent in this plan.
    pub(super) fn obstacle(&mut self, agent: usize, task: usize) -> Obstacle {
        if self.steps >= STEPS_MAX {
            return Obstacle::Untested;
        }
        if let Some(over) = self.capacity(agent, task) {
            return over;
        }
        let (mut fits, mut shortfall_us) = (None, None);
        for at in self.problem.committed(agent).len()..=self.routes[agent].stops.len() {
            match self.outcome(agent, task, at) {
                Outcome::Unreachable => {}
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
            (Some(_), _) if self.exceeds_changes(agent, task) => Obstacle::Changes,
            (Some(true), _) => Obstacle::Fits,
            (Some(false), _) => Obstacle::Price,
            (None, Some(shortfall_us)) => Obstacle::NoRoom { shortfall_us },
            (None, None) => Obstacle::Unreachable,
        }
    }

    /// Terms of the plan when an agent does `task` before the stop `at`, or last; `None`: the plan
    /// would be invalid.
    pub(crate) fn terms_with(&mut self, agent: usize, task: usize, at: usize) -> Option<Terms> {
        match self.outcome(agent, task, at) {
            Outcome::Fits(added) => Some(self.terms(agent, task, &added)),
            Outcome::Unreachable | Outcome::Late { .. } => None,
        }
    }

    /// Places of a task on the route of an agent that skills, capacities, changes and tasks under
    /// way allow: the stops before which it may come.
    pub(crate) fn places(&self, agent: usize, task: usize) -> std::ops::RangeInclusive<usize> {
        let (first, last) = (
            self.problem.committed(agent).len(),
            self.routes[agent].stops.len(),
        );
        let given = &self.problem.tasks()[task];
        let lacks_skills = given.skills & !self.problem.agents()[agent].skills != 0;
        if lacks_skills || self.capacity(agent, task).is_some() || self.exceeds_changes(agent, task)
        {
            return last + 1..=last;
        }
        first..=last
    }

    /// Whether it would exceed the number of changes of the previous plan.
    fn exceeds_changes(&self, agent: usize, task: usize) -> bool {
        let before = self.problem.previous_agent(task);
        !self.may_change && before.is_some_and(|before| before != agent)
    }

    fn capacity(&self, agent: usize, task: usize) -> Option<Obstacle> {
        let tasks = self.routes[agent]
            .stops
            .iter()
            .map(|s| s.task)
            .chain([task]);
        capacity_obstacle(
            self.problem,
            agent,
            &tasks.map(|t| &self.problem.tasks()[t]),
        )
    }

    /// Result of doing `task` before the stop `at`, or last.
    fn outcome(&mut self, agent: usize, task: usize, at: usize) -> Outcome {
        let problem = self.problem;
        let (route, one) = (&self.routes[agent], &problem.agents()[agent]);
        let mut here = route.place_before(problem, one, at);
        let mut free_us = at.checked_sub(1).map_or(one.shift_start_us, |before| {
            let before = route.stops[before];
            before
                .start_us
                .saturating_add(problem.tasks()[before.task].service_us)
        });
        // The task is not under way: its agent leaves for it now or later.
        free_us = free_us.max(problem.now_us());
        let mut added = Added {
            travel_cost_micro: route.detour_micro(problem, one, task, at),
            lateness_us: 0,
            end_us: route.end_us,
        };
        let rest = route.stops[at..].iter().map(|s| (s.task, Some(s.start_us)));
        for (index, planned_us) in [(task, None)].into_iter().chain(rest) {
            self.steps += 1;
            let next = &problem.tasks()[index];
            let Some(arrival_us) = arrival_us(problem, one, here, next.location, free_us) else {
                return Outcome::Unreachable;
            };
            let Some(start_us) = earliest_start(next, arrival_us) else {
                let latest_us = latest_close(next);
                return Outcome::Late {
                    shortfall_us: arrival_us.saturating_sub(latest_us),
                };
            };
            if planned_us == Some(start_us) {
                // All later starts are the same.
                return Outcome::Fits(added);
            }
            added.lateness_us += late_us(next, start_us);
            added.lateness_us -= planned_us.map_or(0, |planned_us| late_us(next, planned_us));
            here = next.location;
            free_us = start_us.saturating_add(next.service_us);
        }
        if let Some(end) = one.end {
            match arrival_us(problem, one, here, end, free_us) {
                None => return Outcome::Unreachable,
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

    /// Terms of the plan with the task.
    fn terms(&self, agent: usize, task: usize, added: &Added) -> Terms {
        let route = &self.routes[agent];
        let mut terms = self.terms;
        match self.problem.tasks()[task].drop_penalty_micro {
            None => terms.unserved_micro -= MICRO,
            Some(penalty_micro) => terms.drop_penalty_micro -= penalty_micro,
        }
        terms.travel_cost_micro += added.travel_cost_micro;
        terms.lateness_us += added.lateness_us;
        terms.makespan_us = route.others_end_us.max(added.end_us);
        if route.stops.is_empty() {
            terms.agents_used_micro += MICRO;
        }
        terms
    }
}

impl ScheduledRoute {
    /// Location of the stop before `at`, or of the start.
    fn place_before(&self, problem: &Problem, agent: &Agent, at: usize) -> usize {
        let before = at.checked_sub(1).map(|before| self.stops[before].task);
        before.map_or(agent.start, |task| problem.tasks()[task].location)
    }

    /// Travel cost that `task` adds before the stop `at`, if the arcs exist.
    fn detour_micro(&self, problem: &Problem, agent: &Agent, task: usize, at: usize) -> i64 {
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
    from: usize,
    to: usize,
    free_us: Micros,
) -> Option<Micros> {
    let travel_us = problem
        .travel()
        .duration_at_us(from, to, agent.speed_micro)?;
    Some(free_us.saturating_add(travel_us))
}

fn late_us(task: &Task, start_us: Micros) -> Micros {
    task.windows
        .last()
        .map_or(0, |w| (start_us - w.close_us).max(0))
}
