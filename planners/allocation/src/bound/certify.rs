//! Certificates: tasks that no plan does, and sets of tasks of which no plan does all.
//!
//! Two kinds of sets are tried: all mandatory tasks, and those that need the same skills, together
//! with the agents that have these. In each set every agent is replaced by one that has the best
//! values of all: what is impossible for that one is impossible for each.

mod apart;
mod graph;
mod load;
mod time;

use super::bars::Bars;
use super::reach::{Group, Reach};
use super::ties::Ties;
use super::{free, under_way};
use crate::certificate::{Bar, Certificate, Proof};
use crate::obstacle::Obstacle;
use crate::problem::{Problem, Task};
use std::borrow::Cow;

/// Most steps spent on sets; beyond, fewer are found.
const STEPS_MAX: usize = 24_000_000;
/// Most certificates.
pub const CERTIFICATES_MAX: usize = 100;
/// Most sets of skills that are looked at apart.
const SKILLS_MAX: usize = 64;

/// What is proved about a problem.
pub(crate) struct Proved {
    /// Of tasks alone, by rising task, then of sets.
    pub(crate) certificates: Vec<Certificate>,
    /// How many mandatory tasks every plan leaves out, at least.
    pub(crate) left_out: usize,
}

/// What no valid plan does, with the numbers from which that follows: first tasks alone, mandatory
/// or not, by rising index; then sets of mandatory tasks of which some are left out. At most
/// [`CERTIFICATES_MAX`]. None proves nothing.
///
/// Where an agent cannot do what it has under way there is no valid plan: then the answer is that,
/// of each such agent.
///
/// Some ten million steps at most. [`verify::certificate`](fn@crate::verify::certificate) checks
/// them.
#[must_use]
pub fn certificates(problem: &Problem) -> Vec<Certificate> {
    let free = free(problem);
    let reach = Reach::new(&free);
    let agents = 0..problem.agents().len();
    let stuck = agents.filter_map(|agent| stuck(problem, &free, (&reach, agent)));
    let stuck: Vec<Certificate> = stuck.take(CERTIFICATES_MAX).collect();
    if !stuck.is_empty() {
        return stuck;
    }
    let bars = Bars::new(problem, &reach);
    proved(&free, &bars, &Ties::new(&bars), &mut || true).certificates
}

/// `free` is the problem without its couplings. Less is proved once `go_on`, which is called now
/// and then, has returned false.
pub(crate) fn proved(
    free: &Problem,
    bars: &Bars<'_>,
    ties: &Ties<'_, '_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Proved {
    let tasks = 0..bars.problem.tasks().len();
    let mandatory = |task: &usize| bars.problem.tasks()[*task].drop_penalty_micro.is_none();
    let alone = tasks.clone().filter(|task| ties.is_impossible(*task));
    let alone: Vec<usize> = alone.collect();
    let hopeless = alone.iter().filter(|task| mandatory(task)).count();
    let certificates = alone.iter().filter_map(|task| ties.certificate(*task));
    let mut certificates: Vec<Certificate> = certificates.take(CERTIFICATES_MAX).collect();
    let open = tasks.filter(|task| {
        mandatory(task) && bars.started_by[*task].is_none() && !ties.is_impossible(*task)
    });
    let sets = sets((free, bars), &open.collect::<Vec<_>>(), go_on);
    let more = sets.iter().map(|one| one.left_out).max().unwrap_or(0);
    certificates.extend(sets);
    certificates.truncate(CERTIFICATES_MAX);
    Proved {
        certificates,
        left_out: hopeless + more,
    }
}

/// Tasks that need the same skills, and who has these.
struct Class<'a> {
    bars: &'a Bars<'a>,
    /// Mandatory, not under way, possible each alone, rising.
    tasks: Vec<usize>,
    /// Those that can do any of the tasks, rising.
    agents: Vec<usize>,
    /// The best of all agents.
    best: Cow<'a, Group>,
}

