//! What the service costs on top of the search, measured from outside on loopback.
//!
//! `cargo bench -p stratagem-integration-tests --bench service`. Prints tables for
//! benches/results/service.md. Settings:
//!
//! * `STRATAGEM_COUNT`: calls for each figure. Default: 200.
//! * `STRATAGEM_PARTS`: some of `overhead,temporal,overshoot,cancel,memory` (default: all).

use std::time::{Duration, Instant};
use stratagem_integration_tests::figures::{Sample, is_wanted, machine, setting};
use stratagem_integration_tests::networks::{levels, rides, strong, turns};
use stratagem_integration_tests::problems::{allocate, budget, iterations, scattered};
use stratagem_integration_tests::{Process, Server, patience::eventually, server::WITHOUT_CACHE};
use stratagem_proto::v1::temporal_service_client::TemporalServiceClient;
use stratagem_proto::v1::{
    CheckControllabilityRequest, CheckStrongControllabilityRequest, GetServerInfoRequest,
    SolveReport, SolveStatus, StopReason, TemporalControllabilityLevel, TemporalDetail,
};

#[tokio::main]
async fn main() {
    if !is_wanted() {
        return;
    }
    println!("Measured on {}.\n", machine());
    let count = setting("STRATAGEM_COUNT", 200_usize).max(1);
    let parts = setting(
        "STRATAGEM_PARTS",
        String::from("overhead,temporal,overshoot,cancel,memory"),
    );
    if parts.contains("overhead") {
        overhead(count).await;
    }
    if parts.contains("temporal") {
        temporal(count).await;
    }
    if parts.contains("overshoot") {
        overshoot(count).await;
    }
    if parts.contains("cancel") {
        cancel(count).await;
    }
    if parts.contains("memory") {
        memory().await;
    }
}

fn solve_time(report: &SolveReport) -> Duration {
    let timings = report.timings.as_ref().expect("reports have timings");
    let solve = timings.solve_duration.expect("something was searched");
    solve.try_into().expect("times are positive")
}

/// Bar: round trip minus search at most 0.5 ms in the median, for 20 tasks.
async fn overhead(count: usize) {
    let server = Process::start(WITHOUT_CACHE).await;
    let mut client = server.allocation().await;
    let (mut trips, mut overheads) = (Vec::new(), Vec::new());
    // The first calls warm up the connection and the caches of the processor.
    for i in 0..count + 20 {
        let request = allocate(scattered(1, 3, 20), iterations(200, i as i64));
        let begin = Instant::now();
        let answer = client.allocate_tasks(request).await.expect("an answer");
        let trip = begin.elapsed();
        let report = answer.into_inner().report.expect("a report");
        assert!(!report.shared, "every call is searched");
        if i >= 20 {
            trips.push(trip);
            overheads.push(trip.saturating_sub(solve_time(&report)));
        }
    }
    let mut empty = Vec::new();
    let mut info = server.about().await;
    for _ in 0..count {
        let begin = Instant::now();
        let answer = info.get_server_info(GetServerInfoRequest {}).await;
        empty.push(begin.elapsed());
        answer.expect("an answer");
    }
    println!("### Overhead\n");
    println!(
        "20 tasks, 3 agents, 200 iterations, {count} calls one after the other, in milliseconds.\n"
    );
    println!("| | median | p99 | max |\n|---|---|---|---|");
    println!("| round trip | {} |", Sample::new(trips).cells());
    println!(
        "| round trip minus search | {} |",
        Sample::new(overheads).cells()
    );
    println!(
        "| round trip of GetServerInfo, which does nothing | {} |\n",
        Sample::new(empty).cells()
    );
}

