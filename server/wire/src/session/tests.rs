//! Games that follow plans exactly: what a session plans is where its agents really are.

mod facts;

use super::{Followed, Planning, Routed as _, read};
use crate::allocation::session::State;
use crate::contract::AllocateTasks;
use crate::method::{Asked, Reading, RequestOf};
use crate::mistakes::Mistakes;
use crate::values::{duration_of_micros, rounded_micros};
use ::allocation::{Allocation, Params};
use anytime::{Control, Found, Limits};
use proptest::prelude::*;
use prost::Message as _;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use std::collections::BTreeMap;
use std::time::Duration;
use stratagem_proto::v1::{self as pb, session_update::Change, session_view};

const SECOND: i64 = 1_000_000;

fn offset(us: i64) -> Option<prost_types::Duration> {
    Some(duration_of_micros(us))
}

fn point(x: i64, y: i64) -> pb::AllocationPlace {
    let point = pb::AllocationPoint {
        x: x as f64,
        y: y as f64,
    };
    pb::AllocationPlace {
        at: Some(pb::allocation_place::At::Point(point)),
    }
}

fn task(id: &str, random: &mut Random) -> pb::AllocationTask {
    pb::AllocationTask {
        id: id.into(),
        place: Some(point(
            random.random_range(0..50),
            random.random_range(0..50),
        )),
        service_duration: offset(random.random_range(0..8) * SECOND),
        windows: match random.random_range(0..4) {
            0 => vec![pb::AllocationWindow {
                open_offset: offset(random.random_range(0..40) * SECOND),
                close_offset: offset(random.random_range(60..300) * SECOND),
            }],
            _ => Vec::new(),
        },
        drop_penalty: random.random_bool(0.3).then_some(30.0),
        ..pb::AllocationTask::default()
    }
}

fn problem(agents: usize, tasks: usize, random: &mut Random) -> pb::AllocationProblem {
    let agent = |index: usize| pb::AllocationAgent {
        id: format!("a{index}"),
        start: Some(point(5 * index as i64, 10)),
        ..pb::AllocationAgent::default()
    };
    pb::AllocationProblem {
        agents: (0..agents).map(agent).collect(),
        tasks: (0..tasks)
            .map(|index| task(&format!("t{index}"), random))
            .collect(),
        ..pb::AllocationProblem::default()
    }
}

fn session(problem: pb::AllocationProblem) -> State {
    let state = pb::AllocationSessionState {
        problem: Some(problem),
        ..pb::AllocationSessionState::default()
    };
    State::new(state).unwrap()
}

/// The state after an update, and what to search for then.
fn after(
    state: &State,
    update: pb::SessionUpdate,
) -> Result<(State, RequestOf<AllocateTasks>), Mistakes> {
    let state = super::State::Allocation(state.clone());
    let after = state.after(update, &pb::SolveOptions::default(), &Reading::ALONE)?;
    let (super::State::Allocation(next), Planning::Allocation(question)) = after else {
        panic!("the kind of a session stays");
    };
    Ok((next, question.request))
}

fn request(state: &State) -> RequestOf<AllocateTasks> {
    let state = super::State::Allocation(state.clone());
    match read(&state, &pb::SolveOptions::default(), &Reading::ALONE) {
        Ok(Planning::Allocation(question)) => question.request,
        _ => panic!("the state is valid"),
    }
}

fn follow(state: &mut State, view: &pb::SessionView) {
    if let Some(session_view::Plan::Allocation(plan)) = &view.plan {
        state.follow(plan);
    }
}

/// A view with the plan of a search with few iterations, or with the adapted plan.
fn planned(request: RequestOf<AllocateTasks>, seed: u64, searches: bool) -> pb::SessionView {
    let mut best = AllocateTasks::adapted(&request);
    if searches {
        let problem = &*request.problem;
        let mut sink = |plan: &::allocation::Plan, cost| {
            best = Some(Found {
                partial: ::allocation::verify::is_partial(problem, plan),
                plan: plan.clone(),
                cost,
                found_by: String::new(),
                sequence: 0,
            });
        };
        let mut control = Control::new(Limits::iterations(30), seed, &mut sink);
        ::allocation::solve(problem, &Params::default(), &mut control).unwrap();
    }
    let asked = Asked::<AllocateTasks> {
        request,
        validate: Duration::ZERO,
        budget: Duration::ZERO,
    };
    let found: Found<Allocation> = best.expect("uncoupled plans can always be adapted");
    AllocateTasks::shown(&(), &asked, &found).expect("routes can always be followed")
}

