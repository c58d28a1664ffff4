//! Explanations: why tasks are left out of a plan.

mod coupled;
mod per_agent;
mod proof;
mod relax;
mod report;
pub(crate) mod trial;

pub use crate::obstacle::Obstacle;
pub use relax::{Change, RELAXATIONS_MAX, Relaxation, relaxations, relaxed};

use crate::bound::earliest_arrival::EarliestArrivals;
use crate::bound::{Overload, committed, overload};
use crate::{Plan, Problem};
use anytime::Pulse;
use trial::Trial;

/// Approximate limit on the number of reasons. A task that is left out always has one.
pub const REASONS_MAX: usize = 1_000;

/// One reason why a task is in no route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// Index of the task.
    pub task: usize,
    /// Index of the agent; `None`: the reason is about all agents.
    pub agent: Option<usize>,
    /// The obstacle; if it is about all agents, the mildest.
    pub obstacle: Obstacle,
    /// True if it holds in every plan: none does the task, or with [`Obstacle::TotalLoad`] none
    /// does all tasks. False if it was found by trying places in the given plan.
    pub proved: bool,
}

/// Reasons why tasks are left out of `plan`: for each unserved task, in the order of the problem,
/// one reason about all agents if the same kind is proved for all of them, else one for each agent,
/// by rising index. In a strict problem a reason [`Obstacle::TotalLoad`] comes before these if the
/// agents cannot carry all mandatory tasks.
///
/// A task is tried at every position of every route, after the tasks under way, without reordering
/// the others. Beyond about [`REASONS_MAX`] reasons only the mildest are returned.
///
/// If agents cannot do the tasks that they have under way no plan is valid. Then there is one
/// reason for each of these agents, by rising index, and no other.
///
/// In a coupled problem ([`Problem::is_coupled`]) a task that could be done is tried with each
/// agent, together with the tasks of its unit, which any agent that can do them may get. A
/// shortfall of time is then the delay of the latest start of the task with which all of them fit.
/// If there are too many tasks and agents for the time, one reason for all agents states whether
/// they fit.
///
/// The work is limited to some million steps, and ends when `wanted` does; tasks beyond are
/// [`Obstacle::Untested`].
///
/// # Panics
/// When an agent or a task of the plan does not exist. If the plan is invalid otherwise only proved
/// reasons are meaningful. Without a plan, explain the empty one.
#[must_use]
pub fn explain(problem: &Problem, plan: &Plan, wanted: &Pulse) -> Vec<Reason> {
    if problem.is_coupled() {
        return coupled::reasons(problem, plan, wanted);
    }
    let arrivals = EarliestArrivals::new(problem);
    let infeasible = infeasible_commitments(problem, &arrivals);
    if infeasible.is_empty() {
        unserved(problem, plan, &arrivals, wanted)
    } else {
        infeasible
    }
}

fn infeasible_commitments(problem: &Problem, arrivals: &EarliestArrivals) -> Vec<Reason> {
    let first = |agent| {
        let continues = |agent| committed::continues(arrivals, agent);
        let (task, obstacle) = committed::obstacle(problem, &continues, agent)?;
        Some(Reason {
            task,
            agent: Some(agent),
            obstacle,
            proved: true,
        })
    };
    (0..problem.agents().len()).filter_map(first).collect()
}

fn unserved(
    problem: &Problem,
    plan: &Plan,
    arrivals: &EarliestArrivals,
    wanted: &Pulse,
) -> Vec<Reason> {
    let unserved = left_out(problem, plan);
    if unserved.is_empty() {
        return Vec::new();
    }
    let overload = overload(problem).filter(|_| problem.is_strict());
    let mut trial = Trial::new(problem, plan);
    let each_max = (REASONS_MAX / unserved.len()).max(1);
    let mut reasons = Vec::new();
    let mut is_stopped = false;
    for task in unserved {
        is_stopped = is_stopped || !wanted.beats();
        if is_stopped {
            reasons.push(Reason {
                task,
                agent: None,
                obstacle: Obstacle::Untested,
                proved: false,
            });
            continue;
        }
        let about = |agent| {
            let proof = proof::obstacle(problem, arrivals, agent, task);
            Reason {
                task,
                agent: Some(agent),
                obstacle: proof.unwrap_or_else(|| trial.obstacle(agent, task)),
                proved: proof.is_some(),
            }
        };
        let all: Vec<Reason> = (0..problem.agents().len()).map(about).collect();
        match proof::about_all(&all) {
            Some(one) => reasons.push(one),
            None => {
                reasons.extend(overload.and_then(|overload| total_load(problem, task, overload)));
                reasons.extend(mildest(all, each_max));
            }
        }
    }
    reasons
}

/// Tasks that are neither planned nor under way.
fn left_out(problem: &Problem, plan: &Plan) -> Vec<usize> {
    let mut done = vec![false; problem.tasks().len()];
    let planned = plan.routes.iter().flat_map(|r| &r.stops).map(|s| s.task);
    let committed = (0..problem.agents().len()).flat_map(|a| problem.committed(a));
    for task in planned.chain(committed.copied()) {
        done[task] = true;
    }
    (0..done.len()).filter(|task| !done[*task]).collect()
}

/// The reason that all agents together cannot carry all mandatory tasks, if this task is one of
/// them.
fn total_load(problem: &Problem, task: usize, overload: Overload) -> Option<Reason> {
    let given = &problem.tasks()[task];
    let Overload { dimension, excess } = overload;
    let adds = given.demands.get(dimension).is_some_and(|d| *d > 0);
    (adds && given.drop_penalty_micro.is_none()).then_some(Reason {
        task,
        agent: None,
        obstacle: Obstacle::TotalLoad {
            dimension,
            shortfall: excess,
        },
        proved: true,
    })
}

/// The `max` mildest reasons, by agent.
fn mildest(mut reasons: Vec<Reason>, max: usize) -> Vec<Reason> {
    if reasons.len() > max {
        // The sort is stable: ties go to the lower index.
        reasons.sort_by_key(|reason| (reason.proved, severity(&reason.obstacle)));
        reasons.truncate(max);
        reasons.sort_by_key(|reason| reason.agent);
    }
    reasons
}

/// Severity of an obstacle: the smaller, the closer the agent comes to doing the task.
fn severity(obstacle: &Obstacle) -> (u8, i64) {
    match *obstacle {
        Obstacle::Fits => (0, 0),
        Obstacle::Price => (1, 0),
        Obstacle::Changes => (2, 0),
        Obstacle::NoRoom { shortfall_us } => (3, shortfall_us),
        Obstacle::Capacity { shortfall, .. } | Obstacle::TotalLoad { shortfall, .. } => {
            (4, shortfall)
        }
        Obstacle::Shift { shortfall_us } => (5, shortfall_us),
        Obstacle::Window { arrival_us, .. } => (6, arrival_us),
        Obstacle::LateTogether { shortfall_us } => (6, shortfall_us),
        Obstacle::NoPlace => (7, 0),
        Obstacle::Unreachable => (7, 1),
        Obstacle::MissingSkill { missing } => (8, i64::from(missing.count_ones())),
        // These are about all agents, and not compared.
        Obstacle::Needs { .. }
        | Obstacle::OneAgent { .. }
        | Obstacle::GroupAgents { .. }
        | Obstacle::CouplingTime { .. }
        | Obstacle::Untested => (9, 0),
    }
}
