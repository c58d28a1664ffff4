//! Obstacles where tasks are coupled, agent by agent, found by trying.
//!
//! For one agent at a time a task that is left out needs a skill that only this agent has, and the
//! search for a place decides whether it fits. If not, the rules are loosened in turn, one at a
//! time: the first with which it fits is the obstacle, and its excess is the shortfall.

use super::Obstacle;
use crate::plan::{Cost, Plan};
use crate::problem::{
    Agent, Level, MICRO, Micros, Problem, QUANTITY_MAX, SHIFT_OPEN_US, Spec, TIME_MAX_US, Term,
};
use crate::solve::coupled::FixedPlan;
use crate::verify::verify;
use anytime::Pulse;

/// Most work: plans that are set up for tries, each counted by the pairs of its locations and
/// stops.
const WORK_MAX: usize = 6_000_000;

/// A rule that is loosened.
#[derive(Clone, Copy)]
enum Loose {
    /// How many tasks may change their agent.
    Changes,
    /// The windows of the task.
    Own,
    /// What the agent can carry.
    Capacity,
    /// The end of the agent's shift.
    Shift,
    /// The windows of all tasks that are left out.
    All,
}

pub(super) struct Apiece<'p> {
    problem: &'p Problem,
    plan: &'p Plan,
    cost: Cost,
    /// A skill that nobody has.
    skill: u64,
    left_out: &'p [usize],
    work_left: usize,
    wanted: &'p Pulse,
    /// Whether something was not tried, for want of time or work.
    is_cut: bool,
}

/// Some tasks that do not go together, and the agent that is to do one of them.
struct Turn<'t> {
    agent: usize,
    tasks: &'t [usize],
}

