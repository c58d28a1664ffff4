//! Heists: what to do, why it cannot be done, and what comes of it.

mod analyzing;
mod designing;
mod hints;
mod mistakes;
mod simulating;
mod streaming;

use stratagem_integration_tests::Server;
use stratagem_integration_tests::heists::{burglar, errand, plan, row, surprise, watched};
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::iterations;
use stratagem_proto::v1::{
    AnyPlan, AnyProblem, GetExampleRequest, GetServerInfoRequest, HeistCurrent, HeistOutcomeKind,
    HeistPlan, HeistProblem, HeistStep, HeistVerb, PlanBurglarRequest, PlanBurglarResponse,
    SolveReport, SolveStatus, StopReason, VerifyPlanRequest, VerifyPlanResponse,
    any_plan as of_plan, any_problem,
};

/// More iterations than any search here needs.
const MANY: i64 = 1_000_000;

async fn ask(server: &Server, request: PlanBurglarRequest) -> PlanBurglarResponse {
    let mut client = server.heist().await;
    let call = client.plan_burglar(request);
    wait_for("a plan", call).await.unwrap().into_inner()
}

async fn verify(server: &Server, problem: &HeistProblem, plan: &HeistPlan) -> VerifyPlanResponse {
    let request = VerifyPlanRequest {
        problem: Some(AnyProblem {
            kind: Some(any_problem::Kind::Heist(problem.clone())),
        }),
        plan: Some(AnyPlan {
            kind: Some(of_plan::Kind::Heist(plan.clone())),
        }),
    };
    let mut client = server.planning().await;
    let answer = wait_for("a verdict", client.verify_plan(request)).await;
    answer.unwrap().into_inner()
}

async fn example(server: &Server, name: &str) -> HeistProblem {
    let request = GetExampleRequest { name: name.into() };
    let example = server.about().await.get_example(request).await.unwrap();
    match example.into_inner().problem.unwrap().kind.unwrap() {
        any_problem::Kind::Heist(problem) => problem,
        other => panic!("{name} is of another planner: {other:?}"),
    }
}

fn report(answer: &PlanBurglarResponse) -> &SolveReport {
    answer.report.as_ref().expect("reports are always there")
}

fn steps(answer: &PlanBurglarResponse) -> &[HeistStep] {
    &answer.plan.as_ref().expect("there is a plan").steps
}

fn step(verb: HeistVerb, target: &str) -> HeistStep {
    HeistStep {
        verb: verb.into(),
        target_id: target.into(),
        ..Default::default()
    }
}

/// Codes of reasons with what they are about.
fn reasons(answer: &PlanBurglarResponse) -> Vec<(&str, &str, &str)> {
    let explanation = report(answer).explanation.as_ref().expect("why");
    let reasons = explanation.reasons.iter();
    reasons
        .inspect(|reason| assert!(reason.proved && !reason.message.is_empty()))
        .map(|reason| (&*reason.code, &*reason.subject_id, &*reason.blocker_id))
        .collect()
}

#[tokio::test]
async fn a_plan_is_the_shortest_and_proved() {
    use HeistVerb::{Approach, Enter, Open, PickUp};
    let server = Server::start(&[]).await;
    let problem = errand(row(2));
    let answer = ask(&server, plan(problem.clone(), iterations(MANY, 0))).await;
    let wanted = [
        step(Approach, "d1"),
        step(Open, "d1"),
        step(Enter, "d1"),
        step(Approach, "altar"),
        step(PickUp, "idol"),
        step(Approach, "d1"),
        step(Enter, "d1"),
    ];
    assert_eq!(steps(&answer), wanted);
    let report = report(&answer);
    assert_eq!(report.status(), SolveStatus::Optimal, "{report:?}");
    assert_eq!(report.stop_reason(), StopReason::Proved);
    let objective = report.objective.as_ref().unwrap();
    assert_eq!(objective.levels, [7.0]);
    assert_eq!(objective.terms[0].name, "actions");
    assert_eq!(report.bound.as_ref().unwrap().levels, [7.0]);
    assert_eq!((report.gap, report.explanation.as_ref()), (Some(0.0), None));
    assert_eq!(answer.unavoidable_room_ids, ["r0", "r1"]);
    let outcome = answer.outcome.as_ref().expect("what comes of it");
    assert_eq!(outcome.kind(), HeistOutcomeKind::Holds);
    let plan = answer.plan.as_ref().unwrap();
    let verdict = verify(&server, &problem, plan).await;
    assert!(verdict.valid, "{verdict:?}");
    assert_eq!(verdict.objective.as_ref(), Some(objective));
}

