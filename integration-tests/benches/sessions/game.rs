//! A game that follows the plans of its session: agents walk to their tasks and serve them, some
//! fall, others come, and tasks come all the time.

use std::collections::BTreeMap;
use std::time::Duration;
use stratagem_integration_tests::play::Random;
use stratagem_integration_tests::problems::{millis, point};
use stratagem_proto::v1::{
    AllocationAgent, AllocationAgentPosition, AllocationChanges, AllocationProblem,
    AllocationSessionState, AllocationTask, AllocationTaskEvent, AllocationTaskEventKind as Kind,
    CloseSessionRequest, CreateSessionRequest, SessionUpdate, SessionView, SolveOptions,
    UpdateSessionRequest, create_session_request::State, session_update::Change, session_view,
};

/// Side of the map.
const SIDE: usize = 200;
/// Distance that an agent walks in a second.
const SPEED: f64 = 10.0;
/// Time of a service.
const SERVICE: Duration = Duration::from_millis(1_500);
/// Seconds in which an agent falls once, in the mean.
const FALL_EVERY: f64 = 60.0;

/// Where an agent is and what it serves.
struct Walker {
    at: [f64; 2],
    serves: Option<(String, Duration)>,
}

/// A game.
pub(crate) struct Game {
    /// Id of its session.
    pub id: String,
    random: Random,
    now: Duration,
    sequence: i64,
    revision: i64,
    named: usize,
    task_count: usize,
    agents: BTreeMap<String, Walker>,
    tasks: BTreeMap<String, [f64; 2]>,
    routes: BTreeMap<String, Vec<String>>,
}

impl Game {
    /// A game of this many agents and tasks.
    pub(crate) fn new(id: &str, seed: u64, agents: usize, tasks: usize) -> Self {
        let mut game = Self {
            id: id.to_owned(),
            random: Random::new(seed + 1),
            now: Duration::ZERO,
            sequence: 0,
            revision: 0,
            named: 0,
            task_count: tasks,
            agents: BTreeMap::new(),
            tasks: BTreeMap::new(),
            routes: BTreeMap::new(),
        };
        for _ in 0..agents {
            game.new_agent();
        }
        for _ in 0..tasks {
            game.new_task();
        }
        game
    }

    fn name(&mut self, kind: &str) -> String {
        self.named += 1;
        format!("{kind}{}", self.named)
    }

    fn somewhere(&mut self) -> [f64; 2] {
        [SIDE, SIDE].map(|side| self.random.below(side) as f64)
    }

    fn new_agent(&mut self) -> AllocationAgent {
        let (id, at) = (self.name("agent"), self.somewhere());
        let agent = AllocationAgent {
            id: id.clone(),
            start: Some(point(at[0], at[1])),
            speed: Some(SPEED),
            shift_start_offset: Some(offset(self.now)),
            ..Default::default()
        };
        self.agents.insert(id, Walker { at, serves: None });
        agent
    }

    fn new_task(&mut self) -> AllocationTask {
        let (id, at) = (self.name("task"), self.somewhere());
        self.tasks.insert(id.clone(), at);
        task(&id, at)
    }

    /// The request to create its session.
    pub(crate) fn create(&self, options: SolveOptions) -> CreateSessionRequest {
        let agents = self.agents.iter().map(|(id, walker)| AllocationAgent {
            id: id.clone(),
            start: Some(point(walker.at[0], walker.at[1])),
            speed: Some(SPEED),
            ..Default::default()
        });
        let problem = AllocationProblem {
            agents: agents.collect(),
            tasks: self.tasks.iter().map(|(id, at)| task(id, *at)).collect(),
            ..Default::default()
        };
        CreateSessionRequest {
            session_id: self.id.clone(),
            state: Some(State::Allocation(AllocationSessionState {
                problem: Some(problem),
                tracked_agent_ids: self.agents.keys().cloned().collect(),
                ..Default::default()
            })),
            options: Some(options),
            ..Default::default()
        }
    }

