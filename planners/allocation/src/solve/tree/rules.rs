//! The world of the tree search: agents are employed one after the other.

use super::SMALL_MAX;
use super::edges::Edges;
use super::reward::Evaluation;
use super::state::{Action, Done, State};
use crate::bound::earliest_arrival::EarliestArrivals;
use crate::plan::{Cost, Terms};
use crate::problem::{LEVELS_MAX, MICRO, Micros};
use crate::solve::Scene;
use crate::solve::draft::Draft;
use crate::solve::model::{Load, Model, NONE, Worker, fits};
use mcts::{Domain, Outcome};

/// Agents are employed one after the other, identical ones next to each other; the next starts when
/// the one before it has gone home: Kartal 2016, section 4.4.2. An action is the next task of the
/// agent whose turn it is, or going home.
///
/// Actions are legal if, after them, the agent can still keep all rules, as far as that is known:
/// from shortest paths over all tasks. Where ways are missing or longer than detours an agent can
/// all the same end up where it cannot go home from. Such an end is no plan and costs more than
/// any.
pub(crate) struct World<'s> {
    pub(crate) scene: &'s Scene<'s>,
    pub(crate) edges: Edges,
    evaluation: Evaluation,
    /// Agents in the order of employment: class by class.
    pub(crate) order: Vec<u32>,
    /// By class and task, the latest start after which the agent can still get home; below 0 if
    /// none.
    latest_us: Vec<Vec<Micros>>,
    /// Whether every valid plan can be reached, or one that is as good.
    pub(crate) is_complete: bool,
    /// Of plans that differ only in which of two equal agents does what one is looked at: the one
    /// in which their first tasks rise.
    is_canonical: bool,
    root: State,
}

impl<'s> World<'s> {
    /// The world of `scene`, whose ways are `edges`.
    pub(crate) fn new(scene: &'s Scene<'s>, edges: Edges) -> Self {
        let model = &scene.model;
        let mut order: Vec<u32> = (0..model.workers.len() as u32).collect();
        order.sort_by_key(|agent| model.workers[*agent as usize].class);
        let (latest_us, is_complete) = horizon(model);
        let tasks = 0..model.jobs.len() as u32;
        let left: Vec<u32> = tasks
            .filter(|task| !model.jobs[*task as usize].is_started)
            .collect();
        let mut place = vec![NONE; model.jobs.len()];
        let mut terms = Terms::default();
        for (at, &task) in (0..).zip(&left) {
            place[task as usize] = at;
            match model.jobs[task as usize].penalty_micro {
                None => terms.unserved_micro += MICRO,
                Some(penalty_micro) => terms.drop_penalty_micro += penalty_micro,
            }
        }
        let root = State {
            turn: 0,
            last: NONE,
            here: 0,
            free_us: 0,
            load: Load::default(),
            first: NONE,
            done: Vec::with_capacity(model.jobs.len()),
            left,
            place,
            terms,
            changes: 0,
        };
        let mut world = Self {
            scene,
            evaluation: Evaluation::new(model, &edges),
            edges,
            order,
            latest_us,
            is_complete,
            is_canonical: model.jobs.len() <= SMALL_MAX,
            root,
        };
        let mut root = world.root.clone();
        world.enter(&mut root);
        world.root = root;
        world
    }

    /// Index of the agent whose turn it is; `None` when all is over.
    #[inline]
    pub(crate) fn agent(&self, state: &State) -> Option<usize> {
        self.order
            .get(state.turn as usize)
            .map(|agent| *agent as usize)
    }

    /// Whether agents like `worker` could do `task`, by skills, capacity alone, and their shift.
    pub(crate) fn may_do(&self, worker: &Worker, task: u32) -> bool {
        let job = &self.scene.model.jobs[task as usize];
        job.skills & !worker.skills == 0
            && fits(&Load::default(), &job.demand, &worker.capacity)
            && self.latest_us[worker.class as usize][task as usize] >= 0
    }

    /// Whether they could do it first, or right after what is under way.
    pub(crate) fn may_start_with(&self, worker: &Worker, task: u32) -> bool {
        let model = &self.scene.model;
        let job = &model.jobs[task as usize];
        let way_us = model.time_us(worker, worker.start, job.location);
        // After what is under way they can be anywhere.
        !worker.started.is_empty() || worker.leaves_us + way_us <= job.latest_us
    }

