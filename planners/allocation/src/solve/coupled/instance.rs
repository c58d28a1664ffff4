//! The coupled problem in the representation of the search.

use super::units::{Unit, units};
use crate::problem::{Break, Micros, Preference, Problem, Term};
use crate::solve::model::Model;
use crate::solve::neighbourhood::Neighbourhood;

/// A precedence: a start is at least that of another task plus an offset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arc {
    pub(super) task: u32,
    pub(super) offset_us: Micros,
}

/// A coupled problem, constant during a search.
///
/// Nodes of routes are tasks, then breaks, then the starts of agents, then their ends.
pub(crate) struct CoupledInstance<'p> {
    pub(super) model: Model<'p>,
    pub(super) neighbourhood: Neighbourhood,
    pub(super) units: Vec<Unit>,
    pub(super) unit_of: Vec<u32>,
    /// By unit: whether a committed prefix needs it.
    pub(super) is_committed: Vec<bool>,
    /// By task: precedences from it.
    pub(super) out: Vec<Vec<Arc>>,
    /// By task: precedences to it.
    pub(super) into: Vec<Vec<Arc>>,
    /// By task: the tasks that must have the same agent.
    pub(super) same_agent: Vec<Vec<u32>>,
    /// By task: the tasks that must have another agent.
    pub(super) different_agent: Vec<Vec<u32>>,
    /// By delivery: its pickup.
    pub(super) pickup_of: Vec<Option<u32>>,
    /// By task: whether it is a pickup.
    pub(super) is_pickup: Vec<bool>,
    pub(super) preferences: Vec<Option<Preference>>,
    pub(super) breaks: Vec<Break>,
    /// By agent: its breaks that are not certainly in the past, by their latest start.
    pub(super) breaks_of: Vec<Vec<u32>>,
    /// The agents that have breaks.
    pub(super) agents_with_breaks: Vec<usize>,
    /// By task: whether it is the last of a committed prefix, after which the agent does not go on
    /// before now. Empty where nothing can be in the past.
    pub(super) pinned: Vec<bool>,
    pub(super) now_us: Micros,
    pub(super) counts: Counts,
}

/// Terms of the objective that take time to compute.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    pub(super) makespan: bool,
    pub(super) balance: bool,
    /// Whether starts can be too early.
    pub(super) early: bool,
}

impl<'p> CoupledInstance<'p> {
    /// `go_on` is called now and then; once it returns false the neighbourhoods are incomplete.
    pub(crate) fn new(problem: &'p Problem, go_on: impl FnMut() -> bool) -> Self {
        Self::from_model(Model::new(problem), go_on)
    }

    /// The same from an existing model.
    pub(crate) fn from_model(model: Model<'p>, go_on: impl FnMut() -> bool) -> Self {
        // Times are computed over the whole plan here, including waits.
        let model = model.without_waits();
        let problem = model.problem;
        let neighbourhood = Neighbourhood::new(&model, go_on);
        let (units, unit_of) = units(problem);
        let tasks = problem.tasks().len();
        let breaks = problem.couplings().breaks.clone();
        let mut instance = Self {
            counts: counts(problem),
            is_committed: is_committed(&model, &units, &unit_of),
            pinned: pinned(&model),
            now_us: problem.now_us(),
            model,
            neighbourhood,
            units,
            unit_of,
            out: vec![Vec::new(); tasks],
            into: vec![Vec::new(); tasks],
            same_agent: vec![Vec::new(); tasks],
            different_agent: vec![Vec::new(); tasks],
            pickup_of: vec![None; tasks],
            is_pickup: vec![false; tasks],
            preferences: vec![None; tasks],
            breaks_of: vec![Vec::new(); problem.agents().len()],
            agents_with_breaks: Vec::new(),
            breaks,
        };
        instance.add_couplings();
        for (index, one) in instance.breaks.iter().enumerate() {
            let is_idle = problem.committed(one.agent).is_empty();
            if is_idle && one.latest_us < instance.now_us {
                continue;
            }
            instance.breaks_of[one.agent].push(index as u32);
        }
        for own in &mut instance.breaks_of {
            own.sort_by_key(|index| instance.breaks[*index as usize].latest_us);
        }
        let rests = |agent: &usize| !instance.breaks_of[*agent].is_empty();
        instance.agents_with_breaks = (0..problem.agents().len()).filter(rests).collect();
        instance
    }

    fn add_couplings(&mut self) {
        let problem = self.model.problem;
        for order in &problem.couplings().orders {
            let service_us = problem.tasks()[order.first].service_us;
            self.arc(order.first, order.second, service_us + order.gap_min_us);
            if let Some(gap_us) = order.gap_max_us {
                self.arc(order.second, order.first, -(service_us + gap_us));
            }
            if order.same_agent {
                self.same_agent[order.first].push(order.second as u32);
                self.same_agent[order.second].push(order.first as u32);
            }
        }
        for pair in &problem.couplings().pairs {
            self.same_agent[pair.pickup].push(pair.delivery as u32);
            self.same_agent[pair.delivery].push(pair.pickup as u32);
            self.pickup_of[pair.delivery] = Some(pair.pickup as u32);
            self.is_pickup[pair.pickup] = true;
        }
        for group in &problem.couplings().groups {
            for &one in &group.tasks {
                for &other in group.tasks.iter().filter(|other| **other != one) {
                    self.different_agent[one].push(other as u32);
                }
            }
            // In a ring each start constrains all others.
            for (member, &one) in group.tasks.iter().enumerate() {
                let next = group.tasks[(member + 1) % group.tasks.len()];
                self.arc(one, next, 0);
                self.arc(next, one, 0);
            }
        }
        for preference in &problem.couplings().preferences {
            self.preferences[preference.task] = Some(*preference);
        }
    }

