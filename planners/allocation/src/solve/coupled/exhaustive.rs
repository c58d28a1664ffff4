//! Every plan of a small problem, one after the other.
//!
//! Routes are built agent by agent, from their start on. The times of an unfinished plan are those
//! without couplings, which only make them later, so what is too late, or costs too much, is cut.
//! A complete plan gets its earliest times, which are the best where nothing can be too early.

use super::ground::Ground;
use super::offer;
use super::state::State;
use crate::plan::{Cost, Plan, Terms};
use crate::problem::{MICRO, Micros};
use crate::solve::model::FAR;
use anytime::Control;

/// Most tasks of a problem that is searched exhaustively.
pub(super) const TASKS_MAX: usize = 8;
/// Most tasks and breaks.
const ITEMS_MAX: usize = 12;
/// Unfinished plans that are looked at in one iteration.
const ITERATION: u64 = 200;
/// Most unfinished plans that are looked at.
const NODES_MAX: u64 = 20_000_000;

/// Whether a problem is small enough.
pub(super) fn is_small(ground: &Ground<'_>) -> bool {
    let tasks = ground.tasks();
    tasks <= TASKS_MAX && tasks + ground.breaks.len() <= ITEMS_MAX
}

/// Looks at every plan, and offers each that is better than all before. Returns whether all were
/// seen: then the last plan offered is optimal, unless starts can be too early, and without one
/// there is none.
pub(super) fn search(
    ground: &Ground<'_>,
    least: Cost,
    control: &mut Control<'_, Plan, Cost>,
) -> bool {
    let level = &ground.model.problem.levels()[0];
    let floor = if ground.model.problem.is_strict() {
        least.0[0] / level.terms[0].1
    } else {
        0
    };
    let mut walk = Walk {
        ground,
        control,
        floor,
        nodes: 0,
        routes: vec![Vec::new(); ground.model.workers.len()],
        is_used: vec![false; ground.tasks() + ground.breaks.len()],
        terms: Terms::default(),
    };
    walk.agent(0).is_some()
}

/// Where an agent is on an unfinished route.
#[derive(Debug, Clone, Copy)]
struct Here {
    place: u32,
    /// When it leaves there.
    leave_us: Micros,
    /// How long it has rested since.
    rested_us: Micros,
    /// When it has done all that, and rested.
    awake_us: Micros,
    /// When it has done what is under way, if anything is.
    done_us: Option<Micros>,
    /// How many tasks it has done.
    tasks: usize,
}

struct Walk<'a, 'p, 'c, 'o> {
    ground: &'a Ground<'p>,
    control: &'c mut Control<'o, Plan, Cost>,
    /// Mandatory tasks that every plan leaves out, in millionths.
    floor: i64,
    nodes: u64,
    /// The nodes of each agent's route.
    routes: Vec<Vec<u32>>,
    /// Whether a task or a break is on a route.
    is_used: Vec<bool>,
    /// Costs of what is built so far.
    terms: Terms,
}

/// `None` is an order to stop.
impl Walk<'_, '_, '_, '_> {
    fn agent(&mut self, agent: usize) -> Option<()> {
        if agent == self.routes.len() {
            return self.complete();
        }
        let worker = &self.ground.model.workers[agent];
        let here = Here {
            place: worker.start,
            leave_us: worker.leaves_us,
            rested_us: 0,
            awake_us: worker.leaves_us,
            done_us: None,
            tasks: 0,
        };
        self.more(agent, here)
    }

    /// Every end of an agent's route, and of the plan.
    fn more(&mut self, agent: usize, here: Here) -> Option<()> {
        self.nodes += 1;
        if self.nodes >= NODES_MAX || (self.nodes.is_multiple_of(ITERATION) && !self.control.tick())
        {
            return None;
        }
        if self.is_cut(self.floor) {
            return Some(());
        }
        let ground = self.ground;
        let started = &ground.model.workers[agent].started;
        match started.get(here.tasks) {
            Some(&task) => self.task((agent, task), here)?,
            None => {
                for task in 0..ground.tasks() as u32 {
                    if !ground.model.jobs[task as usize].is_started && self.is_first((agent, task))
                    {
                        self.task((agent, task), here)?;
                    }
                }
            }
        }
        for &index in &ground.breaks_of[agent] {
            self.rest((agent, index), here)?;
        }
        if here.tasks < started.len() {
            return Some(());
        }
        self.close(agent, here)
    }

    /// Of agents that differ in nothing those with lower numbers begin with lower tasks. Where a
    /// plan went before, or agents rest, they may differ in what classes do not say.
    fn is_first(&self, (agent, task): (usize, u32)) -> bool {
        let ground = self.ground;
        let is_plain = ground.model.problem.previous().is_none() && ground.breaks.is_empty();
        if !is_plain || !self.routes[agent].is_empty() {
            return true;
        }
        let class = ground.model.workers[agent].class;
        let alike = (0..agent).rfind(|other| ground.model.workers[*other].class == class);
        alike.is_none_or(|other| self.routes[other].first().is_some_and(|one| *one < task))
    }