/// The same state, written to a log and read again.
fn logged(state: &State) -> State {
    let snapshot = state.snapshot().encode_to_vec();
    let beyond = state.beyond_snapshot().encode_to_vec();
    let snapshot = pb::AllocationSessionState::decode(&*snapshot).unwrap();
    let mut again = State::new(snapshot).unwrap();
    again.complete(Followed::decode(&*beyond).unwrap());
    assert_eq!(format!("{again:?}"), format!("{state:?}"));
    again
}

fn routes(view: &pb::SessionView) -> &[pb::AllocationRoute] {
    match &view.plan {
        Some(session_view::Plan::Allocation(plan)) => &plan.routes,
        _ => &[],
    }
}

/// An agent as it really is.
#[derive(Debug, Clone)]
struct Real {
    at: (f64, f64),
    /// When it can leave from there.
    free_us: i64,
    /// The task for which it has left: its place, and when it leaves, starts, and is done.
    current: Option<Current>,
}

#[derive(Debug, Clone)]
struct Current {
    id: String,
    at: (f64, f64),
    done_us: i64,
}

/// The game: who is where, and which tasks there are.
struct Game {
    agents: BTreeMap<String, Real>,
    tasks: BTreeMap<String, pb::AllocationTask>,
    tracked: Vec<String>,
    now_us: i64,
}

fn place_of(place: Option<&pb::AllocationPlace>) -> (f64, f64) {
    match place.and_then(|place| place.at.as_ref()) {
        Some(pb::allocation_place::At::Point(point)) => (point.x, point.y),
        _ => panic!("places are points"),
    }
}

impl Game {
    fn new(problem: &pb::AllocationProblem) -> Self {
        let real = |agent: &pb::AllocationAgent| Real {
            at: place_of(agent.start.as_ref()),
            free_us: 0,
            current: None,
        };
        let agents = problem.agents.iter();
        let tasks = problem.tasks.iter();
        Self {
            agents: agents
                .map(|agent| (agent.id.clone(), real(agent)))
                .collect(),
            tasks: tasks.map(|task| (task.id.clone(), task.clone())).collect(),
            tracked: Vec::new(),
            now_us: 0,
        }
    }

    /// The next task of an agent that leaves then from there.
    fn serve(&self, from: (f64, f64), leave_us: i64, id: &str) -> (i64, Current) {
        let task = &self.tasks[id];
        let at = place_of(task.place.as_ref());
        let distance = (from.0 - at.0).hypot(from.1 - at.1);
        let arrival_us = leave_us + (distance * 1e6).round() as i64;
        let window = task.windows.first();
        let open = window.and_then(|window| window.open_offset.as_ref());
        let start_us = arrival_us.max(open.map_or(0, rounded_micros));
        let service = task.service_duration.as_ref().map_or(0, rounded_micros);
        let current = Current {
            id: id.to_owned(),
            at,
            done_us: start_us + service,
        };
        (start_us, current)
    }

    /// Checks that a plan begins where the agents are.
    fn check(&self, view: &pb::SessionView) {
        for route in routes(view) {
            let real = &self.agents[&route.agent_id];
            let (mut at, mut free_us) = (real.at, real.free_us);
            for (index, stop) in route.stops.iter().enumerate() {
                let start = stop.start_offset.as_ref().map_or(0, rounded_micros);
                let is_current = index == 0 && real.current.is_some();
                let (start_us, current) = match &real.current {
                    Some(current) if is_current => {
                        assert_eq!(current.id, stop.task_id, "{route:?}");
                        let task = &self.tasks[&current.id];
                        let service = task.service_duration.as_ref().map_or(0, rounded_micros);
                        (current.done_us - service, current.clone())
                    }
                    _ => self.serve(at, free_us.max(self.now_us), &stop.task_id),
                };
                let off = (start - start_us).abs();
                assert!(
                    off <= 5,
                    "stop {index} of {route:?} is off by {off} us: {real:?}"
                );
                (at, free_us) = (current.at, current.done_us);
            }
        }
    }

    /// Follows a plan until then: agents have left that leave before, or `by_then`.
    fn play(&mut self, view: &pb::SessionView, until_us: i64, by_then: bool) {
        let routes = routes(view);
        for (id, real) in &mut self.agents.clone() {
            // Where these are is reported.
            if self.tracked.contains(id) {
                continue;
            }
            let route = routes.iter().find(|route| route.agent_id == *id);
            let stops = route.map_or(&[][..], |route| &route.stops);
            let skip = usize::from(real.current.is_some());
            for stop in stops.iter().skip(skip) {
                if let Some(current) = &real.current {
                    (real.at, real.free_us) = (current.at, current.done_us);
                }
                let leave_us = real.free_us.max(self.now_us);
                if leave_us > until_us || (leave_us == until_us && !by_then) {
                    break;
                }
                if let Some(done) = real.current.take() {
                    self.tasks.remove(&done.id);
                }
                real.current = Some(self.serve(real.at, leave_us, &stop.task_id).1);
            }
            self.agents.insert(id.clone(), real.clone());
        }
        self.now_us = until_us;
    }