    /// When the agent would start `task`, if it can do it next.
    #[inline]
    pub(crate) fn start_us(
        &self,
        state: &State,
        (agent, worker): (usize, &Worker),
        task: u32,
    ) -> Option<Micros> {
        let model = &self.scene.model;
        let job = &model.jobs[task as usize];
        let arrival_us = state.free_us + model.time_us(worker, state.here, job.location);
        if arrival_us > job.latest_us || job.skills & !worker.skills != 0 {
            return None;
        }
        let start_us = job.start_us(arrival_us);
        let legal = start_us <= self.latest_us[worker.class as usize][task as usize]
            && fits(&state.load, &job.demand, &worker.capacity)
            && state.changes + model.change(task, agent) <= model.changes_max
            && !(self.is_canonical
                && state.last == NONE
                && state.first != NONE
                && task < state.first);
        legal.then_some(start_us)
    }

    /// When the agent is at its end place, if it goes there after its last task and is in time.
    fn home_us(&self, worker: &Worker, state: &State) -> Option<Micros> {
        let is_under_way = worker.started.last() == Some(&state.last);
        let idle_us = if is_under_way { worker.idle_us } else { 0 };
        self.arrives_us(worker, (state.here, state.free_us - idle_us))
    }

    /// When the agent is at its end place that leaves at `free_us`, if that is in time.
    fn arrives_us(&self, worker: &Worker, (from, free_us): (u32, Micros)) -> Option<Micros> {
        let end_us = free_us + self.scene.model.time_us(worker, from, worker.end);
        (end_us <= worker.shift_end_us).then_some(end_us)
    }

    /// Does a task: `start_us` is when.
    fn visit(&self, state: &mut State, agent: usize, (task, start_us): (u32, Micros)) {
        let model = &self.scene.model;
        let job = &model.jobs[task as usize];
        if state.last == NONE {
            state.terms.agents_used_micro += MICRO;
            state.first = task;
        }
        state.terms.travel_cost_micro += model.cost_micro(state.here, job.location);
        state.terms.lateness_us += job.lateness_us(start_us);
        state
            .load
            .iter_mut()
            .zip(&job.demand)
            .for_each(|(sum, one)| *sum += one);
        state.changes += model.change(task, agent);
        (state.last, state.here) = (task, job.location);
        state.free_us = start_us + job.service_us;
        state.done.push(Done {
            agent: agent as u32,
            task,
        });
    }

    /// The agent goes home, and is there at `end_us`; the next one's turn begins.
    fn close(&self, state: &mut State, worker: &Worker, end_us: Micros) {
        state.terms.travel_cost_micro += self.scene.model.cost_micro(state.here, worker.end);
        state.terms.makespan_us = state.terms.makespan_us.max(end_us);
        self.pass(state, worker.class, 1);
    }

    /// The turn goes on by `count` agents.
    fn pass(&self, state: &mut State, class: u32, count: usize) {
        state.turn += count as u32;
        let next = self
            .agent(state)
            .map(|agent| self.scene.model.workers[agent].class);
        if next != Some(class) {
            state.first = NONE;
        }
    }

    /// Agents of the class from the turn on.
    fn rest_of_class(&self, state: &State, class: u32) -> usize {
        let rest = &self.order[state.turn as usize..];
        rest.iter()
            .take_while(|a| self.scene.model.workers[**a as usize].class == class)
            .count()
    }

    /// Lets agents pass that have nothing to decide, up to the first that can do a task. Afterwards
    /// the state is over, or there is a legal action, or the agent whose turn it is is stuck.
    fn enter(&self, state: &mut State) {
        let model = &self.scene.model;
        while let Some(agent) = self.agent(state) {
            let worker = &model.workers[agent];
            (state.last, state.here, state.free_us) = (NONE, worker.start, worker.leaves_us);
            state.load = Load::default();
            for &task in &worker.started {
                let job = &model.jobs[task as usize];
                let way_us = model.time_us(worker, state.here, job.location);
                let start_us = job.start_us(state.free_us + way_us);
                self.visit(state, agent, (task, start_us));
            }
            if state
                .left
                .iter()
                .any(|task| self.start_us(state, (agent, worker), *task).is_some())
            {
                return;
            }
            if state.last == NONE {
                self.pass(state, worker.class, self.rest_of_class(state, worker.class));
            } else if let Some(end_us) = self.home_us(worker, state) {
                self.close(state, worker, end_us);
            } else {
                return;
            }
        }
    }

    /// Whether there is no better plan in which all agents from here on stay idle: they are alike,
    /// mandatory tasks come first, and the next agent could do this one alone.
    fn is_needed(&self, state: &State, worker: &Worker, (task, start_us): (u32, Micros)) -> bool {
        let model = &self.scene.model;
        let is_last_class = self
            .order
            .last()
            .is_some_and(|last| model.workers[*last as usize].class == worker.class);
        let job = &model.jobs[task as usize];
        let done_us = start_us + job.service_us;
        is_last_class
            && state.last == NONE
            && model.problem.is_strict()
            && model.is_mandatory(task)
            && self.arrives_us(worker, (job.location, done_us)).is_some()
    }

