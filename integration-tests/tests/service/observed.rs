//! What operators see: health, reflection, the server about itself, metrics, logs.

use crate::asking::{ask, unbounded};
use prost::Message as _;
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{allocate, budget, impossible, iterations, row};
use stratagem_integration_tests::{Process, Server, raw, server::WITHOUT_CACHE};
use tonic::Code;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_reflection::pb::{v1, v1alpha};

const SERVICES: [&str; 11] = [
    "AllocationService",
    "CrewService",
    "HeistService",
    "NarrativeService",
    "PatrolService",
    "PlanningService",
    "PuzzleService",
    "ScheduleService",
    "ServerService",
    "StoryService",
    "TemporalService",
];

#[tokio::test]
async fn every_service_is_healthy_and_unknown_ones_are_not_found() {
    let server = Server::start(&[]).await;
    let mut health = HealthClient::new(server.channel().await);
    let mut check = async |service: String| {
        let call = health.check(HealthCheckRequest { service });
        wait_for("health", call)
            .await
            .map(|answer| answer.into_inner().status())
    };
    let named = SERVICES.map(|service| format!("stratagem.v1.{service}"));
    for service in named.into_iter().chain([String::new()]) {
        assert_eq!(
            check(service.clone()).await.unwrap(),
            ServingStatus::Serving,
            "{service}"
        );
    }
    let status = check("nobody.v1.Service".into()).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
}

/// Asks one version of reflection for the services and for the file of the allocation service.
macro_rules! reflect {
    ($server:expr, $version:ident) => {{
        use $version::server_reflection_client::ServerReflectionClient;
        use $version::server_reflection_request::MessageRequest;
        use $version::server_reflection_response::MessageResponse;
        let mut client = ServerReflectionClient::new($server.channel().await);
        let symbol = "stratagem.v1.AllocationService".to_owned();
        let questions = [
            MessageRequest::ListServices(String::new()),
            MessageRequest::FileContainingSymbol(symbol),
        ];
        let questions = questions.map(|question| $version::ServerReflectionRequest {
            host: String::new(),
            message_request: Some(question),
        });
        let call = client.server_reflection_info(tokio_stream::iter(questions));
        let mut answers = wait_for("reflection", call).await.unwrap().into_inner();
        let mut answer = async || answers.message().await.unwrap().unwrap().message_response;
        let Some(MessageResponse::ListServicesResponse(services)) = answer().await else {
            panic!("no list of services");
        };
        let names: Vec<_> = services.service.into_iter().map(|s| s.name).collect();
        let Some(MessageResponse::FileDescriptorResponse(files)) = answer().await else {
            panic!("no file");
        };
        (names, files.file_descriptor_proto)
    }};
}

