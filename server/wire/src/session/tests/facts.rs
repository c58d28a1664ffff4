//! Single facts, and what they do to a problem.

use super::{SECOND, after, offset, point, problem, session};
use crate::allocation::session::State;
use crate::method::Reading;
use crate::session::{created, refused};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use stratagem_proto::v1::{self as pb, create_session_request, session_update::Change};

/// The state after changes at 10 s, or the fields and reasons of its mistakes.
fn changed(state: &State, changes: pb::AllocationChanges) -> Result<State, Vec<(String, String)>> {
    let update = pb::SessionUpdate {
        sequence: 1,
        now_offset: offset(10 * SECOND),
        change: Some(Change::Allocation(changes)),
    };
    let next = after(state, update).map(|(state, _)| state);
    next.map_err(|wrong| {
        let mistakes = refused(1, wrong).mistakes.into_iter();
        mistakes.map(|it| (it.field, it.reason)).collect()
    })
}

fn event(kind: pb::AllocationTaskEventKind, task: &str, agent: &str) -> pb::AllocationChanges {
    pb::AllocationChanges {
        events: vec![pb::AllocationTaskEvent {
            kind: kind.into(),
            task_id: task.into(),
            agent_id: agent.into(),
            at_offset: None,
        }],
        ..pb::AllocationChanges::default()
    }
}

/// Three agents with room for 10, four tasks of 3; t0 and t1 are a pair, t3 follows t2.
fn coupled() -> pb::AllocationProblem {
    let mut problem = problem(3, 4, &mut Random::seed_from_u64(1));
    for agent in &mut problem.agents {
        agent.capacities = vec![10];
    }
    for task in &mut problem.tasks {
        task.windows = Vec::new();
        task.drop_penalty = None;
        if task.id != "t1" {
            task.demands = vec![3];
        }
    }
    problem.couplings = Some(pb::AllocationCouplings {
        pairs: vec![pb::AllocationPair {
            pickup_task_id: "t0".into(),
            delivery_task_id: "t1".into(),
        }],
        orders: vec![pb::AllocationOrder {
            first_task_id: "t2".into(),
            second_task_id: "t3".into(),
            min_gap_duration: offset(5 * SECOND),
            max_gap_duration: offset(20 * SECOND),
            same_agent: true,
        }],
        ..pb::AllocationCouplings::default()
    });
    problem
}

fn whole(state: &State) -> pb::AllocationProblem {
    state.snapshot().problem.unwrap()
}

fn ids(problem: &pb::AllocationProblem) -> Vec<&str> {
    problem.tasks.iter().map(|task| &*task.id).collect()
}

#[test]
fn a_load_stays_with_its_agent_until_it_is_delivered() {
    use pb::AllocationTaskEventKind::Done;
    let state = changed(&session(coupled()), event(Done, "t0", "a1")).unwrap();
    let snapshot = state.snapshot();
    assert_eq!(ids(&whole(&state)), ["t1", "t2", "t3"]);
    assert_eq!(whole(&state).couplings.unwrap().pairs, []);
    assert_eq!(snapshot.commitments[0].demands, [3]);
    let request = state.request(&pb::SolveOptions::default());
    let planned = request.problem.unwrap();
    assert_eq!(planned.agents[1].capacities, [7]);
    assert_eq!(planned.agents[0].capacities, [10]);
    assert_eq!(planned.tasks[0].required_skills, planned.agents[1].skills);
    // The same when it is created again.
    let again = State::new(snapshot).unwrap();
    assert_eq!(
        again.request(&pb::SolveOptions::default()).problem,
        Some(planned)
    );
    let state = changed(&state, event(Done, "t1", "a1")).unwrap();
    assert_eq!(whole(&state).agents[1].capacities, [10]);
    assert_eq!(state.snapshot().commitments, []);
}