    /// Makes `state` the end in which all is as in `draft`.
    pub(crate) fn put(&self, draft: &Draft, state: &mut State) {
        state.turn = self.order.len() as u32;
        state.last = NONE;
        state.done.clear();
        for &agent in &self.order {
            let visits = &draft.paths[agent as usize].visits;
            state.done.extend(visits.iter().map(|visit| Done {
                agent,
                task: visit.task,
            }));
        }
        state.left.clone_from(&draft.absent);
        state.place.fill(NONE);
        for (at, &task) in (0..).zip(&draft.absent) {
            state.place[task as usize] = at;
        }
        state.terms = *draft.terms();
        state.changes = draft.changes;
    }

    /// Makes `draft` what `state` is, if that is the end of a plan.
    pub(crate) fn take(&self, state: &State, draft: &mut Draft) -> bool {
        let model = &self.scene.model;
        let mut tasks = Vec::with_capacity(state.done.len());
        (0..model.workers.len()).for_each(|agent| draft.clear(model, agent));
        if (state.turn as usize) < self.order.len() {
            return false;
        }
        for route in state.done.chunk_by(|a, b| a.agent == b.agent) {
            tasks.clear();
            tasks.extend(route.iter().map(|done| done.task));
            let legal = draft.set(model, route[0].agent as usize, &tasks);
            debug_assert!(legal, "plans of the tree keep all rules");
        }
        true
    }
}

/// By class and task, the latest start after which an agent can still get home, and whether that is
/// exact. Exact: by shortest paths over all tasks. If that would take too long: directly.
fn horizon(model: &Model<'_>) -> (Vec<Vec<Micros>>, bool) {
    let reach = EarliestArrivals::new(model.problem);
    let apart = reach.groups().iter().all(|group| group.sources.len() == 1);
    let mut latest_us = vec![Vec::new(); model.classes];
    for (agent, worker) in model.workers.iter().enumerate() {
        let latest = &mut latest_us[worker.class as usize];
        if !latest.is_empty() {
            continue;
        }
        let group = reach.group(agent);
        latest.extend(model.jobs.iter().enumerate().map(|(task, job)| {
            if apart {
                return group.latest_us[task].unwrap_or(-1);
            }
            let way_us = model.time_us(worker, job.location, worker.end);
            worker.shift_end_us - way_us - job.service_us
        }));
    }
    (latest_us, apart)
}

impl Domain for World<'_> {
    type State = State;
    type Action = Action;
    type Cost = Cost;

    fn root(&self) -> State {
        self.root.clone()
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        let Some(agent) = self.agent(state) else {
            return;
        };
        let worker = &self.scene.model.workers[agent];
        let mut needed = false;
        for &task in &state.left {
            if let Some(start_us) = self.start_us(state, (agent, worker), task) {
                out.push(Action::visit(task));
                needed = needed || self.is_needed(state, worker, (task, start_us));
            }
        }
        let can_go_home = if state.last == NONE {
            !needed
        } else {
            self.home_us(worker, state).is_some()
        };
        if can_go_home {
            out.push(Action::HOME);
        }
    }

    fn apply(&self, state: &mut State, action: Action) {
        let Some(agent) = self.agent(state) else {
            return;
        };
        let model = &self.scene.model;
        let worker = &model.workers[agent];
        if let Some(task) = action.task() {
            let job = &model.jobs[task as usize];
            let way_us = model.time_us(worker, state.here, job.location);
            let start_us = job.start_us(state.free_us + way_us);
            state.take(task);
            match job.penalty_micro {
                None => state.terms.unserved_micro -= MICRO,
                Some(penalty_micro) => state.terms.drop_penalty_micro -= penalty_micro,
            }
            self.visit(state, agent, (task, start_us));
            if !state.left.is_empty() {
                return;
            }
        }
        if state.last == NONE {
            self.pass(state, worker.class, self.rest_of_class(state, worker.class));
        } else if let Some(end_us) = self.home_us(worker, state) {
            self.close(state, worker, end_us);
        } else {
            // Nothing is left to do, and it cannot go home: stuck, without a legal action.
            return;
        }
        self.enter(state);
    }

    fn outcome(&self, terminal: &State) -> Outcome<Cost> {
        if (terminal.turn as usize) < self.order.len() {
            return Outcome {
                cost: Cost([i64::MAX; LEVELS_MAX]),
                reward: 0.0,
            };
        }
        let cost = self.scene.model.problem.cost(&terminal.terms);
        let reward = self.evaluation.reward(&self.edges, terminal, &cost);
        Outcome { cost, reward }
    }
}
