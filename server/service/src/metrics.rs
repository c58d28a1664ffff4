//! What is counted and measured, and the page that Prometheus reads.
//!
//! Each server has a recorder of its own instead of the process-wide one, so that servers that
//! share a process do not share numbers.

mod described;
mod page;
mod process;
mod seconds;

use crate::jobs::store::Counted;
use crate::telemetry;
use described::describe;
use formats::messages::{POOL, full_name};
use metrics::{counter, gauge, histogram, with_local_recorder};
use metrics_exporter_prometheus::{BuildError, Matcher};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
pub(crate) use page::Page;
use prost_reflect::DescriptorPool;
use runtime::Meters;
use seconds::TenantSeconds;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

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
    tenant_seconds: TenantSeconds,
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
            tenant_seconds: TenantSeconds::default(),
        };
        metrics.record(describe);
        metrics
    }

    fn record<T>(&self, record: impl FnOnce() -> T) -> T {
        with_local_recorder(&*self.recorder, record)
    }

    /// The numbers of searches among them.
    pub(crate) fn meters(&self) -> Meters {
        Meters::new(self.recorder.clone())
    }

    /// The method of this name; those that do not exist are one, so that callers cannot make up new
    /// names.
    pub(crate) fn known<'m>(&self, method: &'m str) -> &'m str {
        if self.methods.contains(method) {
            method
        } else {
            "unknown"
        }
    }

    /// A call has ended with a gRPC code.
    pub(crate) fn called(&self, method: &str, code: &'static str, took: Duration) {
        let method = self.known(method).to_owned();
        self.record(|| {
            counter!("stratagem_rpc_total", "method" => method.clone(), "code" => code)
                .increment(1);
            histogram!("stratagem_rpc_seconds", "method" => method).record(took);
        });
    }

    /// A search has ended and its answer is made.
    pub(crate) fn solved(&self, solved: &Solved) {
        let m = solved.method;
        let (status, stop) = (solved.status, solved.stop);
        self.record(|| {
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

    /// Memory that this process may have.
    pub(crate) fn memory(&self, bytes: usize) {
        self.record(|| gauge!("stratagem_memory_max_bytes").set(bytes as f64));
    }

    /// Stored jobs by state, records that cannot be decoded, and whether the store is seen to sync.
    pub(crate) fn jobs(&self, counted: &Counted) {
        let (corrupt, is_synced) = (counted.corrupt, counted.is_synced);
        self.record(|| {
            gauge!("stratagem_corrupt_job_records").set(corrupt as f64);
            gauge!("stratagem_job_store_synced").set(if is_synced { 1.0 } else { 0.0 });
            for (state, count) in &counted.by_state {
                gauge!("stratagem_known_jobs", "state" => *state).set(*count as f64);
            }
        });
    }

    /// Sessions that are held, and their memory.
    pub(crate) fn sessions(&self, count: usize, bytes: usize) {
        self.record(|| {
            gauge!("stratagem_sessions").set(count as f64);
            gauge!("stratagem_session_bytes").set(bytes as f64);
        });
    }

    /// An entry of the log of a session was written, or not, in this way.
    pub(crate) fn session_logged(&self, outcome: &'static str, took: Duration) {
        self.record(|| {
            histogram!("stratagem_session_log_seconds", "outcome" => outcome).record(took);
        });
    }

    /// A session was taken over from its log.
    pub(crate) fn session_taken(&self) {
        self.record(|| counter!("stratagem_session_taken_total").increment(1));
    }

    /// A copy of the file of jobs was written.
    pub(crate) fn job_backup(&self) {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let seconds = now.map_or(0.0, |since| since.as_secs_f64());
        self.record(|| gauge!("stratagem_job_backup_seconds").set(seconds));
    }

    /// Whether the place that keeps jobs answers.
    pub(crate) fn job_store(&self, is_up: bool) {
        self.record(|| gauge!("stratagem_job_store_up").set(if is_up { 1.0 } else { 0.0 }));
    }

    /// A job has ended, in this state.
    pub(crate) fn job_ended(&self, state: &'static str) {
        self.record(|| counter!("stratagem_job_total", "state" => state).increment(1));
    }

    /// Bytes of requests and answers that are in flight.
    pub(crate) fn in_flight(&self, bytes: usize) {
        self.record(|| gauge!("stratagem_inflight_bytes").set(bytes as f64));
    }

    /// Connections have begun, or ended.
    pub(crate) fn connections(&self, by: f64) {
        self.record(|| gauge!("stratagem_connections").increment(by));
    }

    /// A connection has ended, in this way.
    pub(crate) fn connection(&self, outcome: &'static str) {
        self.record(|| counter!("stratagem_connection_total", "outcome" => outcome).increment(1));
    }

    /// Files that may be read again.
    pub(crate) fn reload_begins(&self, files: &'static str) {
        self.record(|| {
            for outcome in ["ok", "failed"] {
                counter!("stratagem_reload_total", "files" => files, "outcome" => outcome)
                    .absolute(0);
            }
            gauge!("stratagem_reload_good", "files" => files).set(1.0);
        });
    }

    /// Files were read again, or not because they are invalid.
    pub(crate) fn reloaded(&self, files: &'static str, is_good: bool) {
        let outcome = if is_good { "ok" } else { "failed" };
        self.record(|| {
            counter!("stratagem_reload_total", "files" => files, "outcome" => outcome).increment(1);
            gauge!("stratagem_reload_good", "files" => files).set(f64::from(u8::from(is_good)));
        });
    }

    /// A call of a tenant has ended.
    pub(crate) fn tenant_called(&self, tenant: String, code: &'static str) {
        self.record(|| {
            counter!("stratagem_tenant_call_total", "tenant" => tenant, "code" => code)
                .increment(1);
        });
    }

    /// A tenant was refused because of a quota.
    pub(crate) fn tenant_refused(&self, tenant: String, quota: &'static str) {
        self.record(|| {
            counter!("stratagem_tenant_refused_total", "tenant" => tenant, "quota" => quota)
                .increment(1);
        });
    }

    /// A search of a tenant has ended that took this number of slot-seconds.
    pub(crate) fn tenant_searched(&self, tenant: String, slot_seconds: f64) {
        self.tenant_seconds.add(tenant, slot_seconds);
    }

    /// What the cache did for a request: `hit`, `joined`, `miss`, `alone`.
    pub(crate) fn cache(&self, outcome: &'static str) {
        self.record(|| counter!("stratagem_cache_total", "outcome" => outcome).increment(1));
    }

    /// What the cache holds.
    pub(crate) fn cache_size(&self, bytes: usize, entries: usize) {
        self.record(|| {
            gauge!("stratagem_cache_bytes").set(bytes as f64);
            gauge!("stratagem_cache_entries").set(entries as f64);
        });
    }

    /// Sums up what was observed since the last time. Observations are kept one by one until then,
    /// so that it has to be done now and then, whether anybody reads the page or not.
    pub(crate) fn sum_up(&self) {
        self.record(|| {
            for (outcome, count) in telemetry::spans() {
                counter!("stratagem_span_total", "outcome" => outcome).absolute(count);
            }
        });
        self.handle.run_upkeep();
    }

    /// The numbers as Prometheus reads them.
    pub(crate) fn page(&self) -> String {
        process::levels(self);
        self.sum_up();
        let mut page = self.handle.render();
        process::cpu(&mut page);
        self.tenant_seconds.write(&mut page);
        page
    }
}

/// Full names of all methods that are served.
fn methods() -> BTreeSet<String> {
    let foreign = [
        tonic_health::pb::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
        tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
    ];
    let foreign = foreign
        .map(|set| DescriptorPool::decode(set).expect("descriptors are built with their crates"));
    let services = foreign.iter().chain([&*POOL]);
    let services = services.flat_map(DescriptorPool::services);
    let methods = services.flat_map(|service| service.methods().collect::<Vec<_>>());
    methods.map(|method| full_name(&method)).collect()
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