#[test]
fn a_task_in_a_precedence_is_limited_by_the_first_one() {
    use pb::AllocationTaskEventKind::Done;
    let state = changed(&session(coupled()), event(Done, "t2", "a0")).unwrap();
    let problem = whole(&state);
    let last = problem.tasks.last().unwrap();
    assert_eq!(last.windows[0].open_offset, offset(15 * SECOND));
    assert_eq!(last.windows[0].close_offset, offset(30 * SECOND));
    assert_eq!(state.snapshot().commitments[0].agent_id, "a0");
    // What is done counts for the whole route.
    assert_eq!(problem.agents[0].capacities, [7]);
    assert_eq!(problem.agents[0].start, coupled().tasks[2].place);
    assert_eq!(problem.agents[0].shift_start_offset, offset(10 * SECOND));
}

#[test]
fn a_started_task_is_open_again_when_it_fails_or_its_agent_is_gone() {
    use pb::AllocationTaskEventKind::{Done, Failed, Started};
    let begun = changed(&session(coupled()), event(Started, "t2", "a0")).unwrap();
    let problem = whole(&begun);
    assert_eq!(ids(&problem), ["t0", "t1", "t2", "t3"]);
    let previous = &problem.previous_plan.unwrap().routes[0];
    assert_eq!((&*previous.task_ids[0], previous.started_count), ("t2", 1));
    assert_eq!(problem.agents[0].shift_start_offset, offset(10 * SECOND));
    assert!(State::new(begun.snapshot()).is_ok());
    for (task, agent) in [("t3", "a0"), ("t2", "a1")] {
        let twice = changed(&begun, event(Started, task, agent)).unwrap_err();
        assert_eq!(twice[0].0, "allocation.events[0].task_id");
    }
    let failed = changed(&begun, event(Failed, "t2", "a0")).unwrap();
    assert_eq!(whole(&failed).tasks, coupled().tasks);
    assert_eq!(failed.snapshot().active_tasks, []);
    let gone = pb::AllocationChanges {
        removed_agent_ids: vec!["a0".into()],
        ..pb::AllocationChanges::default()
    };
    let lost = changed(&begun, gone.clone()).unwrap();
    assert_eq!(whole(&lost).tasks, coupled().tasks);
    assert_eq!(whole(&lost).agents.len(), 2);
    // A load is lost with its agent.
    let carried = changed(&session(coupled()), event(Done, "t0", "a0")).unwrap();
    let lost = changed(&carried, gone).unwrap();
    assert_eq!(ids(&whole(&lost)), ["t2", "t3"]);
    assert_eq!(lost.snapshot().commitments, []);
}

#[test]
fn mistakes_are_named_and_change_nothing() {
    use pb::AllocationTaskEventKind::{Done, Failed};
    let state = session(coupled());
    let changes = pb::AllocationChanges {
        removed_task_ids: vec!["x".into()],
        removed_break_ids: vec!["y".into()],
        positions: vec![pb::AllocationAgentPosition {
            agent_id: "z".into(),
            place: Some(point(1, 1)),
            free_offset: None,
        }],
        arcs: vec![pb::AllocationArc::default()],
        ..event(Done, "t9", "a0")
    };
    let wrong = changed(&state, changes).unwrap_err();
    let fields: Vec<_> = wrong.iter().map(|it| (&*it.0, &*it.1)).collect();
    assert_eq!(
        fields,
        [
            ("allocation.events[0].task_id", "UNKNOWN"),
            ("allocation.positions[0].agent_id", "UNKNOWN"),
            ("allocation.removed_task_ids[0]", "UNKNOWN"),
            ("allocation.arcs[0]", "CONTRADICTION"),
            ("allocation.removed_break_ids[0]", "UNKNOWN"),
        ]
    );
    assert!(changed(&state, event(Failed, "t2", "a0")).is_err());
    let mut late = event(Done, "t2", "a0");
    late.events[0].at_offset = offset(11 * SECOND);
    assert!(changed(&state, late).is_err());
    // Mistakes of the resulting problem have its fields.
    let pairs = pb::AllocationChanges {
        put_pairs: vec![pb::AllocationPair {
            pickup_task_id: "t0".into(),
            delivery_task_id: "t3".into(),
        }],
        ..pb::AllocationChanges::default()
    };
    let wrong = changed(&state, pairs).unwrap_err();
    assert!(
        wrong[0].0.starts_with("problem.couplings.pairs[1]"),
        "{wrong:?}"
    );
    assert!(changed(&state, pb::AllocationChanges::default()).is_ok());
}

