//! Sets of tasks of which no plan does all.

use super::times::Times;
use super::{CertificateCheck, Refuted, Verdict, only};
use crate::certificate::{Certificate, Proof};
use crate::problem::Micros;

impl CertificateCheck<'_> {
    pub(super) fn set(&mut self, given: &Certificate) -> Verdict {
        let Certificate {
            tasks,
            left_out,
            proof,
        } = given;
        only(*left_out > 0, "nothing is left out")?;
        match proof {
            Proof::Load {
                agents,
                dimension,
                load,
                capacity,
            } => {
                self.outsiders(tasks, agents)?;
                self.load((tasks, *left_out), (agents, *dimension), (*load, *capacity))
            }
            Proof::Clique { agents } => {
                self.outsiders(tasks, agents)?;
                self.clique((tasks, *left_out), agents)
            }
            Proof::Time {
                agents,
                deadline_us,
                work_us,
                room_us,
            } => {
                only(*left_out == 1, "one task is left out")?;
                self.outsiders(tasks, agents)?;
                self.time((tasks, agents), *deadline_us, (*work_us, *room_us))
            }
            _ => Err(Refuted::Shape("such a proof is not about a set")),
        }
    }

    fn load(
        &self,
        (tasks, left_out): (&[usize], usize),
        (agents, dimension): (&[usize], usize),
        told: (i64, i64),
    ) -> Verdict {
        let capacity = |agent: &usize| {
            let capacities = &self.problem.agents()[*agent].capacities;
            capacities.get(dimension).copied().unwrap_or(0)
        };
        let capacity: i64 = agents.iter().map(capacity).sum();
        let load = self.clock.carried(tasks, dimension);
        if told != (load, capacity) {
            return Err(Refuted::Number("the load or the capacity"));
        }
        // Without all but one of those left out, the heaviest ones, it is still too much.
        let free = tasks
            .iter()
            .filter(|t| self.clock.started_by[**t].is_none());
        let mut loads: Vec<i64> = free.map(|t| self.clock.carried(&[*t], dimension)).collect();
        loads.sort_unstable();
        let without: i64 = loads.iter().rev().take(left_out - 1).sum();
        if loads.len() >= left_out && load - without > capacity {
            Ok(())
        } else {
            Err(Refuted::Enough("they can carry it"))
        }
    }

    fn clique(&mut self, (tasks, left_out): (&[usize], usize), agents: &[usize]) -> Verdict {
        let started = tasks.iter().any(|t| self.clock.started_by[*t].is_some());
        only(!started, "a task is under way")?;
        if tasks.len() < agents.len().saturating_add(left_out) {
            return Err(Refuted::Enough("there are agents for them"));
        }
        let times = self.clock.together(agents);
        let until = tasks.iter().filter_map(|task| times.latest_us[*task]);
        let until_us = until.max().unwrap_or(0);
        let arrivals = |task: &usize| {
            let start_us = times.starts_us[*task]?;
            Some(self.clock.following(&times, (*task, start_us, until_us)))
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
                let heavy = self.is_heavy(agents, (tasks[one], tasks[other]));
                if !(heavy || (late(one, other) && late(other, one))) {
                    return Err(Refuted::Apart {
                        one: tasks[other],
                        other: tasks[one],
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether none of the agents can carry both.
    fn is_heavy(&self, agents: &[usize], (one, other): (usize, usize)) -> bool {
        agents.iter().all(|agent| {
            (0..self.problem.dimensions()).any(|d| {
                let more = self.clock.carried(&[one, other], d);
                let started = self.clock.carried(self.problem.started(*agent), d);
                let capacities = &self.problem.agents()[*agent].capacities;
                more + started > capacities.get(d).copied().unwrap_or(0)
            })
        })
    }

    fn time(
        &mut self,
        (tasks, agents): (&[usize], &[usize]),
        deadline_us: Micros,
        (work_us, room_us): (Micros, Micros),
    ) -> Verdict {
        let started = tasks.iter().any(|t| self.clock.started_by[*t].is_some());
        only(!started, "a task is under way")?;
        let times = self.clock.together(agents);
        let mut work: i128 = 0;
        for &task in tasks {
            let service_us = self.problem.tasks()[task].service_us;
            let end_us = times.latest_us[task].map(|us| us.saturating_add(service_us));
            if end_us.is_some_and(|us| us > deadline_us) {
                return Err(Refuted::Number("the deadline"));
            }
            let way_us = self.way_in_us(&times, agents, task);
            work += i128::from(service_us) + i128::from(way_us.unwrap_or(0));
        }
        let room = |agent: &usize| {
            let (_, free_us) = self.clock.begins(*agent);
            let end_us = self.problem.agents()[*agent].shift_end_us.min(deadline_us);
            i128::from(end_us.saturating_sub(free_us).max(0))
        };
        let room: i128 = agents.iter().map(room).sum();
        if i128::from(work_us) > work || i128::from(room_us) < room {
            return Err(Refuted::Number("the work or the time"));
        }
        if work_us > room_us {
            Ok(())
        } else {
            Err(Refuted::Enough("there is time for them"))
        }
    }

    /// The quickest way to a task from where anything can have been before.
    fn way_in_us(&self, times: &Times, agents: &[usize], task: usize) -> Option<Micros> {
        let (tasks, travel) = (self.problem.tasks(), self.problem.travel());
        let to = tasks[task].location;
        let begins = agents.iter().map(|agent| {
            let (here, _) = self.clock.begins(*agent);
            here
        });
        let others = (0..tasks.len()).filter(|other| *other != task && times.able[*other]);
        let from = begins.chain(others.map(|other| tasks[other].location));
        let ways = from.filter_map(|from| travel.duration_at_us(from, to, times.speed_micro));
        ways.min()
    }
}