    /// Something that happens now, reported.
    fn happen(&mut self, random: &mut Random, count: &mut usize) -> pb::AllocationChanges {
        let mut changes = pb::AllocationChanges::default();
        let ids: Vec<_> = self.agents.keys().cloned().collect();
        let id = ids[random.random_range(0..ids.len())].clone();
        let real = self.agents.get_mut(&id).unwrap();
        match random.random_range(0..5) {
            0 => {
                let name = format!("n{count}");
                *count += 1;
                let new = task(&name, random);
                self.tasks.insert(name, new.clone());
                changes.put_tasks.push(new);
            }
            // Done on time, or late: now.
            1 | 2 => {
                let reported = real
                    .current
                    .take_if(|current| current.done_us <= self.now_us);
                if let Some(done) = reported {
                    let at_us = if random.random_bool(0.5) {
                        done.done_us
                    } else {
                        self.now_us
                    };
                    (real.at, real.free_us) = (done.at, at_us);
                    self.tasks.remove(&done.id);
                    changes.events.push(pb::AllocationTaskEvent {
                        kind: pb::AllocationTaskEventKind::Done.into(),
                        task_id: done.id,
                        agent_id: id,
                        at_offset: offset(at_us),
                    });
                }
            }
            3 if ids.len() > 1 => {
                if let Some(current) = &real.current {
                    // It has not begun the service, as far as is known: the task is open.
                    assert!(self.tasks.contains_key(&current.id));
                }
                self.agents.remove(&id);
                self.tracked.retain(|agent| *agent != id);
                changes.removed_agent_ids.push(id);
            }
            4 => self.tracked.push(id),
            _ => {}
        }
        self.tracked.sort();
        self.tracked.dedup();
        for id in &self.tracked {
            let (x, y) = (random.random_range(0..50), random.random_range(0..50));
            let real = self.agents.get_mut(id).unwrap();
            (real.at, real.free_us, real.current) = ((x as f64, y as f64), self.now_us, None);
            changes.positions.push(pb::AllocationAgentPosition {
                agent_id: id.clone(),
                place: Some(point(x, y)),
                free_offset: None,
            });
        }
        changes
    }
}

/// Steps in which at least one agent was under way, and stops that were compared.
fn game(seed: u64) -> (usize, usize) {
    let mut random = Random::seed_from_u64(seed);
    let (agents, tasks) = (random.random_range(1..5), random.random_range(0..12));
    let problem = problem(agents, tasks, &mut random);
    let (mut game, mut state) = (Game::new(&problem), logged(&session(problem)));
    let mut view = planned(request(&state), seed, true);
    game.check(&view);
    follow(&mut state, &view);
    let (mut under_way, mut stops, mut names) = (0, 0, 0);
    for step in 1..=10 {
        let until_us = game.now_us + random.random_range(0..15) * SECOND / 2;
        game.play(&view, until_us, false);
        under_way += usize::from(game.agents.values().any(|real| real.current.is_some()));
        let update = pb::SessionUpdate {
            sequence: step,
            now_offset: offset(until_us),
            change: Some(Change::Allocation(game.happen(&mut random, &mut names))),
        };
        let (next, request_after) = after(&state, update)
            .unwrap_or_else(|wrong| panic!("seed {seed}, step {step}: {wrong}"));
        state = logged(&next);
        view = planned(request_after, random.next_u64(), random.random_bool(0.5));
        game.check(&view);
        follow(&mut state, &view);
        if random.random_bool(0.5) {
            state = logged(&state.under_way());
            game.play(&view, until_us, true);
            let better = planned(request(&state), random.next_u64(), true);
            // It begins where agents are, too: with the tasks for which they leave now.
            view = better;
            game.check(&view);
            follow(&mut state, &view);
            state = logged(&state);
        }
        stops += routes(&view)
            .iter()
            .map(|route| route.stops.len())
            .sum::<usize>();
    }
    (under_way, stops)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn plans_begin_where_agents_are(seed: u64) {
        game(seed);
    }
}

#[test]
fn games_have_agents_under_way() {
    let (under_way, stops) = (0..64)
        .map(game)
        .fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    assert!(under_way > 200, "{under_way} steps with an agent under way");
    assert!(stops > 1_000, "{stops} stops compared");
}
