//! Release of tasks under way that no plan can keep.
//!
//! The tasks under way of an agent are the committed prefix of its route ([`Problem::started`]). If
//! an agent cannot do its prefix, no plan is valid. Such an agent keeps as many tasks of its prefix
//! as possible, from the first, and the others become ordinary tasks.
//!
//! 1. Each agent is checked alone, without couplings: the earliest times of its prefix are those of
//!    every plan.
//! 2. All agents are checked together. If no plan is found that keeps all prefixes, agents are
//!    added by halves to those that keep theirs (after Junker, "QuickXplain: preferred explanations
//!    and relaxations for over-constrained problems", AAAI 2004).
//!
//! A stop before the first check of all agents together has ended releases nothing but what is
//! proved. Later it releases all agents that are not yet added: those added have a plan.

use crate::bound::reach::Reach;
use crate::bound::{free, under_way};
use crate::obstacle::Obstacle;
use crate::problem::Problem;
use crate::solve::{Feasibility, Model, commitment_feasibility};
use anytime::Pulse;
use std::cell::OnceCell;

/// Rounds in which agents are checked alone, before those that still fail keep nothing.
const ROUNDS_MAX: usize = 8;
/// Trials with all agents together, for problems of up to [`TRIAL_TASKS`] tasks; fewer for larger
/// ones.
const TRIALS_MAX: usize = 300;
const TRIAL_TASKS: usize = 100;

/// An agent that does not keep all its tasks under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Index of the agent.
    pub agent: usize,
    /// How many of its tasks under way it keeps, from the first.
    pub kept: usize,
    /// A task that cannot be kept: the first one, or, where only that is proved, a later one.
    pub task: usize,
    /// Why it cannot be kept.
    pub obstacle: Obstacle,
    /// True when no valid plan keeps the agent's tasks under way up to and with `task`, together
    /// with what all other agents keep. False when no such plan was found within the limits.
    pub proved: bool,
}

/// The problem without the tasks under way that cannot be kept, and the agents that are released
/// from them, by rising index; `None`: no agent is released.
///
/// The search for plans that keep something is limited: see [`Release::proved`]. Where `wanted`
/// stops it, the answer is valid, but weaker: before all agents were checked together, agents may
/// keep tasks that no plan keeps; after that, agents may be released that could keep theirs.
#[must_use]
pub fn release(problem: &Problem, wanted: &Pulse) -> Option<(Problem, Vec<Release>)> {
    let started = started(problem);
    if started.iter().all(|count| *count == 0) {
        return None;
    }
    let mut search = Search {
        problem,
        wanted,
        kept: started,
        releases: Vec::new(),
        trials_left: TRIALS_MAX * TRIAL_TASKS / problem.tasks().len().max(TRIAL_TASKS),
        model: None,
        changed: None,
    };
    if search.alone().is_some() {
        search.together();
    }
    let mut releases = search.releases;
    releases.sort_by_key(|release| release.agent);
    if releases.is_empty() {
        return None;
    }
    let mut eased = search.changed.unwrap_or_else(|| problem.clone());
    eased.set_started(&search.kept);
    Some((eased, releases))
}

/// How many tasks each agent has under way.
fn started(problem: &Problem) -> Vec<usize> {
    let agents = 0..problem.agents().len();
    agents.map(|agent| problem.started(agent).len()).collect()
}

struct Search<'p> {
    problem: &'p Problem,
    wanted: &'p Pulse,
    /// How many of its tasks under way each agent keeps.
    kept: Vec<usize>,
    releases: Vec<Release>,
    trials_left: usize,
    /// Made for the first trial.
    model: Option<Model<'p>>,
    /// The problem in which agents keep something else. Made once: travel tables are large.
    changed: Option<Problem>,
}

