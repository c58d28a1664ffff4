//! Per-agent diagnosis in coupled problems: obstacles found by trying one agent at a time.
//!
//! For one agent at a time a task that is left out requires a skill that only this agent has, and
//! the search for a place decides whether it fits. If it does not, rules are relaxed one at a time:
//! the first with which it fits is the obstacle, and the amount needed is the shortfall.

use super::Obstacle;
use crate::plan::{Cost, Plan};
use crate::problem::{
    Agent, Level, MICRO, Micros, Problem, QUANTITY_MAX, SHIFT_OPEN_US, Spec, TIME_MAX_US, Term,
};
use crate::solve::coupled::FixedPlan;
use crate::verify::verify;
use anytime::Pulse;

/// Limit on the work: plans that are set up for trials, each counted by the pairs of its locations
/// and stops.
const WORK_MAX: usize = 6_000_000;

/// A rule that is relaxed.
#[derive(Clone, Copy)]
enum RelaxedRule {
    /// The number of tasks that may change their agent.
    Changes,
    /// The windows of the task.
    OwnWindows,
    /// The capacities of the agent.
    Capacity,
    /// The end of the agent's shift.
    Shift,
    /// The windows of all tasks that are left out.
    AllWindows,
}

pub(super) struct PerAgent<'p> {
    problem: &'p Problem,
    plan: &'p Plan,
    cost: Cost,
    /// A skill that no agent has.
    skill: u64,
    left_out: &'p [usize],
    work_left: usize,
    wanted: &'p Pulse,
    /// Whether something was not tried, for want of time or work.
    is_incomplete: bool,
}

/// Tasks of which no two are coupled, and the agent that is tried with each of them.
struct Batch<'t> {
    agent: usize,
    tasks: &'t [usize],
}

/// Amounts of a change that are tried.
#[derive(Clone, Copy)]
struct Amounts {
    /// The first one tried. None below it suffices.
    first: i64,
    /// Precision of the result.
    unit: i64,
    max: i64,
}

impl<'p> PerAgent<'p> {
    /// `None`: no skill is left to distinguish an agent, or the plan is invalid.
    pub(super) fn new(
        problem: &'p Problem,
        plan: &'p Plan,
        left_out: &'p [usize],
        wanted: &'p Pulse,
    ) -> Option<Self> {
        let skills = problem.agents().iter().map(|agent| agent.skills);
        let skills = skills.chain(problem.tasks().iter().map(|task| task.skills));
        let used = skills.fold(0, |all, one| all | one);
        (used != u64::MAX).then_some(())?;
        Some(Self {
            problem,
            plan,
            cost: verify(problem, plan).ok()?,
            skill: 1 << used.trailing_ones(),
            left_out,
            work_left: WORK_MAX,
            wanted,
            is_incomplete: false,
        })
    }

    /// The obstacle of each of these tasks for each agent, one list for each task; `None`: there
    /// was no time to find it.
    pub(super) fn obstacles(&mut self, tasks: &[usize]) -> Vec<Vec<Option<Obstacle>>> {
        let agents = self.problem.agents().len();
        let mut found = vec![None; agents * tasks.len()];
        for batch in batches(self.problem, tasks) {
            for agent in 0..agents {
                let batch = Batch {
                    agent,
                    tasks: &batch,
                };
                for (task, obstacle) in self.diagnose(&batch) {
                    let at = tasks.iter().position(|one| *one == task);
                    if let Some(at) = at {
                        found[at * agents + agent] = Some(obstacle);
                    }
                }
            }
        }
        found.chunks(agents).map(<[_]>::to_vec).collect()
    }

    fn diagnose(&mut self, batch: &Batch<'_>) -> Vec<(usize, Obstacle)> {
        let mut found = Vec::new();
        let mut open = Vec::new();
        let Some(own) = self.restricted(batch, |_| {}) else {
            return found;
        };
        let Some(kept) = FixedPlan::new(&own, self.plan) else {
            return found;
        };
        for &task in batch.tasks {
            if self.is_stopped() {
                return found;
            }
            match kept.cheapest(task) {
                Err(need) => found.push((task, Obstacle::Needs { task: need })),
                Ok(Some(cost)) if cost < self.cost => found.push((task, Obstacle::Fits)),
                Ok(Some(_)) => found.push((task, Obstacle::Price)),
                Ok(None) => open.push(task),
            }
        }
        for rule in [
            RelaxedRule::Changes,
            RelaxedRule::OwnWindows,
            RelaxedRule::Capacity,
            RelaxedRule::Shift,
            RelaxedRule::AllWindows,
        ] {
            if open.is_empty() {
                return found;
            }
            for (task, obstacle) in self.diagnose_relaxed(batch, &open, rule) {
                open.retain(|other| *other != task);
                found.push((task, obstacle));
            }
        }
        if !self.is_incomplete {
            found.extend(open.into_iter().map(|task| (task, Obstacle::NoPlace)));
        }
        found
    }

