//! Questions about temporal networks: verdicts with their proofs.

mod extremes;
mod running;
mod words;

use stratagem_integration_tests::Server;
use stratagem_integration_tests::networks::{levels, link, ride, strong, turns};
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::{iterations, millis};
use stratagem_proto::v1::{
    AnyPlan, AnyProblem, CheckControllabilityRequest, CheckControllabilityResponse,
    CheckStrongControllabilityRequest, CheckStrongControllabilityResponse, GetExampleRequest,
    SolveOptions, SolveStatus, StopReason, TemporalControllabilityLevel as Level, TemporalDetail,
    TemporalNetwork, TemporalSchedule, TemporalVerdict as Verdict, VerifyPlanRequest,
    VerifyPlanResponse, any_plan, any_problem,
};

async fn ask(
    server: &Server,
    request: CheckStrongControllabilityRequest,
) -> CheckStrongControllabilityResponse {
    let mut client = server.temporal().await;
    let answer = wait_for("an answer", client.check_strong_controllability(request)).await;
    answer.unwrap().into_inner()
}

async fn ask_levels(
    server: &Server,
    request: CheckControllabilityRequest,
) -> CheckControllabilityResponse {
    let mut client = server.temporal().await;
    let answer = wait_for("an answer", client.check_controllability(request)).await;
    answer.unwrap().into_inner()
}

async fn verify(
    server: &Server,
    network: &TemporalNetwork,
    schedule: &TemporalSchedule,
) -> VerifyPlanResponse {
    let request = VerifyPlanRequest {
        problem: Some(AnyProblem {
            kind: Some(any_problem::Kind::Temporal(network.clone())),
        }),
        plan: Some(AnyPlan {
            kind: Some(any_plan::Kind::Temporal(schedule.clone())),
        }),
    };
    let mut client = server.planning().await;
    let answer = wait_for("a verdict", client.verify_plan(request)).await;
    answer.unwrap().into_inner()
}

#[tokio::test]
async fn what_holds_comes_with_times_that_pass_the_services_own_check() {
    let server = Server::start(&[]).await;
    let network = turns(4, 6_000);
    for strategy in ["auto", "tropical", "search"] {
        let options = SolveOptions {
            strategy: strategy.into(),
            ..iterations(1_000_000, 0)
        };
        let answer = ask(&server, strong(network.clone(), options)).await;
        let (finding, report) = (&answer, answer.report.as_ref().unwrap());
        assert_eq!(finding.verdict(), Verdict::Holds, "{strategy}: {answer:?}");
        assert_eq!(report.status(), SolveStatus::Optimal);
        assert_eq!(report.stop_reason(), StopReason::Proved);
        assert_eq!(
            (report.strategy.as_str(), report.objective.as_ref()),
            (strategy, None)
        );
        assert!(finding.verified && finding.robustness.is_some());
        assert!(finding.conflict.is_none() && finding.relaxations.is_empty());
        let schedule = finding.plan.as_ref().unwrap();
        // Each of ours waits for the slowest teammate: 3 + 2 s.
        let times: Vec<i64> = schedule
            .events
            .iter()
            .map(|e| e.time_offset.unwrap().seconds)
            .collect();
        assert_eq!(times, [0, 5, 10, 15]);
        let ranges: Vec<_> = schedule
            .ranges
            .iter()
            .map(|r| r.event_id.as_str())
            .collect();
        assert_eq!(ranges, ["theirs 0", "theirs 1", "theirs 2", "theirs 3"]);
        assert!(verify(&server, &network, schedule).await.valid);
        let mut early = schedule.clone();
        early.events[1].time_offset = Some(millis(4_000));
        let verdict = verify(&server, &network, &early).await;
        assert!(!verdict.valid);
        assert_eq!(verdict.violations[0].field, "events[1]", "{verdict:?}");
        assert_eq!(verdict.violations[0].code, "TOO_EARLY");
    }
}

#[tokio::test]
async fn what_fails_comes_with_a_reason_and_changes_that_help() {
    let server = Server::start(&[]).await;
    let network = turns(2, 3_500);
    let answer = ask(&server, strong(network.clone(), iterations(1_000_000, 0))).await;
    let (finding, report) = (&answer, answer.report.as_ref().unwrap());
    assert_eq!(finding.verdict(), Verdict::Fails, "{answer:?}");
    assert_eq!(report.status(), SolveStatus::Infeasible);
    assert_eq!(report.stop_reason(), StopReason::Proved);
    assert!(report.reproducible && !finding.verified);
    let conflict = finding.conflict.as_ref().unwrap();
    assert!(
        conflict.minimal && !conflict.members.is_empty(),
        "{conflict:?}"
    );
    let links: Vec<&String> = conflict.members.iter().flat_map(|m| &m.link_ids).collect();
    assert!(
        links.iter().any(|id| *id == "theirs 0->ours 1"),
        "{links:?}"
    );
    for member in &conflict.members {
        assert!(member.message.contains(" s "), "{member:?}");
    }
    assert!(!finding.relaxations.is_empty());
    for relaxation in &finding.relaxations {
        let mut relaxed = network.clone();
        for change in &relaxation.changes {
            let named = |link: &&mut stratagem_proto::v1::TemporalRequirementLink| {
                let id = format!("{}->{}", link.from_event_id, link.to_event_id);
                id == change.link_id
            };
            let link = relaxed.links.iter_mut().find(named).unwrap();
            let side = match change.side() {
                stratagem_proto::v1::TemporalBoundSide::Lower => &mut link.lower,
                _ => &mut link.upper,
            };
            assert_eq!(*side, change.old_bound);
            *side = change.new_bound;
        }
        let answer = ask(&server, strong(relaxed, iterations(1_000_000, 0))).await;
        let verdict = answer.verdict();
        assert_eq!(verdict, Verdict::Holds, "{relaxation:?}");
    }
}

