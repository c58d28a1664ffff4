//! Reasons in coupled problems.

use super::per_agent::PerAgent;
use super::{
    Obstacle, REASONS_MAX, Reason, infeasible_commitments, left_out, mildest, proof, total_load,
};
use crate::bound::coupling::{CouplingAnalysis, CouplingConflict};
use crate::bound::earliest_arrival::EarliestArrivals;
use crate::bound::incompatibility::Incompatibilities;
use crate::bound::overload;
use crate::solve::coupled::FixedPlan;
use crate::{Cost, Plan, Problem, verify};
use anytime::Pulse;

/// Limit on the tasks that are tried in the plan, multiplied by the number of tasks of the problem.
const TRIALS_MAX: usize = 20_000;

pub(super) fn reasons(problem: &Problem, plan: &Plan, wanted: &Pulse) -> Vec<Reason> {
    // What is impossible without couplings is impossible with them.
    let free = problem.uncoupled();
    let arrivals = EarliestArrivals::new(&free);
    let infeasible = infeasible_commitments(&free, &arrivals);
    if !infeasible.is_empty() {
        return infeasible;
    }
    let unserved = left_out(problem, plan);
    let overload = overload(&free).filter(|_| problem.is_strict());
    let incompatibilities = Incompatibilities::new(problem, &arrivals);
    let couplings = CouplingAnalysis::new(&incompatibilities);
    let each_max = (REASONS_MAX / unserved.len().max(1)).max(1);
    let proof = |agent, task| proof::obstacle(&free, &arrivals, agent, task);
    let agents = 0..problem.agents().len();
    let open = |task: &usize| {
        !couplings.is_impossible(*task) && agents.clone().any(|agent| proof(agent, *task).is_none())
    };
    let open: Vec<usize> = unserved.iter().copied().filter(open).collect();
    let per_agent = PerAgent::new(problem, plan, &unserved, wanted);
    let found = per_agent.map(|mut per_agent| per_agent.obstacles(&open));
    let mut all_agents = AllAgents::new(problem, plan, wanted);
    let mut reasons = Vec::new();
    for &task in &unserved {
        if let Some(conflict) = couplings.conflict(task) {
            reasons.push(about_task(task, obstacle(conflict), true));
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
            Some(all) => match proof::about_all(&all).or_else(|| missing_task(&all)) {
                Some(one) => reasons.push(one),
                None => reasons.extend(mildest(all, each_max)),
            },
            None => reasons.push(about_task(task, all_agents.obstacle(task), false)),
        }
    }
    reasons
}

/// One reason about all agents if another task is missing.
fn missing_task(reasons: &[Reason]) -> Option<Reason> {
    let is_need = |reason: &&Reason| matches!(reason.obstacle, Obstacle::Needs { .. });
    let need = reasons.iter().find(is_need)?;
    Some(Reason {
        agent: None,
        ..need.clone()
    })
}

/// Trials with all agents jointly, where tasks and agents are too many to try each pair.
struct AllAgents<'p> {
    cost: Option<Cost>,
    kept: Option<FixedPlan<'p>>,
    trials_left: usize,
    wanted: &'p Pulse,
}

impl<'p> AllAgents<'p> {
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

fn about_task(task: usize, obstacle: Obstacle, proved: bool) -> Reason {
    Reason {
        task,
        agent: None,
        obstacle,
        proved,
    }
}

/// The obstacle that a conflict of couplings is.
fn obstacle(conflict: CouplingConflict) -> Obstacle {
    match conflict {
        CouplingConflict::Needs { task, .. } => Obstacle::Needs { task },
        CouplingConflict::OneAgent { by } => Obstacle::OneAgent { by },
        CouplingConflict::Group { group } => Obstacle::GroupAgents { group },
        CouplingConflict::Late {
            by,
            earliest_us,
            latest_us,
        } => Obstacle::CouplingTime {
            by,
            earliest_us,
            latest_us,
        },
    }
}