impl<'p> Apiece<'p> {
    /// `None` when there are too many skills to distinguish agents by one more, or the plan breaks
    /// rules.
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
            is_cut: false,
        })
    }

    /// What keeps each agent from each of these tasks, as far as there was time to find it out: one
    /// list a task, one entry an agent.
    pub(super) fn obstacles(&mut self, tasks: &[usize]) -> Vec<Vec<Option<Obstacle>>> {
        let agents = self.problem.agents().len();
        let mut found = vec![None; agents * tasks.len()];
        for turn in turns(self.problem, tasks) {
            for agent in 0..agents {
                let turn = Turn {
                    agent,
                    tasks: &turn,
                };
                for (task, obstacle) in self.turn(&turn) {
                    let at = tasks.iter().position(|one| *one == task);
                    if let Some(at) = at {
                        found[at * agents + agent] = Some(obstacle);
                    }
                }
            }
        }
        found.chunks(agents).map(<[_]>::to_vec).collect()
    }

    fn turn(&mut self, turn: &Turn<'_>) -> Vec<(usize, Obstacle)> {
        let mut found = Vec::new();
        let mut open = Vec::new();
        let Some(own) = self.with(turn, |_| {}) else {
            return found;
        };
        let Some(kept) = FixedPlan::new(&own, self.plan) else {
            return found;
        };
        for &task in turn.tasks {
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
        for loose in [
            Loose::Changes,
            Loose::Own,
            Loose::Capacity,
            Loose::Shift,
            Loose::All,
        ] {
            if open.is_empty() {
                return found;
            }
            for (task, obstacle) in self.loosened(turn, (&open, loose)) {
                open.retain(|other| *other != task);
                found.push((task, obstacle));
            }
        }
        if !self.is_cut {
            found.extend(open.into_iter().map(|task| (task, Obstacle::NoPlace)));
        }
        found
    }

    /// Whether nobody waits any more.
    fn is_stopped(&mut self) -> bool {
        self.is_cut = self.is_cut || !self.wanted.beats();
        self.is_cut
    }

    /// The problem in which only one agent can do these tasks, with another change; `None`: no work
    /// or time is left.
    fn with(&mut self, turn: &Turn<'_>, change: impl FnOnce(&mut Spec)) -> Option<Problem> {
        let size = self.problem.travel().locations + self.problem.tasks().len();
        let Some(work_left) = self.work_left.checked_sub(size * size) else {
            self.is_cut = true;
            return None;
        };
        if self.is_stopped() {
            return None;
        }
        self.work_left = work_left;
        Some(self.problem.changed(|spec| {
            spec.agents[turn.agent].skills |= self.skill;
            for &task in turn.tasks {
                spec.tasks[task].skills |= self.skill;
            }
            change(spec);
        }))
    }

    /// Which of the tasks fit once a rule is loosened, and what that says.
    fn loosened(
        &mut self,
        turn: &Turn<'_>,
        (open, loose): (&[usize], Loose),
    ) -> Vec<(usize, Obstacle)> {
        let late: &[usize] = match loose {
            Loose::Own => open,
            Loose::All => self.left_out,
            _ => &[],
        };
        let loosened = self.with(turn, |spec| {
            match loose {
                Loose::Changes => {
                    if let Some(previous) = &mut spec.previous {
                        previous.changes_max = None;
                    }
                }
                Loose::Capacity => spec.agents[turn.agent]
                    .capacities
                    .iter_mut()
                    .for_each(|capacity| *capacity = QUANTITY_MAX),
                Loose::Shift => spec.agents[turn.agent].shift_end_us = SHIFT_OPEN_US,
                Loose::Own | Loose::All => {
                    spec.objective = vec![Level {
                        terms: vec![(Term::Lateness, 1)],
                    }];
                }
            }
            for &task in late {
                spec.tasks[task].lateness_max_us = Some(TIME_MAX_US);
            }
        });
        let Some(loosened) = loosened else {
            return Vec::new();
        };
        let base = verify(&loosened, self.plan);
        let (Ok(base), Some(kept)) = (base, FixedPlan::new(&loosened, self.plan)) else {
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
            // Of the levels the first is the tasks left out.
            let late_us = cost.0[1] - base.0[1];
            let obstacle = match loose {
                Loose::Changes => Some(Obstacle::Changes),
                Loose::Own => Some(Obstacle::NoRoom {
                    shortfall_us: (late_us - soft_us).max(1),
                }),
                Loose::Capacity => self.capacity(turn.agent, task),
                Loose::Shift => self.shift(turn.agent, task),
                Loose::All => Some(Obstacle::LateTogether {
                    shortfall_us: late_us.max(1),
                }),
            };
            found.extend(obstacle.map(|obstacle| (task, obstacle)));
        }
        found
    }

    /// By how much too little the agent can carry for a task, in the dimension in which most is
    /// missing.
    fn capacity(&mut self, agent: usize, task: usize) -> Option<Obstacle> {
        let (dimension, over) = self.over(agent, task)?;
        let more = |agent: &mut Agent, by: i64| {
            for capacity in &mut agent.capacities {
                *capacity = capacity.saturating_add(by).min(QUANTITY_MAX);
            }
        };
        let shortfall = self.enough((agent, task), (over.max(1), 1, QUANTITY_MAX), more)?;
        Some(Obstacle::Capacity {
            dimension,
            shortfall,
        })
    }

    /// By how much the agent carries too much with a task wherever it does it, at least, in the
    /// dimension in which that is most.
    fn over(&self, agent: usize, task: usize) -> Option<(usize, i64)> {
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
            let (mut most, mut least) = (load, load);
            for &stop in &stops {
                if is_pickup(stop) {
                    load += demand(stop);
                }
                let delivered = pairs.iter().find(|pair| pair.delivery == stop);
                load -= delivered.map_or(0, |pair| demand(pair.pickup));
                (most, least) = (most.max(load), least.min(load));
            }
            // What is picked up is there for a moment at least, all else all the way.
            let load = if is_pickup(task) { least } else { most };
            load + demand(task) - value(&problem.agents()[agent].capacities, dimension)
        };
        let all = (0..problem.dimensions()).map(|d| (excess(d), std::cmp::Reverse(d)));
        let (over, std::cmp::Reverse(dimension)) = all.max()?;
        Some((dimension, over))
    }

    /// How much longer the agent's shift would have to be, to the second.
    fn shift(&mut self, agent: usize, task: usize) -> Option<Obstacle> {
        let longer = |agent: &mut Agent, by_us: Micros| {
            agent.shift_end_us = agent.shift_end_us.saturating_add(by_us);
        };
        let shortfall_us = self.enough((agent, task), (MICRO, MICRO, SHIFT_OPEN_US), longer)?;
        Some(Obstacle::Shift { shortfall_us })
    }

    /// The least amount of a change of the agent with which a task fits, from the first one, to the
    /// unit; more where there is no work left to find out. `None`: not even the most is known to be
    /// enough.
    fn enough(
        &mut self,
        (agent, task): (usize, usize),
        (first, unit, most): (i64, i64, i64),
        change: impl Fn(&mut Agent, i64),
    ) -> Option<i64> {
        let one = Turn {
            agent,
            tasks: &[task],
        };
        let plan = self.plan;
        let mut fits = |by: i64| {
            let other = self.with(&one, |spec| change(&mut spec.agents[one.agent], by))?;
            let kept = FixedPlan::new(&other, plan);
            Some(kept.is_some_and(|kept| matches!(kept.cheapest(task), Ok(Some(_)))))
        };
        let (mut low, mut high) = (0, first);
        while !fits(high)? {
            low = high;
            high = high.checked_mul(2).filter(|by| *by <= most)?;
        }
        // The first is the least there can be.
        while low > 0 && high - low > unit {
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

/// The tasks in turns, so that no two of a turn go together.
fn turns(problem: &Problem, tasks: &[usize]) -> Vec<Vec<usize>> {
    let mut unit: Vec<usize> = (0..problem.tasks().len()).collect();
    let couplings = problem.couplings();
    let pairs = couplings.pairs.iter();
    let ties = pairs.map(|pair| vec![pair.pickup, pair.delivery]);
    for tie in ties.chain(couplings.groups.iter().map(|group| group.tasks.clone())) {
        let least = tie.iter().map(|task| unit[*task]).min();
        let merged: Vec<usize> = tie.iter().map(|task| unit[*task]).collect();
        for one in &mut unit {
            if merged.contains(one) {
                *one = least.unwrap_or(*one);
            }
        }
    }
    let mut turns: Vec<Vec<usize>> = Vec::new();
    for &task in tasks {
        let goes_with = |other: &usize| unit[*other] == unit[task];
        match turns.iter_mut().find(|turn| !turn.iter().any(goes_with)) {
            Some(turn) => turn.push(task),
            None => turns.push(vec![task]),
        }
    }
    turns
}