#[tokio::test]
async fn what_is_not_as_he_believes_is_told() {
    let server = Server::start(&[]).await;
    let outcome = async |world| {
        let answer = ask(&server, plan(errand(world), iterations(MANY, 0))).await;
        let outcome = answer.outcome.clone().expect("what comes of it");
        let at = outcome.step.map(|at| steps(&answer)[at as usize].clone());
        (outcome.kind(), at, outcome.by_id)
    };
    let fails = (
        HeistOutcomeKind::Fails,
        Some(step(HeistVerb::Open, "d2")),
        "d2".to_owned(),
    );
    assert_eq!(outcome(surprise(3)).await, fails);
    let caught = (
        HeistOutcomeKind::Caught,
        Some(step(HeistVerb::Enter, "d1")),
        "eye".to_owned(),
    );
    assert_eq!(outcome(watched(3, 1, false)).await, caught);
}

#[tokio::test]
async fn what_cannot_be_done_is_infeasible_and_why() {
    let server = Server::start(&[]).await;
    let problem = errand(watched(3, 1, true));
    let answer = ask(&server, plan(problem, iterations(MANY, 0))).await;
    assert_eq!(report(&answer).status(), SolveStatus::Infeasible);
    assert_eq!(report(&answer).stop_reason(), StopReason::Proved);
    assert!(answer.plan.is_none() && answer.outcome.is_none());
    let wanted = [
        ("ITEM_OUT_OF_REACH", "idol", "altar"),
        ("TRAP_IN_THE_WAY", "r1", "eye"),
    ];
    assert_eq!(reasons(&answer), wanted);
    let problem = example(&server, "heist/locked").await;
    let answer = ask(&server, plan(problem, iterations(MANY, 0))).await;
    let wanted = [
        ("ITEM_OUT_OF_REACH", "crown", "crown_case"),
        ("TRAP_IN_THE_WAY", "portraits", "portrait_eye"),
        ("KEY_LACKING", "crown_key", "watchman"),
        ("KEY_LACKING", "spare_key", "key_board"),
        ("LOCK_IN_THE_WAY", "crown_case", ""),
    ];
    assert_eq!(reasons(&answer), wanted);
}

#[tokio::test]
async fn a_plan_goes_on_from_where_he_is() {
    let server = Server::start(&[]).await;
    let whole = ask(&server, plan(errand(row(4)), iterations(MANY, 0))).await;
    let mut problem = errand(row(4));
    problem.current = Some(HeistCurrent {
        room_id: "r3".into(),
        at_id: "altar".into(),
        item_ids: vec!["idol".into()],
        ..Default::default()
    });
    let request = PlanBurglarRequest {
        previous_plan: whole.plan.clone(),
        ..plan(problem, iterations(MANY, 0))
    };
    let rest = ask(&server, request).await;
    let count = steps(&rest).len();
    // The doors behind the burglar are closed in the current world, and have to be opened again.
    assert_eq!(count, 9, "{:?}", steps(&rest));
    let mut problem = errand(row(4));
    let states = ["d1", "d2", "d3"].map(|id| stratagem_proto::v1::HeistState {
        id: id.into(),
        ..Default::default()
    });
    problem.current = Some(HeistCurrent {
        room_id: "r3".into(),
        at_id: "altar".into(),
        item_ids: vec!["idol".into()],
        states: states.into(),
        ..Default::default()
    });
    let rest = ask(&server, plan(problem, iterations(MANY, 0))).await;
    let back = &steps(&whole)[steps(&whole).len() - 6..];
    assert_eq!(steps(&rest), back, "they are known to be open");
}

#[tokio::test]
async fn plans_that_break_rules_are_told_in_the_callers_words() {
    let server = Server::start(&[]).await;
    let problem = errand(watched(3, 1, true));
    let verdict = async |steps: Vec<HeistStep>| {
        let verdict = verify(&server, &problem, &HeistPlan { steps }).await;
        assert!(!verdict.valid);
        let violations = verdict.violations.into_iter();
        violations
            .map(|it| (it.code, it.field, it.message))
            .collect::<Vec<_>>()
    };
    let steps = vec![
        step(HeistVerb::Approach, "d1"),
        step(HeistVerb::Enter, "d1"),
    ];
    let found = verdict(steps.clone()).await;
    let [(code, field, message)] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!((&**code, &**field), ("IS_CLOSED", "steps[1]"));
    assert!(message.contains("\"d1\""), "{message}");
    let mut steps = steps;
    steps.insert(1, step(HeistVerb::Open, "d1"));
    let codes = verdict(steps).await;
    let codes: Vec<_> = codes.iter().map(|it| (&*it.0, &*it.1)).collect();
    let wanted = [
        ("TRAP_ENTERED", "steps[2]"),
        ("ITEM_MISSING", ""),
        ("ENDS_ELSEWHERE", ""),
    ];
    assert_eq!(codes, wanted);
}

