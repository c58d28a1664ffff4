//! Tasks that couplings make impossible.

use super::bars::Bars;
use crate::certificate::{Certificate, Limit, Link, Proof, Tied};
use crate::problem::Micros;
use times::Push;

mod times;

/// Why no valid plan does a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tie {
    /// It cannot be done without this one, which nobody can do.
    Needs { task: usize, by: Tied },
    /// Nobody can do both tasks of the pair.
    Pair { pair: usize },
    /// Nobody can do both tasks of the order, which one agent has to do.
    Agents { order: usize },
    /// There are not as many agents that can do the tasks of the group as it has tasks.
    Group { group: usize },
    /// By the order it starts at this time at the earliest, but has to at that at the latest.
    Order {
        order: usize,
        earliest_us: Micros,
        latest_us: Micros,
    },
    /// Its group starts at this time at the earliest, but it has to at that at the latest.
    Together {
        group: usize,
        earliest_us: Micros,
        latest_us: Micros,
    },
    /// What it delivers is there at this time at the earliest, but it has to start at that at the
    /// latest.
    Delivery {
        pair: usize,
        earliest_us: Micros,
        latest_us: Micros,
    },
}

/// Tasks that are impossible because of couplings, and why. Not all such tasks are found.
///
/// What is impossible without couplings is impossible with them, and not listed here. Tasks under
/// way are done in every plan, and are not listed either.
pub(crate) struct Ties<'b, 'p> {
    bars: &'b Bars<'p>,
    /// For each task that is impossible why it is.
    found: Vec<Option<Tie>>,
    /// What pushed those that are impossible because of times.
    chains: Vec<Option<(Vec<Link>, Limit)>>,
    hopeless: Vec<bool>,
    /// Earliest start in any plan that does the task, and the latest.
    earliest_us: Vec<Micros>,
    latest_us: Vec<Micros>,
    /// All pushes, and for each task the last of them.
    pushes: Vec<Push>,
    last: Vec<Option<usize>>,
}

impl<'b, 'p> Ties<'b, 'p> {
    pub(crate) fn new(bars: &'b Bars<'p>) -> Self {
        let tasks = bars.problem.tasks().len();
        let mut ties = Self {
            bars,
            found: vec![None; tasks],
            chains: vec![None; tasks],
            hopeless: (0..tasks).map(|task| bars.is_hopeless(task)).collect(),
            earliest_us: vec![0; tasks],
            latest_us: vec![Micros::MAX / 4; tasks],
            pushes: Vec::new(),
            last: vec![None; tasks],
        };
        for task in 0..tasks {
            if bars.started_by[task].is_some() {
                continue;
            }
            let groups = bars.reach.groups().iter();
            let starts = groups.clone().filter_map(|group| group.starts_us[task]);
            let able = groups.filter(|group| group.starts_us[task].is_some());
            let latest = able.filter_map(|group| group.latest_us[task]);
            ties.earliest_us[task] = starts.min().unwrap_or(0);
            ties.latest_us[task] = latest.max().unwrap_or(Micros::MAX / 4);
        }
        ties.agents();
        ties.times();
        ties.needs();
        ties
    }

    /// Why a task is impossible because of couplings.
    pub(crate) fn found(&self, task: usize) -> Option<Tie> {
        self.found[task]
    }

    /// Whether no valid plan does a task, because of couplings or not.
    pub(crate) fn is_impossible(&self, task: usize) -> bool {
        self.hopeless[task] || self.found[task].is_some()
    }

