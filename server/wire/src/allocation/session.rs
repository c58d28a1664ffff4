//! A session of allocation: the present problem, what agents are committed to, and the plan that
//! they follow.

mod adapted;
mod changes;
mod done;
mod routes;

use crate::mistakes::{Code, Mistakes};
use crate::values::{duration_of_micros, rounded_micros, shown};
use anytime::Path;
use routes::Route;
use std::collections::HashSet;
use std::sync::Arc;
use stratagem_proto::v1::{self as pb, session_update::Change};

/// A skill that no agent has, for tasks that a precedence leaves no time.
const NO_START: &str = "a start that its precedence allows";

/// The state of a session.
///
/// What is large and seldom changes is shared by clones, so that an update with mistakes can be
/// undone.
#[derive(Debug, Clone)]
pub struct State {
    /// Without travel and previous plan.
    problem: pb::AllocationProblem,
    travel: Option<Arc<pb::AllocationTravel>>,
    /// The plan to begin with, until there is one of ours.
    given: Option<pb::AllocationPreviousPlan>,
    max_changes: Option<i32>,
    /// The routes that agents follow.
    routes: Vec<Route>,
    /// Agents whose positions are reported.
    tracked: Vec<String>,
    /// Agents that serve a task, and the tasks as they were before.
    active: Vec<pb::AllocationActiveTask>,
    /// Tasks that are assumed to be done, the oldest first: reports of them come late.
    assumed: Vec<pb::AllocationActiveTask>,
    commitments: Vec<pb::AllocationCommitment>,
}

/// What a snapshot for callers lacks: with it, the state is exactly the same. A message of logs.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Followed {
    /// The routes that agents follow.
    #[prost(message, repeated, tag = "1")]
    routes: Vec<Route>,
    /// See [`State::assumed`].
    #[prost(message, repeated, tag = "2")]
    assumed: Vec<pb::AllocationActiveTask>,
    /// Whether agents follow these instead of a plan of the caller, or guards their plan.
    #[prost(bool, tag = "3")]
    has_begun: bool,
    /// See [`pb::AllocationPreviousPlan`].
    #[prost(int32, optional, tag = "4")]
    max_changes: Option<i32>,
}

impl Followed {
    /// Of guards, who follow their plan or not.
    pub(crate) fn whether(has_begun: bool) -> Self {
        Self {
            has_begun,
            ..Self::default()
        }
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun
    }
}

impl State {
    /// The beginning of a session.
    ///
    /// # Errors
    /// Active tasks, commitments or tracked agents that do not fit the problem.
    pub(crate) fn new(given: pb::AllocationSessionState) -> Result<Self, Mistakes> {
        let pb::AllocationSessionState {
            problem,
            active_tasks,
            commitments,
            tracked_agent_ids,
        } = given;
        let mut state = Self {
            problem: pb::AllocationProblem::default(),
            travel: None,
            given: None,
            max_changes: None,
            routes: Vec::new(),
            tracked: Vec::new(),
            active: active_tasks,
            assumed: Vec::new(),
            commitments,
        };
        state.replace(problem.unwrap_or_default());
        state.tracked = tracked_agent_ids;
        let mut wrong = Mistakes::default();
        state.judge(&mut wrong);
        if wrong.is_empty() {
            Ok(state)
        } else {
            Err(wrong)
        }
    }

    /// Takes another problem, and its previous plan if it has one.
    fn replace(&mut self, problem: pb::AllocationProblem) {
        self.problem = problem;
        self.travel = self.problem.travel.take().map(Arc::new);
        if let Some(previous) = self.problem.previous_plan.take() {
            self.max_changes = previous.max_changes;
            self.given = Some(previous);
            self.routes = Vec::new();
        }
    }

    /// Drops what belongs to agents and tasks that the problem lacks.
    fn forget(&mut self) {
        let agents: HashSet<&str> = self.problem.agents.iter().map(|it| &*it.id).collect();
        let tasks: HashSet<&str> = self.problem.tasks.iter().map(|it| &*it.id).collect();
        self.tracked.retain(|id| agents.contains(&**id));
        self.active
            .retain(|it| agents.contains(&*it.agent_id) && tasks.contains(active_id(it)));
        self.assumed.retain(|it| agents.contains(&*it.agent_id));
        self.commitments
            .retain(|it| agents.contains(&*it.agent_id) && tasks.contains(&*it.task_id));
    }

