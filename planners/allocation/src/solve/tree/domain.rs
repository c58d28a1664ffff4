//! The domain of the tree search: agents are planned one after the other.

use super::arcs::ArcSet;
use super::is_small;
use super::reward::Evaluation;
use super::state::{Action, Done, State};
use crate::bound::earliest_arrival::EarliestArrivals;
use crate::plan::{Cost, Terms};
use crate::problem::{LEVELS_MAX, MICRO, Micros};
use crate::solve::SearchContext;
use crate::solve::draft::Draft;
use crate::solve::model::{Load, Model, NONE, Worker, fits};
use mcts::{Domain, Outcome};

/// Agents are planned one after the other, identical ones consecutively; the next begins when the
/// one before it has ended its route: Kartal 2016, section 4.4.2. An action is the next task of the
/// agent at turn, or the end of its route.
///
/// Actions are feasible if the agent can still satisfy all rules, as far as shortest paths over all
/// tasks show. Where arcs are missing or violate the triangle inequality, an agent can still get
/// into a dead end. Such a terminal state is no plan and costs more than any.
pub(crate) struct AllocationDomain<'s> {
    pub(crate) context: &'s SearchContext<'s>,
    pub(crate) arcs: ArcSet,
    evaluation: Evaluation,
    /// Agents in the order of their turns: class by class.
    pub(crate) order: Vec<u32>,
    /// By class and task, the latest start after which the agent can still reach its end place;
    /// below 0 if there is none.
    latest_us: Vec<Vec<Micros>>,
    /// Whether every valid plan, or one as good, is in the tree.
    pub(crate) is_complete: bool,
    /// Symmetry breaking: of plans that differ only in the order of identical agents, the one in
    /// which their first tasks ascend.
    is_canonical: bool,
    /// By task, its number among those outside committed prefixes.
    pub(crate) numbers: Vec<u32>,
    root: State,
}

impl<'s> AllocationDomain<'s> {
    /// The domain of `context`, with its feasible `arcs`.
    pub(crate) fn new(context: &'s SearchContext<'s>, arcs: ArcSet) -> Self {
        let model = &context.model;
        let mut order: Vec<u32> = (0..model.workers.len() as u32).collect();
        order.sort_by_key(|agent| model.workers[*agent as usize].class);
        let (latest_us, is_complete) = latest_starts(model);
        let tasks = 0..model.jobs.len() as u32;
        let left: Vec<u32> = tasks
            .filter(|task| !model.jobs[*task as usize].is_committed)
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
        let numbers = place.clone();
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
        let mut domain = Self {
            context,
            evaluation: Evaluation::new(model, &arcs),
            arcs,
            order,
            latest_us,
            is_complete,
            is_canonical: is_small(model),
            numbers,
            root,
        };
        let mut root = domain.root.clone();
        domain.skip_forced(&mut root);
        domain.root = root;
        domain
    }

    /// The agent at turn; `None` when all routes have ended.
    #[inline]
    pub(crate) fn agent(&self, state: &State) -> Option<usize> {
        self.order
            .get(state.turn as usize)
            .map(|agent| *agent as usize)
    }

    /// Whether agents like `worker` could do `task`, by skills, capacity and shift.
    pub(crate) fn may_do(&self, worker: &Worker, task: u32) -> bool {
        let job = &self.context.model.jobs[task as usize];
        job.skills & !worker.skills == 0
            && fits(&Load::default(), &job.demand, &worker.capacity)
            && self.latest_us[worker.class as usize][task as usize] >= 0
    }

    /// Whether they could do it first, or right after their committed prefix.
    pub(crate) fn may_start_with(&self, worker: &Worker, task: u32) -> bool {
        let model = &self.context.model;
        let job = &model.jobs[task as usize];
        let travel_us = model.time_us(worker, worker.start, job.location);
        // After a committed prefix they can be anywhere.
        !worker.committed.is_empty() || worker.leaves_us + travel_us <= job.latest_us
    }