    fn task(&mut self, (agent, task): (usize, u32), here: Here) -> Option<()> {
        let model = &self.ground.model;
        let (worker, job) = (&model.workers[agent], &model.jobs[task as usize]);
        let way_us = model.time_us(worker, here.place, job.location);
        let cost_micro = model.cost_micro(here.place, job.location);
        if self.is_used[task as usize]
            || job.skills & !worker.skills != 0
            || way_us >= FAR
            || cost_micro >= FAR
        {
            return Some(());
        }
        let start_us = job.start_us(self.onward(agent, here).arrival_us(way_us));
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
        let there = Here {
            place: job.location,
            leave_us: end_us,
            rested_us: 0,
            awake_us: end_us,
            done_us: if job.is_started {
                Some(end_us)
            } else {
                here.done_us
            },
            tasks: here.tasks + 1,
        };
        self.terms.makespan_us = self.terms.makespan_us.max(there.leave_us);
        self.step((agent, task), there)?;
        self.terms = before;
        Some(())
    }

    fn rest(&mut self, (agent, index): (usize, u32), here: Here) -> Option<()> {
        let one = self.ground.breaks[index as usize];
        let start_us = here.awake_us.max(one.earliest_us);
        let node = self.ground.node_of(index);
        if self.is_used[node as usize] || start_us > one.latest_us {
            return Some(());
        }
        let there = Here {
            rested_us: here.rested_us + one.length_us,
            awake_us: start_us + one.length_us,
            ..here
        };
        self.step((agent, node), there)
    }

    fn step(&mut self, (agent, node): (usize, u32), there: Here) -> Option<()> {
        self.is_used[node as usize] = true;
        self.routes[agent].push(node);
        self.more(agent, there)?;
        self.routes[agent].pop();
        self.is_used[node as usize] = false;
        Some(())
    }

    /// The same where the agent goes on to a task: one that is not under way is not before now.
    fn onward(&self, agent: usize, here: Here) -> Here {
        if here.tasks != self.ground.model.workers[agent].started.len() {
            return here;
        }
        let now_us = self.ground.now_us;
        Here {
            leave_us: here.leave_us.max(now_us),
            awake_us: here.awake_us.max(now_us),
            ..here
        }
    }

    /// Lets the agent go home, and the next one begin.
    fn close(&mut self, agent: usize, here: Here) -> Option<()> {
        let ground = self.ground;
        let model = &ground.model;
        let worker = &model.workers[agent];
        if here.tasks == 0 {
            // Who does nothing need not rest.
            return if self.routes[agent].is_empty() {
                self.agent(agent + 1)
            } else {
                Some(())
            };
        }
        let way_us = model.time_us(worker, here.place, worker.end);
        let cost_micro = model.cost_micro(here.place, worker.end);
        let end_us = here.arrival_us(way_us);
        if way_us >= FAR || cost_micro >= FAR || end_us > worker.shift_end_us {
            return Some(());
        }
        let is_missed = |index: &u32| {
            let latest_us = ground.breaks[*index as usize].latest_us;
            let is_over = latest_us < ground.now_us
                && here.done_us.is_none_or(|done_us| done_us <= latest_us);
            !self.is_used[ground.node_of(*index) as usize] && end_us > latest_us && !is_over
        };
        if ground.breaks_of[agent].iter().any(is_missed) {
            return Some(());
        }
        let before = self.terms;
        self.terms.travel_cost_micro += cost_micro;
        self.terms.makespan_us = self.terms.makespan_us.max(end_us);
        self.agent(agent + 1)?;
        self.terms = before;
        Some(())
    }

    /// Whether no plan that goes on from here costs less than the best, if it leaves out mandatory
    /// tasks worth at least this.
    fn is_cut(&self, unserved_micro: i64) -> bool {
        let terms = Terms {
            unserved_micro,
            ..self.terms
        };
        let cost = self.ground.model.problem.cost(&terms);
        self.control.best().is_some_and(|best| cost >= best)
    }

    fn complete(&mut self) -> Option<()> {
        let ground = self.ground;
        let jobs = ground.model.jobs.iter().zip(&self.is_used);
        let (mut unserved_micro, mut drop_micro) = (0, 0);
        for (job, _) in jobs.filter(|(_, is_done)| !**is_done) {
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
        let mut state = State::new(ground);
        for (agent, route) in self.routes.iter().enumerate() {
            let mut behind = ground.first(agent);
            for &node in route {
                state.link(ground, node, behind);
                behind = node;
            }
        }
        if state.is_complete(ground) && state.is_legal(ground) && state.is_whole(ground, true) {
            offer(ground, &mut state, self.control, "exhaustive");
        }
        Some(())
    }
}

impl Here {
    /// When the agent is there after a way that takes this long.
    fn arrival_us(&self, way_us: Micros) -> Micros {
        self.awake_us.max(self.leave_us + way_us + self.rested_us)
    }
}