    /// Notes active tasks, commitments and tracked agents that do not fit the problem.
    fn judge(&self, wrong: &mut Mistakes) {
        let at = Path::root("active_tasks");
        for (index, one) in self.active.iter().enumerate() {
            let (at, task) = (at.index(index), active_id(one));
            self.agent(&at.field("agent_id"), &one.agent_id, wrong);
            self.task(&at.field("task"), task, wrong);
            let mut others = self.active.iter().take(index);
            if others.any(|other| other.agent_id == one.agent_id || active_id(other) == task) {
                let why = format!("is {}, of a second service", shown(task));
                wrong.add(&at.field("task"), Code::Duplicate, why);
            }
        }
        let at = Path::root("tracked_agent_ids");
        for (index, id) in self.tracked.iter().enumerate() {
            self.agent(&at.index(index), id, wrong);
        }
        let at = Path::root("commitments");
        for (index, one) in self.commitments.iter().enumerate() {
            let at = at.index(index);
            self.agent(&at.field("agent_id"), &one.agent_id, wrong);
            self.task(&at.field("task_id"), &one.task_id, wrong);
            let mut others = self.commitments.iter().take(index);
            if others.any(|other| other.task_id == one.task_id) {
                let why = format!("is {}, which has a commitment", shown(&one.task_id));
                wrong.add(&at.field("task_id"), Code::Duplicate, why);
            }
        }
    }

    /// The state after an update.
    ///
    /// # Errors
    /// All mistakes of the update.
    pub(crate) fn updated(&self, update: pb::SessionUpdate) -> Result<Self, Mistakes> {
        let (mut next, mut wrong) = (self.clone(), Mistakes::default());
        let of_problem = match &update.change {
            Some(Change::AllocationProblem(problem)) => problem.now_offset,
            _ => None,
        };
        if let Some(now) = update.now_offset.or(of_problem) {
            let (was, is) = (self.now_us(), rounded_micros(&now));
            if is < was {
                let why = format!("is {is} us, before {was} us of the previous update");
                wrong.add(&Path::root("now_offset"), Code::OutOfRange, why);
            }
            next.problem.now_offset = Some(now);
        }
        next.commit(false);
        match update.change {
            Some(Change::Allocation(changes)) => {
                next.change(changes, &Path::root("allocation"), &mut wrong);
            }
            Some(Change::AllocationProblem(problem)) => {
                let now_offset = next.problem.now_offset;
                next.replace(pb::AllocationProblem {
                    now_offset,
                    ..problem
                });
                next.forget();
            }
            _ => {}
        }
        if wrong.is_empty() {
            // A report may show that an agent has left for its next task.
            next.commit(false);
            Ok(next)
        } else {
            Err(wrong)
        }
    }

    /// The current time.
    pub fn now_us(&self) -> i64 {
        self.problem.now_offset.as_ref().map_or(0, rounded_micros)
    }

    /// Commits agents without positions to the task for which they have left: before now, or by
    /// now. What they had before is done.
    fn commit(&mut self, by_now: bool) {
        let now_us = self.now_us();
        let mut routes = std::mem::take(&mut self.routes);
        for route in &mut routes {
            if self.tracked.contains(&route.agent_id) {
                continue;
            }
            let left = route.left(now_us, by_now).to_vec();
            let Some((current, past)) = left.split_last() else {
                continue;
            };
            let leave_us = current.leave_us;
            self.assume_done(&route.agent_id, past);
            for stop in past {
                route.remove(&stop.task_id);
            }
            route.set_committed(true);
            self.begin_at(&route.agent_id, leave_us);
        }
        self.routes = routes;
    }

    /// The same state for a search while the game goes on: agents keep the tasks for which they
    /// leave now.
    #[must_use]
    pub fn under_way(&self) -> Self {
        let mut state = self.clone();
        state.commit(true);
        state
    }

    /// The request to plan for the present.
    #[must_use]
    pub fn request(&self, options: &pb::SolveOptions) -> pb::AllocateTasksRequest {
        let mut problem = self.whole();
        for one in &self.commitments {
            let agent = problem.agents.iter().position(|it| it.id == one.agent_id);
            let task = self.task_index(&one.task_id);
            let (Some(agent), Some(task)) = (agent, task) else {
                continue;
            };
            // The same for all tasks of the agent: there are not many names for skills.
            let skill = format!("that of agent {agent} alone");
            let agent = &mut problem.agents[agent];
            take(&mut agent.capacities, &one.demands);
            if !agent.skills.contains(&skill) {
                agent.skills.push(skill.clone());
            }
            problem.tasks[task].required_skills.push(skill);
        }
        pb::AllocateTasksRequest {
            problem: Some(problem),
            options: Some(options.clone()),
        }
    }