    /// Start of `task` if the agent does it next, and can.
    #[inline]
    pub(crate) fn start_us(&self, state: &State, agent: usize, task: u32) -> Option<Micros> {
        let model = &self.context.model;
        let job = &model.jobs[task as usize];
        let worker = &model.workers[agent];
        let arrival_us = state.free_us + model.time_us(worker, state.here, job.location);
        if arrival_us > job.latest_us || job.skills & !worker.skills != 0 {
            return None;
        }
        let start_us = job.start_us(arrival_us);
        let is_feasible = start_us <= self.latest_us[worker.class as usize][task as usize]
            && fits(&state.load, &job.demand, &worker.capacity)
            && state.changes + model.change(task, agent) <= model.changes_max
            && !(self.is_canonical
                && state.last == NONE
                && state.first != NONE
                && task < state.first);
        is_feasible.then_some(start_us)
    }

    /// Arrival at the end place after the last task, if in time.
    fn return_us(&self, worker: &Worker, state: &State) -> Option<Micros> {
        let is_under_way = worker.committed.last() == Some(&state.last);
        let idle_us = if is_under_way { worker.idle_us } else { 0 };
        self.end_us_from(worker, state.here, state.free_us - idle_us)
    }

    /// Arrival at the end place after a departure at `free_us`, if in time.
    fn end_us_from(&self, worker: &Worker, from: u32, free_us: Micros) -> Option<Micros> {
        let end_us = free_us + self.context.model.time_us(worker, from, worker.end);
        (end_us <= worker.shift_end_us).then_some(end_us)
    }

    /// Appends a task with its start.
    fn visit(&self, state: &mut State, agent: usize, task: u32, start_us: Micros) {
        let model = &self.context.model;
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

    /// Ends the route at `end_us`; the next turn begins.
    fn end_route(&self, state: &mut State, worker: &Worker, end_us: Micros) {
        state.terms.travel_cost_micro += self.context.model.cost_micro(state.here, worker.end);
        state.terms.makespan_us = state.terms.makespan_us.max(end_us);
        self.advance(state, worker.class, 1);
    }

    /// Advances the turn by `count` agents.
    fn advance(&self, state: &mut State, class: u32, count: usize) {
        state.turn += count as u32;
        let next = self
            .agent(state)
            .map(|agent| self.context.model.workers[agent].class);
        if next != Some(class) {
            state.first = NONE;
        }
    }

    /// Number of agents of the class from the turn on.
    fn rest_of_class(&self, state: &State, class: u32) -> usize {
        let rest = &self.order[state.turn as usize..];
        rest.iter()
            .take_while(|a| self.context.model.workers[**a as usize].class == class)
            .count()
    }

    /// Skips agents without a choice, up to the first that can do a task. Afterwards the state is
    /// terminal, or there is a feasible action, or the agent at turn is in a dead end.
    fn skip_forced(&self, state: &mut State) {
        let model = &self.context.model;
        while let Some(agent) = self.agent(state) {
            let worker = &model.workers[agent];
            (state.last, state.here, state.free_us) = (NONE, worker.start, worker.leaves_us);
            state.load = Load::default();
            for &task in &worker.committed {
                let job = &model.jobs[task as usize];
                let travel_us = model.time_us(worker, state.here, job.location);
                let start_us = job.start_us(state.free_us + travel_us);
                self.visit(state, agent, task, start_us);
            }
            if state
                .left
                .iter()
                .any(|task| self.start_us(state, agent, *task).is_some())
            {
                return;
            }
            if !self.end_turn(state, worker) {
                return;
            }
        }
    }

    /// Ends the turn of an agent; false in a dead end: its end place is out of reach.
    fn end_turn(&self, state: &mut State, worker: &Worker) -> bool {
        if state.last == NONE {
            self.advance(state, worker.class, self.rest_of_class(state, worker.class));
        } else if let Some(end_us) = self.return_us(worker, state) {
            self.end_route(state, worker, end_us);
        } else {
            return false;
        }
        true
    }

    /// Whether no better plan leaves all agents from here on idle: they are identical, mandatory
    /// tasks come first, and the next agent could do this one alone.
    fn is_needed(&self, state: &State, worker: &Worker, task: u32, start_us: Micros) -> bool {
        let model = &self.context.model;
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
            && self.end_us_from(worker, job.location, done_us).is_some()
    }

    /// Makes `state` the terminal state of `draft`.
    pub(crate) fn write_plan(&self, draft: &Draft, state: &mut State) {
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
        state.left.clone_from(&draft.unassigned);
        state.place.fill(NONE);
        for (at, &task) in (0..).zip(&draft.unassigned) {
            state.place[task as usize] = at;
        }
        state.terms = *draft.terms();
        state.changes = draft.changes;
    }

    /// Makes `draft` the plan of `state`. Returns false if that is not terminal.
    pub(crate) fn read_plan(&self, state: &State, draft: &mut Draft) -> bool {
        let model = &self.context.model;
        let mut tasks = Vec::with_capacity(state.done.len());
        (0..model.workers.len()).for_each(|agent| draft.clear(model, agent));
        if (state.turn as usize) < self.order.len() {
            return false;
        }
        for route in state.done.chunk_by(|a, b| a.agent == b.agent) {
            tasks.clear();
            tasks.extend(route.iter().map(|done| done.task));
            let is_feasible = draft.set(model, route[0].agent as usize, &tasks);
            debug_assert!(is_feasible, "plans of the tree are valid");
        }
        true
    }
}

/// By class and task, the latest start after which an agent can still reach its end place, and
/// whether that is exact. Exact: by shortest paths over all tasks. If that would take too long: by
/// the direct arc.
fn latest_starts(model: &Model<'_>) -> (Vec<Vec<Micros>>, bool) {
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
            let travel_us = model.time_us(worker, job.location, worker.end);
            worker.shift_end_us - travel_us - job.service_us
        }));
    }
    (latest_us, apart)
}

