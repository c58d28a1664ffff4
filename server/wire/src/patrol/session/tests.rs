//! Games with guards: their plans go on from where they are, whatever changes, and get better.

use super::{GeneratePatrol, State};
use crate::contract::VerifyPlan;
use crate::method::{Asked, Question as _, Reading};
use crate::session::{Planning, Question, Routed as _};
use crate::values::{duration_of_micros, rounded_micros};
use ::patrol::{Params, solve};
use anytime::{Control, Found, Limits, Pulse};
use prost::Message as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use std::time::Duration;
use stratagem_proto::v1::{
    self as pb, any_plan, any_problem, session_update::Change, session_view,
};

/// A tick.
const TICK: i64 = 250_000;

fn offset(us: i64) -> Option<prost_types::Duration> {
    Some(duration_of_micros(us))
}

fn edge(from: usize, to: usize, ticks: i64) -> pb::PatrolEdge {
    pb::PatrolEdge {
        from_vertex_id: format!("v{from}"),
        to_vertex_id: format!("v{to}"),
        travel_duration: offset(ticks * TICK),
    }
}

fn guard(index: usize, random: &mut Random) -> pb::PatrolGuard {
    pb::PatrolGuard {
        id: format!("g{index}"),
        start_vertex_id: format!("v{}", random.random_range(0..VERTICES)),
        speed: Some([1.0, 0.5, 1.7][random.random_range(0..3)]),
        ..pb::PatrolGuard::default()
    }
}

const VERTICES: usize = 8;

/// A ring with some diagonals.
fn problem(guards: usize, random: &mut Random) -> pb::PatrolProblem {
    let vertex = |index: usize, random: &mut Random| pb::PatrolVertex {
        id: format!("v{index}"),
        weight: Some(random.random_range(1..5).into()),
        pause_duration: offset(random.random_range(0..3) / 2 * 3 * TICK),
        ..pb::PatrolVertex::default()
    };
    let ring = (0..VERTICES).map(|one| [one, (one + 1) % VERTICES]);
    let edges = ring.chain([[0, 4], [2, 6]]);
    let mut edge = |[one, two]: [usize; 2]| edge(one, two, random.random_range(1..6));
    let edges = edges.map(&mut edge).collect();
    pb::PatrolProblem {
        tick_duration: offset(TICK),
        edges,
        vertices: (0..VERTICES).map(|index| vertex(index, random)).collect(),
        guards: (0..guards).map(|index| guard(index, random)).collect(),
        intruder: Some(pb::PatrolIntruder {
            motion: [1, 1, 2][random.random_range(0..3)],
            penetration_duration: offset(6 * TICK),
            entry: 3,
            ..pb::PatrolIntruder::default()
        }),
        ..pb::PatrolProblem::default()
    }
}

/// What happens: some of it is refused.
fn changes(random: &mut Random) -> pb::PatrolChanges {
    let mut changes = pb::PatrolChanges::default();
    let (one, two) = (random.random_range(0..VERTICES), random.random_range(1..3));
    let doors = edge(one, (one + two) % VERTICES, random.random_range(1..6));
    match random.random_range(0..6) {
        0 => changes
            .removed_guard_ids
            .push(format!("g{}", random.random_range(0..4))),
        1 => changes
            .put_guards
            .push(guard(random.random_range(0..4), random)),
        2 => changes.removed_edges.push(doors),
        3 => changes.put_edges.push(doors),
        4 => changes.positions.push(pb::PatrolGuardPosition {
            guard_id: format!("g{}", random.random_range(0..4)),
            vertex_id: format!("v{one}"),
            ..pb::PatrolGuardPosition::default()
        }),
        _ => changes.weights.push(pb::PatrolVertexWeight {
            vertex_id: format!("v{one}"),
            weight: random.random_range(0..9).into(),
        }),
    }
    changes
}

/// Where a guard is at a tick: the vertex where it is or which it left, where it arrives next, and
/// how many ticks it has gone.
type Place = (String, String, i64);

