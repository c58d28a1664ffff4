//! Why tasks are left out, over the wire: one infeasible problem of each kind and its remedy.

use crate::asking::ask;
use crate::command_line::{problem, run_at_with_input};
use serde_json::json;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::problems::{iterations, millis, row, window};
use stratagem_proto::v1::{
    AllocationCouplings, AllocationGroup, AllocationOrder, AllocationPair, AllocationProblem,
    AllocationTask, Explanation, SolveStatus,
};

/// Two agents at the origin, tasks at 1, 2 and 3, after a change.
fn changed(change: fn(&mut AllocationProblem)) -> AllocationProblem {
    let mut problem = row();
    change(&mut problem);
    problem
}

async fn explained(server: &Server, problem: AllocationProblem) -> Explanation {
    let answer = ask(server, problem, iterations(50, 1)).await.unwrap();
    let report = answer.report.unwrap();
    assert_eq!(report.status(), SolveStatus::Infeasible, "{report:?}");
    report.explanation.unwrap()
}

/// Codes of what is proved and of what would help, and the tasks of the last proof.
fn codes(explanation: &Explanation) -> (Vec<&str>, Vec<&str>, usize) {
    let proofs = explanation.certificates.iter().map(|one| one.code.as_str());
    let helps = explanation.relaxations.iter().flat_map(|one| &one.changes);
    let last = explanation.certificates.last();
    (
        proofs.collect(),
        helps.map(|change| change.code.as_str()).collect(),
        last.map_or(0, |last| last.subject_ids.len()),
    )
}

fn tied(couplings: AllocationCouplings) -> AllocationProblem {
    AllocationProblem {
        couplings: Some(couplings),
        ..row()
    }
}

fn pair() -> AllocationCouplings {
    AllocationCouplings {
        pairs: vec![AllocationPair {
            pickup_task_id: "near".into(),
            delivery_task_id: "far".into(),
        }],
        ..AllocationCouplings::default()
    }
}

/// A problem, the reason that is proved, one of its remedies, and the number of tasks of the last
/// proof.
type Case = (AllocationProblem, &'static str, &'static str, usize);

/// Problems with a task that nobody can do.
fn alone() -> [Case; 4] {
    let late = changed(|p| p.tasks[2].windows = vec![window(0, 2_000)]);
    let heavy = changed(|p| p.tasks[2].demands = vec![3]);
    let hard = changed(|p| p.tasks[2].required_skills = vec!["swim".into()]);
    let short = changed(|p| {
        let agents = p.agents.iter_mut();
        agents.for_each(|a| a.shift_end_offset = Some(millis(3_000)));
    });
    [
        (late, "WINDOW_MISSED", "WINDOW_LATER", 1),
        (heavy, "CAPACITY_EXCEEDED", "CAPACITY_MORE", 1),
        (hard, "SKILLS_MISSING", "SKILLS_LEARNED", 1),
        (short, "SHIFT_EXCEEDED", "SHIFT_LONGER", 1),
    ]
}

/// Problems with tasks of which nobody can do all.
fn joint_cases() -> [Case; 3] {
    let load = changed(|p| {
        p.agents.iter_mut().for_each(|a| a.capacities = vec![4]);
        p.tasks.iter_mut().for_each(|t| t.demands = vec![3]);
    });
    let at_once = changed(|p| {
        let tasks = p.tasks.iter_mut();
        tasks.for_each(|t| t.windows = vec![window(5_000, 5_500)]);
    });
    let long = changed(|p| {
        let task = |i| AllocationTask {
            id: format!("job {i}"),
            service_duration: Some(millis(12_000)),
            ..p.tasks[0].clone()
        };
        p.tasks = (0..6).map(task).collect();
        let agents = p.agents.iter_mut();
        agents.for_each(|a| a.shift_end_offset = Some(millis(35_000)));
    });
    [
        (load, "TOTAL_LOAD", "CAPACITY_MORE", 3),
        (at_once, "CLIQUE", "AGENT_ADDED", 3),
        (long, "TOTAL_TIME", "SHIFT_LONGER", 6),
    ]
}

#[tokio::test]
async fn each_kind_of_infeasibility_is_proved_and_what_helps_is_offered() {
    let server = Server::start(&[]).await;
    for (problem, code, help, tasks) in alone().into_iter().chain(joint_cases()) {
        let explanation = explained(&server, problem).await;
        let (proofs, helps, last) = codes(&explanation);
        assert_eq!(proofs, [code], "{explanation:?}");
        assert!(helps.contains(&help), "{code}: {explanation:?}");
        assert_eq!(last, tasks);
        let mut relaxations = explanation.relaxations.iter();
        assert!(relaxations.all(|one| one.objective.is_some()));
    }
}

#[tokio::test]
async fn couplings_that_make_tasks_impossible_are_proved() {
    let server = Server::start(&[]).await;
    let order = |gap_ms| AllocationOrder {
        first_task_id: "near".into(),
        second_task_id: "middle".into(),
        min_gap_duration: Some(millis(gap_ms)),
        ..AllocationOrder::default()
    };
    let group = AllocationGroup {
        task_ids: vec!["near".into(), "middle".into(), "far".into()],
    };
    let mut late = tied(pair());
    late.tasks[2].windows = vec![window(0, 3_500)];
    let mut ordered = tied(AllocationCouplings {
        orders: vec![order(10_000)],
        ..AllocationCouplings::default()
    });
    ordered.tasks[1].windows = vec![window(0, 11_000)];
    let crowd = tied(AllocationCouplings {
        groups: vec![group],
        ..AllocationCouplings::default()
    });
    let cases = [
        (late, "PAIR_TOO_LATE"),
        (ordered, "ORDER_TOO_LATE"),
        (crowd, "GROUP_AGENTS"),
    ];
    for (problem, code) in cases {
        let explanation = explained(&server, problem).await;
        let (proofs, ..) = codes(&explanation);
        assert!(proofs.contains(&code), "{code}: {explanation:?}");
        let codes = explanation
            .reasons
            .iter()
            .map(|reason| reason.code.as_str());
        assert!(codes.collect::<Vec<_>>().contains(&code), "{explanation:?}");
    }
}

#[tokio::test]
async fn the_command_shows_proofs_what_helps_and_the_bound() {
    let server = Server::start(&[]).await;
    let mut problem = problem(&[(1, 0), (3, 0)]);
    problem["tasks"][1]["windows"] = json!([{"close_offset": "2s"}]);
    let allocate = ["allocation", "plan", "-", "--iterations", "50"];
    let run = run_at_with_input(&server, &allocate, &problem.to_string());
    let text = run.stdout;
    assert!(
        text.contains("WINDOW_MISSED: no plan does task \"t1\""),
        "{text}"
    );
    assert!(
        text.contains("arrives at 3 s at the earliest, must start by 2 s"),
        "{text}"
    );
    assert!(text.contains("task \"t1\" may start 1 s later"), "{text}");
    assert!(text.contains("(by "), "{text}");
}
