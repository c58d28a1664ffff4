//! What the numbers mean, and those that are 0 from the beginning.

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use wire::planning::PLANNERS;

/// Help texts.
const COUNTS: [(&str, &str); 14] = [
    (
        "stratagem_span_total",
        "Spans of traces, by what became of them",
    ),
    (
        "stratagem_tenant_call_total",
        "Calls by tenant and gRPC code",
    ),
    (
        "stratagem_tenant_refused_total",
        "Calls refused because of a quota, by tenant and quota",
    ),
    (
        "stratagem_connection_total",
        "Connections that ended, or were not let in, by how",
    ),
    (
        "stratagem_reload_total",
        "Changed files that were read again, and those that are invalid",
    ),
    ("stratagem_job_total", "Jobs that ended, by state"),
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
        "stratagem_gave_way_total",
        "Searches that gave their slots to a more urgent request, by priority, and whether they parked or ended",
    ),
    (
        "stratagem_search_overrun_total",
        "Searches that went on 50 ms after they were asked to stop, by planner and phase. A bug",
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
const LEVELS: [(&str, &str); 19] = [
    (
        "stratagem_reserved_memory_bytes",
        "Memory that searches may take that run",
    ),
    (
        "stratagem_memory_max_bytes",
        "Memory that this process may have",
    ),
    ("process_resident_memory_bytes", "Memory of this process"),
    (
        "process_open_fds",
        "Files and connections that this process has open",
    ),
    ("process_max_fds", "Those that it may have open"),
    (
        "process_start_time_seconds",
        "When this process began, in seconds since 1970",
    ),
    ("stratagem_known_jobs", "Jobs that are kept, by state"),
    (
        "stratagem_job_store_synced",
        "Whether the place that keeps jobs is seen to sync before it acknowledges",
    ),
    (
        "stratagem_job_backup_seconds",
        "When the last copy of the file of jobs was written, in seconds since 1970",
    ),
    (
        "stratagem_corrupt_job_records",
        "Records of jobs that cannot be decoded",
    ),
    (
        "stratagem_job_store_up",
        "Whether the place that keeps jobs answers",
    ),
    ("stratagem_connections", "Connections"),
    (
        "stratagem_inflight_bytes",
        "Bytes of requests whose calls run, and of answers not sent",
    ),
    ("stratagem_slots", "Slots that there are"),
    ("stratagem_busy_slots", "Slots in use"),
    ("stratagem_queued_requests", "Requests that wait for a slot"),
    (
        "stratagem_parked_searches",
        "Searches that wait for their slots, which more urgent requests have",
    ),
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

/// Those with labels: they are there once they have a value.
const LABELLED: [(&str, &str); 3] = [
    (
        "stratagem_build_info",
        "1, with the version of this server and the features it was built with",
    ),
    (
        "stratagem_waiting_requests",
        "Requests that wait for a slot, by tenant and priority",
    ),
    (
        "stratagem_reload_good",
        "Whether files made sense when they were read last",
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
    for (name, help) in COUNTS {
        describe_counter!(name, help);
    }
    for (name, help) in LEVELS {
        describe_gauge!(name, help);
        gauge!(name).set(0.0);
    }
    for (name, help) in LABELLED {
        describe_gauge!(name, help);
    }
    let version = env!("CARGO_PKG_VERSION");
    gauge!("stratagem_build_info", "version" => version, "features" => features()).set(1.0);
    for (name, help) in SPREADS {
        describe_histogram!(name, help);
    }
    for bug in ["stratagem_verify_mismatch_total", "stratagem_panics_total"] {
        for &planner in PLANNERS {
            counter!(bug, "planner" => planner).absolute(0);
        }
    }
}