    /// The request to close it.
    pub(crate) fn close(&self) -> CloseSessionRequest {
        CloseSessionRequest {
            session_id: self.id.clone(),
        }
    }

    /// Plays for a time: what has happened.
    pub(crate) fn tick(&mut self, period: Duration) -> UpdateSessionRequest {
        self.now += period;
        let mut changes = AllocationChanges::default();
        for (id, walker) in &mut self.agents {
            let event = if let Some((task, left)) = &mut walker.serves {
                *left = left.saturating_sub(period);
                left.is_zero().then(|| (Kind::Done, task.clone()))
            } else {
                let route = self.routes.get(id).map_or(&[][..], Vec::as_slice);
                let target = route.iter().find_map(|task| self.tasks.get_key_value(task));
                target.and_then(|(task, to)| {
                    let is_there = walk(&mut walker.at, *to, SPEED * period.as_secs_f64());
                    is_there.then(|| (Kind::Started, task.clone()))
                })
            };
            if let Some((kind, task)) = event {
                walker.serves = (kind == Kind::Started).then(|| (task.clone(), SERVICE));
                // It is no target of others.
                self.tasks.remove(&task);
                changes.events.push(AllocationTaskEvent {
                    kind: kind.into(),
                    task_id: task,
                    agent_id: id.clone(),
                    at_offset: None,
                });
            }
        }
        let mut positions = Vec::new();
        let fall = period.as_secs_f64() / FALL_EVERY;
        for id in self.agents.keys().cloned().collect::<Vec<_>>() {
            let walker = &self.agents[&id];
            if walker.serves.is_none() && (self.random.below(1 << 20) as f64) < fall * 1_048_576.0 {
                self.agents.remove(&id);
                changes.removed_agent_ids.push(id);
                let new = self.new_agent();
                positions.push((new.id.clone(), self.agents[&new.id].at));
                changes.put_agents.push(new);
            } else if walker.serves.is_none() {
                positions.push((id, walker.at));
            }
        }
        let positions = positions.into_iter();
        let positions = positions.map(|(agent_id, at)| AllocationAgentPosition {
            agent_id,
            place: Some(point(at[0], at[1])),
            free_offset: None,
        });
        changes.positions = positions.collect();
        while self.tasks.len() < self.task_count {
            changes.put_tasks.push(self.new_task());
        }
        self.sequence += 1;
        UpdateSessionRequest {
            session_id: self.id.clone(),
            updates: vec![SessionUpdate {
                sequence: self.sequence,
                now_offset: Some(offset(self.now)),
                change: Some(Change::Allocation(changes)),
            }],
            patience_duration: None,
            known_plan_revision: self.revision,
        }
    }

    /// Follows the plan of a view, if there is one.
    pub(crate) fn follow(&mut self, view: SessionView) {
        let Some(session_view::Plan::Allocation(plan)) = view.plan else {
            return;
        };
        self.revision = view.plan_revision;
        let routes = plan.routes.into_iter().map(|route| {
            let tasks = route.stops.into_iter().map(|stop| stop.task_id);
            (route.agent_id, tasks.collect())
        });
        self.routes = routes.collect();
    }
}

fn task(id: &str, at: [f64; 2]) -> AllocationTask {
    AllocationTask {
        id: id.to_owned(),
        place: Some(point(at[0], at[1])),
        service_duration: Some(millis(SERVICE.as_millis() as i64)),
        ..Default::default()
    }
}

/// Goes towards a point; whether it is reached.
fn walk(at: &mut [f64; 2], to: [f64; 2], length: f64) -> bool {
    let [dx, dy] = [to[0] - at[0], to[1] - at[1]];
    let distance = dx.hypot(dy);
    if distance <= length {
        *at = to;
        return true;
    }
    at[0] += dx / distance * length;
    at[1] += dy / distance * length;
    false
}

fn offset(time: Duration) -> prost_types::Duration {
    time.try_into().expect("games are short")
}
