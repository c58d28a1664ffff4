//! Tenants beside each other: what each may have, and that they do not see each other.

use crate::asking::unbounded;
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::pki::Folder;
use stratagem_integration_tests::problems::{allocate, budget, iterations, row};
use stratagem_integration_tests::{Server, raw};
use stratagem_proto::v1 as pb;
use stratagem_proto::v1::job_request::Method;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

const INFO: &str = "/stratagem.v1.ServerService/GetServerInfo";

/// Two tenants, with tokens that say their names.
struct Stage {
    _folder: Folder,
    server: Server,
}

impl Stage {
    async fn new(quotas: &str, more: &[&str]) -> Self {
        let folder = Folder::new();
        let token = |name: &str| {
            format!(
                "[[token]]\ntenant = \"{name}\"\ntoken = \"{}\"\n",
                key(name)
            )
        };
        let tokens = folder.write("tokens.toml", &(token("one") + &token("other")));
        let tenants = folder.write("tenants.toml", quotas);
        let jobs = folder.path("jobs");
        let flags = ["--tokens", &tokens, "--tenants", &tenants, "--jobs", &jobs];
        Self {
            server: Server::start(&[&flags[..], more].concat()).await,
            _folder: folder,
        }
    }

    /// Calls as a tenant; the first message of the answer.
    async fn call<M: prost::Message + Default>(
        &self,
        tenant: &str,
        path: &str,
        message: &impl prost::Message,
    ) -> Result<M, Status> {
        let bearer = format!("Bearer {}", key(tenant));
        let body = raw::frame(&message.encode_to_vec());
        let headers = [("authorization", &*bearer)];
        let call = raw::call(self.server.address, path, &headers, body);
        let answer = wait_for("an answer", call).await.expect("it is answered");
        match answer.status().code() {
            Code::Ok => Ok(answer.messages().remove(0)),
            _ => Err(answer.status().clone()),
        }
    }

    async fn allocate(
        &self,
        tenant: &str,
        options: pb::SolveOptions,
    ) -> Result<pb::SolveReport, Status> {
        let request = allocate(unbounded(), options);
        let answer: pb::AllocateTasksResponse = self.call(tenant, raw::ALLOCATE, &request).await?;
        Ok(answer.report.expect("reports are always there"))
    }
}

fn key(tenant: &str) -> String {
    format!("token-of-{tenant}-0123456789")
}

/// The quota that an answer says is used up.
fn quota(status: &Status) -> String {
    assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
    let details = status.get_error_details();
    let retry = details.retry_info().and_then(|info| info.retry_delay);
    assert!(retry.is_some_and(|delay| !delay.is_zero()), "{status:?}");
    let violations = &details.quota_failure().expect("it says which").violations;
    violations[0].description.clone()
}

#[tokio::test]
async fn calls_beyond_the_quota_are_refused_and_others_are_served() {
    let quotas = "[tenants.one]\ncalls_per_second = 0.001\ncalls_burst = 3\n";
    let stage = Stage::new(quotas, &[]).await;
    let info = pb::GetServerInfoRequest::default();
    for _ in 0..3 {
        let answer: Result<pb::GetServerInfoResponse, _> = stage.call("one", INFO, &info).await;
        answer.unwrap();
    }
    for _ in 0..5 {
        let refusal = stage
            .call::<pb::GetServerInfoResponse>("one", INFO, &info)
            .await;
        assert_eq!(quota(&refusal.unwrap_err()), "calls_per_second");
        let answer = stage
            .call::<pb::GetServerInfoResponse>("other", INFO, &info)
            .await;
        answer.unwrap();
    }
    let metrics = stage.server.metrics().await;
    let refused = metrics.sum_where("stratagem_tenant_refused_total", &[("tenant", "one")]);
    assert_eq!(refused, 5.0);
    assert_eq!(
        metrics.sum_where("stratagem_tenant_call_total", &[("tenant", "other")]),
        5.0
    );
    assert!(!metrics.mentions("tenant=\"other\",quota"));
}

