//! The largest problems that the documentation allows are taken under the default limits.

use crate::asking::ask;
use prost::Message as _;
use prost_types::Duration;
use stratagem_integration_tests::Server;
use stratagem_proto::v1::{
    AllocationAgent, AllocationBreak, AllocationCouplings, AllocationMatrixTravel, AllocationOrder,
    AllocationPlace, AllocationPoint, AllocationPreference, AllocationPreviousPlan,
    AllocationPreviousRoute, AllocationProblem, AllocationTask, AllocationTravel, AllocationWindow,
    SolveOptions, allocation_place::At, allocation_travel,
};

const LOCATIONS: usize = 1_400;
const AGENTS: usize = 200;
const TASKS: usize = 1_000;
/// Ten years.
const TEN_YEARS_US: i64 = 315_360_000_000_000;

/// An id of 100 letters.
fn id(kind: &str, index: usize) -> String {
    format!("{kind:x<90}{index:010}")
}

fn micros(us: i64) -> Option<Duration> {
    Some(Duration {
        seconds: us / 1_000_000,
        nanos: (us % 1_000_000) as i32 * 1_000,
    })
}

fn place(index: usize) -> Option<AllocationPlace> {
    Some(AllocationPlace {
        at: Some(At::LocationId(id("location", index % LOCATIONS))),
    })
}

fn skills() -> Vec<String> {
    (0..64).map(|index| id("skill", index)).collect()
}

fn agent(index: usize) -> AllocationAgent {
    AllocationAgent {
        id: id("agent", index),
        start: place(index),
        end: place(index),
        shift_start_offset: micros(TEN_YEARS_US - 1),
        shift_end_offset: micros(TEN_YEARS_US - 1),
        capacities: vec![1_000_000_000; 8],
        skills: skills(),
        speed: Some(999.999_999),
    }
}

fn task(index: usize) -> AllocationTask {
    let window = |number: i64| AllocationWindow {
        open_offset: micros(TEN_YEARS_US - 1_000_000_000 * (17 - number) + 1),
        close_offset: micros(TEN_YEARS_US - 1_000_000_000 * (17 - number) + 999_999),
    };
    AllocationTask {
        id: id("task", index),
        place: place(index),
        service_duration: micros(TEN_YEARS_US - 1),
        windows: (0..16).map(window).collect(),
        demands: vec![1_000_000_000; 8],
        required_skills: skills(),
        drop_penalty: Some(999_999_999.0),
        max_lateness_duration: micros(TEN_YEARS_US - 1),
    }
}

fn couplings() -> AllocationCouplings {
    let order = |(first, second)| AllocationOrder {
        first_task_id: id("task", first),
        second_task_id: id("task", second),
        min_gap_duration: micros(TEN_YEARS_US - 1),
        max_gap_duration: micros(TEN_YEARS_US - 1),
        same_agent: true,
    };
    let near = (1..TASKS).map(|task| (task - 1, task));
    let far = (2..TASKS).map(|task| (task - 2, task));
    let rest = |index: usize| AllocationBreak {
        id: id("break", index),
        agent_id: id("agent", index / 2),
        length_duration: micros(1_000_001),
        earliest_offset: micros(TEN_YEARS_US - 2),
        latest_offset: micros(TEN_YEARS_US - 1),
    };
    let wish = |task| AllocationPreference {
        task_id: id("task", task),
        from_offset: micros(TEN_YEARS_US - 1),
        until_offset: micros(TEN_YEARS_US - 1),
        early_cost: 0.000_001,
        late_cost: 0.000_001,
    };
    AllocationCouplings {
        orders: near.chain(far).map(order).collect(),
        breaks: (0..2 * AGENTS).map(rest).collect(),
        preferences: (0..TASKS).map(wish).collect(),
        ..AllocationCouplings::default()
    }
}

/// Every list as long as it may be, every id and number as large. No way takes more bytes than
/// one that is not there.
fn largest() -> AllocationProblem {
    let (count, ways) = (LOCATIONS, LOCATIONS * LOCATIONS);
    let route = |agent: usize| AllocationPreviousRoute {
        agent_id: id("agent", agent),
        task_ids: (agent..TASKS)
            .step_by(AGENTS)
            .map(|task| id("task", task))
            .collect(),
        started_count: 0,
    };
    AllocationProblem {
        title: "t".repeat(200),
        description: "d".repeat(4_000),
        agents: (0..AGENTS).map(agent).collect(),
        tasks: (0..TASKS).map(task).collect(),
        travel: Some(AllocationTravel {
            kind: Some(allocation_travel::Kind::Matrix(AllocationMatrixTravel {
                location_ids: (0..count).map(|index| id("location", index)).collect(),
                durations_us: vec![-1; ways],
                costs_micro: vec![1_000_000_000_000_000; ways],
            })),
        }),
        // When all shifts start, so that it changes nothing.
        now_offset: micros(TEN_YEARS_US - 1),
        objective: None,
        previous_plan: Some(AllocationPreviousPlan {
            routes: (0..AGENTS).map(route).collect(),
            max_changes: Some(1_000),
        }),
        couplings: Some(couplings()),
    }
}

/// As many tasks and agents as there may be, with nearly 200,000 elements of lists together.
fn most_tasks() -> AllocationProblem {
    let point = |index: usize| {
        let (x, y) = ((index % 100) as f64, (index / 100) as f64);
        Some(AllocationPlace {
            at: Some(At::Point(AllocationPoint { x, y })),
        })
    };
    let many_agent = |index| AllocationAgent {
        start: point(0),
        end: point(0),
        skills: vec![id("skill", 0)],
        ..agent(index)
    };
    let many_task = |index| AllocationTask {
        place: point(index),
        required_skills: vec![id("skill", 0)],
        // What is left undone adds up to less than 2^62 millionths.
        drop_penalty: Some(99_999_999.999_999),
        ..task(index)
    };
    AllocationProblem {
        agents: (0..1_000).map(many_agent).collect(),
        tasks: (0..10_000).map(many_task).collect(),
        ..AllocationProblem::default()
    }
}

#[tokio::test]
async fn the_largest_allocation_problems_are_taken_under_the_default_limits() {
    let problem = largest();
    let bytes = problem.encoded_len();
    assert!((42 << 20..47 << 20).contains(&bytes), "{bytes} bytes");
    check_taken(problem).await;
    check_taken(most_tasks()).await;
}

async fn check_taken(problem: AllocationProblem) {
    let server = Server::start(&[]).await;
    let options = SolveOptions {
        validate_only: true,
        ..SolveOptions::default()
    };
    let answer = ask(&server, problem, options).await;
    let report = answer.unwrap().report.expect("reports are always there");
    assert_eq!(report.stop_reason().as_str_name(), "STOP_REASON_VALIDATED");
}
