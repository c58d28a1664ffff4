//! Infeasibility by coupling: tasks that orders, pairs and groups make impossible.

use super::incompatibility::Incompatibilities;
use crate::certificate::{Certificate, CouplingId, Limit, Link, Proof};
use crate::problem::Micros;
use times::Push;

mod times;

/// Why couplings keep every valid plan from doing a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CouplingConflict {
    /// It is not done without this task, which is impossible.
    Needs { task: usize, by: CouplingId },
    /// One agent has to do both tasks of a pair or an order, and none can.
    OneAgent { by: CouplingId },
    /// Fewer agents can do the tasks of the group than it has tasks.
    Group { group: usize },
    /// The earliest start that the coupling allows is after the latest one.
    Late {
        by: CouplingId,
        earliest_us: Micros,
        latest_us: Micros,
    },
}

/// Tasks that are impossible because of couplings, and why. Not all such tasks are found.
///
/// Tasks that are impossible without couplings are impossible with them, and not listed here. Tasks
/// under way are done in every plan, and not listed either.
pub(crate) struct CouplingAnalysis<'b, 'p> {
    incompatibilities: &'b Incompatibilities<'p>,
    /// For each task the conflict that makes it impossible.
    found: Vec<Option<CouplingConflict>>,
    /// For each task that is too late the pushes that lead to its start.
    chains: Vec<Option<(Vec<Link>, Limit)>>,
    /// Whether no agent can do a task, whatever its couplings.
    without_agent: Vec<bool>,
    /// Earliest start in any plan that does the task, and the latest.
    earliest_us: Vec<Micros>,
    latest_us: Vec<Micros>,
    /// All pushes, and for each task the last of them.
    pushes: Vec<Push>,
    last: Vec<Option<usize>>,
}

impl<'b, 'p> CouplingAnalysis<'b, 'p> {
    pub(crate) fn new(incompatibilities: &'b Incompatibilities<'p>) -> Self {
        let tasks = 0..incompatibilities.problem.tasks().len();
        let count = tasks.len();
        let mut analysis = Self {
            incompatibilities,
            found: vec![None; count],
            chains: vec![None; count],
            without_agent: tasks
                .clone()
                .map(|task| incompatibilities.has_no_agent(task))
                .collect(),
            earliest_us: vec![0; count],
            latest_us: vec![Micros::MAX / 4; count],
            pushes: Vec::new(),
            last: vec![None; count],
        };
        for task in tasks {
            if incompatibilities.committed_to[task].is_some() {
                continue;
            }
            let groups = incompatibilities.arrivals.groups().iter();
            let starts = groups.clone().filter_map(|group| group.starts_us[task]);
            let able = groups.filter(|group| group.starts_us[task].is_some());
            let latest = able.filter_map(|group| group.latest_us[task]);
            analysis.earliest_us[task] = starts.min().unwrap_or(0);
            analysis.latest_us[task] = latest.max().unwrap_or(Micros::MAX / 4);
        }
        analysis.check_agents();
        analysis.check_times();
        analysis.propagate_needs();
        analysis
    }

    /// Why a task is impossible because of couplings.
    pub(crate) fn conflict(&self, task: usize) -> Option<CouplingConflict> {
        self.found[task]
    }

    /// Whether no valid plan does a task, because of couplings or not.
    pub(crate) fn is_impossible(&self, task: usize) -> bool {
        self.without_agent[task] || self.found[task].is_some()
    }

    /// A certificate that no valid plan does a task, if that is known.
    pub(crate) fn certificate(&self, task: usize) -> Option<Certificate> {
        let mut path = Vec::new();
        let mut last = task;
        while let Some(CouplingConflict::Needs { task: need, by }) = self.found[last] {
            path.push((by, need));
            last = need;
        }
        let root = self.root(last)?;
        let proof = if path.is_empty() {
            root
        } else {
            Proof::Needs {
                path,
                root: Box::new(root),
            }
        };
        Some(Certificate::of_task(task, proof))
    }

    /// Why a task is impossible that does not merely need another one.
    fn root(&self, task: usize) -> Option<Proof> {
        if self.without_agent[task] {
            let rows = self.incompatibilities.rows(&[task])?;
            return Some(Proof::NoAgent { rows });
        }
        let couplings = self.incompatibilities.problem.couplings();
        match self.found[task]? {
            CouplingConflict::Needs { .. } => None,
            CouplingConflict::OneAgent { by: coupling } => {
                let both = match coupling {
                    CouplingId::Pair(pair) => {
                        let pair = couplings.pairs[pair];
                        [pair.pickup, pair.delivery]
                    }
                    CouplingId::Order(order) => {
                        let order = couplings.orders[order];
                        [order.first, order.second]
                    }
                    CouplingId::Group(_) => return None,
                };
                let rows = self.incompatibilities.rows(&both)?;
                Some(Proof::OneAgent { coupling, rows })
            }
            CouplingConflict::Group { group } => self.understaffed(group),
            CouplingConflict::Late { .. } => {
                let (links, limit) = self.chains[task].clone()?;
                Some(Proof::Chain { links, limit })
            }
        }
    }