    /// Whether the result is not wanted any more.
    fn is_stopped(&mut self) -> bool {
        self.is_incomplete = self.is_incomplete || !self.wanted.beats();
        self.is_incomplete
    }

    /// The problem in which only the agent of the batch can do its tasks, with another change;
    /// `None`: no work or time is left.
    fn restricted(&mut self, batch: &Batch<'_>, change: impl FnOnce(&mut Spec)) -> Option<Problem> {
        let size = self.problem.travel().locations + self.problem.tasks().len();
        let Some(work_left) = self.work_left.checked_sub(size * size) else {
            self.is_incomplete = true;
            return None;
        };
        if self.is_stopped() {
            return None;
        }
        self.work_left = work_left;
        Some(self.problem.changed(|spec| {
            spec.agents[batch.agent].skills |= self.skill;
            for &task in batch.tasks {
                spec.tasks[task].skills |= self.skill;
            }
            change(spec);
        }))
    }

    /// The obstacles of the tasks that fit once a rule is relaxed.
    fn diagnose_relaxed(
        &mut self,
        batch: &Batch<'_>,
        open: &[usize],
        rule: RelaxedRule,
    ) -> Vec<(usize, Obstacle)> {
        let late: &[usize] = match rule {
            RelaxedRule::OwnWindows => open,
            RelaxedRule::AllWindows => self.left_out,
            _ => &[],
        };
        let relaxed_problem = self.restricted(batch, |spec| {
            match rule {
                RelaxedRule::Changes => {
                    if let Some(previous) = &mut spec.previous {
                        previous.changes_max = None;
                    }
                }
                RelaxedRule::Capacity => spec.agents[batch.agent]
                    .capacities
                    .iter_mut()
                    .for_each(|capacity| *capacity = QUANTITY_MAX),
                RelaxedRule::Shift => spec.agents[batch.agent].shift_end_us = SHIFT_OPEN_US,
                RelaxedRule::OwnWindows | RelaxedRule::AllWindows => {
                    spec.objective = vec![Level {
                        terms: vec![(Term::Lateness, 1)],
                    }];
                }
            }
            for &task in late {
                spec.tasks[task].lateness_max_us = Some(TIME_MAX_US);
            }
        });
        let Some(relaxed_problem) = relaxed_problem else {
            return Vec::new();
        };
        let base = verify(&relaxed_problem, self.plan);
        let (Ok(base), Some(kept)) = (base, FixedPlan::new(&relaxed_problem, self.plan)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for &task in open {
            if self.is_stopped() {
                break;
            }
            let Ok(Some(cost)) = kept.cheapest(task) else {
                continue;
            };
            let soft_us = self.problem.tasks()[task].lateness_max_us.unwrap_or(0);
            // Level 0 is the tasks left out.
            let late_us = cost.0[1] - base.0[1];
            let obstacle = match rule {
                RelaxedRule::Changes => Some(Obstacle::Changes),
                RelaxedRule::OwnWindows => Some(Obstacle::NoRoom {
                    shortfall_us: (late_us - soft_us).max(1),
                }),
                RelaxedRule::Capacity => self.capacity(batch.agent, task),
                RelaxedRule::Shift => self.shift(batch.agent, task),
                RelaxedRule::AllWindows => Some(Obstacle::LateTogether {
                    shortfall_us: late_us.max(1),
                }),
            };
            found.extend(obstacle.map(|obstacle| (task, obstacle)));
        }
        found
    }

    /// Shortfall of the agent's capacities for a task, in the dimension with the largest excess.
    fn capacity(&mut self, agent: usize, task: usize) -> Option<Obstacle> {
        let (dimension, excess) = self.excess(agent, task)?;
        let more = |agent: &mut Agent, by: i64| {
            for capacity in &mut agent.capacities {
                *capacity = capacity.saturating_add(by).min(QUANTITY_MAX);
            }
        };
        let amounts = Amounts {
            first: excess.max(1),
            unit: 1,
            max: QUANTITY_MAX,
        };
        let shortfall = self.minimal_amount(agent, task, amounts, more)?;
        Some(Obstacle::Capacity {
            dimension,
            shortfall,
        })
    }

    /// Lower bound on the excess of the agent's load with a task, at any place of its route, and
    /// the dimension in which it is largest.
    fn excess(&self, agent: usize, task: usize) -> Option<(usize, i64)> {
        let problem = self.problem;
        let pairs = &problem.couplings().pairs;
        let pickup = pairs.iter().find(|pair| pair.delivery == task);
        let task = pickup.map_or(task, |pair| pair.pickup);
        let is_pickup = |task: usize| pairs.iter().any(|pair| pair.pickup == task);
        let value = |list: &[i64], d: usize| list.get(d).copied().unwrap_or(0);
        let route = self.plan.routes.iter().find(|route| route.agent == agent);
        let stops: Vec<usize> = route.map_or(Vec::new(), |route| {
            route.stops.iter().map(|stop| stop.task).collect()
        });
        let excess = |dimension: usize| {
            let demand = |task: usize| value(&problem.tasks()[task].demands, dimension);
            let whole = stops.iter().filter(|task| !is_pickup(**task));
            let mut load: i64 = whole.map(|task| demand(*task)).sum();
            let (mut max, mut min) = (load, load);
            for &stop in &stops {
                if is_pickup(stop) {
                    load += demand(stop);
                }
                let delivered = pairs.iter().find(|pair| pair.delivery == stop);
                load -= delivered.map_or(0, |pair| demand(pair.pickup));
                (max, min) = (max.max(load), min.min(load));
            }
            // The demand of a pickup is carried for a moment at least, any other on the whole
            // route.
            let load = if is_pickup(task) { min } else { max };
            load + demand(task) - value(&problem.agents()[agent].capacities, dimension)
        };
        let all = (0..problem.dimensions()).map(|d| (excess(d), std::cmp::Reverse(d)));
        let (excess, std::cmp::Reverse(dimension)) = all.max()?;
        Some((dimension, excess))
    }

    /// Extension of the agent's shift that a task needs, to the second.
    fn shift(&mut self, agent: usize, task: usize) -> Option<Obstacle> {
        let longer = |agent: &mut Agent, by_us: Micros| {
            agent.shift_end_us = agent.shift_end_us.saturating_add(by_us);
        };
        let amounts = Amounts {
            first: MICRO,
            unit: MICRO,
            max: SHIFT_OPEN_US,
        };
        let shortfall_us = self.minimal_amount(agent, task, amounts, longer)?;
        Some(Obstacle::Shift { shortfall_us })
    }

    /// The minimal amount of a change of the agent with which a task fits, by binary search; more
    /// if the work left does not suffice. `None`: no amount is known with which it fits.
    fn minimal_amount(
        &mut self,
        agent: usize,
        task: usize,
        amounts: Amounts,
        change: impl Fn(&mut Agent, i64),
    ) -> Option<i64> {
        let one = Batch {
            agent,
            tasks: &[task],
        };
        let plan = self.plan;
        let mut fits = |by: i64| {
            let other = self.restricted(&one, |spec| change(&mut spec.agents[one.agent], by))?;
            let kept = FixedPlan::new(&other, plan);
            Some(kept.is_some_and(|kept| matches!(kept.cheapest(task), Ok(Some(_)))))
        };
        let (mut low, mut high) = (0, amounts.first);
        while !fits(high)? {
            low = high;
            high = high.checked_mul(2).filter(|by| *by <= amounts.max)?;
        }
        // If the first amount suffices it is minimal.
        while low > 0 && high - low > amounts.unit {
            let middle = low + (high - low) / 2;
            match fits(middle) {
                Some(true) => high = middle,
                Some(false) => low = middle,
                None => break,
            }
        }
        Some(high)
    }
}

/// The tasks in batches, so that no two tasks of a batch are coupled, orders included: a rule that
/// is relaxed for one must not help the other.
fn batches(problem: &Problem, tasks: &[usize]) -> Vec<Vec<usize>> {
    let mut unit: Vec<usize> = (0..problem.tasks().len()).collect();
    let couplings = problem.couplings();
    let pairs = couplings.pairs.iter();
    let pairs = pairs.map(|pair| vec![pair.pickup, pair.delivery]);
    let orders = couplings.orders.iter();
    let orders = orders.map(|order| vec![order.first, order.second]);
    let groups = couplings.groups.iter().map(|group| group.tasks.clone());
    for coupling in pairs.chain(orders).chain(groups) {
        let first = coupling.iter().map(|task| unit[*task]).min();
        let merged: Vec<usize> = coupling.iter().map(|task| unit[*task]).collect();
        for one in &mut unit {
            if merged.contains(one) {
                *one = first.unwrap_or(*one);
            }
        }
    }
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for &task in tasks {
        let is_coupled = |other: &usize| unit[*other] == unit[task];
        match batches
            .iter_mut()
            .find(|batch| !batch.iter().any(is_coupled))
        {
            Some(batch) => batch.push(task),
            None => batches.push(vec![task]),
        }
    }
    batches
}