#[tokio::test]
async fn solver_seconds_are_paid_for() {
    let quotas = "[tenants.one]\nsolver_seconds_per_minute = 0.05\n";
    let stage = Stage::new(quotas, &["--cache-bytes-max", "0"]).await;
    stage.allocate("one", budget(200)).await.unwrap();
    let refusal = eventually("it is paid for", async || {
        stage.allocate("one", budget(200)).await.err()
    });
    assert_eq!(quota(&refusal.await), "solver_seconds_per_minute");
    stage.allocate("other", budget(50)).await.unwrap();
    let metrics = stage.server.metrics().await;
    let one = [("tenant", "one")];
    let seconds = metrics.sum_where("stratagem_tenant_solver_seconds_total", &one);
    assert!((0.05..30.0).contains(&seconds), "{seconds} s");
}

#[tokio::test]
async fn jobs_beyond_the_quota_are_refused_until_there_are_fewer() {
    let stage = Stage::new("[tenants.one]\njobs_max = 2\n", &[]).await;
    let create = async |tenant: &str, id: &str| {
        let request = pb::CreateJobRequest {
            request_id: id.into(),
            request: Some(pb::JobRequest {
                method: Some(Method::AllocateTasks(allocate(
                    unbounded(),
                    budget(600_000),
                ))),
            }),
            ..Default::default()
        };
        let path = "/stratagem.v1.JobService/CreateJob";
        let answer: Result<pb::CreateJobResponse, _> = stage.call(tenant, path, &request).await;
        answer.map(|answer| answer.job.expect("it is set").job_id)
    };
    let first = create("one", "a").await.unwrap();
    create("one", "b").await.unwrap();
    assert_eq!(quota(&create("one", "c").await.unwrap_err()), "jobs_max");
    assert_eq!(
        create("one", "a").await.unwrap(),
        first,
        "it is there already"
    );
    create("other", "c").await.unwrap();
    let job_id = first;
    let cancel = pb::CancelJobRequest {
        job_id: job_id.clone(),
    };
    let path = "/stratagem.v1.JobService/CancelJob";
    let _: pb::CancelJobResponse = stage.call("one", path, &cancel).await.unwrap();
    let delete = pb::DeleteJobRequest { job_id };
    let path = "/stratagem.v1.JobService/DeleteJob";
    eventually("it has ended, and is deleted", async || {
        let deleted: Result<pb::DeleteJobResponse, _> = stage.call("one", path, &delete).await;
        deleted.ok()
    })
    .await;
    create("one", "c").await.unwrap();
}

#[tokio::test]
async fn who_may_call_little_is_refused_the_rest() {
    let quotas = "known_only = true\n[tenants.one]\nmethods = [\"stratagem.v1.ServerService\"]\n";
    let stage = Stage::new(quotas, &[]).await;
    let info = pb::GetServerInfoRequest::default();
    stage
        .call::<pb::GetServerInfoResponse>("one", INFO, &info)
        .await
        .unwrap();
    let refusal = stage.allocate("one", budget(50)).await.unwrap_err();
    assert_eq!(refusal.code(), Code::PermissionDenied);
    let unknown = stage
        .call::<pb::GetServerInfoResponse>("other", INFO, &info)
        .await;
    assert_eq!(unknown.unwrap_err().code(), Code::PermissionDenied);
}

#[tokio::test]
async fn a_job_needs_the_right_to_call_its_method() {
    let job_service = "stratagem.v1.JobService";
    for (methods, allowed) in [
        (format!("[\"{job_service}\"]"), false),
        (
            format!("[\"{job_service}\", \"stratagem.v1.AllocationService\"]"),
            true,
        ),
    ] {
        let quotas = format!("[tenants.one]\nmethods = {methods}\n");
        let stage = Stage::new(&quotas, &[]).await;
        let created = stage.call("one", &path("CreateJob"), &job("id")).await;
        let created: Result<pb::CreateJobResponse, _> = created;
        match created {
            Ok(_) => assert!(allowed),
            Err(refusal) => {
                assert!(!allowed, "{refusal}");
                assert_eq!(refusal.code(), Code::PermissionDenied);
            }
        }
    }
}

