//! Independent check of certificates: nothing here is used by, or taken from, what finds them.
//!
//! A certificate may come from outside, so nothing about it is trusted. Its numbers may be weaker
//! than the truth, never stronger: an arrival may be too early, a latest start too late.

mod chain;
mod sets;
mod times;

use crate::certificate::{Bar, Certificate, Proof, Row, Tied};
use crate::problem::{Agent, Problem, Task};
use anytime::Pulse;
use times::Clock;

/// Why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refuted {
    /// It names what does not exist, or not what such a proof has to name.
    #[error("{0}")]
    Shape(&'static str),
    /// An agent that it does not count can do one of the tasks.
    #[error("agent {agent} is not accounted for, but task {task} is possible for it")]
    Agent {
        /// Index of the agent.
        agent: usize,
        /// Index of the task.
        task: usize,
    },
    /// What it says of an agent and a task does not hold.
    #[error("agent {agent} is not kept from task {task} in this way")]
    Bar {
        /// Index of the agent.
        agent: usize,
        /// Index of the task.
        task: usize,
    },
    /// A number is more than can be proved.
    #[error("{0} is not what follows from the problem")]
    Number(&'static str),
    /// Two tasks fit on one route, as far as can be proved.
    #[error("tasks {one} and {other} are not apart")]
    Apart {
        /// Index of the one.
        one: usize,
        /// Index of the other.
        other: usize,
    },
    /// The numbers are right, but nothing follows from them.
    #[error("nothing follows: {0}")]
    Enough(&'static str),
    /// Nobody waited for the end of the check: it may be right.
    #[error("the check was stopped")]
    Unfinished,
}

type Verdict = Result<(), Refuted>;

/// Whether a certificate is right: no valid plan of the problem does all of its tasks, and each
/// leaves out at least the number of tasks that it claims.
///
/// # Errors
/// The first thing about it that does not hold.
pub fn certificate(problem: &Problem, given: &Certificate) -> Verdict {
    CertificateCheck::new(problem, &Pulse::endless()).certificate(given)
}

/// Checks certificates of one problem, one after the other: what is found out about times is kept.
pub struct CertificateCheck<'p> {
    problem: &'p Problem,
    clock: Clock<'p>,
}

impl<'p> CertificateCheck<'p> {
    /// A check that ends early when nobody waits for it.
    #[must_use]
    pub fn new(problem: &'p Problem, wanted: &'p Pulse) -> Self {
        Self {
            problem,
            clock: Clock::new(problem, wanted),
        }
    }

    /// As [`certificate`](fn@certificate).
    ///
    /// # Errors
    /// The first thing about it that does not hold; [`Refuted::Unfinished`] once nobody waits.
    pub fn certificate(&mut self, given: &Certificate) -> Verdict {
        let checked = self.checked(given);
        match self.clock.is_stopped() {
            // Times may be wrong: neither a yes nor a no counts.
            true => Err(Refuted::Unfinished),
            false => checked,
        }
    }

    fn checked(&mut self, given: &Certificate) -> Verdict {
        let tasks = self.problem.tasks().len();
        if given.tasks.is_empty() || !is_rising(&given.tasks, tasks) {
            return Err(Refuted::Shape(
                "the tasks are not some of the problem's, rising",
            ));
        }
        match &given.proof {
            Proof::Load { .. } | Proof::Clique { .. } | Proof::Time { .. } => self.set(given),
            Proof::UnderWay { agent, bar } => {
                only(given.left_out == 1, "one task is left out")?;
                self.under_way(&given.tasks, (*agent, *bar))
            }
            proof => {
                let [task] = given.tasks[..] else {
                    return Err(Refuted::Shape("the proof is about one task"));
                };
                only(given.left_out == 1, "one task is left out")?;
                self.alone(task, proof)
            }
        }
    }
}

fn is_rising(list: &[usize], below: usize) -> bool {
    list.is_sorted_by(|a, b| a < b) && list.last().is_none_or(|last| *last < below)
}

fn only(holds: bool, what: &'static str) -> Verdict {
    if holds {
        Ok(())
    } else {
        Err(Refuted::Shape(what))
    }
}

impl CertificateCheck<'_> {
    /// That no valid plan does a task.
    fn alone(&mut self, task: usize, proof: &Proof) -> Verdict {
        let couplings = self.problem.couplings();
        match proof {
            Proof::Nobody { rows } => self.rows(&[task], rows),
            Proof::OneAgent { tie, rows } => {
                let both = match *tie {
                    Tied::Pair(pair) => couplings.pairs.get(pair).map(|p| [p.pickup, p.delivery]),
                    Tied::Order(order) => {
                        let order = couplings.orders.get(order);
                        let order = order.filter(|o| o.same_agent && o.second == task);
                        order.map(|o| [o.first, o.second])
                    }
                    Tied::Group(_) => None,
                };
                let both = both.filter(|both| both.contains(&task));
                let both = both.ok_or(Refuted::Shape("nothing has one agent do both tasks"))?;
                self.rows(&both, rows)
            }
            Proof::Group {
                group,
                members,
                agents,
            } => {
                let group = couplings.groups.get(*group);
                let group = group.filter(|group| group.tasks.contains(&task));
                let group = group.ok_or(Refuted::Shape("the task is not in the group"))?;
                let own = members.iter().all(|member| group.tasks.contains(member));
                only(own, "the members are not of the group")?;
                only(is_rising(members, self.problem.tasks().len()), "members")?;
                self.outsiders(members, agents)?;
                if members.len() > agents.len() {
                    Ok(())
                } else {
                    Err(Refuted::Enough("there are as many agents as members"))
                }
            }
            Proof::Chain { links, limit } => self.chain(task, (links, limit)),
            Proof::Needs { path, root } => {
                let mut last = task;
                for (tie, need) in path {
                    only(
                        self.needs(last, (*tie, *need)),
                        "a task does not need the next",
                    )?;
                    last = *need;
                }
                let is_root = !matches!(**root, Proof::Needs { .. });
                only(is_root && !path.is_empty(), "the root needs another")?;
                self.alone(last, root)
            }
            _ => Err(Refuted::Shape("such a proof is not about one task")),
        }
    }

    /// Whether one task is not done without another.
    fn needs(&self, task: usize, (tie, need): (Tied, usize)) -> bool {
        let couplings = self.problem.couplings();
        match tie {
            Tied::Order(order) => {
                let order = couplings.orders.get(order);
                order.is_some_and(|o| (o.second, o.first) == (task, need))
            }
            Tied::Pair(pair) => couplings.pairs.get(pair).is_some_and(|p| {
                [(p.pickup, p.delivery), (p.delivery, p.pickup)].contains(&(task, need))
            }),
            Tied::Group(group) => {
                let group = couplings.groups.get(group);
                group.is_some_and(|g| g.tasks.contains(&task) && g.tasks.contains(&need))
            }
        }
    }

    /// That each agent is kept from one of these tasks.
    fn rows(&mut self, tasks: &[usize], rows: &[Row]) -> Verdict {
        let mut told = vec![false; self.problem.agents().len()];
        for row in rows {
            only(is_rising(&row.agents, told.len()), "the agents of a row")?;
            only(tasks.contains(&row.task), "the task of a row")?;
            self.barred(&row.agents, (row.task, row.bar))?;
            row.agents.iter().for_each(|agent| told[*agent] = true);
        }
        match told.iter().position(|told| !told) {
            Some(agent) => Err(Refuted::Agent {
                agent,
                task: tasks[0],
            }),
            None => Ok(()),
        }
    }

    fn barred(&mut self, agents: &[usize], (task, bar): (usize, Bar)) -> Verdict {
        let is_barred = |check: &Self, agent: usize| check.is_barred(agent, (task, bar));
        if let Some(&agent) = agents.iter().find(|agent| !is_barred(self, **agent)) {
            return Err(Refuted::Bar { agent, task });
        }
        let is_timed = matches!(
            bar,
            Bar::Window { .. } | Bar::Shift { .. } | Bar::Unreachable
        );
        if !is_timed || self.is_late(agents, (task, bar)) {
            return Ok(());
        }
        // Together they may do what none of them can.
        let in_time = |agent: &&usize| !self.is_late(&[**agent], (task, bar));
        match agents.iter().find(in_time) {
            Some(&agent) => Err(Refuted::Bar { agent, task }),
            None => Ok(()),
        }
    }

    /// Whether a bar that is not about times holds for an agent; others may.
    fn is_barred(&self, agent: usize, (task, bar): (usize, Bar)) -> bool {
        let (own, one) = (&self.problem.agents()[agent], &self.problem.tasks()[task]);
        let owner = self.clock.started_by[task];
        match bar {
            Bar::Elsewhere => owner.is_some_and(|owner| owner != agent),
            _ if owner.is_some() => false,
            Bar::Skills { missing } => lacks(own, one, missing),
            Bar::Capacity {
                dimension,
                load,
                capacity,
            } => {
                let told = self.clock.loads(agent, (task, dimension));
                dimension < self.problem.dimensions() && told == (load, capacity) && load > capacity
            }
            _ => true,
        }
    }

    /// Whether a bar about times holds for some agents taken together.
    fn is_late(&mut self, agents: &[usize], (task, bar): (usize, Bar)) -> bool {
        let one = &self.problem.tasks()[task];
        let times = self.clock.together(agents);
        match bar {
            Bar::Window {
                arrival_us,
                latest_us,
            } => {
                arrival_us > latest_us
                    && times::latest_us(one).is_some_and(|us| us <= latest_us)
                    && times.arrivals_us[task].is_none_or(|us| arrival_us <= us)
            }
            Bar::Shift {
                earliest_us,
                latest_us,
            } => {
                let own_us = times.latest_us[task];
                latest_us.is_none_or(|us| earliest_us > us)
                    && own_us.is_none_or(|own| latest_us.is_some_and(|us| own <= us))
                    && times.starts_us[task].is_none_or(|us| earliest_us <= us)
            }
            _ => times.arrivals_us[task].is_none(),
        }
    }

    /// That nobody but these agents can do any of the tasks.
    fn outsiders(&mut self, tasks: &[usize], agents: &[usize]) -> Verdict {
        let all = self.problem.agents().len();
        only(is_rising(agents, all), "the agents")?;
        for agent in (0..all).filter(|agent| agents.binary_search(agent).is_err()) {
            if let Some(&task) = tasks.iter().find(|task| self.clock.can(agent, **task)) {
                return Err(Refuted::Agent { agent, task });
            }
        }
        Ok(())
    }

    /// That an agent cannot do the last of its first tasks under way, whatever comes after.
    fn under_way(&self, tasks: &[usize], (agent, bar): (usize, Bar)) -> Verdict {
        only(
            agent < self.problem.agents().len(),
            "there is no such agent",
        )?;
        let started = self.problem.started(agent);
        only(tasks.len() <= started.len(), "they are not under way")?;
        let first = &started[..tasks.len()];
        only(
            first.iter().all(|task| tasks.contains(task)),
            "they are not the first",
        )?;
        let Some((&last, before)) = first.split_last() else {
            return Err(Refuted::Shape("there are no tasks"));
        };
        let own = &self.problem.agents()[agent];
        let one = &self.problem.tasks()[last];
        let (here, free_us) = self.clock.after(agent, before);
        let travel = self.problem.travel();
        let way_us = travel.duration_at_us(here, one.location, own.speed_micro);
        let there_us = way_us.map(|way_us| free_us.saturating_add(way_us));
        let holds = match bar {
            Bar::Elsewhere => false,
            Bar::Skills { missing } => lacks(own, one, missing),
            Bar::Capacity {
                dimension,
                load,
                capacity,
            } => {
                let told = self.clock.carried(first, dimension);
                let can = own.capacities.get(dimension).copied().unwrap_or(0);
                (told, can) == (load, capacity) && load > capacity
            }
            Bar::Window {
                arrival_us,
                latest_us,
            } => {
                arrival_us > latest_us
                    && there_us.is_some_and(|us| arrival_us <= us)
                    && times::latest_us(one).is_some_and(|us| us <= latest_us)
            }
            Bar::Shift {
                earliest_us,
                latest_us,
            } => {
                let start_us = there_us.and_then(|us| times::next_start(one, us));
                let by_us = own.shift_end_us - one.service_us;
                start_us.is_some_and(|us| earliest_us <= us)
                    && latest_us.is_some_and(|us| us >= by_us && earliest_us > us)
            }
            Bar::Unreachable => way_us.is_none(),
        };
        if holds {
            Ok(())
        } else {
            Err(Refuted::Bar { agent, task: last })
        }
    }
}

/// Whether an agent has none of these skills, all of which a task needs.
fn lacks(agent: &Agent, task: &Task, missing: u64) -> bool {
    missing != 0 && missing & task.skills == missing && missing & agent.skills == 0
}