/// Bar: round trip at most 2 ms in the 99th percentile, for networks of 20 events.
async fn temporal(count: usize) {
    let server = Process::start(WITHOUT_CACHE).await;
    println!("### Questions about networks of 20 events\n");
    println!(
        "{count} calls one after the other, in milliseconds. Before each of them, GetServerInfo, which \
         does nothing: what the machine and the connection cost at that moment.\n"
    );
    println!(
        "| round trip | median | p99 | max | nothing: median | p99 | max |\n|---|---|---|---|---|---|---|"
    );
    for (verdict, patience_ms) in [("holds", 6_000), ("fails", 3_500)] {
        for (detail, what) in [(None, "default detail"), (Some(ALONE), "verdict alone")] {
            let client = TemporalServiceClient::new(server.channel().await);
            let trips = trips(&server, count, async |i| {
                let request = CheckStrongControllabilityRequest {
                    detail,
                    ..strong(turns(10, patience_ms), iterations(1_000_000, i))
                };
                let answer = client.clone().check_strong_controllability(request).await;
                answer.expect("an answer").into_inner().report
            });
            let cells = trips.await;
            println!("| CheckStrongControllability, {verdict}, {what} | {cells} |");
        }
    }
    for (detail, what) in [(None, "default detail"), (Some(ALONE), "verdict alone")] {
        let client = TemporalServiceClient::new(server.channel().await);
        let trips = trips(&server, count, async |i| {
            let request = CheckControllabilityRequest {
                detail,
                levels: vec![TemporalControllabilityLevel::Dynamic.into()],
                ..levels(rides(10), iterations(1_000_000, i))
            };
            let answer = client.clone().check_controllability(request).await;
            answer.expect("an answer").into_inner().report
        });
        let cells = trips.await;
        println!("| CheckControllability, dynamic, holds, {what} | {cells} |");
    }
    println!();
}

/// Nothing beside the verdict and its times.
const ALONE: TemporalDetail = TemporalDetail {
    with_conflict: Some(false),
    max_relaxations: Some(0),
    with_robustness: Some(false),
    simulation_runs: 0,
};

/// Times of calls that end with a proof, and of calls that do nothing in between. The first 20,
/// which warm up the connections and the caches of the processor, do not count.
async fn trips(
    server: &Server,
    count: usize,
    mut ask: impl AsyncFnMut(i64) -> Option<SolveReport>,
) -> String {
    let mut about = server.about().await;
    let (mut trips, mut nothing) = (Vec::new(), Vec::new());
    for i in 0..count + 20 {
        let begin = Instant::now();
        let info = about.get_server_info(GetServerInfoRequest {}).await;
        let idle = begin.elapsed();
        info.expect("an answer");
        let begin = Instant::now();
        let report = ask(i as i64).await.expect("a report");
        let trip = begin.elapsed();
        assert_eq!(report.stop_reason(), StopReason::Proved);
        if i >= 20 {
            trips.push(trip);
            nothing.push(idle);
        }
    }
    let (trips, nothing) = (Sample::new(trips), Sample::new(nothing));
    format!("{} | {}", trips.cells(), nothing.cells())
}

/// Bar: answers at most 3 ms after the budget in the 99th percentile, on an idle machine.
async fn overshoot(count: usize) {
    let server = Process::start(&[]).await;
    let mut client = server.allocation().await;
    println!("### Deadline overshoot\n");
    println!(
        "100 tasks, 12 agents, {count} calls one after the other for each budget; milliseconds from \
         sending the request to having the answer, less the budget (early answers count as 0).\n"
    );
    println!(
        "| budget | median | p99 | max | earliest answer before its budget | complete plans |\n\
         |---|---|---|---|---|---|"
    );
    for budget_ms in [5, 10, 25, 50, 100, 250] {
        let wanted = Duration::from_millis(budget_ms as u64);
        let (mut late, mut early, mut complete) = (Vec::new(), Duration::ZERO, 0);
        for _ in 0..count {
            let request = allocate(scattered(1, 12, 100), budget(budget_ms));
            let begin = Instant::now();
            let answer = client.allocate_tasks(request).await.expect("an answer");
            let took = begin.elapsed();
            let report = answer.into_inner().report.expect("a report");
            complete += usize::from(report.status() == SolveStatus::Feasible);
            late.push(took.saturating_sub(wanted));
            early = early.max(wanted.saturating_sub(took));
        }
        let early = stratagem_integration_tests::figures::ms(early);
        println!(
            "| {budget_ms} ms | {} | {early} | {complete} of {count} |",
            Sample::new(late).cells()
        );
    }
    println!();
}