#[tokio::test]
async fn answers_are_shared_within_a_tenant_only() {
    let stage = Stage::new("", &[]).await;
    let mut shared = Vec::new();
    for tenant in ["one", "one", "other", "other"] {
        let report = stage.allocate(tenant, iterations(200, 7)).await.unwrap();
        shared.push(report.shared);
    }
    assert_eq!(shared, [false, true, false, true]);
}

fn job(request_id: &str) -> pb::CreateJobRequest {
    pb::CreateJobRequest {
        request_id: request_id.into(),
        request: Some(pb::JobRequest {
            method: Some(Method::AllocateTasks(allocate(row(), iterations(200, 1)))),
        }),
        ..Default::default()
    }
}

/// The path of a method of jobs.
fn path(method: &str) -> String {
    format!("/stratagem.v1.JobService/{method}")
}

/// A job is not there for other tenants.
async fn refused(stage: &Stage, job_id: &str) {
    let job_id = || job_id.to_owned();
    let get = pb::GetJobRequest { job_id: job_id() };
    let cancel = pb::CancelJobRequest { job_id: job_id() };
    let delete = pb::DeleteJobRequest { job_id: job_id() };
    let watch = pb::WatchJobRequest {
        job_id: job_id(),
        after_sequence: 0,
    };
    let refusals = [
        stage
            .call::<pb::GetJobResponse>("other", &path("GetJob"), &get)
            .await
            .err(),
        stage
            .call::<pb::CancelJobResponse>("other", &path("CancelJob"), &cancel)
            .await
            .err(),
        stage
            .call::<pb::DeleteJobResponse>("other", &path("DeleteJob"), &delete)
            .await
            .err(),
        stage
            .call::<pb::WatchJobResponse>("other", &path("WatchJob"), &watch)
            .await
            .err(),
    ];
    for refusal in refusals {
        assert_eq!(refusal.expect("it is not there").code(), Code::NotFound);
    }
}

#[tokio::test]
async fn jobs_are_seen_and_changed_by_their_tenant_only() {
    let stage = Stage::new("", &[]).await;
    let create = async |tenant: &str| {
        let made: pb::CreateJobResponse = stage
            .call(tenant, &path("CreateJob"), &job("same-id"))
            .await
            .unwrap();
        made.job.expect("there is one")
    };
    let (one, other) = (create("one").await, create("other").await);
    // The same id, but nobody else's job.
    assert_ne!(one.job_id, other.job_id);
    assert_eq!(one.request_id, "same-id");
    assert_eq!(create("one").await.job_id, one.job_id);
    let job_id = one.job_id.clone();
    let get = pb::GetJobRequest {
        job_id: job_id.clone(),
    };
    let delete = pb::DeleteJobRequest { job_id };
    refused(&stage, &one.job_id).await;
    for (tenant, own) in [("one", &one), ("other", &other)] {
        let all = pb::ListJobsRequest::default();
        let list: pb::ListJobsResponse = stage.call(tenant, &path("ListJobs"), &all).await.unwrap();
        let ids: Vec<_> = list.jobs.iter().map(|job| &job.job_id).collect();
        assert_eq!(ids, [&own.job_id]);
    }
    let done = eventually("it ends", async || {
        let got: pb::GetJobResponse = stage.call("one", &path("GetJob"), &get).await.unwrap();
        got.job.filter(|job| job.end_time.is_some())
    });
    assert_eq!(done.await.request_id, "same-id");
    stage
        .call::<pb::DeleteJobResponse>("one", &path("DeleteJob"), &delete)
        .await
        .unwrap();
}
