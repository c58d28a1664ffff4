//! The oracle: every plan of a tiny problem, one after the other. It reads the problem's fields and
//! shares no other code with the crate.

use allocation::problem::{Agent, Problem, Task};
use allocation::{Cost, Plan, Route, Stop, Terms};

/// A problem's valid plans: every assignment and order, each with its earliest start times.
///
/// Later starts never help: an earlier start arrives no later anywhere, and no term gets
/// worse.
pub(crate) fn each_plan(problem: &Problem, visit: &mut dyn FnMut(&Plan, &Terms)) {
    assert!(
        problem.tasks().len() <= 7 && problem.agents().len() <= 3,
        "tiny problems only"
    );
    let pinned = (0..problem.agents().len())
        .flat_map(|a| problem.committed(a))
        .copied()
        .collect();
    let mut walk = Walk {
        problem,
        visit,
        pinned,
        routes: vec![Vec::new(); problem.agents().len()],
    };
    let agent = &problem.agents()[0];
    walk.agent(
        0,
        &Leg {
            location: agent.start,
            free_us: agent.shift_start_us,
        },
        &Terms::default(),
    );
}

/// The best plan and its cost; `None` when not even a partial plan keeps the rules.
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
    pinned: Vec<usize>,
    routes: Vec<Vec<Stop>>,
}

/// Where an agent is and since when it is free.
struct Leg {
    location: usize,
    free_us: i64,
}

impl Walk<'_> {
    /// All continuations for agent `a`, who is at `leg`, and those after it.
    fn agent(&mut self, a: usize, leg: &Leg, so_far: &Terms) {
        self.close(a, leg, so_far);
        let problem = self.problem;
        let committed = problem.committed(a).get(self.routes[a].len()).copied();
        for t in 0..problem.tasks().len() {
            let pinned = self.pinned.contains(&t);
            let free = if let Some(s) = committed {
                s == t
            } else {
                !pinned
            };
            if !free || self.routes.iter().flatten().any(|s| s.task == t) || !self.able(a, t) {
                continue;
            }
            let (agent, task) = (&problem.agents()[a], &problem.tasks()[t]);
            let Some(travel_us) = travel_us(problem, agent, leg.location, task.location) else {
                continue;
            };
            // What is not under way lies in the future, with the arc to it.
            let leave_us = match committed {
                Some(_) => leg.free_us,
                None => leg.free_us.max(problem.spec().now_us),
            };
            let Some((start_us, late_us)) = start(task, leave_us + travel_us) else {
                continue;
            };
            let mut terms = *so_far;
            terms.travel_cost_micro += arc_cost(problem, leg.location, task.location);
            terms.lateness_us += late_us;
            self.routes[a].push(Stop { task: t, start_us });
            let next = Leg {
                location: task.location,
                free_us: start_us + task.service_us,
            };
            self.agent(a, &next, &terms);
            self.routes[a].pop();
        }
    }

    /// Whether agent `a` has the skills for task `t` and room for it.
    fn able(&self, a: usize, t: usize) -> bool {
        let problem = self.problem;
        let (agent, tasks) = (&problem.agents()[a], problem.tasks());
        let room = |d: usize| {
            let demand = |t: usize| tasks[t].demands.get(d).copied().unwrap_or(0);
            let load: i64 = self.routes[a].iter().map(|s| demand(s.task)).sum();
            load + demand(t) <= agent.capacities.get(d).copied().unwrap_or(0)
        };
        (0..8).all(room) && (0..64).all(|s| tasks[t].skills >> s & 1 <= agent.skills >> s & 1)
    }

    /// Agent `a` does nothing more.
    fn close(&mut self, a: usize, leg: &Leg, so_far: &Terms) {
        let problem = self.problem;
        let agent = &problem.agents()[a];
        if self.routes[a].len() < problem.committed(a).len() {
            return;
        }
        let mut terms = *so_far;
        if !self.routes[a].is_empty() {
            let mut end_us = leg.free_us;
            if let Some(home) = agent.end {
                let Some(travel_us) = travel_us(problem, agent, leg.location, home) else {
                    return;
                };
                end_us += travel_us;
                terms.travel_cost_micro += arc_cost(problem, leg.location, home);
            }
            if end_us > agent.shift_end_us {
                return;
            }
            terms.makespan_us = terms.makespan_us.max(end_us);
            terms.agents_used_micro += 1_000_000;
        }
        match problem.agents().get(a + 1) {
            Some(next) => {
                let leg = Leg {
                    location: next.start,
                    free_us: next.shift_start_us,
                };
                self.agent(a + 1, &leg, &terms);
            }
            None => self.finish(terms),
        }
    }

    fn finish(&mut self, mut terms: Terms) {
        let mut changes = 0;
        for (t, task) in self.problem.tasks().iter().enumerate() {
            let by = self
                .routes
                .iter()
                .position(|r| r.iter().any(|s| s.task == t));
            match (by, task.drop_penalty_micro) {
                (None, None) => terms.unserved_micro += 1_000_000,
                (None, Some(penalty_micro)) => terms.drop_penalty_micro += penalty_micro,
                (Some(agent), _) => {
                    let routes = self.problem.previous().into_iter().flat_map(|p| &p.routes);
                    let before = routes
                        .filter(|r| r.tasks.contains(&t))
                        .map(|r| r.agent)
                        .next();
                    changes += usize::from(before.is_some_and(|b| b != agent));
                }
            }
        }
        if self
            .problem
            .previous()
            .and_then(|p| p.changes_max)
            .is_some_and(|max| changes > max)
        {
            return;
        }
        let agents = 0..self.routes.len();
        let used = agents.filter(|agent| !self.routes[*agent].is_empty());
        let route = |agent: usize| Route::new(agent, self.routes[agent].clone());
        let plan = Plan {
            routes: used.map(route).collect(),
        };
        (self.visit)(&plan, &terms);
    }
}

fn travel_us(problem: &Problem, agent: &Agent, from: usize, to: usize) -> Option<i64> {
    let travel = problem.travel();
    let travel_us = travel.durations_us[from * travel.locations + to];
    let scaled = i128::from(travel_us) * 1_000_000;
    let speed = i128::from(agent.speed_micro);
    (travel_us >= 0).then(|| (scaled / speed + i128::from(scaled % speed != 0)) as i64)
}

fn arc_cost(problem: &Problem, from: usize, to: usize) -> i64 {
    let travel = problem.travel();
    let costs = travel.costs_micro.as_ref().unwrap_or(&travel.durations_us);
    costs[from * travel.locations + to]
}

/// Earliest start at or after `arrival_us` and how late that is; `None` when it is too late.
fn start(task: &Task, arrival_us: i64) -> Option<(i64, i64)> {
    let Some(last) = task.windows.last() else {
        return Some((arrival_us, 0));
    };
    if arrival_us > last.close_us {
        let late_us = arrival_us - last.close_us;
        return (late_us <= task.lateness_max_us.unwrap_or(0)).then_some((arrival_us, late_us));
    }
    let starts = task.windows.iter().filter(|w| w.close_us >= arrival_us);
    starts.map(|w| (w.open_us.max(arrival_us), 0)).min()
}
