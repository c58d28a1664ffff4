//! Check of sets of tasks that no plan does completely.

use super::times::Times;
use super::{CertificateCheck, Refuted, Verdict, require};
use crate::certificate::{Certificate, Proof};
use crate::problem::Micros;

impl CertificateCheck<'_> {
    pub(super) fn set(&mut self, given: &Certificate) -> Verdict {
        let Certificate {
            tasks,
            left_out,
            proof,
        } = given;
        require(*left_out > 0, "nothing is left out")?;
        match proof {
            Proof::Load {
                agents,
                dimension,
                load,
                capacity,
            } => {
                self.no_other_agent(tasks, agents)?;
                let exact_load = self.bounds.carried(tasks, *dimension);
                let exact_capacity = self.capacity(agents, *dimension);
                if (*load, *capacity) != (exact_load, exact_capacity) {
                    return Err(Refuted::Number("the load or the capacity"));
                }
                self.load(tasks, *left_out, *dimension, load - capacity)
            }
            Proof::Clique { agents } => {
                self.no_other_agent(tasks, agents)?;
                self.clique(tasks, *left_out, agents)
            }
            Proof::Time {
                agents,
                deadline_us,
                work_us,
                room_us,
            } => {
                require(*left_out == 1, "one task is left out")?;
                self.no_other_agent(tasks, agents)?;
                self.work(tasks, agents, *deadline_us, *work_us)?;
                self.room(agents, *deadline_us, *room_us)?;
                if work_us > room_us {
                    Ok(())
                } else {
                    Err(Refuted::Inconclusive("there is time for them"))
                }
            }
            _ => Err(Refuted::Shape("such a proof is not about a set")),
        }
    }

    /// Sum of the capacities of agents.
    fn capacity(&self, agents: &[usize], dimension: usize) -> i64 {
        let capacity = |agent: &usize| {
            let capacities = &self.problem.agents()[*agent].capacities;
            capacities.get(dimension).copied().unwrap_or(0)
        };
        agents.iter().map(capacity).sum()
    }

    /// Checks that a load with this excess remains too large without all but one of the tasks left
    /// out, the heaviest ones.
    fn load(&self, tasks: &[usize], left_out: usize, dimension: usize, excess: i64) -> Verdict {
        let free = tasks
            .iter()
            .filter(|t| self.bounds.committed_to[**t].is_none());
        let loads = free.map(|t| self.bounds.carried(&[*t], dimension));
        let mut loads: Vec<i64> = loads.collect();
        loads.sort_unstable();
        let without: i64 = loads.iter().rev().take(left_out - 1).sum();
        if loads.len() >= left_out && excess > without {
            Ok(())
        } else {
            Err(Refuted::Inconclusive("they can carry it"))
        }
    }

    /// Checks that no two of the tasks fit on one route, and that they are too many for the agents.
    fn clique(&mut self, tasks: &[usize], left_out: usize, agents: &[usize]) -> Verdict {
        let committed = tasks.iter().any(|t| self.bounds.committed_to[*t].is_some());
        require(!committed, "a task is under way")?;
        if tasks.len() < agents.len().saturating_add(left_out) {
            return Err(Refuted::Inconclusive("there are agents for them"));
        }
        let times = self.bounds.merged(agents);
        let until = tasks.iter().filter_map(|task| times.latest_us[*task]);
        let until_us = until.max().unwrap_or(0);
        let arrivals = |task: &usize| {
            let start_us = times.starts_us[*task]?;
            Some(
                self.bounds
                    .arrivals_after(&times, *task, start_us, until_us),
            )
        };
        let arrivals: Vec<Option<Vec<Option<Micros>>>> = tasks.iter().map(arrivals).collect();
        let late = |one: usize, other: usize| {
            let there_us = arrivals[one].as_ref().and_then(|all| all[tasks[other]]);
            let latest_us = times.latest_us[tasks[other]];
            there_us
                .zip(latest_us)
                .is_none_or(|(there, latest)| there > latest)
        };
        for one in 0..tasks.len() {
            for other in 0..one {
                let heavy = self.is_heavy(agents, tasks[one], tasks[other]);
                if !(heavy || (late(one, other) && late(other, one))) {
                    return Err(Refuted::Compatible {
                        one: tasks[other],
                        other: tasks[one],
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether none of the agents can carry both.
    fn is_heavy(&self, agents: &[usize], one: usize, other: usize) -> bool {
        agents.iter().all(|agent| {
            (0..self.problem.dimensions()).any(|d| {
                let more = self.bounds.carried(&[one, other], d);
                let committed = self.bounds.carried(self.problem.committed(*agent), d);
                let capacities = &self.problem.agents()[*agent].capacities;
                more + committed > capacities.get(d).copied().unwrap_or(0)
            })
        })
    }

    /// Checks that the tasks end by the deadline and take at least this time with the arcs into
    /// them.
    fn work(
        &mut self,
        tasks: &[usize],
        agents: &[usize],
        deadline_us: Micros,
        work_us: Micros,
    ) -> Verdict {
        let committed = tasks.iter().any(|t| self.bounds.committed_to[*t].is_some());
        require(!committed, "a task is under way")?;
        let times = self.bounds.merged(agents);
        let mut exact_us: i128 = 0;
        for &task in tasks {
            let service_us = self.problem.tasks()[task].service_us;
            let end_us = times.latest_us[task].map(|us| us.saturating_add(service_us));
            if end_us.is_some_and(|us| us > deadline_us) {
                return Err(Refuted::Number("the deadline"));
            }
            let travel_us = self.arc_in_us(&times, agents, task);
            exact_us += i128::from(service_us) + i128::from(travel_us.unwrap_or(0));
        }
        if i128::from(work_us) > exact_us {
            return Err(Refuted::Number("the work"));
        }
        Ok(())
    }

    /// Checks that the agents have at most this time until the deadline.
    fn room(&self, agents: &[usize], deadline_us: Micros, room_us: Micros) -> Verdict {
        let room = |agent: &usize| {
            let (_, free_us) = self.bounds.departure(*agent);
            let end_us = self.problem.agents()[*agent].shift_end_us.min(deadline_us);
            i128::from(end_us.saturating_sub(free_us).max(0))
        };
        let exact_us: i128 = agents.iter().map(room).sum();
        if i128::from(room_us) < exact_us {
            return Err(Refuted::Number("the time"));
        }
        Ok(())
    }

    /// The quickest arc to a task, from the source of an agent or from another task.
    fn arc_in_us(&self, times: &Times, agents: &[usize], task: usize) -> Option<Micros> {
        let (tasks, travel) = (self.problem.tasks(), self.problem.travel());
        let to = tasks[task].location;
        let begins = agents.iter().map(|agent| {
            let (here, _) = self.bounds.departure(*agent);
            here
        });
        let others = (0..tasks.len()).filter(|other| *other != task && times.able[*other]);
        let from = begins.chain(others.map(|other| tasks[other].location));
        let arcs = from.filter_map(|from| travel.duration_at_us(from, to, times.speed_micro));
        arcs.min()
    }
}