fn sets(
    (free, bars): (&Problem, &Bars<'_>),
    open: &[usize],
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Certificate> {
    let mut found: Vec<Certificate> = Vec::new();
    let mut steps = STEPS_MAX;
    let mut seen: Vec<Vec<usize>> = Vec::new();
    for skills in skill_sets(bars.problem, open) {
        if !go_on() {
            break;
        }
        let needs = |task: &Task| task.skills & skills == skills;
        let tasks = open.iter().copied();
        let tasks: Vec<usize> = tasks.filter(|t| needs(&bars.problem.tasks()[*t])).collect();
        let agents = 0..bars.problem.agents().len();
        let able = |agent: &usize| tasks.iter().any(|task| bars.can(*agent, *task));
        let agents: Vec<usize> = agents.filter(able).collect();
        // More skills leave fewer tasks: with the same agents nothing new comes of them.
        if tasks.len() < 2 || seen.contains(&agents) {
            continue;
        }
        for one in load::overloads(bars, &tasks, &agents) {
            add(&mut found, one);
        }
        let pairs = bars.problem.tasks().len().pow(2);
        let Some(left) = steps.checked_sub(4 * pairs + tasks.len().pow(2)) else {
            break;
        };
        steps = left;
        let best = match bars.reach.whole() {
            Some(best) if agents.len() == bars.problem.agents().len() => Cow::Borrowed(best),
            _ => Cow::Owned(Reach::together(free, &agents)),
        };
        let class = Class {
            bars,
            tasks,
            agents,
            best,
        };
        let more = [
            time::overtime(&class, free),
            apart::crowd(&class, free, &mut steps),
        ];
        for one in more.into_iter().flatten() {
            add(&mut found, one);
        }
        seen.push(class.agents);
    }
    found
}

/// Adds a certificate unless there is one that says the same, or more, of the same tasks.
fn add(found: &mut Vec<Certificate>, one: Certificate) {
    let says = |other: &Certificate| other.tasks == one.tasks && other.left_out >= one.left_out;
    if !found.iter().any(says) {
        found.push(one);
    }
}

/// None, then each skill, then what tasks need together; rising.
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

/// That an agent cannot do what it has under way; `None`: it can, or only its way home is in doubt.
fn stuck(
    problem: &Problem,
    free: &Problem,
    (reach, agent): (&Reach, usize),
) -> Option<Certificate> {
    let goes_on = |agent| under_way::goes_on(reach, agent);
    let (task, obstacle) = under_way::obstacle(free, &goes_on, agent)?;
    let started = problem.started(agent);
    let last = started.iter().position(|one| *one == task)?;
    let one = &problem.agents()[agent];
    let bar = match obstacle {
        Obstacle::MissingSkill { missing } => Bar::Skills { missing },
        Obstacle::Unreachable => Bar::Unreachable,
        Obstacle::Window {
            arrival_us,
            latest_us,
        } => Bar::Window {
            arrival_us,
            latest_us,
        },
        Obstacle::Capacity {
            dimension,
            shortfall,
        } => {
            let capacity = one.capacities.get(dimension).copied().unwrap_or(0);
            Bar::Capacity {
                dimension,
                load: capacity + shortfall,
                capacity,
            }
        }
        Obstacle::Shift { shortfall_us } => {
            let end_us = one.shift_end_us.checked_add(shortfall_us)?;
            let service_us = problem.tasks()[task].service_us;
            Bar::Shift {
                earliest_us: end_us - service_us,
                latest_us: Some(one.shift_end_us - service_us),
            }
        }
        _ => return None,
    };
    // The way home may lead over other tasks: that is for reasons, not for certificates.
    let home = matches!(bar, Bar::Shift { .. } | Bar::Unreachable)
        && last + 1 == started.len()
        && one.end.is_some();
    let mut tasks = started[..=last].to_vec();
    tasks.sort_unstable();
    (!home).then_some(Certificate {
        tasks,
        left_out: 1,
        proof: Proof::UnderWay { agent, bar },
    })
}
