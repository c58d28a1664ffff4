//! Reasons where tasks are coupled.

use super::apiece::Apiece;
use super::{Obstacle, REASONS_MAX, Reason, closest, left_out, proof, stuck, total_load};
use crate::bound::bars::Bars;
use crate::bound::overload;
use crate::bound::reach::Reach;
use crate::bound::ties::{Tie, Ties};
use crate::solve::coupled::FixedPlan;
use crate::{Cost, Plan, Problem, verify};
use anytime::Pulse;

/// Most tasks that are tried in the plan, divided by the number of tasks of the problem.
const TRIALS_MAX: usize = 20_000;

pub(super) fn reasons(problem: &Problem, plan: &Plan, wanted: &Pulse) -> Vec<Reason> {
    // What is impossible without couplings is impossible with them.
    let free = problem.uncoupled();
    let reach = Reach::new(&free);
    let stuck = stuck(&free, &reach);
    if !stuck.is_empty() {
        return stuck;
    }
    let unserved = left_out(problem, plan);
    let overload = overload(&free).filter(|_| problem.is_strict());
    let bars = Bars::new(problem, &reach);
    let ties = Ties::new(&bars);
    let each_max = (REASONS_MAX / unserved.len().max(1)).max(1);
    let proof = |agent, task| proof::obstacle(&free, &reach, (agent, task));
    let agents = 0..problem.agents().len();
    let open = |task: &usize| {
        !ties.is_impossible(*task) && agents.clone().any(|agent| proof(agent, *task).is_none())
    };
    let open: Vec<usize> = unserved.iter().copied().filter(open).collect();
    let apiece = Apiece::new(problem, plan, &unserved, wanted);
    let found = apiece.map(|mut apiece| apiece.obstacles(&open));
    let mut whole = Whole::new(problem, plan, wanted);
    let mut reasons = Vec::new();
    for &task in &unserved {
        if let Some(tie) = ties.found(task) {
            reasons.push(about(task, obstacle(tie), true));
            continue;
        }
        let found = open.binary_search(&task).ok().zip(found.as_ref());
        let found = found.map(|(at, found)| &found[at]);
        let all = agents.clone().map(|agent| {
            let proof = proof(agent, task);
            let obstacle = proof.or_else(|| found.and_then(|found| found[agent]))?;
            Some(Reason {
                task,
                agent: Some(agent),
                obstacle,
                proved: proof.is_some(),
            })
        });
        let all = all.collect::<Option<Vec<Reason>>>();
        if open.binary_search(&task).is_ok() {
            reasons.extend(overload.and_then(|overload| total_load(&free, task, overload)));
        }
        match all {
            Some(all) => match proof::about_all(&all).or_else(|| lacking(&all)) {
                Some(one) => reasons.push(one),
                None => reasons.extend(closest(all, each_max)),
            },
            None => reasons.push(about(task, whole.obstacle(task), false)),
        }
    }
    reasons
}

/// One reason instead of one for each agent where what is missing is another task.
fn lacking(reasons: &[Reason]) -> Option<Reason> {
    let is_need = |reason: &&Reason| matches!(reason.obstacle, Obstacle::Needs { .. });
    let need = reasons.iter().find(is_need)?;
    Some(Reason {
        agent: None,
        ..need.clone()
    })
}

/// Where there are too many tasks and agents to try each with each: all agents at once.
struct Whole<'p> {
    cost: Option<Cost>,
    kept: Option<FixedPlan<'p>>,
    trials_left: usize,
    wanted: &'p Pulse,
}

impl<'p> Whole<'p> {
    fn new(problem: &'p Problem, plan: &Plan, wanted: &'p Pulse) -> Self {
        let cost = verify(problem, plan).ok();
        Self {
            cost,
            kept: cost.and_then(|_| FixedPlan::new(problem, plan)),
            trials_left: TRIALS_MAX / problem.tasks().len().max(1),
            wanted,
        }
    }

    fn obstacle(&mut self, task: usize) -> Obstacle {
        if self.trials_left > 0 && !self.wanted.beats() {
            self.trials_left = 0;
        }
        let tried = self.kept.as_ref().filter(|_| self.trials_left > 0);
        self.trials_left = self.trials_left.saturating_sub(1);
        tried.map_or(Obstacle::Untested, |kept| match kept.cheapest(task) {
            Err(need) => Obstacle::Needs { task: need },
            Ok(None) => Obstacle::NoPlace,
            Ok(Some(with)) if Some(with) < self.cost => Obstacle::Fits,
            Ok(Some(_)) => Obstacle::Price,
        })
    }
}

fn about(task: usize, obstacle: Obstacle, proved: bool) -> Reason {
    Reason {
        task,
        agent: None,
        obstacle,
        proved,
    }
}

fn obstacle(tie: Tie) -> Obstacle {
    match tie {
        Tie::Needs { task, .. } => Obstacle::Needs { task },
        Tie::Pair { pair } => Obstacle::PairAgents { pair },
        Tie::Agents { order } => Obstacle::OrderAgents { order },
        Tie::Group { group } => Obstacle::GroupAgents { group },
        Tie::Order {
            order,
            earliest_us,
            latest_us,
        } => Obstacle::OrderTime {
            order,
            earliest_us,
            latest_us,
        },
        Tie::Together {
            group,
            earliest_us,
            latest_us,
        } => Obstacle::GroupTime {
            group,
            earliest_us,
            latest_us,
        },
        Tie::Delivery {
            pair,
            earliest_us,
            latest_us,
        } => Obstacle::PairTime {
            pair,
            earliest_us,
            latest_us,
        },
    }
}
