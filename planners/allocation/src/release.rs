//! Release of tasks under way that no plan can do.
//!
//! The tasks under way of an agent are the committed prefix of its route ([`Problem::committed`]).
//! If an agent cannot do its prefix, no plan is valid. Such an agent retains as many tasks of its
//! prefix as possible, from the first, and the others become ordinary tasks.
//!
//! Nothing is released where the plan of the prefixes alone is valid. Otherwise:
//!
//! 1. Each agent is checked separately, without couplings: the earliest times of its prefix are
//!    those of every plan.
//! 2. All agents are checked jointly. If no plan is found that retains all prefixes, agents are
//!    added by halves to those that retain theirs (after Junker, "QuickXplain: preferred
//!    explanations and relaxations for over-constrained problems", AAAI 2004).
//! 3. Where several agents are released, those of step 1 that only the tasks of others kept from
//!    their end places are checked again: some of these tasks may be free now.
//!
//! A stop before the first joint check has ended releases only what is proved. A later stop
//! releases all agents that are not yet added: those added have a plan.

use crate::bound::earliest_arrival::EarliestArrivals;
use crate::bound::{committed, free};
use crate::obstacle::Obstacle;
use crate::problem::Problem;
use crate::solve::{Feasibility, Model, commitment_feasibility};
use crate::verify::{schedule, verify};
use anytime::Pulse;
use std::cell::OnceCell;

/// Rounds of separate checks. Agents that fail afterwards retain nothing.
const ROUNDS_MAX: usize = 8;
/// Joint checks in problems of up to [`TRIAL_TASKS`] tasks; fewer in larger ones.
const TRIALS_MAX: usize = 300;
const TRIAL_TASKS: usize = 100;

/// An agent that does not retain all its tasks under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Index of the agent.
    pub agent: usize,
    /// Number of its tasks under way that it retains, from the first.
    pub retained: usize,
    /// A task that it cannot retain: the first one, or a later one if only that is proved.
    pub task: usize,
    /// Why it cannot retain it.
    pub obstacle: Obstacle,
    /// True if no valid plan retains the agent's tasks under way up to and including `task`, and
    /// those that all other agents retain. False if no such plan was found within the limits.
    pub proved: bool,
}

/// The problem without the tasks under way that cannot be retained, and the agents that are
/// released from them, by rising index; `None`: no agent is released.
///
/// The search is limited: see [`Release::proved`]. If `wanted` stops it the result is valid, but
/// weaker. Before the joint check, agents may retain tasks that no plan does; after it, agents may
/// be released that could retain theirs.
#[must_use]
pub fn release(problem: &Problem, wanted: &Pulse) -> Option<(Problem, Vec<Release>)> {
    let committed = committed_counts(problem);
    if committed.iter().all(|count| *count == 0) || is_possible(problem) {
        return None;
    }
    let mut search = Search {
        problem,
        wanted,
        retained: committed,
        releases: Vec::new(),
        trials_left: TRIALS_MAX * TRIAL_TASKS / problem.tasks().len().max(TRIAL_TASKS),
        model: None,
        changed: None,
    };
    if search.check_separately().is_some() {
        search.check_jointly();
    }
    search.restore();
    let mut releases = search.releases;
    releases.sort_by_key(|release| release.agent);
    if releases.is_empty() {
        return None;
    }
    let mut relaxed = search.changed.unwrap_or_else(|| problem.clone());
    relaxed.set_committed(&search.retained);
    Some((relaxed, releases))
}

/// Whether the plan of the committed prefixes alone, each task as early as possible, is valid.
fn is_possible(problem: &Problem) -> bool {
    let agents = 0..problem.agents().len();
    let orders = agents.map(|agent| (agent, problem.committed(agent).to_vec()));
    let orders: Vec<_> = orders.filter(|(_, tasks)| !tasks.is_empty()).collect();
    verify(problem, &schedule(problem, &orders)).is_ok()
}

/// Number of tasks that each agent has under way.
fn committed_counts(problem: &Problem) -> Vec<usize> {
    let agents = 0..problem.agents().len();
    agents.map(|agent| problem.committed(agent).len()).collect()
}

struct Search<'p> {
    problem: &'p Problem,
    wanted: &'p Pulse,
    /// Number of its tasks under way that each agent retains.
    retained: Vec<usize>,
    releases: Vec<Release>,
    trials_left: usize,
    /// Made for the first trial.
    model: Option<Model<'p>>,
    /// A copy of the problem with other committed prefixes. Made once: travel tables are large.
    changed: Option<Problem>,
}

