//! Exhaustive search of small problems: branch and bound over all plans.
//!
//! Routes are built agent by agent, from the start on. The times of an unfinished plan are those
//! without couplings, which only make them later. So branches that are too late or too expensive
//! are pruned. A complete plan gets its earliest times, which are optimal where no start can be too
//! early.

use super::instance::CoupledInstance;
use super::offer;
use super::state::State;
use crate::plan::{Cost, Plan, Terms};
use crate::problem::{MICRO, Micros};
use crate::solve::model::UNREACHABLE;
use anytime::Control;

/// Most tasks of a problem that is searched exhaustively.
pub(super) const TASKS_MAX: usize = 8;
/// Most tasks and breaks.
const ITEMS_MAX: usize = 12;
/// Nodes of an iteration.
const ITERATION: u64 = 200;
/// Node limit.
const NODES_MAX: u64 = 20_000_000;

/// Whether a problem is small enough.
pub(super) fn is_small(instance: &CoupledInstance<'_>) -> bool {
    let tasks = instance.tasks();
    tasks <= TASKS_MAX && tasks + instance.breaks.len() <= ITEMS_MAX
}

/// Enumerates all plans, and offers each that is better than all before. Returns whether the
/// enumeration is complete: then the last plan offered is optimal, unless starts can be too early,
/// and without a plan the problem is infeasible.
pub(super) fn search(
    instance: &CoupledInstance<'_>,
    least: Cost,
    control: &mut Control<'_, Plan, Cost>,
) -> bool {
    let level = &instance.model.problem.levels()[0];
    let floor = if instance.model.problem.is_strict() {
        least.0[0] / level.terms[0].1
    } else {
        0
    };
    let mut enumeration = Enumeration {
        instance,
        control,
        floor,
        nodes: 0,
        routes: vec![Vec::new(); instance.model.workers.len()],
        is_used: vec![false; instance.tasks() + instance.breaks.len()],
        terms: Terms::default(),
    };
    enumeration.start_route(0).is_some()
}

/// Position of an agent on an unfinished route.
#[derive(Debug, Clone, Copy)]
struct Position {
    place: u32,
    /// End of service there.
    leave_us: Micros,
    /// Duration of the breaks since.
    rested_us: Micros,
    /// End of service and of the breaks since.
    ready_us: Micros,
    /// End of the committed prefix, if there is one.
    committed_end_us: Option<Micros>,
    /// Number of tasks done.
    tasks: usize,
}

struct Enumeration<'a, 'p, 'c, 'o> {
    instance: &'a CoupledInstance<'p>,
    control: &'c mut Control<'o, Plan, Cost>,
    /// Mandatory tasks that every plan leaves unserved, in millionths.
    floor: i64,
    nodes: u64,
    /// The nodes of each agent's route.
    routes: Vec<Vec<u32>>,
    /// Whether a task or a break is on a route.
    is_used: Vec<bool>,
    /// Terms of the unfinished plan.
    terms: Terms,
}

/// `None` means stop.
impl Enumeration<'_, '_, '_, '_> {
    fn start_route(&mut self, agent: usize) -> Option<()> {
        if agent == self.routes.len() {
            return self.complete();
        }
        let worker = &self.instance.model.workers[agent];
        let here = Position {
            place: worker.start,
            leave_us: worker.leaves_us,
            rested_us: 0,
            ready_us: worker.leaves_us,
            committed_end_us: None,
            tasks: 0,
        };
        self.extend_route(agent, here)
    }

    /// Branches over all completions of a route, and of the plan.
    fn extend_route(&mut self, agent: usize, here: Position) -> Option<()> {
        self.nodes += 1;
        if self.nodes >= NODES_MAX || (self.nodes.is_multiple_of(ITERATION) && !self.control.tick())
        {
            return None;
        }
        if self.is_cut(self.floor) {
            return Some(());
        }
        let instance = self.instance;
        let started = &instance.model.workers[agent].committed;
        match started.get(here.tasks) {
            Some(&task) => self.visit(agent, task, here)?,
            None => {
                for task in 0..instance.tasks() as u32 {
                    if !instance.model.jobs[task as usize].is_committed
                        && self.is_canonical(agent, task)
                    {
                        self.visit(agent, task, here)?;
                    }
                }
            }
        }
        for &index in &instance.breaks_of[agent] {
            self.take_break(agent, index, here)?;
        }
        if here.tasks < started.len() {
            return Some(());
        }
        self.close(agent, here)
    }

    /// Symmetry breaking: of identical agents those with lower numbers begin with lower tasks. A
    /// previous plan or breaks can make agents of a class different.
    fn is_canonical(&self, agent: usize, task: u32) -> bool {
        let instance = self.instance;
        let is_plain = instance.model.problem.previous().is_none() && instance.breaks.is_empty();
        if !is_plain || !self.routes[agent].is_empty() {
            return true;
        }
        let class = instance.model.workers[agent].class;
        let alike = (0..agent).rfind(|other| instance.model.workers[*other].class == class);
        alike.is_none_or(|other| self.routes[other].first().is_some_and(|one| *one < task))
    }