impl Domain for AllocationDomain<'_> {
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
        let worker = &self.context.model.workers[agent];
        let mut needed = false;
        for &task in &state.left {
            if let Some(start_us) = self.start_us(state, agent, task) {
                out.push(Action::visit(task));
                needed = needed || self.is_needed(state, worker, task, start_us);
            }
        }
        let can_go_home = if state.last == NONE {
            !needed
        } else {
            self.return_us(worker, state).is_some()
        };
        if can_go_home {
            out.push(Action::END_ROUTE);
        }
    }

    fn apply(&self, state: &mut State, action: Action) {
        let Some(agent) = self.agent(state) else {
            return;
        };
        let model = &self.context.model;
        let worker = &model.workers[agent];
        if let Some(task) = action.task() {
            let job = &model.jobs[task as usize];
            let travel_us = model.time_us(worker, state.here, job.location);
            let start_us = job.start_us(state.free_us + travel_us);
            state.take(task);
            match job.penalty_micro {
                None => state.terms.unserved_micro -= MICRO,
                Some(penalty_micro) => state.terms.drop_penalty_micro -= penalty_micro,
            }
            self.visit(state, agent, task, start_us);
            if !state.left.is_empty() {
                return;
            }
        }
        if self.end_turn(state, worker) {
            self.skip_forced(state);
        }
    }

    fn outcome(&self, terminal: &State) -> Outcome<Cost> {
        if (terminal.turn as usize) < self.order.len() {
            return Outcome {
                cost: Cost([i64::MAX; LEVELS_MAX]),
                reward: 0.0,
            };
        }
        let cost = self.context.model.problem.cost(&terminal.terms);
        let reward = self.evaluation.reward(&self.arcs, terminal, &cost);
        Outcome { cost, reward }
    }
}