/// Where a guard is at each tick from the start of a plan on, straight from its stops.
fn track(state: &State, guard_id: &str, ticks: usize) -> Vec<Place> {
    let problem = &state.problem;
    let us = |at: &Option<prost_types::Duration>| at.as_ref().map_or(0, rounded_micros);
    let guard = problem.guards.iter().find(|it| it.id == guard_id).unwrap();
    let plan = state.plan.as_ref().unwrap();
    let route = plan.routes.iter().find(|it| it.guard_id == guard_id);
    let route = route.unwrap();
    let travel = |one: &str, two: &str| {
        let edge = problem.edges.iter().find(|edge| {
            let ends = [&*edge.from_vertex_id, &*edge.to_vertex_id];
            ends == [one, two] || ends == [two, one]
        });
        let length = us(&edge.unwrap().travel_duration) / TICK;
        (length as f64 / guard.speed.unwrap_or(1.0)).ceil() as i64
    };
    let laps = std::iter::repeat_n(&route.cycle, ticks + 2).flatten();
    let stops: Vec<_> = route.prefix.iter().chain(laps).take(ticks + 3).collect();
    let mut track = Vec::new();
    let listed = route.prefix.len() + route.cycle.len();
    for (index, pair) in stops.windows(2).enumerate() {
        let (here, next) = (&pair[0].vertex_id, &pair[1].vertex_id);
        let start = us(&pair[0].arrival_offset) - state.start_us;
        if index < listed && track.len() <= ticks {
            assert_eq!(start, TICK * track.len() as i64, "an offset is wrong");
        }
        for _ in 0..us(&pair[0].stay_duration) / TICK {
            track.push((here.clone(), here.clone(), 0));
        }
        if here != next {
            let is_begun = index == 0 && !guard.next_vertex_id.is_empty();
            let begun = if is_begun {
                us(&guard.elapsed_duration) / TICK
            } else {
                0
            };
            track
                .extend((begun..travel(here, next)).map(|gone| (here.clone(), next.clone(), gone)));
        }
    }
    track.truncate(ticks);
    track
}

/// Checks that a guard goes on from where the plan before has it.
fn check_place(before: &Place, after: &Place) {
    // One that leaves at this tick may also stay.
    let is_free = before.0 == before.1 || before.2 == 0;
    assert_eq!(before.0, after.0);
    assert!(
        is_free && after.2 == 0 || before == after,
        "{before:?}, {after:?}"
    );
}

fn question(planning: Planning) -> Question<GeneratePatrol> {
    *GeneratePatrol::question(planning).expect("it is about patrols")
}

/// The views of the adapted plan, and of all plans that a short search finds; with their costs.
fn views(
    question: Question<GeneratePatrol>,
    iterations: u64,
) -> Vec<(pb::SessionView, patrol::Cost)> {
    let Question { request, setting } = question;
    let mut all: Vec<_> = GeneratePatrol::adapted(&request).into_iter().collect();
    let mut sink = |plan: &patrol::Plan, cost: patrol::Cost| {
        if all.last().is_none_or(|last| cost < last.cost) {
            all.push(Found {
                partial: false,
                plan: plan.clone(),
                cost,
                found_by: String::new(),
                sequence: 0,
            });
        }
    };
    if iterations > 0 {
        let params = Params {
            warm: request.params.warm.clone(),
            ..Params::default()
        };
        let mut control = Control::new(Limits::iterations(iterations), 1, &mut sink);
        solve(&request.problem, &params, &mut control).unwrap();
    }
    let asked = Asked::<GeneratePatrol> {
        request,
        validate: Duration::ZERO,
        budget: Duration::ZERO,
    };
    let view = |found: Found<_>| {
        let view = GeneratePatrol::shown(&setting, &asked, &found);
        (view.expect("it can be followed"), found.cost)
    };
    all.into_iter().map(view).collect()
}

fn follow(state: &mut State, view: &pb::SessionView) {
    let Some(session_view::Plan::Patrol(plan)) = &view.plan else {
        panic!("there is a plan");
    };
    state.follow(plan);
    // Written to a log and read again, it is the same.
    let snapshot = state.snapshot().encode_to_vec();
    let again = State::new(pb::PatrolSessionState::decode(&*snapshot).unwrap());
    let followed = |state: &State| state.followed.as_ref().map(|it| it.plan.clone());
    assert_eq!(again.snapshot(), state.snapshot());
    assert_eq!(followed(&again), followed(state));
    // Callers can verify it.
    let request = pb::VerifyPlanRequest {
        problem: Some(pb::AnyProblem {
            kind: Some(any_problem::Kind::Patrol(pb::PatrolProblem::clone(
                &state.problem,
            ))),
        }),
        plan: Some(pb::AnyPlan {
            kind: Some(any_plan::Kind::Patrol(plan.clone())),
        }),
    };
    let check = VerifyPlan::read(request).unwrap();
    let answer = VerifyPlan::answer(check, &Pulse::unbounded()).unwrap();
    assert!(answer.unwrap().valid);
}

