//! Release: what is under way and cannot be kept is no longer fixed.
//!
//! A task under way stays first on the route of its agent in every plan ([`Problem::started`]). Where
//! that cannot be, no plan is valid, for anybody. So an agent that cannot do all that it has under way
//! keeps the first of these tasks, as many as possible, and the others become tasks like any other.
//!
//! Each agent is looked at alone first, without couplings, where the earliest times of what is under way
//! are those of every plan. Then all are looked at together: as long as no plan keeps everything, agents
//! are added one after the other, by halves, to those that keep what they have (after Junker, "QuickXplain:
//! preferred explanations and relaxations for over-constrained problems", AAAI 2004).

use crate::bound::reach::Reach;
use crate::bound::{free, under_way};
use crate::obstacle::Obstacle;
use crate::problem::Problem;
use crate::solve::{Feasibility, Model, started_feasibility};
use std::cell::OnceCell;

/// Rounds in which agents are looked at alone, before those that still fail keep nothing.
const ROUNDS_MAX: usize = 8;
/// Trials with all agents together, for problems of up to [`TRIAL_TASKS`] tasks; fewer for larger ones.
const TRIALS_MAX: usize = 300;
const TRIAL_TASKS: usize = 100;

/// An agent that does not keep all that it has under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Index of the agent.
    pub agent: usize,
    /// How many of its tasks under way it keeps, from the first.
    pub kept: usize,
    /// A task that cannot be kept: the first one, or, where only that is proved, a later one.
    pub task: usize,
    /// What stands in the way.
    pub obstacle: Obstacle,
    /// True when no valid plan keeps the agent's tasks under way up to and with `task`, together with what
    /// all other agents keep. False when no such plan was found.
    pub proved: bool,
}

/// The problem without what is under way and cannot be kept, and who does not keep it, by rising index
/// of the agent; `None`: everybody keeps what they have.
///
/// The search for plans that keep something is limited: see [`Release::proved`].
#[must_use]
pub fn release(problem: &Problem) -> Option<(Problem, Vec<Release>)> {
    let started = started(problem);
    if started.iter().all(|count| *count == 0) {
        return None;
    }
    let mut search = Search {
        problem,
        kept: started,
        releases: Vec::new(),
        trials_left: TRIALS_MAX * TRIAL_TASKS / problem.tasks().len().max(TRIAL_TASKS),
        model: None,
        changed: None,
    };
    search.alone();
    search.together();
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
    /// How many of its tasks under way each agent keeps.
    kept: Vec<usize>,
    releases: Vec<Release>,
    trials_left: usize,
    /// Made for the first trial.
    model: Option<Model<'p>>,
    /// The problem in which agents keep something else. Made once: tables of ways are large.
    changed: Option<Problem>,
}

impl Search<'_> {
    /// Shortens what agents cannot keep whatever the others do.
    fn alone(&mut self) {
        let mut free = free(self.problem);
        for round in 0.. {
            let reach = OnceCell::new();
            let goes_on = |agent: usize| {
                let reach = reach.get_or_init(|| Reach::new(&free));
                under_way::goes_on(reach, agent)
            };
            let before = self.kept.clone();
            for agent in 0..before.len() {
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
                return;
            }
            free.to_mut().set_started(&self.kept);
        }
    }

    /// Notes a release, in place of an earlier one of the same agent. A proof stays, whatever else the
    /// agent gives up.
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

    /// Shortens what agents cannot keep together.
    fn together(&mut self) {
        let wanted = self.kept.clone();
        if self.trial(&wanted) == Feasibility::Found {
            return;
        }
        let agents: Vec<usize> = (0..wanted.len()).filter(|a| wanted[*a] > 0).collect();
        self.kept.fill(0);
        self.add(&agents, &wanted);
    }

    /// Whether a plan is found in which agents keep so much.
    fn trial(&mut self, kept: &[usize]) -> Feasibility {
        if self.trials_left == 0 {
            return Feasibility::Unknown;
        }
        self.trials_left -= 1;
        let model = self.model.take();
        let model = model.unwrap_or_else(|| Model::new(self.problem));
        if kept == started(self.problem) {
            let (found, model) = started_feasibility(model);
            self.model = Some(model);
            return found;
        }
        let problem = self.changed.get_or_insert_with(|| self.problem.clone());
        problem.set_started(kept);
        let (found, model) = started_feasibility(model.with_started(problem));
        self.model = Some(model.with_started(self.problem));
        found
    }

    /// Lets agents keep what they want, as far as that is possible with what is kept already.
    fn add(&mut self, agents: &[usize], wanted: &[usize]) {
        let mut kept = self.kept.clone();
        agents
            .iter()
            .for_each(|agent| kept[*agent] = wanted[*agent]);
        let found = self.trial(&kept);
        match agents {
            _ if found == Feasibility::Found => self.kept = kept,
            [] => {}
            [agent] => self.shorten(*agent, found, wanted[*agent]),
            _ => {
                let (first, second) = agents.split_at(agents.len() / 2);
                self.add(first, wanted);
                self.add(second, wanted);
            }
        }
    }

    /// Lets one agent keep less than it has, of which `found` is known.
    fn shorten(&mut self, agent: usize, mut found: Feasibility, has: usize) {
        let mut kept = self.kept.clone();
        for fewer in (0..has).rev() {
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
