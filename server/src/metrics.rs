//! What is counted and measured, and the page that Prometheus reads.
//!
//! Each server has a recorder of its own instead of the process-wide one, so that servers that
//! share a process do not share numbers.

use http::{Method, Request, Response, StatusCode, header};
use metrics::{counter, gauge, histogram, with_local_recorder};
use metrics::{describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{BuildError, Matcher};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use prost::Message as _;
use prost_types::FileDescriptorSet;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tonic::body::Body;

/// Histograms in seconds, and how fine they have to be.
const LATENCIES: [&str; 4] = [
    "stratagem_first_plan_seconds",
    "stratagem_deadline_overshoot_seconds",
    "stratagem_cancel_to_free_seconds",
    "stratagem_verify_seconds",
];
const DURATIONS: [&str; 3] = [
    "stratagem_solve_seconds",
    "stratagem_queue_wait_seconds",
    "stratagem_rpc_seconds",
];
const LATENCY_BUCKETS: [f64; 14] = [
    1e-4, 2.5e-4, 5e-4, 1e-3, 2e-3, 3e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0,
];
const DURATION_BUCKETS: [f64; 16] = [
    5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 600.0,
];
const GAP_BUCKETS: [f64; 10] = [0.0, 1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

/// The numbers of one server; clones share them.
#[derive(Clone)]
pub(crate) struct Metrics {
    recorder: Arc<PrometheusRecorder>,
    handle: PrometheusHandle,
    methods: Arc<BTreeSet<String>>,
}

/// What is known when a search has ended and its answer is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solved {
    /// Full name of the method.
    pub method: &'static str,
    /// Status of the report, as in `FEASIBLE`.
    pub status: &'static str,
    /// Stop reason of the report, as in `DEADLINE`.
    pub stop: &'static str,
    /// From the arrival until a slot was free.
    pub queue: Duration,
    /// Search, checks included.
    pub solve: Duration,
    /// Part of it that went into checks.
    pub verify: Duration,
    /// From the start of the search to the first plan.
    pub first_plan: Option<Duration>,
    /// How much later than its deadline the answer was made.
    pub overshoot: Duration,
    /// Gap of the report.
    pub gap: Option<f64>,
}

impl Metrics {
    /// All numbers at 0.
    pub(crate) fn new() -> Self {
        let recorder = recorder().expect("bucket lists are not empty");
        let handle = recorder.handle();
        let metrics = Self {
            recorder: Arc::new(recorder),
            handle,
            methods: Arc::new(methods()),
        };
        metrics.with(describe);
        metrics
    }

    fn with<T>(&self, record: impl FnOnce() -> T) -> T {
        with_local_recorder(&*self.recorder, record)
    }

    /// A call has ended with a gRPC code. Methods that do not exist are one, so that callers cannot
    /// make up new numbers.
    pub(crate) fn called(&self, method: &str, code: &'static str, took: Duration) {
        let known = self.methods.contains(method);
        let method = if known { method } else { "unknown" }.to_owned();
        self.with(|| {
            counter!("stratagem_rpc_total", "method" => method.clone(), "code" => code)
                .increment(1);
            histogram!("stratagem_rpc_seconds", "method" => method).record(took);
        });
    }

    /// A search has ended and its answer is made.
    pub(crate) fn solved(&self, solved: &Solved) {
        let m = solved.method;
        let (status, stop) = (solved.status, solved.stop);
        self.with(|| {
            counter!("stratagem_solve_total", "method" => m, "status" => status, "stop" => stop)
                .increment(1);
            histogram!("stratagem_queue_wait_seconds", "method" => m).record(solved.queue);
            histogram!("stratagem_solve_seconds", "method" => m).record(solved.solve);
            histogram!("stratagem_verify_seconds", "method" => m).record(solved.verify);
            histogram!("stratagem_deadline_overshoot_seconds", "method" => m)
                .record(solved.overshoot);
            if let Some(first_plan) = solved.first_plan {
                histogram!("stratagem_first_plan_seconds", "method" => m).record(first_plan);
            }
            if let Some(gap) = solved.gap {
                histogram!("stratagem_gap_ratio", "method" => m).record(gap);
            }
        });
    }

    /// Slots in use and requests waiting, as they are now.
    pub(crate) fn load(&self, busy_slots: usize, queued: usize) {
        self.with(|| {
            gauge!("stratagem_busy_slots").set(busy_slots as f64);
            gauge!("stratagem_queued_requests").set(queued as f64);
        });
    }

    /// A request was refused, or left the queue, without an answer.
    pub(crate) fn shed(&self, reason: &'static str) {
        self.with(|| counter!("stratagem_shed_total", "reason" => reason).increment(1));
    }

    /// A search that nobody wanted any more has given back its slots.
    pub(crate) fn cancelled(&self, after: Duration) {
        self.with(|| histogram!("stratagem_cancel_to_free_seconds").record(after));
    }

    /// The check of an offer disagrees with the planner.
    pub(crate) fn mismatch(&self, planner: &'static str) {
        self.with(|| {
            counter!("stratagem_verify_mismatch_total", "planner" => planner).increment(1);
        });
    }

    /// A search has panicked.
    pub(crate) fn panicked(&self, planner: &'static str) {
        self.with(|| counter!("stratagem_panics_total", "planner" => planner).increment(1));
    }

    /// What the cache did for a request: `hit`, `joined`, `miss`.
    pub(crate) fn cache(&self, outcome: &'static str) {
        self.with(|| counter!("stratagem_cache_total", "outcome" => outcome).increment(1));
    }

    /// What the cache holds.
    pub(crate) fn cache_size(&self, bytes: usize, entries: usize) {
        self.with(|| {
            gauge!("stratagem_cache_bytes").set(bytes as f64);
            gauge!("stratagem_cache_entries").set(entries as f64);
        });
    }

    /// Sums up what was observed since the last time. Observations are kept one by one until then,
    /// so that it has to be done now and then, whether anybody reads the page or not.
    pub(crate) fn sum_up(&self) {
        self.handle.run_upkeep();
    }

    /// The numbers as Prometheus reads them.
    pub(crate) fn page(&self) -> String {
        self.sum_up();
        self.handle.render()
    }
}

/// Full names of all methods that are served.
fn methods() -> BTreeSet<String> {
    let sets = [
        stratagem_proto::DESCRIPTOR_SET,
        tonic_health::pb::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
    ];
    let mut names = BTreeSet::new();
    for set in sets {
        let set = FileDescriptorSet::decode(set).expect("descriptors are built with their crates");
        for file in &set.file {
            for service in &file.service {
                let name = format!("{}.{}", file.package(), service.name());
                names.extend(
                    service
                        .method
                        .iter()
                        .map(|m| format!("{name}/{}", m.name())),
                );
            }
        }
    }
    names
}

fn recorder() -> Result<PrometheusRecorder, BuildError> {
    let mut builder = PrometheusBuilder::new();
    for (names, buckets) in [
        (LATENCIES.as_slice(), LATENCY_BUCKETS.as_slice()),
        (DURATIONS.as_slice(), DURATION_BUCKETS.as_slice()),
        (["stratagem_gap_ratio"].as_slice(), GAP_BUCKETS.as_slice()),
    ] {
        for name in names {
            builder = builder.set_buckets_for_metric(Matcher::Full((*name).into()), buckets)?;
        }
    }
    Ok(builder.build_recorder())
}

/// Help texts.
const COUNTS: [(&str, &str); 6] = [
    ("stratagem_rpc_total", "Calls by method and gRPC code"),
    (
        "stratagem_solve_total",
        "Searches by method, status and stop reason",
    ),
    (
        "stratagem_shed_total",
        "Requests refused, or dropped from the queue, by reason",
    ),
    (
        "stratagem_verify_mismatch_total",
        "Offers whose check failed; not sent. A bug",
    ),
    ("stratagem_panics_total", "Searches that panicked. A bug"),
    (
        "stratagem_cache_total",
        "Shareable requests by what the cache did for them",
    ),
];
const LEVELS: [(&str, &str); 4] = [
    ("stratagem_busy_slots", "Slots in use"),
    ("stratagem_queued_requests", "Requests that wait for a slot"),
    (
        "stratagem_cache_bytes",
        "Bytes of answers kept to be shared",
    ),
    ("stratagem_cache_entries", "Answers kept to be shared"),
];
const SPREADS: [(&str, &str); 8] = [
    (
        "stratagem_rpc_seconds",
        "Time from a call's headers to its end",
    ),
    (
        "stratagem_solve_seconds",
        "Time of searches, checks included",
    ),
    (
        "stratagem_first_plan_seconds",
        "Time from the start of a search to its first plan",
    ),
    (
        "stratagem_deadline_overshoot_seconds",
        "How much too late an answer was made",
    ),
    (
        "stratagem_queue_wait_seconds",
        "Time from arrival until a slot was free",
    ),
    (
        "stratagem_verify_seconds",
        "Part of a search that went into independent checks",
    ),
    (
        "stratagem_cancel_to_free_seconds",
        "Time from a cancellation until slots were free",
    ),
    (
        "stratagem_gap_ratio",
        "Gaps between plans and proved bounds",
    ),
];

/// Describes all, and sets to 0 what would be missed when absent.
fn describe() {
    for (name, help) in COUNTS {
        describe_counter!(name, help);
    }
    for (name, help) in LEVELS {
        describe_gauge!(name, help);
        gauge!(name).set(0.0);
    }
    for (name, help) in SPREADS {
        describe_histogram!(name, help);
    }
    for bug in ["stratagem_verify_mismatch_total", "stratagem_panics_total"] {
        for planner in ["allocation", "temporal"] {
            counter!(bug, "planner" => planner).absolute(0);
        }
    }
}

/// Serves the page at `/metrics`, over HTTP/1.1 and 2.
#[derive(Clone)]
pub(crate) struct Page(pub(crate) Metrics);

impl tower::Service<Request<Body>> for Page {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Ready<Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let page = match (request.method(), request.uri().path()) {
            (&Method::GET, "/metrics") => Some(self.0.page()),
            _ => None,
        };
        let (status, text) = match page {
            Some(page) => (StatusCode::OK, page),
            None => (StatusCode::NOT_FOUND, "only GET /metrics is here\n".into()),
        };
        let mut response = Response::new(Body::new(text));
        *response.status_mut() = status;
        let kind = header::HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        ready(Ok(response))
    }
}
