//! What the numbers mean, and those that are 0 from the beginning.

use super::process::CPU;
use super::seconds::SOLVER;
use Kind::{Counter, Gauge, Histogram};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use wire::planning::PLANNERS;

#[derive(Debug, Clone, Copy)]
enum Kind {
    Counter,
    Gauge,
    Histogram,
}

/// A metric as the page of metrics and documents describe it.
pub(super) struct Metric {
    kind: Kind,
    pub name: &'static str,
    labels: &'static [&'static str],
    pub help: &'static str,
}

type Text = &'static str;

pub(super) const fn counter(name: Text, labels: &'static [Text], help: Text) -> Metric {
    described(Counter, name, labels, help)
}

const fn gauge(name: Text, labels: &'static [Text], help: Text) -> Metric {
    described(Gauge, name, labels, help)
}

const fn histogram(name: Text, labels: &'static [Text], help: Text) -> Metric {
    described(Histogram, name, labels, help)
}

const fn described(kind: Kind, name: Text, labels: &'static [Text], help: Text) -> Metric {
    Metric {
        kind,
        name,
        labels,
        help,
    }
}

/// All metrics, by section.
const METRICS: [(&str, &[Metric]); 9] = [
    (
        "Calls",
        &[
            counter(
                "stratagem_rpc_total",
                &["method", "code"],
                "Calls that ended, by gRPC code.",
            ),
            histogram(
                "stratagem_rpc_seconds",
                &["method"],
                "Time from the headers of a call to its end.",
            ),
            counter(
                "stratagem_shed_total",
                &["reason"],
                "Requests refused, or dropped from the queue. The reason is that of the error.",
            ),
            counter(
                "stratagem_cache_total",
                &["outcome"],
                "Shareable requests by what the cache did: hit, joined (waited for another call), miss, alone.",
            ),
            gauge(
                "stratagem_cache_bytes",
                &[],
                "Size of the answers in the cache.",
            ),
            gauge("stratagem_cache_entries", &[], "Answers in the cache."),
        ],
    ),
    (
        "Searches",
        &[
            counter(
                "stratagem_solve_total",
                &["method", "status", "stop"],
                "Searches that ended, by status of the report and stop reason.",
            ),
            histogram(
                "stratagem_solve_seconds",
                &["method"],
                "Time of a search, checks included.",
            ),
            histogram(
                "stratagem_verify_seconds",
                &["method"],
                "Time of the checks within a search.",
            ),
            histogram(
                "stratagem_first_plan_seconds",
                &["method"],
                "Time from the start of a search to its first plan.",
            ),
            histogram(
                "stratagem_deadline_overshoot_seconds",
                &["method"],
                "Time from the deadline to the answer; 0 if it was in time.",
            ),
            histogram(
                "stratagem_cancel_to_free_seconds",
                &[],
                "Time from a cancellation until the slots were free.",
            ),
            histogram(
                "stratagem_gap_ratio",
                &["method"],
                "Gap between plan and proved bound; 0 is optimal.",
            ),
            counter(
                "stratagem_search_overrun_total",
                &["planner", "phase"],
                "Searches still running 50 ms after they were to stop, in phase solve, verify or explain. A bug: report it.",
            ),
            counter(
                "stratagem_verify_mismatch_total",
                &["planner"],
                "Plans that failed their check and were not sent. A bug: report it.",
            ),
            counter(
                "stratagem_panics_total",
                &["planner"],
                "Searches that panicked. A bug: report it.",
            ),
        ],
    ),
    (
        "Slots and queue",
        &[
            gauge("stratagem_slots", &[], "Solver slots."),
            gauge(
                "stratagem_busy_slots",
                &[],
                "Slots in use. Extra slots can make them more than there are.",
            ),
            histogram(
                "stratagem_queue_wait_seconds",
                &["method"],
                "Time from arrival until a slot was free.",
            ),
            gauge(
                "stratagem_queued_requests",
                &[],
                "Requests that wait for a slot.",
            ),
            gauge(
                "stratagem_waiting_requests",
                &["tenant", "priority"],
                "Requests that wait for a slot. Tenant none: authentication is off; other: not in the file of tenants.",
            ),
            gauge(
                "stratagem_parked_searches",
                &[],
                "Searches that wait while more urgent requests have their slots.",
            ),
            counter(
                "stratagem_gave_way_total",
                &["priority", "how"],
                "Searches that gave their slots to a more urgent request: parked or ended.",
            ),
        ],
    ),
    (
        "Memory and process",
        &[
            gauge(
                "stratagem_memory_max_bytes",
                &[],
                "Memory that this process may use.",
            ),
            gauge(
                "stratagem_reserved_memory_bytes",
                &[],
                "Memory reserved for running searches, of jobs too.",
            ),
            gauge(
                "stratagem_inflight_bytes",
                &[],
                "Size of requests whose calls run and of unsent answers, measured every 5 s.",
            ),
            gauge(
                "process_resident_memory_bytes",
                &[],
                "Resident memory of this process.",
            ),
            CPU,
            gauge(
                "process_start_time_seconds",
                &[],
                "Start of this process, in seconds since 1970.",
            ),
            gauge("process_open_fds", &[], "Open file descriptors."),
            gauge("process_max_fds", &[], "Limit of open file descriptors."),
            gauge(
                "stratagem_build_info",
                &["version", "features"],
                "Always 1. Version of the server, and the features it was built with.",
            ),
        ],
    ),
    (
        "Connections",
        &[
            gauge(
                "stratagem_connections",
                &[],
                "Open connections to the address for calls.",
            ),
            counter(
                "stratagem_connection_total",
                &["outcome"],
                "Connections that ended: closed, aged, idle, cut (open after connection_age_grace), refused, refused_peer, slow_reader, silent, handshake_slow, handshake_failed.",
            ),
        ],
    ),
    (
        "Tenants and files",
        &[
            counter(
                "stratagem_tenant_call_total",
                &["tenant", "code"],
                "Calls of a tenant that ended, by gRPC code. Other: not in the file of tenants.",
            ),
            counter(
                "stratagem_tenant_refused_total",
                &["tenant", "quota"],
                "Calls refused because of a quota.",
            ),
            SOLVER,
            counter(
                "stratagem_reload_total",
                &["files", "outcome"],
                "Changed files that were read again: ok, or failed because they are invalid.",
            ),
            gauge(
                "stratagem_reload_good",
                &["files"],
                "1 if the files in force are those on the disk; 0 if those are invalid.",
            ),
        ],
    ),
    (
        "Jobs",
        &[
            counter(
                "stratagem_job_total",
                &["state"],
                "Jobs that ended at this server, by state.",
            ),
            gauge(
                "stratagem_known_jobs",
                &["state"],
                "Stored jobs; of all servers that share them.",
            ),
            gauge(
                "stratagem_job_store_up",
                &[],
                "1 if the store of jobs works; 0 if the broker is not connected or the file has failed.",
            ),
            gauge(
                "stratagem_job_store_synced",
                &[],
                "1 if accepted jobs are known to be on a disk: in a file, or at a broker with sync_interval always.",
            ),
            gauge(
                "stratagem_corrupt_job_records",
                &[],
                "Job records that cannot be decoded: in quarantine in a file, or seen at the broker since the start.",
            ),
            gauge(
                "stratagem_job_backup_seconds",
                &[],
                "Time of the last copy of the job file, in seconds since 1970.",
            ),
        ],
    ),
    (
        "Sessions",
        &[
            gauge(
                "stratagem_sessions",
                &[],
                "Sessions that this server holds.",
            ),
            gauge(
                "stratagem_session_bytes",
                &[],
                "Memory of their states, estimated.",
            ),
            histogram(
                "stratagem_session_log_seconds",
                &["outcome"],
                "Time to log changes of a session: written, moved (another server has the session), or failed.",
            ),
            counter(
                "stratagem_session_taken_total",
                &[],
                "Sessions that this server took over from their log.",
            ),
        ],
    ),
    (
        "Traces",
        &[counter(
            "stratagem_span_total",
            &["outcome"],
            "Spans of traces: exported, or failed because the collector did not take them.",
        )],
    ),
];