impl Search<'_> {
    /// Shortens prefixes that agents cannot do, whatever the others do. `None`: stopped.
    fn check_separately(&mut self) -> Option<()> {
        let wanted = self.wanted;
        let mut free = free(self.problem);
        for round in 0.. {
            let found = OnceCell::new();
            // What is undecided after a stop counts as possible.
            let continues = |agent: usize| {
                let arrivals = || EarliestArrivals::new_while(&free, &mut || wanted.beats());
                let arrivals = found.get_or_init(arrivals).as_ref();
                arrivals.is_none_or(|arrivals| committed::continues(arrivals, agent))
            };
            let before = self.retained.clone();
            for agent in 0..before.len() {
                wanted.beats().then_some(())?;
                let Some((task, obstacle)) = committed::obstacle(&free, &continues, agent) else {
                    continue;
                };
                let position = free.committed(agent).iter().position(|one| *one == task);
                let retained = position.filter(|_| round < ROUNDS_MAX).unwrap_or(0);
                self.put(Release {
                    agent,
                    retained,
                    task,
                    obstacle,
                    proved: true,
                });
            }
            if self.retained == before {
                break;
            }
            free.to_mut().set_committed(&self.retained);
        }
        wanted.beats().then_some(())
    }

    /// Adds a release, in place of an earlier one of the same agent. An earlier proof is retained.
    fn put(&mut self, mut release: Release) {
        self.retained[release.agent] = release.retained;
        let earlier = self
            .releases
            .iter()
            .position(|one| one.agent == release.agent);
        if let Some(earlier) = earlier {
            let earlier = self.releases.swap_remove(earlier);
            if earlier.proved && !release.proved {
                let retained = release.retained;
                release = Release {
                    retained,
                    ..earlier
                };
            }
        }
        self.releases.push(release);
    }

    /// Shortens prefixes that agents cannot do jointly.
    fn check_jointly(&mut self) {
        let limits = self.retained.clone();
        match self.trial(&limits) {
            Feasibility::Found => return,
            Feasibility::Unknown if !self.wanted.beats() => return,
            Feasibility::Unknown | Feasibility::Impossible => {}
        }
        let agents: Vec<usize> = (0..limits.len()).filter(|a| limits[*a] > 0).collect();
        self.retained.fill(0);
        self.add(&agents, &limits);
    }

    /// Returns tasks to agents that cannot reach their end places from there without tasks that
    /// another agent does not retain any more.
    fn restore(&mut self) {
        if self.releases.len() < 2 {
            return;
        }
        let mut free = free(self.problem).into_owned();
        for release in self.releases.clone() {
            let tasks = self.problem.committed(release.agent);
            let is_first = tasks[release.retained] == release.task;
            if release.obstacle == Obstacle::NoPlace || !is_first {
                continue;
            }
            let mut counts = self.retained.clone();
            counts[release.agent] += 1;
            free.set_committed(&counts);
            if committed::obstacle(&free, &|_| true, release.agent).is_none() {
                self.releases.retain(|one| one.agent != release.agent);
                self.lengthen(release.agent, &mut free);
            }
        }
    }

    /// Lets a released agent retain as many tasks as possible, at least those that it has now.
    /// `free` is the problem without couplings.
    fn lengthen(&mut self, agent: usize, free: &mut Problem) {
        let tasks = self.problem.committed(agent);
        let (least, mut retained) = (self.retained[agent], self.retained.clone());
        let mut proof = (Obstacle::NoPlace, false);
        for count in (least..=tasks.len()).rev() {
            retained[agent] = count;
            let found = if count == least {
                Feasibility::Found
            } else {
                self.trial(&retained)
            };
            if found == Feasibility::Found {
                self.retained[agent] = count;
                if let Some(&task) = tasks.get(count) {
                    let (obstacle, proved) = proof;
                    self.put(Release {
                        agent,
                        retained: count,
                        task,
                        obstacle,
                        proved,
                    });
                }
                return;
            }
            free.set_committed(&retained);
            let obstacle = self.separate_obstacle(free, agent);
            proof = match obstacle {
                Some((task, obstacle)) if task == tasks[count - 1] => (obstacle, true),
                _ => (
                    Obstacle::NoPlace,
                    found == Feasibility::Impossible || obstacle.is_some(),
                ),
            };
        }
    }

    /// The first task that an agent cannot do, and the obstacle; `None` also after a stop.
    fn separate_obstacle(&self, free: &Problem, agent: usize) -> Option<(usize, Obstacle)> {
        let arrivals = EarliestArrivals::new_while(free, &mut || self.wanted.beats())?;
        committed::obstacle(free, &|agent| committed::continues(&arrivals, agent), agent)
    }

    /// Whether a plan is found in which agents retain these numbers of tasks.
    fn trial(&mut self, retained: &[usize]) -> Feasibility {
        if self.trials_left == 0 || !self.wanted.beats() {
            return Feasibility::Unknown;
        }
        self.trials_left -= 1;
        let model = self.model.take();
        let model = model.unwrap_or_else(|| Model::new(self.problem));
        if retained == committed_counts(self.problem) {
            let (found, model) = commitment_feasibility(model, self.wanted);
            self.model = Some(model);
            return found;
        }
        let problem = self.changed.get_or_insert_with(|| self.problem.clone());
        problem.set_committed(retained);
        let model = model.with_commitments(problem);
        let (found, model) = commitment_feasibility(model, self.wanted);
        self.model = Some(model.with_commitments(self.problem));
        found
    }

    /// Lets agents retain at most these numbers of tasks, as far as a plan is found that also
    /// retains the tasks of the agents added before.
    fn add(&mut self, agents: &[usize], limits: &[usize]) {
        let mut retained = self.retained.clone();
        for &agent in agents {
            retained[agent] = limits[agent];
        }
        let found = self.trial(&retained);
        match agents {
            _ if found == Feasibility::Found => self.retained = retained,
            [] => {}
            [agent] => self.shorten(*agent, found, limits[*agent]),
            _ => {
                let (first, second) = agents.split_at(agents.len() / 2);
                self.add(first, limits);
                self.add(second, limits);
            }
        }
    }

    /// Lets one agent keep fewer tasks than `limits`, for which a trial returned `found`.
    fn shorten(&mut self, agent: usize, mut found: Feasibility, limit: usize) {
        let mut retained = self.retained.clone();
        for fewer in (0..limit).rev() {
            retained[agent] = fewer;
            let next = match fewer {
                0 => Feasibility::Found,
                _ => self.trial(&retained),
            };
            if next == Feasibility::Found {
                self.put(Release {
                    agent,
                    retained: fewer,
                    task: self.problem.committed(agent)[fewer],
                    obstacle: Obstacle::NoPlace,
                    proved: found == Feasibility::Impossible,
                });
                return;
            }
            found = next;
        }
    }
}
