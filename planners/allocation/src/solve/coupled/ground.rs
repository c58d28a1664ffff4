//! A coupled problem, in the shape in which the search reads it.

use super::units::{Unit, units};
use crate::problem::{Break, Micros, Preference, Problem, Term};
use crate::solve::model::Model;
use crate::solve::nearest::Nearest;

/// A start that is at least another's plus so much.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arc {
    pub(super) task: u32,
    pub(super) offset_us: Micros,
}

/// What a search reads and never changes.
///
/// Nodes of routes are tasks, then breaks, then the starts of agents, then their ends.
pub(crate) struct Ground<'p> {
    pub(super) model: Model<'p>,
    pub(super) nearest: Nearest,
    pub(super) units: Vec<Unit>,
    pub(super) unit_of: Vec<u32>,
    /// For each unit whether it has to be done because of what is under way.
    pub(super) fixed: Vec<bool>,
    /// For each task the starts that its own pushes back.
    pub(super) out: Vec<Vec<Arc>>,
    /// For each task the starts that push its own back.
    pub(super) into: Vec<Vec<Arc>>,
    /// For each task those that the same agent has to do.
    pub(super) same: Vec<Vec<u32>>,
    /// For each task those that another agent has to do.
    pub(super) apart: Vec<Vec<u32>>,
    /// For each delivery its pickup.
    pub(super) pickup_of: Vec<Option<u32>>,
    /// Whether a task picks something up.
    pub(super) is_pickup: Vec<bool>,
    pub(super) wishes: Vec<Option<Preference>>,
    pub(super) breaks: Vec<Break>,
    /// For each agent its breaks that are not past in any case, by their latest start.
    pub(super) breaks_of: Vec<Vec<u32>>,
    /// The agents that have breaks.
    pub(super) resting: Vec<usize>,
    /// For each task whether it is the last under way of its agent, which does not go on before
    /// now. Empty where nothing can lie in the past.
    pub(super) pinned: Vec<bool>,
    pub(super) now_us: Micros,
    pub(super) counts: Counts,
}

/// What the objective counts of what takes time to compute.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    pub(super) makespan: bool,
    pub(super) balance: bool,
    /// Whether starts can be too early.
    pub(super) early: bool,
}

impl<'p> Ground<'p> {
    /// `go_on` is asked now and then; where it says no the answer is of less use, but not wrong.
    pub(crate) fn new(problem: &'p Problem, go_on: impl FnMut() -> bool) -> Self {
        Self::of(Model::new(problem), go_on)
    }

    /// The same for a problem that is prepared already.
    pub(crate) fn of(model: Model<'p>, go_on: impl FnMut() -> bool) -> Self {
        // Times are computed over the whole plan here, waits with them.
        let model = model.without_waits();
        let problem = model.problem;
        let nearest = Nearest::new(&model, go_on);
        let (units, unit_of) = units(problem);
        let tasks = problem.tasks().len();
        let breaks = problem.couplings().breaks.clone();
        let mut ground = Self {
            counts: counts(problem),
            fixed: fixed(&model, (&units, &unit_of)),
            pinned: pinned(&model),
            now_us: problem.now_us(),
            model,
            nearest,
            units,
            unit_of,
            out: vec![Vec::new(); tasks],
            into: vec![Vec::new(); tasks],
            same: vec![Vec::new(); tasks],
            apart: vec![Vec::new(); tasks],
            pickup_of: vec![None; tasks],
            is_pickup: vec![false; tasks],
            wishes: vec![None; tasks],
            breaks_of: vec![Vec::new(); problem.agents().len()],
            resting: Vec::new(),
            breaks,
        };
        ground.tie();
        for (index, one) in ground.breaks.iter().enumerate() {
            let is_idle = problem.committed(one.agent).is_empty();
            if is_idle && one.latest_us < ground.now_us {
                continue;
            }
            ground.breaks_of[one.agent].push(index as u32);
        }
        for own in &mut ground.breaks_of {
            own.sort_by_key(|index| ground.breaks[*index as usize].latest_us);
        }
        let rests = |agent: &usize| !ground.breaks_of[*agent].is_empty();
        ground.resting = (0..problem.agents().len()).filter(rests).collect();
        ground
    }