    fn arc(&mut self, from: usize, to: usize, offset_us: Micros) {
        let arc = |task: usize| Arc {
            task: task as u32,
            offset_us,
        };
        self.out[from].push(arc(to));
        self.into[to].push(arc(from));
    }

    #[inline]
    pub(super) fn tasks(&self) -> usize {
        self.model.jobs.len()
    }

    /// First node of an agent's route.
    #[inline]
    pub(super) fn first(&self, agent: usize) -> u32 {
        (self.tasks() + self.breaks.len() + agent) as u32
    }

    /// Last node of an agent's route.
    #[inline]
    pub(super) fn last(&self, agent: usize) -> u32 {
        self.first(agent) + self.model.workers.len() as u32
    }

    /// Node of a break.
    pub(super) fn node_of(&self, index: u32) -> u32 {
        self.tasks() as u32 + index
    }

    pub(super) fn nodes(&self) -> usize {
        self.tasks() + self.breaks.len() + 2 * self.model.workers.len()
    }

    #[inline]
    pub(super) fn kind(&self, node: u32) -> Kind {
        let node = node as usize;
        let (tasks, breaks) = (self.tasks(), self.breaks.len());
        if node < tasks {
            Kind::Task(node)
        } else if node < tasks + breaks {
            Kind::Break(node - tasks)
        } else if node < tasks + breaks + self.model.workers.len() {
            Kind::First(node - tasks - breaks)
        } else {
            Kind::Last(node - tasks - breaks - self.model.workers.len())
        }
    }

    #[inline]
    pub(super) fn is_break(&self, node: u32) -> bool {
        matches!(self.kind(node), Kind::Break(_))
    }

    /// Location of a node; invalid for a break.
    #[inline]
    pub(super) fn place(&self, node: u32) -> u32 {
        match self.kind(node) {
            Kind::Task(task) => self.model.jobs[task].location,
            Kind::First(agent) => self.model.workers[agent].start,
            Kind::Last(agent) => self.model.workers[agent].end,
            Kind::Break(_) => 0,
        }
    }

    /// Duration of a node.
    #[inline]
    pub(super) fn length_us(&self, node: u32) -> Micros {
        match self.kind(node) {
            Kind::Task(task) => self.model.jobs[task].service_us,
            Kind::Break(index) => self.breaks[index].length_us,
            Kind::First(_) | Kind::Last(_) => 0,
        }
    }

    /// Departure from a node to a task, where the agent is free at `free_us`.
    #[inline]
    pub(super) fn leave_us(&self, node: u32, free_us: Micros) -> Micros {
        match self.pinned.get(node as usize) {
            Some(true) => free_us.max(self.now_us),
            Some(false) | None => free_us,
        }
    }

    /// Unserved penalty of a unit.
    pub(super) fn unserved_penalty(&self, unit: u32) -> f64 {
        let tasks = self.units[unit as usize].tasks.iter();
        let penalty = |task: &u32| self.model.jobs[*task as usize].penalty_micro;
        tasks
            .map(|task| self.model.scale.unserved_penalty(penalty(task)))
            .sum()
    }

    /// Whether the unit has a mandatory task.
    pub(super) fn is_mandatory(&self, unit: u32) -> bool {
        let mut tasks = self.units[unit as usize].tasks.iter();
        tasks.any(|task| self.model.is_mandatory(*task))
    }
}

/// Kind of a node, with the index of its task, break or agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Task(usize),
    Break(usize),
    First(usize),
    Last(usize),
}

fn pinned(model: &Model<'_>) -> Vec<bool> {
    if model.problem.now_us() == 0 {
        return Vec::new();
    }
    let mut pinned = vec![false; model.jobs.len()];
    for last in model.workers.iter().filter_map(|w| w.committed.last()) {
        pinned[*last as usize] = true;
    }
    pinned
}

/// Units that are committed, or needed by such.
fn is_committed(model: &Model<'_>, units: &[Unit], unit_of: &[u32]) -> Vec<bool> {
    let mut is_committed = vec![false; units.len()];
    for task in model.workers.iter().flat_map(|worker| &worker.committed) {
        let unit = unit_of[*task as usize] as usize;
        is_committed[unit] = true;
        for &need in &units[unit].needs {
            is_committed[need as usize] = true;
        }
    }
    is_committed
}

fn counts(problem: &Problem) -> Counts {
    let counts = |term| {
        let mut terms = problem.levels().iter().flat_map(|l| &l.terms);
        terms.any(|t| t.0 == term)
    };
    let mut preferences = problem.couplings().preferences.iter();
    Counts {
        makespan: counts(Term::Makespan),
        balance: counts(Term::Balance),
        early: counts(Term::Preferences)
            && preferences.any(|preference| preference.early_micro > 0),
    }
}