    /// Members of a group that are more than the agents that can do any of them: a violation of
    /// Hall's theorem. They are those that alternating paths from a member without an agent reach.
    fn understaffed(&self, group: usize) -> Option<Proof> {
        let tasks = &self.incompatibilities.problem.couplings().groups[group].tasks;
        let mut does = vec![None; self.incompatibilities.problem.agents().len()];
        for member in 0..tasks.len() {
            let mut seen = vec![false; does.len()];
            if self.assign(tasks, member, &mut does, &mut seen) {
                continue;
            }
            let agents: Vec<usize> = (0..seen.len()).filter(|agent| seen[*agent]).collect();
            let others = agents.iter().filter_map(|agent| does[*agent]);
            let mut members: Vec<usize> = others.chain([member]).map(|m| tasks[m]).collect();
            members.sort_unstable();
            return Some(Proof::Group {
                group,
                members,
                agents,
            });
        }
        None
    }

    fn note(&mut self, task: usize, conflict: CouplingConflict) {
        if self.incompatibilities.committed_to[task].is_none() && !self.is_impossible(task) {
            self.found[task] = Some(conflict);
        }
    }

    /// Conflicts of pairs and orders that one agent has to do, and of groups that need an agent for
    /// each task.
    fn check_agents(&mut self) {
        let incompatibilities = self.incompatibilities;
        let problem = incompatibilities.problem;
        let has_agent = |one: usize, other: usize| {
            let mut agents = 0..problem.agents().len();
            agents.any(|a| incompatibilities.can(a, one) && incompatibilities.can(a, other))
        };
        for (pair, one) in problem.couplings().pairs.iter().enumerate() {
            if !has_agent(one.pickup, one.delivery) {
                let by = CouplingId::Pair(pair);
                self.note(one.pickup, CouplingConflict::OneAgent { by });
                self.note(one.delivery, CouplingConflict::OneAgent { by });
            }
        }
        for (order, one) in problem.couplings().orders.iter().enumerate() {
            if one.same_agent && !has_agent(one.first, one.second) {
                let by = CouplingId::Order(order);
                self.note(one.second, CouplingConflict::OneAgent { by });
            }
        }
        for (group, one) in problem.couplings().groups.iter().enumerate() {
            let mut does = vec![None; problem.agents().len()];
            let is_staffed = (0..one.tasks.len()).all(|member| {
                let mut seen = vec![false; does.len()];
                self.assign(&one.tasks, member, &mut does, &mut seen)
            });
            if !is_staffed {
                for &task in &one.tasks {
                    self.note(task, CouplingConflict::Group { group });
                }
            }
        }
    }

    /// Assigns an agent to a member of a group by an augmenting path (bipartite matching).
    fn assign(
        &self,
        tasks: &[usize],
        member: usize,
        does: &mut [Option<usize>],
        seen: &mut [bool],
    ) -> bool {
        for agent in 0..does.len() {
            if seen[agent] || !self.incompatibilities.can(agent, tasks[member]) {
                continue;
            }
            seen[agent] = true;
            let moves = match does[agent] {
                None => true,
                Some(other) => self.assign(tasks, other, does, seen),
            };
            if moves {
                does[agent] = Some(member);
                return true;
            }
        }
        false
    }

    /// Marks tasks that need impossible ones, over any number of steps.
    fn propagate_needs(&mut self) {
        let couplings = self.incompatibilities.problem.couplings();
        let mut needs: Vec<(usize, usize, CouplingId)> = Vec::new();
        for (index, order) in couplings.orders.iter().enumerate() {
            needs.push((order.second, order.first, CouplingId::Order(index)));
        }
        for (index, pair) in couplings.pairs.iter().enumerate() {
            let by = CouplingId::Pair(index);
            needs.push((pair.pickup, pair.delivery, by));
            needs.push((pair.delivery, pair.pickup, by));
        }
        for (index, group) in couplings.groups.iter().enumerate() {
            // A cycle through the members: each needs the next.
            let next = group.tasks.iter().cycle().skip(1);
            let cycle = group.tasks.iter().zip(next);
            needs.extend(cycle.map(|(one, other)| (*one, *other, CouplingId::Group(index))));
        }
        for _ in 0..=self.found.len() {
            let before = self.found.iter().flatten().count();
            for &(task, need, by) in &needs {
                if self.is_impossible(need) {
                    self.note(task, CouplingConflict::Needs { task: need, by });
                }
            }
            if before == self.found.iter().flatten().count() {
                return;
            }
        }
    }
}
