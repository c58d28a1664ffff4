//! The oracle: every plan of a tiny problem, one after the other. It reads the problem's fields and
//! shares no other code with the crate.

mod times;

use allocation::problem::{Break, DIMENSIONS_MAX, Problem};
use allocation::{Cost, Plan, Rest, Route, Stop, Terms};

/// One thing that an agent does.
#[derive(Clone, Copy, PartialEq)]
enum Visit {
    Task(usize),
    Break(usize),
}

/// A problem's valid plans: every assignment and order of tasks and breaks, each with its earliest
/// times.
///
/// Where nothing is too early later starts never help.
pub(crate) fn each_plan(problem: &Problem, visit: &mut dyn FnMut(&Plan, &Terms)) {
    assert!(
        problem.tasks().len() <= 6 && problem.agents().len() <= 3,
        "tiny problems only"
    );
    let mut walk = Walk {
        problem,
        visit,
        routes: vec![Vec::new(); problem.agents().len()],
        used: vec![false; problem.tasks().len()],
    };
    walk.agent(0);
}

/// The best plan and its cost; `None` when no plan keeps the rules.
pub(crate) fn best(problem: &Problem) -> Option<(Cost, Plan)> {
    let mut best: Option<(Cost, Plan)> = None;
    each_plan(problem, &mut |plan, terms| {
        let cost = problem.cost(terms);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, plan.clone()));
        }
    });
    best
}

struct Walk<'w> {
    problem: &'w Problem,
    visit: &'w mut dyn FnMut(&Plan, &Terms),
    routes: Vec<Vec<Visit>>,
    used: Vec<bool>,
}

