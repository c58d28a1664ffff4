//! Independent check of certificates. It shares no code with [`crate::bound`], which finds them.
//!
//! A certificate may come from outside, so nothing about it is trusted. Its numbers may be weaker
//! than the truth, never stronger: an arrival may be too early, a latest start too late.

mod chain;
mod sets;
pub(super) mod times;

use crate::certificate::{Certificate, CouplingId, Incompatibility, Proof, Row};
use crate::problem::{Agent, Problem, Task};
use anytime::Pulse;
use times::Bounds;

/// Why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refuted {
    /// It names something that does not exist, or that such a proof does not allow.
    #[error("{0}")]
    Shape(&'static str),
    /// An agent that it does not list may be able to do one of the tasks.
    #[error("agent {agent} is not accounted for, but task {task} is possible for it")]
    Agent {
        /// Index of the agent.
        agent: usize,
        /// Index of the task.
        task: usize,
    },
    /// An incompatibility does not hold.
    #[error("the incompatibility of agent {agent} and task {task} does not hold")]
    Incompatibility {
        /// Index of the agent.
        agent: usize,
        /// Index of the task.
        task: usize,
    },
    /// A number is stronger than the truth.
    #[error("{0} is not what follows from the problem")]
    Number(&'static str),
    /// Two tasks may fit on one route.
    #[error("tasks {one} and {other} may fit on one route")]
    Compatible {
        /// Index of the one.
        one: usize,
        /// Index of the other.
        other: usize,
    },
    /// The numbers are right, but they prove nothing.
    #[error("nothing is proved: {0}")]
    Inconclusive(&'static str),
    /// The check was stopped: the certificate may be right.
    #[error("the check was stopped")]
    Unfinished,
}

type Verdict = Result<(), Refuted>;

/// Checks that no valid plan of the problem does all tasks of the certificate, and that each leaves
/// out at least the number of tasks that it claims.
///
/// # Errors
/// The first part of the certificate that does not hold.
pub fn certificate(problem: &Problem, given: &Certificate) -> Verdict {
    CertificateCheck::new(problem, &Pulse::unbounded()).certificate(given)
}

/// A check of several certificates of one problem, which retains the bounds on times.
pub struct CertificateCheck<'p> {
    problem: &'p Problem,
    bounds: Bounds<'p>,
}

impl<'p> CertificateCheck<'p> {
    /// A check that ends early when `wanted` does.
    #[must_use]
    pub fn new(problem: &'p Problem, wanted: &'p Pulse) -> Self {
        Self {
            problem,
            bounds: Bounds::new(problem, wanted),
        }
    }

    /// As [`certificate`](fn@certificate).
    ///
    /// # Errors
    /// The first part of the certificate that does not hold; [`Refuted::Unfinished`] once `wanted`
    /// has ended.
    pub fn certificate(&mut self, given: &Certificate) -> Verdict {
        let verdict = self.check(given);
        if self.bounds.is_stopped() {
            // Times may be wrong: no verdict counts.
            return Err(Refuted::Unfinished);
        }
        verdict
    }

    fn check(&mut self, given: &Certificate) -> Verdict {
        let tasks = self.problem.tasks().len();
        if given.tasks.is_empty() || !is_rising(&given.tasks, tasks) {
            return Err(Refuted::Shape(
                "the tasks are not some of the problem's, rising",
            ));
        }
        match &given.proof {
            Proof::Load { .. } | Proof::Clique { .. } | Proof::Time { .. } => self.set(given),
            Proof::Committed {
                agent,
                incompatibility,
            } => {
                require(given.left_out == 1, "one task is left out")?;
                self.committed_prefix(&given.tasks, *agent, *incompatibility)
            }
            proof => {
                let [task] = given.tasks[..] else {
                    return Err(Refuted::Shape("the proof is about one task"));
                };
                require(given.left_out == 1, "one task is left out")?;
                self.task(task, proof)
            }
        }
    }
}

fn is_rising(list: &[usize], below: usize) -> bool {
    list.is_sorted_by(|a, b| a < b) && list.last().is_none_or(|last| *last < below)
}

fn require(holds: bool, what: &'static str) -> Verdict {
    if holds {
        Ok(())
    } else {
        Err(Refuted::Shape(what))
    }
}

impl CertificateCheck<'_> {
    /// Checks that no valid plan does a task.
    fn task(&mut self, task: usize, proof: &Proof) -> Verdict {
        let couplings = self.problem.couplings();
        match proof {
            Proof::NoAgent { rows } => self.rows(&[task], rows),
            Proof::OneAgent { coupling, rows } => {
                let both = match *coupling {
                    CouplingId::Pair(pair) => {
                        couplings.pairs.get(pair).map(|p| [p.pickup, p.delivery])
                    }
                    CouplingId::Order(order) => {
                        let order = couplings.orders.get(order);
                        let order = order.filter(|o| o.same_agent && o.second == task);
                        order.map(|o| [o.first, o.second])
                    }
                    CouplingId::Group(_) => None,
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
                require(own, "the members are not of the group")?;
                require(is_rising(members, self.problem.tasks().len()), "members")?;
                self.no_other_agent(members, agents)?;
                if members.len() > agents.len() {
                    Ok(())
                } else {
                    Err(Refuted::Inconclusive("there are as many agents as members"))
                }
            }
            Proof::Chain { links, limit } => self.chain(task, links, *limit),
            Proof::Needs { path, root } => {
                let mut last = task;
                for (coupling, need) in path {
                    require(
                        self.needs(last, *coupling, *need),
                        "a task does not need the next",
                    )?;
                    last = *need;
                }
                let is_root = !matches!(**root, Proof::Needs { .. });
                require(is_root && !path.is_empty(), "the root needs another")?;
                self.task(last, root)
            }
            _ => Err(Refuted::Shape("such a proof is not about one task")),
        }
    }

    /// Whether one task is not done without another.
    fn needs(&self, task: usize, coupling: CouplingId, need: usize) -> bool {
        let couplings = self.problem.couplings();
        match coupling {
            CouplingId::Order(order) => {
                let order = couplings.orders.get(order);
                order.is_some_and(|o| (o.second, o.first) == (task, need))
            }
            CouplingId::Pair(pair) => couplings.pairs.get(pair).is_some_and(|p| {
                [(p.pickup, p.delivery), (p.delivery, p.pickup)].contains(&(task, need))
            }),
            CouplingId::Group(group) => {
                let group = couplings.groups.get(group);
                group.is_some_and(|g| g.tasks.contains(&task) && g.tasks.contains(&need))
            }
        }
    }

    /// Checks that each agent cannot do one of these tasks.
    fn rows(&mut self, tasks: &[usize], rows: &[Row]) -> Verdict {
        let mut listed = vec![false; self.problem.agents().len()];
        for row in rows {
            require(is_rising(&row.agents, listed.len()), "the agents of a row")?;
            require(tasks.contains(&row.task), "the task of a row")?;
            self.incompatible(&row.agents, row.task, row.incompatibility)?;
            row.agents.iter().for_each(|agent| listed[*agent] = true);
        }
        match listed.iter().position(|listed| !listed) {
            Some(agent) => Err(Refuted::Agent {
                agent,
                task: tasks[0],
            }),
            None => Ok(()),
        }
    }

    fn incompatible(
        &mut self,
        agents: &[usize],
        task: usize,
        incompatibility: Incompatibility,
    ) -> Verdict {
        let compatible = |agent: &&usize| !self.is_incompatible(**agent, task, incompatibility);
        if let Some(&agent) = agents.iter().find(compatible) {
            return Err(Refuted::Incompatibility { agent, task });
        }
        let is_timed = matches!(
            incompatibility,
            Incompatibility::Window { .. }
                | Incompatibility::Shift { .. }
                | Incompatibility::Unreachable
        );
        if !is_timed || self.is_late(agents, task, incompatibility) {
            return Ok(());
        }
        // Merged they may do what none of them can.
        let in_time = |agent: &&usize| !self.is_late(&[**agent], task, incompatibility);
        match agents.iter().find(in_time) {
            Some(&agent) => Err(Refuted::Incompatibility { agent, task }),
            None => Ok(()),
        }
    }

    /// Whether an incompatibility holds for an agent; always true if it is about times.
    fn is_incompatible(&self, agent: usize, task: usize, incompatibility: Incompatibility) -> bool {
        let (own, one) = (&self.problem.agents()[agent], &self.problem.tasks()[task]);
        let owner = self.bounds.committed_to[task];
        match incompatibility {
            Incompatibility::Elsewhere => owner.is_some_and(|owner| owner != agent),
            _ if owner.is_some() => false,
            Incompatibility::Skills { missing } => lacks(own, one, missing),
            Incompatibility::Capacity {
                dimension,
                load,
                capacity,
            } => {
                let exact = self.bounds.loads(agent, task, dimension);
                dimension < self.problem.dimensions()
                    && exact == (load, capacity)
                    && load > capacity
            }
            _ => true,
        }
    }

    /// Whether an incompatibility about times holds for some agents merged.
    fn is_late(&mut self, agents: &[usize], task: usize, incompatibility: Incompatibility) -> bool {
        let one = &self.problem.tasks()[task];
        let times = self.bounds.merged(agents);
        match incompatibility {
            Incompatibility::Window {
                arrival_us,
                latest_us,
            } => {
                arrival_us > latest_us
                    && times::latest_us(one).is_some_and(|us| us <= latest_us)
                    && times.arrivals_us[task].is_none_or(|us| arrival_us <= us)
            }
            Incompatibility::Shift {
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

    /// Checks that no other agent can do any of the tasks.
    fn no_other_agent(&mut self, tasks: &[usize], agents: &[usize]) -> Verdict {
        let all = self.problem.agents().len();
        require(is_rising(agents, all), "the agents")?;
        for agent in (0..all).filter(|agent| agents.binary_search(agent).is_err()) {
            if let Some(&task) = tasks.iter().find(|task| self.bounds.can(agent, **task)) {
                return Err(Refuted::Agent { agent, task });
            }
        }
        Ok(())
    }

    /// Checks that an agent cannot do the last of its first tasks under way, whatever comes after.
    fn committed_prefix(
        &self,
        tasks: &[usize],
        agent: usize,
        incompatibility: Incompatibility,
    ) -> Verdict {
        require(
            agent < self.problem.agents().len(),
            "there is no such agent",
        )?;
        let committed = self.problem.committed(agent);
        require(tasks.len() <= committed.len(), "they are not under way")?;
        let first = &committed[..tasks.len()];
        require(
            first.iter().all(|task| tasks.contains(task)),
            "they are not the first",
        )?;
        let Some((&last, before)) = first.split_last() else {
            return Err(Refuted::Shape("there are no tasks"));
        };
        let own = &self.problem.agents()[agent];
        let one = &self.problem.tasks()[last];
        let (here, free_us) = self.bounds.departure_after(agent, before);
        let travel = self.problem.travel();
        let travel_us = travel.duration_at_us(here, one.location, own.speed_micro);
        let there_us = travel_us.map(|travel_us| free_us.saturating_add(travel_us));
        let holds = match incompatibility {
            Incompatibility::Elsewhere => false,
            Incompatibility::Skills { missing } => lacks(own, one, missing),
            Incompatibility::Capacity {
                dimension,
                load,
                capacity,
            } => {
                let exact_load = self.bounds.carried(first, dimension);
                let exact_capacity = own.capacities.get(dimension).copied().unwrap_or(0);
                (exact_load, exact_capacity) == (load, capacity) && load > capacity
            }
            Incompatibility::Window {
                arrival_us,
                latest_us,
            } => {
                arrival_us > latest_us
                    && there_us.is_some_and(|us| arrival_us <= us)
                    && times::latest_us(one).is_some_and(|us| us <= latest_us)
            }
            Incompatibility::Shift {
                earliest_us,
                latest_us,
            } => {
                let start_us = there_us.and_then(|us| times::next_start(one, us));
                let by_us = own.shift_end_us - one.service_us;
                start_us.is_some_and(|us| earliest_us <= us)
                    && latest_us.is_some_and(|us| us >= by_us && earliest_us > us)
            }
            Incompatibility::Unreachable => travel_us.is_none(),
        };
        if holds {
            Ok(())
        } else {
            Err(Refuted::Incompatibility { agent, task: last })
        }
    }
}

/// Whether an agent has none of these skills, all of which a task needs.
fn lacks(agent: &Agent, task: &Task, missing: u64) -> bool {
    missing != 0 && missing & task.skills == missing && missing & agent.skills == 0
}