#[test]
fn arcs_change_the_matrices() {
    use pb::allocation_travel::Kind::Matrix;
    let at = |id: &str| pb::AllocationPlace {
        at: Some(pb::allocation_place::At::LocationId(id.into())),
    };
    let mut problem = problem(1, 1, &mut Random::seed_from_u64(1));
    problem.agents[0].start = Some(at("p"));
    problem.tasks[0].place = Some(at("q"));
    problem.travel = Some(pb::AllocationTravel {
        kind: Some(Matrix(pb::AllocationMatrixTravel {
            location_ids: vec!["p".into(), "q".into()],
            durations_us: vec![0, 5, 6, 0],
            costs_micro: Vec::new(),
        })),
    });
    let state = session(problem);
    let arc = |to: &str, cost_micro| pb::AllocationChanges {
        arcs: vec![pb::AllocationArc {
            from_location_id: "p".into(),
            to_location_id: to.into(),
            duration_us: 9,
            cost_micro,
        }],
        ..pb::AllocationChanges::default()
    };
    let after = changed(&state, arc("q", None)).unwrap();
    let Some(Matrix(matrix)) = whole(&after).travel.unwrap().kind else {
        panic!("travel has matrices");
    };
    assert_eq!(matrix.durations_us, [0, 9, 6, 0]);
    let wrong = |changes| changed(&state, changes).unwrap_err().remove(0).0;
    assert_eq!(wrong(arc("r", None)), "allocation.arcs[0].to_location_id");
    assert_eq!(wrong(arc("q", Some(1))), "allocation.arcs[0].cost_micro");
}

#[test]
fn time_does_not_go_back() {
    let state = changed(&session(coupled()), pb::AllocationChanges::default()).unwrap();
    let update = pb::SessionUpdate {
        sequence: 2,
        now_offset: offset(9 * SECOND),
        change: None,
    };
    let wrong = after(&state, update);
    let wrong = refused(2, wrong.map(|_| ()).unwrap_err());
    assert_eq!(wrong.mistakes[0].field, "now_offset");
}

#[test]
fn requests_are_checked_as_a_whole() {
    let request = pb::CreateSessionRequest {
        session_id: "with space".into(),
        state: Some(create_session_request::State::Allocation(
            pb::AllocationSessionState {
                problem: Some(pb::AllocationProblem {
                    agents: vec![pb::AllocationAgent::default()],
                    ..pb::AllocationProblem::default()
                }),
                ..pb::AllocationSessionState::default()
            },
        )),
        options: Some(pb::SolveOptions {
            strategy: "none".into(),
            validate_only: true,
            ..pb::SolveOptions::default()
        }),
        expire_duration: offset(0),
        applied_sequence: -1,
    };
    let wrong = created(request, &Reading::ALONE).map(|_| ()).unwrap_err();
    let fields: Vec<_> = wrong.into_list().into_iter().map(|it| it.field).collect();
    for field in [
        "session_id",
        "options.validate_only",
        "options.strategy",
        "expire_duration",
        "applied_sequence",
        "allocation.problem.agents[0].id",
    ] {
        assert!(fields.iter().any(|it| it == field), "{field}: {fields:?}");
    }
}