    /// Why no valid plan does a task, if that is known.
    pub(crate) fn certificate(&self, task: usize) -> Option<Certificate> {
        let mut path = Vec::new();
        let mut last = task;
        while let Some(Tie::Needs { task: need, by }) = self.found[last] {
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
        Some(Certificate::alone(task, proof))
    }

    fn root(&self, task: usize) -> Option<Proof> {
        if self.hopeless[task] {
            let rows = self.bars.rows(&[task])?;
            return Some(Proof::Nobody { rows });
        }
        let couplings = self.bars.problem.couplings();
        Some(match self.found[task]? {
            Tie::Needs { .. } => return None,
            Tie::Pair { pair } => {
                let one = couplings.pairs[pair];
                let rows = self.bars.rows(&[one.pickup, one.delivery])?;
                let tie = Tied::Pair(pair);
                Proof::OneAgent { tie, rows }
            }
            Tie::Agents { order } => {
                let one = couplings.orders[order];
                let rows = self.bars.rows(&[one.first, one.second])?;
                let tie = Tied::Order(order);
                Proof::OneAgent { tie, rows }
            }
            Tie::Group { group } => self.crowd(group)?,
            Tie::Order { .. } | Tie::Together { .. } | Tie::Delivery { .. } => {
                let (links, limit) = self.chains[task].clone()?;
                Proof::Chain { links, limit }
            }
        })
    }

    /// Members of a group that are more than the agents that can do any of them: Hall's theorem.
    /// They are those that a member without an agent leads to, over agents that could do it and
    /// what these do.
    fn crowd(&self, group: usize) -> Option<Proof> {
        let tasks = &self.bars.problem.couplings().groups[group].tasks;
        let mut does = vec![None; self.bars.problem.agents().len()];
        for member in 0..tasks.len() {
            let mut seen = vec![false; does.len()];
            if self.staff(tasks, member, (&mut does, &mut seen)) {
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

    fn note(&mut self, task: usize, tie: Tie) {
        if self.bars.started_by[task].is_none() && !self.is_impossible(task) {
            self.found[task] = Some(tie);
        }
    }

    /// Tasks that one agent has to do, or several.
    fn agents(&mut self) {
        let problem = self.bars.problem;
        let both = |ties: &Self, one: usize, other: usize| {
            let mut agents = 0..problem.agents().len();
            agents.any(|agent| ties.bars.can(agent, one) && ties.bars.can(agent, other))
        };
        for (pair, one) in problem.couplings().pairs.iter().enumerate() {
            if !both(self, one.pickup, one.delivery) {
                self.note(one.pickup, Tie::Pair { pair });
                self.note(one.delivery, Tie::Pair { pair });
            }
        }
        for (order, one) in problem.couplings().orders.iter().enumerate() {
            if one.same_agent && !both(self, one.first, one.second) {
                self.note(one.second, Tie::Agents { order });
            }
        }
        for (group, one) in problem.couplings().groups.iter().enumerate() {
            let mut does = vec![None; problem.agents().len()];
            let staffed = (0..one.tasks.len()).all(|member| {
                let mut seen = vec![false; does.len()];
                self.staff(&one.tasks, member, (&mut does, &mut seen))
            });
            if !staffed {
                for &task in &one.tasks {
                    self.note(task, Tie::Group { group });
                }
            }
        }
    }

    /// Finds an agent for a member of a group, others moving to other agents if need be.
    fn staff(
        &self,
        tasks: &[usize],
        member: usize,
        (does, seen): (&mut Vec<Option<usize>>, &mut Vec<bool>),
    ) -> bool {
        for agent in 0..does.len() {
            if seen[agent] || !self.bars.can(agent, tasks[member]) {
                continue;
            }
            seen[agent] = true;
            let moves = match does[agent] {
                None => true,
                Some(other) => self.staff(tasks, other, (does, seen)),
            };
            if moves {
                does[agent] = Some(member);
                return true;
            }
        }
        false
    }

    /// Tasks that need impossible ones, however many steps far.
    fn needs(&mut self) {
        let couplings = self.bars.problem.couplings();
        let orders = couplings.orders.iter().enumerate();
        let orders = orders.map(|(i, o)| (o.second, o.first, Tied::Order(i)));
        let pairs = couplings.pairs.iter().enumerate().flat_map(|(i, p)| {
            let by = Tied::Pair(i);
            [(p.pickup, p.delivery, by), (p.delivery, p.pickup, by)]
        });
        let ring = |(i, group): (usize, &crate::problem::Group)| {
            let next = group.tasks.iter().cycle().skip(1);
            let ring = group.tasks.iter().zip(next);
            let ring = ring.map(|(one, other)| (*one, *other, Tied::Group(i)));
            ring.collect::<Vec<_>>()
        };
        let groups = couplings.groups.iter().enumerate().flat_map(ring);
        let needs: Vec<(usize, usize, Tied)> = orders.chain(pairs).chain(groups).collect();
        for _ in 0..=self.found.len() {
            let before = self.found.iter().flatten().count();
            for &(task, need, by) in &needs {
                if self.is_impossible(need) {
                    self.note(task, Tie::Needs { task: need, by });
                }
            }
            if before == self.found.iter().flatten().count() {
                return;
            }
        }
    }
}