#[tokio::test]
async fn candidates_are_told_with_whether_they_passed() {
    let server = Server::start(&[]).await;
    for (patience_ms, verdict) in [(6_000, Verdict::Holds), (3_500, Verdict::Unknown)] {
        let options = SolveOptions {
            strategy: "early".into(),
            ..iterations(1_000_000, 0)
        };
        let answer = ask(&server, strong(turns(1, patience_ms), options.clone())).await;
        assert_eq!(answer.verdict(), Verdict::Holds, "nothing can go wrong");
        let answer = ask(&server, strong(turns(3, patience_ms), options)).await;
        let finding = &answer;
        // As early as can be is too early for a slow teammate.
        assert_eq!(
            (finding.verdict(), finding.verified),
            (Verdict::Unknown, false),
            "{verdict:?}"
        );
        let report = answer.report.as_ref().unwrap();
        assert_eq!(report.status(), SolveStatus::Unknown);
        assert_eq!(report.stop_reason(), StopReason::Exhausted);
        assert!(finding.plan.is_some());
    }
}

#[tokio::test]
async fn simulations_say_how_sure_they_are() {
    let server = Server::start(&[]).await;
    let request = CheckStrongControllabilityRequest {
        detail: Some(TemporalDetail {
            simulation_runs: 200,
            ..Default::default()
        }),
        ..strong(turns(3, 6_000), iterations(1_000_000, 7))
    };
    let answer = ask(&server, request).await;
    let simulations = &answer.simulations;
    let models: Vec<_> = simulations.iter().map(|s| s.model.as_str()).collect();
    assert_eq!(models, ["random", "early"]);
    for one in simulations {
        // What is proved to hold holds in every run.
        assert_eq!((one.runs, one.successes), (200, 200));
        assert!(one.rate_lower > 0.98 && one.rate_upper == 1.0, "{one:?}");
    }
}

#[tokio::test]
async fn levels_are_answered_in_the_order_asked() {
    let server = Server::start(&[]).await;
    let verdicts = |answer: &CheckControllabilityResponse| -> Vec<(Level, Verdict)> {
        answer
            .findings
            .iter()
            .map(|f| (f.level(), f.verdict()))
            .collect()
    };
    let answer = ask_levels(&server, levels(ride(), iterations(1_000_000, 0))).await;
    let wanted = [
        (Level::Consistent, Verdict::Holds),
        (Level::Weak, Verdict::Holds),
        (Level::Dynamic, Verdict::Holds),
        (Level::Strong, Verdict::Fails),
    ];
    assert_eq!(verdicts(&answer), wanted, "{answer:?}");
    let report = answer.report.unwrap();
    assert_eq!(report.status(), SolveStatus::Infeasible);
    assert_eq!(report.stop_reason(), StopReason::Proved);
    assert!(answer.findings[2].dispatch.is_some());
    let conflict = answer.findings[3].conflict.as_ref().unwrap();
    assert!(!conflict.members.is_empty());
    let request = CheckControllabilityRequest {
        levels: vec![Level::Dynamic.into(), Level::Consistent.into()],
        ..levels(ride(), iterations(1_000_000, 0))
    };
    let answer = ask_levels(&server, request).await;
    assert_eq!(verdicts(&answer), [wanted[2], wanted[0]]);
    assert_eq!(answer.report.unwrap().status(), SolveStatus::Optimal);
    let answer = ask_levels(&server, levels(turns(2, 6_000), iterations(1_000_000, 0))).await;
    assert_eq!(
        verdicts(&answer),
        [wanted[0], (Level::Strong, Verdict::Holds)]
    );
}

#[tokio::test]
async fn the_examples_are_as_their_descriptions_say() {
    use Verdict::{Fails, Holds};
    let server = Server::start(&[]).await;
    for (name, wanted) in [
        ("temporal/ambush", [Holds, Fails].as_slice()),
        ("temporal/delivery", &[Holds, Holds, Holds, Fails]),
        ("temporal/heist", &[Holds, Holds]),
    ] {
        let request = GetExampleRequest { name: name.into() };
        let example = server.about().await.get_example(request).await.unwrap();
        let kind = example.into_inner().problem.unwrap().kind.unwrap();
        let any_problem::Kind::Temporal(network) = kind else {
            panic!("{name} is of another planner");
        };
        let answer = ask_levels(&server, levels(network, iterations(1_000_000, 0))).await;
        let verdicts: Vec<_> = answer.findings.iter().map(|f| f.verdict()).collect();
        assert_eq!(verdicts, wanted, "{name}");
    }
}

#[tokio::test]
async fn a_network_that_contradicts_itself_fails_with_the_circle() {
    let server = Server::start(&[]).await;
    let mut network = ride();
    // Resting ends before arriving, but begins after it.
    network.links.push(link("leave", "rest", 0, 5_000));
    let answer = ask_levels(&server, levels(network, iterations(1_000_000, 0))).await;
    assert_eq!(answer.findings[0].verdict(), Verdict::Fails, "{answer:?}");
    let conflict = answer.findings[0].conflict.as_ref().unwrap();
    let links: Vec<&String> = conflict.members.iter().flat_map(|m| &m.link_ids).collect();
    assert!(links.iter().any(|id| *id == "leave->rest"), "{conflict:?}");
}