#[test]
fn a_late_report_of_a_service_is_accepted() {
    use pb::AllocationTaskEventKind::{Done, Started};
    let mut problem = problem(1, 3, &mut Random::seed_from_u64(1));
    for task in &mut problem.tasks {
        task.windows = Vec::new();
    }
    let stop = |task: &str, done_us| pb::AllocationStop {
        task_id: task.into(),
        departure_offset: offset(done_us),
        ..pb::AllocationStop::default()
    };
    let times = [3 * SECOND, 6 * SECOND, 9 * SECOND];
    let stops = ["t0", "t1", "t2"].into_iter().zip(times);
    let stops = stops.map(|(task, done_us)| stop(task, done_us));
    let plan = pb::AllocationPlan {
        routes: vec![pb::AllocationRoute {
            agent_id: "a0".into(),
            stops: stops.collect(),
            ..pb::AllocationRoute::default()
        }],
        ..pb::AllocationPlan::default()
    };
    let mut begin = session(problem);
    begin.follow(&plan);
    let begun = pb::SessionUpdate {
        sequence: 1,
        now_offset: offset(2 * SECOND),
        change: Some(Change::Allocation(event(Started, "t0", "a0"))),
    };
    let begun = after(&begin, begun);
    let begun = begun.unwrap_or_else(|_| panic!("it is begun")).0;
    // By the plan t1 is done and t2 under way.
    let late = changed(&begun, pb::AllocationChanges::default()).unwrap();
    assert_eq!(ids(&whole(&late)), ["t2"]);
    assert_eq!(late.snapshot().active_tasks, []);
    let done = changed(&begun, event(Done, "t0", "a0")).unwrap();
    assert_eq!(done.snapshot().active_tasks, []);
    let done = changed(&done, event(Done, "t1", "a0")).unwrap();
    let next = changed(&done, event(Started, "t2", "a0")).unwrap();
    assert_eq!(next.snapshot().active_tasks.len(), 1);
}

#[test]
fn all_that_an_agent_has_done_counts_for_its_load() {
    use pb::AllocationTaskEventKind::Done;
    let first = changed(&session(coupled()), event(Done, "t2", "a0")).unwrap();
    let second = changed(&first, event(Done, "t3", "a0")).unwrap();
    assert_eq!(whole(&second).agents[0].capacities, [4]);
}

#[test]
fn an_agent_may_be_late_for_its_shift_and_its_breaks() {
    use pb::AllocationTaskEventKind::Done;
    let mut problem = coupled();
    problem.agents[0].shift_end_offset = offset(4 * SECOND);
    let couplings = problem.couplings.get_or_insert_default();
    let rest = |id: &str, latest| pb::AllocationBreak {
        id: id.into(),
        agent_id: "a0".into(),
        latest_offset: offset(latest),
        ..pb::AllocationBreak::default()
    };
    couplings.breaks = vec![rest("missed", 3 * SECOND), rest("ahead", 20 * SECOND)];
    let done = changed(&session(problem), event(Done, "t2", "a0")).unwrap();
    let problem = whole(&done);
    assert_eq!(problem.agents[0].shift_end_offset, offset(10 * SECOND));
    let left = problem.couplings.unwrap().breaks;
    assert_eq!(left, [rest("ahead", 20 * SECOND)]);
}

#[test]
fn a_new_problem_keeps_what_it_still_has() {
    use pb::AllocationTaskEventKind::Started;
    let begun = changed(&session(coupled()), event(Started, "t2", "a0")).unwrap();
    let replaced = |problem: &pb::AllocationProblem, now| {
        let update = pb::SessionUpdate {
            sequence: 2,
            now_offset: now,
            change: Some(Change::AllocationProblem(problem.clone())),
        };
        after(&begun, update)
    };
    let mut problem = coupled();
    problem.now_offset = offset(9 * SECOND);
    assert!(replaced(&problem, None).is_err(), "time goes back");
    let Ok((kept, _)) = replaced(&problem, offset(12 * SECOND)) else {
        panic!("the time of the update counts");
    };
    assert_eq!(kept.now_us(), 12 * SECOND);
    assert_eq!(kept.snapshot().active_tasks.len(), 1);
    problem.agents.remove(0);
    let Ok((lost, _)) = replaced(&problem, offset(12 * SECOND)) else {
        panic!("what is lost is no mistake");
    };
    assert_eq!(lost.snapshot().active_tasks, []);
}
