//! Tenants next to each other: what each may have, and that they do not see each other.

use crate::calls::{Caller, settings};
use crate::unbounded;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use stratagem_server::Config;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// A server with two tenants.
struct Stage {
    folder: PathBuf,
    server: Caller,
    one: Caller,
    other: Caller,
}

impl Stage {
    async fn new(quotas: &str) -> Self {
        Self::with_cache(quotas, 0).await
    }

    async fn with_cache(quotas: &str, cache_bytes_max: usize) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("stratagem-tenants-{}-{next}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).unwrap();
            path.to_str().unwrap().parse().unwrap()
        };
        let token = |name| {
            format!(
                "[[token]]\ntenant = \"{name}\"\ntoken = \"{}\"\n",
                key(name)
            )
        };
        let config = Config {
            tokens: write("tokens.toml", &(token("one") + &token("other"))),
            tenants: write("tenants.toml", quotas),
            jobs: folder.join("jobs").to_str().unwrap().parse().unwrap(),
            cache_bytes_max,
            ..settings()
        };
        let server = Caller::new(config).await;
        Self {
            one: server.with_token(&key("one")),
            other: server.with_token(&key("other")),
            server,
            folder,
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // It is in the folder for what may be lost.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn key(tenant: &str) -> String {
    format!("token-of-{tenant}-0123456789")
}

/// A search that ends by its time or by its iterations.
fn search(options: Value) -> Value {
    let mut request = unbounded::request("AllocateTasks");
    request["options"] = options;
    request
}

fn job(request_id: &str, options: Value) -> Value {
    json!({"request_id": request_id, "request": {"allocate_tasks": search(options)}})
}

fn session(id: &str) -> Value {
    let problem = search(json!({}))["problem"].take();
    json!({"session_id": id, "allocation": {"problem": problem}})
}

/// The quota that is used up by a refusal.
fn quota(status: &Status) -> String {
    assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
    let details = status.get_error_details();
    let retry = details.retry_info().and_then(|info| info.retry_delay);
    assert!(retry.is_some_and(|delay| !delay.is_zero()), "{status:?}");
    let violations = &details.quota_failure().expect("there is one").violations;
    violations[0].description.clone()
}

#[tokio::test]
async fn calls_beyond_the_quota_are_refused_and_others_are_served() {
    let quotas = "[tenants.one]\ncalls_per_second = 0.001\ncalls_burst = 3\n";
    let stage = Stage::new(quotas).await;
    for _ in 0..3 {
        stage.one.answer("GetServerInfo", &json!({})).await;
    }
    for _ in 0..5 {
        let refusal = stage.one.ask("GetServerInfo", &json!({})).await;
        assert_eq!(quota(&refusal.unwrap_err()), "calls_per_second");
        stage.other.answer("GetServerInfo", &json!({})).await;
    }
    let count = |counter, label| stage.server.counted_for(counter, label);
    assert_eq!(
        count("stratagem_tenant_refused_total", "tenant=\"one\""),
        5.0
    );
    assert_eq!(
        count("stratagem_tenant_call_total", "tenant=\"other\""),
        5.0
    );
    assert!(!stage.server.page().contains("tenant=\"other\",quota"));
}

#[tokio::test]
async fn solver_seconds_are_paid_for() {
    let quotas = "[tenants.one]\nsolver_seconds_per_minute = 0.05\n";
    let stage = Stage::new(quotas).await;
    let short = search(json!({"time_budget": "0.200s"}));
    stage.one.answer("AllocateTasks", &short).await;
    // It is paid for once it has ended.
    let refusal = loop {
        if let Err(refusal) = stage.one.ask("AllocateTasks", &short).await {
            break refusal;
        }
    };
    assert_eq!(quota(&refusal), "solver_seconds_per_minute");
    stage.other.answer("AllocateTasks", &short).await;
    let seconds = "stratagem_tenant_solver_seconds_total";
    assert!(stage.server.counted_for(seconds, "tenant=\"one\"") >= 0.05);
}

#[tokio::test]
async fn jobs_beyond_the_quota_are_refused_until_there_are_fewer() {
    let stage = Stage::new("[tenants.one]\njobs_max = 2\n").await;
    let job = |id| job(id, json!({"time_budget": "600s"}));
    let first = stage.one.answer("CreateJob", &job("a")).await["job"].take();
    stage.one.answer("CreateJob", &job("b")).await;
    let refusal = stage.one.ask("CreateJob", &job("c")).await.unwrap_err();
    assert_eq!(quota(&refusal), "jobs_max");
    let again = stage.one.answer("CreateJob", &job("a")).await;
    assert_eq!(
        again["job"]["job_id"], first["job_id"],
        "it is there already"
    );
    stage.other.answer("CreateJob", &job("c")).await;
    let first = json!({"job_id": first["job_id"]});
    stage.one.answer("CancelJob", &first).await;
    stage.one.answer("WatchJob", &first).await;
    stage.one.answer("DeleteJob", &first).await;
    stage.one.answer("CreateJob", &job("c")).await;
}

#[tokio::test]
async fn sessions_of_a_tenant_are_limited_and_its_own() {
    let stage = Stage::new("[tenants.one]\nsessions_max = 1\n").await;
    stage.one.answer("CreateSession", &session("a")).await;
    let again = stage.one.answer("CreateSession", &session("a")).await;
    assert_eq!(again["existed"], true, "it is there already");
    let refusal = stage.one.ask("CreateSession", &session("b")).await;
    assert_eq!(quota(&refusal.unwrap_err()), "sessions_max");
    let named = json!({"session_id": "a"});
    let unknown = stage.other.ask("GetSession", &named).await.unwrap_err();
    assert_eq!(unknown.code(), Code::NotFound);
    stage.other.answer("CloseSession", &named).await;
    stage.one.answer("GetSession", &named).await;
    let other = stage.other.answer("CreateSession", &session("a")).await;
    assert_eq!(other["existed"], Value::Null);
    stage.one.answer("CloseSession", &named).await;
    stage.one.answer("CreateSession", &session("b")).await;
}

#[tokio::test]
async fn methods_that_a_tenant_may_not_call_are_refused_also_as_jobs() {
    let quotas = "known_only = true\n[tenants.one]\nmethods = [\"stratagem.v1.JobService\", \
        \"stratagem.v1.ServerService\", \"stratagem.v1.SessionService\"]\n";
    let stage = Stage::new(quotas).await;
    let short = json!({"max_iterations": 200, "time_budget": "60s"});
    let session = session("id");
    stage.one.answer("GetServerInfo", &json!({})).await;
    stage.one.answer("ListJobs", &json!({})).await;
    for (caller, method, request) in [
        (&stage.one, "AllocateTasks", search(short.clone())),
        (&stage.one, "CreateJob", job("id", short.clone())),
        (&stage.one, "CreateSession", session),
        (&stage.other, "GetServerInfo", json!({})),
    ] {
        let refusal = caller.ask(method, &request).await.unwrap_err();
        assert_eq!(refusal.code(), Code::PermissionDenied, "{method}");
    }
    let both = "[tenants.one]\nmethods = [\"stratagem.v1.JobService\", \
        \"stratagem.v1.AllocationService\"]\n";
    let stage = Stage::new(both).await;
    stage.one.answer("CreateJob", &job("id", short)).await;
}

#[tokio::test]
async fn answers_are_shared_within_a_tenant_only() {
    let stage = Stage::with_cache("", Config::default().cache_bytes_max).await;
    let request = search(json!({"max_iterations": 200, "time_budget": "60s", "seed": 7}));
    for (caller, shared) in [
        (&stage.one, Value::Null),
        (&stage.one, json!(true)),
        (&stage.other, Value::Null),
        (&stage.other, json!(true)),
    ] {
        let answer = caller.answer("AllocateTasks", &request).await;
        assert_eq!(answer["report"]["shared"], shared);
    }
}

#[tokio::test]
async fn jobs_are_seen_and_changed_by_their_tenant_only() {
    let stage = Stage::new("").await;
    let wanted = job(
        "same-id",
        json!({"max_iterations": 200, "time_budget": "60s"}),
    );
    let one = stage.one.answer("CreateJob", &wanted).await["job"].take();
    let other = stage.other.answer("CreateJob", &wanted).await["job"].take();
    // The same id, but nobody else's job.
    assert_ne!(one["job_id"], other["job_id"]);
    assert_eq!(one["request_id"], "same-id");
    let again = stage.one.answer("CreateJob", &wanted).await;
    assert_eq!(again["job"]["job_id"], one["job_id"]);
    let asked = json!({"job_id": one["job_id"]});
    for method in ["GetJob", "CancelJob", "DeleteJob", "WatchJob"] {
        let refusal = stage.other.ask(method, &asked).await.unwrap_err();
        assert_eq!(refusal.code(), Code::NotFound, "{method}");
    }
    for (caller, own) in [(&stage.one, &one), (&stage.other, &other)] {
        let list = caller.answer("ListJobs", &json!({})).await;
        assert_eq!(
            crate::answers::value_at(&list, "jobs[*].job_id"),
            json!([own["job_id"]])
        );
    }
    stage.one.answer("WatchJob", &asked).await;
    let done = stage.one.answer("GetJob", &asked).await;
    assert!(done["job"]["end_time"].is_string());
    assert_eq!(done["job"]["request_id"], "same-id");
    stage.one.answer("DeleteJob", &asked).await;
}
