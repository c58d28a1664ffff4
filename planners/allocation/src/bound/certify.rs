//! Certificates: tasks that no plan does, and sets of tasks that no plan does completely.
//!
//! Two kinds of sets are tried: all mandatory tasks, and those that need the same skills, together
//! with the agents that have these. In each set every agent is replaced by one that has the best
//! values of all: what is impossible for that one is impossible for each. Bounds on a set are the
//! sum of demands (`load.rs`), energetic reasoning (`energetic.rs`) and cliques of a conflict graph
//! (`conflict_graph.rs`).

mod clique;
mod conflict_graph;
mod energetic;
mod load;

use super::coupling::CouplingAnalysis;
use super::earliest_arrival::{AgentGroup, EarliestArrivals};
use super::incompatibility::Incompatibilities;
use super::{committed, free};
use crate::certificate::{Certificate, Incompatibility, Proof};
use crate::obstacle::Obstacle;
use crate::problem::{Problem, Task};
use std::borrow::Cow;

/// Limit on the steps spent on sets; beyond, fewer are found.
const STEPS_MAX: usize = 24_000_000;
/// Most certificates.
pub const CERTIFICATES_MAX: usize = 100;
/// Most sets of skills that are looked at separately.
const SKILLS_MAX: usize = 64;

/// Certificates of a problem.
pub(crate) struct Proved {
    /// Of single tasks, by rising task, then of sets.
    pub(crate) certificates: Vec<Certificate>,
    /// Lower bound on the mandatory tasks that a plan leaves out.
    pub(crate) left_out: usize,
}

/// Certificates of what no valid plan does: first of single tasks, mandatory or not, by rising
/// index; then of sets of mandatory tasks of which some are left out. At most
/// [`CERTIFICATES_MAX`]. An empty list proves nothing.
///
/// If agents cannot do the tasks that they have under way no plan is valid: then there is one
/// certificate for each such agent, and no other.
///
/// Some ten million steps at most. [`verify::certificate`](fn@crate::verify::certificate) checks
/// them.
#[must_use]
pub fn certificates(problem: &Problem) -> Vec<Certificate> {
    let free = free(problem);
    let arrivals = EarliestArrivals::new(&free);
    let agents = 0..problem.agents().len();
    let infeasible = agents.filter_map(|agent| committed_prefix(problem, &free, &arrivals, agent));
    let infeasible: Vec<Certificate> = infeasible.take(CERTIFICATES_MAX).collect();
    if !infeasible.is_empty() {
        return infeasible;
    }
    let incompatibilities = Incompatibilities::new(problem, &arrivals);
    let couplings = CouplingAnalysis::new(&incompatibilities);
    proved(&free, &incompatibilities, &couplings, &mut || true).certificates
}

/// `free` is the problem without its couplings. Less is proved once `go_on`, which is called now
/// and then, has returned false.
pub(crate) fn proved(
    free: &Problem,
    incompatibilities: &Incompatibilities<'_>,
    couplings: &CouplingAnalysis<'_, '_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Proved {
    let problem = incompatibilities.problem;
    let tasks = 0..problem.tasks().len();
    let mandatory = |task: &usize| problem.tasks()[*task].drop_penalty_micro.is_none();
    let impossible = tasks.clone().filter(|task| couplings.is_impossible(*task));
    let impossible: Vec<usize> = impossible.collect();
    let alone = impossible.iter().filter(|task| mandatory(task)).count();
    let certificates = impossible.iter().filter_map(|t| couplings.certificate(*t));
    let mut certificates: Vec<Certificate> = certificates.take(CERTIFICATES_MAX).collect();
    let open = tasks.filter(|task| {
        let is_free = incompatibilities.committed_to[*task].is_none();
        mandatory(task) && is_free && !couplings.is_impossible(*task)
    });
    let open: Vec<usize> = open.collect();
    let sets = sets(free, incompatibilities, &open, go_on);
    let more = sets.iter().map(|one| one.left_out).max().unwrap_or(0);
    certificates.extend(sets);
    certificates.truncate(CERTIFICATES_MAX);
    Proved {
        certificates,
        left_out: alone + more,
    }
}

/// Tasks that need the same skills, and the agents that have these.
struct SkillClass<'a> {
    incompatibilities: &'a Incompatibilities<'a>,
    /// Mandatory tasks, not under way, each possible alone, rising.
    tasks: Vec<usize>,
    /// Agents that can do any of the tasks, rising.
    agents: Vec<usize>,
    /// The agents merged: the best values of all.
    best: Cow<'a, AgentGroup>,
}