fn update(sequence: i64, now_us: i64, change: Option<Change>) -> pb::SessionUpdate {
    pb::SessionUpdate {
        sequence,
        now_offset: offset(now_us),
        change,
    }
}

/// Plays a game of a seed; returns how many updates were applied and refused, and how many better
/// plans began later.
fn play(seed: u64) -> [usize; 3] {
    let random = &mut Random::seed_from_u64(seed);
    let options = pb::SolveOptions {
        time_budget: offset(3 * TICK),
        ..pb::SolveOptions::default()
    };
    let guards = random.random_range(1..4);
    let given = pb::PatrolSessionState {
        problem: Some(problem(guards, random)),
        start_offset: offset(random.random_range(0..3) * TICK),
        ..pb::PatrolSessionState::default()
    };
    let mut state = State::new(given);
    let read = |state: &State| question(state.read(&options, &Reading::ALONE).unwrap());
    let mut first = views(read(&state), 20);
    follow(&mut state, &first.pop().expect("a plan is found").0);
    let (mut now_us, mut counts) = (0, [0; 3]);
    for sequence in 1..12 {
        now_us += random.random_range(0..20) * TICK / 3;
        let session = crate::session::State::Patrol(state.clone());
        let change = random
            .random_bool(0.8)
            .then(|| Change::Patrol(changes(random)));
        let touched = change.clone();
        let next = session.after(update(sequence, now_us, change), &options, &Reading::ALONE);
        let (next, planning) = match next {
            Ok((crate::session::State::Patrol(next), planning)) => (next, planning),
            Ok(_) => panic!("the kind of a session stays"),
            Err(_) => {
                counts[1] += 1;
                continue;
            }
        };
        let before = std::mem::replace(&mut state, next);
        counts[0] += 1;
        if matches!(planning, Planning::Unchanged) {
            assert_eq!(before.plan, state.plan);
            assert!(touched.is_none());
        } else {
            let found = views(question(planning), 0);
            let (view, _) = found.last().expect("the plan before goes on");
            // A call that ends early publishes nothing.
            if random.random_bool(0.7) {
                follow(&mut state, view);
            }
            check_places(&before, &state, touched);
        }
        counts[2] += improve(&mut state, &options);
    }
    counts
}

/// Checks that guards go on from where the plan before has them, but those that were changed.
fn check_places(before: &State, after: &State, change: Option<Change>) {
    let Some(Change::Patrol(changes)) = change else {
        panic!("there is a change");
    };
    let ticks = usize::try_from((after.start_us - before.start_us) / TICK).unwrap();
    for guard in &after.problem.guards {
        let is_put = changes.put_guards.iter().any(|it| it.id == guard.id);
        if !is_put && changes.positions.iter().all(|it| it.guard_id != guard.id) {
            let places = track(before, &guard.id, ticks + 1);
            check_place(&places[ticks], &track(after, &guard.id, 1)[0]);
        }
    }
}

/// Searches for better plans that begin later; returns how many were found.
fn improve(state: &mut State, options: &pb::SolveOptions) -> usize {
    let ahead = question(state.read_ahead(options, &Reading::ALONE).unwrap());
    let until_us = ahead.setting.start_us;
    let found = views(ahead, 20);
    let (first, rest) = found.split_first().expect("the plan goes on");
    for (view, cost) in rest {
        assert!(*cost < first.1);
        let before = state.clone();
        follow(state, view);
        assert_eq!(before.start_us, state.start_us);
        let ticks = usize::try_from((until_us - state.start_us) / TICK).unwrap();
        for guard in &state.problem.guards {
            let [one, two] = [&before, state].map(|it| track(it, &guard.id, ticks + 1));
            assert_eq!(one[..ticks], two[..ticks], "it goes on until then");
            check_place(&one[ticks], &two[ticks]);
        }
    }
    rest.len()
}

#[test]
fn guards_go_on_from_where_they_are() {
    let mut counts = [0; 3];
    for seed in 0..30 {
        let game = play(seed);
        counts = [0, 1, 2].map(|index| counts[index] + game[index]);
    }
    let [applied, refused, better] = counts;
    assert!(applied > 150, "{applied} updates");
    assert!(refused > 10, "{refused} refused updates");
    assert!(better > 25, "{better} better plans");
}