    /// The problem with travel and previous plan.
    fn whole(&self) -> pb::AllocationProblem {
        let previous = self.given.clone().unwrap_or_else(|| {
            let routes = self.routes.iter().map(Route::previous);
            pb::AllocationPreviousPlan {
                routes: routes.collect(),
                max_changes: self.max_changes,
            }
        });
        pb::AllocationProblem {
            travel: self.travel.as_deref().cloned(),
            previous_plan: (!previous.routes.is_empty()).then_some(previous),
            ..self.problem.clone()
        }
    }

    /// The state as it is created again.
    #[must_use]
    pub fn snapshot(&self) -> pb::AllocationSessionState {
        pb::AllocationSessionState {
            problem: Some(self.whole()),
            active_tasks: self.active.clone(),
            commitments: self.commitments.clone(),
            tracked_agent_ids: self.tracked.clone(),
        }
    }

    /// What the snapshot lacks.
    pub(crate) fn beyond_snapshot(&self) -> Followed {
        Followed {
            routes: self.routes.clone(),
            assumed: self.assumed.clone(),
            has_begun: self.given.is_none(),
            max_changes: self.max_changes,
        }
    }

    /// Completes a state that was created from its snapshot.
    pub(crate) fn complete(&mut self, followed: Followed) {
        if followed.has_begun {
            self.given = None;
        }
        self.routes = followed.routes;
        self.assumed = followed.assumed;
        self.max_changes = followed.max_changes;
    }

    /// Lets agents follow a plan for the present.
    pub fn follow(&mut self, plan: &pb::AllocationPlan) {
        let now_us = self.now_us();
        let route = |route: &pb::AllocationRoute| {
            let started = self.started_count(&route.agent_id);
            let mut agents = self.problem.agents.iter();
            let agent = agents.find(|agent| agent.id == route.agent_id);
            let start = agent.and_then(|agent| agent.shift_start_offset.as_ref());
            let start_us = start.map_or(0, rounded_micros);
            let started = usize::try_from(started).unwrap_or(0);
            Route::new(route, started, start_us, now_us)
        };
        self.routes = plan.routes.iter().map(route).collect();
        self.given = None;
    }

    /// How many tasks an agent is committed to.
    fn started_count(&self, agent_id: &str) -> i32 {
        if let Some(given) = &self.given {
            let mut routes = given.routes.iter();
            let found = routes.find(|route| route.agent_id == agent_id);
            return found.map_or(0, |route| route.started_count);
        }
        let mut routes = self.routes.iter();
        let found = routes.find(|route| route.agent_id == agent_id);
        found.map_or(0, Route::started_count)
    }

    fn task_index(&self, id: &str) -> Option<usize> {
        self.problem.tasks.iter().position(|task| task.id == id)
    }

    /// The task with an id; notes that there is none.
    fn task(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
        let found = self.task_index(id);
        if found.is_none() {
            let why = format!("is {}, which is no open task", shown(id));
            wrong.add(at, Code::Unknown, why);
        }
        found
    }

    /// The agent with an id, likewise.
    fn agent(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
        let found = self.problem.agents.iter().position(|agent| agent.id == id);
        if found.is_none() {
            let why = format!("is {}, which is no agent", shown(id));
            wrong.add(at, Code::Unknown, why);
        }
        found
    }

    /// Memory that it takes, near enough.
    #[must_use]
    pub fn bytes(&self) -> usize {
        use prost::Message as _;
        let travel = self
            .travel
            .as_ref()
            .map_or(0, |travel| travel.encoded_len());
        let services = self.active.iter().chain(&self.assumed);
        let services: usize = services.map(prost::Message::encoded_len).sum();
        let given = self.given.as_ref().map_or(0, prost::Message::encoded_len);
        let commitments = self.commitments.iter().map(prost::Message::encoded_len);
        let small = services + given + commitments.sum::<usize>();
        4 * (self.problem.encoded_len() + travel + small)
    }
}

/// Id of a task that is being served.
fn active_id(service: &pb::AllocationActiveTask) -> &str {
    service.task.as_ref().map_or("", |task| &task.id)
}

/// Takes a load from capacities.
fn take(capacities: &mut [i64], load: &[i64]) {
    for (capacity, load) in capacities.iter_mut().zip(load) {
        *capacity = (*capacity - load).max(0);
    }
}

/// A time as the contract has it.
fn offset(us: i64) -> Option<prost_types::Duration> {
    Some(duration_of_micros(us))
}
