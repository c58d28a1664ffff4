//! Why tasks are left out.

mod apiece;
mod coupled;
mod proof;
mod relax;
pub(crate) mod trial;

pub use crate::obstacle::Obstacle;
pub use relax::{Change, RELAXATIONS_MAX, Relaxation, relaxations, relaxed};

use crate::bound::reach::{Reach, Source};
use crate::bound::{overload, under_way};
use crate::{Plan, Problem};
use anytime::Pulse;
use trial::Trial;

/// About how many reasons are given at most. A task that is left out has one in any case.
pub const REASONS_MAX: usize = 1_000;

/// One reason why a task is in no route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// Index of the task.
    pub task: usize,
    /// Index of the agent that it was tried with; `None`: about all agents.
    pub agent: Option<usize>,
    /// What stands in the way. About all agents: as it is for the one that comes closest.
    pub obstacle: Obstacle,
    /// True when it holds in every plan: none does the task (of [`Obstacle::TotalLoad`]: none does
    /// everything). False when it was found by trying the given plan.
    pub proved: bool,
}

/// Why tasks are left out of `plan`: for each unserved task, in the order of the problem, one
/// reason about all agents when the same can be proved for all of them, else one for each agent, by
/// rising index. Where mandatory means mandatory and the agents cannot carry everything, a reason
/// that says so comes before these.
///
/// A task is tried at every position of every route, after the tasks under way, the others keeping
/// their order. With more than about [`REASONS_MAX`] reasons only those of the agents that come
/// closest are given.
///
/// Where agents cannot do what they have under way no plan is valid. Then the answer is that alone:
/// for each of these agents, by rising index, the first such task.
///
/// In a coupled problem ([`Problem::is_coupled`]) a task that could be done is tried with each
/// agent, together with the tasks of its unit, which any agent that can do them may get. A
/// shortfall of time is then the delay of the latest start of the task with which all of them fit.
/// If there are too many tasks and agents for the time, one reason for all agents states whether
/// they fit.
///
/// Time is limited to some million steps, and ends when `wanted` does; what is beyond is
/// [`Obstacle::Untested`].
///
/// # Panics
/// When an agent or a task of the plan does not exist. Of a plan that is not valid otherwise only
/// what is proved means something: without any plan, explain the empty one.
#[must_use]
pub fn explain(problem: &Problem, plan: &Plan, wanted: &Pulse) -> Vec<Reason> {
    if problem.is_coupled() {
        return coupled::reasons(problem, plan, wanted);
    }
    let reach = Reach::new(problem);
    let stuck = stuck(problem, &reach);
    if stuck.is_empty() {
        unserved(problem, plan, &reach, wanted)
    } else {
        stuck
    }
}

fn stuck(problem: &Problem, reach: &Reach) -> Vec<Reason> {
    let first = |agent| {
        let goes_on = |agent| under_way::goes_on(reach, agent);
        let (task, obstacle) = under_way::obstacle(problem, &goes_on, agent)?;
        Some(Reason {
            task,
            agent: Some(agent),
            obstacle,
            proved: true,
        })
    };
    (0..problem.agents().len()).filter_map(first).collect()
}

fn unserved(problem: &Problem, plan: &Plan, reach: &Reach, wanted: &Pulse) -> Vec<Reason> {
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
            let proof = proof::obstacle(problem, reach, (agent, task));
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
                reasons.extend(closest(all, each_max));
            }
        }
    }
    reasons
}

/// The tasks that are neither planned nor under way.
fn left_out(problem: &Problem, plan: &Plan) -> Vec<usize> {
    let mut done = vec![false; problem.tasks().len()];
    let planned = plan.routes.iter().flat_map(|r| &r.stops).map(|s| s.task);
    let started = (0..problem.agents().len()).flat_map(|a| problem.started(a));
    for task in planned.chain(started.copied()) {
        done[task] = true;
    }
    (0..done.len()).filter(|task| !done[*task]).collect()
}

/// That all agents together cannot carry everything, if this task is part of it.
fn total_load(
    problem: &Problem,
    task: usize,
    (dimension, shortfall): (usize, i64),
) -> Option<Reason> {
    let given = &problem.tasks()[task];
    let adds = given.demands.get(dimension).is_some_and(|d| *d > 0);
    (adds && given.drop_penalty_micro.is_none()).then_some(Reason {
        task,
        agent: None,
        obstacle: Obstacle::TotalLoad {
            dimension,
            shortfall,
        },
        proved: true,
    })
}

/// At most `max` reasons, of the agents that come closest to doing the task.
fn closest(mut reasons: Vec<Reason>, max: usize) -> Vec<Reason> {
    if reasons.len() > max {
        // The sort is stable: ties go to the lower index.
        reasons.sort_by_key(|reason| (reason.proved, distance(&reason.obstacle)));
        reasons.truncate(max);
        reasons.sort_by_key(|reason| reason.agent);
    }
    reasons
}

/// Whether an agent waits for now: it has nothing under way, or that is done by then.
///
/// # Panics
/// When the agent does not exist.
#[must_use]
pub fn waits_for_now(problem: &Problem, agent: usize) -> bool {
    let now_us = problem.now_us();
    now_us > 0 && Source::of(problem, agent).free_us == now_us
}

/// Smaller means closer to doing the task.
fn distance(obstacle: &Obstacle) -> (u8, i64) {
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
        | Obstacle::PairAgents { .. }
        | Obstacle::OrderAgents { .. }
        | Obstacle::GroupAgents { .. }
        | Obstacle::OrderTime { .. }
        | Obstacle::GroupTime { .. }
        | Obstacle::PairTime { .. }
        | Obstacle::Untested => (9, 0),
    }
}
