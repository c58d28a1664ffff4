//! Traces: which spans a collector gets, and what a collector that is not there costs.

use crate::asking::{ask, unbounded};
use prost::Message as _;
use serde_json::{Value, json};
use std::net::TcpListener;
use stratagem_integration_tests::broker::Broker;
use stratagem_integration_tests::collector::{Collector, Span, attribute, hex, named};
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::plain::post;
use stratagem_integration_tests::problems::{allocate, budget, iterations, row};
use stratagem_integration_tests::{Process, Server, raw};
use stratagem_proto::EXAMPLES;
use stratagem_proto::v1::job_request::Method;
use stratagem_proto::v1::{self as pb, JobState};
use tonic::Request;

const METHOD: &str = "stratagem.v1.AllocationService/AllocateTasks";
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const OTHER: &str = "11111111111111111111111111111111";
const CALLER: &str = "b7ad6b7169203331";

/// The context of a caller that keeps its trace.
fn kept() -> String {
    format!("00-{TRACE}-{CALLER}-01")
}

async fn server(collector: &Collector, flags: &[&str]) -> Process {
    let url = collector.url();
    let flags = [&["--otlp-endpoint", &url], flags].concat();
    Process::start(&flags).await
}

/// Sends a request with these headers; returns the trace that the answer names.
async fn call(
    server: &Server,
    headers: &[(&str, &str)],
    request: &pb::AllocateTasksRequest,
) -> String {
    let body = raw::frame(&request.encode_to_vec());
    let answer = raw::call(server.address, raw::ALLOCATE, headers, body);
    let answer = wait_for("an answer", answer).await.unwrap();
    let trace = answer.headers.get("x-trace-id").expect("there is one");
    trace.to_str().unwrap().to_owned()
}

fn is_child(child: &Span, parent: &Span) -> bool {
    child.parent_span_id == parent.span_id
}

#[tokio::test]
async fn a_call_is_a_trace_of_its_caller_with_all_that_it_did() {
    let collector = Collector::start().await;
    let server = server(&collector, &[]).await;
    let headers = [("traceparent", &*kept()), ("tracestate", "a=1")];
    let request = allocate(row(), iterations(100_000, 7));
    assert_eq!(call(&server, &headers, &request).await, TRACE);
    let spans = collector.trace(TRACE, METHOD).await;
    let root = named(&spans, METHOD);
    assert_eq!(hex(&root.parent_span_id), CALLER);
    assert_eq!(
        (root.trace_state.as_str(), root.kind),
        ("a=1", 2),
        "a server's"
    );
    let value_of = |span: &Span, key| attribute(&span.attributes, key);
    assert_eq!(value_of(root, "rpc.method").as_deref(), Some(METHOD));
    assert_eq!(
        value_of(root, "rpc.response.status_code").as_deref(),
        Some("OK")
    );
    for name in ["decode", "validate", "cache", "queue", "solve", "encode"] {
        assert!(is_child(named(&spans, name), root), "{name}");
    }
    assert_eq!(
        value_of(named(&spans, "cache"), "outcome").as_deref(),
        Some("miss")
    );
    let solve = named(&spans, "solve");
    for (key, value) in [
        ("planner", "allocation"),
        ("stratagem.seed", "7"),
        ("stratagem.iterations_max", "100000"),
        ("stratagem.status", "OPTIMAL"),
        ("stratagem.strategy", "auto"),
        ("stratagem.gap", "0"),
    ] {
        let found = value_of(solve, key);
        let found = found.unwrap_or_else(|| panic!("{key} in {:?}", solve.attributes));
        assert!(found.contains(value), "{key}: {found}");
    }
    assert!(value_of(solve, "stratagem.objective").is_some());
    assert!(solve.events.iter().any(|event| event.name == "incumbent"));
    let mut checks = spans.iter().filter(|span| span.name == "verify");
    assert!(checks.next().is_some_and(|check| is_child(check, solve)));
    assert!(root.start_time_unix_nano <= solve.start_time_unix_nano);
    assert!(solve.end_time_unix_nano <= root.end_time_unix_nano);
    let resource = collector.resource().await;
    assert_eq!(
        attribute(&resource, "service.name").as_deref(),
        Some("stratagem-server")
    );
    assert!(attribute(&resource, "service.instance.id").is_some());
}