fn check_described(names: &[String], files: &[Vec<u8>]) {
    for service in SERVICES {
        let name = format!("stratagem.v1.{service}");
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(
        names.contains(&"grpc.health.v1.Health".to_owned()),
        "{names:?}"
    );
    let file = prost_types::FileDescriptorProto::decode(files[0].as_slice()).unwrap();
    assert_eq!(file.service[0].name(), "AllocationService");
}

#[tokio::test]
async fn both_versions_of_reflection_describe_every_service() {
    let server = Server::start(&[]).await;
    let (names, files) = reflect!(server, v1);
    check_described(&names, &files);
    let (names, files) = reflect!(server, v1alpha);
    check_described(&names, &files);
}

#[tokio::test]
async fn the_build_and_the_process_are_described() {
    let server = Process::start(&[]).await;
    let metrics = server.metrics().await;
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    assert_eq!(metrics.sum_where("stratagem_build_info", &version), 1.0);
    for (level, kind) in [
        ("process_start_time_seconds", "gauge"),
        ("process_open_fds", "gauge"),
        ("process_max_fds", "gauge"),
        ("process_resident_memory_bytes", "gauge"),
        ("process_cpu_seconds_total", "counter"),
    ] {
        assert_eq!(metrics.kind(level), Some(kind));
        assert!(metrics.sum(level) > 0.0, "{level}");
    }
}

#[tokio::test]
async fn every_metric_that_is_promised_is_there_and_counts() {
    let server = Server::start(&[]).await;
    let metrics = server.metrics().await;
    for zero in [
        "busy_slots",
        "queued_requests",
        "verify_mismatch_total",
        "panics_total",
    ] {
        let name = format!("stratagem_{zero}");
        assert!(
            metrics.kind(&name).is_some(),
            "{name} is there before it happens"
        );
        assert_eq!(metrics.sum(&name), 0.0);
    }
    for _ in 0..2 {
        ask(&server, row(), iterations(100_000, 0)).await.unwrap();
    }
    ask(&server, impossible(), iterations(100, 0))
        .await
        .unwrap();
    ask(&server, unbounded(), budget(1_000)).await.unwrap();
    ask(&server, row(), iterations(-1, 0)).await.unwrap_err();
    let metrics = server.metrics().await;
    for histogram in [
        "solve",
        "first_plan",
        "deadline_overshoot",
        "queue_wait",
        "verify",
        "rpc",
    ] {
        let name = format!("stratagem_{histogram}_seconds");
        assert_eq!(metrics.kind(&name), Some("histogram"), "{name}");
        assert!(metrics.count(&name) >= 1.0, "{name}");
    }
    assert_eq!(metrics.kind("stratagem_gap_ratio"), Some("histogram"));
    let rpc = |code| metrics.sum_where("stratagem_rpc_total", &[("code", code)]);
    assert_eq!((rpc("OK"), rpc("INVALID_ARGUMENT")), (4.0, 1.0));
    let solved = |status| metrics.sum_where("stratagem_solve_total", &[("status", status)]);
    assert_eq!(
        metrics.sum("stratagem_solve_total"),
        3.0,
        "one of four was shared"
    );
    assert_eq!(
        (solved("OPTIMAL"), solved("INFEASIBLE"), solved("FEASIBLE")),
        (1.0, 1.0, 1.0)
    );
    assert_eq!(
        metrics.sum_where("stratagem_cache_total", &[("outcome", "hit")]),
        1.0
    );
}

#[tokio::test]
async fn each_search_is_one_line_of_log() {
    let server = Process::start(&[]).await;
    ask(&server, row(), iterations(100_000, 0)).await.unwrap();
    ask(&server, unbounded(), budget(50)).await.unwrap();
    let lines = eventually("two lines", async || {
        let lines: Vec<_> = server
            .lines()
            .into_iter()
            .filter(|l| l.contains("AllocateTasks"))
            .collect();
        (lines.len() >= 2).then_some(lines)
    })
    .await;
    assert_eq!(lines.len(), 2, "{lines:#?}");
    for line in lines {
        let line: serde_json::Value = serde_json::from_str(&line).expect("logs are JSON");
        assert_eq!(line["level"], "INFO", "{line}");
    }
}

#[tokio::test]
async fn calls_have_an_id_that_the_caller_may_choose() {
    let server = Process::start(WITHOUT_CACHE).await;
    let body = raw::frame(&allocate(row(), iterations(100, 0)).encode_to_vec());
    let call = async |headers: &[(&str, &str)]| {
        let call = raw::call(server.address, raw::ALLOCATE, headers, body.clone());
        let answer = wait_for("an answer", call).await.unwrap();
        let id = answer.headers.get("x-request-id").expect("there is one");
        id.to_str().unwrap().to_owned()
    };
    assert_eq!(call(&[("x-request-id", "mine-7")]).await, "mine-7");
    let (one, other) = (call(&[]).await, call(&[]).await);
    assert_ne!(one, other);
    let log = eventually("it is in the log", async || {
        let log = server.log();
        log.contains(&other).then_some(log)
    })
    .await;
    assert!(log.contains("mine-7") && log.contains(&one), "{log}");
}