impl Walk<'_> {
    fn agent(&mut self, agent: usize) {
        if agent == self.routes.len() {
            return self.complete();
        }
        self.extend(agent);
    }

    /// All extensions of the route of an agent.
    fn extend(&mut self, agent: usize) {
        self.breaks(agent, 0);
        for task in 0..self.used.len() {
            if !self.used[task] {
                self.used[task] = true;
                self.routes[agent].push(Visit::Task(task));
                self.extend(agent);
                self.routes[agent].pop();
                self.used[task] = false;
            }
        }
    }

    /// All places of an agent's breaks from `index` on, not taken included, with its tasks as they
    /// are; then the next agent.
    fn breaks(&mut self, agent: usize, index: usize) {
        let all = &self.problem.couplings().breaks;
        let Some(one) = all.get(index) else {
            return self.agent(agent + 1);
        };
        self.breaks(agent, index + 1);
        if one.agent != agent || self.routes[agent].is_empty() {
            return;
        }
        for at in 0..=self.routes[agent].len() {
            self.routes[agent].insert(at, Visit::Break(index));
            self.breaks(agent, index + 1);
            self.routes[agent].remove(at);
        }
    }

    fn complete(&mut self) {
        if !(self.is_whole() && self.is_kept()) {
            return;
        }
        let Some((tasks_us, rests_us)) = self.times() else {
            return;
        };
        let Some((plan, terms)) = self.judge(&tasks_us, &rests_us) else {
            return;
        };
        (self.visit)(&plan, &terms);
    }

    fn agent_of(&self, task: usize) -> Option<usize> {
        let does = |route: &Vec<Visit>| route.contains(&Visit::Task(task));
        self.routes.iter().position(does)
    }

    fn position_of(&self, task: usize) -> Option<usize> {
        let agent = self.agent_of(task)?;
        self.routes[agent]
            .iter()
            .position(|v| *v == Visit::Task(task))
    }

    /// Everything that is not about time or load.
    fn is_whole(&self) -> bool {
        let couplings = self.problem.couplings();
        let orders = couplings.orders.iter().all(|order| {
            let (first, second) = (self.agent_of(order.first), self.agent_of(order.second));
            second.is_none() || (first.is_some() && (!order.same_agent || first == second))
        });
        let pairs = couplings.pairs.iter().all(|pair| {
            self.agent_of(pair.pickup) == self.agent_of(pair.delivery)
                && self.position_of(pair.pickup) <= self.position_of(pair.delivery)
        });
        let groups = couplings.groups.iter().all(|group| {
            let mut agents: Vec<_> = group.tasks.iter().map(|t| self.agent_of(*t)).collect();
            agents.sort_unstable();
            agents[agents.len() - 1].is_none()
                || (agents[0].is_some() && agents.windows(2).all(|w| w[0] != w[1]))
        });
        let skills = (0..self.used.len()).all(|task| {
            let needed = self.problem.tasks()[task].skills;
            self.agent_of(task)
                .is_none_or(|agent| needed & !self.problem.agents()[agent].skills == 0)
        });
        orders && pairs && groups && skills && self.carries()
    }

    fn carries(&self) -> bool {
        let pairs = &self.problem.couplings().pairs;
        let tasks = self.problem.tasks();
        (0..self.routes.len()).all(|agent| {
            (0..DIMENSIONS_MAX).all(|d| {
                let value = |list: &[i64]| list.get(d).copied().unwrap_or(0);
                // The load just after each visit, from nothing.
                let after = |end: usize| -> i64 {
                    let load = |position: usize| {
                        let Visit::Task(task) = self.routes[agent][position] else {
                            return 0;
                        };
                        let demand = value(&tasks[task].demands);
                        match pairs.iter().find(|p| p.pickup == task) {
                            None => demand,
                            Some(pair) => {
                                let until = self.position_of(pair.delivery).unwrap_or(usize::MAX);
                                if position <= end && end < until {
                                    demand
                                } else {
                                    0
                                }
                            }
                        }
                    };
                    (0..self.routes[agent].len()).map(load).sum()
                };
                let room = value(&self.problem.agents()[agent].capacities);
                (0..self.routes[agent].len()).all(|end| after(end) <= room)
            })
        })
    }

    /// The previous plan's rules.
    fn is_kept(&self) -> bool {
        let committed = (0..self.routes.len()).all(|agent| {
            let tasks = self.routes[agent].iter();
            let mut tasks = tasks.filter(|v| matches!(v, Visit::Task(_)));
            let committed = self.problem.committed(agent).iter();
            committed
                .map(|t| Visit::Task(*t))
                .all(|t| tasks.next() == Some(&t))
        });
        let changes_max = self.problem.previous().and_then(|p| p.changes_max);
        committed && changes_max.is_none_or(|most| self.changes() <= most)
    }

    fn changes(&self) -> usize {
        let routes = || self.problem.previous().into_iter().flat_map(|p| &p.routes);
        let moved = |task: &usize| {
            let before = routes().find(|r| r.tasks.contains(task)).map(|r| r.agent);
            let now = self.agent_of(*task);
            before.is_some() && now.is_some() && before != now
        };
        (0..self.used.len()).filter(moved).count()
    }

    fn travel_us(&self, agent: usize, from: usize, to: usize) -> Option<i64> {
        let travel = self.problem.travel();
        let travel_us = i128::from(travel.durations_us[from * travel.locations + to]);
        let speed = i128::from(self.problem.agents()[agent].speed_micro);
        (travel_us >= 0).then(|| ((travel_us * 1_000_000 + speed - 1) / speed) as i64)
    }

    /// Where an agent is before a visit, since which task; and how long it has rested since.
    fn before(&self, agent: usize, position: usize) -> (Option<usize>, i64) {
        let mut rested_us = 0;
        for visit in self.routes[agent][..position].iter().rev() {
            match *visit {
                Visit::Task(task) => return (Some(task), rested_us),
                Visit::Break(index) => rested_us += self.rest(index).length_us,
            }
        }
        (None, rested_us)
    }

    fn rest(&self, index: usize) -> &Break {
        &self.problem.couplings().breaks[index]
    }

    /// The plan, if shifts and breaks allow it, and its terms.
    fn judge(&self, tasks_us: &[i64], rests_us: &[i64]) -> Option<(Plan, Terms)> {
        let mut plan = Plan::default();
        let mut sums = (Terms::default(), vec![0; self.routes.len()]);
        for (agent, visits) in self.routes.iter().enumerate() {
            if !visits.is_empty() {
                let route = self.route(agent, tasks_us, rests_us, &mut sums)?;
                plan.routes.push(route);
            }
        }
        let (mut terms, mut busy) = sums;
        self.count(tasks_us, &mut terms);
        for (task, one) in self.problem.tasks().iter().enumerate() {
            if let Some(agent) = self.agent_of(task) {
                busy[agent] += one.service_us;
            }
        }
        let (most, least) = (busy.iter().max(), busy.iter().min());
        terms.balance_us = most.unwrap_or(&0) - least.unwrap_or(&0);
        Some((plan, terms))
    }

    /// One route, if its shift and breaks allow it; and what it adds to the terms and to the travel
    /// of its agent.
    fn route(
        &self,
        agent: usize,
        tasks_us: &[i64],
        rests_us: &[i64],
        (terms, busy): &mut (Terms, Vec<i64>),
    ) -> Option<Route> {
        let visits = &self.routes[agent];
        let mut route = Route {
            agent,
            ..Route::default()
        };
        let one = &self.problem.agents()[agent];
        let mut here = one.start;
        let mut go = |to: usize| {
            let travel = self.problem.travel();
            let costs = travel.costs_micro.as_ref().unwrap_or(&travel.durations_us);
            terms.travel_cost_micro += costs[here * travel.locations + to];
            let travel_us = self.travel_us(agent, here, to)?;
            busy[agent] += travel_us;
            here = to;
            Some(travel_us)
        };
        for visit in visits {
            match *visit {
                Visit::Task(task) => {
                    let start_us = tasks_us[task];
                    go(self.problem.tasks()[task].location)?;
                    route.stops.push(Stop { task, start_us });
                }
                Visit::Break(index) => route.rests.push(Rest {
                    index,
                    stop: route.stops.len(),
                    start_us: rests_us[index],
                }),
            }
        }
        // Nobody only rests.
        let last = route.stops.last()?;
        let mut end_us = last.start_us + self.problem.tasks()[last.task].service_us;
        end_us += self.before(agent, visits.len()).1;
        if let Some(end) = one.end {
            end_us += go(end)?;
        }
        if let Some(Visit::Break(index)) = visits.last() {
            end_us = end_us.max(rests_us[*index] + self.rest(*index).length_us);
        }
        let takes = |index: usize| visits.contains(&Visit::Break(index));
        let breaks = self.problem.couplings().breaks.iter().enumerate();
        // A break is past that had to start before now, when its agent had done what is under way.
        let now_us = self.problem.spec().now_us;
        let done_us = self
            .problem
            .committed(agent)
            .last()
            .map(|task| tasks_us[*task] + self.problem.tasks()[*task].service_us);
        let done_us = done_us.unwrap_or(i64::MIN);
        let is_past = |one: &Break| one.latest_us < now_us && done_us <= one.latest_us;
        let mut missed =
            breaks.filter(|(index, b)| b.agent == agent && !takes(*index) && !is_past(b));
        if end_us > one.shift_end_us || missed.any(|(_, b)| end_us > b.latest_us) {
            return None;
        }
        terms.makespan_us = terms.makespan_us.max(end_us);
        terms.agents_used_micro += 1_000_000;
        Some(route)
    }

    /// Terms that are sums over tasks.
    fn count(&self, tasks_us: &[i64], terms: &mut Terms) {
        for (task, one) in self.problem.tasks().iter().enumerate() {
            if self.agent_of(task).is_none() {
                match one.drop_penalty_micro {
                    None => terms.unserved_micro += 1_000_000,
                    Some(penalty) => terms.drop_penalty_micro += penalty,
                }
                continue;
            }
            let start_us = tasks_us[task];
            if let Some(last) = one.windows.last() {
                terms.lateness_us += (start_us - last.close_us).max(0);
            }
            let preferences = self.problem.couplings().preferences.iter();
            for wish in preferences.filter(|wish| wish.task == task) {
                let early = i128::from((wish.from_us - start_us).max(0));
                let late = i128::from((start_us - wish.until_us).max(0));
                let cost =
                    early * i128::from(wish.early_micro) + late * i128::from(wish.late_micro);
                terms.preferences_micro += ((cost + 999_999) / 1_000_000) as i64;
            }
        }
        terms.tasks_moved_micro = self.changes() as i64 * 1_000_000;
    }
}