fn sets(
    free: &Problem,
    incompatibilities: &Incompatibilities<'_>,
    open: &[usize],
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Certificate> {
    let problem = incompatibilities.problem;
    let mut found: Vec<Certificate> = Vec::new();
    let mut steps = STEPS_MAX;
    let mut seen: Vec<Vec<usize>> = Vec::new();
    for skills in skill_sets(problem, open) {
        if !go_on() {
            break;
        }
        let needs = |task: &Task| task.skills & skills == skills;
        let tasks = open.iter().copied();
        let tasks: Vec<usize> = tasks.filter(|t| needs(&problem.tasks()[*t])).collect();
        let agents = 0..problem.agents().len();
        let able = |agent: &usize| {
            tasks
                .iter()
                .any(|task| incompatibilities.can(*agent, *task))
        };
        let agents: Vec<usize> = agents.filter(able).collect();
        // More skills leave fewer tasks: with the same agents they prove nothing new.
        if tasks.len() < 2 || seen.contains(&agents) {
            continue;
        }
        for one in load::overloads(incompatibilities, &tasks, &agents) {
            add(&mut found, one);
        }
        let pairs = problem.tasks().len().pow(2);
        let Some(left) = steps.checked_sub(4 * pairs + tasks.len().pow(2)) else {
            seen.push(agents);
            continue;
        };
        steps = left;
        let best = match incompatibilities.arrivals.single_group() {
            Some(best) if agents.len() == problem.agents().len() => Cow::Borrowed(best),
            _ => Cow::Owned(EarliestArrivals::merged(free, &agents)),
        };
        let class = SkillClass {
            incompatibilities,
            tasks,
            agents,
            best,
        };
        let more = [
            energetic::energetic_bound(&class, free),
            conflict_graph::clique_bound(&class, free, &mut steps),
        ];
        for one in more.into_iter().flatten() {
            add(&mut found, one);
        }
        seen.push(class.agents);
    }
    found
}

/// Adds a certificate unless another one proves the same, or more, of the same tasks.
fn add(found: &mut Vec<Certificate>, one: Certificate) {
    let implies = |other: &Certificate| other.tasks == one.tasks && other.left_out >= one.left_out;
    if !found.iter().any(implies) {
        found.push(one);
    }
}

/// The empty set, then each skill, then the sets of skills that tasks need; by rising size.
fn skill_sets(problem: &Problem, tasks: &[usize]) -> Vec<u64> {
    let needed: Vec<u64> = tasks.iter().map(|t| problem.tasks()[*t].skills).collect();
    let all = needed.iter().fold(0, |all, one| all | one);
    let single = (0..64).map(|bit| 1_u64 << bit).filter(|bit| all & bit != 0);
    let mut sets: Vec<u64> = single.chain(needed).chain([0]).collect();
    sets.sort_unstable_by_key(|set| (set.count_ones(), *set));
    sets.dedup();
    sets.truncate(SKILLS_MAX);
    sets
}

/// That an agent cannot do the tasks that it has under way; `None`: it can, or only its arc to the
/// end place is in doubt.
fn committed_prefix(
    problem: &Problem,
    free: &Problem,
    arrivals: &EarliestArrivals,
    agent: usize,
) -> Option<Certificate> {
    let continues = |agent| committed::continues(arrivals, agent);
    let (task, obstacle) = committed::obstacle(free, &continues, agent)?;
    let committed = problem.committed(agent);
    let last = committed.iter().position(|one| *one == task)?;
    let one = &problem.agents()[agent];
    let incompatibility = match obstacle {
        Obstacle::MissingSkill { missing } => Incompatibility::Skills { missing },
        Obstacle::Unreachable => Incompatibility::Unreachable,
        Obstacle::Window {
            arrival_us,
            latest_us,
        } => Incompatibility::Window {
            arrival_us,
            latest_us,
        },
        Obstacle::Capacity {
            dimension,
            shortfall,
        } => {
            let capacity = one.capacities.get(dimension).copied().unwrap_or(0);
            Incompatibility::Capacity {
                dimension,
                load: capacity + shortfall,
                capacity,
            }
        }
        Obstacle::Shift { shortfall_us } => {
            let end_us = one.shift_end_us.checked_add(shortfall_us)?;
            let service_us = problem.tasks()[task].service_us;
            Incompatibility::Shift {
                earliest_us: end_us - service_us,
                latest_us: Some(one.shift_end_us - service_us),
            }
        }
        _ => return None,
    };
    // The path to the end place may lead over other tasks: that is for reasons, not for
    // certificates.
    let is_about_end = matches!(
        incompatibility,
        Incompatibility::Shift { .. } | Incompatibility::Unreachable
    ) && last + 1 == committed.len()
        && one.end.is_some();
    let mut tasks = committed[..=last].to_vec();
    tasks.sort_unstable();
    (!is_about_end).then_some(Certificate {
        tasks,
        left_out: 1,
        proof: Proof::Committed {
            agent,
            incompatibility,
        },
    })
}