/// Bar: at most 20 ms from the cancellation to the free slot in the 99th percentile.
async fn cancel(count: usize) {
    let server = Process::start(&[]).await;
    let mut client = server.allocation().await;
    let mut about = server.about().await;
    let mut outside = Vec::new();
    for i in 0..count {
        let request = allocate(scattered(i as u64, 12, 100), budget(60_000));
        let mut steps = client
            .stream_allocate_tasks(request)
            .await
            .expect("a stream")
            .into_inner();
        steps
            .message()
            .await
            .expect("a first plan")
            .expect("a first plan");
        // At different moments of the search.
        tokio::time::sleep(Duration::from_millis(i as u64 % 40)).await;
        let begin = Instant::now();
        drop(steps);
        loop {
            let info = about
                .get_server_info(GetServerInfoRequest {})
                .await
                .expect("an answer");
            if info.into_inner().busy_slot_count == 0 {
                break;
            }
        }
        outside.push(begin.elapsed());
    }
    println!("### From a client that leaves to a free slot\n");
    println!(
        "100 tasks, 12 agents; {count} streams dropped at different moments, in milliseconds.\n"
    );
    println!("| | median | p99 | max |\n|---|---|---|---|");
    println!(
        "| seen from outside, polling included | {} |\n",
        Sample::new(outside).cells()
    );
    let metrics = server.metrics().await;
    let all = metrics.count("stratagem_cancel_to_free_seconds");
    println!("By the server's own histogram, {all} cancellations:\n");
    println!("| at most | share |\n|---|---|");
    for (name, bucket) in [
        ("1 ms", "0.001"),
        ("5 ms", "0.005"),
        ("10 ms", "0.01"),
        ("20 ms", "0.02"),
    ] {
        let share = metrics.at_most("stratagem_cancel_to_free_seconds", bucket) / all;
        println!("| {name} | {:.1}% |", share * 100.0);
    }
    println!();
}

/// Peak memory while two slots search and 64 requests of 100 tasks wait, and after all are
/// answered.
async fn memory() {
    let server = Process::start(WITHOUT_CACHE).await;
    let peak = || {
        server.memory_peak_kib().map_or("unknown".into(), |kib| {
            format!("{:.1} MiB", kib as f64 / 1024.0)
        })
    };
    let idle = peak();
    let mut busy = Vec::new();
    for i in 0..2 {
        let mut client = server.allocation().await;
        let request = allocate(scattered(i, 12, 100), budget(8_000));
        busy.push(tokio::spawn(
            async move { client.allocate_tasks(request).await },
        ));
    }
    let waits = async |queue: f64| {
        eventually("the queue", async || {
            let metrics = server.metrics().await;
            let there = metrics.sum("stratagem_busy_slots") == 2.0
                && metrics.sum("stratagem_queued_requests") == queue;
            there.then_some(())
        })
        .await;
    };
    waits(0.0).await;
    let two = peak();
    for i in 0..64 {
        let mut client = server.allocation().await;
        let request = allocate(scattered(100 + i, 12, 100), iterations(20, i as i64));
        busy.push(tokio::spawn(
            async move { client.allocate_tasks(request).await },
        ));
    }
    waits(64.0).await;
    let queued = peak();
    for call in busy {
        let answer = call.await.expect("no panic").expect("an answer");
        assert!(answer.into_inner().plan.is_some());
    }
    println!("### Memory\n");
    println!("Peak resident memory of the server (VmHWM), 2 slots.\n");
    println!("| moment | peak |\n|---|---|");
    println!("| idle | {idle} |\n| 2 searches of 100 tasks have begun | {two} |");
    println!("| 64 more requests of 100 tasks wait | {queued} |");
    println!(
        "| all are answered, two of them after 8 s of search | {} |\n",
        peak()
    );
}