    fn visit(&mut self, agent: usize, task: u32, here: Position) -> Option<()> {
        let model = &self.instance.model;
        let (worker, job) = (&model.workers[agent], &model.jobs[task as usize]);
        let travel_us = model.time_us(worker, here.place, job.location);
        let cost_micro = model.cost_micro(here.place, job.location);
        if self.is_used[task as usize]
            || job.skills & !worker.skills != 0
            || travel_us >= UNREACHABLE
            || cost_micro >= UNREACHABLE
        {
            return Some(());
        }
        let start_us = job.start_us(self.leaving_now(agent, here).arrival_us(travel_us));
        let moved = model.change(task, agent) as i64 * MICRO;
        let is_late = start_us > job.latest_us || start_us + job.service_us > worker.shift_end_us;
        let moves_max =
            i64::try_from(model.changes_max).map_or(i64::MAX, |max| max.saturating_mul(MICRO));
        if is_late || self.terms.tasks_moved_micro + moved > moves_max {
            return Some(());
        }
        let before = self.terms;
        self.terms.travel_cost_micro += cost_micro;
        self.terms.tasks_moved_micro += moved;
        self.terms.lateness_us += job.lateness_us(start_us);
        self.terms.agents_used_micro += i64::from(here.tasks == 0) * MICRO;
        let end_us = start_us + job.service_us;
        let there = Position {
            place: job.location,
            leave_us: end_us,
            rested_us: 0,
            ready_us: end_us,
            committed_end_us: if job.is_committed {
                Some(end_us)
            } else {
                here.committed_end_us
            },
            tasks: here.tasks + 1,
        };
        self.terms.makespan_us = self.terms.makespan_us.max(there.leave_us);
        self.append(agent, task, there)?;
        self.terms = before;
        Some(())
    }

    fn take_break(&mut self, agent: usize, index: u32, here: Position) -> Option<()> {
        let one = self.instance.breaks[index as usize];
        let start_us = here.ready_us.max(one.earliest_us);
        let node = self.instance.node_of(index);
        if self.is_used[node as usize] || start_us > one.latest_us {
            return Some(());
        }
        let there = Position {
            rested_us: here.rested_us + one.length_us,
            ready_us: start_us + one.length_us,
            ..here
        };
        self.append(agent, node, there)
    }

    fn append(&mut self, agent: usize, node: u32, there: Position) -> Option<()> {
        self.is_used[node as usize] = true;
        self.routes[agent].push(node);
        self.extend_route(agent, there)?;
        self.routes[agent].pop();
        self.is_used[node as usize] = false;
        Some(())
    }

    /// The position when the agent leaves for a task: one outside the committed prefix is not
    /// before now.
    fn leaving_now(&self, agent: usize, here: Position) -> Position {
        if here.tasks != self.instance.model.workers[agent].committed.len() {
            return here;
        }
        let now_us = self.instance.now_us;
        Position {
            leave_us: here.leave_us.max(now_us),
            ready_us: here.ready_us.max(now_us),
            ..here
        }
    }

    /// Ends the route, and begins that of the next agent.
    fn close(&mut self, agent: usize, here: Position) -> Option<()> {
        let instance = self.instance;
        let model = &instance.model;
        let worker = &model.workers[agent];
        if here.tasks == 0 {
            // An agent without tasks takes no breaks.
            return if self.routes[agent].is_empty() {
                self.start_route(agent + 1)
            } else {
                Some(())
            };
        }
        let travel_us = model.time_us(worker, here.place, worker.end);
        let cost_micro = model.cost_micro(here.place, worker.end);
        let end_us = here.arrival_us(travel_us);
        if travel_us >= UNREACHABLE || cost_micro >= UNREACHABLE || end_us > worker.shift_end_us {
            return Some(());
        }
        let is_missed = |index: &u32| {
            let latest_us = instance.breaks[*index as usize].latest_us;
            let is_over = latest_us < instance.now_us
                && here
                    .committed_end_us
                    .is_none_or(|committed_end_us| committed_end_us <= latest_us);
            !self.is_used[instance.node_of(*index) as usize] && end_us > latest_us && !is_over
        };
        if instance.breaks_of[agent].iter().any(is_missed) {
            return Some(());
        }
        let before = self.terms;
        self.terms.travel_cost_micro += cost_micro;
        self.terms.makespan_us = self.terms.makespan_us.max(end_us);
        self.start_route(agent + 1)?;
        self.terms = before;
        Some(())
    }

    /// Whether no completion costs less than the best plan, if it leaves at least this unserved.
    fn is_cut(&self, unserved_micro: i64) -> bool {
        let terms = Terms {
            unserved_micro,
            ..self.terms
        };
        let cost = self.instance.model.problem.cost(&terms);
        self.control.best().is_some_and(|best| cost >= best)
    }

    fn complete(&mut self) -> Option<()> {
        let instance = self.instance;
        let jobs = instance.model.jobs.iter().zip(&self.is_used);
        let (mut unserved_micro, mut drop_micro) = (0, 0);
        for (job, _) in jobs.filter(|(_, is_assigned)| !**is_assigned) {
            match job.penalty_micro {
                None => unserved_micro += MICRO,
                Some(penalty_micro) => drop_micro += penalty_micro,
            }
        }
        self.terms.drop_penalty_micro = drop_micro;
        let is_cut = self.is_cut(unserved_micro);
        self.terms.drop_penalty_micro = 0;
        if is_cut {
            return Some(());
        }
        let mut state = State::new(instance);
        for (agent, route) in self.routes.iter().enumerate() {
            let mut behind = instance.first(agent);
            for &node in route {
                state.link(instance, node, behind);
                behind = node;
            }
        }
        if state.is_complete(instance)
            && state.has_feasible_agents(instance)
            && state.has_feasible_times(instance, true)
        {
            offer(instance, &mut state, self.control, "exhaustive");
        }
        Some(())
    }
}

impl Position {
    /// Arrival after this travel time.
    fn arrival_us(&self, travel_us: Micros) -> Micros {
        self.ready_us
            .max(self.leave_us + travel_us + self.rested_us)
    }
}