#[tokio::test]
async fn log_lines_of_a_call_name_its_trace() {
    let collector = Collector::start().await;
    let server = server(&collector, &[]).await;
    ask(&server, row(), iterations(100, 0)).await.unwrap();
    let line = |server: &Process, id: &str| -> Option<Value> {
        let lines = server.lines();
        let line = lines
            .iter()
            .find(|line| line.contains("\"solved\"") && line.contains(id))?;
        Some(serde_json::from_str(line).expect("logs are JSON"))
    };
    let line_of =
        async |server: &Process, id| eventually("a line", async || line(server, id)).await;
    let solved = line_of(&server, "").await;
    let trace = solved["trace_id"].as_str().expect("it has one").to_owned();
    let spans = collector.trace(&trace, METHOD).await;
    let root = named(&spans, METHOD);
    assert_eq!(solved["span_id"], hex(&root.span_id));
    assert!(root.parent_span_id.is_empty(), "it began here");
    // Without a collector, what the caller said.
    let alone = Process::start(&[]).await;
    let headers = [("traceparent", &*kept()), ("x-request-id", "mine-7")];
    let request = allocate(row(), iterations(100, 0));
    assert_eq!(call(&alone, &headers, &request).await, TRACE);
    let solved = line_of(&alone, "mine-7").await;
    assert_eq!(
        (&solved["trace_id"], &solved["span_id"]),
        (&json!(TRACE), &json!(CALLER))
    );
}

#[tokio::test]
async fn whether_a_trace_is_kept_is_the_callers_choice_and_otherwise_a_matter_of_luck() {
    let collector = Collector::start().await;
    let server = server(&collector, &["--trace-ratio", "0"]).await;
    let request = allocate(row(), iterations(100, 0));
    let own = call(&server, &[], &request).await;
    let unkept = kept()
        .replace("-01", "-00")
        .replace(TRACE, &own.chars().rev().collect::<String>());
    let others = call(&server, &[("traceparent", &unkept)], &request).await;
    assert_eq!(
        call(&server, &[("traceparent", &kept())], &request).await,
        TRACE
    );
    collector.trace(TRACE, METHOD).await;
    // All that came before has been sent, had it been kept.
    assert!(collector.spans(&own).is_empty() && collector.spans(&others).is_empty());
}

#[tokio::test]
async fn calls_in_json_refusals_and_unknown_methods_are_spans_and_probes_are_none() {
    let collector = Collector::start().await;
    let server = server(&collector, &[]).await;
    let example = EXAMPLES
        .iter()
        .find(|it| it.planner == "allocation")
        .unwrap();
    let problem: Value = serde_json::from_str(example.json).unwrap();
    let asked = json!({"problem": problem, "options": {"max_iterations": 50}});
    let path = format!("/{METHOD}");
    let json = kept().replace(TRACE, OTHER);
    let headers = [("traceparent", &*json)];
    let reply = post(server.address, &path, &headers, &asked.to_string()).await;
    assert_eq!(reply.header("x-trace-id"), Some(OTHER), "{reply:?}");
    let spans = collector.trace(OTHER, METHOD).await;
    assert_eq!(hex(&named(&spans, METHOD).parent_span_id), CALLER);
    assert!(is_child(named(&spans, "solve"), named(&spans, METHOD)));
    let wrong = allocate(row(), iterations(-1, 0));
    let trace = call(&server, &[], &wrong).await;
    let spans = collector.trace(&trace, METHOD).await;
    let code = attribute(
        &named(&spans, METHOD).attributes,
        "rpc.response.status_code",
    );
    assert_eq!(code.as_deref(), Some("INVALID_ARGUMENT"));
    for (path, span) in [
        ("/no.Service/Made-up-by-callers", Some("unknown")),
        ("/grpc.health.v1.Health/Check", None),
    ] {
        let headers = [("traceparent", &*kept())];
        let call = raw::call(server.address, path, &headers, raw::frame(b""));
        let answer = wait_for("an answer", call).await.unwrap();
        assert_eq!(answer.headers["x-trace-id"], TRACE);
        if let Some(span) = span {
            let spans = collector.trace(TRACE, span).await;
            assert_eq!(
                named(&spans, span).status.as_ref().unwrap().code,
                2,
                "an error"
            );
        }
    }
    assert_eq!(collector.spans(TRACE).len(), 1);
}