impl Search<'_> {
    /// Shortens prefixes that agents cannot do whatever the others do. `None`: stopped.
    fn alone(&mut self) -> Option<()> {
        let wanted = self.wanted;
        let mut free = free(self.problem);
        for round in 0.. {
            let found = OnceCell::new();
            // What a stop leaves open counts as possible.
            let goes_on = |agent: usize| {
                let reach = || Reach::new_while(&free, &mut || wanted.beats());
                let reach = found.get_or_init(reach).as_ref();
                reach.is_none_or(|reach| under_way::goes_on(reach, agent))
            };
            let before = self.kept.clone();
            for agent in 0..before.len() {
                wanted.beats().then_some(())?;
                let Some((task, obstacle)) = under_way::obstacle(&free, &goes_on, agent) else {
                    continue;
                };
                let position = free.started(agent).iter().position(|one| *one == task);
                let kept = position.filter(|_| round < ROUNDS_MAX).unwrap_or(0);
                self.put(Release {
                    agent,
                    kept,
                    task,
                    obstacle,
                    proved: true,
                });
            }
            if self.kept == before {
                break;
            }
            free.to_mut().set_started(&self.kept);
        }
        wanted.beats().then_some(())
    }

    /// Adds a release, in place of an earlier one of the same agent. A proof stays, whatever else
    /// the agent gives up.
    fn put(&mut self, mut release: Release) {
        self.kept[release.agent] = release.kept;
        let earlier = self
            .releases
            .iter()
            .position(|one| one.agent == release.agent);
        if let Some(earlier) = earlier {
            let earlier = self.releases.swap_remove(earlier);
            if earlier.proved && !release.proved {
                let kept = release.kept;
                release = Release { kept, ..earlier };
            }
        }
        self.releases.push(release);
    }

    /// Shortens prefixes that agents cannot do together.
    fn together(&mut self) {
        let most = self.kept.clone();
        match self.trial(&most) {
            Feasibility::Found => return,
            Feasibility::Unknown if !self.wanted.beats() => return,
            Feasibility::Unknown | Feasibility::Impossible => {}
        }
        let agents: Vec<usize> = (0..most.len()).filter(|a| most[*a] > 0).collect();
        self.kept.fill(0);
        self.add(&agents, &most);
    }

    /// Whether a plan is found in which agents keep these numbers of tasks.
    fn trial(&mut self, kept: &[usize]) -> Feasibility {
        if self.trials_left == 0 || !self.wanted.beats() {
            return Feasibility::Unknown;
        }
        self.trials_left -= 1;
        let model = self.model.take();
        let model = model.unwrap_or_else(|| Model::new(self.problem));
        if kept == started(self.problem) {
            let (found, model) = commitment_feasibility(model, self.wanted);
            self.model = Some(model);
            return found;
        }
        let problem = self.changed.get_or_insert_with(|| self.problem.clone());
        problem.set_started(kept);
        let model = model.with_commitments(problem);
        let (found, model) = commitment_feasibility(model, self.wanted);
        self.model = Some(model.with_commitments(self.problem));
        found
    }

    /// Lets agents keep at most these numbers of tasks, as far as the tasks retained so far allow
    /// that.
    fn add(&mut self, agents: &[usize], most: &[usize]) {
        let mut kept = self.kept.clone();
        for &agent in agents {
            kept[agent] = most[agent];
        }
        let found = self.trial(&kept);
        match agents {
            _ if found == Feasibility::Found => self.kept = kept,
            [] => {}
            [agent] => self.shorten(*agent, found, most[*agent]),
            _ => {
                let (first, second) = agents.split_at(agents.len() / 2);
                self.add(first, most);
                self.add(second, most);
            }
        }
    }

    /// Lets one agent keep fewer tasks than `most`, for which a trial returned `found`.
    fn shorten(&mut self, agent: usize, mut found: Feasibility, most: usize) {
        let mut kept = self.kept.clone();
        for fewer in (0..most).rev() {
            kept[agent] = fewer;
            let next = match fewer {
                0 => Feasibility::Found,
                _ => self.trial(&kept),
            };
            if next == Feasibility::Found {
                self.put(Release {
                    agent,
                    kept: fewer,
                    task: self.problem.started(agent)[fewer],
                    obstacle: Obstacle::NoPlace,
                    proved: found == Feasibility::Impossible,
                });
                return;
            }
            found = next;
        }
    }
}