#[tokio::test]
async fn other_ways_and_guards_can_be_asked_for() {
    let server = Server::start(&[]).await;
    let mut world = row(2);
    // A second way, with a room more.
    let mut room = world.rooms[0].clone();
    room.id = "detour".into();
    world.rooms.push(room);
    for (id, a, b) in [("d8", "r0", "detour"), ("d9", "detour", "r2")] {
        let mut door = world.doors[0].clone();
        (door.id, door.a_room_id, door.b_room_id) = (id.into(), a.into(), b.into());
        world.doors.push(door);
    }
    let mut room = world.rooms[0].clone();
    room.id = "r2".into();
    world.rooms.push(room);
    world.containers[0].room_id = "r2".into();
    let mut door = world.doors[0].clone();
    (door.id, door.a_room_id, door.b_room_id) = ("d2".into(), "r1".into(), "r2".into());
    world.doors.push(door);
    let request = PlanBurglarRequest {
        max_alternatives: 3,
        ..plan(errand(world), iterations(MANY, 0))
    };
    let answer = ask(&server, request).await;
    let [other] = &answer.alternatives[..] else {
        panic!("one room is avoidable: {answer:?}");
    };
    assert!(["r1", "detour"].contains(&&*other.without_room_id));
    assert_eq!(
        other.plan.as_ref().unwrap().steps.len(),
        steps(&answer).len()
    );
    let mut problem = errand(surprise(3));
    let world = problem.world.as_mut().unwrap();
    let mut guard = burglar(world).clone();
    guard.id = "tom".into();
    guard.belief = None;
    guard.goal = Some(stratagem_proto::v1::HeistGoal {
        visit_room_ids: vec!["r2".into()],
        ..Default::default()
    });
    world.guards = vec![guard];
    problem.agent_id = "tom".into();
    let answer = ask(&server, plan(problem, iterations(MANY, 0))).await;
    let unlocks = steps(&answer)
        .iter()
        .any(|it| it.verb() == HeistVerb::Unlock && it.key_id == "key");
    assert!(unlocks, "guards know what is locked: {answer:?}");
}

#[tokio::test]
async fn the_examples_can_be_done_or_not_as_they_say() {
    let server = Server::start(&[]).await;
    let museum = example(&server, "heist/opal").await;
    let answer = ask(&server, plan(museum.clone(), iterations(MANY, 0))).await;
    assert_eq!(report(&answer).status(), SolveStatus::Optimal);
    let outcome = answer.outcome.as_ref().unwrap();
    assert_eq!(
        (outcome.kind(), &*outcome.by_id),
        (HeistOutcomeKind::Fails, "archive_door")
    );
    assert!(
        verify(&server, &museum, answer.plan.as_ref().unwrap())
            .await
            .valid
    );
    let maze = example(&server, "heist/maze").await;
    let answer = ask(&server, plan(maze.clone(), iterations(MANY, 0))).await;
    assert_eq!(report(&answer).status(), SolveStatus::Optimal);
    let outcome = answer.outcome.as_ref().unwrap();
    assert_eq!(outcome.kind(), HeistOutcomeKind::Holds);
    let keys = steps(&answer)
        .iter()
        .filter(|it| it.verb() == HeistVerb::Unlock);
    assert!(keys.count() >= 3, "keys behind keys");
}

#[tokio::test]
async fn the_server_tells_its_heist_methods_and_their_limits() {
    let server = Server::start(&[]).await;
    let mut about = server.about().await;
    let info = about.get_server_info(GetServerInfoRequest {}).await;
    let info = info.unwrap().into_inner();
    let methods = info.methods.iter().filter(|m| m.planner == "heist");
    let methods: Vec<_> = methods.collect();
    assert_eq!(methods.len(), 5);
    for method in methods {
        let limit = |name: &str| method.limits.iter().find(|limit| limit.name == name);
        assert_eq!(limit("rooms").map(|limit| limit.max_value), Some(2_000));
        assert_eq!(
            limit("keys_and_artifacts").map(|limit| limit.max_value),
            Some(64)
        );
        assert_eq!(method.strategies[0].name, "auto");
    }
}