#[tokio::test]
async fn the_search_of_a_job_belongs_to_the_trace_of_the_call_that_created_it() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let collector = Collector::start().await;
    let (_, password) = Broker::USER;
    let url = broker.url(&password.replace('!', "%21"));
    let flags = ["--jobs", &*url, "--job-slots", "1"];
    // Whichever of them takes the job up.
    let (first, _second) = (
        server(&collector, &flags).await,
        server(&collector, &flags).await,
    );
    let mut client = first.jobs().await;
    let wanted = || {
        let mut request = Request::new(pb::CreateJobRequest {
            request_id: "one".into(),
            request: Some(pb::JobRequest {
                method: Some(Method::AllocateTasks(allocate(
                    row(),
                    iterations(100_000, 0),
                ))),
            }),
            ..Default::default()
        });
        let metadata = request.metadata_mut();
        metadata.insert("traceparent", kept().parse().unwrap());
        request
    };
    let job = eventually("the broker is connected", async || {
        client.create_job(wanted()).await.ok()?.into_inner().job
    })
    .await;
    eventually("it has ended", async || {
        let job_id = job.job_id.clone();
        let job = client.get_job(pb::GetJobRequest { job_id }).await.unwrap();
        let job = job.into_inner().job.unwrap();
        (job.state() == JobState::Succeeded).then_some(())
    })
    .await;
    let spans = collector.trace(TRACE, "job").await;
    let created = spans
        .iter()
        .filter(|span| span.name.ends_with("/CreateJob"));
    let parents: Vec<_> = created.map(|span| hex(&span.span_id)).collect();
    let attempt = named(&spans, "job");
    assert!(parents.contains(&hex(&attempt.parent_span_id)), "{spans:?}");
    assert!(is_child(named(&spans, "solve"), attempt));
    assert_eq!(attribute(&attempt.attributes, "job"), Some(job.job_id));
}

#[tokio::test]
async fn a_collector_that_is_gone_or_silent_costs_spans_and_nothing_else() {
    // Takes connections, and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("http://{}", silent.local_addr().unwrap());
    let gone = "http://127.0.0.1:1".to_owned();
    for url in [silent, gone] {
        let flags = [
            "--otlp-endpoint",
            &*url,
            "--cache-bytes-max",
            "0",
            "--drain-timeout",
            "1s",
        ];
        let mut server = Process::start(&flags).await;
        // Spans are lost, and no call waits for them.
        for _ in 0..200 {
            ask(&server, row(), iterations(1, 0)).await.unwrap();
        }
        let metrics = eventually("spans are lost", async || {
            let metrics = server.metrics().await;
            let lost = metrics.sum_where("stratagem_span_total", &[("outcome", "failed")]);
            (lost > 0.0).then_some(metrics)
        })
        .await;
        let exported = [("outcome", "exported")];
        assert_eq!(metrics.sum_where("stratagem_span_total", &exported), 0.0);
        server.terminate();
        assert!(server.ended().await.success());
    }
}

#[tokio::test]
async fn a_server_that_stops_exports_its_last_spans() {
    let collector = Collector::start().await;
    let mut server = server(&collector, &[]).await;
    let answer = tokio::spawn({
        let mut client = server.allocation().await;
        async move {
            client
                .allocate_tasks(allocate(unbounded(), budget(600_000)))
                .await
        }
    });
    server.counts("stratagem_busy_slots", 1.0).await;
    server.terminate();
    let answer = answer.await.unwrap().unwrap();
    let trace = answer.metadata().get("x-trace-id").unwrap();
    let trace = trace.to_str().unwrap().to_owned();
    assert!(server.ended().await.success());
    let spans = collector.spans(&trace);
    let solve = named(&spans, "solve");
    let stop = attribute(&solve.attributes, "stratagem.stop_reason");
    assert_eq!(stop.as_deref(), Some("DRAINING"));
    assert!(is_child(solve, named(&spans, METHOD)));
}