/// Features of this build, separated by commas.
fn features() -> String {
    let features = [
        ("milp", cfg!(feature = "milp")),
        ("nats", cfg!(feature = "nats")),
        ("otlp", cfg!(feature = "otlp")),
        ("zstd", cfg!(feature = "zstd")),
    ];
    let built = features.into_iter().filter(|(_, is_built)| *is_built);
    built.map(|(name, _)| name).collect::<Vec<_>>().join(",")
}

/// Describes all, and sets to 0 what would be missed when absent.
pub(super) fn describe() {
    for (section, metrics) in METRICS {
        for Metric {
            kind,
            name,
            labels,
            help,
        } in metrics
        {
            match kind {
                Counter => describe_counter!(*name, *help),
                Histogram => describe_histogram!(*name, *help),
                Gauge => describe_gauge!(*name, *help),
            }
            // Those of jobs appear with jobs: a store that is not there is not down.
            if matches!(kind, Gauge) && labels.is_empty() && section != "Jobs" {
                gauge!(*name).set(0.0);
            }
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    gauge!("stratagem_build_info", "version" => version, "features" => features()).set(1.0);
    for bug in ["stratagem_verify_mismatch_total", "stratagem_panics_total"] {
        for &planner in PLANNERS {
            counter!(bug, "planner" => planner).absolute(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{METRICS, Metric};
    use crate::reference::{compare, table};

    #[test]
    fn the_page_of_metrics_is_that_of_the_program() {
        let metrics = METRICS
            .iter()
            .flat_map(|(section, metrics)| metrics.iter().map(|metric| (*section, row(metric))));
        let columns = ["metric", "kind", "labels", "meaning"];
        compare("metrics.md", &table(columns, metrics));
    }

    fn row(metric: &Metric) -> [String; 4] {
        let labels = metric.labels.iter().map(|label| format!("`{label}`"));
        [
            format!("`{}`", metric.name),
            format!("{:?}", metric.kind).to_lowercase(),
            labels.collect::<Vec<_>>().join(", "),
            metric.help.into(),
        ]
    }
}