    fn tie(&mut self) {
        let problem = self.model.problem;
        for order in &problem.couplings().orders {
            let service_us = problem.tasks()[order.first].service_us;
            self.arc((order.first, order.second), service_us + order.gap_min_us);
            if let Some(gap_us) = order.gap_max_us {
                self.arc((order.second, order.first), -(service_us + gap_us));
            }
            if order.same_agent {
                self.same[order.first].push(order.second as u32);
                self.same[order.second].push(order.first as u32);
            }
        }
        for pair in &problem.couplings().pairs {
            self.same[pair.pickup].push(pair.delivery as u32);
            self.same[pair.delivery].push(pair.pickup as u32);
            self.pickup_of[pair.delivery] = Some(pair.pickup as u32);
            self.is_pickup[pair.pickup] = true;
        }
        for group in &problem.couplings().groups {
            for &one in &group.tasks {
                for &other in group.tasks.iter().filter(|other| **other != one) {
                    self.apart[one].push(other as u32);
                }
            }
            // In a ring each start pushes all others.
            for (member, &one) in group.tasks.iter().enumerate() {
                let next = group.tasks[(member + 1) % group.tasks.len()];
                self.arc((one, next), 0);
                self.arc((next, one), 0);
            }
        }
        for wish in &problem.couplings().preferences {
            self.wishes[wish.task] = Some(*wish);
        }
    }

    fn arc(&mut self, (from, to): (usize, usize), offset_us: Micros) {
        let arc = |task: usize| Arc {
            task: task as u32,
            offset_us,
        };
        self.out[from].push(arc(to));
        self.into[to].push(arc(from));
    }

    pub(super) fn tasks(&self) -> usize {
        self.model.jobs.len()
    }

    /// First node of an agent's route.
    pub(super) fn first(&self, agent: usize) -> u32 {
        (self.tasks() + self.breaks.len() + agent) as u32
    }

    /// Last node of an agent's route.
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

    pub(super) fn is_break(&self, node: u32) -> bool {
        matches!(self.kind(node), Kind::Break(_))
    }

    /// Where a node is; of a break it means nothing.
    pub(super) fn place(&self, node: u32) -> u32 {
        match self.kind(node) {
            Kind::Task(task) => self.model.jobs[task].location,
            Kind::First(agent) => self.model.workers[agent].start,
            Kind::Last(agent) => self.model.workers[agent].end,
            Kind::Break(_) => 0,
        }
    }

    /// How long a node takes.
    pub(super) fn length_us(&self, node: u32) -> Micros {
        match self.kind(node) {
            Kind::Task(task) => self.model.jobs[task].service_us,
            Kind::Break(index) => self.breaks[index].length_us,
            Kind::First(_) | Kind::Last(_) => 0,
        }
    }

    /// From when on an agent leaves a node for another task that is free there at `free_us`.
    #[inline]
    pub(super) fn leave_us(&self, node: u32, free_us: Micros) -> Micros {
        match self.pinned.get(node as usize) {
            Some(true) => free_us.max(self.now_us),
            Some(false) | None => free_us,
        }
    }

    /// What leaving a unit out adds to the energy.
    pub(super) fn loss(&self, unit: u32) -> f64 {
        let tasks = self.units[unit as usize].tasks.iter();
        let penalty = |task: &u32| self.model.jobs[*task as usize].penalty_micro;
        tasks.map(|task| self.model.scale.loss(penalty(task))).sum()
    }

    /// Whether a task of the unit must not be left out.
    pub(super) fn is_mandatory(&self, unit: u32) -> bool {
        let mut tasks = self.units[unit as usize].tasks.iter();
        tasks.any(|task| self.model.is_mandatory(*task))
    }
}

/// What a node is, and of which task, break or agent.
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
    for last in model.workers.iter().filter_map(|w| w.started.last()) {
        pinned[*last as usize] = true;
    }
    pinned
}

/// Which units are under way, or needed by such.
fn fixed(model: &Model<'_>, (units, unit_of): (&[Unit], &[u32])) -> Vec<bool> {
    let mut fixed = vec![false; units.len()];
    for task in model.workers.iter().flat_map(|worker| &worker.started) {
        let unit = unit_of[*task as usize] as usize;
        fixed[unit] = true;
        for &need in &units[unit].needs {
            fixed[need as usize] = true;
        }
    }
    fixed
}

fn counts(problem: &Problem) -> Counts {
    let counts = |term| {
        let mut terms = problem.levels().iter().flat_map(|l| &l.terms);
        terms.any(|t| t.0 == term)
    };
    let mut wishes = problem.couplings().preferences.iter();
    Counts {
        makespan: counts(Term::Makespan),
        balance: counts(Term::Balance),
        early: counts(Term::Preferences) && wishes.any(|wish| wish.early_micro > 0),
    }
}
